//! A module of LLVM IR step by step: read, linked with others, verified, compiled. For programs that collect modules
//! and look at them in between; [`compile`](crate::compile()) and [`link`](crate::link()) take sources and do all of it.

use crate::compile::{read_only, verified};
use crate::door::enter;
use crate::link::linked;
use crate::{Llvm, Observer, Options, Ptx, Source};
use std::sync::Arc;
use warpc_diag::{Diagnostics, Output, SourceFile, Span};
use warpc_nvvm::LinkOptions;

/// A module to link with others.
#[derive(Debug)]
pub struct Part {
    /// Where it was read from, for diagnostics.
    pub source: Source,
    /// The module.
    pub llvm: Llvm,
    /// Take only what the parts before it refer to and lack, and make that internal: a library of device functions.
    pub lazy: bool,
}

impl Llvm {
    /// Reads a module of LLVM IR or MLIR. Nothing is verified but what reading needs.
    pub fn read(source: &Source) -> Output<Llvm> {
        enter(source, || {
            let mut output = read_only(source);
            output.diagnostics.sort_by_place();
            output.map(|module| Llvm {
                module,
                file: Some(source.shown()),
            })
        })
    }

    /// Links parts into one module, one after another. A single part stays as it is.
    ///
    /// ```
    /// use warpc::{Llvm, Options, Part, Source};
    ///
    /// let part = |name: &str, text: &str, lazy| {
    ///     let source = Source::new(name, text).unwrap();
    ///     let llvm = Llvm::read(&source).unwrap();
    ///     Part { source, llvm, lazy }
    /// };
    /// let user = part("user.ll", "declare i32 @f()\ndefine i32 @g() {\n  %x = call i32 @f()\n  ret i32 %x\n}\n", false);
    /// let library = "define i32 @f() {\n  ret i32 7\n}\ndefine i32 @unused() {\n  ret i32 8\n}\n";
    /// let llvm = Llvm::link(vec![user, part("library.ll", library, true)], &Options::default()).unwrap();
    /// let text = llvm.to_string();
    /// assert!(text.contains("define internal i32 @f()") && !text.contains("unused"), "{text}");
    /// ```
    pub fn link(mut parts: Vec<Part>, options: &Options) -> Output<Llvm> {
        if let [_] = parts[..]
            && let Some(only) = parts.pop()
        {
            return Output::new(only.llvm, Diagnostics::new());
        }
        let sources: Vec<Source> = parts.iter().map(|part| part.source.clone()).collect();
        let Some(first) = sources.first() else {
            return Output::failed(Diagnostics::of(crate::link::nothing()));
        };
        enter(first, || {
            let modules = parts.into_iter().map(|part| {
                let how = LinkOptions {
                    only_needed: part.lazy,
                    internalize_added: part.lazy,
                };
                (part.llvm.module, how)
            });
            linked(warpc_nvvm::link_each(modules), &sources, options)
        })
    }

    /// Checks LLVM's rules and those of code for a GPU.
    pub fn verify(&self, options: &Options) -> Diagnostics {
        let checked = self.inside(|| {
            let mut diagnostics = warpc_nvvm::verify(&self.module);
            if !diagnostics.has_errors() {
                diagnostics.append(warpc_nvvm::verify_nvvm(&self.module, options.rules));
            }
            Output::new((), diagnostics)
        });
        checked.diagnostics
    }

    /// The module as bitcode, in the dialect that the options choose.
    ///
    /// ```
    /// use warpc::{BitcodeDialect, Llvm, Options, Source};
    ///
    /// let source = Source::new("k.ll", "define ptx_kernel void @k() {\n  ret void\n}\n")?;
    /// let mut options = Options::default();
    /// options.bitcode.dialect = BitcodeDialect::Current;
    /// let bytes = Llvm::read(&source).unwrap().to_bitcode(&options).unwrap();
    /// assert!(bytes.starts_with(b"BC"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_bitcode(&self, options: &Options) -> Output<Vec<u8>> {
        self.inside(|| warpc_nvvm::write_bitcode(&self.module, &options.bitcode))
    }

    /// Verifies and compiles the module.
    pub fn compile(self, options: &Options) -> Output<Ptx> {
        self.compile_observed(options, &mut ())
    }

    /// The same, with an observer that is told about each pass.
    pub fn compile_observed(self, options: &Options, observer: &mut dyn Observer) -> Output<Ptx> {
        let place = Llvm {
            module: warpc_nvvm::Module::default(),
            file: self.file.clone(),
        };
        place.inside(|| {
            let read = verified(self.module, options, |_| true);
            crate::compile::read_to_ptx(read, options, observer)
        })
    }

    /// Changes the module inside the door.
    pub(crate) fn change(
        &mut self,
        change: impl FnOnce(&mut warpc_nvvm::Module) -> Diagnostics,
    ) -> Diagnostics {
        let mut module = std::mem::take(&mut self.module);
        let changed = self.inside(|| {
            let diagnostics = change(&mut module);
            Output::new(module, diagnostics)
        });
        self.module = changed.value.unwrap_or_default();
        changed.diagnostics
    }

    /// Does work on the module inside the door. Places in a module that was linked are places in several texts, so they
    /// are left out.
    fn inside<T>(&self, work: impl FnOnce() -> Output<T>) -> Output<T> {
        let nameless = || {
            let empty = SourceFile::new("linked module", "").expect("an empty file is short");
            Arc::new(empty)
        };
        let file = self.file.clone().unwrap_or_else(nameless);
        let mut output = crate::failure::guarded(&file, work).unwrap_or_else(Output::failed);
        if self.file.is_none() {
            output.diagnostics.move_spans(|_| Span::NOWHERE);
        }
        output.diagnostics.in_file(&file);
        output
    }
}
