//! Loads and stores.
//!
//! A thread writes only to memory of its own, except in [`Draft::phase`], between barriers, and to cells that each have
//! one commutative operation (`draft/atomic.rs`). Addresses are a base and an offset that is cut to the region and to the alignment.

use super::Draft;
use crate::class::Class;
use crate::program::Step;

/// Memory that a thread may access by itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Region {
    /// The state space; `generic` if it is not known.
    pub space: &'static str,
    /// The variable, if it begins there in every thread.
    pub symbol: Option<String>,
    /// The register with the address in the space; 64 bits for global memory, else 32.
    pub base: String,
    /// The register with the generic address.
    pub generic: Option<String>,
    /// Bytes, a power of two.
    pub size: u32,
    /// Whether it may be written.
    pub is_written: bool,
}

/// Bytes of a thread in shared memory.
pub(super) const SLOT: u32 = 16;

/// The register of an address that was worked out for it, which nothing else reads.
fn fresh_register(address: &str) -> Option<(Class, u32)> {
    let register = address.split('+').next()?;
    let class = match register.get(..2)? {
        "%w" => Class::W,
        "%d" => Class::D,
        _ => return None,
    };
    Some((class, register[2..].parse().ok()?))
}

impl Draft {
    /// A load or a store, of one register or a vector.
    pub(super) fn access(&mut self) -> Step {
        let mut step = Step::default();
        if self.regions.is_empty() {
            return self.instruction();
        }
        let region = self.random.pick(&self.regions);
        let bytes = 1u32 << self.random.below(4);
        let widest = (16 / bytes).min(4);
        let count = match self.random.below(3) {
            0 => widest,
            1 => 2.min(widest),
            _ => 1,
        };
        let is_store = region.is_written && self.random.one_in(2);
        let guard = match self.has.guards && self.random.chance(25) {
            true => Some(self.read(Class::P)),
            false => None,
        };
        let (address, space) = self.place(&region, bytes * count, &mut step);
        // All elements of a vector have one type and are registers of one class.
        let (ty, class) = self.element(bytes, is_store);
        let mut taken = Vec::new();
        let mut registers = Vec::new();
        for _ in 0..count {
            let register = match (is_store, &guard) {
                (true, _) => self.read(class),
                (false, None) => self.write(class, &mut step, &mut taken),
                (false, Some(_)) => match self.rewrite(class, &mut taken) {
                    Some(register) => register,
                    None => return self.instruction(),
                },
            };
            registers.push(register);
        }
        // The address may be in a register that is loaded into.
        let is_base = [Some(&region.base), region.generic.as_ref()]
            .into_iter()
            .flatten()
            .any(|base| address.split('+').next() == Some(base));
        if let Some((own, number)) = fresh_register(&address)
            && !is_base
            && own == class
            && !is_store
            && guard.is_none()
            && self.random.chance(20)
        {
            let at = self.random.below(registers.len());
            step.defines
                .retain(|one| own.reg(one.1) != registers[at] || one.0 != own);
            step.defines.push((own, number));
            registers[at] = own.reg(number);
        }
        let (vector, list) = match count {
            1 => (String::new(), registers[0].clone()),
            many => (format!(".v{many}"), format!("{{{}}}", registers.join(", "))),
        };
        let how = self.manner(&region, &space, is_store);
        let guard = guard.map_or_else(String::new, |guard| {
            let not = if self.random.one_in(2) { "!" } else { "" };
            format!("@{not}{guard} ")
        });
        let spelled = |operation: &str| match how {
            ".volatile" | ".relaxed.gpu" => format!("{operation}{how}{space}"),
            _ => format!("{operation}{space}{how}"),
        };
        step.lines.push(match is_store {
            true => format!("{guard}{}{vector}.{ty} [{address}], {list};", spelled("st")),
            false => format!("{guard}{}{vector}.{ty} {list}, [{address}];", spelled("ld")),
        });
        self.publish(&step);
        step
    }

