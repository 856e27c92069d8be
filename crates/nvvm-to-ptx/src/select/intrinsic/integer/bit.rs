//! Counting, turning round and shifting bits.

use crate::code::{Arg, Args, Class};
use crate::select::Selector;
use crate::unit::Refused;
use smallvec::smallvec;
use warpc_nvvm::inst::{BinaryOp, IcmpPredicate};

impl Selector<'_, '_> {
    pub(super) fn byte_swapped(&mut self, bits: u32, a: &[Arg]) -> Result<Args, Refused> {
        let swap = |this: &mut Self, word: Arg| -> Result<Arg, Refused> {
            let selector = Arg::Int(0x0123);
            Ok(this
                .op(Class::B32, "prmt.b32", &[word, Arg::Int(0), selector])?
                .into())
        };
        if bits == 16 {
            let selector = Arg::Int(0x0001);
            let made = self.op(Class::B32, "prmt.b32", &[a[0], Arg::Int(0), selector])?;
            return Ok(smallvec![made.into()]);
        }
        self.turned_round(bits, a, swap)
    }

    pub(super) fn bit_reversed(&mut self, bits: u32, a: &[Arg]) -> Result<Args, Refused> {
        if bits == 1 {
            return Ok(smallvec![a[0]]);
        }
        let reverse = |this: &mut Self, word: Arg| -> Result<Arg, Refused> {
            Ok(this.op(Class::B32, "brev.b32", &[word])?.into())
        };
        self.turned_round(bits, a, reverse)
    }

    /// The words in the other order, each turned round, moved down to where the number starts.
    fn turned_round(
        &mut self,
        bits: u32,
        a: &[Arg],
        mut turn: impl FnMut(&mut Self, Arg) -> Result<Arg, Refused>,
    ) -> Result<Args, Refused> {
        if bits <= 32 {
            let word = turn(self, a[0])?;
            let shift = Arg::Int((32 - bits).into());
            return Ok(smallvec![match bits {
                32 => word,
                _ => self.op(Class::B32, "shr.u32", &[word, shift])?.into(),
            }]);
        }
        let mut words = self.words_of(a)?;
        words.reverse();
        for word in &mut words {
            *word = turn(self, *word)?;
        }
        let limbs: Args = words
            .chunks(2)
            .map(|pair| self.limb_of(pair[0], pair[1]))
            .collect::<Result<_, _>>()?;
        let whole = 64 * limbs.len() as u32;
        if whole == bits {
            return Ok(limbs);
        }
        let shift = self.int_constant(whole, (whole - bits).into());
        self.int_binary(BinaryOp::Lshr, whole, &limbs, &shift)
    }

    /// A count of 32 bits as a number of a width.
    fn counted(&mut self, bits: u32, count: Arg) -> Result<Args, Refused> {
        match bits {
            2..=32 => Ok(smallvec![count]),
            _ => self.int_resize(&[count], 32, bits, false),
        }
    }

    pub(super) fn count_ones(&mut self, bits: u32, a: &[Arg]) -> Result<Args, Refused> {
        if bits == 1 {
            return Ok(smallvec![a[0]]);
        }
        let limbs = self.clean(bits, a)?;
        let mnemonic = if bits <= 32 { "popc.b32" } else { "popc.b64" };
        let mut sum: Option<Arg> = None;
        for limb in limbs {
            let count = self.op(Class::B32, mnemonic, &[limb])?.into();
            sum = Some(match sum {
                None => count,
                Some(sum) => self.integer_binary(BinaryOp::Add, 32, sum, count)?,
            });
        }
        self.counted(bits, sum.unwrap_or(Arg::Int(0)))
    }

    /// A number with zeros above its width.
    fn clean(&mut self, bits: u32, a: &[Arg]) -> Result<Args, Refused> {
        match bits {
            0..=64 => Ok(smallvec![self.zero_extended(a[0], bits)?]),
            _ => self.whole_limbs(a, bits, false),
        }
    }

    pub(super) fn leading_zeros(&mut self, bits: u32, a: &[Arg]) -> Result<Args, Refused> {
        if bits == 1 {
            return Ok(smallvec![self.predicate_binary(
                BinaryOp::Xor,
                a[0],
                Arg::Int(1)
            )?]);
        }
        let limbs = self.clean(bits, a)?;
        let (mnemonic, width) = match bits {
            2..=32 => ("clz.b32", 32),
            _ => ("clz.b64", 64),
        };
        // From the lowest limb up: a higher one decides unless it is zero.
        let mut count: Option<Arg> = None;
        for &limb in &limbs {
            let here: Arg = self.op(Class::B32, mnemonic, &[limb])?.into();
            count = Some(match count {
                None => here,
                Some(lower) => {
                    let below = self.integer_binary(BinaryOp::Add, 32, lower, Arg::Int(64))?;
                    let empty =
                        self.compare_registers(IcmpPredicate::Eq, Class::B64, limb, Arg::Int(0))?;
                    self.chosen(Class::B32, empty, below, here)?
                }
            });
        }
        let spare = width * limbs.len() as u32 - bits;
        let count = count.unwrap_or(Arg::Int(0));
        let count = match spare {
            0 => count,
            _ => self.integer_binary(BinaryOp::Sub, 32, count, Arg::Int(spare.into()))?,
        };
        self.counted(bits, count)
    }

