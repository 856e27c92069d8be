//! What an assembler does with synchronisation between PTX and SASS: the phases, the classes of instructions that its
//! scheduler tells apart, and what can be switched.
//!
//! The numbers are the reference text's. No tool shows them from outside, so they are kept as described; the next stage
//! (`ptx-to-sass`) names its phases by them.

/// What a phase is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Instructions become other ones.
    Lowering,
    /// Instructions are taken away.
    Optimization,
    /// Dependences are put right behind the scheduler.
    Fixup,
}

/// A phase that deals with synchronisation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Phase {
    /// Its place in the order of all phases.
    pub number: u8,
    /// Its name, where it has one for all chips.
    pub name: Option<&'static str>,
    /// What it is for.
    pub kind: Kind,
    /// What it does.
    pub does: &'static str,
}

/// The phases in their order.
#[rustfmt::skip]
pub const PHASES: [Phase; 8] = [
    Phase { number: 25,  name: Some("StageAndFence"),              kind: Kind::Lowering,     does: "puts fences between the copies of an unrolled loop" },
    Phase { number: 26,  name: Some("OriRemoveRedundantBarriers"), kind: Kind::Optimization, does: "drops barriers that no thread needs, across functions" },
    Phase { number: 42,  name: Some("ExpandMbarrier"),             kind: Kind::Lowering,     does: "makes a chip's instructions of operations on barriers in memory" },
    Phase { number: 71,  name: Some("OptimizeSyncInstructions"),   kind: Kind::Optimization, does: "drops and joins synchronising instructions" },
    Phase { number: 72,  name: Some("LateExpandSyncInstructions"), kind: Kind::Lowering,     does: "makes machine instructions of what is left, convergence barriers too" },
    Phase { number: 99,  name: None,                               kind: Kind::Lowering,     does: "what a chip needs once registers are given" },
    Phase { number: 100, name: None,                               kind: Kind::Lowering,     does: "what a chip needs, by its own table" },
    Phase { number: 114, name: None,                               kind: Kind::Fixup,        does: "puts scoreboards right behind the scheduler" },
];

/// How the scheduler sees an instruction: which resources a later one must not overwrite too early.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    /// `bar`, `barrier` in all forms.
    Barrier,
    /// `vote`, `match`, `redux`, `activemask`, `elect`.
    Vote,
    /// Fences and barriers as the phases 26 and 71 look at them.
    Sync,
    /// `atom`, `red`.
    Atomic,
}

impl Class {
    /// Its number among the opcodes of the intermediate form.
    pub const fn opcode(self) -> u16 {
        match self {
            Class::Barrier => 96,
            Class::Vote => 119,
            Class::Sync => 130,
            Class::Atomic => 314,
        }
    }

    /// The resources that a write after a read waits for. Every instruction has bit 0; a barrier also has bit 21, which
    /// nothing else has.
    ///
    /// ```
    /// use warpc_sass::vocabulary::phases::Class;
    /// assert_eq!(Class::Barrier.war_mask(), 0x20_0001);
    /// assert_eq!(Class::Vote.war_mask(), 1);
    /// ```
    pub const fn war_mask(self) -> u32 {
        match self {
            Class::Barrier => 1 << 21 | 1,
            _ => 1,
        }
    }

    /// The class of a PTX instruction by the first part of its name.
    pub fn of(name: &str) -> Option<Class> {
        Some(match name {
            "bar" | "barrier" => Class::Barrier,
            "vote" | "match" | "redux" | "activemask" | "elect" => Class::Vote,
            "membar" | "fence" => Class::Sync,
            "atom" | "red" => Class::Atomic,
            _ => return None,
        })
    }
}

/// Switches inside, by number or name.
pub const KNOBS: [(&str, &str); 4] = [
    ("487", "whether phases 25, 71 and 72 run"),
    (
        "358",
        "how far they go: 0 not at all, 1 carefully, 2 boldly, 3 and more across functions",
    ),
    ("472", "how it is found out whether a barrier is needed"),
    ("DisableErrbarAfterMembar", "no ERRBAR behind MEMBAR"),
];

/// Options of the command line; the first two take `true` or `false`. They exist in 13.4, outside its help.
pub const OPTIONS: [&str; 3] = [
    "--assume-extern-functions-do-not-sync",
    "--no-membermask-overlap",
    "--print-potentially-overlapping-membermasks",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phases_are_in_order() {
        assert!(
            PHASES
                .windows(2)
                .all(|pair| pair[0].number < pair[1].number)
        );
        let named = PHASES.iter().filter(|phase| phase.name.is_some()).count();
        assert_eq!(named, 5);
    }

    #[test]
    fn only_barriers_hold_a_second_resource() {
        for name in ["bar", "barrier", "vote", "match", "elect", "fence", "red"] {
            let class = Class::of(name).expect("a class");
            assert_eq!(class.war_mask() >> 21 & 1 == 1, class == Class::Barrier);
            assert_eq!(class.war_mask() & 1, 1);
        }
        assert_eq!(Class::of("ld"), None);
        assert_eq!(Class::Barrier.war_mask(), 2_097_153);
    }
}
