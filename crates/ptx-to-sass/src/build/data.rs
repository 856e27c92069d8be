//! Where the variables of a module and the parameters of a kernel are.

use super::{gradient, handle, object_data};
use crate::abi::FUNCTION_ENTRY;
use rustc_hash::{FxHashMap, FxHashSet};
use warpc_cubin::build::parameters_at;
use warpc_cubin::build::{Opaque, OpaqueKind, Reference};
use warpc_cubin::build::{Space as CubinSpace, Variable as CubinVariable};
use warpc_diag::Span;
use warpc_launch::functions::Functions;
use warpc_launch::reach::{Reached, reach};
use warpc_ptx::Module;
use warpc_ptx::inst::Operand;
use warpc_ptx::module::{
    Attribute, Body, Function, FunctionKind, InitAddress, InitItem, InitItems, Item, Linkage,
    Pointee, Space, Statement, Variable,
};
use warpc_ptx::symbol::Symbol;
use warpc_target::Sm;

/// The variables of a module.
#[derive(Debug, Default)]
pub(crate) struct Data {
    /// Places of variables in constant memory.
    pub constants: FxHashMap<Symbol, u32>,
    /// Functions of the system that kernels reach, in order: their addresses are in a bank of constants.
    pub system: Vec<String>,
    /// Kernels whose addresses are taken, in order: their descriptors follow in the same bank.
    pub kernels: Vec<Symbol>,
    /// Variables in global memory, in order: their addresses follow in the same bank.
    pub globals: Vec<Symbol>,
    /// Functions whose addresses are taken, in order.
    pub taken: Vec<Symbol>,
    /// The bytes of constant memory.
    pub constant_bytes: u32,
    /// Where variables are declared that another module should define; in a finished cubin this one does.
    pub outside: Vec<Span>,
    /// What the cubin gets.
    pub variables: Vec<CubinVariable>,
    /// Textures, samplers and surfaces, in order.
    pub opaque: Vec<(Symbol, OpaqueKind)>,
    /// What the cubin says of them.
    pub described: Vec<Opaque>,
    /// Whether a linker places them: then [`crate::build::object_data`] describes them.
    pub relocatable: bool,
}

/// Why a variable cannot be placed.
pub(crate) struct Refused {
    /// The variable.
    pub at: Span,
    /// What is not supported.
    pub what: String,
}

