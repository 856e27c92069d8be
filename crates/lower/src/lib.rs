//! Passes that make NVVM IR simple enough for instruction selection.
//!
//! ```text
//!   Module ──pass──► Module ──pass──► … ──► Module with what `warpc-nvvm-to-ptx` selects
//! ```
//!
//! A pass takes a module that [`warpc_nvvm::verify`] accepts and leaves one that it accepts; builds with
//! debug assertions check that after each pass. [`passes::PASSES`] is the list, in order. What a pass
//! cannot lower it refuses by name in a diagnostic.
//!
//! ```
//! let text = "define i32 @f() {\n  %x = call i32 @__nvvm_reflect(ptr @s)\n  ret i32 %x\n}\n\
//!     @s = private constant [12 x i8] c\"__CUDA_ARCH\\00\"\ndeclare i32 @__nvvm_reflect(ptr)\n";
//! let file = warpc_diag::SourceFile::new("f.ll", text).unwrap();
//! let mut module = warpc_nvvm::read_text(&file).unwrap();
//! let mut options = warpc_lower::Options::default();
//! options.sm = "sm_90".parse().unwrap();
//! let found = warpc_lower::run(&mut module, &options, &mut |_, _| {});
//! assert!(!found.has_errors());
//! assert!(warpc_nvvm::print(&module).contains("ret i32 900"));
//! ```

mod attach;
pub mod edit;
pub mod fold;
pub mod mbarrier;
mod pass;
pub mod passes;
pub mod shuffle;

pub use pass::{Atomics, Context, Options, Pass};
pub use passes::assembler_routine;

use warpc_diag::Diagnostics;
use warpc_nvvm::Module;

/// Replaces calls of NVVM builtins by what they mean, so that other tools of LLVM can take the module. One that
/// calls none stays as it is.
///
/// ```
/// let text = "declare void @__nvvm_membar_gl()\ndefine void @f() {\n  call void @__nvvm_membar_gl()\n  ret void\n}\n";
/// let file = warpc_diag::SourceFile::new("f.ll", text).unwrap();
/// let mut module = warpc_nvvm::read_text(&file).unwrap();
/// let found = warpc_lower::replace_builtins(&mut module, &warpc_lower::Options::default());
/// assert!(!found.has_errors());
/// assert!(warpc_nvvm::print(&module).contains("asm sideeffect \"membar.gl;\""));
/// ```
pub fn replace_builtins(module: &mut Module, options: &Options) -> Diagnostics {
    if !passes::declares_builtins(module) {
        return Diagnostics::new();
    }
    let options = Options {
        inline_atomics: true,
        ..options.clone()
    };
    let mut context = Context::new(module, &options);
    for pass in passes::PASSES {
        pass.run(module, &mut context);
        if context.found.has_errors() || pass.name == passes::LAST_OF_BUILTINS {
            break;
        }
    }
    context.found.sort_by_place();
    context.found
}

/// Makes a module fit to be linked with others. With `optimize` it also becomes smaller, without anything that depends on
/// the chip: that is asked when the program is whole.
///
/// ```
/// let text = "define i32 @f(i32 %x) {\n  %a = alloca i32\n  store i32 %x, ptr %a\n  %y = load i32, ptr %a\n  ret i32 %y\n}\n";
/// let file = warpc_diag::SourceFile::new("f.ll", text).unwrap();
/// let mut module = warpc_nvvm::read_text(&file).unwrap();
/// let options = warpc_lower::Options::default();
/// warpc_lower::prepare_for_linking(&mut module, &options, true);
/// assert!(warpc_nvvm::print(&module).contains("ret i32 %x"));
/// ```
pub fn prepare_for_linking(module: &mut Module, options: &Options, optimize: bool) -> Diagnostics {
    let mut context = Context::new(module, options);
    for pass in passes::before_linking(optimize) {
        pass.run(module, &mut context);
        if context.found.has_errors() {
            break;
        }
    }
    context.found.sort_by_place();
    context.found
}

/// Runs all passes. `after` is called after each, with its name and the module as it is then.
///
/// If the diagnostics have errors, the module is not fit for selection.
pub fn run(
    module: &mut Module,
    options: &Options,
    after: &mut dyn FnMut(&'static str, &Module),
) -> Diagnostics {
    let mut context = Context::new(module, options);
    for pass in passes::PASSES {
        pass.run(module, &mut context);
        after(pass.name, module);
        if context.found.has_errors() {
            break;
        }
    }
    context.found.sort_by_place();
    context.found
}