    pub(super) fn trailing_zeros(
        &mut self,
        bits: u32,
        a: &[Arg],
        never_zero: bool,
    ) -> Result<Args, Refused> {
        if bits == 1 {
            return self.leading_zeros(bits, a);
        }
        let mut limbs: Args = a.iter().copied().collect();
        let (reverse, count, class) = match bits {
            2..=32 => ("brev.b32", "clz.b32", Class::B32),
            _ => ("brev.b64", "clz.b64", Class::B64),
        };
        // A bit above the number ends the count of one that is zero.
        let last = limbs.len() - 1;
        let top = bits - class.bits() * last as u32;
        if top < class.bits() && !never_zero {
            let stop = Arg::Int(1 << top);
            limbs[last] = self.integer_binary(BinaryOp::Or, class.bits(), limbs[last], stop)?;
        }
        let mut found: Option<Arg> = None;
        for &limb in limbs.iter().rev() {
            let turned = self.op(class, reverse, &[limb])?;
            let here: Arg = self.op(Class::B32, count, &[turned.into()])?.into();
            found = Some(match found {
                None => here,
                Some(higher) => {
                    let above = self.integer_binary(BinaryOp::Add, 32, higher, Arg::Int(64))?;
                    let empty =
                        self.compare_registers(IcmpPredicate::Eq, class, limb, Arg::Int(0))?;
                    self.chosen(Class::B32, empty, above, here)?
                }
            });
        }
        self.counted(bits, found.unwrap_or(Arg::Int(0)))
    }

    /// The high or low half of two numbers that are shifted together.
    pub(super) fn funnel_shift(
        &mut self,
        left: bool,
        bits: u32,
        high: &[Arg],
        low: &[Arg],
        amount: &[Arg],
    ) -> Result<Args, Refused> {
        match bits {
            1 => return Ok(smallvec![if left { high[0] } else { low[0] }]),
            32 => {
                let shift = match amount[0] {
                    Arg::Int(shift) => Arg::Int(shift & 31),
                    other => other,
                };
                return Ok(smallvec![self.funnel(left, low[0], high[0], shift)?]);
            }
            64 => return self.funnel_64(left, high[0], low[0], amount[0]),
            _ => {}
        }
        let amount = self.modulo_width(bits, amount)?;
        let most = self.int_constant(bits, i64::from(bits) - 1);
        let rest = self.int_binary(BinaryOp::Sub, bits, &most, &amount)?;
        let one = self.int_constant(bits, 1);
        let (up, down) = match left {
            true => {
                let up = self.int_binary(BinaryOp::Shl, bits, high, &amount)?;
                let half = self.int_binary(BinaryOp::Lshr, bits, low, &one)?;
                (up, self.int_binary(BinaryOp::Lshr, bits, &half, &rest)?)
            }
            false => {
                let double = self.int_binary(BinaryOp::Shl, bits, high, &one)?;
                let up = self.int_binary(BinaryOp::Shl, bits, &double, &rest)?;
                (up, self.int_binary(BinaryOp::Lshr, bits, low, &amount)?)
            }
        };
        self.int_binary(BinaryOp::Or, bits, &up, &down)
    }

    /// A number modulo its width.
    fn modulo_width(&mut self, bits: u32, amount: &[Arg]) -> Result<Args, Refused> {
        if bits.is_power_of_two() {
            let mut made = self.int_constant(bits, 0);
            let mask = Arg::Int(i64::from(bits) - 1);
            made[0] = self.integer_binary(BinaryOp::And, bits.min(64), amount[0], mask)?;
            return Ok(made);
        }
        let width = Arg::Int(bits.into());
        if bits <= 64 {
            let amount = self.zero_extended(amount[0], bits)?;
            return Ok(smallvec![self.integer_binary(
                BinaryOp::Urem,
                bits,
                amount,
                width
            )?]);
        }
        // A word after the other, the highest first.
        let limbs = self.whole_limbs(amount, bits, false)?;
        let words = self.words_of(&limbs)?;
        let mut rest = Arg::Int(0);
        for &word in words.iter().rev() {
            let word = self.extended(word, 32, 64, false)?;
            let high = self.integer_binary(BinaryOp::Shl, 64, rest, Arg::Int(32))?;
            let number = self.integer_binary(BinaryOp::Or, 64, high, word)?;
            rest = self.integer_binary(BinaryOp::Urem, 64, number, width)?;
        }
        let mut made = self.int_constant(bits, 0);
        made[0] = rest;
        Ok(made)
    }

    /// A funnel shift of 64 bits: words first, then bits.
    fn funnel_64(&mut self, left: bool, high: Arg, low: Arg, amount: Arg) -> Result<Args, Refused> {
        let words = self.words_of(&[low, high])?;
        let shift = match amount {
            Arg::Int(shift) => Arg::Int(shift & 63),
            _ => self.op(Class::B32, "cvt.u32.u64", &[amount])?.into(),
        };
        // Three words that the result is cut from, by whether 32 bits are skipped.
        let (near, far): ([usize; 3], [usize; 3]) = match left {
            true => ([1, 2, 3], [0, 1, 2]),
            false => ([0, 1, 2], [1, 2, 3]),
        };
        let mut three = [Arg::Int(0); 3];
        match shift {
            Arg::Int(shift) => {
                for (word, (near, far)) in three.iter_mut().zip(near.into_iter().zip(far)) {
                    *word = words[if shift & 32 == 0 { near } else { far }];
                }
            }
            _ => {
                let bit = self.op(Class::B32, "and.b32", &[shift, Arg::Int(32)])?;
                let skip = self.op(Class::Pred, "setp.ne.b32", &[bit.into(), Arg::Int(0)])?;
                for (word, (near, far)) in three.iter_mut().zip(near.into_iter().zip(far)) {
                    *word = self.chosen(Class::B32, skip, words[far], words[near])?;
                }
            }
        }
        let shift = match shift {
            Arg::Int(shift) => Arg::Int(shift & 31),
            other => other,
        };
        let low = self.funnel(left, three[0], three[1], shift)?;
        let high = self.funnel(left, three[1], three[2], shift)?;
        Ok(smallvec![self.limb_of(low, high)?])
    }
}
