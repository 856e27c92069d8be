//! Operations of the threads of a warp among each other.
//!
//! The opcodes take no mask. Which lanes take part is arranged before: nothing is needed where the warp is whole, a
//! `WARPSYNC` waits for the lanes otherwise.
//!
//! | mask | warp whole | only some threads there |
//! |---|---|---|
//! | all lanes, from sm_90 on | the opcode | `WARPSYNC.ALL`, the opcode |
//! | another constant, from sm_90 on | the opcode | `WARPSYNC`, the opcode |
//! | a register, from sm_90 on | `WARPSYNC` (`shfl`) or `WARPSYNC.EXCLUSIVE`, the opcode | the same |
//! | a register, sm_80 to sm_89 | a test, the opcode; else a call of a stub with `WARPSYNC` (`Outline`) | the same |
//! | any, until sm_79 | the opcode | a test, the opcode; else a call of a stub with `WARPSYNC` |

use crate::Context;
use crate::code::{Code, ptx};
use crate::source::{Argument, Source};
use crate::wired::{File, Operand};
use warpc_model::{ReduxOp, ReduxType};
use warpc_target::{Sm, Variant};

/// What is known of a lane mask.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mask {
    /// A constant with all lanes.
    All,
    /// Another constant.
    Constant,
    /// A register.
    Register,
}

/// What a vote asks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Vote {
    /// Is it true in all lanes?
    All,
    /// Is it true in any lane?
    Any,
    /// Is it the same in all lanes?
    Uniform,
    /// In which lanes is it true?
    Ballot,
}

/// How a shuffle finds its lane.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shuffle {
    /// By number.
    Index,
    /// So many lanes below.
    Up,
    /// So many lanes above.
    Down,
    /// By an exclusive or.
    Butterfly,
}

/// What is done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operation {
    /// `vote.sync`
    Vote(Vote),
    /// `shfl.sync`; whether it also says that the lane was in range.
    Shuffle(Shuffle, bool),
    /// `match.sync`
    Match {
        /// `.all`, not `.any`.
        all: bool,
        /// 64 bits, not 32.
        wide: bool,
        /// Whether all lanes match is also told.
        predicate: bool,
    },
    /// `redux.sync`
    Redux {
        /// The operation.
        op: ReduxOp,
        /// The type.
        ty: ReduxType,
        /// Of absolute values.
        abs: bool,
        /// A NaN wins.
        nan: bool,
    },
    /// `activemask`
    ActiveMask,
    /// `elect.sync`
    Elect,
    /// `bar.warp.sync`
    Sync,
}

/// An operation of a warp.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Warp {
    /// What is done.
    pub operation: Operation,
    /// Among which lanes.
    pub mask: Mask,
    /// The lane or distance of a shuffle, where it is known.
    pub lane: Option<Argument>,
    /// The clamp and the segments of a shuffle, where they are known.
    pub clamp: Option<Argument>,
    /// Whether an election tells which lane it was.
    pub leader: bool,
}

pub(crate) fn read(source: &mut Source) -> Option<Warp> {
    let mask = match source.operand("membermask") {
        Some(Argument::Constant(-1 | 0xffff_ffff)) | None => Mask::All,
        Some(Argument::Constant(_)) => Mask::Constant,
        Some(_) => Mask::Register,
    };
    let predicate = source.operand("p").is_some();
    let operation = match source.opcode() {
        "vote" => {
            let vote = source.take_by(|word| match word {
                "all" => Some(Vote::All),
                "any" => Some(Vote::Any),
                "uni" => Some(Vote::Uniform),
                "ballot" => Some(Vote::Ballot),
                _ => None,
            })?;
            source.take(if vote == Vote::Ballot { "b32" } else { "pred" });
            Operation::Vote(vote)
        }
        "shfl" => {
            let shuffle = source.take_by(|word| match word {
                "idx" => Some(Shuffle::Index),
                "up" => Some(Shuffle::Up),
                "down" => Some(Shuffle::Down),
                "bfly" => Some(Shuffle::Butterfly),
                _ => None,
            })?;
            source.take("b32");
            Operation::Shuffle(shuffle, predicate)
        }
        "match" => Operation::Match {
            all: source.take("all") || !source.take("any"),
            wide: source.take("b64") || !source.take("b32"),
            predicate,
        },
        "redux" => Operation::Redux {
            op: source.take_by(redux_op)?,
            ty: source.take_by(redux_type)?,
            abs: source.take("abs"),
            nan: source.take("NaN"),
        },
        "activemask" => {
            source.take("b32");
            Operation::ActiveMask
        }
        "elect" => Operation::Elect,
        _ => {
            source.take("warp");
            Operation::Sync
        }
    };
    let synchronises = source.take("sync");
    let right = synchronises != (operation == Operation::ActiveMask);
    right.then_some(Warp {
        operation,
        mask,
        lane: source.operand("b"),
        clamp: source.operand("c"),
        leader: source.has_result("d"),
    })
}

