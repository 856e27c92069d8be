//! Barriers of a block and of a cluster.
//!
//! `BAR.SYNC`, `BAR.ARV` and `BAR.RED` are one instruction for the warp. The aligned forms promise that all its threads
//! come; the others wait for the warp first, as the operations of [`super::warp`] do. A reduction's result is fetched
//! by `B2R.RESULT`.

use super::warp::Outline;
use crate::Context;
use crate::code::{Code, ptx};
use crate::source::{Argument, Source};
use crate::wired::Operand;
use warpc_model::{Ordering, Scope};

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
    /// The number of the barrier, where it is known.
    pub number: Option<Argument>,
    /// How many threads come; all of the block where nothing is said.
    pub threads: Option<Argument>,
}

pub(crate) fn read(source: &mut Source) -> Option<Barrier> {
    let aligned = source.take("aligned") || source.opcode() == "bar";
    source.take("cta");
    let action = if source.take("red") {
        source.take_by(|word| match word {
            "and" => Some(Action::And),
            "or" => Some(Action::Or),
            "popc" => Some(Action::Popc),
            _ => None,
        })?
    } else if source.take("arrive") {
        Action::Arrive
    } else {
        // `bar` alone is `bar.sync`.
        source.take("sync");
        Action::Sync
    };
    source.take(if action == Action::Popc {
        "u32"
    } else {
        "pred"
    });
    Some(Barrier {
        action,
        aligned,
        number: source.operand("a"),
        threads: source.operand("b").map(counted).filter(|threads| {
            // No threads are all of the block.
            action == Action::Arrive || threads.constant() != Some(0)
        }),
    })
}

/// A number of threads as far as the machine counts: 12 bits, as ptxas cuts it off.
fn counted(threads: Argument) -> Argument {
    match threads {
        Argument::Constant(number) => Argument::Constant(number & 0xfff),
        other => other,
    }
}

impl Barrier {
    /// Barrier and count are numbers, not registers.
    fn is_constant(&self) -> bool {
        let mut given = [self.number, self.threads].into_iter().flatten();
        given.all(Argument::is_constant)
    }

