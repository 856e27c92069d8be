//! Small kernels of PTX as litmus tests: a module with one kernel, and comments that say how it is launched.
//!
//! ```text
//!   // litmus: grid 2, block 1
//!   // litmus: init x = 0
//!   // litmus: exists (P1:%r1 == 1 /\ P1:%r2 == 0)
//! ```
//!
//! Threads are `P0`, `P1` … in order: all of the first block, then those of the next. The subset is in
//! [`translate`]; accesses name variables of the module, directly or by a register that holds an address all the time.

mod launch;
mod memory;
mod translate;
mod types;

use crate::read::{Test, read_condition};
use warpc_diag::{Diagnostic, Diagnostics, Output, SourceFile, codes};
use warpc_model::axioms::{Place, Thread};

/// Whether a text is PTX: its first word, after comments, is `.version`.
pub(crate) fn is_kernel(file: &SourceFile) -> bool {
    let text = String::from_utf8_lossy(file.bytes());
    let lines = text.lines().map(str::trim);
    let mut code = lines.filter(|line| !line.is_empty() && !line.starts_with("//"));
    code.next().is_some_and(|line| line.starts_with(".version"))
}

/// Reads a kernel.
pub(crate) fn read(file: &SourceFile) -> Output<Test> {
    warpc_ptx::check(file).and_then(|module| match with_module(file, &module) {
        Ok((test, diagnostics)) => Output::new(test, diagnostics),
        Err(error) => Output::failed(Diagnostics::of(*error)),
    })
}

fn with_module(
    file: &SourceFile,
    module: &warpc_ptx::Module,
) -> Result<(Test, Diagnostics), Box<Diagnostic>> {
    let launch = launch::read(file)?;
    let mut kernels = module
        .functions()
        .filter(|function| function.body.is_some());
    let (Some(kernel), None) = (kernels.next(), kernels.next()) else {
        let message = "a litmus test has one kernel, and no other function";
        return Err(Box::new(Diagnostic::error(
            codes::LITMUS_KERNEL,
            module.header.version.0,
            message,
        )));
    };
    if let Some(parameter) = kernel.params.first() {
        let message = "a kernel with parameters is not read";
        let found = Diagnostic::error(codes::LITMUS_KERNEL, parameter.at.0, message);
        return Err(Box::new(
            found.help("access variables of the module: `.global .u32 x;`"),
        ));
    }
    let mut test = Test::empty();
    let mut memory = memory::Memory::default();
    for block in 0..launch.grid {
        for thread in 0..launch.block {
            let place = Place {
                gpu: 0,
                cluster: block / launch.cluster,
                cta: block,
            };
            let index = launch::Index {
                thread,
                block,
                launch: &launch,
            };
            let translated = translate::thread(file, module, kernel, &index, &mut memory)?;
            test.threads.push(format!("P{}", test.threads.len()));
            test.registers.push(translated.registers.clone());
            test.texts.push(translated.texts);
            test.program.threads.push(Thread {
                place,
                code: translated.code,
                registers: vec![0; translated.registers.len()],
            });
        }
    }
    memory.give(&launch, &mut test)?;
    let tokens = crate::lex::condition_tokens(&launch.condition.0, launch.condition.1)?;
    Ok(read_condition(&tokens, test))
}
