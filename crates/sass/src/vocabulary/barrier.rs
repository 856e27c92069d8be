//! Barriers of a block and of a cluster.
//!
//! `BAR.SYNC`, `BAR.ARV` and `BAR.RED` are one instruction for the warp. The aligned forms promise that all its threads
//! come; the others wait for the warp first, as the operations of [`super::warp`] do. A reduction's result is fetched
//! by `B2R.RESULT`.

use super::Context;
use super::opcode::Code;
use super::read::{Words, number};
use super::warp::Outline;
use warpc_model::Ordering;

/// What a thread does at a barrier.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    /// Waits.
    Sync,
    /// Only arrives.
    Arrive,
    /// Waits for the conjunction of a predicate.
    And,
    /// Waits for the disjunction of a predicate.
    Or,
    /// Waits for the number of threads with a predicate.
    Popc,
}

/// `bar`, `barrier`, `bar.cta`, `barrier.cta`
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Barrier {
    /// What is done.
    pub action: Action,
    /// All threads of the warp come along.
    pub aligned: bool,
    /// Barrier and count are numbers, not registers.
    pub constant: bool,
}

pub(super) fn read(words: &mut Words) -> Option<Barrier> {
    let aligned = words.take("aligned") || words.name() == "bar";
    words.take("cta");
    let action = if words.take("red") {
        words.take_by(|word| match word {
            "and" => Some(Action::And),
            "or" => Some(Action::Or),
            "popc" => Some(Action::Popc),
            _ => None,
        })?
    } else if words.take("arrive") {
        Action::Arrive
    } else {
        // `bar` alone is `bar.sync`.
        words.take("sync");
        Action::Sync
    };
    words.take(if action == Action::Popc {
        "u32"
    } else {
        "pred"
    });
    let first = usize::from(!matches!(action, Action::Sync | Action::Arrive));
    let constant = (first..2 + first)
        .filter_map(|index| words.operand(index))
        .filter(|operand| !operand.contains("%p"))
        .all(|operand| number(operand).is_some());
    Some(Barrier {
        action,
        aligned,
        constant,
    })
}

impl Barrier {
    fn name(&self, code: &Code) -> String {
        // Threads that wait let others run; sm_80 says so only where the warp is known to be whole.
        let defer = match self.action {
            Action::Arrive => false,
            Action::Sync if !self.aligned => code.chip.since(90),
            _ => code.chip.since(80),
        };
        let defer = if defer { ".DEFER_BLOCKING" } else { "" };
        match self.action {
            Action::Sync => format!("BAR.SYNC{defer}"),
            Action::Arrive => "BAR.ARV".to_owned(),
            Action::And => format!("BAR.RED.AND{defer} B2R.RESULT"),
            Action::Or => format!("BAR.RED.OR{defer} B2R.RESULT"),
            Action::Popc => format!("BAR.RED.POPC{defer} B2R.RESULT"),
        }
    }

    pub(super) fn emit(&self, code: &mut Code) -> Option<()> {
        let name = self.name(code);
        let predicate = !matches!(self.action, Action::Sync | Action::Arrive);
        let hopper = code.chip.since(90);
        if code.context != Context::Divergent {
            code.put(name);
        } else if self.aligned || hopper {
            code.put_region(if self.aligned { "" } else { "BRA" });
            // With numbers alone the barrier itself is done once for the warp.
            let alone = hopper && self.aligned && self.constant && !predicate;
            code.put_if(!alone, if hopper { "WARPSYNC.ALL" } else { "WARPSYNC" });
            code.put(name);
        } else {
            let outline = Outline {
                divergent: true,
                test: "",
                takes_predicate: predicate,
                gives_predicate: matches!(self.action, Action::And | Action::Or),
                exclusive: false,
                body: name.clone(),
                stub: name,
            };
            outline.emit(code);
        }
        Some(())
    }
}

/// `barrier.cluster`
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cluster {
    /// `wait`, not `arrive`.
    pub waits: bool,
    /// Release or relaxed where it arrives, acquire where it waits.
    pub order: Ordering,
}

pub(super) fn read_cluster(words: &mut Words) -> Option<Cluster> {
    words.take("cluster");
    words.take("aligned");
    let waits = words.take("wait");
    if !waits && !words.take("arrive") {
        return None;
    }
    let default = if waits {
        Ordering::Acquire
    } else {
        Ordering::Release
    };
    let order = words.order().unwrap_or(default);
    Some(Cluster { waits, order })
}

impl Cluster {
    /// A kernel that was started without clusters has only its block: whether there is one is asked at run time, and
    /// the block's barrier takes its place.
    pub(super) fn emit(&self, code: &mut Code) -> Option<()> {
        let chip = code.chip;
        if !chip.since(90) {
            return None;
        }
        let divergent = code.context == Context::Divergent;
        let meet = if divergent { "WARPSYNC.ALL" } else { "" };
        if divergent {
            code.put_region(chip.open());
            code.put_region("BRA");
        }
        code.put(if chip.since(100) {
            "LDCU UISETP.EQ.U32.AND BRA.U"
        } else {
            "LDC ISETP.EQ.U32.AND BRA"
        });
        code.put(meet);
        if self.waits {
            code.put("UCGABAR_WAIT CCTL.IVALL BRA");
        } else {
            let release = chip.barrier("ALL", warpc_model::Scope::Cluster);
            code.put_if(self.order.is_release(), release);
            code.put("UCGABAR_ARV BRA");
        }
        code.put(meet);
        code.put_if(self.waits, "BAR.SYNC.DEFER_BLOCKING");
        if divergent {
            code.put_region(chip.close());
        }
        Some(())
    }
}
