//! The variables of a module for a relocatable object: a linker places them, and may find them in other objects.

use super::data::{
    Data, GENERIC, GENERIC_BYTE, Refused, attributes, initial, refused, unified_function,
};
use super::{handle, linked};
use warpc_cubin::build::Reference;
use warpc_cubin::build::object::{Definition, Variable as ObjectVariable, VariableSpace};
use warpc_launch::functions::Functions;
use warpc_ptx::Module;
use warpc_ptx::module::{
    Attribute, FunctionKind, InitAddress, Item, Linkage, Space, Statement, Variable,
};

/// `R_CUDA_64`: where a variable is in its space.
const PLACE: u32 = 2;
/// `R_CUDA_FUNC_DESC_64`, and `R_CUDA_FUNC_DESC_8_0` and so on: what the system starts a kernel by.
const DESCRIPTOR: u32 = 35;
const DESCRIPTOR_BYTE: u32 = 0x5c;
/// `R_CUDA_UNIFIED`, and `R_CUDA_UNIFIED_8_0` and so on: the address of a function, and of any variable in one that programs
/// share.
const UNIFIED: u32 = 0x66;
const UNIFIED_BYTE: u32 = 0x68;

/// Describes the variables of a module, and of its functions those in shared memory.
pub(crate) fn of(
    module: &Module,
    functions: &Functions,
) -> Result<(Data, Vec<ObjectVariable>), Refused> {
    let mut data = Data {
        relocatable: true,
        ..Data::default()
    };
    data.find_functions(module, functions);
    unified_function(module, "`.attribute(.unified)` of functions with a body")?;
    let mut all = Vec::new();
    for item in &module.items {
        match item {
            Item::Variable(variable) if let Some(kind) = handle::kind(variable.ty) => {
                if !variable.dims.is_empty() {
                    let what = "arrays of textures, surfaces and samplers";
                    return Err(refused(variable, what));
                }
                if data.opaque.iter().all(|one| one.0 != variable.name) {
                    let described = handle::described(module, variable, kind);
                    data.opaque.push((variable.name, kind));
                    data.described.push(described);
                }
            }
            Item::Variable(variable) => {
                let name = module.name(variable.name).to_owned();
                if let Some(one) = described(module, functions, &data, variable, name, None)? {
                    all.push(one);
                }
            }
            Item::Function(function) => {
                let own = module.name(function.name);
                let body = function.body.as_ref();
                let statements = body.into_iter().flat_map(|body| &body.statements);
                for (index, statement) in statements.enumerate() {
                    let Statement::Variable(variable) = statement else {
                        continue;
                    };
                    if variable.space != Space::Shared {
                        continue;
                    }
                    let name = linked::own_shared(own, module.name(variable.name), index);
                    let kernel = (function.kind == FunctionKind::Entry).then(|| own.to_owned());
                    let one = described(module, functions, &data, variable, name, kernel)?;
                    all.extend(one);
                }
            }
            _ => {}
        }
    }
    Ok((data, all))
}

/// The numbers by which several programs know a variable as the same one.
pub(crate) fn unified(variable: &Variable) -> Option<(u64, u64)> {
    attributes(variable).iter().find_map(|one| match one {
        Attribute::Unified(first, second) => Some((*first, *second)),
        _ => None,
    })
}

/// What the object says of a variable; nothing for one that has no place in it.
fn described(
    module: &Module,
    functions: &Functions,
    data: &Data,
    variable: &Variable,
    name: String,
    kernel: Option<String>,
) -> Result<Option<ObjectVariable>, Refused> {
    let space = match variable.space {
        Space::Global => VariableSpace::Global,
        Space::Const => VariableSpace::Constant,
        Space::Shared => VariableSpace::Shared(kernel),
        Space::Param | Space::Reg => return Ok(None),
        _ => return Err(refused(variable, "variables of this space in a module")),
    };
    let definition = match variable.linkage {
        Linkage::Extern => Definition::Elsewhere,
        Linkage::Internal => Definition::Local,
        Linkage::Visible => Definition::Global,
        Linkage::Weak => Definition::Weak,
        Linkage::Common => Definition::Common,
    };
    let size = match variable.bytes() {
        Some(bytes) => u32::try_from(bytes).ok(),
        None => (definition == Definition::Elsewhere).then_some(0),
    };
    let size = size.ok_or_else(|| refused(variable, "variables whose size is not known"))?;
    let (initial, references) = match initial(module, functions, data, variable)? {
        Some((bytes, references)) => (Some(bytes), references),
        None => (None, Vec::new()),
    };
    Ok(Some(ObjectVariable {
        name,
        space,
        align: variable.alignment().max(1) as u32,
        size,
        initial,
        references,
        definition,
        managed: attributes(variable).contains(&Attribute::Managed),
        unified: unified(variable),
    }))
}

/// What a linker writes for an address in a variable's bytes.
pub(super) fn reference(
    module: &Module,
    functions: &Functions,
    variable: &Variable,
    address: &InitAddress,
    at: usize,
) -> Result<Reference, Refused> {
    let symbol = module.name(address.symbol);
    let refuse = || {
        let what = format!("the address of `{symbol}` in an initial value");
        Err(refused(variable, &what))
    };
    let number = functions.number(address.symbol);
    let own = number.and_then(|number| functions.definition(module, number));
    let mut variables = module.items.iter().filter_map(|item| match item {
        Item::Variable(one) if one.name == address.symbol => Some(one.space),
        _ => None,
    });
    // The whole address, and the first of its bytes.
    let (whole, byte) = match (number, variables.next()) {
        (Some(_), _) if own.is_some_and(|own| own.kind == FunctionKind::Entry) => {
            (DESCRIPTOR, Some(DESCRIPTOR_BYTE))
        }
        (Some(_), _) => (UNIFIED, Some(UNIFIED_BYTE)),
        // What programs share has addresses that hold in all of them.
        (None, Some(Space::Global)) if unified(variable).is_some() => (UNIFIED, Some(UNIFIED_BYTE)),
        (None, Some(Space::Global)) => (GENERIC, Some(GENERIC_BYTE)),
        (None, Some(Space::Const)) if address.generic => (GENERIC, Some(GENERIC_BYTE)),
        (None, Some(Space::Const)) => (PLACE, None),
        _ => return refuse(),
    };
    // A mask has the bits of one byte.
    let mask = address.mask.map(|mask| mask.trailing_zeros() / 8);
    let kind = match (mask, byte, variable.ty.bytes()) {
        (Some(number), Some(first), 1) => first + number.min(7),
        (None, _, 8) => whole,
        _ => return Err(refused(variable, "parts of addresses in initial values")),
    };
    Ok(Reference {
        offset: at as u64,
        kind,
        symbol: symbol.to_owned(),
        addend: address.offset,
    })
}
