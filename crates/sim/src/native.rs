//! Code that runs as native code of the host, with the feature `jit`.
//!
//! ```text
//!   steps ──Stretches::of──► stretches that only compute ──run often──► native code (warpc-jit) ──► registers of a whole warp
//! ```
//!
//! A stretch is steps in a row that only compute, without guards, and that control enters at the first one. If a guarded branch back to its
//! start follows, it is a loop that stays in native code as long as all lanes go round. Native code computes all 32 lanes, so it is
//! used where a whole warp is together; with fewer lanes, while a register may be undefined, and where steps are recorded or chosen one by one, the
//! interpreter does it. Both count the same steps, so that a run is the same with and without.
//!
//! A stretch is compiled once it was passed [`HOT`] steps long. What the host cannot do is left to the interpreter.

use crate::exec::frame::Frame;
use crate::program::{
    Compare, CompareFloat, Double, Float, Op, Precision, Relation, Slot, Src, Step, Word,
};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use warpc_jit::{
    Again, Arithmetic, Builder, Comparison, Doubles, Extreme, Mask, Native, Shift, Single, Words,
};

/// Steps that the interpreter takes in a stretch before it is compiled: about as long as compiling takes.
const HOT: u32 = 4096;

/// A stretch without a loop that is shorter takes as long to call as to interpret.
const SHORT: usize = 8;

/// The stretches of a function, by the step that they begin with.
#[derive(Debug, Default)]
pub(crate) struct Stretches {
    by_start: Vec<Option<Box<Stretch>>>,
}

/// Steps that only compute.
#[derive(Debug)]
pub(crate) struct Stretch {
    /// How many there are, the branch back included.
    pub(crate) len: u32,
    /// The guard of the branch back: the predicate, and its value where the loop goes on.
    pub(crate) again: Option<(Slot, bool)>,
    predicates: Vec<Slot>,
    passed: AtomicU32,
    native: OnceLock<Option<Native>>,
}

impl Stretches {
    /// Finds them.
    pub(crate) fn of(steps: &[Step]) -> Stretches {
        let mut by_start = Vec::with_capacity(steps.len());
        by_start.resize_with(steps.len(), || None);
        let mut start = 0;
        while start < steps.len() {
            let inside = |at: &usize| {
                let step = &steps[*at];
                (*at == start || !step.leader) && step.guard.is_none() && can(&step.op)
            };
            let end = (start..steps.len()).take_while(inside).count() + start;
            let own = &steps[start..end];
            let mut predicates: Vec<Slot> =
                own.iter().filter_map(|step| written(&step.op)).collect();
            predicates.sort_unstable();
            predicates.dedup();
            let again = steps
                .get(end)
                .and_then(|step| match (&step.op, step.guard) {
                    (Op::Branch(to), Some(guard)) if *to as usize == start && !step.leader => {
                        Some(guard)
                    }
                    _ => None,
                });
            let again = again.filter(|guard| predicates.contains(&guard.0));
            if again.is_some() && end > start || own.len() >= SHORT {
                by_start[start] = Some(Box::new(Stretch {
                    len: (own.len() + usize::from(again.is_some())) as u32,
                    again,
                    predicates,
                    passed: AtomicU32::new(0),
                    native: OnceLock::new(),
                }));
            }
            start = end.max(start + 1);
        }
        Stretches { by_start }
    }

    /// The stretch that begins with a step.
    #[inline]
    pub(crate) fn at(&self, pc: u32) -> Option<&Stretch> {
        self.by_start.get(pc as usize)?.as_deref()
    }
}

impl Stretch {
    /// Runs it on the registers of a whole warp, up to so many rounds; how many it did. Nothing while the interpreter is to do it.
    pub(crate) fn run(&self, steps: &[Step], frame: &mut Frame, most: u64) -> Option<u64> {
        if self.passed.load(Ordering::Relaxed) < HOT {
            self.passed.fetch_add(self.len, Ordering::Relaxed);
            return None;
        }
        let native = self.native.get_or_init(|| self.compiled(steps)).as_ref()?;
        let (words, doubles) = (&mut frame.words, &mut frame.doubles);
        Some(native.run(words, doubles, &mut frame.predicates, most))
    }

