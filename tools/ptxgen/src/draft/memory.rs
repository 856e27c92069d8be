//! Loads, stores and atomics.
//!
//! A thread writes only to memory of its own, except in [`Draft::phase`], between barriers, and to cells that each have
//! one commutative operation. Addresses are a base and an offset that is cut to the region and to the alignment.

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

/// Contended operations: operation and type, its bytes, where its cells are.
pub(super) const CELLS: [(&str, u32, u32); 14] = [
    ("add.u32", 4, 0),
    ("add.s32", 4, 16),
    ("min.u32", 4, 32),
    ("max.u32", 4, 48),
    ("min.s32", 4, 64),
    ("max.s32", 4, 80),
    ("and.b32", 4, 96),
    ("or.b32", 4, 112),
    ("xor.b32", 4, 128),
    ("add.u64", 8, 144),
    ("max.u64", 8, 160),
    ("min.s64", 8, 176),
    ("or.b64", 8, 192),
    ("inc.u32", 4, 208),
];
/// Bytes of all cells.
pub(super) const CELL_BYTES: u32 = 256;
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
    fn place(&mut self, region: &Region, bytes: u32, step: &mut Step) -> (String, String) {
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

    /// An atomic on memory of the thread's own, whose old value counts, or on a contended cell, whose old value does not.
    pub(super) fn atomic(&mut self) -> Step {
        let own: Vec<Region> = self
            .regions
            .iter()
            .filter(|one| one.is_written)
            .cloned()
            .collect();
        let own: Vec<Region> = own.into_iter().filter(|one| one.space != "local").collect();
        let guard = match self.has.guards && self.random.chance(25) {
            true => format!("@{} ", self.read(Class::P)),
            false => String::new(),
        };
        if !self.cells.is_empty() && (own.is_empty() || self.random.one_in(2)) {
            let (space, base) = self.random.pick(&self.cells);
            self.contended(space, &base, &guard)
        } else if own.is_empty() {
            self.instruction()
        } else {
            let region = self.random.pick(&own);
            self.alone_atomic(&region, &guard)
        }
    }

    fn contended(&mut self, space: &str, cells: &str, guard: &str) -> Step {
        let mut step = Step::default();
        let (operation, bytes, at) = self.random.pick(&CELLS);
        let (offset, from) = (self.fresh(Class::W), self.read(Class::W));
        let wide = self.fresh(Class::D);
        let cut = if bytes == 4 { 12 } else { 8 };
        step.lines.push(format!("and.b32 {offset}, {from}, {cut};"));
        step.lines.push(format!("cvt.u64.u32 {wide}, {offset};"));
        step.lines.push(format!("add.s64 {wide}, {wide}, {cells};"));
        let class = if bytes == 4 { Class::W } else { Class::D };
        let value = match operation {
            "inc.u32" => "41".to_owned(),
            _ => self.read_any(class),
        };
        let scope = self
            .random
            .pick(&["", ".gpu", ".relaxed.gpu", ".relaxed.sys"]);
        if self.random.chance(65) {
            let line = format!("red{scope}.{space}.{operation} [{wide}+{at}], {value};");
            step.lines.push(format!("{guard}{line}"));
        } else {
            let unused = self.fresh(class);
            let line = format!("atom{scope}.{space}.{operation} {unused}, [{wide}+{at}], {value};");
            step.lines.push(format!("{guard}{line}"));
        }
        step
    }

    fn alone_atomic(&mut self, region: &Region, guard: &str) -> Step {
        let mut step = Step::default();
        let operation = self.random.pick(&[
            "add.u32", "add.s32", "add.u64", "add.f32", "add.f64", "min.u32", "max.s32", "min.s64",
            "max.u64", "and.b32", "or.b32", "xor.b64", "xor.b32", "exch.b32", "exch.b64",
            "cas.b32", "cas.b64", "inc.u32", "dec.u32",
        ]);
        let class = match operation.rsplit('.').next().unwrap_or("") {
            "f32" => Class::F,
            "f64" => Class::G,
            ty if ty.ends_with("64") => Class::D,
            _ => Class::W,
        };
        let (address, space) = self.place(region, class.bytes(), &mut step);
        let mut taken = Vec::new();
        let result = match guard.is_empty() {
            true => self.write(class, &mut step, &mut taken),
            false => self.read(class),
        };
        let value = match operation.starts_with("cas") {
            true => format!("{}, {}", self.read_any(class), self.read(class)),
            false => self.read_any(class),
        };
        let scope = self.random.pick(&[
            "",
            "",
            ".gpu",
            ".relaxed.cta",
            ".relaxed.gpu",
            ".acq_rel.gpu",
        ]);
        let line = format!("atom{scope}{space}.{operation} {result}, [{address}], {value};");
        step.lines.push(format!("{guard}{line}"));
        self.publish(&step);
        step
    }

    /// Threads of a block exchange values through shared memory, between barriers.
    pub(super) fn phase(&mut self) -> Step {
        let Some(slot) = self.regions.iter().find(|one| one.space == "shared") else {
            return self.barrier();
        };
        let base = slot.base.clone();
        let (symbol, threads) = (slot.symbol.clone(), self.threads);
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
        ]);
        Step {
            lines: vec![line.to_owned()],
            defines: Vec::new(),
        }
    }

    fn barrier(&mut self) -> Step {
        let line = self
            .random
            .pick(&["bar.sync 0;", "barrier.sync 3;", "bar.sync 5;"]);
        Step {
            lines: vec![line.to_owned()],
            defines: Vec::new(),
        }
    }
}
