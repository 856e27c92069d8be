//! Which operation an instruction is, by its opcode and modifiers.

use crate::compute;
use crate::op::{Bar, Bmov, Combine, Elements, Product, Reduce, Relation, Shuffle, Vote, What};
use crate::operand::{Args, Dest, From, In};
use smallvec::SmallVec;
use warpc_sass::Inst;

/// The operation of an instruction.
pub(crate) fn find(inst: &Inst, args: &Args) -> Option<What> {
    let opcode = inst.shape.opcode();
    // What is computed once for the warp is computed as for its lanes.
    let known = integer(opcode, inst, args)
        .or_else(|| control(opcode, inst))
        .or_else(|| memory(opcode, inst))
        .or_else(|| lanes(opcode, inst))
        .or_else(|| crate::product::find(inst))
        .or_else(|| crate::product::find_group(inst, args))
        .or_else(|| crate::shared::find(inst))
        .or_else(|| compute::find(inst, args));
    known.or_else(|| {
        let plain = opcode.strip_prefix('U')?;
        integer(plain, inst, args)
    })
}

/// The fields of the words that select parts of operands, where the text has them after the operand.
pub(crate) mod field {
    /// Byte of a converted register.
    pub(crate) const PART: (u32, u128) = (60, 3);
    /// Byte of `P2R` and `R2P`.
    pub(crate) const BYTE: (u32, u128) = (76, 3);
    /// Bytes that `MOV` writes.
    pub(crate) const MOVED: u8 = 72;

    /// A field of a word.
    pub(crate) fn get(base: u128, field: (u32, u128)) -> u32 {
        (base >> field.0 & field.1) as u32
    }
}

fn integer(opcode: &str, inst: &Inst, args: &Args) -> Option<What> {
    let shape = inst.shape;
    let has = |modifier: &str| shape.has(modifier);
    let extended = has("X");
    let signed = !has("U32");
    let byte = || 8 * field::get(shape.base(), field::BYTE);
    let is_uniform = opcode.len() < shape.opcode().len();
    let elements = || match () {
        () if has("U32") => Elements::Unsigned,
        () if has("U16x2") => Elements::UnsignedHalves,
        () if has("S16x2") => Elements::SignedHalves,
        () => Elements::Signed,
    };
    let extreme = |add: bool, three: bool| What::Extreme {
        elements: elements(),
        relu: has("RELU"),
        add,
        three,
    };
    // Numbers of 64 bits in one instruction, and of 8 in fours, came later.
    let is_later = ["64", "U64", "S64", "U8x4", "S8x4", "ISAT"]
        .iter()
        .any(|one| has(one));
    if opcode == "IADD3" && is_uniform && has("64") {
        // What a number above 31 bits means in 64 is not known; carries are not needed by what compilers make.
        let small = |one: &In| !matches!(one.from, From::Number(number) if number >> 31 != 0);
        let kept = |one: &Dest| !matches!(one, Dest::None | Dest::UniformPredicate(7));
        let is_plain = !extended && args.s.iter().all(small) && !args.p.iter().any(kept);
        return is_plain.then_some(What::AddLong);
    }
    if is_later && !matches!(opcode, "SHF") {
        return None;
    }
    Some(match opcode {
        "IMAD" => What::Mad {
            part: match () {
                () if has("WIDE") => Product::Wide,
                () if has("HI") => Product::High,
                () => Product::Low,
            },
            signed,
            extended,
        },
        "IADD3" => What::Add3 { extended },
        "LEA" => What::Lea {
            high: has("HI"),
            sign: has("SX32"),
            extended,
        },
        "VIADD" => What::AddPacked {
            halves: has("16x2"),
        },
        "IABS" => What::Abs,
        "IMNMX" | "VIMNMX" => extreme(false, false),
        "VIADDMNMX" => extreme(true, false),
        "VIMNMX3" => extreme(false, true),
        "IDP" => What::Dot {
            halves: has("2A").then(|| has("HI")),
            a_signed: has_nth(inst, 1),
            b_signed: has_nth(inst, 2),
        },
        "VABSDIFF" => What::AbsDiff {
            bytes: false,
            signed,
            accumulate: true,
        },
        "VABSDIFF4" => What::AbsDiff {
            bytes: true,
            signed: !has("U8"),
            accumulate: has("ACC"),
        },
        "MOV" => {
            let all = inst.at(field::MOVED).and_then(|one| one.value.number());
            if all.is_some_and(|bytes| bytes != 15) {
                return None;
            }
            What::Move
        }
        "SEL" => What::Select {
            flush: false,
            float: false,
        },
        "FSEL" if !is_uniform => What::Select {
            flush: has("FTZ"),
            float: true,
        },
        "PRMT" => {
            let mode = ["F4E", "B4E", "RC8", "ECL", "ECR", "RC16"]
                .into_iter()
                .find(|mode| has(mode));
            let name = match mode {
                Some(mode) => format!("prmt.b32.{}", mode.to_lowercase()),
                None => "prmt.b32".to_owned(),
            };
            What::Permute(warpc_ptx_eval::named(&name)?)
        }
        "LOP3" => What::Logic { and: has("PAND") },
        "SHF" => What::Shift {
            right: has("R"),
            wrap: has("W"),
            long: has("U64") || has("S64"),
            signed: has("S64") || has("S32"),
            high: has("HI"),
        },
        "SGXT" => What::Extend {
            wrap: has("W"),
            signed,
        },
        "BMSK" => What::Mask { wrap: has("W") },
        "FLO" => What::LeadingOne {
            signed,
            shift: has("SH"),
        },
        "BREV" => What::Reverse,
        "POPC" => What::Count,
        "ISETP" => What::CompareIntegers {
            relation: relation(inst)?,
            signed,
            combine: combine(inst)?,
            extended: has("EX"),
        },
        "PLOP3" if args.s.len() == 2 => What::PredicateLogic,
        "PLOP3" => What::SignLogic,
        "P2R" | "P2UR" => What::FromPredicates {
            shift: byte(),
            uniform: is_uniform,
        },
        "R2P" | "R2UP" => What::ToPredicates {
            shift: byte(),
            uniform: is_uniform,
        },
        "I2I" => What::Narrow {
            bits: if has("U8") || has("S8") { 8 } else { 16 },
            signed: has("S8") || has("S16"),
        },
        _ => return None,
    })
}

