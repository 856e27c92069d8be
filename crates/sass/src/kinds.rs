//! How many operands of each kind: forms that cannot have an instruction are told by it before they are matched.

use crate::template::{Kind, Piece};

/// How many operands of each kind there are, four bits a kind. Numbers are of one kind, however they are written;
/// seven stands for more, too.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Counts(u64);

/// The highest bit of each count, which is never set.
const HIGH: u64 = 0x8888_8888_8888_8888;

impl Counts {
    /// No operands.
    pub(crate) const NONE: Counts = Counts(0);
    /// As many as there may be of every kind.
    pub(crate) const ANY: Counts = Counts(!HIGH);

    /// One operand of a kind.
    pub(crate) fn one(kind: Kind) -> Counts {
        let place = match kind {
            Kind::Register => 0,
            Kind::Uniform | Kind::NextUniform => 1,
            Kind::Predicate | Kind::PredicateFromLast => 2,
            Kind::UniformPredicate | Kind::UniformPredicateFromLast => 3,
            Kind::Barrier => 4,
            Kind::Constant => 5,
            Kind::Bindless => 6,
            Kind::Set => 7,
            Kind::Unsigned | Kind::Signed | Kind::Decimal => 8,
            Kind::Float(_) => 9,
            Kind::Special => 10,
            Kind::Label => 11,
        };
        Counts(1 << (4 * place))
    }

    /// These and those together.
    pub(crate) fn plus(self, other: Counts) -> Counts {
        let sum = self.0 + other.0;
        // Where a count has reached eight, it is seven.
        let over = sum & HIGH;
        Counts((sum | (over - (over >> 3))) & !HIGH)
    }

    /// None of a kind.
    pub(crate) fn without(self, kind: Kind) -> Counts {
        Counts(self.0 & !(Counts::one(kind).0 * 7))
    }

    /// Whether there are at most as many of each kind.
    fn is_within(self, other: Counts) -> bool {
        ((other.0 | HIGH) - self.0) & HIGH == HIGH
    }

    /// The smaller or the larger one of each count.
    fn each(self, other: Counts, choose: fn(u64, u64) -> u64) -> Counts {
        let places = (0..64).step_by(4);
        Counts(places.fold(0, |all, place| {
            all | choose(self.0 >> place & 7, other.0 >> place & 7) << place
        }))
    }
}

/// How many operands of each kind the instructions of a form have.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kinds {
    least: Counts,
    most: Counts,
}

impl Kinds {
    /// Those of a template.
    pub(crate) fn of(pieces: &[Piece]) -> Kinds {
        let none = Kinds {
            least: Counts::NONE,
            most: Counts::NONE,
        };
        pieces.iter().fold(none, |all, piece| {
            let one = Kinds::of_piece(piece);
            Kinds {
                least: all.least.plus(one.least),
                most: all.most.plus(one.most),
            }
        })
    }

    fn of_piece(piece: &Piece) -> Kinds {
        let alike = |counts: Counts| Kinds {
            least: counts,
            most: counts,
        };
        match piece {
            Piece::Text(_) | Piece::Never => alike(Counts::NONE),
            Piece::Atom(atom) => alike(Counts::one(atom.kind)),
            Piece::Choice(_, choices) => {
                let each = choices.each().map(Kinds::of);
                let either = |a: Kinds, b: Kinds| Kinds {
                    least: a.least.each(b.least, u64::min),
                    most: a.most.each(b.most, u64::max),
                };
                each.reduce(either).unwrap_or(alike(Counts::NONE))
            }
            Piece::If(_, _, body) | Piece::Unless(_, _, body) | Piece::Hidden(body) => Kinds {
                least: Counts::NONE,
                most: Kinds::of(body).most,
            },
        }
    }

    /// Whether some instruction of the form has so many operands of each kind, as far as they can be counted.
    pub(crate) fn can_have_all(self, counts: Counts) -> bool {
        counts.is_within(self.most)
    }

    /// Whether some instruction of the form has an operand of a kind.
    pub(crate) fn can_have(self, kind: Kind) -> bool {
        Counts::one(kind).is_within(self.most)
    }

    /// Whether an instruction that has at most so many operands can be of the form.
    pub(crate) fn go_with(self, possible: Counts) -> bool {
        self.least.is_within(possible)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_end_at_seven() {
        let one = Counts::one(Kind::Register).plus(Counts::one(Kind::Label));
        let many = (0..9).fold(Counts::NONE, |all, _| all.plus(one));
        assert_eq!(many, Counts(0x7000_0000_0007));
        assert!(one.is_within(many) && !many.is_within(one));
        assert!(many.is_within(Counts::ANY));
        assert!(!many.is_within(Counts::ANY.without(Kind::Label)));
    }
}
