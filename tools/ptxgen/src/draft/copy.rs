//! Copies that are done in the background, and barriers in memory.
//!
//! Each step waits for what it started, so that its result is defined. `gate` is a barrier in shared memory that a step
//! makes, uses and ends between barriers of the block; `landing` is where copies in bulk arrive.

use super::Draft;
use super::memory::{Region, SLOT};
use crate::class::Class;
use crate::program::Step;

/// Bytes of `landing`.
const LANDING: u32 = 128;

/// The variables that steps of this file use; those that none names are not declared.
pub(super) fn variables() -> [String; 2] {
    [
        ".shared .align 8 .b64 gate;".to_owned(),
        format!(".shared .align 16 .b8 landing[{LANDING}];"),
    ]
}

impl Draft {
    fn shared_slot(&self) -> Option<Region> {
        let mut found = self.regions.iter().filter(|one| one.space == "shared");
        found.next().cloned()
    }

    fn source(&mut self) -> Option<Region> {
        let known: Vec<Region> = self
            .regions
            .iter()
            .filter(|one| one.space == "global" && !one.is_written)
            .cloned()
            .collect();
        (!known.is_empty()).then(|| self.random.pick(&known))
    }

    fn own_global(&self) -> Option<Region> {
        let mut found = self.regions.iter();
        found
            .find(|one| one.space == "global" && one.is_written)
            .cloned()
    }

    /// A copy that a thread makes for itself.
    pub(super) fn copy(&mut self) -> Step {
        let (slot, source) = (self.shared_slot(), self.source());
        match (slot, source, self.own_global()) {
            (Some(slot), _, Some(own)) if self.random.one_in(3) => self.bulk_out(&slot, &own),
            (Some(slot), Some(source), _) => self.words(&slot, &source),
            (Some(slot), None, Some(own)) => self.bulk_out(&slot, &own),
            _ => self.instruction(),
        }
    }

    /// A multiple of `unit` below `size` in a register, or as a number.
    fn offset(&mut self, size: u32, unit: u32, base: &str, step: &mut Step) -> String {
        let fixed = self.random.number_below(u64::from(size / unit)) as u32 * unit;
        if self.random.one_in(2) {
            return format!("{base}+{fixed}");
        }
        let (from, cut) = (self.read(Class::W), (size - 1) & !(unit - 1));
        let (offset, address) = (self.fresh(Class::W), self.fresh(Class::D));
        step.lines.push(format!("and.b32 {offset}, {from}, {cut};"));
        step.lines
            .push(format!("mad.wide.u32 {address}, {offset}, 1, {base};"));
        address
    }

    /// `cp.async` into the thread's own slot.
    fn words(&mut self, slot: &Region, source: &Region) -> Step {
        let mut step = Step::default();
        let bytes = self.random.pick(&[4u32, 8, 16]);
        let cache = match bytes {
            16 => self.random.pick(&["ca", "cg"]),
            _ => "ca",
        };
        let from = self.offset(source.size, bytes, &source.base, &mut step);
        let at = self.random.below((SLOT / bytes) as usize) as u32 * bytes;
        let guard = match self.has.guards && self.random.one_in(4) {
            true => format!("@{} ", self.read(Class::P)),
            false => String::new(),
        };
        let less = match self.random.below(4) {
            // The rest is zeros.
            0 => format!(", {}", self.random.below(bytes as usize + 1)),
            1 => {
                let (size, word) = (self.fresh(Class::W), self.read(Class::W));
                step.lines.push(format!("and.b32 {size}, {word}, {bytes};"));
                format!(", {size}")
            }
            _ => String::new(),
        };
        let base = &slot.base;
        step.lines.push(format!(
            "{guard}cp.async.{cache}.shared.global [{base}+{at}], [{from}], {bytes}{less};"
        ));
        match self.random.below(3) {
            0 => step.lines.push("cp.async.wait_all;".to_owned()),
            1 => step
                .lines
                .extend(["cp.async.commit_group;", "cp.async.wait_group 0;"].map(str::to_owned)),
            _ => step.lines.extend(
                [
                    "cp.async.commit_group;",
                    "cp.async.commit_group;",
                    "cp.async.wait_group 1;",
                ]
                .map(str::to_owned),
            ),
        }
        let result = self.write(Class::W, &mut step, &mut Vec::new());
        step.lines
            .push(format!("ld.shared.b32 {result}, [{base}+{at}];"));
        self.publish(&step);
        step
    }