    /// Cache operations and the like.
    fn manner(&mut self, region: &Region, space: &str, is_store: bool) -> &'static str {
        let ways: &[&'static str] = match (space, is_store) {
            (".global", false) if !region.is_written => &["", "", ".nc", ".ca", ".cg", ".volatile"],
            (".global", false) => &["", "", ".cg", ".volatile", ".relaxed.gpu"],
            (".global", true) => &["", "", "", ".volatile", ".relaxed.gpu"],
            (".shared" | "", _) => &["", "", "", ".volatile"],
            _ => &[""],
        };
        self.random.pick(ways)
    }

    /// The type of an element of so many bytes, and the class of its register.
    fn element(&mut self, bytes: u32, is_store: bool) -> (&'static str, Class) {
        let wide = [Class::H, Class::W, Class::D];
        match bytes {
            1 => {
                let ty = self.random.pick(&["u8", "s8", "b8"]);
                (ty, self.random.pick(&wide))
            }
            2 => match self.random.below(4) {
                0 => ("b16", Class::X),
                1 => ("b16", Class::Y),
                _ => {
                    let ty = self.random.pick(&["u16", "s16", "b16"]);
                    (ty, self.random.pick(&wide))
                }
            },
            4 => match self.random.below(8) {
                0 | 1 => ("f32", Class::F),
                2 => ("b32", Class::U),
                3 => ("b32", Class::V),
                4 if !is_store => (self.random.pick(&["u32", "s32"]), Class::D),
                _ => (self.random.pick(&["u32", "s32", "b32"]), Class::W),
            },
            _ => match self.random.below(3) {
                0 => ("f64", Class::G),
                _ => (self.random.pick(&["u64", "s64", "b64"]), Class::D),
            },
        }
    }

    /// An address in a region for an access of so many bytes, and the space to name.
    pub(super) fn place(
        &mut self,
        region: &Region,
        bytes: u32,
        step: &mut Step,
    ) -> (String, String) {
        let cut = (region.size - 1) & !(bytes - 1);
        let fixed = self.random.number_below(u64::from(region.size / bytes)) as u32 * bytes;
        let is_generic = region.generic.is_some() && self.random.one_in(4);
        let space = match is_generic || region.space == "generic" {
            true => String::new(),
            false => format!(".{}", region.space),
        };
        let base = match (&region.generic, is_generic) {
            (Some(generic), true) => generic.clone(),
            _ => region.base.clone(),
        };
        if self.random.chance(40) {
            if let (Some(symbol), false, true) = (&region.symbol, is_generic, self.random.one_in(2))
            {
                return (format!("{symbol}+{fixed}"), space);
            }
            return (format!("{base}+{fixed}"), space);
        }
        // Part of the offset in a register, part in the instruction.
        let split = match self.random.one_in(3) && bytes < region.size {
            true => self.random.pick(&[region.size / 2, bytes]),
            false => 0,
        };
        let cut = cut & !split;
        let (offset, from) = (self.fresh(Class::W), self.read(Class::W));
        step.lines.push(format!("and.b32 {offset}, {from}, {cut};"));
        let is_wide = base.starts_with("%d");
        let address = match is_wide {
            true => {
                let address = self.fresh(Class::D);
                if self.random.one_in(2) {
                    let wide = self.fresh(Class::D);
                    step.lines.push(format!("cvt.u64.u32 {wide}, {offset};"));
                    step.lines
                        .push(format!("add.s64 {address}, {base}, {wide};"));
                } else {
                    step.lines
                        .push(format!("mad.wide.u32 {address}, {offset}, 1, {base};"));
                }
                address
            }
            false => {
                let address = self.fresh(Class::W);
                step.lines
                    .push(format!("add.u32 {address}, {base}, {offset};"));
                address
            }
        };
        match split {
            0 => (address, space),
            split => (format!("{address}+{split}"), space),
        }
    }

    /// Threads of a block exchange values through shared memory, between barriers.
    pub(super) fn phase(&mut self) -> Step {
        let Some(slot) = self.regions.iter().find(|one| one.space == "shared") else {
            return self.barrier();
        };
        let (base, symbol) = (slot.base.clone(), slot.symbol.clone());
        if self.random.one_in(4) {
            return self.barrier();
        }
        let threads = self.threads;
        let start = symbol.unwrap_or_else(|| "sh".to_owned());
        let mut step = Step::default();
        let class = self
            .random
            .pick(&[Class::W, Class::D, Class::F, Class::H, Class::G]);
        let (value, ty) = (self.read(class), class.stored());
        let barrier = self.random.pick(&[
            "bar.sync 0;",
            "barrier.sync 0;",
            "bar.sync 1;",
            "barrier.sync.aligned 2;",
        ]);
        let (other, address) = (self.fresh(Class::W), self.fresh(Class::W));
        let (tid, shift) = (
            self.tid.clone(),
            1 + self.random.below(threads.max(2) as usize),
        );
        let mut taken = Vec::new();
        step.lines
            .push(format!("st.shared.{ty} [{base}], {value};"));
        step.lines.push(barrier.to_owned());
        step.lines.push(format!("add.u32 {other}, {tid}, {shift};"));
        step.lines
            .push(format!("rem.u32 {other}, {other}, {threads};"));
        step.lines.push(format!("mov.u32 {address}, {start};"));
        step.lines
            .push(format!("mad.lo.u32 {address}, {other}, {SLOT}, {address};"));
        let result = self.write(class, &mut step, &mut taken);
        step.lines
            .push(format!("ld.shared.{ty} {result}, [{address}];"));
        step.lines.push("bar.sync 0;".to_owned());
        self.publish(&step);
        step
    }

    /// A fence, which changes nothing where threads do not race.
    pub(super) fn fence(&mut self) -> Step {
        let line = self.random.pick(&[
            "membar.cta;",
            "membar.gl;",
            "fence.acq_rel.gpu;",
            "fence.acq_rel.cta;",
            "fence.sc.gpu;",
            "fence.acq_rel.cluster;",
            "fence.sc.sys;",
            "fence.proxy.async;",
            "fence.proxy.alias;",
            "membar.sys;",
            "nanosleep.u32 0;",
        ]);
        Step {
            lines: vec![line.to_owned()],
            defines: Vec::new(),
        }
    }

    fn barrier(&mut self) -> Step {
        let mut step = Step::default();
        let kind = self.random.below(6);
        let threads = self.threads;
        match kind {
            0 => {
                let source = self.read(Class::P);
                let not = self.random.pick(&["", "!"]);
                let result = self.write(Class::W, &mut step, &mut Vec::new());
                let line = format!("bar.red.popc.u32 {result}, 2, {not}{source};");
                step.lines.push(line);
            }
            1 => {
                let (source, how) = (self.read(Class::P), self.random.pick(&["and", "or"]));
                let result = self.write(Class::P, &mut step, &mut Vec::new());
                let line = format!("barrier.red.{how}.pred {result}, 6, {source};");
                step.lines.push(line);
            }
            2 if self.whole_warps => step.lines.push(format!("bar.sync 7, {threads};")),
            3 if self.whole_warps && threads > 32 => {
                // The first warp does not wait.
                let (is_first, tid) = (self.fresh(Class::P), self.tid.clone());
                let id = self.id();
                step.lines.extend([
                    format!("setp.lt.u32 {is_first}, {tid}, 32;"),
                    format!("@{is_first} bra ARRIVE_{id};"),
                    format!("bar.sync 4, {threads};"),
                    format!("bra MET_{id};"),
                    format!("ARRIVE_{id}:"),
                    format!("bar.arrive 4, {threads};"),
                    format!("MET_{id}:"),
                    "bar.sync 0;".to_owned(),
                ]);
            }
            4 => step.lines.extend(
                [
                    "barrier.cluster.arrive.release;",
                    "barrier.cluster.wait.acquire;",
                ]
                .map(str::to_owned),
            ),
            _ => {
                let ways = ["bar.sync 0;", "barrier.sync 3;", "bar.sync 5;"];
                step.lines.push(self.random.pick(&ways).to_owned());
            }
        }
        self.publish(&step);
        step
    }
}
