//! The initial value of a variable as bytes and addresses.

use crate::unit::{Refused, Unit, refusal};
use warpc_diag::codes;
use warpc_nvvm::constant::{ConstId, ConstKind, ExprOp};
use warpc_nvvm::inst::{BinaryOp, CastOp};
use warpc_nvvm::module::{GlobalId, GlobalKind};
use warpc_nvvm::types::{Type, TypeId};
use warpc_ptx::inst::{At, Int};
use warpc_ptx::module::{InitAddress, InitItems};

/// Variables with more bytes than this cannot have an initial value: no GPU program holds them.
const MAX_BYTES: u64 = 1 << 32;

/// The initial value of a variable.
pub(super) struct Image {
    pub bytes: Vec<u8>,
    /// Addresses, by the offset of their first byte. The bytes there are zero.
    pub addresses: Vec<(u64, Address, u32)>,
    /// How many bytes the variable has; those after `bytes` are zero.
    pub size: u64,
    at: u32,
}

/// An address known when the program is linked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Address {
    global: GlobalId,
    offset: i64,
    generic: bool,
}

/// What a constant of pointer or integer type is.
enum Word {
    Number(u64),
    Address(Address),
}

impl Image {
    pub fn new(size: u64, at: u32) -> Image {
        Image {
            bytes: Vec::new(),
            addresses: Vec::new(),
            size,
            at,
        }
    }

    pub fn is_zero(&self) -> bool {
        self.addresses.is_empty() && self.bytes.iter().all(|&byte| byte == 0)
    }

    /// Puts a constant at an offset.
    pub fn put(&mut self, unit: &mut Unit, constant: ConstId, offset: u64) -> Result<(), Refused> {
        let module = unit.module;
        let constants = &module.constants;
        let data = constants.get(constant);
        match data.kind {
            ConstKind::Undef
            | ConstKind::Poison
            | ConstKind::Zero
            | ConstKind::Null
            | ConstKind::TokenNone => Ok(()),
            ConstKind::Int(value) | ConstKind::Float(value) => {
                let bytes = unit.layout.size(&module.types, data.ty).min(8) as usize;
                self.write(offset, &value.to_le_bytes()[..bytes])
            }
            ConstKind::WideInt(words) | ConstKind::WideFloat(words) => {
                let bytes = unit.layout.size(&module.types, data.ty) as usize;
                let words = constants.words(words);
                let all: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
                self.write(offset, &all[..bytes.min(all.len())])
            }
            ConstKind::Bytes(name) => self.write(offset, module.names.bytes(name)),
            ConstKind::Aggregate(_) | ConstKind::Splat(_) => {
                self.put_members(unit, constant, offset)
            }
            // An expression, which may be of many values at once.
            _ => {
                let (element, lanes) = match module.types.get(data.ty) {
                    Type::Vector { element, len, .. } => (element, u64::from(len)),
                    _ => (data.ty, 1),
                };
                let bytes = unit.layout.size(&module.types, element);
                for lane in 0..lanes {
                    let word = self.word(unit, constant, lane)?;
                    self.put_word(word, offset + lane * bytes, bytes)?;
                }
                Ok(())
            }
        }
    }

    fn put_word(&mut self, word: Word, offset: u64, bytes: u64) -> Result<(), Refused> {
        match word {
            Word::Number(value) => {
                self.write(offset, &value.to_le_bytes()[..bytes.min(8) as usize])
            }
            Word::Address(address) => {
                self.write(offset, &vec![0; bytes as usize])?;
                self.addresses.push((offset, address, bytes as u32));
                Ok(())
            }
        }
    }

