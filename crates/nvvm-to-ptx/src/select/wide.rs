//! Integers of more than 64 bits: limbs of 64 bits, the low one first.
//!
//! Sums carry through the condition code, shifts work on words of 32 bits because PTX has funnel shifts of
//! those only. Division comes here no more: a pass has made calls and loops of it.

use super::Selector;
use super::any_width::comparison;
use crate::code::{Arg, Args, Class, Reg};
use crate::unit::Refused;
use warpc_diag::codes;
use warpc_nvvm::inst::{BinaryOp, IcmpPredicate};

/// Products of more limbs than this are refused: their code grows with the square.
const MAX_FACTOR: usize = 128;

/// Where a shift goes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Left,
    /// With zeros or the sign from above.
    Right,
}

impl Selector<'_, '_> {
    pub(super) fn wide_binary(
        &mut self,
        op: BinaryOp,
        bits: u32,
        a: &[Arg],
        b: &[Arg],
    ) -> Result<Args, Refused> {
        match op {
            BinaryOp::Add => self.carried("add", a, b),
            BinaryOp::Sub => self.carried("sub", a, b),
            BinaryOp::Mul => self.wide_product(a, b, a.len()),
            BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => a
                .iter()
                .zip(b)
                .map(|(&a, &b)| self.integer_binary(op, 64, a, b))
                .collect(),
            BinaryOp::Shl => self.wide_shift(Way::Left, a, b, Arg::Int(0)),
            BinaryOp::Lshr => {
                let a = self.whole_limbs(a, bits, false)?;
                self.wide_shift(Way::Right, &a, b, Arg::Int(0))
            }
            BinaryOp::Ashr => {
                let a = self.whole_limbs(a, bits, true)?;
                let top = self.words_of(&a[a.len() - 1..])?[1];
                let fill = self.integer_binary(BinaryOp::Ashr, 32, top, Arg::Int(31))?;
                self.wide_shift(Way::Right, &a, b, fill)
            }
            _ => {
                let message = format!("`{}` of type `i{bits}` is not supported", op.keyword());
                Err(self.refuse(codes::UNSUPPORTED, message))
            }
        }
    }

    /// The limbs with the highest filled up: with its sign, or zeros.
    pub(super) fn whole_limbs(
        &mut self,
        a: &[Arg],
        bits: u32,
        signed: bool,
    ) -> Result<Args, Refused> {
        let mut limbs: Args = a.iter().copied().collect();
        let last = limbs.len() - 1;
        let top = bits - 64 * last as u32;
        limbs[last] = match signed {
            true => self.sign_above(limbs[last], Class::B64, top)?,
            false => self.zeros_above(limbs[last], Class::B64, top)?,
        };
        Ok(limbs)
    }

    /// A sum or difference, limb by limb with the carry between them.
    fn carried(&mut self, op: &str, a: &[Arg], b: &[Arg]) -> Result<Args, Refused> {
        let last = a.len() - 1;
        let mut made = Args::new();
        for (index, (&a, &b)) in a.iter().zip(b).enumerate() {
            let mnemonic = match index {
                0 => format!("{op}.cc.u64"),
                _ if index < last => format!("{op}c.cc.u64"),
                _ => format!("{op}c.u64"),
            };
            made.push(self.op(Class::B64, &mnemonic, &[a, b])?.into());
        }
        Ok(made)
    }

    /// A sum or difference, and the carry or borrow out of it as a predicate. The limbs must be whole.
    pub(super) fn carried_out(
        &mut self,
        op: &str,
        a: &[Arg],
        b: &[Arg],
    ) -> Result<(Args, Reg), Refused> {
        let mut made = Args::new();
        for (index, (&a, &b)) in a.iter().zip(b).enumerate() {
            let carry = if index == 0 { "" } else { "c" };
            let mnemonic = format!("{op}{carry}.cc.u64");
            made.push(self.op(Class::B64, &mnemonic, &[a, b])?.into());
        }
        let zero = Arg::Int(0);
        let carry = self.op(Class::B32, &format!("{op}c.u32"), &[zero, zero])?;
        let out = self.op(Class::Pred, "setp.ne.b32", &[carry.into(), zero])?;
        Ok((made, out))
    }

