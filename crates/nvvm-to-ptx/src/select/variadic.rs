//! Functions with a variable number of arguments.
//!
//! The caller lays the arguments that the type of the function does not list into its local memory, each
//! at the alignment of its type, and passes a pointer to the first. A `va_list` is a pointer to the next
//! argument. LLVM's NVPTX back end does the same.

use super::Selector;
use super::address::{Address, Space};
use crate::abi::Passing;
use crate::code::{Arg, Class, Reg};
use crate::unit::Refused;
use warpc_diag::codes;
use warpc_nvvm::value::{InstId, Value};

impl Selector<'_, '_> {
    /// Stores arguments in local memory; the pointer to the first.
    pub(super) fn variadic_arguments(&mut self, values: &[Value]) -> Result<Arg, Refused> {
        let types = &self.module.types;
        let layout = &self.unit.layout;
        let mut end = 0u64;
        let mut align = 8;
        let mut offsets = Vec::with_capacity(values.len());
        for &value in values {
            let ty = self.type_of(value);
            let own = layout.align(types, ty);
            end = end.next_multiple_of(own);
            offsets.push(end);
            end += layout.stride(types, ty);
            align = align.max(own);
        }
        let start = self.frame.take(end, align);
        for (&value, offset) in values.iter().zip(offsets) {
            let ty = self.type_of(value);
            let base = self.frame_register(true);
            let address = Address {
                base: base.into(),
                offset: (start + offset) as i64,
                space: Space::Local,
            };
            let args = self.args(value)?;
            let align = self.unit.layout.align(&self.module.types, ty);
            self.store_parts("st.local", address, ty, &args, align)?;
        }
        let base = self.frame_register(false);
        let list = self.op(
            Class::B64,
            "add.s64",
            &[base.into(), Arg::Int(start as i64)],
        )?;
        Ok(list.into())
    }

    /// Selects `llvm.va_start`, `llvm.va_copy` and `llvm.va_end`; whether the name is one of them.
    pub(super) fn variadic_intrinsic(&mut self, inst: InstId, name: &str) -> Result<bool, Refused> {
        let Some(name) = name.strip_prefix("llvm.va_") else {
            return Ok(false);
        };
        let operands = self.body.operands(inst);
        match name.split('.').next() {
            Some("start") => {
                let Some(param) = self.abi.variadic.clone() else {
                    let message = "`va_start` in a function whose arguments are all listed";
                    return Err(self.refuse(codes::UNSUPPORTED, message));
                };
                debug_assert!(matches!(param.passing, Passing::Scalar(_)));
                let at = self.code.address(Arg::Name(param.name), 0);
                let list = self.op(Class::B64, "ld.param.b64", &[at])?;
                self.store_list(operands[0], list)?;
            }
            Some("copy") => {
                let list = self.load_list(operands[1])?;
                self.store_list(operands[0], list)?;
            }
            Some("end") => {}
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Selects `va_arg`: the next argument.
    pub(super) fn va_arg(&mut self, inst: InstId) -> Result<(), Refused> {
        let list = self.body.operands(inst)[0];
        let ty = self.body.insts[inst].ty;
        let types = &self.module.types;
        let align = self.unit.layout.align(types, ty);
        let size = self.unit.layout.stride(types, ty);
        let mut next = self.load_list(list)?;
        if align > 1 {
            let up = self.op(
                Class::B64,
                "add.s64",
                &[next.into(), Arg::Int(align as i64 - 1)],
            )?;
            next = self.op(
                Class::B64,
                "and.b64",
                &[up.into(), Arg::Int(-(align as i64))],
            )?;
        }
        let results = self.results(inst)?;
        let address = Address {
            base: next.into(),
            offset: 0,
            space: Space::Generic,
        };
        self.load_parts("ld", address, ty, &results, align)?;
        let after = self.op(Class::B64, "add.s64", &[next.into(), Arg::Int(size as i64)])?;
        self.store_list(list, after)
    }

    fn load_list(&mut self, list: Value) -> Result<Reg, Refused> {
        let address = self.address(list)?;
        let at = self.address_arg(address, 0);
        let mnemonic = format!("ld{}.b64", address.space.modifier());
        self.op(Class::B64, &mnemonic, &[at])
    }

    fn store_list(&mut self, list: Value, value: Reg) -> Result<(), Refused> {
        let address = self.address(list)?;
        let at = self.address_arg(address, 0);
        let mnemonic = format!("st{}.b64", address.space.modifier());
        self.emit(&mnemonic, &[at, value.into()])
    }
}