    fn compiled(&self, steps: &[Step]) -> Option<Native> {
        let again = self
            .again
            .map(|(predicate, wanted)| Again { predicate, wanted });
        let own = &steps[..self.len as usize - usize::from(again.is_some())];
        let mut is_whole = true;
        let native = warpc_jit::compile(&self.predicates, again, |code| {
            for step in own {
                is_whole &= emit(code, &step.op).is_some();
            }
        });
        native.ok().filter(|_| is_whole)
    }
}

/// The predicate that a step writes.
fn written(op: &Op) -> Option<Slot> {
    match op {
        Op::CompareWord(_, d, ..) | Op::CompareDouble(_, d, ..) | Op::CompareFloat(_, d, ..) => {
            Some(*d)
        }
        _ => None,
    }
}

/// Whether a source is a register or a number.
fn is_plain(source: Src) -> bool {
    matches!(source, Src::W(_) | Src::D(_) | Src::Imm(_))
}

/// Whether there is native code for a step.
fn can(op: &Op) -> bool {
    let is_number = |source: Src| matches!(source, Src::Imm(_));
    let is_truth = |source: Src| matches!(source, Src::P(..) | Src::Imm(_));
    match *op {
        Op::Word(op, _, a, b, c) => {
            is_plain(a)
                && match op {
                    Word::Move | Word::Narrow | Word::Not | Word::SingleOfU | Word::SingleOfS => {
                        true
                    }
                    Word::CutToU | Word::CutToS => false,
                    Word::Shl | Word::ShrU | Word::ShrS => is_number(b),
                    Word::Mad => is_plain(b) && is_plain(c),
                    Word::Select => is_plain(b) && is_truth(c),
                    _ => is_plain(b),
                }
        }
        Op::Double(op, _, a, b, c) => {
            is_plain(a)
                && match op {
                    Double::Move | Double::WidenU | Double::WidenS => true,
                    Double::Shl | Double::ShrU | Double::ShrS => is_number(b),
                    Double::Mad | Double::MadWideU | Double::MadWideS => is_plain(b) && is_plain(c),
                    Double::Select => is_plain(b) && is_truth(c),
                    _ => is_plain(b),
                }
        }
        Op::CompareWord(_, _, a, b) | Op::CompareDouble(_, _, a, b) => is_plain(a) && is_plain(b),
        Op::Float(op, Precision::Single, _, a, b, c) => {
            is_plain(a) && is_plain(b) && (op != Float::Fma || is_plain(c))
        }
        Op::CompareFloat(how, _, a, b) => {
            how.precision == Precision::Single && is_plain(a) && is_plain(b)
        }
        _ => false,
    }
}

fn word(code: &mut Builder<'_>, source: Src) -> Option<Words> {
    Some(match source {
        Src::W(slot) => code.word(slot),
        Src::D(slot) => {
            let whole = code.double(slot);
            code.narrow(whole)
        }
        Src::Imm(number) => code.word_number(number as u32),
        _ => return None,
    })
}

fn double(code: &mut Builder<'_>, source: Src) -> Option<Doubles> {
    Some(match source {
        Src::D(slot) => code.double(slot),
        Src::W(slot) => {
            let low = code.word(slot);
            code.widen(low, false)
        }
        Src::Imm(number) => code.double_number(number),
        _ => return None,
    })
}

fn truth(code: &mut Builder<'_>, source: Src) -> Option<Mask> {
    Some(match source {
        Src::P(slot, negated) => {
            let holds = code.predicate(slot);
            if negated { code.opposite(holds) } else { holds }
        }
        Src::Imm(number) => code.truth(number != 0),
        _ => return None,
    })
}