    /// The low limbs of a product, row by row: each limb of `a` times `b`, added where it belongs.
    pub(super) fn wide_product(
        &mut self,
        a: &[Arg],
        b: &[Arg],
        count: usize,
    ) -> Result<Args, Refused> {
        if count > MAX_FACTOR {
            let message = "a product of integers this wide is not supported";
            return Err(self.refuse(codes::UNSUPPORTED, message));
        }
        let mut sum: Vec<Option<Arg>> = vec![None; count];
        for (i, &x) in a.iter().enumerate().take(count) {
            if x == Arg::Int(0) {
                continue;
            }
            for (half, shift) in [("lo", 0), ("hi", 1)] {
                let mut carries = false;
                let places = b.len().min(count.saturating_sub(i + shift));
                for (j, &y) in b.iter().enumerate().take(places) {
                    let place = i + j + shift;
                    let is_last = place + 1 == count;
                    carries = self.add_product(half, x, y, &mut sum, place, carries, is_last)?;
                }
                let next = i + places + shift;
                self.carry_on(&mut sum, next, carries)?;
            }
        }
        Ok(sum
            .into_iter()
            .map(|limb| limb.unwrap_or(Arg::Int(0)))
            .collect())
    }

    /// Adds one product to a limb; whether there may be a carry afterwards.
    #[expect(clippy::too_many_arguments, reason = "the state of one row")]
    fn add_product(
        &mut self,
        half: &str,
        x: Arg,
        y: Arg,
        sum: &mut [Option<Arg>],
        place: usize,
        carries: bool,
        is_last: bool,
    ) -> Result<bool, Refused> {
        if y == Arg::Int(0) && !carries {
            return Ok(false);
        }
        let before = sum[place];
        let made = match (before, carries) {
            (None, false) => {
                let made = self.op(Class::B64, &format!("mul.{half}.u64"), &[x, y])?;
                sum[place] = Some(made.into());
                return Ok(false);
            }
            (before, _) => {
                let carry = if carries { "c" } else { "" };
                let cc = if is_last { "" } else { ".cc" };
                let before = before.unwrap_or(Arg::Int(0));
                let mnemonic = format!("mad{carry}.{half}{cc}.u64");
                self.op(Class::B64, &mnemonic, &[x, y, before])?
            }
        };
        sum[place] = Some(made.into());
        Ok(!is_last)
    }

    /// Adds a carry to the limbs that follow.
    fn carry_on(
        &mut self,
        sum: &mut [Option<Arg>],
        from: usize,
        carries: bool,
    ) -> Result<(), Refused> {
        if !carries {
            return Ok(());
        }
        let count = sum.len();
        for (place, limb) in sum.iter_mut().enumerate().skip(from) {
            let cc = if place + 1 == count { "" } else { ".cc" };
            let before = limb.unwrap_or(Arg::Int(0));
            let made = self.op(Class::B64, &format!("addc{cc}.u64"), &[before, Arg::Int(0)])?;
            *limb = Some(made.into());
        }
        Ok(())
    }

    /// Limbs as words of 32 bits.
    pub(super) fn words_of(&mut self, limbs: &[Arg]) -> Result<Vec<Arg>, Refused> {
        let mut words = Vec::with_capacity(2 * limbs.len());
        for &limb in limbs {
            match limb {
                Arg::Int(value) => {
                    words.push(Arg::Int(i64::from(value as i32)));
                    words.push(Arg::Int(value >> 32));
                }
                _ => {
                    let low: Arg = self.code.reg(Class::B32).into();
                    let high: Arg = self.code.reg(Class::B32).into();
                    let pair = self.code.vector(&[low, high]);
                    self.emit("mov.b64", &[pair, limb])?;
                    words.extend([low, high]);
                }
            }
        }
        Ok(words)
    }

    /// Two words as a limb.
    pub(super) fn limb_of(&mut self, low: Arg, high: Arg) -> Result<Arg, Refused> {
        if let (Arg::Int(low), Arg::Int(high)) = (low, high) {
            return Ok(Arg::Int((high << 32) | i64::from(low as u32)));
        }
        let low = self.in_register(low, Class::B32)?.into();
        let high = self.in_register(high, Class::B32)?.into();
        let pair = self.code.vector(&[low, high]);
        Ok(self.op(Class::B64, "mov.b64", &[pair])?.into())
    }