    fn put_members(
        &mut self,
        unit: &mut Unit,
        constant: ConstId,
        offset: u64,
    ) -> Result<(), Refused> {
        let module = unit.module;
        let data = module.constants.get(constant);
        let types = &module.types;
        let count = match types.get(data.ty) {
            Type::Array { len, .. } => len,
            Type::Vector { element, len, .. } => {
                let bits = unit.layout.bits(types, element);
                if !bits.is_multiple_of(8) {
                    return self.put_bits(unit, constant, offset, bits);
                }
                u64::from(len)
            }
            _ => types.fields(data.ty).map_or(0, <[_]>::len) as u64,
        };
        for index in 0..count {
            let member = match data.kind {
                ConstKind::Splat(element) => element,
                ConstKind::Aggregate(list) => module.constants.list(list)[index as usize],
                _ => return Ok(()),
            };
            let Some(start) = unit.layout.offset(types, data.ty, index) else {
                return Err(self.refuse("this type has no layout in memory"));
            };
            self.put(unit, member, offset + start)?;
        }
        Ok(())
    }

    /// A vector of elements that are not whole bytes: one after the other, the first lowest.
    fn put_bits(
        &mut self,
        unit: &mut Unit,
        constant: ConstId,
        offset: u64,
        bits: u64,
    ) -> Result<(), Refused> {
        let module = unit.module;
        let data = module.constants.get(constant);
        let Type::Vector { len, .. } = module.types.get(data.ty) else {
            return Ok(());
        };
        let mut bytes = vec![0u8; unit.layout.size(&module.types, data.ty) as usize];
        for index in 0..u64::from(len) {
            let member = match data.kind {
                ConstKind::Splat(element) => element,
                ConstKind::Aggregate(list) => module.constants.list(list)[index as usize],
                _ => return Ok(()),
            };
            let words = match module.constants.get(member).kind {
                ConstKind::Int(value) => vec![value],
                ConstKind::WideInt(words) => module.constants.words(words).to_vec(),
                ConstKind::Undef | ConstKind::Poison | ConstKind::Zero => continue,
                _ => return Err(self.no_constant()),
            };
            for bit in 0..bits.min(64 * words.len() as u64) {
                let place = index * bits + bit;
                if words[bit as usize / 64] >> (bit % 64) & 1 == 1 {
                    bytes[place as usize / 8] |= 1 << (place % 8);
                }
            }
        }
        self.write(offset, &bytes)
    }

    fn write(&mut self, offset: u64, bytes: &[u8]) -> Result<(), Refused> {
        let end = offset.saturating_add(bytes.len() as u64);
        if end > self.size || end > MAX_BYTES {
            return Err(self.refuse("this initial value is too large"));
        }
        let end = end as usize;
        if self.bytes.len() < end {
            self.bytes.resize(end, 0);
        }
        self.bytes[offset as usize..end].copy_from_slice(bytes);
        Ok(())
    }

    fn refuse(&self, message: &str) -> Refused {
        refusal(codes::UNSUPPORTED, self.at, message).into()
    }

    fn no_constant(&self) -> Refused {
        refusal(
            codes::UNSUPPORTED,
            self.at,
            "this initial value is not known when the program is linked",
        )
        .help("PTX takes numbers and addresses of global variables and functions, plus a constant")
        .into()
    }

    /// The value of a constant expression; of a vector, that of one lane.
    fn word(&self, unit: &mut Unit, constant: ConstId, lane: u64) -> Result<Word, Refused> {
        let module = unit.module;
        let data = module.constants.get(constant);
        match data.kind {
            ConstKind::Splat(element) => self.word(unit, element, lane),
            ConstKind::Aggregate(list) if module.types.is_vector(data.ty) => {
                let element = module.constants.list(list).get(lane as usize);
                let &element = element.ok_or_else(|| self.no_constant())?;
                self.word(unit, element, lane)
            }
            ConstKind::Bytes(name) if module.types.is_vector(data.ty) => {
                let byte = module.names.bytes(name).get(lane as usize);
                let &byte = byte.ok_or_else(|| self.no_constant())?;
                Ok(Word::Number(i64::from(byte as i8) as u64))
            }
            // Addresses take the lowest bits.
            ConstKind::WideInt(words) => Ok(Word::Number(module.constants.words(words)[0])),
            ConstKind::Int(value) => {
                let bits = match module.types.get(data.ty) {
                    Type::Int(bits) => bits,
                    _ => 64,
                };
                Ok(Word::Number(crate::select::sign_extend(value, bits) as u64))
            }
            // Cast to an integer with its bits.
            ConstKind::Float(bits) => Ok(Word::Number(bits)),
            ConstKind::Null | ConstKind::Undef | ConstKind::Poison | ConstKind::Zero => {
                Ok(Word::Number(0))
            }
            ConstKind::Global(global)
            | ConstKind::NoCfi(global)
            | ConstKind::DsoLocalEquivalent(global) => self.address(unit, global),
            ConstKind::Expr(expr) => {
                let expr = module.constants.expr(expr);
                let operands = module.constants.list(expr.operands);
                self.expression(unit, expr.op, operands, data.ty, lane)
            }
            _ => Err(self.no_constant()),
        }
    }