    /// A copy in bulk, or a reduction, of the thread's own slot to its own global memory.
    fn bulk_out(&mut self, slot: &Region, own: &Region) -> Step {
        let mut step = Step::default();
        let (base, value) = (slot.base.clone(), self.read(Class::D));
        let to = self.offset(own.size, SLOT, &own.base, &mut step);
        step.lines
            .push(format!("st.shared.b64 [{base}+8], {value};"));
        step.lines.push("fence.proxy.async;".to_owned());
        let operation = match self.random.one_in(2) {
            true => "cp.async.bulk.global.shared::cta.bulk_group".to_owned(),
            false => {
                let how = self.random.pick(&[
                    "add.u32", "add.s32", "add.u64", "min.u32", "min.s32", "max.u64", "max.s64",
                    "and.b32", "or.b64", "xor.b32", "inc.u32", "dec.u32",
                ]);
                format!("cp.reduce.async.bulk.global.shared::cta.bulk_group.{how}")
            }
        };
        step.lines
            .push(format!("{operation} [{to}], [{base}], {SLOT};"));
        step.lines.push("cp.async.bulk.commit_group;".to_owned());
        step.lines.push("cp.async.bulk.wait_group 0;".to_owned());
        let result = self.write(Class::W, &mut step, &mut Vec::new());
        step.lines.push(format!("ld.global.b32 {result}, [{to}];"));
        self.publish(&step);
        step
    }

    /// All threads of the block meet at a barrier in memory: with values in shared memory, or with a copy in bulk.
    pub(super) fn meeting(&mut self) -> Step {
        let Some(slot) = self.shared_slot() else {
            return self.instruction();
        };
        match self.source() {
            Some(source) if self.random.one_in(2) => self.bulk_in(&source),
            _ => self.exchange(&slot),
        }
    }

    /// The barrier for so many arrivals; who makes it, and its address.
    fn gate(&mut self, arrivals: u32, step: &mut Step) -> (String, String) {
        let (is_first, tid) = (self.fresh(Class::P), self.tid.clone());
        step.lines.push("bar.sync 0;".to_owned());
        step.lines
            .push(format!("setp.eq.u32 {is_first}, {tid}, 0;"));
        step.lines.push(format!(
            "@{is_first} mbarrier.init.shared.b64 [gate], {arrivals};"
        ));
        step.lines.push("bar.sync 0;".to_owned());
        let address = match self.random.one_in(3) {
            true => {
                let address = self.fresh(Class::W);
                step.lines.push(format!("mov.u32 {address}, gate;"));
                address
            }
            false => "gate".to_owned(),
        };
        (is_first, address)
    }

    fn wait(&mut self, gate: &str, state: Option<&str>, step: &mut Step) {
        let (ready, id) = (self.fresh(Class::P), self.id());
        let how = self.random.pick(&["test_wait", "try_wait"]);
        let (parity, state) = match state {
            Some(state) => ("", state),
            None => (".parity", "0"),
        };
        step.lines.push(format!("WAIT_{id}:"));
        step.lines.push(format!(
            "mbarrier.{how}{parity}.shared.b64 {ready}, [{gate}], {state};"
        ));
        step.lines.push(format!("@!{ready} bra WAIT_{id};"));
    }

    fn end(is_first: &str, step: &mut Step) {
        step.lines.push("bar.sync 0;".to_owned());
        step.lines
            .push(format!("@{is_first} mbarrier.inval.shared.b64 [gate];"));
        step.lines.push("bar.sync 0;".to_owned());
    }

