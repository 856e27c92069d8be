//! Operands to the form they fit: by number and by how they are written, not by type.
//!
//! Types are the verifier's business, so that a wrong type is reported as such and not as "no such
//! form". Operands that may be left out make the match a small search; most forms have none.

use super::{Count, Form, Kind, OperandSpec, Shape};
use crate::inst::{Choice, Mnemonic, Operand, OperandRange};
use smallvec::{SmallVec, smallvec};

/// For each operand of a form the index of what was given for it in the body's operand array.
pub type Mapping = SmallVec<[Option<u32>; 8]>;

/// The first choice of a mnemonic that the operands fit: one whose vectors have the right length if
/// there is one, else any, so that the wrong length is reported as such.
pub fn select(mnemonic: &Mnemonic, operands: &[Operand], given: OperandRange) -> Option<u8> {
    let first = |exact: bool| {
        mnemonic
            .choices
            .iter()
            .position(|choice| search(choice, operands, given, exact).is_ok())
    };
    first(true).or_else(|| first(false)).map(|i| i as u8)
}

/// Assigns the operands of a range to the operands of a form. The error is the number of the first
/// position that did not fit (the number of positions if too few were given).
pub fn map_operands(
    choice: &Choice,
    operands: &[Operand],
    given: OperandRange,
) -> Result<Mapping, usize> {
    search(choice, operands, given, false)
}

/// The same for an instruction whose choice was selected by its operands: they fit.
pub fn map_selected(choice: &Choice, operands: &[Operand], given: OperandRange) -> Option<Mapping> {
    let form = choice.form.form();
    match form.plain && form.shapes.len() == usize::from(given.len) {
        true => Some(given.indices().map(|index| Some(index as u32)).collect()),
        false => map_operands(choice, operands, given).ok(),
    }
}

fn search(
    choice: &Choice,
    operands: &[Operand],
    given: OperandRange,
    exact: bool,
) -> Result<Mapping, usize> {
    let form = choice.form.form();
    let mut search = Search {
        form,
        choice,
        operands,
        given,
        exact,
        mapping: smallvec![None; form.operands.len()],
        failed: 0,
    };
    // Most forms have nothing to leave out: then each operand has its place.
    let each_in_place = form.fixed
        && form.shapes.len() == usize::from(given.len)
        && form
            .shapes
            .iter()
            .zip(given.indices())
            .all(|(shape, index)| search.take(shape, index));
    if each_in_place || search.fit(0, 0) {
        Ok(search.mapping)
    } else {
        Err(search.failed)
    }
}

struct Search<'a> {
    form: &'static Form,
    choice: &'a Choice,
    operands: &'a [Operand],
    given: OperandRange,
    /// Whether vectors must have the length the form says.
    exact: bool,
    mapping: Mapping,
    /// The furthest position that did not fit.
    failed: usize,
}

