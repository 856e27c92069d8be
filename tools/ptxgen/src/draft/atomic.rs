//! Atomics: on memory of the thread's own, whose old value counts, and on contended cells, whose old value does not.
//!
//! A cell has one operation, which gives the same in any order. Sums of floats are of small integers, so that they are
//! exact, or stay at the first number that one more does not change.

use super::Draft;
use super::memory::Region;
use crate::class::Class;
use crate::program::Step;

/// Contended operations: operation and type, its bytes, where its cells are.
const CELLS: [(&str, u32, u32); 20] = [
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
    ("add.f32", 4, FLOATS),
    ("add.f64", 8, FLOATS + 16),
    ("add.noftz.f16x2", 4, FLOATS + 32),
    ("add.noftz.bf16x2", 4, FLOATS + 48),
    ("add.noftz.f16", 2, FLOATS + 64),
    ("add.noftz.bf16", 2, FLOATS + 80),
];
/// Where cells with floats begin; these are zero at first.
pub(super) const FLOATS: u32 = 224;
/// Bytes of all cells.
pub(super) const CELL_BYTES: u32 = 320;

/// Operations on memory of the thread's own.
const ALONE: [&str; 45] = [
    "add.u32",
    "add.s32",
    "add.u64",
    "add.f32",
    "add.f32",
    "add.f64",
    "add.f64",
    "min.u32",
    "min.s32",
    "max.u32",
    "max.s32",
    "min.s64",
    "min.u64",
    "max.u64",
    "max.s64",
    "and.b32",
    "or.b32",
    "xor.b32",
    "and.b64",
    "or.b64",
    "xor.b64",
    "exch.b32",
    "exch.b64",
    "exch.b128",
    "cas.b16",
    "cas.b16",
    "cas.b32",
    "cas.b64",
    "cas.b128",
    "inc.u32",
    "dec.u32",
    "add.noftz.f16",
    "add.noftz.f16",
    "add.noftz.bf16",
    "add.noftz.bf16",
    "add.noftz.f16x2",
    "add.noftz.bf16x2",
    "v2.f32",
    "v4.f32",
    "v2.f16",
    "v4.f16",
    "v2.bf16",
    "v2.f16x2",
    "v4.f16x2",
    "v2.bf16x2",
];

/// The class of the registers of an operation.
fn class_of(operation: &str) -> Class {
    match operation.rsplit('.').next().unwrap_or("") {
        "f32" => Class::F,
        "f64" => Class::G,
        "f16" => Class::X,
        "bf16" => Class::Y,
        "f16x2" => Class::U,
        "bf16x2" => Class::V,
        "b16" => Class::H,
        ty if ty.ends_with("64") => Class::D,
        _ => Class::W,
    }
}

