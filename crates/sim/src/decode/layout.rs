//! Where variables and functions lie.

use crate::address;
use rustc_hash::FxHashMap;
use warpc_launch::functions::Functions;
use warpc_ptx::Module;
use warpc_ptx::module::{
    Function, InitAddress, InitItem, InitItems, Item, Linkage, Space, Statement, Variable,
};
use warpc_ptx::symbol::Symbol;

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
    /// The functions and their numbers.
    pub(crate) functions: Functions,
    /// Variables of the module in global and constant memory.
    pub(crate) variables: FxHashMap<Symbol, Placed>,
    /// Those that are declared inside functions: by the function's name and the statement.
    pub(crate) inside: FxHashMap<(Symbol, usize), Placed>,
}

impl Layout {
    /// Numbers the functions and finds the variables; `place` gives a variable its address.
    pub(crate) fn of(module: &Module, mut place: impl FnMut(&Variable, u64, u64) -> u64) -> Layout {
        let mut layout = Layout {
            functions: Functions::of(module),
            ..Layout::default()
        };
        for (index, item) in module.items.iter().enumerate() {
            match item {
                Item::Function(function) => {
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
        layout
    }

    /// The address of a variable or function as an initialiser has it.
    pub(crate) fn address_of(&self, symbol: Symbol) -> Option<u64> {
        let variable = self.variables.get(&symbol).map(|placed| placed.address);
        variable.or_else(|| {
            let number = self.functions.number(symbol);
            number.map(address::of_function)
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
