//! `switch`: a table of jumps where the cases lie close together, else a search by halves.
//!
//! ```text
//!   cases ─ sorted ─► ranges of one target ─┬─ dense ─► brx.idx
//!                                           └─ else ──► compare with the middle, then each half
//! ```

use super::Selector;
use super::extend::Above;
use crate::code::{Arg, Class, End, Label, Line, Reg};
use crate::unit::Refused;
use warpc_diag::codes;
use warpc_nvvm::inst::IcmpPredicate;
use warpc_nvvm::types::Type;
use warpc_nvvm::value::{Block, Value};

/// A table pays from this many ranges on.
const TABLE_RANGES: usize = 6;
/// And if at least one of this many places is a case.
const TABLE_SPARSENESS: u64 = 3;
/// Tables have no more places than this.
const TABLE_LENGTH: u64 = 4096;
/// Up to this many ranges are compared one after the other.
const CHAIN_RANGES: usize = 3;

/// Neighbouring cases that go to one place.
#[derive(Clone, Copy)]
struct Range {
    first: u64,
    last: u64,
    to: Label,
}

/// What is switched over.
#[derive(Clone, Copy)]
struct Switched {
    value: Arg,
    class: Class,
    default: Label,
}

impl Selector<'_, '_> {
    pub(super) fn switch(&mut self, block: Block, operands: &[Value]) -> Result<End, Refused> {
        let Type::Int(bits) = self.kind(self.type_of(operands[0])) else {
            return Err(self.refuse(codes::UNSUPPORTED, "a switch over no integer"));
        };
        let mut edges: Vec<(Block, Label)> = Vec::new();
        let mut edge = |this: &mut Self, to: Value| -> Result<Label, Refused> {
            let to = this.target(to)?;
            if let Some(&(_, label)) = edges.iter().find(|(found, _)| *found == to) {
                return Ok(label);
            }
            let label = this.edge(block, to)?;
            edges.push((to, label));
            Ok(label)
        };
        let default = edge(self, operands[1])?;
        if bits > 64 {
            return self.wide_switch(bits, operands, default, &mut edge);
        }
        let mut ranges = Vec::with_capacity(operands.len() / 2);
        for pair in operands[2..].chunks(2) {
            let case = self.integer(pair[0]).unwrap_or(0);
            let to = edge(self, pair[1])?;
            ranges.push(Range {
                first: case,
                last: case,
                to,
            });
        }
        ranges.sort_by_key(|range| range.first);
        ranges.retain(|range| range.to != default);
        ranges.dedup_by(|next, range| {
            let joins = next.to == range.to && range.last.checked_add(1) == Some(next.first);
            if joins {
                range.last = next.last;
            }
            joins
        });
        if ranges.is_empty() {
            return Ok(End::Jump(default));
        }
        let value = match bits {
            1 => {
                let value = self.arg(operands[0])?;
                self.extended(value, 1, 32, false)?
            }
            _ => self.arg_with(operands[0], Above::Zeros)?,
        };
        let class = Class::for_bits(bits.max(2));
        let switched = Switched {
            value: self.in_register(value, class)?.into(),
            class,
            default,
        };
        self.search(switched, &ranges)
    }

    /// Cases wider than 64 bits are compared one after the other.
    fn wide_switch(
        &mut self,
        bits: u32,
        operands: &[Value],
        default: Label,
        edge: &mut impl FnMut(&mut Self, Value) -> Result<Label, Refused>,
    ) -> Result<End, Refused> {
        let value = self.args(operands[0])?;
        for pair in operands[2..].chunks(2) {
            let case = self.args(pair[0])?;
            let to = edge(self, pair[1])?;
            let equal = self.int_compare(IcmpPredicate::Eq, bits, &value, &case)?;
            self.emit_guarded(Some((equal, false)), "bra", &[Arg::Label(to)])?;
        }
        Ok(End::Jump(default))
    }

