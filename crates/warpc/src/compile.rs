//! LLVM IR and MLIR to PTX.

use crate::door::{enter, wrong_kind};
use crate::observe::Printed;
use crate::{Kind, Llvm, Observer, Options, Ptx, Source};
use warpc_diag::Output;

/// Compiles a module of LLVM IR or MLIR to PTX. What is compiled is a module for a GPU, so NVVM's rules hold for it: no
/// triple means nvptx64, another processor's is refused.
///
/// ```
/// use warpc::{Options, Source};
///
/// let source = Source::new("k.ll", "define ptx_kernel void @k() {\n  ret void\n}\n")?;
/// let ptx = warpc::compile(&source, &Options::new("sm_90".parse()?)).into_result()?;
/// assert!(ptx.to_string().starts_with(".version 7.8\n.target sm_90\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn compile(source: &Source, options: &Options) -> Output<Ptx> {
    compile_observed(source, options, &mut ())
}

/// The same, with an observer that is told about each pass.
pub fn compile_observed(
    source: &Source,
    options: &Options,
    observer: &mut dyn Observer,
) -> Output<Ptx> {
    enter(source, || to_ptx(source, options, observer))
}

/// The passes that an observer of a compilation is told about, in order: that the module was read, the passes over LLVM IR,
/// and the passes over the code of each function, which come once for each.
pub fn pass_names() -> impl Iterator<Item = &'static str> {
    let lower = warpc_lower::passes::PASSES.iter().map(|pass| pass.name);
    let read = std::iter::once("read");
    read.chain(lower).chain(warpc_nvvm_to_ptx::passes::names())
}

/// Compiles a module, inside the door.
pub(crate) fn to_ptx(
    source: &Source,
    options: &Options,
    observer: &mut dyn Observer,
) -> Output<Ptx> {
    read_to_ptx(read_llvm(source, options, |_| true), options, observer)
}

/// Compiles a module that was read and verified.
pub(crate) fn read_to_ptx(
    read: Output<warpc_nvvm::Module>,
    options: &Options,
    observer: &mut dyn Observer,
) -> Output<Ptx> {
    let Output {
        value,
        mut diagnostics,
    } = with_problem(read, options)
        .and_then(|module| crate::modules::with_libdevice(module, options));
    let Some(mut module) = value else {
        return Output::failed(diagnostics);
    };
    observer.after("read", &Printed(&module));
    let (target, about_target) = options.target_for(&module);
    diagnostics.append(about_target);
    let mut after = |pass, module: &warpc_nvvm::Module| observer.after(pass, &Printed(module));
    let found = warpc_lower::run(&mut module, &options.passes(target), &mut after);
    diagnostics.append(found);
    let mut output = Output::new((), diagnostics).and_then(|()| {
        let mut after = |pass, code: &dyn std::fmt::Display| observer.after(pass, code);
        let selection = options.selection(target);
        warpc_nvvm_to_ptx::compile_observed(&module, selection, &mut after)
    });
    output.diagnostics.sort_by_place();
    output.map(|module| Ptx { module })
}

/// Reads a module of LLVM IR or MLIR and replaces calls of NVVM builtins by what they mean on the target, so that
/// other tools of LLVM can take it. A module that calls none stays as it is, so one for another processor is only
/// written anew.
///
/// ```
/// use warpc::{Options, Source};
///
/// let text = "declare void @__nvvm_membar_gl()\ndefine void @f() {\n  call void @__nvvm_membar_gl()\n  ret void\n}\n";
/// let source = Source::new("k.ll", text)?;
/// let llvm = warpc::replace_builtins(&source, &Options::default()).into_result()?;
/// assert!(llvm.to_string().contains("membar.gl;"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn replace_builtins(source: &Source, options: &Options) -> Output<Llvm> {
    enter(source, || {
        let read = read_llvm(source, options, is_for_gpu);
        with_problem(read, options).and_then(|mut module| {
            let (target, mut diagnostics) = options.target_for(&module);
            let passes = options.passes(target);
            diagnostics.append(warpc_lower::replace_builtins(&mut module, &passes));
            let file = Some(source.shown());
            Output::new(Llvm { module, file }, diagnostics)
        })
    })
}

/// The output with what is wrong with the options themselves.
fn with_problem<T>(mut output: Output<T>, options: &Options) -> Output<T> {
    if let Some(problem) = options.problem() {
        output.diagnostics.push(problem);
        output.value = None;
    }
    output
}

