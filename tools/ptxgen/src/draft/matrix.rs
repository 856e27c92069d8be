//! Products of matrices and what moves fragments, executed by whole warps.
//!
//! The order in which a product adds is open, so floats are chosen such that every sum is exact: factors are 2, 2.5, 3 or
//! 3.5 with a sign, and what is added is one of them. Integers may be any.

use super::Draft;
use super::memory::SLOT;
use crate::class::Class;
use crate::program::Step;

/// What the registers of a fragment hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// Integers of any size, or bits.
    Any,
    F16,
    Bf16,
    /// `f32` or `tf32`.
    F32,
    F64,
    E4m3,
    E5m2,
}

use Kind::{Any, Bf16, E4m3, E5m2, F16, F32, F64};

impl Kind {
    /// The bits of a value that may be any, and those that are set, in 32 bits.
    fn bits(self) -> Option<(u32, u32)> {
        Some(match self {
            Any => return None,
            F16 => (0x8300_8300, 0x4000_4000),
            Bf16 => (0x8060_8060, 0x4000_4000),
            F32 => (0x8060_0000, 0x4000_0000),
            // The upper word.
            F64 => (0x800c_0000, 0x4000_0000),
            E4m3 => (0x8686_8686, 0x4040_4040),
            E5m2 => (0x8383_8383, 0x4040_4040),
        })
    }

    /// The class of a register with it.
    fn class(self) -> Class {
        match self {
            F16 => Class::U,
            F32 => Class::F,
            F64 => Class::G,
            _ => Class::W,
        }
    }
}