    fn exchange(&mut self, slot: &Region) -> Step {
        let mut step = Step::default();
        let (base, threads) = (slot.base.clone(), self.threads);
        let kind = self.random.below(5);
        let arrivals = if kind == 0 || kind == 1 { 2 } else { 1 };
        let (is_first, gate) = self.gate(arrivals * threads, &mut step);
        let class = self.random.pick(&[Class::W, Class::D, Class::F, Class::H]);
        let (value, ty) = (self.read(class), class.stored());
        step.lines
            .push(format!("st.shared.{ty} [{base}], {value};"));
        let [state, count] = [Class::D, Class::W].map(|class| self.fresh(class));
        match kind {
            0 => step
                .lines
                .push(format!("mbarrier.arrive.shared.b64 {state}, [{gate}], 2;")),
            1 => step.lines.extend([
                format!("mbarrier.arrive.noComplete.shared.b64 {state}, [{gate}], 1;"),
                format!("mbarrier.arrive.shared.b64 {state}, [{gate}];"),
            ]),
            2 => step.lines.push(format!(
                "mbarrier.arrive.release.cta.shared::cta.b64 {state}, [{gate}];"
            )),
            3 => step.lines.push(format!(
                "mbarrier.arrive_drop.shared.b64 {state}, [{gate}];"
            )),
            _ => step
                .lines
                .push(format!("mbarrier.arrive.shared.b64 {state}, [{gate}];")),
        }
        let known = self.random.one_in(2).then_some(state);
        self.wait(&gate, known.as_deref(), &mut step);
        let (other, address) = (self.fresh(Class::W), self.fresh(Class::W));
        let (tid, shift) = (
            self.tid.clone(),
            1 + self.random.below(threads.max(2) as usize),
        );
        step.lines.push(format!("add.u32 {other}, {tid}, {shift};"));
        step.lines
            .push(format!("rem.u32 {other}, {other}, {threads};"));
        step.lines.push(format!("mov.u32 {address}, sh;"));
        step.lines
            .push(format!("mad.lo.u32 {address}, {other}, {SLOT}, {address};"));
        let result = self.write(class, &mut step, &mut vec![count]);
        step.lines
            .push(format!("ld.shared.{ty} {result}, [{address}];"));
        Draft::end(&is_first, &mut step);
        self.publish(&step);
        step
    }

    /// The first thread copies to shared memory, and all wait for it.
    fn bulk_in(&mut self, source: &Region) -> Step {
        let mut step = Step::default();
        let (is_first, gate) = self.gate(1, &mut step);
        let bytes = 16 * (1 + self.random.below((LANDING / 16) as usize) as u32);
        let last = (source.size - bytes) / 16;
        let from = 16 * self.random.below(last as usize + 1);
        let base = &source.base;
        let id = self.id();
        for line in [
            format!("@!{is_first} bra FILLED_{id};"),
            format!("mbarrier.arrive.expect_tx.shared.b64 _, [{gate}], {bytes};"),
            "fence.proxy.async.shared::cta;".to_owned(),
            format!(
                "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [landing], [{base}+{from}], {bytes}, [{gate}];"
            ),
            format!("FILLED_{id}:"),
        ] {
            step.lines.push(line);
        }
        self.wait(&gate, None, &mut step);
        let (offset, from, start) = (
            self.fresh(Class::W),
            self.read(Class::W),
            self.fresh(Class::W),
        );
        step.lines
            .push(format!("rem.u32 {offset}, {from}, {};", bytes / 4));
        step.lines.push(format!("mov.u32 {start}, landing;"));
        step.lines
            .push(format!("mad.lo.u32 {start}, {offset}, 4, {start};"));
        let result = self.write(Class::W, &mut step, &mut Vec::new());
        step.lines
            .push(format!("ld.shared.b32 {result}, [{start}];"));
        Draft::end(&is_first, &mut step);
        self.publish(&step);
        step
    }
}