/// Lanes are shifted by a number, of which words have 32 bits; larger ones shift everything out.
fn distance(source: Src) -> Option<u32> {
    match source {
        Src::Imm(number) => Some(number as u32),
        _ => None,
    }
}

/// Makes the native code of a step; nothing if there is none.
fn emit(code: &mut Builder<'_>, op: &Op) -> Option<()> {
    match *op {
        Op::Word(op, d, a, b, c) => {
            let value = emit_word(code, op, (a, b, c))?;
            code.set_word(d, value);
        }
        Op::Double(op, d, a, b, c) => {
            let value = emit_double(code, op, (a, b, c))?;
            code.set_double(d, value);
        }
        Op::CompareWord(how, d, a, b) => {
            let (a, b) = (word(code, a)?, word(code, b)?);
            let holds = code.compare_words(comparison(how), a, b);
            code.set_predicate(d, holds);
        }
        Op::CompareDouble(how, d, a, b) => {
            let (a, b) = (double(code, a)?, double(code, b)?);
            let holds = code.compare_doubles(comparison(how), a, b);
            code.set_predicate(d, holds);
        }
        Op::Float(op, Precision::Single, d, a, b, c) => {
            let (a, b) = (word(code, a)?, word(code, b)?);
            let value = match op {
                Float::Add => code.singles(Single::Add, a, b),
                Float::Sub => code.singles(Single::Subtract, a, b),
                Float::Mul => code.singles(Single::Multiply, a, b),
                Float::Fma => {
                    let c = word(code, c)?;
                    code.fuse_singles(a, b, c)?
                }
            };
            code.set_word(d, value);
        }
        Op::CompareFloat(how, d, a, b) => {
            let (a, b) = (word(code, a)?, word(code, b)?);
            let holds = compare_singles(code, how, a, b);
            code.set_predicate(d, holds);
        }
        _ => return None,
    }
    Some(())
}

fn emit_word(code: &mut Builder<'_>, op: Word, (a, b, c): (Src, Src, Src)) -> Option<Words> {
    let two = |code: &mut Builder<'_>, how| {
        let (a, b) = (word(code, a)?, word(code, b)?);
        Some(code.words(how, a, b))
    };
    let extreme = |code: &mut Builder<'_>, how| {
        let (a, b) = (word(code, a)?, word(code, b)?);
        Some(code.extreme(how, a, b))
    };
    let shift = |code: &mut Builder<'_>, how| {
        let a = word(code, a)?;
        Some(code.shift_words(how, a, distance(b)?))
    };
    match op {
        Word::Move | Word::Narrow => word(code, a),
        Word::Add => two(code, Arithmetic::Add),
        Word::Sub => two(code, Arithmetic::Subtract),
        Word::Mul => two(code, Arithmetic::Multiply),
        Word::And => two(code, Arithmetic::And),
        Word::Or => two(code, Arithmetic::Or),
        Word::Xor => two(code, Arithmetic::Xor),
        Word::Mad => {
            let product = two(code, Arithmetic::Multiply)?;
            let c = word(code, c)?;
            Some(code.words(Arithmetic::Add, product, c))
        }
        Word::Not => {
            let a = word(code, a)?;
            Some(code.not(a))
        }
        Word::Shl => shift(code, Shift::Left),
        Word::ShrU => shift(code, Shift::RightUnsigned),
        Word::ShrS => shift(code, Shift::RightSigned),
        Word::MinU => extreme(code, Extreme::LeastUnsigned),
        Word::MinS => extreme(code, Extreme::LeastSigned),
        Word::MaxU => extreme(code, Extreme::MostUnsigned),
        Word::MaxS => extreme(code, Extreme::MostSigned),
        Word::Select => {
            let (a, b, which) = (word(code, a)?, word(code, b)?, truth(code, c)?);
            Some(code.select_words(which, a, b))
        }
        Word::SingleOfU | Word::SingleOfS => {
            let a = word(code, a)?;
            Some(code.single_of(a, op == Word::SingleOfS))
        }
        Word::CutToU | Word::CutToS => None,
    }
}