/// A product: the modifiers, what the factors and the sum are, and how many registers A, B and the sum have.
type Product = (&'static str, Kind, Kind, [usize; 3]);

/// Products of the manual that sm_90 has. `[a|b]` is one of several texts.
const PRODUCTS: &[Product] = &[
    ("m16n8k8.row.col.f16.f16.f16.f16", F16, F16, [2, 1, 2]),
    ("m16n8k8.row.col.f32.f16.f16.f32", F16, F32, [2, 1, 4]),
    ("m16n8k16.row.col.f16.f16.f16.f16", F16, F16, [4, 2, 2]),
    ("m16n8k16.row.col.f32.f16.f16.f32", F16, F32, [4, 2, 4]),
    ("m16n8k8.row.col.f32.bf16.bf16.f32", Bf16, F32, [2, 1, 4]),
    ("m16n8k16.row.col.f32.bf16.bf16.f32", Bf16, F32, [4, 2, 4]),
    ("m16n8k4.row.col.f32.tf32.tf32.f32", F32, F32, [2, 1, 4]),
    ("m16n8k8.row.col.f32.tf32.tf32.f32", F32, F32, [4, 2, 4]),
    ("m8n8k4.row.col.f64.f64.f64.f64", F64, F64, [1, 1, 2]),
    ("m16n8k4.row.col.f64.f64.f64.f64", F64, F64, [2, 1, 4]),
    ("m16n8k8.row.col.f64.f64.f64.f64", F64, F64, [4, 2, 4]),
    ("m16n8k16.row.col.f64.f64.f64.f64", F64, F64, [8, 4, 4]),
    (
        "m8n8k16.row.col.s32.[s8|u8].[s8|u8].s32",
        Any,
        Any,
        [1, 1, 2],
    ),
    (
        "m16n8k16.row.col.s32.[s8|u8].[s8|u8].s32",
        Any,
        Any,
        [2, 1, 4],
    ),
    (
        "m16n8k32.row.col.s32.[s8|u8].[s8|u8].s32",
        Any,
        Any,
        [4, 2, 4],
    ),
    (
        "m8n8k32.row.col.s32.[s4|u4].[s4|u4].s32",
        Any,
        Any,
        [1, 1, 2],
    ),
    (
        "m16n8k32.row.col.s32.[s4|u4].[s4|u4].s32",
        Any,
        Any,
        [2, 1, 4],
    ),
    (
        "m16n8k64.row.col.s32.[s4|u4].[s4|u4].s32",
        Any,
        Any,
        [4, 2, 4],
    ),
    (
        "m8n8k128.row.col.s32.b1.b1.s32.[xor|and].popc",
        Any,
        Any,
        [1, 1, 2],
    ),
    (
        "m16n8k128.row.col.s32.b1.b1.s32.[xor|and].popc",
        Any,
        Any,
        [2, 1, 4],
    ),
    (
        "m16n8k256.row.col.s32.b1.b1.s32.[xor|and].popc",
        Any,
        Any,
        [4, 2, 4],
    ),
    ("m16n8k32.row.col.f32.e4m3.e4m3.f32", E4m3, F32, [4, 2, 4]),
    ("m16n8k32.row.col.f32.e5m2.e5m2.f32", E5m2, F32, [4, 2, 4]),
    (
        "m8n8k4.[row|col].[row|col].f16.f16.f16.f16",
        F16,
        F16,
        [2, 2, 4],
    ),
    (
        "m8n8k4.[row|col].[row|col].f32.f16.f16.f32",
        F16,
        F32,
        [2, 2, 8],
    ),
];

/// Products with a sparse A, as [`PRODUCTS`].
const SPARSE: &[Product] = &[
    ("m16n8k16.row.col.f32.f16.f16.f32", F16, F32, [2, 2, 4]),
    ("m16n8k32.row.col.f32.f16.f16.f32", F16, F32, [4, 4, 4]),
    ("m16n8k32.row.col.f16.f16.f16.f16", F16, F16, [4, 4, 2]),
    ("m16n8k32.row.col.f32.bf16.bf16.f32", Bf16, F32, [4, 4, 4]),
    ("m16n8k16.row.col.f32.tf32.tf32.f32", F32, F32, [4, 4, 4]),
    (
        "m16n8k64.row.col.s32.[s8|u8].[s8|u8].s32",
        Any,
        Any,
        [4, 4, 4],
    ),
];

impl Draft {
    /// A product of matrices, or a load, store or transposition of fragments. All threads of the block are here, in whole
    /// warps.
    pub(super) fn matrix(&mut self) -> Step {
        match self.random.below(6) {
            0..3 => self.product(),
            3 => self.transpose(),
            _ => self.rows(),
        }
    }

    /// A register with factors or summands of a kind.
    fn factor(&mut self, kind: Kind, step: &mut Step) -> String {
        let Some((any, set)) = kind.bits() else {
            return self.read(Class::W);
        };
        let (from, word) = (self.read(Class::W), self.fresh(Class::W));
        step.lines
            .push(format!("and.b32 {word}, {from}, {any:#x};"));
        step.lines.push(format!("or.b32 {word}, {word}, {set:#x};"));
        match kind {
            F64 => {
                let (whole, zero) = (self.fresh(Class::G), self.fresh(Class::W));
                step.lines.push(format!("mov.b32 {zero}, 0;"));
                step.lines
                    .push(format!("mov.b64 {whole}, {{{zero}, {word}}};"));
                whole
            }
            _ => word,
        }
    }

    fn product(&mut self) -> Step {
        let mut step = Step::default();
        let is_sparse = self.random.one_in(6);
        let (name, factor, sum, counts) = match is_sparse {
            true => self.random.pick(SPARSE),
            false => self.random.pick(PRODUCTS),
        };
        let name = self.choose(name);
        let mut list = |draft: &mut Draft, kind: Kind, count: usize, is_sum: bool| {
            let mut all = Vec::new();
            for _ in 0..count {
                let mut register = draft.factor(kind, &mut step);
                if is_sum && kind == F32 {
                    let single = draft.fresh(Class::F);
                    step.lines.push(format!("mov.b32 {single}, {register};"));
                    register = single;
                }
                all.push(register);
            }
            all.join(", ")
        };
        let one = list(self, factor, counts[0], false);
        let other = list(self, factor, counts[1], false);
        let added = list(self, sum, counts[2], true);
        let (mut taken, mut results) = (Vec::new(), Vec::new());
        for _ in 0..counts[2] {
            results.push(self.write(sum.class(), &mut step, &mut taken));
        }
        let results = results.join(", ");
        let line = match is_sparse {
            false => format!(
                "mma.sync.aligned.{name} {{{results}}}, {{{one}}}, {{{other}}}, {{{added}}};"
            ),
            true => {
                // Two different positions of each four, the first one before the second.
                let chosen = self
                    .random
                    .pick(&["0x44444444", "0xeeeeeeee", "0x9e4ed84e"]);
                let places = self.fresh(Class::W);
                step.lines.push(format!("mov.b32 {places}, {chosen};"));
                format!(
                    "mma.sp.sync.aligned.{name} {{{results}}}, {{{one}}}, {{{other}}}, {{{added}}}, {places}, 0x0;"
                )
            }
        };
        step.lines.push(line);
        self.publish(&step);
        step
    }

    fn transpose(&mut self) -> Step {
        let mut step = Step::default();
        let from = self.read(Class::W);
        let to = self.write(Class::W, &mut step, &mut Vec::new());
        step.lines.push(format!(
            "movmatrix.sync.aligned.m8n8.trans.b16 {to}, {from};"
        ));
        self.publish(&step);
        step
    }

    /// Rows of 16 bytes in shared memory, one of each thread: stored and loaded as fragments.
    fn rows(&mut self) -> Step {
        let Some(slot) = self.regions.iter().find(|one| one.space == "shared") else {
            return self.product();
        };
        let (base, threads) = (slot.base.clone(), self.threads);
        let mut step = Step::default();
        let mut taken = Vec::new();
        let count = self.random.pick(&[1, 2, 4]);
        let trans = self.random.pick(&["", ".trans"]);
        step.lines.push("bar.sync 0;".to_owned());
        if self.random.one_in(3) {
            let from: Vec<String> = (0..count).map(|_| self.read(Class::W)).collect();
            let from = from.join(", ");
            step.lines.push(format!(
                "stmatrix.sync.aligned.m8n8.x{count}{trans}.shared.b16 [{base}], {{{from}}};"
            ));
        } else {
            let (row, from) = (self.fresh(Class::W), self.read(Class::W));
            let start = self.fresh(Class::W);
            step.lines
                .push(format!("rem.u32 {row}, {from}, {threads};"));
            step.lines.push(format!("mov.u32 {start}, sh;"));
            step.lines
                .push(format!("mad.lo.u32 {start}, {row}, {SLOT}, {start};"));
            let mut results = Vec::new();
            for _ in 0..count {
                results.push(self.write(Class::W, &mut step, &mut taken));
            }
            let results = results.join(", ");
            step.lines.push(format!(
                "ldmatrix.sync.aligned.m8n8.x{count}{trans}.shared.b16 {{{results}}}, [{start}];"
            ));
        }
        step.lines.push("bar.sync 0;".to_owned());
        self.publish(&step);
        step
    }
}