fn redux_op(word: &str) -> Option<ReduxOp> {
    Some(match word {
        "add" => ReduxOp::Add,
        "min" => ReduxOp::Min,
        "max" => ReduxOp::Max,
        "and" => ReduxOp::And,
        "or" => ReduxOp::Or,
        "xor" => ReduxOp::Xor,
        _ => return None,
    })
}

fn redux_type(word: &str) -> Option<ReduxType> {
    Some(match word {
        "b32" => ReduxType::B32,
        "s32" => ReduxType::S32,
        "u32" => ReduxType::U32,
        "f32" => ReduxType::F32,
        _ => return None,
    })
}

/// The name of a reduction. sm_100 and its kin do minimum and maximum in another unit.
pub(super) fn reduction(sm: Sm, op: ReduxOp, ty: ReduxType, abs: bool, nan: bool) -> String {
    let order = matches!(op, ReduxOp::Min | ReduxOp::Max);
    let unit = if order && sm.family() == 100 {
        "CREDUX"
    } else {
        "REDUX"
    };
    let name = match op {
        ReduxOp::Add => ".SUM",
        ReduxOp::Min => ".MIN",
        ReduxOp::Max => ".MAX",
        ReduxOp::And => "",
        ReduxOp::Or => ".OR",
        ReduxOp::Xor => ".XOR",
    };
    let abs = if abs { "ABS" } else { "" };
    let ty = match ty {
        ReduxType::S32 => ".S32",
        ReduxType::F32 => ".F32",
        _ => "",
    };
    let nan = if nan { ".NAN" } else { "" };
    format!("{unit}{name}{abs}{ty}{nan}")
}

impl Warp {
    fn exists(&self, code: &Code) -> bool {
        let number = code.chip.0.number();
        match self.operation {
            Operation::Redux {
                ty: ReduxType::F32, ..
            } => code.chip.0.family() == 100 && code.chip.0.variant() != Variant::Plain,
            Operation::Redux { .. } => number >= 80,
            Operation::Elect => number >= 90,
            _ => number >= 70,
        }
    }

    /// The opcode that does it on whole warps.
    fn native(&self, code: &Code) -> String {
        match self.operation {
            Operation::Vote(Vote::All) => "VOTE.ALL".to_owned(),
            Operation::Vote(Vote::Uniform) => "VOTE.EQ".to_owned(),
            Operation::Vote(Vote::Any | Vote::Ballot) | Operation::ActiveMask => {
                "VOTE.ANY".to_owned()
            }
            Operation::Shuffle(shuffle, _) => {
                let mode = match shuffle {
                    Shuffle::Index => "IDX",
                    Shuffle::Up => "UP",
                    Shuffle::Down => "DOWN",
                    Shuffle::Butterfly => "BFLY",
                };
                format!("SHFL.{mode}")
            }
            Operation::Match { all, wide, .. } => {
                let mode = if all { "ALL" } else { "ANY" };
                let wide = if wide { ".U64" } else { "" };
                format!("MATCH.{mode}{wide}")
            }
            Operation::Redux { op, ty, abs, nan } => reduction(code.chip.0, op, ty, abs, nan),
            Operation::Elect => "ELECT".to_owned(),
            Operation::Sync => String::new(),
        }
    }

