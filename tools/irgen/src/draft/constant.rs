//! Constants: the values at which things change, and any others.

use super::Draft;
use crate::ty::{Float, Ty};

impl Draft {
    /// The text of a constant of a type.
    pub(super) fn constant(&mut self, ty: &Ty) -> String {
        match ty {
            Ty::Int(1) => self.random.pick(&["true", "false"]).into(),
            Ty::Int(bits) => self.integer(*bits),
            Ty::Float(float) => {
                let bits = self.float_bits(*float);
                float.constant(bits)
            }
            Ty::Ptr(_) => "null".into(),
            _ if self.random.chance(10) => "zeroinitializer".into(),
            Ty::Vector(n, of) => {
                if self.random.chance(25) {
                    return format!("splat ({of} {})", self.constant(of));
                }
                let elements = (0..*n).map(|_| format!("{of} {}", self.constant(of)));
                let elements: Vec<String> = elements.collect();
                format!("<{}>", elements.join(", "))
            }
            Ty::Array(..) | Ty::Struct(..) => {
                let members = ty.members();
                let members = members
                    .iter()
                    .map(|of| format!("{of} {}", self.constant(of)));
                let members = members.collect::<Vec<String>>().join(", ");
                match ty {
                    Ty::Array(..) => format!("[{members}]"),
                    Ty::Struct(true, _) => format!("<{{ {members} }}>"),
                    _ => format!("{{ {members} }}"),
                }
            }
        }
    }

    /// An integer of a width, as signed decimal.
    fn integer(&mut self, bits: u32) -> String {
        let any = u128::from(self.random.bits()) << 64 | u128::from(self.random.bits());
        let at = self.random.below(bits as usize) as u32;
        let value: u128 = match self.random.below(8) {
            0 => 0,
            1 => 1,
            2 => u128::MAX,
            3 => self.random.pick(&[2, 3, 5, 7, 10, 100, 255, 1000, 65535]),
            4 => 1 << at,
            5 => (1 << at) - 1,
            6 => 1 << (bits - 1),
            _ => any,
        };
        signed(value, bits).to_string()
    }

    fn float_bits(&mut self, float: Float) -> u64 {
        let sign = (self.random.bits() & 1) << (float.bits() - 1);
        let (_, fraction) = float.fields();
        let magnitude = match self.random.below(9) {
            0 => 0,
            1 => float.infinity() - 1,
            2 => 1 << fraction,
            3 => 1,
            4 => float.infinity(),
            5..7 => {
                let power = self.random.below(8) as i32 - 3;
                let bits = self.random.bits() & ((1 << fraction) - 1);
                float.power_of_two(power).unwrap_or_default()
                    | bits >> (fraction / 2) << (fraction / 2)
            }
            _ => {
                let power = self.random.below(28) as i32 - 13;
                let bits = self.random.bits() & ((1 << fraction) - 1);
                float.power_of_two(power).unwrap_or_default() | bits
            }
        };
        sign | magnitude
    }
}

/// The number that the lowest bits are as a signed integer.
pub(super) fn signed(value: u128, bits: u32) -> i128 {
    let shift = 128 - bits;
    ((value << shift) as i128) >> shift
}
