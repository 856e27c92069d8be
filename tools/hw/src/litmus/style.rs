//! The styles: which orders the accesses of a shape have, and which fences stand between them.

use super::shape::Strength;

/// How an access is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    /// `load atomic` or `store atomic` with this order.
    Plain(&'static str),
    /// `atomicrmw` with this order: an exchange, or the sum with zero.
    Rmw(&'static str),
}

/// What stands between two accesses of a thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Between {
    /// Nothing.
    Nothing,
    /// A fence of this order.
    Fence(&'static str),
    /// A release fence between writes, an acquire fence between reads, both at once otherwise.
    ByNeed,
}

/// A style.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Style {
    /// Its name.
    pub name: &'static str,
    /// How it writes.
    pub store: Access,
    /// How it reads.
    pub load: Access,
    /// What stands between.
    pub between: Between,
    /// What it promises.
    pub strength: Strength,
}

const fn style(
    name: &'static str,
    store: Access,
    load: Access,
    between: Between,
    strength: Strength,
) -> Style {
    Style {
        name,
        store,
        load,
        between,
        strength,
    }
}

use Access::{Plain, Rmw};
use Between::{ByNeed, Fence, Nothing};
use Strength::{Causality, Coherence, Total};

const RELAXED: Access = Plain("monotonic");

/// All styles, weaker ones first: they show where weak outcomes are to be found.
#[rustfmt::skip]
pub const STYLES: [Style; 13] = [
    style("relaxed", RELAXED, RELAXED, Nothing, Coherence),
    style("rmw-relaxed", Rmw("monotonic"), Rmw("monotonic"), Nothing, Coherence),
    style("release-only", Plain("release"), RELAXED, Nothing, Coherence),
    style("acquire-only", RELAXED, Plain("acquire"), Nothing, Coherence),
    style("release-acquire", Plain("release"), Plain("acquire"), Nothing, Causality),
    style("fence-acq-rel", RELAXED, RELAXED, Fence("acq_rel"), Causality),
    style("fence-by-need", RELAXED, RELAXED, ByNeed, Causality),
    style("seq-cst-stores", Plain("seq_cst"), Plain("acquire"), Nothing, Causality),
    style("seq-cst-loads", Plain("release"), Plain("seq_cst"), Nothing, Causality),
    style("rmw-acq-rel", Rmw("acq_rel"), Rmw("acq_rel"), Nothing, Total),
    style("rmw-seq-cst", Rmw("seq_cst"), Rmw("seq_cst"), Nothing, Total),
    style("seq-cst", Plain("seq_cst"), Plain("seq_cst"), Nothing, Total),
    style("fence-seq-cst", RELAXED, RELAXED, Fence("seq_cst"), Total),
];

/// How far accesses are ordered, and how far from each other the threads of a test are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Range {
    /// Its name.
    pub name: &'static str,
    /// The words of LLVM IR for the scope.
    pub scope: &'static str,
    /// Where threads are.
    pub place: Place,
    /// Whether the scope takes in all threads; otherwise nothing is promised but coherence of single
    /// accesses, and not even that.
    pub covers: bool,
}

/// Where the threads of a test are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// In different warps of a block.
    Block,
    /// In different blocks of a cluster.
    Cluster,
    /// In any blocks.
    Grid,
}

/// All ranges. The last ones are too narrow, to see whether a scope makes a difference.
pub const RANGES: [Range; 6] = [
    range("cta", "syncscope(\"block\") ", Place::Block, true),
    range("cluster", "syncscope(\"cluster\") ", Place::Cluster, true),
    range("gpu", "syncscope(\"device\") ", Place::Grid, true),
    range("sys", "", Place::Grid, true),
    range(
        "cta-in-cluster",
        "syncscope(\"block\") ",
        Place::Cluster,
        false,
    ),
    range("cta-in-gpu", "syncscope(\"block\") ", Place::Grid, false),
];

const fn range(name: &'static str, scope: &'static str, place: Place, covers: bool) -> Range {
    Range {
        name,
        scope,
        place,
        covers,
    }
}