    /// What does it on any lanes that are there: sm_75, and the stubs until sm_89. The lanes of the mask are picked out
    /// of what is found in all active ones.
    fn picked(&self, code: &Code, place: Place) -> String {
        let masked = self.mask != Mask::All;
        let pick = if masked { " LOP3.LUT" } else { "" };
        // The lanes that take part: those active, and of them those of the mask.
        let active = match self.mask {
            Mask::All => "VOTEU.ANY",
            Mask::Constant => "VOTEU.ANY ULOP3.LUT",
            Mask::Register => "VOTEU.ANY LOP3.LUT",
        };
        let not = if place == Place::Branch { "EQ" } else { "NE" };
        match self.operation {
            Operation::Vote(Vote::All) => {
                format!("{active} VOTE.ANY LOP3.LUT ISETP.{not}.U32.AND")
            }
            Operation::Vote(Vote::Uniform) => format!("{active} VOTE.ANY LOP3.LUT ISETP.EQ.U32.OR"),
            Operation::Vote(Vote::Any) if !masked => "VOTE.ANY ISETP.NE.U32.AND".to_owned(),
            Operation::Vote(_) => format!("VOTE.ANY{pick}"),
            Operation::Match {
                all: false, wide, ..
            } => {
                let wide = if wide { ".U64" } else { "" };
                format!("MATCH.ANY{wide}{pick}")
            }
            Operation::Match {
                wide, predicate, ..
            } => {
                let wide = if wide { ".U64" } else { "" };
                let active = if masked { "VOTEU.ANY" } else { "VOTE.ANY" };
                let told = match (predicate, place) {
                    (false, _) => "SEL".to_owned(),
                    (true, Place::Stub) => "SEL ISETP.NE.U32.AND".to_owned(),
                    (true, _) => format!("ISETP.{not}.U32.AND SEL"),
                };
                format!("{active} MATCH.ANY{wide} LOP3.LUT{pick} ISETP.EQ.U32.AND {told}")
            }
            _ => self.native(code),
        }
    }

    /// Whether a predicate goes in, which must be at hand before threads part.
    fn takes_predicate(&self) -> bool {
        matches!(self.operation, Operation::Vote(_))
    }

    fn gives_predicate(&self) -> bool {
        match self.operation {
            Operation::Vote(vote) => vote != Vote::Ballot,
            Operation::Shuffle(_, predicate) | Operation::Match { predicate, .. } => predicate,
            _ => false,
        }
    }

    /// Whether lanes of a mask may simply be waited for; the others need that no other lanes join them.
    fn joins(&self) -> bool {
        matches!(self.operation, Operation::Shuffle(..) | Operation::Sync)
    }

    pub(crate) fn emit(&self, code: &mut Code) -> Option<()> {
        if !self.exists(code) {
            return None;
        }
        let divergent = code.context == Context::Divergent;
        match self.operation {
            Operation::ActiveMask => self.put(code),
            _ if code.chip.since(90) => self.emit_direct(code, divergent),
            _ if divergent || (self.mask == Mask::Register && code.chip.since(80)) => {
                self.outline(code, divergent).emit(code);
            }
            Operation::Sync => {}
            _ if code.chip.since(80) => self.put(code),
            _ => code.put(self.picked(code, Place::Straight)),
        }
        Some(())
    }

    /// From sm_90 on: a `WARPSYNC` where it is needed, and the opcode.
    fn emit_direct(&self, code: &mut Code, divergent: bool) {
        let all = self.mask == Mask::All;
        // Where not all lanes come, the threads that part meet again by a barrier of their own.
        code.put_region(if divergent && !all { "BSSY" } else { "" });
        code.put_region(if divergent { "BRA" } else { "" });
        match self.mask {
            Mask::Register if !self.joins() => {
                code.open();
                code.step("WARPSYNC.EXCLUSIVE R0", &[ptx("membermask")]);
                self.put(code);
                code.close();
            }
            mask => {
                match mask {
                    Mask::All if divergent => code.step("WARPSYNC.ALL", &[]),
                    Mask::Constant if !divergent => {}
                    Mask::All => {}
                    _ => code.step("WARPSYNC R0", &[ptx("membermask")]),
                }
                self.put(code);
            }
        }
        code.put_region(if divergent && !all { "BSYNC" } else { "" });
    }

    /// The opcode that does it on whole warps, with its operands.
    fn put(&self, code: &mut Code) {
        let name = self.native(code);
        match self.operation {
            Operation::Vote(Vote::Ballot) => {
                code.step(format!("{name} R0, PT, P0"), &[ptx("d"), ptx("a")]);
            }
            Operation::Vote(_) => code.step(format!("{name} P0, P0"), &[ptx("d"), ptx("a")]),
            Operation::ActiveMask => code.step(format!("{name} R0, PT, PT"), &[ptx("d")]),
            Operation::Shuffle(_, told) => self.put_shuffle(code, &name, told),
            Operation::Match { all: false, .. } => {
                code.step(format!("{name} R0, R0"), &[ptx("d"), ptx("a")]);
            }
            Operation::Match {
                predicate: true, ..
            } => {
                code.step(
                    format!("{name} P0, R0, R0"),
                    &[ptx("p"), ptx("d"), ptx("a")],
                );
            }
            Operation::Match { .. } => {
                code.step(format!("{name} PT, R0, R0"), &[ptx("d"), ptx("a")]);
            }
            Operation::Redux { .. } => {
                let sum = Operand::from(code.temporary(File::Uniform, 1));
                code.step(format!("{name} UR0, R0"), &[sum, ptx("a")]);
                code.copy(ptx("d"), sum);
            }
            Operation::Elect => {
                let lane = Operand::from(code.temporary(File::Uniform, 1));
                match self.leader {
                    true => {
                        code.step(format!("{name} P0, UR0, PT"), &[ptx("p"), lane]);
                        code.copy(ptx("d"), lane);
                    }
                    false => code.step(format!("{name} P0, URZ, PT"), &[ptx("p")]),
                }
            }
            Operation::Sync => {}
        }
    }

