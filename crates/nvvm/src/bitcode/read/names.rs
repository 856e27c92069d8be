//! Names of values: symbol tables of modules and functions.

use super::{Read, Reader};
use crate::bitcode::codes::record::{block, value_symtab as code};
use crate::index::Id;
use crate::value::Block;

impl Reader<'_> {
    /// The names of globals, which newer files have in the string table.
    pub(super) fn module_names(&mut self) -> Read<()> {
        self.records(block::VALUE_SYMTAB, |reader, code| {
            let from = match code {
                code::ENTRY => 1,
                code::FNENTRY => 2,
                _ => return Ok(()),
            };
            let number = reader.op(0)?;
            if reader.ops.len() <= from {
                return Ok(());
            }
            let Some(&global) = usize::try_from(number)
                .ok()
                .and_then(|number| reader.globals.get(number))
            else {
                return Err(reader.fault(format!("it names value {number}, which is not a global")));
            };
            let name = reader.name(from);
            reader.module.globals[global].name = Some(name);
            Ok(())
        })
    }

    /// The names of the values and blocks of a function.
    pub(super) fn function_names(&mut self) -> Read<()> {
        self.records(block::VALUE_SYMTAB, |reader, code| {
            let number = reader.op(0)?;
            if reader.ops.len() < 2 {
                return Ok(());
            }
            match code {
                code::ENTRY => {
                    let Some(local) = reader.local_at(number) else {
                        return Err(reader.fault(format!(
                            "it names value {number}, which is not one of the function"
                        )));
                    };
                    let name = reader.name(1);
                    reader.function.body.locals[local].name = Some(name);
                }
                code::BBENTRY => {
                    if number >= reader.function.body.blocks.len() as u64 {
                        return Err(
                            reader.fault(format!("it names block {number}, which is not there"))
                        );
                    }
                    let name = reader.name(1);
                    reader.function.body.blocks[Block::new(number as usize)].name = Some(name);
                }
                _ => {}
            }
            Ok(())
        })
    }
}
