//! What a linker fills in where a relocatable object is made: places of variables, functions and kernels.
//!
//! Source: what ptxas 13.4 emits with `-c`. Addresses are numbers in two `MOV`; a variable of shared or constant memory is
//! one, counted from the beginning of the linked program's.

use super::operand::Base;
use super::{Builder, Outcome, object_data};
use crate::ir::{File, Op, Reg};
use warpc_launch::shared::shared_begin;
use warpc_ptx::module::{Function, FunctionKind, Item, Variable};
use warpc_ptx::symbol::Symbol;
use warpc_sass::Value;

/// `R_CUDA_ABS32_LO_32`, `R_CUDA_ABS32_HI_32`: the address of a variable.
const VARIABLE: [u32; 2] = [0x38, 0x39];
/// `R_CUDA_UNIFIED32_LO_32`, `R_CUDA_UNIFIED32_HI_32`: the address of a function, whose calls have [`TAKEN`], or of a variable
/// that several programs share.
pub(crate) const UNIFIED: [u32; 2] = [0x70, 0x71];
/// `R_CUDA_FUNC_DESC32_LO_32`, `R_CUDA_FUNC_DESC32_HI_32`: what the system starts a kernel by.
pub(crate) const KERNEL: [u32; 2] = [0x3e, 0x3f];
/// `R_CUDA_ABS32_32`: the place of a variable in shared memory.
const SHARED: u32 = 0x37;
/// `R_CUDA_ABS16_32`: the place of a variable in constant memory.
const CONSTANT: u32 = 0x3b;
/// `R_CUDA_CONST_FIELD21_38`: the place of a handle in bank 0, in `LDC`.
const HANDLE: u32 = 0x42;
/// `R_CUDA_ABS55_16_34`: where a call goes.
pub(crate) const CALL: u32 = 0x4b;
/// `R_CUDA_ABS56_16_34`: what is added to the address that a call has in registers.
pub(super) const TAKEN: u32 = 0x72;
/// The symbol of that: zero, where functions of several programs do not share a table.
pub(crate) const TABLE: &str = "__UFT_OFFSET";
/// The symbol of the bytes of constant memory.
pub(crate) const CONSTANT_BYTES: &str = ".nv.ptx.const0.size";

/// The symbol of a variable in shared memory that a function declares: several functions may have one of the same name.
pub(crate) fn own_shared(function: &str, variable: &str, statement: usize) -> String {
    format!("${function}${variable}${statement}")
}

/// How the parameters and results of a function are called in an object: a linker matches calls by address with the
/// functions whose addresses are taken. Source: ptxas 13.4, asked type by type.
pub(crate) fn prototype(params: &[Variable], returns: &[Variable]) -> String {
    let mut text = "#".to_owned();
    if returns.is_empty() {
        text.push('v');
    }
    for variable in returns.iter().chain(params) {
        let bytes = variable.bytes().unwrap_or(0);
        let size = u64::from(variable.ty.bytes().max(1));
        let letter = match (variable.ty.bits(), variable.ty.is_float()) {
            (32, true) => 'f',
            (64, true) => 'd',
            (32, false) => 'i',
            (64, false) => 'l',
            _ => 'b',
        };
        text.push(letter);
        let is_one = variable.dims.is_empty();
        match letter {
            'b' => text.push_str(&bytes.to_string()),
            _ if !is_one => text.push_str(&(bytes / size).to_string()),
            _ => {}
        }
    }
    text
}

/// The same of a function.
pub(crate) fn prototype_of(function: &Function) -> String {
    prototype(&function.params, &function.returns)
}

impl Builder<'_> {
    /// A number that a linker knows, in a register.
    fn linked_number(&mut self, kind: u32, symbol: &str) -> Outcome<Reg> {
        let reg = self.ir.reg(File::Register, 1);
        self.linked_to(Op::Reg(reg, 0), kind, symbol)?;
        Ok(reg)
    }

    fn linked_to(&mut self, to: Op, kind: u32, symbol: &str) -> Outcome<()> {
        let link = self.ir.linked(kind, symbol);
        self.step_with("MOV R0, 0x10", &[to], link)
    }

    /// The handle of a texture, sampler or surface, from where a linker puts it in bank 0 for each kernel.
    pub(super) fn linked_handle(&mut self, to: Op, symbol: Symbol) -> Outcome<()> {
        let module = self.module;
        let link = self.ir.linked(HANDLE, module.name(symbol));
        self.step("LDC R0, c[0x0][0x10]", None, &[to])?;
        let last = self.current.insts.last_mut();
        let mut operands = last.into_iter().flat_map(|inst| &mut inst.operands);
        match operands.find(|one| one.op == Op::Value(Value::Number(0x10))) {
            Some(operand) => operand.op = link,
            None => return Err(self.refuse("handles in constant memory")),
        }
        Ok(())
    }

    /// The address of a variable in global memory, a function or a kernel.
    pub(super) fn linked_address(&mut self, symbol: Symbol) -> Outcome<Reg> {
        let number = self.functions.number(symbol);
        let own = number.and_then(|one| self.functions.definition(self.module, one));
        let is_kernel = own.is_some_and(|own| own.kind == FunctionKind::Entry);
        let kinds = match number {
            Some(_) if is_kernel => KERNEL,
            Some(_) => UNIFIED,
            None if self.is_unified(symbol) => UNIFIED,
            None => VARIABLE,
        };
        let pair = self.ir.reg(File::Register, 2);
        let module = self.module;
        for (lane, kind) in (0..).zip(kinds) {
            self.linked_to(Op::Reg(pair, lane), kind, module.name(symbol))?;
        }
        Ok(pair)
    }

    /// Whether a variable is one that several programs share.
    fn is_unified(&self, symbol: Symbol) -> bool {
        self.module.items.iter().any(|item| match item {
            Item::Variable(one) if one.name == symbol => object_data::unified(one).is_some(),
            _ => false,
        })
    }

    /// What the address of a variable in shared memory is counted from, and how far it is.
    pub(super) fn linked_shared(&mut self, number: u32) -> Outcome<(Base, i64)> {
        let name = self.shared_names[number as usize].clone();
        let place = self.linked_number(SHARED, &name)?;
        let sum = self.ir.reg(File::Register, 1);
        let ops = [
            Op::Reg(sum, 0),
            Op::Reg(self.shared_base(), 0),
            Op::Reg(place, 0),
        ];
        self.step("IADD3 R0, R0, R0, RZ", None, &ops)?;
        // A linker counts from the end of what the system keeps.
        Ok((Base::LinkedShared(sum), shared_begin(self.sm).into()))
    }

    /// The same of a variable in constant memory.
    pub(super) fn linked_constant(&mut self, symbol: Symbol) -> Outcome<(Base, i64)> {
        let module = self.module;
        let place = self.linked_number(CONSTANT, module.name(symbol))?;
        Ok((Base::LinkedConst(place), 0))
    }

    /// The bytes of constant memory in a register.
    pub(super) fn constant_bytes(&mut self) -> Outcome<Reg> {
        match self.options.relocatable {
            true => self.linked_number(SHARED, CONSTANT_BYTES),
            false => self.number(self.data.constant_bytes),
        }
    }
}