/// Reads and verifies a module of LLVM IR or MLIR; NVVM's rules hold for it if the last argument says so.
pub(crate) fn read_llvm(
    source: &Source,
    options: &Options,
    for_gpu: fn(&warpc_nvvm::Module) -> bool,
) -> Output<warpc_nvvm::Module> {
    let mut output = read_only(source).and_then(|module| verified(module, options, for_gpu));
    output.diagnostics.sort_by_place();
    output
}

/// Reads a module of LLVM IR or MLIR without verifying it.
pub(crate) fn read_only(source: &Source) -> Output<warpc_nvvm::Module> {
    match source.kind() {
        Kind::Llvm => crate::modules::read(source),
        #[cfg(feature = "mlir")]
        Kind::Mlir => warpc_mlir::read(source.file()),
        #[cfg(not(feature = "mlir"))]
        Kind::Mlir => crate::door::left_out("modules of MLIR", "mlir"),
        _ => wrong_kind(source, &[Kind::Llvm, Kind::Mlir]),
    }
}

/// Verifies a module; NVVM's rules hold for it if the last argument says so. A version of NVVM IR that is not known is an
/// error whatever the triple.
pub(crate) fn verified(
    module: warpc_nvvm::Module,
    options: &Options,
    for_gpu: fn(&warpc_nvvm::Module) -> bool,
) -> Output<warpc_nvvm::Module> {
    let mut diagnostics = warpc_nvvm::verify(&module);
    if !diagnostics.has_errors() {
        diagnostics.append(match for_gpu(&module) {
            true => warpc_nvvm::verify_nvvm(&module, options.rules),
            false => warpc_nvvm::verify_version(&module, options.rules),
        });
    }
    Output::new(module, diagnostics)
}

/// Whether the triple of a module says that it is for NVIDIA's GPUs.
pub(crate) fn is_for_gpu(module: &warpc_nvvm::Module) -> bool {
    let triple = module.triple.map(|triple| module.names.bytes(triple));
    triple.is_some_and(|triple| triple.starts_with(b"nvptx"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The PTX of a module as text.
    fn compiled(text: &str) -> String {
        let source = Source::new("k.ll", text).expect("a short text");
        let made = compile(&source, &Options::new("sm_90".parse().expect("a chip")));
        made.value.expect("it compiles").to_string()
    }

    const SUM: &str = "define ptx_kernel void @sum(ptr addrspace(1) %a, ptr addrspace(1) %b) {\n\
        %x = load i32, ptr addrspace(1) %a\n  %y = load i32, ptr addrspace(1) %b\n\
        %z = add i32 %x, %y\n  store i32 %z, ptr addrspace(1) %a\n  ret void\n}\n";

    #[test]
    fn the_same_module_gives_the_same_bytes_whatever_its_kernel_is_called() {
        let first = compiled(SUM);
        assert_eq!(first, compiled(SUM));
        let renamed = compiled(&SUM.replace("@sum", "@a_kernel_of_another_name"));
        assert_ne!(renamed, first);
        assert_eq!(renamed.replace("a_kernel_of_another_name", "sum"), first);
    }

    #[test]
    fn observers_see_every_pass() {
        #[derive(Default)]
        struct Names(Vec<&'static str>, usize);
        impl Observer for Names {
            fn after(&mut self, pass: &'static str, code: &dyn std::fmt::Display) {
                self.0.push(pass);
                self.1 += usize::from(code.to_string().contains("sum"));
            }
        }
        let mut names = Names::default();
        let source = Source::new("k.ll", SUM).expect("a short text");
        let made = compile_observed(&source, &Options::default(), &mut names);
        assert!(made.value.is_some());
        assert_eq!(names.0.first(), Some(&"read"));
        assert_eq!(names.0.last(), Some(&"merge_fences"));
        assert!(names.0.iter().copied().eq(pass_names()), "{:?}", names.0);
        assert_eq!(names.1, names.0.len());
    }

    #[test]
    fn other_inputs_are_refused() {
        let source = Source::new("k.ptx", ".version 8.0\n").expect("a short text");
        let made = compile(&source, &Options::default());
        let text = made.diagnostics.to_string();
        assert!(text.contains("this is PTX (.ptx)"), "{text}");
        assert!(text.contains("k.ptx"), "{text}");
    }
}
