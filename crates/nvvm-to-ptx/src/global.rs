//! Variables of the module.
//!
//! | variable | PTX |
//! |---|---|
//! | an integer up to 64 bits, `float`, `double`, a pointer | a scalar |
//! | anything else | bytes |
//! | anything with addresses in it | words as long as an address where they fit, else bytes of addresses |
//!
//! A variable stands after those that its initial value mentions; a ring of variables cannot be written.
//! Variables of LLVM (`llvm.*`, `nvvm.*`) are not for the GPU. A variable in no space of its own lies in
//! global memory.

mod annotation;
pub(crate) mod demote;
mod image;
mod order;

use crate::assemble;
use crate::header;
use crate::unit::{Refused, Unit, refusal};
use annotation::Annotation;
use image::Image;
use warpc_diag::codes;
use warpc_nvvm::module::{Global, GlobalId, GlobalKind, ThreadLocal, Variable as IrVariable};
use warpc_nvvm::types::Type;
use warpc_ptx::inst::At;
use warpc_ptx::module::{
    Attribute, InitItems, Initializer, Item, Linkage, Space, Statement, TargetOption, Variable,
};
use warpc_ptx::types::ScalarType;

/// Declares the variables of the module.
pub fn compile(unit: &mut Unit) -> Vec<Item> {
    let ids = match order::in_order(unit.module) {
        Ok(ids) => ids,
        Err(ring) => {
            unit.report(ring);
            return Vec::new();
        }
    };
    let annotations = annotation::annotations(unit.module);
    let mut items = Vec::new();
    for id in ids {
        if unit.demoted.contains(id) {
            if unit.module.globals[id].space == 3 {
                let name = unit.ptx.name(unit.own_symbol(id));
                let note = format!("{name} has been demoted");
                unit.ptx.notes.0.push(note);
            }
            continue;
        }
        match variable(unit, id, annotations.get(&id).copied()) {
            Ok(variable) => items.push(Item::Variable(variable)),
            Err(refused) => unit.report(refused),
        }
    }
    items
}

/// The variables that a function has for itself, declared inside of it.
pub fn inside(unit: &mut Unit, function: GlobalId) -> Result<Vec<Statement>, Refused> {
    let variables = unit.demoted.inside(unit.module, function);
    let made = variables.into_iter().map(|id| {
        let variable = variable(unit, id, None)?;
        Ok(Statement::Variable(Box::new(variable)))
    });
    made.collect()
}

/// Whether a variable is for LLVM only.
fn is_for_compiler(unit_module: &warpc_nvvm::Module, global: &Global) -> bool {
    let named = |name: Option<warpc_nvvm::name::Name>, prefixes: &[&[u8]]| {
        let bytes = name.map(|name| unit_module.names.bytes(name));
        bytes.is_some_and(|bytes| prefixes.iter().any(|prefix| bytes.starts_with(prefix)))
    };
    named(global.name, &[b"llvm.", b"nvvm."]) || named(global.section, &[b"llvm.metadata"])
}

fn variable(
    unit: &mut Unit,
    id: GlobalId,
    annotation: Option<Annotation>,
) -> Result<Variable, Refused> {
    let global = &unit.module.globals[id];
    let GlobalKind::Variable(data) = &global.kind else {
        return Err(refusal(codes::INTERNAL, global.pos, "this is not a variable").into());
    };
    if global.thread_local != ThreadLocal::None {
        let message = format!(
            "`{}` is thread-local: PTX has no variables that each thread has its own of",
            unit.ptx.name(unit.own_symbol(id))
        );
        return Err(refusal(codes::UNSUPPORTED, global.pos, message)
            .help("use a variable on the stack, or an array with an element for each thread")
            .into());
    }
    let space = space(unit, id, global, data)?;
    let init = data.init.filter(|_| header::is_defined(global));
    let mut made = assemble::variable(space, ScalarType::B8, unit.own_symbol(id));
    made.linkage = match header::linkage(global) {
        // Only global memory has these; elsewhere one of several definitions is taken, as LLVM has it.
        Linkage::Common if space != Space::Global => Linkage::Weak,
        linkage => linkage,
    };
    if let Some(Annotation::Opaque(ty)) = annotation {
        made.ty = ty;
        let mode = TargetOption::TexmodeIndependent;
        if ty == ScalarType::SamplerRef && !unit.ptx.options.contains(&mode) {
            // ptxas takes samplers of their own in this mode only.
            unit.ptx.options.push(mode);
        }
        let number = init.and_then(|init| unit.module.constants.as_u64(init));
        if let Some(bits) = number.filter(|_| ty == ScalarType::SamplerRef) {
            let Some(items) = annotation::sampler(bits) else {
                let message = format!("{bits} is not a sampler");
                return Err(refusal(codes::UNSUPPORTED, global.pos, message)
                    .help("the numbers are those of OpenCL: modes 0 to 4, filters 0 and 1")
                    .into());
            };
            set_value(&mut made, items);
        }
        return Ok(made);
    }
    shape(unit, global, &mut made);
    let attribute = match annotation {
        Some(Annotation::Managed) => Some(Attribute::Managed),
        Some(Annotation::Unified(high, low)) => Some(Attribute::Unified(high, low)),
        _ => None,
    };
    if let Some(attribute) = attribute {
        let extra = made.extra.get_or_insert_default();
        extra.attributes.push(attribute);
    }
    if let Some(init) = init
        && matches!(space, Space::Global | Space::Const)
    {
        let bytes = unit.layout.stride(&unit.module.types, global.value_ty);
        let mut image = Image::new(bytes, global.pos);
        image.put(unit, init, 0)?;
        initialize(unit, &mut made, &image)?;
    }
    Ok(made)
}