    fn wide_shift(
        &mut self,
        way: Way,
        a: &[Arg],
        amount: &[Arg],
        fill: Arg,
    ) -> Result<Args, Refused> {
        if let Arg::Int(value) = amount[0]
            && (value as u64).is_multiple_of(64)
        {
            let limbs = usize::try_from(value / 64).unwrap_or(a.len());
            let fill = match fill {
                Arg::Int(_) => fill,
                sign => self.limb_of(sign, sign)?,
            };
            return Ok(moved(way, a, limbs, fill).into_iter().collect());
        }
        let mut words = self.words_of(a)?;
        let shift = match amount[0] {
            Arg::Int(value) => {
                // More than the width is poison.
                let value = (value as u64).min(32 * words.len() as u64 - 1);
                words = moved(way, &words, value as usize / 32, fill);
                Arg::Int((value % 32) as i64)
            }
            _ => {
                let amount = self.words_of(&amount[..1])?[0];
                let mut step = 1;
                while step < words.len() {
                    let bit = Arg::Int(32 * step as i64);
                    let bit = self.op(Class::B32, "and.b32", &[amount, bit])?;
                    let far = self.op(Class::Pred, "setp.ne.b32", &[bit.into(), Arg::Int(0)])?;
                    let other = moved(way, &words, step, fill);
                    for (word, other) in words.iter_mut().zip(other) {
                        *word = self.chosen(Class::B32, far, other, *word)?;
                    }
                    step *= 2;
                }
                amount
            }
        };
        let mut made = Vec::with_capacity(words.len());
        for index in 0..words.len() {
            let (low, high) = match way {
                Way::Left if index == 0 => (Arg::Int(0), words[0]),
                Way::Left => (words[index - 1], words[index]),
                Way::Right => (words[index], *words.get(index + 1).unwrap_or(&fill)),
            };
            made.push(self.funnel(way == Way::Left, low, high, shift)?);
        }
        made.chunks(2)
            .map(|pair| self.limb_of(pair[0], pair[1]))
            .collect()
    }

    /// 32 bits of two words that are shifted together: the high ones to the left, the low ones to the right.
    pub(super) fn funnel(
        &mut self,
        left: bool,
        low: Arg,
        high: Arg,
        shift: Arg,
    ) -> Result<Arg, Refused> {
        if shift == Arg::Int(0) {
            return Ok(if left { high } else { low });
        }
        if let (Arg::Int(low), Arg::Int(high), Arg::Int(shift)) = (low, high, shift) {
            let both = (u64::from(high as u32) << 32) | u64::from(low as u32);
            let made = match left {
                true => (both << (shift % 32)) >> 32,
                false => both >> (shift % 32),
            };
            return Ok(Arg::Int(i64::from(made as i32)));
        }
        let mnemonic = match left {
            true => "shf.l.wrap.b32",
            false => "shf.r.wrap.b32",
        };
        Ok(self.op(Class::B32, mnemonic, &[low, high, shift])?.into())
    }

    /// Compares from the lowest limb up: a higher one decides unless it is equal.
    pub(super) fn wide_compare(
        &mut self,
        predicate: IcmpPredicate,
        bits: u32,
        a: &[Arg],
        b: &[Arg],
    ) -> Result<Reg, Refused> {
        let (name, signed) = comparison(predicate);
        let a = self.whole_limbs(a, bits, signed)?;
        let b = self.whole_limbs(b, bits, signed)?;
        let last = a.len() - 1;
        let mut found = self.set_predicate(name, false, Class::B64, a[0], b[0], None)?;
        // Above the lowest limb equality decides nothing.
        let strict = match name {
            "le" => "lt",
            "ge" => "gt",
            other => other,
        };
        for (index, (&a, &b)) in a.iter().zip(&b).enumerate().skip(1) {
            let signed = signed && index == last;
            found = match name {
                "eq" => self.set_predicate("eq", false, Class::B64, a, b, Some(("and", found)))?,
                "ne" => self.set_predicate("ne", false, Class::B64, a, b, Some(("or", found)))?,
                _ => {
                    let lower =
                        self.set_predicate("eq", false, Class::B64, a, b, Some(("and", found)))?;
                    self.set_predicate(strict, signed, Class::B64, a, b, Some(("or", lower)))?
                }
            };
        }
        Ok(found)
    }
}

/// Words moved by whole words, with something in the places left.
fn moved(way: Way, words: &[Arg], by: usize, fill: Arg) -> Vec<Arg> {
    let count = words.len();
    (0..count)
        .map(|index| match way {
            Way::Left => match index.checked_sub(by) {
                Some(from) => words[from],
                None => Arg::Int(0),
            },
            Way::Right => words.get(index + by).copied().unwrap_or(fill),
        })
        .collect()
}