impl Data {
    /// Places the variables of a module.
    pub fn of(module: &Module, functions: &Functions) -> Result<Data, Refused> {
        let mut data = Data::default();
        data.find_functions(module, functions);
        unified_function(module, UNIFIED)?;
        let mut placed = Vec::new();
        let mut end = 0u64;
        for item in &module.items {
            let Item::Variable(variable) = item else {
                continue;
            };
            if let Some(kind) = handle::kind(variable.ty) {
                if !variable.dims.is_empty() {
                    return Err(refused(
                        variable,
                        "arrays of textures, surfaces and samplers",
                    ));
                }
                data.opaque.push((variable.name, kind));
                data.described
                    .push(handle::described(module, variable, kind));
                continue;
            }
            let space = match variable.space {
                Space::Global => CubinSpace::Global,
                Space::Const => CubinSpace::Constant,
                Space::Shared | Space::Param | Space::Reg => continue,
                _ => return Err(refused(variable, "variables of this space in a module")),
            };
            let unified = |one: &Attribute| matches!(one, Attribute::Unified(..));
            if attributes(variable).iter().any(unified) {
                return Err(refused(variable, UNIFIED));
            }
            // Source: ptxas 13.4 without `-c`, which warns.
            if variable.linkage == Linkage::Extern {
                if variable.bytes().is_none() {
                    let what = "variables of other modules whose size is not known";
                    return Err(refused(variable, what));
                }
                data.outside.push(variable.name_at.0);
            }
            let Some(size) = variable.bytes() else {
                return Err(refused(variable, "variables whose size is not known"));
            };
            let size = u32::try_from(size)
                .map_err(|_| refused(variable, "variables of four gigabytes and more"))?;
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
            let (initial, references) = match initial(module, functions, &data, variable)? {
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
                weak: variable.linkage == Linkage::Weak,
                managed: attributes(variable).contains(&Attribute::Managed),
            });
        }
        Ok(data)
    }

    /// Whether there is no variable in constant memory.
    pub fn has_no_constants(&self) -> bool {
        self.constant_bytes == 0 && !self.relocatable
    }

    /// The number of a variable among those whose addresses are in a bank.
    pub fn address_number(&self, symbol: Symbol) -> Option<u32> {
        let at = self.globals.iter().position(|one| *one == symbol)?;
        Some((self.system.len() + self.kernels.len() + at) as u32)
    }

    /// The same of a kernel.
    pub fn kernel_number(&self, symbol: Symbol) -> Option<u32> {
        let at = self.kernels.iter().position(|one| *one == symbol)?;
        Some((self.system.len() + at) as u32)
    }

    /// The same of a function of the system.
    pub fn system_number(&self, name: &str) -> Option<u32> {
        let at = self.system.iter().position(|one| one == name)?;
        Some(at as u32)
    }

    /// The names of what has its address in the bank, in order.
    pub fn addresses<'a>(&'a self, module: &'a Module) -> impl Iterator<Item = String> + 'a {
        let others = self.kernels.iter().chain(&self.globals);
        let others = others.map(|one| module.name(*one).to_owned());
        self.system.iter().cloned().chain(others)
    }

    /// The functions of the system that bodies reach, by way of names and gradients.
    pub fn system_of(&self, module: &Module, reached: &Reached) -> Vec<String> {
        let bodies = reached.bodies.iter().filter_map(|one| one.body.as_ref());
        let gradients = bodies.flat_map(|body| gradient::names(module, body));
        let gradients: FxHashSet<String> = gradients.collect();
        let is_named = |name: &str| {
            let symbol = module.symbols.find(name);
            symbol.is_some_and(|symbol| reached.names.contains(&symbol))
        };
        let all = self.system.iter();
        all.filter(|name| gradients.contains(*name) || is_named(name))
            .cloned()
            .collect()
    }

    /// The address of a function.
    pub fn function_address(&self, symbol: Symbol) -> Option<u32> {
        let at = self.taken.iter().position(|one| *one == symbol)?;
        Some((at as u32 + 1) * FUNCTION_ENTRY)
    }

    /// Finds the functions of the system that kernels reach, and those whose addresses are taken: in the order in which the
    /// module has them.
    pub(super) fn find_functions(&mut self, module: &Module, functions: &Functions) {
        let mut named: FxHashSet<Symbol> = FxHashSet::default();
        let mut taken: FxHashSet<Symbol> = FxHashSet::default();
        let mut gradients: Vec<String> = Vec::new();
        let kernels = module.functions();
        let is_root = |one: &&Function| one.kind == FunctionKind::Entry || self.relocatable;
        for kernel in kernels.filter(is_root) {
            let reached = reach(module, functions, kernel);
            named.extend(&reached.names);
            for body in reached.bodies.iter().filter_map(|one| one.body.as_ref()) {
                taken.extend(taken_in(module, functions, body));
                gradients.extend(gradient::names(module, body));
            }
        }
        for item in &module.items {
            if let Item::Variable(variable) = item {
                let init = variable.extra.as_ref().and_then(|one| one.init.as_ref());
                let addresses = init.map_or(&[][..], |init| init.items.addresses());
                taken.extend(addresses.iter().map(|one| one.symbol));
            }
        }
        let of = |symbol: &Symbol| functions.number(*symbol);
        let taken: FxHashSet<usize> = taken.iter().filter_map(of).collect();
        let mut seen = FxHashSet::default();
        for function in module.functions() {
            let number = functions.number(function.name);
            let Some(number) = number.filter(|number| seen.insert(*number)) else {
                continue;
            };
            match functions.definition(module, number) {
                Some(own) if taken.contains(&number) && own.kind == FunctionKind::Func => {
                    self.taken.push(own.name);
                }
                Some(own) if taken.contains(&number) => self.kernels.push(own.name),
                None if named.contains(&function.name) => {
                    self.system.push(module.name(function.name).to_owned());
                }
                _ => {}
            }
        }
        for name in gradients {
            if !self.system.contains(&name) {
                self.system.push(name);
            }
        }
    }
}

/// What the code of a function names other than to call it.
fn taken_in(module: &Module, functions: &Functions, body: &Body) -> FxHashSet<Symbol> {
    let mut all = FxHashSet::default();
    let is_named = |one: &Operand| match one {
        Operand::Name { symbol, .. } => functions.is_of_module(*symbol),
        _ => false,
    };
    // Operands inside of others are among them, too.
    if !body.operands.iter().any(is_named) {
        return all;
    }
    for statement in &body.statements {
        let Statement::Inst(inst) = statement else {
            continue;
        };
        let choice = module
            .mnemonic(inst.mnemonic)
            .choices
            .get(usize::from(inst.choice));
        if choice.is_none_or(|choice| choice.form.form().opcode == "call") {
            continue;
        }
        for operand in body.operands(inst.operands) {
            match operand {
                Operand::Name { symbol, .. } => {
                    all.insert(*symbol);
                }
                Operand::Vector(items)
                | Operand::Offset(items)
                | Operand::Address { items, .. } => {
                    all.extend(body.operands(*items).iter().filter_map(|one| match one {
                        Operand::Name { symbol, .. } => Some(*symbol),
                        _ => None,
                    }));
                }
                _ => {}
            }
        }
    }
    all
}