/// Whether the type at a place among the modifiers is signed: `IDP.4A.S8.U8`.
fn has_nth(inst: &Inst, index: usize) -> bool {
    let types = inst
        .shape
        .modifiers()
        .filter(|one| one.len() >= 2 && one[1..].bytes().all(|c| c.is_ascii_digit()));
    let types: SmallVec<[&str; 2]> = types.filter(|one| one.starts_with(['S', 'U'])).collect();
    types.get(index - 1).is_some_and(|one| one.starts_with('S'))
}

/// The relation of a comparison of integers.
fn relation(inst: &Inst) -> Option<Relation> {
    Some(match inst.shape.modifiers().next()? {
        "F" => Relation::False,
        "LT" => Relation::Less,
        "EQ" => Relation::Equal,
        "LE" => Relation::LessEqual,
        "GT" => Relation::Greater,
        "NE" => Relation::NotEqual,
        "GE" => Relation::GreaterEqual,
        "T" => Relation::True,
        _ => return None,
    })
}

/// How an instruction combines its comparison with a predicate.
pub(crate) fn combine(inst: &Inst) -> Option<Combine> {
    inst.shape.modifiers().find_map(|one| match one {
        "AND" => Some(Combine::And),
        "OR" => Some(Combine::Or),
        "XOR" => Some(Combine::Xor),
        _ => None,
    })
}

fn control(opcode: &str, inst: &Inst) -> Option<What> {
    let has = |modifier: &str| inst.shape.has(modifier);
    let takes_register = || inst.at(24).is_some();
    Some(match opcode {
        "BRA" if has("DIV") => What::BranchDivergent { converged: false },
        "BRA" if has("CONV") => What::BranchDivergent { converged: true },
        "BRA" => What::Branch { any: has("ANY") },
        "BRX" | "BRXU" => What::BranchIndirect { absolute: false },
        "JMX" | "JMXU" => What::BranchIndirect { absolute: true },
        "CALL" if takes_register() || has("ABS") => What::CallIndirect {
            absolute: has("ABS"),
        },
        "CALL" if has("REL") => What::Call,
        "RET" => What::ReturnTo {
            absolute: has("ABS"),
        },
        "LEPC" => What::PlaceOf,
        "EXIT" | "KILL" => What::Exit,
        "BPT" if has("TRAP") => What::Trap,
        "BPT" => What::Nothing,
        "BSSY" => What::Begin,
        "BSYNC" => What::Meet,
        "BREAK" => What::Break,
        "BMOV" => {
            let reads = inst
                .shape
                .traits()
                .contains(warpc_sass::shape::Traits::READS_BARRIER);
            let first_is_register = inst
                .shape
                .slots()
                .first()
                .is_some_and(|slot| slot.file.is_some());
            match first_is_register || reads && inst.shape.slots().len() > 1 && has("CLEAR") {
                true => What::State(Bmov::Read {
                    clear: has("CLEAR"),
                }),
                false => What::State(Bmov::Write),
            }
        }
        "WARPSYNC" => What::WarpSync {
            all: has("ALL"),
            exclusive: has("EXCLUSIVE") || has("COLLECTIVE"),
        },
        "ENDCOLLECTIVE" => What::EndCollective,
        "YIELD" | "NANOSLEEP" => What::Yield,
        "BAR" => What::Barrier(match () {
            () if has("SYNC") => Bar::Sync,
            () if has("ARV") => Bar::Arrive,
            () if has("POPC") => Bar::Popc,
            () if has("AND") => Bar::And,
            () if has("OR") => Bar::Or,
            () => return None,
        }),
        "B2R" if has("RESULT") => What::BarrierResult,
        "UCGABAR_ARV" => What::ClusterArrive,
        "UCGABAR_WAIT" => What::ClusterWait,
        "NOP" | "MEMBAR" | "ERRBAR" | "CGAERRBAR" | "CCTL" | "FENCE" | "DEPBAR" | "LDGDEPBAR"
        | "PMTRIG" | "PREEXIT" | "ACQBULK" | "WARPGROUP" => What::Nothing,
        "USETMAXREG" => What::Registers {
            takes: has("TRY_ALLOC"),
            count: inst.values().find_map(|value| match value {
                warpc_sass::Value::Number(number) => u32::try_from(number).ok(),
                _ => None,
            })?,
        },
        _ => return None,
    })
}