fn emit_double(code: &mut Builder<'_>, op: Double, (a, b, c): (Src, Src, Src)) -> Option<Doubles> {
    let two = |code: &mut Builder<'_>, how| {
        let (a, b) = (double(code, a)?, double(code, b)?);
        Some(code.doubles(how, a, b))
    };
    let shift = |code: &mut Builder<'_>, how| {
        let a = double(code, a)?;
        Some(code.shift_doubles(how, a, distance(b)?))
    };
    let wide = |code: &mut Builder<'_>, signed| {
        let (a, b) = (word(code, a)?, word(code, b)?);
        Some(code.multiply_wide(a, b, signed))
    };
    let plus = |code: &mut Builder<'_>, product: Doubles| {
        let c = double(code, c)?;
        Some(code.doubles(Arithmetic::Add, product, c))
    };
    match op {
        Double::Move => double(code, a),
        Double::Add => two(code, Arithmetic::Add),
        Double::Sub => two(code, Arithmetic::Subtract),
        Double::Mul => two(code, Arithmetic::Multiply),
        Double::And => two(code, Arithmetic::And),
        Double::Or => two(code, Arithmetic::Or),
        Double::Xor => two(code, Arithmetic::Xor),
        Double::Mad => {
            let product = two(code, Arithmetic::Multiply)?;
            plus(code, product)
        }
        Double::Shl => shift(code, Shift::Left),
        Double::ShrU => shift(code, Shift::RightUnsigned),
        Double::ShrS => shift(code, Shift::RightSigned),
        Double::WidenU | Double::WidenS => {
            let a = word(code, a)?;
            Some(code.widen(a, op == Double::WidenS))
        }
        Double::MulWideU => wide(code, false),
        Double::MulWideS => wide(code, true),
        Double::MadWideU | Double::MadWideS => {
            let product = wide(code, op == Double::MadWideS)?;
            plus(code, product)
        }
        Double::Select => {
            let (a, b, which) = (double(code, a)?, double(code, b)?, truth(code, c)?);
            Some(code.select_doubles(which, a, b))
        }
    }
}

fn comparison(how: Compare) -> Comparison {
    match how {
        Compare::Eq => Comparison::Equal,
        Compare::Ne => Comparison::NotEqual,
        Compare::LtU => Comparison::LessUnsigned,
        Compare::LeU => Comparison::LessOrEqualUnsigned,
        Compare::GtU => Comparison::GreaterUnsigned,
        Compare::GeU => Comparison::GreaterOrEqualUnsigned,
        Compare::LtS => Comparison::LessSigned,
        Compare::LeS => Comparison::LessOrEqualSigned,
        Compare::GtS => Comparison::GreaterSigned,
        Compare::GeS => Comparison::GreaterOrEqualSigned,
    }
}

fn compare_singles(code: &mut Builder<'_>, how: CompareFloat, a: Words, b: Words) -> Mask {
    use warpc_jit::Ordered;
    let (relation, (a, b)) = match how.relation {
        Relation::Equal => (Ordered::Equal, (a, b)),
        Relation::Unequal => (Ordered::NotEqual, (a, b)),
        Relation::Less => (Ordered::Less, (a, b)),
        Relation::LessOrEqual => (Ordered::LessOrEqual, (a, b)),
        Relation::Greater => (Ordered::Less, (b, a)),
        Relation::GreaterOrEqual => (Ordered::LessOrEqual, (b, a)),
        Relation::Any => (Ordered::Numbers, (a, b)),
    };
    let holds = code.compare_singles(relation, a, b);
    match how.negated {
        true => code.opposite(holds),
        false => holds,
    }
}