    fn address(&self, unit: &mut Unit, global: GlobalId) -> Result<Word, Refused> {
        let data = &unit.module.globals[global];
        let generic = match data.kind {
            GlobalKind::Alias(aliasee) => return self.word(unit, aliasee, 0),
            GlobalKind::Variable(_) if !matches!(data.space, 0 | 1 | 4) => {
                return Err(self.no_constant());
            }
            // Variables in no space of their own lie in global memory.
            GlobalKind::Variable(_) => data.space == 0,
            GlobalKind::Function(_) => false,
            _ => return Err(self.no_constant()),
        };
        unit.symbol(global);
        Ok(Word::Address(Address {
            global,
            offset: 0,
            generic,
        }))
    }

    fn expression(
        &self,
        unit: &mut Unit,
        op: ExprOp,
        operands: &[ConstId],
        ty: TypeId,
        lane: u64,
    ) -> Result<Word, Refused> {
        let types = &unit.module.types;
        let bits = |unit: &Unit, ty| unit.layout.size(types, types.scalar(ty)) * 8;
        match op {
            ExprOp::Cast(CastOp::Addrspacecast) => {
                let to_generic = matches!(types.get(types.scalar(ty)), Type::Ptr(0));
                match self.word(unit, operands[0], lane)? {
                    Word::Address(address) => Ok(Word::Address(Address {
                        generic: to_generic,
                        ..address
                    })),
                    number => Ok(number),
                }
            }
            ExprOp::Cast(
                CastOp::Bitcast
                | CastOp::Ptrtoint
                | CastOp::Ptrtoaddr
                | CastOp::Inttoptr
                | CastOp::Trunc,
            ) => {
                let word = self.word(unit, operands[0], lane)?;
                let from = unit.module.constants.get(operands[0]).ty;
                match word {
                    Word::Address(_) if bits(unit, ty) != bits(unit, from) => {
                        Err(self.no_constant())
                    }
                    word => Ok(word),
                }
            }
            ExprOp::Gep { source, .. } => {
                let base = self.word(unit, operands[0], lane)?;
                let mut offset = 0i64;
                let mut ty = source;
                for (position, &index) in operands[1..].iter().enumerate() {
                    let Word::Number(index) = self.word(unit, index, lane)? else {
                        return Err(self.no_constant());
                    };
                    let step = if position == 0 {
                        (unit.layout.stride(types, ty) as i64).wrapping_mul(index as i64)
                    } else {
                        let step = member_offset(unit, ty, index as i64);
                        ty = types.member(ty, index).ok_or_else(|| self.no_constant())?;
                        step.ok_or_else(|| self.no_constant())?
                    };
                    offset = offset.wrapping_add(step);
                }
                Ok(base.plus(offset))
            }
            ExprOp::Binary(op @ (BinaryOp::Add | BinaryOp::Sub)) => {
                let a = self.word(unit, operands[0], lane)?;
                let b = self.word(unit, operands[1], lane)?;
                match (op, a, b) {
                    (BinaryOp::Add, word, Word::Number(n))
                    | (BinaryOp::Add, Word::Number(n), word) => Ok(word.plus(n as i64)),
                    (_, word, Word::Number(n)) => Ok(word.plus((n as i64).wrapping_neg())),
                    // The distance of two places in one variable.
                    (_, Word::Address(a), Word::Address(b))
                        if a.global == b.global && a.generic == b.generic =>
                    {
                        Ok(Word::Number(a.offset.wrapping_sub(b.offset) as u64))
                    }
                    _ => Err(self.no_constant()),
                }
            }
            _ => Err(self.no_constant()),
        }
    }