    /// A shuffle: lane and clamp may be numbers that the instruction has room for.
    fn put_shuffle(&self, code: &mut Code, name: &str, told: bool) {
        let mut operands = vec![ptx("d"), ptx("a")];
        let mut text = format!("{name} PT, R0, R0");
        if told {
            text = format!("{name} P0, R0, R0");
            operands.insert(0, ptx("p"));
        }
        let rooms = [(self.lane, 0x1f, "b"), (self.clamp, 0x1fff, "c")];
        for (given, largest, operand) in rooms {
            let number = given.and_then(Argument::constant);
            match number.filter(|number| (0..=largest).contains(number)) {
                Some(number) => text.push_str(&format!(", {number:#x}")),
                None => {
                    text.push_str(", R0");
                    operands.push(ptx(operand));
                }
            }
        }
        code.step(text, &operands);
    }

    /// Until sm_89.
    fn outline(&self, code: &Code, divergent: bool) -> Outline {
        let ampere = code.chip.since(80);
        let masked = self.mask == Mask::Register;
        let test = match self.operation {
            _ if !ampere || !masked => "",
            Operation::Shuffle(..) | Operation::Sync => "VOTEU.ANY MATCH.ANY REDUX.OR LOP3.LUT",
            _ => "REDUX.OR",
        };
        let exclusive = masked && matches!(self.operation, Operation::Redux { .. });
        let native = self.native(code);
        let body = match exclusive {
            true => format!("BSSY WARPSYNC.EXCLUSIVE {native} BSYNC"),
            false if ampere => native,
            false => self.picked(code, Place::Branch),
        };
        Outline {
            divergent,
            test,
            takes_predicate: self.takes_predicate(),
            gives_predicate: self.gives_predicate(),
            exclusive,
            body,
            stub: self.picked(code, Place::Stub),
        }
    }
}

/// Where an operation is worked out.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// In code of the whole warp.
    Straight,
    /// On the way that whole warps take.
    Branch,
    /// In a stub after the kernel.
    Stub,
}

/// Until sm_89 there is no `WARPSYNC` of a part of a warp in the middle of code: a branch (`BRA.CONV`, or `BRA.DIV`
/// where a predicate must be carried) tells whether the lanes are together, and otherwise a stub is called that waits
/// for them and does the operation.
pub(super) struct Outline {
    /// Only some threads come along.
    pub divergent: bool,
    /// What makes the lanes to test for.
    pub test: &'static str,
    /// A predicate goes in, carried to the stub in a register.
    pub takes_predicate: bool,
    /// A predicate comes out, carried back in a register.
    pub gives_predicate: bool,
    /// No other lanes may join.
    pub exclusive: bool,
    /// The operation in place.
    pub body: String,
    /// The operation in the stub.
    pub stub: String,
}

impl Outline {
    pub fn emit(&self, code: &mut Code) {
        let returned = if self.gives_predicate {
            "ISETP.EQ.U32.AND"
        } else {
            ""
        };
        if self.divergent {
            code.put_region(&code.chip.open_names());
            code.put_region("BRA");
        }
        code.put(self.test);
        if self.takes_predicate {
            code.put(format!("BRA.DIV {}", self.body));
        } else {
            code.put("BRA.CONV");
            code.put(if self.exclusive {
                "BSSY CALL.REL.NOINC BSYNC"
            } else {
                "CALL.REL.NOINC"
            });
            code.put(returned);
            if !self.body.is_empty() {
                code.put(format!("BRA {}", self.body));
            }
        }
        if self.divergent {
            code.put_region(code.chip.close_name());
        }
        code.put("EXIT");
        if self.takes_predicate {
            code.put(format!("SEL CALL.REL.NOINC {returned} BRA"));
            code.put("ISETP.NE.U32.AND");
        }
        code.put(if self.exclusive {
            "WARPSYNC.EXCLUSIVE"
        } else {
            "WARPSYNC"
        });
        code.put(&self.stub);
        code.put_if(self.gives_predicate, "SEL");
        code.put("RET.REL.NODEC");
    }
}