/// Programs find what they share in tables that a linker makes.
const UNIFIED: &str = "`.attribute(.unified)` outside of relocatable objects (`warpc ptxas -c`)";

/// Refuses functions that several programs share.
pub(super) fn unified_function(module: &Module, what: &str) -> Result<(), Refused> {
    let is_shared = |one: &&Function| {
        let mut attributes = one.attributes.iter();
        one.body.is_some() && attributes.any(|one| matches!(one, Attribute::Unified(..)))
    };
    match module.functions().find(is_shared) {
        Some(function) => Err(Refused {
            at: function.name_at.0,
            what: what.to_owned(),
        }),
        None => Ok(()),
    }
}

pub(super) fn refused(variable: &Variable, what: &str) -> Refused {
    Refused {
        at: variable.name_at.0,
        what: what.to_owned(),
    }
}

/// What `.attribute` says of a variable.
pub(super) fn attributes(variable: &Variable) -> &[Attribute] {
    let extra = variable.extra.as_ref();
    extra.map_or(&[], |extra| &extra.attributes)
}

/// Bytes, and what the loader writes into them.
type Initial = (Vec<u8>, Vec<Reference>);

/// `R_CUDA_G64`, and `R_CUDA_G8_0` to `R_CUDA_G8_56`: a generic address, and its bytes.
pub(super) const GENERIC: u32 = 4;
pub(super) const GENERIC_BYTE: u32 = 0x54;

/// The bytes that a variable starts with.
pub(super) fn initial(
    module: &Module,
    functions: &Functions,
    data: &Data,
    variable: &Variable,
) -> Result<Option<Initial>, Refused> {
    let extra = variable.extra.as_ref();
    let Some(init) = extra.and_then(|extra| extra.init.as_ref()) else {
        return Ok(None);
    };
    let size = variable.bytes().unwrap_or(0) as usize;
    let mut initial = (vec![0; size], Vec::new());
    fill(module, functions, data, variable, &init.items, &mut initial)?;
    Ok(Some(initial))
}

/// Braces nest by the array's bounds: what a brace leaves out is zero.
fn fill(
    module: &Module,
    functions: &Functions,
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
                address_at(module, functions, data, variable, address, at, references)?.into()
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
    functions: &Functions,
    data: &Data,
    variable: &Variable,
    address: &InitAddress,
    at: usize,
    references: &mut Vec<Reference>,
) -> Result<u64, Refused> {
    if data.relocatable {
        let made = object_data::reference(module, functions, variable, address, at)?;
        references.push(made);
        return Ok(0);
    }
    let place = data.constants.get(&address.symbol);
    // A mask has the bits of one byte.
    let byte = address.mask.map(|mask| mask.trailing_zeros() / 8);
    let number = functions.number(address.symbol);
    let own = number.and_then(|number| functions.definition(module, number));
    let function = own.and_then(|own| data.function_address(own.name));
    let fixed = place.copied().filter(|_| !address.generic).or(function);
    if let Some(place) = fixed {
        let value = u64::from(place).wrapping_add_signed(address.offset);
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

/// What a cubin says of the memory that a parameter points to: its space, and the logarithm of its alignment. Source: ptxas,
/// which has constant memory as global memory.
pub(crate) fn pointee(param: &Variable) -> (u8, u8) {
    let extra = param.extra.as_ref();
    let Some(ptr) = extra.and_then(|extra| extra.pointer.as_ref()) else {
        return (0, 0);
    };
    let space = match ptr.pointee {
        Some(Pointee::Space(Space::Local)) => 1,
        Some(Pointee::Space(Space::Shared)) => 2,
        Some(_) => 4,
        None => 5,
    };
    let log = ptr.align.map_or(0, |align| align.max(1).ilog2());
    (space, log as u8)
}

/// The parameters of a kernel with their places, one after the other; aligned is where they are in the bank of constants.
pub(crate) fn parameters(sm: Sm, function: &Function) -> Option<Vec<(Symbol, u32, u32)>> {
    let begin = parameters_at(sm).map_or(0, u64::from);
    let mut end = 0u64;
    let mut all = Vec::new();
    for param in &function.params {
        let size = param.bytes()?;
        end = (begin + end).next_multiple_of(param.alignment().max(1)) - begin;
        all.push((
            param.name,
            u32::try_from(end).ok()?,
            u32::try_from(size).ok()?,
        ));
        end += size;
    }
    Some(all)
}