    /// The opcode of the barrier itself.
    fn name(&self, code: &Code) -> &'static str {
        // Threads that wait let others run; sm_80 says so only where the warp is known to be whole.
        let defers = match self.action {
            Action::Arrive => false,
            Action::Sync if !self.aligned => code.chip.since(90),
            _ => code.chip.since(80),
        };
        match (self.action, defers) {
            (Action::Sync, true) => "BAR.SYNC.DEFER_BLOCKING",
            (Action::Sync, false) => "BAR.SYNC",
            (Action::Arrive, _) => "BAR.ARV",
            (Action::And, true) => "BAR.RED.AND.DEFER_BLOCKING",
            (Action::And, false) => "BAR.RED.AND",
            (Action::Or, true) => "BAR.RED.OR.DEFER_BLOCKING",
            (Action::Or, false) => "BAR.RED.OR",
            (Action::Popc, true) => "BAR.RED.POPC.DEFER_BLOCKING",
            (Action::Popc, false) => "BAR.RED.POPC",
        }
    }

    /// Whether a predicate goes in, and a result comes out.
    fn reduces(&self) -> bool {
        !matches!(self.action, Action::Sync | Action::Arrive)
    }

    /// The barrier, and what fetches its result.
    fn put(&self, code: &mut Code) {
        let mut text = self.name(code).to_owned();
        let mut operands = Vec::new();
        let both = [self.number, self.threads].map(|given| given.and_then(Argument::constant));
        let two_registers = both[0].is_none() && self.threads.is_some() && both[1].is_none();
        if two_registers && code.chip.is_wired() {
            // The number and the count share a register.
            let packed = Operand::from(code.registers(1));
            code.step("SHF.L.U32 R0, R0, 0x10, RZ", &[packed, ptx("b")]);
            let mix = "LOP3.LUT R0, R0, 0xf, R0, 0xf8, !PT";
            code.step(mix, &[packed, packed, ptx("a")]);
            text.push_str(" R0, R0");
            operands.push(packed);
        } else {
            match both[0] {
                Some(number) => text.push_str(&format!(" {number:#x}")),
                None => {
                    text.push_str(" R0");
                    operands.push(ptx("a"));
                }
            }
            match (self.threads, both[1]) {
                (None, _) => {}
                (_, Some(count)) => text.push_str(&format!(", {count:#x}")),
                (Some(_), None) => {
                    text.push_str(", R0");
                    operands.push(ptx("b"));
                }
            }
        }
        if self.reduces() {
            text.push_str(", P0");
            operands.push(ptx("c"));
        }
        code.step(text, &operands);
        match self.action {
            Action::Sync | Action::Arrive => {}
            Action::Popc => code.step("B2R.RESULT R0", &[ptx("d")]),
            Action::And | Action::Or => code.step("B2R.RESULT RZ, P0", &[ptx("p")]),
        }
    }

    pub(crate) fn emit(&self, code: &mut Code) -> Option<()> {
        let hopper = code.chip.since(90);
        if code.context != Context::Divergent {
            self.put(code);
        } else if self.aligned || hopper {
            code.put_region(if self.aligned { "" } else { "BRA" });
            // With numbers alone the barrier itself is done once for the warp.
            let alone = hopper && self.aligned && self.is_constant() && !self.reduces();
            if !alone {
                match hopper {
                    true => code.step("WARPSYNC.ALL", &[]),
                    false => code.put("WARPSYNC"),
                }
            }
            self.put(code);
        } else {
            let result = if self.reduces() { " B2R.RESULT" } else { "" };
            let name = format!("{}{result}", self.name(code));
            let outline = Outline {
                divergent: true,
                test: "",
                takes_predicate: self.reduces(),
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

pub(crate) fn read_cluster(source: &mut Source) -> Option<Cluster> {
    source.take("cluster");
    source.take("aligned");
    let waits = source.take("wait");
    if !waits && !source.take("arrive") {
        return None;
    }
    let default = if waits {
        Ordering::Acquire
    } else {
        Ordering::Release
    };
    let order = source.order().unwrap_or(default);
    Some(Cluster { waits, order })
}

impl Cluster {
    /// A kernel that was started without clusters has only its block: whether there is one is asked at run time, and
    /// the block's barrier takes its place.
    pub(crate) fn emit(&self, code: &mut Code) -> Option<()> {
        let chip = code.chip;
        if !chip.since(90) {
            return None;
        }
        let divergent = code.context == Context::Divergent;
        if divergent {
            code.put_region(&chip.open_names());
            code.put_region("BRA");
        }
        let (alone, end) = (code.label(), code.label());
        if chip.since(100) {
            code.put("LDCU UISETP.EQ.U32.AND BRA.U");
        } else {
            let size = Operand::from(code.registers(1));
            let clustered = Operand::from(code.predicate());
            code.step("LDC R0, c[0x0][0x140]", &[size]);
            code.step("ISETP.EQ.U32.AND P0, PT, R0, 0x1, PT", &[clustered, size]);
            code.branch(Some((clustered, true)), alone);
        }
        if divergent {
            code.step("WARPSYNC.ALL", &[]);
        }
        if self.waits {
            code.step("UCGABAR_WAIT", &[]);
            code.step("CCTL.IVALL", &[]);
        } else {
            if self.order.is_release() {
                code.fence("ALL", Scope::Cluster);
            }
            code.step("UCGABAR_ARV", &[]);
        }
        code.branch(None, end);
        code.place(alone);
        if divergent {
            code.step("WARPSYNC.ALL", &[]);
        }
        if self.waits {
            code.step("BAR.SYNC.DEFER_BLOCKING 0x0", &[]);
        }
        code.place(end);
        if divergent {
            code.put_region(chip.close_name());
        }
        Some(())
    }
}
