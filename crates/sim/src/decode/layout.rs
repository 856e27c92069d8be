//! Where variables and functions lie.

use super::tree::Tree;
use crate::address;
use rustc_hash::FxHashMap;
use warpc_ptx::Module;
use warpc_ptx::module::{
    Function, InitAddress, InitItem, InitItems, Item, Linkage, Space, Statement, Variable,
};
use warpc_ptx::symbol::Symbol;
use warpc_target::Sm;

/// A function of the module, by its name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FunctionEntry {
    /// The item that defines it; `None` for one that is only declared.
    pub(crate) item: Option<usize>,
}

/// A variable in global or constant memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placed {
    /// The item that declares it, or the function in which it is declared.
    item: usize,
    /// The statement that declares it in that function.
    statement: Option<usize>,
    /// Its address.
    pub(crate) address: u64,
    /// Its size in bytes.
    pub(crate) bytes: u64,
}

/// Addresses of a module's variables and functions.
#[derive(Debug, Default)]
pub(crate) struct Layout {
    /// The functions, by number.
    pub(crate) functions: Vec<FunctionEntry>,
    /// The number of each function.
    pub(crate) numbers: FxHashMap<Symbol, usize>,
    /// Variables of the module in global and constant memory.
    pub(crate) variables: FxHashMap<Symbol, Placed>,
    /// Those that are declared inside functions: by the function's name and the statement.
    pub(crate) inside: FxHashMap<(Symbol, usize), Placed>,
}

impl Layout {
    /// Numbers the functions and finds the variables; `place` gives a variable its address.
    pub(crate) fn of(module: &Module, mut place: impl FnMut(&Variable, u64, u64) -> u64) -> Layout {
        let mut layout = Layout::default();
        for (index, item) in module.items.iter().enumerate() {
            match item {
                Item::Function(function) => {
                    layout.add_function(function, index);
                    for (statement, variable) in variables_inside(function) {
                        let bytes = size(variable);
                        let placed = Placed {
                            item: index,
                            statement: Some(statement),
                            address: place(variable, bytes, variable.alignment().max(1)),
                            bytes,
                        };
                        layout.inside.insert((function.name, statement), placed);
                    }
                }
                Item::Variable(variable) => {
                    let known = layout.variables.get(&variable.name);
                    let declared_only = variable.linkage == Linkage::Extern;
                    if in_memory(variable) && (known.is_none() || !declared_only) {
                        let bytes = size(variable);
                        let address = place(variable, bytes, variable.alignment().max(1));
                        let placed = Placed {
                            item: index,
                            statement: None,
                            address,
                            bytes,
                        };
                        layout.variables.insert(variable.name, placed);
                    }
                }
                _ => {}
            }
        }
        // An alias is another name of the same function.
        for item in &module.items {
            if let Item::Alias(alias) = item
                && let Some(&number) = layout.numbers.get(&alias.aliasee)
            {
                layout.numbers.insert(alias.name, number);
            }
        }
        layout
    }

    fn add_function(&mut self, function: &Function, item: usize) {
        let defined = function.body.is_some().then_some(item);
        match self.numbers.get(&function.name) {
            Some(&number) => {
                let entry = &mut self.functions[number];
                entry.item = entry.item.or(defined);
            }
            None => {
                self.numbers.insert(function.name, self.functions.len());
                self.functions.push(FunctionEntry { item: defined });
            }
        }
    }

    /// The definition of a function that has one.
    pub(crate) fn definition<'m>(&self, module: &'m Module, number: usize) -> &'m Function {
        let item = self.functions[number].item.map(|item| &module.items[item]);
        match item {
            Some(Item::Function(function)) => function,
            _ => unreachable!("only functions with a body are asked for"),
        }
    }

    /// The address of a variable or function as an initialiser has it.
    pub(crate) fn address_of(&self, symbol: Symbol) -> Option<u64> {
        let variable = self.variables.get(&symbol).map(|placed| placed.address);
        variable.or_else(|| {
            self.numbers
                .get(&symbol)
                .map(|&number| address::of_function(number))
        })
    }

    /// The bytes a variable begins with; none if they are zeros.
    pub(crate) fn initial_bytes(&self, module: &Module, placed: &Placed) -> Vec<u8> {
        let Some(variable) = placed.variable(module) else {
            return Vec::new();
        };
        let extra = variable.extra.as_ref();
        let Some(init) = extra.and_then(|extra| extra.init.as_ref()) else {
            return Vec::new();
        };
        let mut bytes = vec![0; placed.bytes as usize];
        self.fill(variable, &init.items, &mut bytes);
        bytes
    }

    /// Braces nest by the array's bounds: what a brace leaves out is zero.
    fn fill(&self, variable: &Variable, items: &InitItems, bytes: &mut [u8]) {
        let width = variable.ty.bytes() as usize;
        // Bytes of one element at each depth of braces.
        let mut strides = vec![variable.element_bytes() as usize];
        for dim in variable.dims.iter().skip(1).rev() {
            let last = strides[strides.len() - 1];
            strides.push(last.saturating_mul(dim.unwrap_or(1) as usize));
        }
        strides.reverse();
        let mut starts: Vec<usize> = Vec::new();
        let mut at = 0;
        for item in items {
            let value = match item {
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
                InitItem::F32(bits) if width == 8 => {
                    f64::from(f32::from_bits(bits)).to_bits().into()
                }
                InitItem::F32(bits) => u128::from(bits),
                InitItem::F64(bits) if width == 4 => {
                    u128::from((f64::from_bits(bits) as f32).to_bits())
                }
                InitItem::F64(bits) => u128::from(bits),
                InitItem::Address(address) => u128::from(self.resolve(address)),
                InitItem::Field(_) => continue,
            };
            let end = (at + width).min(bytes.len());
            if at < end {
                bytes[at..end].copy_from_slice(&value.to_le_bytes()[..end - at]);
            }
            at += width;
        }
    }

    fn resolve(&self, init: &InitAddress) -> u64 {
        let base = self.address_of(init.symbol).unwrap_or(0);
        let address = base.wrapping_add_signed(init.offset);
        match init.mask {
            // `0xFF00(name)` takes the byte that the mask covers.
            Some(mask) if mask != 0 => (address & mask) >> mask.trailing_zeros(),
            _ => address,
        }
    }
}

