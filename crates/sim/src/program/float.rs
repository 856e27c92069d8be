//! Operations on floating-point numbers that are common enough to be done on all lanes at once.

/// The numbers an operation works on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Precision {
    /// `.f32`
    Single,
    /// `.ftz.f32`: subnormal numbers are zeros.
    Flushed,
    /// `.f64`
    Double,
}

/// Arithmetic, rounded to the nearest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Float {
    Add,
    Sub,
    Mul,
    Fma,
}

/// How two numbers stand to each other, neither being a NaN.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Relation {
    Equal,
    Unequal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    /// Any: both are numbers.
    Any,
}

/// A comparison: whether a relation holds, or whether it does not, as it does not if there is a NaN.
/// So `.geu` is the negation of `Less`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CompareFloat {
    /// What is compared.
    pub precision: Precision,
    /// The relation.
    pub relation: Relation,
    /// Whether it must not hold.
    pub negated: bool,
}
