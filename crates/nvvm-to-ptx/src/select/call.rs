//! Calls and returns of functions, parameters of the function itself.

use super::Selector;
use crate::code::Arg;
use crate::unit::Refused;
use warpc_diag::codes;
use warpc_nvvm::function::Def;
use warpc_nvvm::value::{InstId, Local, Value};

impl Selector<'_, '_> {
    pub(super) fn call_function(&mut self, inst: InstId) -> Result<(), Refused> {
        let _ = inst;
        Err(self.refuse(
            codes::UNSUPPORTED,
            "calls of functions are not supported yet",
        ))
    }

    /// Leaves the function, with a value if there is one.
    pub(super) fn return_value(&mut self, value: Option<Value>) -> Result<(), Refused> {
        if value.is_some() {
            return Err(self.refuse(codes::UNSUPPORTED, "returned values are not supported yet"));
        }
        self.emit("ret", &[])
    }

    /// Loads the parameters that were asked for; the lines stand at the start of the function.
    pub fn load_params(&mut self) -> Result<(), Refused> {
        let params: Vec<(Local, u32)> = self
            .body
            .locals
            .iter()
            .filter_map(|(local, data)| match data.def {
                Def::Param(index) => Some((local, index)),
                _ => None,
            })
            .collect();
        for (local, index) in params {
            if !self.is_asked(local) {
                continue;
            }
            let Some(param) = self.abi.params.get(index as usize).cloned() else {
                continue;
            };
            let results = self.local(local)?;
            let pieces = self.pieces(param.ty)?;
            for (piece, &result) in pieces.iter().zip(&results) {
                let at = self
                    .code
                    .address(Arg::Name(param.name), piece.offset as i64);
                let mnemonic = format!("ld.param.b{}", self.code.class(result).bits());
                self.emit(&mnemonic, &[result.into(), at])?;
            }
        }
        Ok(())
    }
}
