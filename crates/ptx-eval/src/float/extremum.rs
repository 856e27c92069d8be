//! `min` and `max` in any format.
//!
//! Minus zero is below plus zero. A number wins over a NaN, unless `.NaN` is there; two NaNs give
//! the canonical one, but for doubles: there the second is handed on. `.xorsign.abs` compares magnitudes and gives the result the product's sign.

use super::format::{F64, Format};

/// Which of two values is wanted, and how they are compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Extremum {
    /// The larger one.
    pub max: bool,
    /// Subnormals are zero.
    pub ftz: bool,
    /// A NaN wins.
    pub nan: bool,
    /// Signs are left out of the comparison …
    pub abs: bool,
    /// … and the result has the product's.
    pub xorsign: bool,
}

impl Extremum {
    /// The wanted one of two values.
    pub fn of_two(self, format: &Format, a: u64, b: u64) -> u64 {
        let sign = format.sign_bit();
        let mask = sign | format.magnitude_mask();
        let prepare = |bits: u64| {
            let bits = bits & mask;
            let bits = if self.ftz { format.flushed(bits) } else { bits };
            if self.abs { bits & !sign } else { bits }
        };
        let (x, y) = (prepare(a), prepare(b));
        let wanted = match (format.is_nan(x), format.is_nan(y)) {
            (true, true) => return format.nan,
            (true, false) | (false, true) if self.nan => return format.nan,
            (true, false) => y,
            (false, true) => x,
            _ if (order(format, x) < order(format, y)) != self.max => x,
            _ => y,
        };
        if self.xorsign {
            wanted | ((a ^ b) & sign)
        } else {
            wanted
        }
    }

    /// The wanted one of three values.
    pub fn of_three(self, format: &Format, a: u64, b: u64, c: u64) -> u64 {
        self.of_two(format, self.of_two(format, a, b), c)
    }
}

/// A number that grows with the value of a code.
fn order(format: &Format, bits: u64) -> i64 {
    let magnitude = (bits & format.magnitude_mask()) as i64;
    if bits & format.sign_bit() != 0 {
        -1 - magnitude
    } else {
        magnitude
    }
}

/// `min.f64` and `max.f64`, as plain functions. ptxas makes them of a comparison and two selections;
/// of two NaNs it takes the second and makes it quiet.
pub fn double<const MAX: bool>(a: u64, b: u64) -> u64 {
    if F64.is_nan(a) && F64.is_nan(b) {
        return b | F64.quiet_bit();
    }
    let wanted = Extremum {
        max: MAX,
        ..Extremum::default()
    };
    wanted.of_two(&F64, a, b)
}

/// `min.f32` and `max.f32` without `.xorsign`, as plain functions.
pub fn single<const MAX: bool, const FTZ: bool, const NAN: bool>(a: u64, b: u64) -> u64 {
    let wanted = Extremum {
        max: MAX,
        ftz: FTZ,
        nan: NAN,
        ..Extremum::default()
    };
    wanted.of_two(&super::format::F32, a, b)
}

#[cfg(test)]
mod tests {
    use super::super::format::{F16, F32};
    use super::*;

    const MIN: Extremum = Extremum {
        max: false,
        ftz: false,
        nan: false,
        abs: false,
        xorsign: false,
    };
    const MAX: Extremum = Extremum { max: true, ..MIN };

    #[test]
    fn zeros_have_an_order() {
        assert_eq!(MIN.of_two(&F32, 0, 0x8000_0000), 0x8000_0000);
        assert_eq!(MAX.of_two(&F32, 0x8000_0000, 0), 0);
        assert_eq!(single::<true, true, false>(0x8000_0001, 1), 0);
    }

    #[test]
    fn numbers_win_over_nans_unless_asked_otherwise() {
        assert_eq!(MIN.of_two(&F16, 0x7e01, 0x3c00), 0x3c00);
        assert_eq!(MIN.of_two(&F16, 0x7e01, 0xfe00), 0x7fff);
        let nan = Extremum { nan: true, ..MIN };
        assert_eq!(nan.of_two(&F16, 0x3c00, 0x7e01), 0x7fff);
        assert_eq!(nan.of_three(&F32, 0, 1, 0x7fc0_0000), 0x7fff_ffff);
        assert_eq!(MAX.of_three(&F32, 0x7fc0_0000, 1, 2), 2);
    }

    #[test]
    fn of_two_doubles_that_are_nan_the_second_is_handed_on() {
        let (a, b) = (0x7ff8_0000_0000_0001, 0xfff0_0000_0000_0002);
        assert_eq!(double::<false>(a, b), 0xfff8_0000_0000_0002);
        assert_eq!(double::<true>(a, 0), 0);
    }

    #[test]
    fn the_product_gives_the_sign() {
        let xorsign = Extremum {
            abs: true,
            xorsign: true,
            ..MIN
        };
        assert_eq!(xorsign.of_two(&F16, 0xbc00, 0x4000), 0xbc00);
        assert_eq!(xorsign.of_two(&F16, 0xbc00, 0xc000), 0x3c00);
        assert_eq!(xorsign.of_two(&F16, 0x4000, 0xbc00), 0xbc00);
    }
}
