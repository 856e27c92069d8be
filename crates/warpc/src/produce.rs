//! Modules to what a [`Mode`] of cicc writes: PTX, bitcode, LTO-IR, and PTX of whole programs.
//!
//! ```text
//!   source ─ read, verify ─ prepare ┐
//!   source ─ read, verify ─ prepare ┼─ link ─┬───────────────────────────► LTO-IR, OptiX IR, bitcode
//!   source ─ read, verify ─ prepare ┘        └─ (whole program: make ─┬──► PTX
//!                                                internal, drop)  ────┘
//! ```
//!
//! LTO-IR is the module before anything that depends on the chip, so a program that is linked from LTO-IR is the program
//! that is compiled from its sources at once.

use crate::compile::is_for_gpu;
use crate::{Llvm, Mode, Options, Part, Product, Ptx, Source};
use std::collections::HashSet;
use warpc_diag::{Diagnostics, Output};
use warpc_nvvm::Module;
use warpc_nvvm::inst::CallConv;
use warpc_nvvm::link::{drop_unused, internalize};
use warpc_nvvm::module::GlobalKind;

/// What a mode writes.
#[derive(Debug)]
#[non_exhaustive]
pub struct Produced {
    /// PTX.
    pub ptx: Option<Ptx>,
    /// A module that is written as bitcode: LTO-IR, OptiX IR or bitcode itself.
    pub llvm: Option<Llvm>,
}

/// Compiles modules of LLVM IR in the manner of cicc.
///
/// ```
/// use warpc::{Mode, Options, Product, Source};
///
/// let a = Source::new("a.ll", "declare i32 @f()\ndefine ptx_kernel void @k(ptr %p) {\n  %x = call i32 @f()\n  \
///     store i32 %x, ptr %p\n  ret void\n}\n")?;
/// let b = Source::new("b.ll", "define i32 @f() {\n  ret i32 7\n}\ndefine i32 @unused() {\n  ret i32 8\n}\n")?;
/// let options = Options::new("sm_90".parse()?);
/// let made = warpc::produce(&[a, b], Mode::of(Product::WholeLto), &options).into_result()?;
/// let ptx = made.ptx.unwrap().to_string();
/// // `f` is inlined where it is called, and nothing else needs it.
/// assert!(ptx.contains(".visible .entry k(") && !ptx.contains(".func"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn produce(sources: &[Source], mode: Mode, options: &Options) -> Output<Produced> {
    let mut parts = Vec::new();
    let mut diagnostics = Diagnostics::new();
    for source in sources {
        let read = Llvm::read(source).and_then(|llvm| prepared(llvm, mode, options));
        diagnostics.append(read.diagnostics);
        parts.extend(read.value.map(|llvm| Part {
            source: source.clone(),
            llvm,
            lazy: false,
        }));
    }
    if parts.len() < sources.len() {
        return Output::failed(diagnostics);
    }
    Output::new((), diagnostics).and_then(|()| link_prepared(parts, mode, options))
}

/// The same from modules that were read already, with libraries among them.
///
/// ```
/// use warpc::{Llvm, Mode, Options, Part, Product, Source};
///
/// let source = Source::new("f.ll", "define i32 @f() {\n  ret i32 7\n}\n")?;
/// let llvm = Llvm::read(&source).into_result()?;
/// let part = Part { source, llvm, lazy: false };
/// let options = Options::default();
/// let made = warpc::produce_parts(vec![part], Mode::of(Product::Lto), &options).into_result()?;
/// assert!(made.llvm.unwrap().to_bitcode(&options).into_result()?.starts_with(b"BC"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn produce_parts(parts: Vec<Part>, mode: Mode, options: &Options) -> Output<Produced> {
    let mut ready = Vec::new();
    let mut diagnostics = Diagnostics::new();
    let count = parts.len();
    for Part { source, llvm, lazy } in parts {
        let prepared = prepared(llvm, mode, options);
        diagnostics.append(prepared.diagnostics);
        ready.extend(prepared.value.map(|llvm| Part { source, llvm, lazy }));
    }
    if ready.len() < count {
        return Output::failed(diagnostics);
    }
    Output::new((), diagnostics).and_then(|()| link_prepared(ready, mode, options))
}

fn link_prepared(parts: Vec<Part>, mode: Mode, options: &Options) -> Output<Produced> {
    Llvm::link(parts, options).and_then(|llvm| from_linked(llvm, mode, options))
}

/// A module that was verified and can be linked.
fn prepared(mut llvm: Llvm, mode: Mode, options: &Options) -> Output<Llvm> {
    let mut diagnostics = llvm.verify(options);
    if diagnostics.has_errors() {
        return Output::failed(diagnostics);
    }
    let (target, _) = options.target_for(&llvm.module);
    let passes = options.passes(target);
    let optimize = mode.optimized_lto || mode.product == Product::Bitcode && options.level > 0;
    let found = llvm.change(|module| warpc_lower::prepare_for_linking(module, &passes, optimize));
    diagnostics.append(found);
    Output::new(llvm, diagnostics)
}

