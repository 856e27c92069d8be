//! Where the variables of a module and the parameters of a kernel are.

use rustc_hash::FxHashMap;
use warpc_cubin::build::{Reference, Space as CubinSpace, Variable as CubinVariable};
use warpc_ptx::Module;
use warpc_ptx::module::{
    Function, InitAddress, InitItem, InitItems, Item, Linkage, Space, Variable,
};
use warpc_ptx::symbol::Symbol;

/// The variables of a module.
#[derive(Debug, Default)]
pub(crate) struct Data {
    /// Places of variables in constant memory.
    pub constants: FxHashMap<Symbol, u32>,
    /// Variables in global memory, in order: their addresses are in a bank of constants.
    pub globals: Vec<Symbol>,
    /// The bytes of constant memory.
    pub constant_bytes: u32,
    /// What the cubin gets.
    pub variables: Vec<CubinVariable>,
}

/// Why a variable cannot be placed.
pub(crate) struct Refused {
    /// The variable.
    pub at: warpc_diag::Span,
    /// What is not supported.
    pub what: String,
}

impl Data {
    /// Places the variables of a module.
    pub fn of(module: &Module) -> Result<Data, Refused> {
        let mut data = Data::default();
        let mut placed = Vec::new();
        let mut end = 0u64;
        for item in &module.items {
            let Item::Variable(variable) = item else {
                continue;
            };
            let space = match variable.space {
                Space::Global => CubinSpace::Global,
                Space::Const => CubinSpace::Constant,
                Space::Shared | Space::Param | Space::Reg => continue,
                _ => return Err(refused(variable, "variables of this space in a module")),
            };
            if variable.linkage == Linkage::Extern {
                return Err(refused(variable, "variables of other modules"));
            }
            if !variable.ty.is_integer() && !variable.ty.is_float() && variable.ty.bytes() == 0 {
                return Err(refused(variable, "textures, surfaces and samplers"));
            }
            let size = variable.bytes().and_then(|bytes| u32::try_from(bytes).ok());
            let Some(size) = size else {
                return Err(refused(variable, "variables whose size is not known"));
            };
            if space == CubinSpace::Constant {
                end = end.next_multiple_of(variable.alignment().max(1));
                data.constants.insert(variable.name, end as u32);
                end += u64::from(size);
            } else {
                data.globals.push(variable.name);
            }
            placed.push((variable, space, size));
        }
        data.constant_bytes = end as u32;
        // Initial values may name variables that come later.
        for (variable, space, size) in placed {
            let (initial, references) = match initial(module, &data, variable)? {
                Some((bytes, references)) => (Some(bytes), references),
                None => (None, Vec::new()),
            };
            data.variables.push(CubinVariable {
                name: module.name(variable.name).to_owned(),
                space,
                align: variable.alignment().max(1) as u32,
                size,
                initial,
                references,
                visible: variable.linkage != Linkage::Internal,
            });
        }
        Ok(data)
    }

    /// The number of a variable among those whose addresses are in a bank.
    pub fn address_number(&self, symbol: Symbol) -> Option<u32> {
        let at = self.globals.iter().position(|one| *one == symbol)?;
        Some(at as u32)
    }
}

fn refused(variable: &Variable, what: &str) -> Refused {
    Refused {
        at: variable.name_at.0,
        what: what.to_owned(),
    }
}

/// Bytes, and what the loader writes into them.
type Initial = (Vec<u8>, Vec<Reference>);

/// `R_CUDA_G64`, and `R_CUDA_G8_0` to `R_CUDA_G8_56`: a generic address, and its bytes.
const GENERIC: u32 = 4;
const GENERIC_BYTE: u32 = 0x54;

/// The bytes that a variable starts with.
fn initial(module: &Module, data: &Data, variable: &Variable) -> Result<Option<Initial>, Refused> {
    let extra = variable.extra.as_ref();
    let Some(init) = extra.and_then(|extra| extra.init.as_ref()) else {
        return Ok(None);
    };
    let size = variable.bytes().unwrap_or(0) as usize;
    let mut initial = (vec![0; size], Vec::new());
    fill(module, data, variable, &init.items, &mut initial)?;
    Ok(Some(initial))
}