/// Bytes that a memory operation moves, and whether they have a sign.
fn size(inst: &Inst) -> (u32, bool) {
    for modifier in inst.shape.modifiers() {
        match modifier {
            "U8" => return (1, false),
            "S8" => return (1, true),
            "U16" => return (2, false),
            "S16" => return (2, true),
            "64" => return (8, false),
            "128" => return (16, false),
            _ => {}
        }
    }
    (4, false)
}

fn memory(opcode: &str, inst: &Inst) -> Option<What> {
    let has = |modifier: &str| inst.shape.has(modifier);
    let space = inst.shape.memory().space;
    let (bytes, signed) = size(inst);
    let is_wider = has("256") || has("ZD");
    let matrices = || match () {
        () if has("4") => 4,
        () if has("2") => 2,
        () => 1,
    };
    Some(match opcode {
        _ if is_wider => return None,
        "LDC" if !(has("IL") || has("IS") || has("ISL")) => What::ConstantIndexed { bytes, signed },
        "ULDC" | "LDCU" => match inst.at(54) {
            Some(_) => What::ConstantIndexed { bytes, signed },
            None => What::Constant { bytes, signed },
        },
        "LD" | "LDG" | "LDS" | "LDL" => What::Load {
            space,
            bytes,
            signed,
        },
        "ST" | "STG" | "STS" | "STL" => What::Store { space, bytes },
        "ATOM" | "ATOMG" | "ATOMS" | "RED" | "REDG" => {
            let (rmw, bytes) = crate::atomic::find(inst)?;
            What::Atomic {
                space,
                bytes,
                rmw,
                returns: opcode.starts_with("ATOM"),
            }
        }
        "LDGSTS" => What::Copy {
            bytes,
            zero_fill: has("ZFILL"),
        },
        "QSPC" => What::Query(inst.shape.modifiers().find_map(|one| match one {
            "G" | "L" | "S" | "D" => one.chars().next(),
            _ => None,
        })?),
        "LDSM" if has("M88") || has("MT88") => What::LoadMatrix {
            count: matrices(),
            transposed: has("MT88"),
        },
        "STSM" if has("M88") || has("MT88") => What::StoreMatrix {
            count: matrices(),
            transposed: has("MT88"),
        },
        "MOVM" if has("MT88") => What::Transpose,
        _ => return None,
    })
}

fn lanes(opcode: &str, inst: &Inst) -> Option<What> {
    let has = |modifier: &str| inst.shape.has(modifier);
    Some(match opcode {
        "S2R" | "S2UR" => What::Special { wide: false },
        "CS2R" | "CS2UR" => What::Special { wide: !has("32") },
        "R2UR" if !has("FILL") && !has("BROADCAST") => What::ToUniform { or: has("OR") },
        "SHFL" => What::Shuffle(match inst.shape.modifiers().next()? {
            "IDX" => Shuffle::Index,
            "UP" => Shuffle::Up,
            "DOWN" => Shuffle::Down,
            _ => Shuffle::Butterfly,
        }),
        "VOTE" | "VOTEU" => What::Vote(match inst.shape.modifiers().next()? {
            "ALL" => Vote::All,
            "ANY" => Vote::Any,
            "EQ" => Vote::Equal,
            _ => return None,
        }),
        "MATCH" => What::Match {
            all: has("ALL"),
            wide: has("U64"),
        },
        "REDUX" => {
            let reduce = inst.shape.modifiers().find_map(|one| match one {
                "OR" => Some(Reduce::Or),
                "XOR" => Some(Reduce::Xor),
                "SUM" => Some(Reduce::Sum),
                "MIN" => Some(Reduce::Min),
                "MAX" => Some(Reduce::Max),
                _ => None,
            });
            What::Reduce(reduce.unwrap_or(Reduce::And), has("S32"))
        }
        "ELECT" => What::Elect,
        _ => return None,
    })
}