/// The space of a variable, and whether it may have the initial value it has.
fn space(unit: &Unit, id: GlobalId, global: &Global, data: &IrVariable) -> Result<Space, Refused> {
    use warpc_nvvm::constant::ConstKind::{Poison, Undef};
    let name = unit.ptx.name(unit.own_symbol(id));
    let space = match global.space {
        0 | 1 => Space::Global,
        3 => Space::Shared,
        4 => Space::Const,
        // One that a kernel has for itself; others are refused before.
        demote::LOCAL if unit.demoted.contains(id) => Space::Local,
        demote::LOCAL => {
            let message = format!("`{name}` is in local memory, and not used by one kernel alone");
            return Err(refusal(codes::UNSUPPORTED, global.pos, message)
                .help("PTX has no local variables outside of functions: use `alloca`")
                .into());
        }
        other => {
            let message = format!("`{name}` lies in address space {other}, which has no variables");
            return Err(refusal(codes::UNSUPPORTED, global.pos, message)
                .help("variables lie in 0 or 1 (global), 3 (shared) or 4 (constant)")
                .into());
        }
    };
    let undefined = data
        .init
        .is_none_or(|init| matches!(unit.module.constants.get(init).kind, Undef | Poison));
    // Producers for OpenMP give shared variables zeros that nobody relies on; LLVM takes them as well.
    let zero = data
        .init
        .is_some_and(|init| unit.module.constants.is_zero(init));
    let no_value = matches!(space, Space::Shared | Space::Local);
    if no_value && !undefined && !zero {
        let message = format!(
            "initial value of '{name}' is not allowed in addrspace({})",
            global.space
        );
        return Err(refusal(codes::NVVM_SPACE, global.pos, message)
            .help("store it in the code, and let the block wait for it")
            .into());
    }
    Ok(space)
}

/// Gives a variable its type, bounds and alignment.
fn shape(unit: &Unit, global: &Global, made: &mut Variable) {
    let types = &unit.module.types;
    let ty = global.value_ty;
    let natural = unit.layout.align(types, ty);
    let align = global.align.bytes().unwrap_or(natural);
    made.align = Some(u32::try_from(align).unwrap_or(u32::MAX));
    let bytes = unit.layout.stride(types, ty);
    let scalar = match types.get(ty) {
        Type::Int(0..=64)
        | Type::Ptr(_)
        | Type::Half
        | Type::BFloat
        | Type::Float
        | Type::Double => match bytes {
            1 => Some(ScalarType::B8),
            2 => Some(ScalarType::B16),
            4 => Some(ScalarType::B32),
            8 => Some(ScalarType::B64),
            _ => None,
        },
        _ => None,
    };
    match scalar {
        Some(ty) => made.ty = ty,
        None => {
            // Bounds are left out where they are given elsewhere: memory that a launch asks for.
            let open = bytes == 0 && made.linkage == Linkage::Extern;
            made.dims = vec![(!open).then_some(bytes.max(1))];
        }
    }
}

/// Gives a variable its initial value.
fn initialize(unit: &mut Unit, made: &mut Variable, image: &Image) -> Result<(), Refused> {
    if image.is_zero() {
        return Ok(());
    }
    let mut items = InitItems::default();
    let array = !made.dims.is_empty();
    if array {
        items.open();
    }
    if image.addresses.is_empty() {
        let width = if array { 1 } else { made.ty.bytes() as usize };
        image.numbers(width, &mut items);
    } else if let Some(width @ (4 | 8)) = image.word_bytes() {
        made.ty = match width {
            4 => ScalarType::U32,
            _ => ScalarType::U64,
        };
        if array {
            made.dims = vec![Some(image.size / width)];
        }
        image.words(unit, width, &mut items);
    } else {
        made.ty = ScalarType::U8;
        made.dims = vec![Some(image.size)];
        if !array {
            items.open();
        }
        image.single_bytes(unit, &mut items);
    }
    if !made.dims.is_empty() {
        items.close();
    }
    set_value(made, items);
    Ok(())
}

fn set_value(made: &mut Variable, items: InitItems) {
    let at = At::default();
    made.extra.get_or_insert_default().init = Some(Initializer { items, at });
}