fn from_linked(mut llvm: Llvm, mode: Mode, options: &Options) -> Output<Produced> {
    if mode.product.is_whole_program() {
        let found = llvm.change(|module| {
            hide(module, options);
            Diagnostics::new()
        });
        if found.has_errors() {
            return Output::failed(found);
        }
    }
    match mode.product {
        Product::Lto | Product::OptixIr => only_llvm(llvm),
        Product::Bitcode => {
            // A module that is for no GPU is only written anew.
            let (target, mut diagnostics) = match is_for_gpu(&llvm.module) {
                true => options.target_for(&llvm.module),
                false => return only_llvm(llvm),
            };
            let passes = options.passes(target);
            diagnostics
                .append(llvm.change(|module| warpc_lower::replace_builtins(module, &passes)));
            Output::new((), diagnostics).and_then(|()| only_llvm(llvm))
        }
        Product::LtoAndPtx => {
            let copy = Llvm {
                module: llvm.module.clone(),
                file: llvm.file.clone(),
            };
            copy.compile(options).map(|ptx| Produced {
                ptx: Some(ptx),
                llvm: Some(llvm),
            })
        }
        Product::Ptx | Product::LinkedLto | Product::WholeLto => {
            llvm.compile(options).map(|ptx| Produced {
                ptx: Some(ptx),
                llvm: None,
            })
        }
    }
}

fn only_llvm(llvm: Llvm) -> Output<Produced> {
    let made = Produced {
        ptx: None,
        llvm: Some(llvm),
    };
    Output::new(made, Diagnostics::new())
}

/// Makes internal what only the program itself uses, and drops what it does not use. Kernels are launched by name, and
/// variables are looked up by name; where there is no kernel, the module is not a program, and all stays.
fn hide(module: &mut Module, options: &Options) {
    let lto = &options.lto;
    let chosen =
        |list: &[String], name: &str| list.is_empty() || list.iter().any(|one| one == name);
    let mut kept = HashSet::new();
    let mut has_kernel = false;
    for &id in &module.order {
        let global = &module.globals[id];
        let Some(name) = global.name else { continue };
        let text = module.names.text(name);
        let keep = match &global.kind {
            GlobalKind::Function(function) if function.conv == CallConv::PTX_KERNEL => {
                let keep = chosen(&lto.kernels, &text);
                has_kernel |= keep;
                keep
            }
            GlobalKind::Variable(_) => chosen(&lto.variables, &text),
            _ => false,
        };
        if keep {
            kept.insert(module.names.bytes(name).to_vec());
        }
    }
    if !has_kernel {
        return;
    }
    internalize(module, |name| kept.contains(name));
    drop_unused(module);
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAIN: &str = "target triple = \"nvptx64-nvidia-cuda\"\n@table = addrspace(1) global i32 5\ndeclare i32 @f()\n\
        define ptx_kernel void @k(ptr %p) {\n  %x = call i32 @f()\n  store i32 %x, ptr %p\n  ret void\n}\n\
        define ptx_kernel void @other() {\n  ret void\n}\n";
    const LIBRARY: &str = "target triple = \"nvptx64-nvidia-cuda\"\ndefine i32 @f() {\n  ret i32 7\n}\n\
        define i32 @unused() {\n  ret i32 8\n}\n";

    fn source(name: &str, text: &str) -> Source {
        Source::new(name, text).expect("a short text")
    }

    fn options() -> Options {
        Options::new("sm_90".parse().expect("a chip"))
    }

    fn produced(product: Product, options: &Options) -> Produced {
        let sources = [source("main.ll", MAIN), source("library.ll", LIBRARY)];
        let output = produce(&sources, Mode::of(product), options);
        let said = output.diagnostics.to_string();
        output.value.unwrap_or_else(|| panic!("{said}"))
    }

    #[test]
    fn each_mode_writes_what_its_name_says() {
        for product in Product::all() {
            let made = produced(product, &options());
            assert_eq!(made.ptx.is_some(), product.has_ptx(), "{product:?}");
            let llvm = !matches!(
                product,
                Product::Ptx | Product::LinkedLto | Product::WholeLto
            );
            assert_eq!(made.llvm.is_some(), llvm, "{product:?}");
            if let Some(ptx) = made.ptx {
                let has_unused = ptx.to_string().contains("unused");
                assert_eq!(has_unused, !product.is_whole_program(), "{product:?}");
            }
        }
    }

    #[test]
    fn programs_from_lto_ir_are_those_from_sources() {
        let ltoir = |name: &str, text: &str| {
            let made = produce(&[source(name, text)], Mode::of(Product::Lto), &options());
            let llvm = made.value.and_then(|made| made.llvm).expect("it compiles");
            source(name, &llvm.to_string())
        };
        let parts = [ltoir("main.ll", MAIN), ltoir("library.ll", LIBRARY)];
        let linked = produce(&parts, Mode::of(Product::LinkedLto), &options());
        let linked = linked.value.and_then(|made| made.ptx).expect("it links");
        let whole = produced(Product::WholeLto, &options()).ptx;
        assert_eq!(linked.to_string(), whole.expect("PTX").to_string());
    }

    #[test]
    fn kernels_and_variables_can_be_chosen() {
        let mut options = options();
        options.lto.kernels = vec!["k".to_owned()];
        options.lto.variables = vec!["none".to_owned()];
        let ptx = produced(Product::LinkedLto, &options).ptx.expect("PTX");
        let ptx = ptx.to_string();
        assert!(ptx.contains(".entry k(") && !ptx.contains("other"), "{ptx}");
        assert!(!ptx.contains("table"), "{ptx}");
        options.lto.kernels = vec!["missing".to_owned()];
        let ptx = produced(Product::LinkedLto, &options).ptx.expect("PTX");
        assert!(ptx.to_string().contains(".entry other("));
    }

    #[test]
    fn definitions_that_clash_are_named_with_their_files() {
        let sources = [source("a.ll", LIBRARY), source("b.ll", LIBRARY)];
        let output = produce(&sources, Mode::of(Product::WholeLto), &options());
        let said = output.diagnostics.to_string();
        assert!(said.contains("`@f` is defined twice"), "{said}");
        assert!(said.contains("b.ll:2:12"), "{said}");
    }
}