impl Draft {
    /// An atomic on memory of the thread's own, or on a contended cell.
    pub(super) fn atomic(&mut self) -> Step {
        let own: Vec<Region> = self
            .regions
            .iter()
            .filter(|one| one.is_written && one.space != "local")
            .cloned()
            .collect();
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

    /// An order with a scope.
    fn order(&mut self, is_reduction: bool) -> String {
        let scope = self.random.pick(&["cta", "cluster", "gpu", "sys"]);
        match self.random.below(6) {
            0 | 1 => String::new(),
            2 => format!(".{scope}"),
            3 => format!(".relaxed.{scope}"),
            4 => format!(".release.{scope}"),
            _ if is_reduction => format!(".relaxed.{scope}"),
            _ => format!(".{}.{scope}", self.random.pick(&["acquire", "acq_rel"])),
        }
    }

    fn contended(&mut self, space: &str, cells: &str, guard: &str) -> Step {
        let mut step = Step::default();
        let (operation, bytes, at) = self.random.pick(&CELLS);
        let (offset, from) = (self.fresh(Class::W), self.read(Class::W));
        let wide = self.fresh(Class::D);
        let cut = 16 - bytes;
        step.lines.push(format!("and.b32 {offset}, {from}, {cut};"));
        step.lines.push(format!("cvt.u64.u32 {wide}, {offset};"));
        step.lines.push(format!("add.s64 {wide}, {wide}, {cells};"));
        let class = class_of(operation);
        let value = match class {
            _ if operation == "inc.u32" => "41".to_owned(),
            Class::W | Class::D => self.read_any(class),
            _ => self.small_float(class, &mut step),
        };
        let is_reduction = self.random.chance(65);
        let order = self.order(is_reduction);
        if is_reduction {
            let line = format!("red{order}.{space}.{operation} [{wide}+{at}], {value};");
            step.lines.push(format!("{guard}{line}"));
        } else {
            let unused = self.fresh(class);
            let line = format!("atom{order}.{space}.{operation} {unused}, [{wide}+{at}], {value};");
            step.lines.push(format!("{guard}{line}"));
        }
        step
    }

    /// A float that is a small integer: sums of them are the same in any order.
    fn small_float(&mut self, class: Class, step: &mut Step) -> String {
        let (cut, from, value) = (self.fresh(Class::W), self.read(Class::W), self.fresh(class));
        // With one bit, narrow floats stop where one more is rounded away.
        let (bits, ty) = match class {
            Class::F => (15, "f32"),
            Class::G => (255, "f64"),
            Class::X => (1, "f16"),
            Class::Y => (1, "bf16"),
            Class::U => (0x3c00_3c00, ""),
            _ => (0x3f80_3f80, ""),
        };
        match ty {
            "" => {
                // One or zero in each half.
                let is_set = self.fresh(Class::P);
                step.lines.push(format!("and.b32 {cut}, {from}, 1;"));
                step.lines.push(format!("setp.ne.u32 {is_set}, {cut}, 0;"));
                let half = bits & 0xffff;
                step.lines
                    .push(format!("selp.b32 {value}, {bits}, {half}, {is_set};"));
            }
            ty => {
                step.lines.push(format!("and.b32 {cut}, {from}, {bits};"));
                step.lines.push(format!("cvt.rn.{ty}.u32 {value}, {cut};"));
            }
        }
        value
    }

    fn alone_atomic(&mut self, region: &Region, guard: &str) -> Step {
        let operation = self.random.pick(&ALONE);
        if let Some((count, ty)) = operation
            .strip_prefix('v')
            .and_then(|rest| rest.split_once('.'))
        {
            return self.vector_atomic(region, guard, count, ty);
        }
        if operation.ends_with("b128") {
            return self.long_atomic(region, guard, operation);
        }
        let mut step = Step::default();
        let class = class_of(operation);
        let (address, space) = self.place(region, class.bytes(), &mut step);
        let is_reduction = !operation.starts_with("cas")
            && !operation.starts_with("exch")
            && self.random.one_in(4);
        let order = self.order(is_reduction);
        if is_reduction {
            let value = self.read_any(class);
            let line = format!("red{order}{space}.{operation} [{address}], {value};");
            step.lines.push(format!("{guard}{line}"));
            return step;
        }
        let mut taken = Vec::new();
        let result = match guard.is_empty() {
            true => self.write(class, &mut step, &mut taken),
            false => self.read(class),
        };
        let value = match operation.starts_with("cas") {
            true => format!("{}, {}", self.read_any(class), self.read(class)),
            false => self.read_any(class),
        };
        let line = format!("atom{order}{space}.{operation} {result}, [{address}], {value};");
        step.lines.push(format!("{guard}{line}"));
        self.publish(&step);
        step
    }

    /// Sums of several floats at once, which global memory has.
    fn vector_atomic(&mut self, region: &Region, guard: &str, count: &str, ty: &str) -> Step {
        if region.space != "global" {
            return self.instruction();
        }
        let mut step = Step::default();
        let class = class_of(ty);
        let many: u32 = count.parse().unwrap_or(2);
        let (address, space) = self.place(region, many * class.bytes(), &mut step);
        let noftz = if ty == "f32" { "" } else { ".noftz" };
        let mut taken = Vec::new();
        let values: Vec<String> = (0..many).map(|_| self.read(class)).collect();
        let values = values.join(", ");
        let is_reduction = self.random.one_in(2) || !guard.is_empty();
        let order = self.order(is_reduction);
        let space = if space.is_empty() { "" } else { ".global" };
        let name = format!("{order}{space}.add{noftz}.v{many}.{ty}").replace(
            &format!(".add{noftz}.v{many}.{ty}"),
            &format!(".v{many}.{ty}.add{noftz}"),
        );
        if is_reduction {
            let line = format!("red{name} [{address}], {{{values}}};");
            step.lines.push(format!("{guard}{line}"));
            return step;
        }
        let mut results = Vec::new();
        for _ in 0..many {
            results.push(self.write(class, &mut step, &mut taken));
        }
        let results = results.join(", ");
        let line = format!("atom{name} {{{results}}}, [{address}], {{{values}}};");
        step.lines.push(line);
        self.publish(&step);
        step
    }

    /// 128 bits at a time.
    fn long_atomic(&mut self, region: &Region, guard: &str, operation: &str) -> Step {
        let mut step = Step::default();
        let (address, space) = self.place(region, 16, &mut step);
        let order = self.order(false);
        let mut read = || self.read(Class::D);
        let [low, high, other, more] = [read(), read(), read(), read()];
        let mut taken = Vec::new();
        let [one, two] = [(); 2].map(|()| self.write(Class::D, &mut step, &mut taken));
        let id = self.id();
        step.lines.push("{".to_owned());
        step.lines
            .push(format!(".reg .b128 old{id}, new{id}, with{id};"));
        step.lines
            .push(format!("mov.b128 old{id}, {{{low}, {high}}};"));
        step.lines
            .push(format!("mov.b128 new{id}, {{{other}, {more}}};"));
        if operation == "cas.b128" && self.random.one_in(2) {
            // What is compared with is what is there.
            step.lines.push(format!(
                "atom{space}.exch.b128 with{id}, [{address}], old{id};"
            ));
        }
        let values = match operation {
            "cas.b128" => format!("old{id}, new{id}"),
            _ => format!("new{id}"),
        };
        step.lines
            .push(format!("mov.b128 with{id}, {{{low}, {other}}};"));
        step.lines.push(format!(
            "{guard}atom{order}{space}.{operation} with{id}, [{address}], {values};"
        ));
        step.lines
            .push(format!("mov.b128 {{{one}, {two}}}, with{id};"));
        step.lines.push("}".to_owned());
        self.publish(&step);
        step
    }
}
