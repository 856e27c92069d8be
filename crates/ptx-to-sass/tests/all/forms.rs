//! The instructions of a record, read by `warpc-ptx` as parts of a kernel.

use warpc_diag::SourceFile;
use warpc_ptx::module::Statement;
use warpc_ptx_to_sass::{Description, Source, Unknown};

/// The registers that the instructions of the records name, by the letters before their numbers.
pub const REGISTERS: &str = ".reg .b32 %r<20>, %sa, %sb; .reg .f32 %f<20>; .reg .b64 %rd<20>, %ga, %ge, %pol; \
    .reg .f64 %fd<20>; .reg .b16 %h<20>; .reg .b128 %q<20>; .reg .pred %p<20>;";

/// A line of a record whose instruction `warpc-ptx` refuses.
pub type Refused = String;

/// The descriptions of instructions, each read as part of a kernel.
pub fn described<'t>(
    instructions: impl Iterator<Item = &'t str>,
) -> Vec<Result<Result<Description, Unknown>, Refused>> {
    instructions.map(read).collect()
}

fn read(instruction: &str) -> Result<Result<Description, Unknown>, Refused> {
    let text = format!(
        ".version 9.4\n.target sm_100a\n.address_size 64\n.entry k() {{ {REGISTERS}\n{instruction}\n}}\n"
    );
    let file = SourceFile::new("record.ptx", text).expect("a text of tolerable length");
    let parsed = warpc_ptx::parse(&file);
    if let Some(first) = parsed.diagnostics.as_slice().first() {
        return Err(first.message.clone());
    }
    let module = parsed.value.as_ref().unwrap();
    let function = module.functions().next().expect("a kernel");
    let body = function.body.as_ref().expect("a body");
    let mut instructions = body
        .statements
        .iter()
        .filter_map(|statement| match statement {
            Statement::Inst(inst) => Some(inst),
            _ => None,
        });
    let inst = instructions.next().expect("an instruction");
    let source = Source::of_inst(module, body, inst).expect("operands of the form");
    Ok(Description::of(source))
}