impl Placed {
    /// The declaration.
    pub(crate) fn variable<'m>(&self, module: &'m Module) -> Option<&'m Variable> {
        match (&module.items[self.item], self.statement) {
            (Item::Variable(variable), _) => Some(variable),
            (Item::Function(function), Some(statement)) => {
                match &function.body.as_ref()?.statements[statement] {
                    Statement::Variable(variable) => Some(variable),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// What the variable's name stands for.
    pub(crate) fn space(&self, module: &Module) -> address::Space {
        match self.variable(module).map(|variable| variable.space) {
            Some(Space::Global) => address::Space::Global,
            _ => address::Space::Const,
        }
    }
}

fn in_memory(variable: &Variable) -> bool {
    matches!(
        variable.space,
        Space::Global | Space::Const | Space::ConstBank(_)
    )
}

/// Variables in memory that a function declares, with their statements.
fn variables_inside(function: &Function) -> impl Iterator<Item = (usize, &Variable)> {
    let statements = function.body.iter().flat_map(|body| &body.statements);
    statements
        .enumerate()
        .filter_map(|(index, statement)| match statement {
            Statement::Variable(variable) if in_memory(variable) => Some((index, &**variable)),
            _ => None,
        })
}

/// Bytes of a variable; an array of unknown length has none of its own unless it is initialised.
pub(super) fn size(variable: &Variable) -> u64 {
    if let Some(bytes) = variable.bytes() {
        return bytes;
    }
    let init = variable
        .extra
        .as_ref()
        .and_then(|extra| extra.init.as_ref());
    let values = init.map_or(0, |init| {
        let is_value = |item: &InitItem<'_>| !matches!(item, InitItem::Open | InitItem::Close);
        init.items.iter().filter(is_value).count()
    });
    values as u64 * u64::from(variable.ty.bytes())
}

/// Where a block's shared memory begins: from sm_80 on the system keeps the first kilobyte.
pub(crate) fn shared_begin(sm: Sm) -> u32 {
    if sm.number() >= 80 { 1024 } else { 0 }
}

/// Static shared memory of a kernel.
#[derive(Debug, Default)]
pub(crate) struct Shared {
    /// Offsets of variables of the module.
    pub(super) of_module: FxHashMap<Symbol, u32>,
    /// Offsets of variables of functions: by the function's number and the statement.
    pub(super) of_function: FxHashMap<(Symbol, usize), u32>,
    /// Where static shared memory ends and dynamic begins.
    pub(super) end: u32,
}

/// Lays out the shared variables that a kernel and its callees use.
pub(crate) fn shared(module: &Module, tree: &Tree<'_>) -> Shared {
    let mut shared = Shared::default();
    let mut end = u64::from(shared_begin(module.sm));
    let mut dynamic_align = 16;
    let mut dynamic: Vec<Symbol> = Vec::new();
    let mut dynamic_local: Vec<(Symbol, usize)> = Vec::new();
    let mut put = |variable: &Variable| -> Option<u32> {
        match variable.bytes() {
            Some(bytes) if variable.linkage != Linkage::Extern || bytes > 0 => {
                let align = variable.alignment().max(1);
                end = end.next_multiple_of(align);
                let at = end;
                end = end.saturating_add(bytes);
                Some(u32::try_from(at).unwrap_or(u32::MAX))
            }
            _ => {
                dynamic_align = dynamic_align.max(variable.alignment());
                None
            }
        }
    };
    for item in &module.items {
        if let Item::Variable(variable) = item
            && variable.space == Space::Shared
            && tree.names.contains(&variable.name)
            && !shared.of_module.contains_key(&variable.name)
        {
            match put(variable) {
                Some(at) => {
                    shared.of_module.insert(variable.name, at);
                }
                None => dynamic.push(variable.name),
            }
        }
    }
    for function in &tree.bodies {
        let statements = function.body.iter().flat_map(|body| body.statements.iter());
        for (index, statement) in statements.enumerate() {
            if let Statement::Variable(variable) = statement
                && variable.space == Space::Shared
            {
                let key = (function.name, index);
                match put(variable) {
                    Some(at) => {
                        shared.of_function.insert(key, at);
                    }
                    None => dynamic_local.push(key),
                }
            }
        }
    }
    let end = u32::try_from(end.next_multiple_of(dynamic_align)).unwrap_or(u32::MAX);
    shared.end = end;
    shared
        .of_module
        .extend(dynamic.into_iter().map(|name| (name, end)));
    shared
        .of_function
        .extend(dynamic_local.into_iter().map(|key| (key, end)));
    shared
}