    /// Jumps to the range that the value is in. Pending halves stand after what comes first.
    fn search(&mut self, switched: Switched, ranges: &[Range]) -> Result<End, Refused> {
        let mut end = None;
        let mut pending: Vec<(Option<Label>, &[Range])> = vec![(None, ranges)];
        while let Some((label, ranges)) = pending.pop() {
            if let Some(label) = label {
                self.line(Line::Label(label));
            }
            let last = pending.is_empty();
            if self.is_dense(ranges) {
                self.table(switched, ranges)?;
                end = Some(End::Stop);
                continue;
            }
            if ranges.len() <= CHAIN_RANGES {
                for range in ranges {
                    let inside = self.is_in(switched, range)?;
                    self.jump_if(inside, range.to)?;
                }
                if last {
                    end = Some(End::Jump(switched.default));
                } else {
                    self.emit("bra.uni", &[Arg::Label(switched.default)])?;
                }
                continue;
            }
            let (low, high) = ranges.split_at(ranges.len() / 2);
            let upper = self.code.label();
            let number = self.case_number(high[0].first, switched.class);
            let above =
                self.compare_registers(IcmpPredicate::Uge, switched.class, switched.value, number)?;
            self.jump_if(above, upper)?;
            pending.push((Some(upper), high));
            pending.push((None, low));
        }
        Ok(end.unwrap_or(End::Stop))
    }

    fn jump_if(&mut self, predicate: Reg, to: Label) -> Result<(), Refused> {
        self.emit_guarded(Some((predicate, false)), "bra", &[Arg::Label(to)])
    }

    fn case_number(&self, case: u64, class: Class) -> Arg {
        Arg::Int(super::sign_extend(case, class.bits()))
    }

    /// Whether the value is in a range.
    fn is_in(&mut self, switched: Switched, range: &Range) -> Result<Reg, Refused> {
        let class = switched.class;
        let first = self.case_number(range.first, class);
        if range.first == range.last {
            return self.compare_registers(IcmpPredicate::Eq, class, switched.value, first);
        }
        let from_first = self.below(switched, range.first)?;
        let length = Arg::Int((range.last - range.first) as i64);
        self.compare_registers(IcmpPredicate::Ule, class, from_first, length)
    }

    /// The value less a case.
    fn below(&mut self, switched: Switched, first: u64) -> Result<Arg, Refused> {
        if first == 0 {
            return Ok(switched.value);
        }
        let (mnemonic, bits) = match switched.class {
            Class::B64 => ("add.s64", 64),
            _ => ("add.s32", 32),
        };
        let less = Arg::Int(super::sign_extend(first.wrapping_neg(), bits));
        Ok(self
            .op(switched.class, mnemonic, &[switched.value, less])?
            .into())
    }

    fn is_dense(&mut self, ranges: &[Range]) -> bool {
        let (Some(first), Some(last)) = (ranges.first(), ranges.last()) else {
            return false;
        };
        let Some(length) = (last.last - first.first).checked_add(1) else {
            return false;
        };
        let cases: u64 = ranges
            .iter()
            .map(|range| range.last - range.first + 1)
            .sum();
        ranges.len() >= TABLE_RANGES
            && length <= TABLE_LENGTH
            && cases * TABLE_SPARSENESS >= length
            && self.has("brx.idx")
    }

    /// A table of all values from the first case to the last.
    fn table(&mut self, switched: Switched, ranges: &[Range]) -> Result<(), Refused> {
        let first = ranges[0].first;
        let mut targets = Vec::new();
        for range in ranges {
            let start = (range.first - first) as usize;
            targets.resize(start, switched.default);
            targets.resize(start + (range.last - range.first) as usize + 1, range.to);
        }
        let index = self.below(switched, first)?;
        let most = Arg::Int(targets.len() as i64 - 1);
        let outside = self.compare_registers(IcmpPredicate::Ugt, switched.class, index, most)?;
        self.jump_if(outside, switched.default)?;
        let index = match switched.class {
            Class::B64 => self.op(Class::B32, "cvt.u32.u64", &[index])?.into(),
            _ => index,
        };
        let Label::Made(number) = self.code.label() else {
            return Ok(());
        };
        let name = self.unit.intern(&format!("$L_table_{number}"));
        self.line(Line::Targets(name, targets));
        self.emit("brx.idx", &[index, Arg::Name(name)])
    }
}