/// Braces nest by the array's bounds: what a brace leaves out is zero.
fn fill(
    module: &Module,
    data: &Data,
    variable: &Variable,
    items: &InitItems,
    (bytes, references): &mut Initial,
) -> Result<(), Refused> {
    let width = variable.ty.bytes() as usize;
    let mut strides = vec![variable.element_bytes() as usize];
    for dim in variable.dims.iter().skip(1).rev() {
        let last = strides[strides.len() - 1];
        strides.push(last.saturating_mul(dim.unwrap_or(1) as usize));
    }
    strides.reverse();
    let (mut starts, mut at) = (Vec::new(), 0);
    for item in items {
        let value: u128 = match item {
            InitItem::Open => {
                starts.push(at);
                continue;
            }
            InitItem::Close => {
                let start = starts.pop().unwrap_or(0);
                if let Some(stride) = starts.len().checked_sub(1).and_then(|d| strides.get(d)) {
                    at = start + stride;
                }
                continue;
            }
            InitItem::Int(int) => int.bits.into(),
            InitItem::F32(bits) if width == 8 => f64::from(f32::from_bits(bits)).to_bits().into(),
            InitItem::F32(bits) => bits.into(),
            InitItem::F64(bits) if width == 4 => (f64::from_bits(bits) as f32).to_bits().into(),
            InitItem::F64(bits) => bits.into(),
            InitItem::Address(address) => {
                address_at(module, data, variable, address, at, references)?.into()
            }
            InitItem::Field(_) => {
                return Err(refused(variable, "textures, surfaces and samplers"));
            }
        };
        let end = (at + width).min(bytes.len());
        if at < end {
            bytes[at..end].copy_from_slice(&value.to_le_bytes()[..end - at]);
        }
        at += width;
    }
    Ok(())
}

/// The value that stands for an address in a variable's bytes: the place in the bank for a constant, and 0 for what the
/// loader puts there.
fn address_at(
    module: &Module,
    data: &Data,
    variable: &Variable,
    address: &InitAddress,
    at: usize,
    references: &mut Vec<Reference>,
) -> Result<u64, Refused> {
    let place = data.constants.get(&address.symbol);
    // A mask has the bits of one byte.
    let byte = address.mask.map(|mask| mask.trailing_zeros() / 8);
    if let (Some(place), false) = (place, address.generic) {
        let value = u64::from(*place).wrapping_add_signed(address.offset);
        return Ok(byte.map_or(value, |byte| value >> (8 * byte) & 0xff));
    }
    let is_global = data.address_number(address.symbol).is_some();
    if place.is_none() && !is_global {
        let name = module.name(address.symbol);
        let what = format!("the address of `{name}` in an initial value");
        return Err(refused(variable, &what));
    }
    let kind = match (byte, variable.ty.bytes()) {
        (Some(byte), 1) => GENERIC_BYTE + byte.min(7),
        (None, 8) => GENERIC,
        _ => return Err(refused(variable, "parts of addresses in initial values")),
    };
    references.push(Reference {
        offset: at as u64,
        kind,
        symbol: module.name(address.symbol).to_owned(),
        addend: address.offset,
    });
    Ok(0)
}

/// The parameters of a kernel with their places, one after the other and aligned.
pub(crate) fn parameters(function: &Function) -> Option<Vec<(Symbol, u32, u32)>> {
    let mut end = 0u64;
    let mut all = Vec::new();
    for param in &function.params {
        let size = param.bytes()?;
        end = end.next_multiple_of(param.alignment().max(1));
        all.push((
            param.name,
            u32::try_from(end).ok()?,
            u32::try_from(size).ok()?,
        ));
        end += size;
    }
    Some(all)
}
