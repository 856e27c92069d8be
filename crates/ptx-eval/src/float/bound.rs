//! How far the result of an approximate function may be from the true one.
//!
//! The bounds are the PTX manual's (9.1, notes of each instruction). Both the emulator and the hardware
//! have to keep them, so a test asks [`approx_bound`] for the bound of a form and [`Bound::holds`] for
//! each result. How far an H200 was from the true value on 1024 sources, most of them special, and on all
//! halves:
//!
//! | form | the manual allows | H200 |
//! |---|---|---|
//! | `div.approx`, `div.full` | 2 ulps (`.approx`: for divisors of 2^-126 to 2^126) | 1.51 |
//! | `rcp.approx` | 1 ulp | 0.81 |
//! | `sqrt.approx` | 2^-23 of the value | 2^-23.3 |
//! | `rsqrt.approx` | 2^-22.9 of the value | 2^-23.2 |
//! | `sin.approx`, `cos.approx` | 2^-20.5 for two turns, 2^-14.7 for a hundred half turns, else nothing | 2^-20.8 |
//! | `lg2.approx` | 2^-22 between 0.5 and 2, outside 2^-22 of the value | within |
//! | `ex2.approx.f32` | 2 ulps | 1.51 |
//! | `ex2.approx` of halves | 2^-9.9 of the value, bf16 2^-7 | 2^-10.002, 2^-7.019 |
//! | `tanh.approx.f32` | 2^-11 of the value | 2^-16.8 |
//! | `tanh.approx` of halves | 2^-10.987, bf16 2^-8 | 2^-10.9873, 2^-7.9999 |
//! | `rsqrt.approx.f64` | no figure | 1 ulp |
//! | `rcp.approx.ftz.f64`, `rsqrt.approx.ftz.f64` | no figure: "gross", 20 digits | 2^-20.1 of the value |

use super::format::{BF16, F16, F32, F64, Format, Number};
use warpc_ptx::inst::Choice;
use warpc_ptx::types::ScalarType;

/// A function that is approximated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Function {
    Reciprocal,
    Divide { full: bool },
    SquareRoot,
    ReciprocalRoot,
    Sine,
    Cosine,
    Logarithm,
    Power,
    Tangent,
}

/// How an error is measured, and how large it may be.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Limit {
    /// In units of the last place of the true value.
    Ulps(f64),
    /// As a part of the true value.
    Relative(f64),
    /// As a distance.
    Absolute(f64),
}

/// The bound of an approximate form.
///
/// ```
/// use warpc_ptx::form;
///
/// let choice = &form::resolve("sqrt", &[".approx", ".f32"]).unwrap()[0];
/// let bound = warpc_ptx_eval::approx_bound(choice).unwrap();
/// let bits = |x: f32| u64::from(x.to_bits());
/// assert!(bound.holds(&[bits(4.0)], bits(2.0)));
/// assert!(!bound.holds(&[bits(4.0)], bits(2.001)));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Bound {
    function: Function,
    format: Format,
    /// Elements in a value.
    lanes: u32,
    /// Whether subnormal sources are zero, and results may be.
    ftz: bool,
    /// Whether only the upper half of a double is looked at.
    upper: bool,
}

/// The bound of an approximate form; `None` for every other form.
pub fn approx_bound(choice: &Choice) -> Option<Bound> {
    let full = choice.has("full");
    if !full && !choice.has("approx") {
        return None;
    }
    let function = match choice.form.form().opcode {
        "rcp" => Function::Reciprocal,
        "div" => Function::Divide { full },
        "sqrt" => Function::SquareRoot,
        "rsqrt" => Function::ReciprocalRoot,
        "sin" => Function::Sine,
        "cos" => Function::Cosine,
        "lg2" => Function::Logarithm,
        "ex2" => Function::Power,
        "tanh" => Function::Tangent,
        _ => return None,
    };
    let ty = super::type_of(choice)?;
    let (format, lanes) = match ty {
        ScalarType::F16 => (F16, 1),
        ScalarType::F16x2 => (F16, 2),
        ScalarType::Bf16 => (BF16, 1),
        ScalarType::Bf16x2 => (BF16, 2),
        ScalarType::F32 => (F32, 1),
        _ => (F64, 1),
    };
    let ftz = choice.has("ftz");
    Some(Bound {
        function,
        format,
        lanes,
        ftz,
        upper: ftz && ty == ScalarType::F64,
    })
}

impl Bound {
    /// Whether a result is near enough to the true one.
    pub fn holds(&self, sources: &[u64], result: u64) -> bool {
        let width = self.format.bits();
        (0..self.lanes).all(|lane| {
            let at = lane * width;
            let a = self.source(sources[0] >> at);
            let b = sources.get(1).map_or(1.0, |&b| self.source(b >> at));
            self.element_holds(a, b, self.value(result >> at))
        })
    }

