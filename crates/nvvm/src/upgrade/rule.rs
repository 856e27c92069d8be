//! What LLVM 22 makes of calls of older intrinsics: one row an intrinsic.

use crate::inst::{CastOp, RmwOp};

/// What becomes of the calls of an intrinsic.
#[derive(Clone, Copy)]
pub(super) enum Rule {
    /// The name changes, and nothing else.
    Rename(&'static str),
    /// A call of another intrinsic, with the constant `i32 0` before the arguments if `zero`.
    Call { name: &'static str, zero: bool },
    /// A call of another intrinsic, with `i1 false` after the arguments if `falsehood`; the value keeps
    /// its name.
    Recall { name: &'static str, falsehood: bool },
    /// A count over 64 bits, which gives as many, cut to 32: the names of both values are LLVM's.
    CountWide {
        name: &'static str,
        falsehood: bool,
        values: [&'static str; 2],
    },
    /// A call of another intrinsic; the name of the value is LLVM's.
    NamedCall {
        name: &'static str,
        value: &'static str,
    },
    /// The value or its negation.
    Absolute,
    /// `bitcast` or `addrspacecast` to the type of the result.
    Cast(CastOp),
    /// `atomicrmw` in order `seq_cst`.
    Rmw(RmwOp),
    /// `load` with `!invariant.load`; the second argument is the alignment.
    InvariantLoad,
    /// A reduction over the block: the argument becomes a truth value, and so may the result.
    Reduce { name: &'static str, truth: bool },
    /// A funnel shift of the value with itself; the amount is widened.
    Rotate(&'static str),
    /// The halves of 64 bits change places.
    SwapHalves,
    /// A mark of the life of stack memory, without the size; the name lacks the address space.
    Mark(&'static str),
}

/// What LLVM 22 makes of `llvm.nvvm.*`; a name that ends in a dot stands for all that start with it.
const TABLE: &[(&str, Rule)] = {
    use Rule::*;
    const ALL: &str = "llvm.nvvm.barrier.cta.sync.aligned.all";
    const fn call(name: &'static str) -> Rule {
        Call { name, zero: false }
    }
    const fn recall(name: &'static str, falsehood: bool) -> Rule {
        Recall { name, falsehood }
    }
    &[
        ("abs.i", Absolute),
        ("abs.ll", Absolute),
        ("atomic.load.add.f32.", Rmw(RmwOp::Fadd)),
        ("atomic.load.add.f64.", Rmw(RmwOp::Fadd)),
        ("atomic.load.dec.32.", Rmw(RmwOp::UdecWrap)),
        ("atomic.load.inc.32.", Rmw(RmwOp::UincWrap)),
        ("bar.sync", call(ALL)),
        ("barrier", call("llvm.nvvm.barrier.cta.sync.aligned.count")),
        ("barrier.n", call("llvm.nvvm.barrier.cta.sync.aligned.all")),
        ("barrier.sync", call("llvm.nvvm.barrier.cta.sync.all")),
        ("barrier.sync.cnt", call("llvm.nvvm.barrier.cta.sync.count")),
        (
            "barrier0",
            Call {
                name: ALL,
                zero: true,
            },
        ),
        (
            "barrier0.and",
            Reduce {
                name: "llvm.nvvm.barrier.cta.red.and.aligned.all",
                truth: true,
            },
        ),
        (
            "barrier0.or",
            Reduce {
                name: "llvm.nvvm.barrier.cta.red.or.aligned.all",
                truth: true,
            },
        ),
        (
            "barrier0.popc",
            Reduce {
                name: "llvm.nvvm.barrier.cta.red.popc.aligned.all",
                truth: false,
            },
        ),
        ("bitcast.d2ll", Cast(CastOp::Bitcast)),
        ("bitcast.f2i", Cast(CastOp::Bitcast)),
        ("bitcast.i2f", Cast(CastOp::Bitcast)),
        ("bitcast.ll2d", Cast(CastOp::Bitcast)),
        ("brev32", recall("llvm.bitreverse.i32", false)),
        ("brev64", recall("llvm.bitreverse.i64", false)),
        ("clz.i", recall("llvm.ctlz.i32", true)),
        (
            "clz.ll",
            CountWide {
                name: "llvm.ctlz.i64",
                falsehood: true,
                values: ["ctlz", "ctlz.trunc"],
            },
        ),
        ("ex2.approx.d", call("llvm.nvvm.ex2.approx.f64")),
        ("ex2.approx.f", call("llvm.nvvm.ex2.approx.f32")),
        ("ex2.approx.ftz.f", call("llvm.nvvm.ex2.approx.ftz.f32")),
        ("fabs.d", call("llvm.nvvm.fabs.f64")),
        ("fabs.f", call("llvm.nvvm.fabs.f32")),
        ("fabs.ftz.f", call("llvm.nvvm.fabs.ftz.f32")),
        (
            "h2f",
            NamedCall {
                name: "llvm.convert.from.fp16.f32",
                value: "h2f",
            },
        ),
        ("ldg.global.f.", InvariantLoad),
        ("ldg.global.i.", InvariantLoad),
        ("ldg.global.p.", InvariantLoad),
        ("max.i", Rename("llvm.smax.i32")),
        ("max.ll", Rename("llvm.smax.i64")),
        ("max.ui", Rename("llvm.umax.i32")),
        ("max.ull", Rename("llvm.umax.i64")),
        ("min.i", Rename("llvm.smin.i32")),
        ("min.ll", Rename("llvm.smin.i64")),
        ("min.ui", Rename("llvm.umin.i32")),
        ("min.ull", Rename("llvm.umin.i64")),
        ("popc.i", recall("llvm.ctpop.i32", false)),
        (
            "popc.ll",
            CountWide {
                name: "llvm.ctpop.i64",
                falsehood: false,
                values: ["ctpop", "ctpop.trunc"],
            },
        ),
        ("ptr.constant.to.gen.", Cast(CastOp::Addrspacecast)),
        ("ptr.gen.to.constant.", Cast(CastOp::Addrspacecast)),
        ("ptr.gen.to.global.", Cast(CastOp::Addrspacecast)),
        ("ptr.gen.to.local.", Cast(CastOp::Addrspacecast)),
        ("ptr.gen.to.param.", Cast(CastOp::Addrspacecast)),
        ("ptr.gen.to.shared.", Cast(CastOp::Addrspacecast)),
        ("ptr.global.to.gen.", Cast(CastOp::Addrspacecast)),
        ("ptr.local.to.gen.", Cast(CastOp::Addrspacecast)),
        ("ptr.param.to.gen.", Cast(CastOp::Addrspacecast)),
        ("ptr.shared.to.gen.", Cast(CastOp::Addrspacecast)),
        ("rotate.b32", Rotate("llvm.fshl.i32")),
        ("rotate.b64", Rotate("llvm.fshl.i64")),
        ("rotate.right.b64", Rotate("llvm.fshr.i64")),
        ("swap.lo.hi.b64", SwapHalves),
    ]
};

/// Intrinsics that LLVM made work in all address spaces.
const OVERLOADED: &[(&str, &str)] = &[
    ("llvm.prefetch", "llvm.prefetch.p0"),
    ("llvm.stackrestore", "llvm.stackrestore.p0"),
    ("llvm.stacksave", "llvm.stacksave.p0"),
    ("llvm.va_copy", "llvm.va_copy.p0"),
    ("llvm.va_end", "llvm.va_end.p0"),
    ("llvm.va_start", "llvm.va_start.p0"),
];

/// What becomes of the calls of the intrinsic with a name, if anything.
pub(super) fn rule_of(name: &[u8]) -> Option<Rule> {
    if let Some(row) = OVERLOADED.iter().find(|row| row.0.as_bytes() == name) {
        return Some(Rule::Rename(row.1));
    }
    let rest = name.strip_prefix(b"llvm.nvvm.")?;
    TABLE
        .iter()
        .find(|(row, _)| match row.ends_with('.') {
            true => rest.starts_with(row.as_bytes()),
            false => rest == row.as_bytes(),
        })
        .map(|row| row.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted() {
        assert!(TABLE.is_sorted_by(|a, b| a.0 < b.0));
    }
}