impl Search<'_> {
    fn fit(&mut self, shape: usize, position: usize) -> bool {
        let given = usize::from(self.given.len);
        let Some(wanted) = self.form.shapes.get(shape) else {
            if position < given {
                self.failed = self.failed.max(position);
            }
            return position == given;
        };
        let spec = &self.form.operands[usize::from(wanted.lead())];
        let linked = spec
            .linked
            .map(|slot| self.choice.values[usize::from(slot)] != Choice::ABSENT);
        if linked != Some(false) && position < given {
            let index = self.given.start as usize + position;
            if self.take(wanted, index) && self.fit(shape + 1, position + 1) {
                return true;
            }
            self.failed = self.failed.max(position);
        }
        let may_skip = if linked.is_some() {
            linked == Some(false)
        } else {
            spec.optional
        };
        if !may_skip {
            self.failed = self.failed.max(position);
            return false;
        }
        self.forget(wanted);
        self.fit(shape + 1, position)
    }

    fn forget(&mut self, shape: &Shape) {
        match shape {
            Shape::Plain(i) | Shape::Address(i) => self.mapping[usize::from(*i)] = None,
            Shape::Pair(i, j) => {
                self.mapping[usize::from(*i)] = None;
                self.mapping[usize::from(*j)] = None;
            }
            Shape::Group(list) => list
                .iter()
                .for_each(|i| self.mapping[usize::from(*i)] = None),
        }
    }

    fn take(&mut self, shape: &Shape, index: usize) -> bool {
        let operand = &self.operands[index];
        match (shape, operand) {
            (Shape::Plain(i), _) => self.take_plain(*i, index),
            (Shape::Address(i), Operand::Address { unified: true, .. })
                if !self.form.operands[usize::from(*i)].allowed.unified =>
            {
                false
            }
            (Shape::Address(i), Operand::Address { .. } | Operand::Element(_)) => {
                self.mapping[usize::from(*i)] = Some(index as u32);
                true
            }
            (Shape::Pair(i, j), Operand::Pair(range)) => {
                self.take_plain(*i, range.start as usize)
                    && self.take_plain(*j, range.start as usize + 1)
            }
            (Shape::Pair(i, j), _) => {
                self.mapping[usize::from(*j)] = None;
                self.form.operands[usize::from(*j)].optional && self.take_plain(*i, index)
            }
            (Shape::Group(list), Operand::Group(range)) => self.take_group(list, range.indices()),
            _ => false,
        }
    }

    /// All of a group, or all but what may be left out of it.
    fn take_group(&mut self, list: &[u8], given: std::ops::Range<usize>) -> bool {
        let optional = |i: &u8| self.form.operands[usize::from(*i)].optional;
        let short = list.len() != given.len();
        let wanted: SmallVec<[u8; 4]> = list
            .iter()
            .copied()
            .filter(|i| !(short && optional(i)))
            .collect();
        for i in list {
            self.mapping[usize::from(*i)] = None;
        }
        wanted.len() == given.len()
            && wanted
                .iter()
                .zip(given)
                .all(|(i, index)| self.take_plain(*i, index))
    }

    fn take_plain(&mut self, spec: u8, index: usize) -> bool {
        let fits = self.fits(
            &self.form.operands[usize::from(spec)],
            &self.operands[index],
        );
        self.mapping[usize::from(spec)] = fits.then_some(index as u32);
        fits
    }

    fn fits(&self, spec: &OperandSpec, operand: &Operand) -> bool {
        let vector = match spec.count {
            Count::One => false,
            Count::Fixed(_) | Count::Any | Count::OneOrMore => true,
            Count::Slot(slot) => self.choice.values[usize::from(slot)] != Choice::ABSENT,
        };
        // A vector that may be left out has braces: nothing else tells it from what follows.
        if spec.optional && spec.count == Count::Any {
            return matches!(operand, Operand::Vector(_));
        }
        match (spec.kind, operand) {
            // `{a}` will do for a scalar where vectors are possible at all.
            (Kind::Value(_), Operand::Vector(range)) => match spec.count {
                Count::Fixed(n) if self.exact => usize::from(n) == usize::from(range.len),
                Count::Slot(_) => vector || range.len == 1,
                _ => vector,
            },
            // For a whole vector `_` stands only where a modifier makes it one: `atom.add.v2.f32 _`.
            (Kind::Value(_), Operand::Sink) => {
                spec.allowed.sink && matches!(spec.count, Count::One | Count::Slot(_))
            }
            (Kind::Value(_), Operand::Name { .. } | Operand::Offset(_) | Operand::Element(_)) => {
                true
            }
            (Kind::Value(_), Operand::Int(_) | Operand::F32(_) | Operand::F64(_)) => true,
            (Kind::Address(_), Operand::Address { .. }) => true,
            // Inside `[a, b, c]` an address is written bare.
            (Kind::Address(_), Operand::Name { .. } | Operand::Int(_)) => true,
            (Kind::Sink, Operand::Sink) => true,
            (Kind::List, Operand::List(_)) => true,
            (
                Kind::Label | Kind::Callee | Kind::Prototype | Kind::Opaque(_),
                Operand::Name { .. },
            ) => true,
            _ => false,
        }
    }
}
