//! When the instructions of an order begin: as soon as what they wait for is there, and what executes them takes another one.

use super::graph::{Graph, Node};
use crate::cost::demand::RESOURCES;

/// The cycles that each resource is kept for.
type Resources = [u32; RESOURCES];

/// What a region asks of each resource.
#[derive(Clone, Copy, Default)]
pub(super) struct Kept {
    /// The cycles of all its instructions.
    all: Resources,
    /// The most of one of them.
    most: Resources,
}

impl Kept {
    pub(super) fn by(nodes: &[Node]) -> Kept {
        let mut kept = Kept::default();
        for node in nodes {
            if let Some(resource) = node.resource {
                let (at, rate) = (resource as usize, u32::from(node.rate));
                kept.all[at] += rate;
                kept.most[at] = kept.most[at].max(rate);
            }
        }
        kept
    }
}

/// The clock of an order that is gone through from its beginning on.
pub(super) struct Clock {
    now: u32,
    /// The cycles until the results of all that was placed are there.
    cycles: u32,
    /// The same of the whole order, at least.
    least: u32,
    /// When each resource takes the next instruction, and for how long what is not placed yet keeps it.
    free: Resources,
    left: Resources,
}

impl Clock {
    pub(super) fn of(graph: &Graph) -> Clock {
        Clock {
            now: 0,
            cycles: 0,
            least: 0,
            free: [0; RESOURCES],
            left: graph.kept.all,
        }
    }

    /// Places an instruction that waits until a cycle: the cycle in which it begins.
    pub(super) fn place(&mut self, graph: &Graph, at: u32, from: u32) -> u32 {
        let node = &graph.nodes[at as usize];
        let mut now = self.now.max(from);
        if let Some(resource) = node.resource {
            let (resource, rate) = (resource as usize, u32::from(node.rate));
            now = now.max(self.free[resource]);
            self.free[resource] = now + rate;
            self.left[resource] -= rate;
            // The last of them begins when all others are over, and takes a cycle at least.
            let until = now + rate + self.left[resource] + 1;
            let least = until.saturating_sub(graph.kept.most[resource]);
            self.least = self.least.max(least);
        }
        self.cycles = self.cycles.max(now + u32::from(node.latency));
        self.least = self.least.max(now + node.way);
        self.now = now + 1;
        now
    }

    /// Notes that an instruction with a way to the end is not placed yet.
    pub(super) fn still_takes(&mut self, way: u32) {
        self.least = self.least.max(self.now + way);
    }

    /// The cycles that the order takes.
    pub(super) fn cycles(&self) -> u32 {
        self.cycles
    }

    /// The cycles that an order with this beginning takes at least.
    pub(super) fn least(&self) -> u32 {
        self.least
    }
}

#[cfg(test)]
mod tests {
    use super::super::list::{Bounds, Listed};
    use super::super::pressure::Pressure;
    use super::super::{Planner, Region, STYLES};
    use crate::version::Order;
    use warpc_diag::SourceFile;

    /// Loads whose addresses are sums, and what is made of them.
    const TEXT: &str = ".kernel k on sm_90a
.frame 0, align 16, base R1
.regs %r0:2, %r1:2, %r2, %r3:2, %r4, %r5, %r6
.L0:
    LDG.E.64 %r0.0, desc[UR4][R2.64]
    IMAD.WIDE %r1.0, %r0.0, 0x4, %r0.0
    LDG.E %r2, desc[UR4][%r1.0.64]
    IMAD.WIDE %r3.0, %r0.1, 0x4, %r0.0
    LDG.E %r4, desc[UR4][%r3.0.64]
    FADD %r5, %r2, %r4
    FMUL %r6, %r5, %r2
    STG.E desc[UR4][%r0.0.64], %r6
    EXIT
";

    /// What an order takes is known before it ends, as far as it can be: one that is no better than another one is left, and one
    /// that is better is found to its end.
    #[test]
    fn orders_that_are_no_better_are_left() {
        let file = SourceFile::new("k.mir", TEXT).expect("a short text");
        let read = crate::ir::parse(&file);
        assert!(read.value.is_some(), "{:?}", read.diagnostics);
        let functions = read.value.expect("a function");
        let function = &functions[0];
        let mut planner = Planner::of(function, Order::Balanced, 0);
        planner.cut();
        let own = &planner.stretches[0];
        let region = Region {
            function,
            before: &[],
            insts: &function.blocks[0].insts[..own.end as usize],
            touched: &planner.touched,
            first: 0,
        };
        let limits = Pressure {
            registers: 40,
            predicates: 5,
        };
        let bounds = Bounds {
            start: own.pressure.0,
            limits,
            style: STYLES[0],
            is_strict: false,
            better_than: None,
        };
        let end = own.pressure.1;
        let scratch = &mut planner.scratch;
        let graph = region.graph(scratch);
        let listed = region
            .list(&graph, None, bounds, scratch)
            .expect("an order");
        let again = Listed {
            order: listed.order.clone(),
            peak: None,
            cycles: None,
        };
        let found = region.measured(&graph, again, end, scratch);
        assert_eq!(
            (listed.peak, listed.cycles),
            (Some(found.peak), Some(found.cycles))
        );
        let key = (0, found.cycles, found.peak.registers);
        let mut with = |key| {
            let better_than = Some(key);
            let bounds = Bounds {
                better_than,
                ..bounds
            };
            region.list(&graph, None, bounds, scratch)
        };
        assert!(with(key).is_none());
        assert!(with((0, found.cycles - 1, 0)).is_none());
        let better = with((0, found.cycles, found.peak.registers + 1)).expect("an order");
        assert_eq!(better.order, listed.order);
    }
}