    /// The true value of a function of one element, and of its second source where it has two.
    fn truth(&self, a: f64, b: f64) -> f64 {
        match self.function {
            Function::Reciprocal => 1.0 / a,
            // The reciprocal of such a divisor is not representable, and taken as zero.
            Function::Divide { full: false } if b.abs() > f64::exp2(126.0) => a * (0.0 / b),
            Function::Divide { .. } => a / b,
            Function::SquareRoot => a.sqrt(),
            Function::ReciprocalRoot => 1.0 / a.sqrt(),
            Function::Sine => a.sin(),
            Function::Cosine => a.cos(),
            Function::Logarithm => a.log2(),
            Function::Power => a.exp2(),
            Function::Tangent => a.tanh(),
        }
    }

    /// What is allowed for this source.
    fn limit(&self, a: f64) -> Limit {
        let single = self.format == F32;
        let half = self.format == F16;
        match self.function {
            // The manual gives no number for the upper half of doubles: that half has 20 bits.
            _ if self.upper => Limit::Relative(f64::exp2(-19.0)),
            Function::Reciprocal => Limit::Ulps(1.0),
            Function::Divide { .. } => Limit::Ulps(2.0),
            Function::SquareRoot => Limit::Relative(f64::exp2(-23.0)),
            Function::ReciprocalRoot if single => Limit::Relative(f64::exp2(-22.9)),
            // The manual gives no number.
            Function::ReciprocalRoot => Limit::Ulps(2.0),
            Function::Sine | Function::Cosine => {
                let turns = a.abs() / std::f64::consts::TAU;
                Limit::Absolute(match turns {
                    ..=1.0 => f64::exp2(-20.5),
                    ..=50.0 => f64::exp2(-14.7),
                    // Nothing is promised.
                    _ => 2.0,
                })
            }
            Function::Logarithm if a > 0.5 && a < 2.0 => Limit::Absolute(f64::exp2(-22.0)),
            Function::Logarithm => Limit::Relative(f64::exp2(-22.0)),
            Function::Power if single => Limit::Ulps(2.0),
            Function::Power if half => Limit::Relative(f64::exp2(-9.9)),
            Function::Power => Limit::Relative(f64::exp2(-7.0)),
            Function::Tangent if single => Limit::Relative(f64::exp2(-11.0)),
            Function::Tangent if half => Limit::Absolute(f64::exp2(-10.987)),
            Function::Tangent => Limit::Absolute(f64::exp2(-8.0)),
        }
    }

    fn element_holds(&self, a: f64, b: f64, result: f64) -> bool {
        let truth = self.truth(a, b);
        if truth.is_nan() || result.is_nan() {
            return truth.is_nan() && result.is_nan();
        }
        if truth.is_infinite() || truth == 0.0 {
            return result == truth;
        }
        let ulp = self.ulp(truth);
        // A result that is subnormal cannot be nearer than its last place.
        let least = self.ulp(0.0);
        let allowed = match self.limit(a) {
            Limit::Ulps(count) => count * ulp,
            Limit::Relative(part) => (part * truth.abs()).max(least),
            Limit::Absolute(distance) => distance.max(least),
        };
        if result.is_infinite() {
            let largest = self.value(self.format.max_finite());
            return result.signum() == truth.signum() && truth.abs() + allowed > largest;
        }
        let flushes = self.ftz || matches!(self.function, Function::Sine | Function::Cosine);
        if result == 0.0 && flushes {
            return truth.abs() - allowed < self.value(self.format.min_normal());
        }
        (result - truth).abs() <= allowed
    }

    /// The weight of the last place of a value.
    fn ulp(&self, value: f64) -> f64 {
        let lowest = self.format.min_exponent();
        let exponent = match F64.unpack(value.to_bits()) {
            Number::Finite(x) if !x.is_zero() => x.magnitude().max(lowest),
            _ => lowest,
        };
        let last = exponent - self.format.fraction_bits as i32;
        // Two steps: the least place of a double is itself subnormal.
        f64::exp2(f64::from(last / 2)) * f64::exp2(f64::from(last - last / 2))
    }

    /// An element's value, which every format has as a double.
    fn value(&self, bits: u64) -> f64 {
        match self.format.unpack(bits) {
            Number::Nan => f64::NAN,
            number => f64::from_bits(number.pack(&F64, super::round::Rounding::Nearest)),
        }
    }

    /// A source as the function sees it.
    fn source(&self, bits: u64) -> f64 {
        let upper = if self.upper {
            bits & 0xffff_ffff_0000_0000
        } else {
            bits
        };
        self.value(if self.ftz {
            self.format.flushed(upper)
        } else {
            upper
        })
    }
}