    /// The numbers of a value without addresses, each of some bytes; zeros at the end are left out.
    pub fn numbers(&self, width: usize, items: &mut InitItems) {
        let end = self.bytes.iter().rposition(|&byte| byte != 0);
        let bytes = &self.bytes[..end.map_or(0, |last| last + 1)];
        if width == 1 {
            items.bytes(bytes);
        } else {
            bytes
                .chunks(width)
                .for_each(|chunk| items.int(number(chunk)));
        }
    }

    /// How many bytes words have if the value is words and each address is one of them: 8 or 4.
    pub fn word_bytes(&self) -> Option<u64> {
        let width = u64::from(self.addresses.first()?.2);
        let mut addresses = self.addresses.iter();
        let aligned = addresses
            .all(|&(offset, _, bytes)| offset.is_multiple_of(width) && u64::from(bytes) == width);
        (aligned && self.size.is_multiple_of(width)).then_some(width)
    }

    /// The value as words of so many bytes.
    pub fn words(&self, unit: &mut Unit, width: u64, items: &mut InitItems) {
        let mut addresses = self.sorted();
        for (index, chunk) in self.bytes.chunks(width as usize).enumerate() {
            match addresses.peek() {
                Some(&(offset, address, _)) if offset == width * index as u64 => {
                    addresses.next();
                    items.address(address.item(unit, None));
                }
                _ => items.int(number(chunk)),
            }
        }
    }

    /// The value byte by byte, also those of addresses.
    pub fn single_bytes(&self, unit: &mut Unit, items: &mut InitItems) {
        let mut addresses = self.sorted().peekable();
        let mut index = 0;
        while index < self.bytes.len() {
            match addresses.peek() {
                Some(&(offset, address, bytes)) if offset == index as u64 => {
                    addresses.next();
                    for byte in 0..bytes {
                        items.address(address.item(unit, Some(0xff << (8 * byte))));
                    }
                    index += bytes as usize;
                }
                _ => {
                    items.bytes(&self.bytes[index..=index]);
                    index += 1;
                }
            }
        }
    }

    fn sorted(&self) -> std::iter::Peekable<std::vec::IntoIter<(u64, Address, u32)>> {
        let mut sorted = self.addresses.clone();
        sorted.sort_by_key(|entry| entry.0);
        sorted.into_iter().peekable()
    }
}

impl Word {
    fn plus(self, added: i64) -> Word {
        match self {
            Word::Number(value) => Word::Number(value.wrapping_add(added as u64)),
            Word::Address(address) => Word::Address(Address {
                offset: address.offset.wrapping_add(added),
                ..address
            }),
        }
    }
}

impl Address {
    fn item(self, unit: &mut Unit, mask: Option<u64>) -> InitAddress {
        InitAddress {
            symbol: unit.symbol(self.global),
            offset: self.offset,
            generic: self.generic,
            mask,
            at: At::default(),
        }
    }
}

/// Where a member of a type starts; arrays go on in both directions.
fn member_offset(unit: &Unit, ty: TypeId, index: i64) -> Option<i64> {
    let types = &unit.module.types;
    match types.get(ty) {
        Type::Array { element, .. } => {
            Some((unit.layout.stride(types, element) as i64).wrapping_mul(index))
        }
        Type::Vector { element, .. } => {
            Some((unit.layout.bits(types, element) as i64 / 8).wrapping_mul(index))
        }
        _ => unit
            .layout
            .offset(types, ty, index as u64)
            .map(|offset| offset as i64),
    }
}

/// A number of at most eight bytes.
fn number(bytes: &[u8]) -> Int {
    let mut word = [0; 8];
    word[..bytes.len()].copy_from_slice(bytes);
    Int::signed(i64::from_le_bytes(word))
}
