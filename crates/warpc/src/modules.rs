//! LLVM IR in any form: text, bitcode, files and archives with several modules, which are linked into one; and CUDA's
//! library of mathematical functions, which is linked where it is needed.

use crate::archive;
use crate::{Options, Source};
use std::sync::Arc;
use warpc_diag::{Diagnostic, Diagnostics, Output, Severity, SourceFile, Span, codes};
use warpc_nvvm::module::GlobalKind;
use warpc_nvvm::{LinkOptions, Module};

/// What the functions of CUDA's library start with.
const LIBDEVICE_PREFIX: &str = "__nv_";
/// So many functions are named in a message.
const SHOWN: usize = 3;

/// Reads a module of LLVM IR. Several modules in one input are linked.
pub(crate) fn read(source: &Source) -> Output<Module> {
    let bytes = source.bytes();
    if archive::is_archive(bytes) {
        return read_archive(source);
    }
    if warpc_nvvm::bitcode::is_bitcode(bytes) {
        return warpc_nvvm::bitcode::read_modules(source.file()).and_then(joined);
    }
    warpc_nvvm::read_text(source.file())
}

/// The modules of an archive, linked.
fn read_archive(source: &Source) -> Output<Module> {
    let refuse = |message: String, help: &str| {
        let error = Diagnostic::error(codes::BITCODE, Span::default(), message);
        Output::failed(Diagnostics::of(error.help(help)))
    };
    let members = match archive::members(source.bytes()) {
        Ok(members) => members,
        Err(wrong) => return refuse(wrong, "make the archive again with llvm-ar"),
    };
    let mut modules = Vec::new();
    let mut diagnostics = Diagnostics::new();
    for member in members {
        let name = format!("{}({})", source.name(), member.name);
        if !warpc_nvvm::bitcode::is_bitcode(member.bytes) {
            let message = format!(
                "the member `{}` of the archive is not LLVM bitcode",
                member.name
            );
            return refuse(
                message,
                "put only bitcode into the archive, or link the members apart",
            );
        }
        let Some(file) = SourceFile::new(name, member.bytes) else {
            return refuse("a member is too large".to_owned(), "split it");
        };
        let mut read = warpc_nvvm::bitcode::read_modules(&file);
        read.diagnostics.in_file(&shown_by_name(file.name()));
        diagnostics.append(read.diagnostics);
        match read.value {
            Some(read) => modules.extend(read),
            None => return Output::failed(diagnostics),
        }
    }
    Output::new((), diagnostics).and_then(|()| joined(modules))
}

/// A file of bytes as diagnostics show it: its name.
fn shown_by_name(name: &str) -> Arc<SourceFile> {
    Arc::new(SourceFile::new(name, "").expect("an empty file is short"))
}

/// Several modules of one input as one.
fn joined(mut modules: Vec<Module>) -> Output<Module> {
    if modules.len() == 1
        && let Some(module) = modules.pop()
    {
        return Output::new(module, Diagnostics::new());
    }
    if modules.is_empty() {
        let message = "there is no module in it";
        let error = Diagnostic::error(codes::BITCODE, Span::default(), message);
        let help = "make the file again; it is damaged, or was not written by LLVM";
        return Output::failed(Diagnostics::of(error.help(help)));
    }
    linked(modules, LinkOptions::default())
}

/// Modules linked, with what the linker has to say.
fn linked(modules: Vec<Module>, options: LinkOptions) -> Output<Module> {
    let linked = warpc_nvvm::link(modules, options);
    let mut diagnostics = Diagnostics::new();
    for message in &linked.messages {
        let diagnostic = match message.severity {
            Severity::Error => Diagnostic::error(message.code, Span::default(), &message.text),
            _ => Diagnostic::warning(message.code, Span::default(), &message.text),
        };
        diagnostics.push(diagnostic.help(message.help));
    }
    match linked.has_errors() {
        true => Output::failed(diagnostics),
        false => Output::new(linked.module, diagnostics),
    }
}

/// Links CUDA's library of mathematical functions into a module that calls some of them. Without the library a warning
/// names them: the PTX then refers to functions that nothing defines.
pub(crate) fn with_libdevice(module: Module, options: &Options) -> Output<Module> {
    let missing = missing_functions(&module);
    if missing.is_empty() {
        return Output::new(module, Diagnostics::new());
    }
    let Some(library) = &options.libdevice else {
        let message = format!(
            "the module calls {} of CUDA's libdevice, which nothing defines",
            shown(&missing)
        );
        let help = "give the library: `--libdevice FILE` (`-nvvmir-library FILE` of `warpc cicc`); it is \
            `nvvm/libdevice/libdevice.10.bc` of a CUDA toolkit or of the Python package nvidia-cuda-nvcc";
        let warning = Diagnostic::warning(codes::LIBDEVICE, Span::default(), message);
        return Output::new(module, Diagnostics::of(warning.help(help)));
    };
    let name = library.name();
    let mut read = read(library);
    if let Some(library) = &read.value {
        read.diagnostics.append(warpc_nvvm::verify(library));
    }
    read.diagnostics.in_file(&library.shown());
    let Output { value, diagnostics } = read;
    Output::new(value, diagnostics).and_then(|library| {
        let Some(mut library) = library else {
            return Output::failed(Diagnostics::new());
        };
        // The library is for every chip and layout of NVIDIA's GPUs.
        for (of_library, of_module) in [
            (&mut library.triple, module.triple),
            (&mut library.data_layout, module.data_layout),
        ] {
            *of_library = of_module.map(|name| library.names.intern(module.names.bytes(name)));
        }
        let how = LinkOptions {
            only_needed: true,
            internalize_added: true,
        };
        let mut output = linked(vec![module, library], how);
        let left = output.value.as_ref().map(missing_functions);
        if let Some(left) = left.filter(|left| !left.is_empty()) {
            let message = format!(
                "the library `{name}` does not define {}, which the module calls",
                shown(&left)
            );
            let help = "give the libdevice.10.bc of a CUDA toolkit that has them";
            let warning = Diagnostic::warning(codes::LIBDEVICE, Span::default(), message);
            output.diagnostics.push(warning.help(help));
        }
        output
    })
}

/// Whether a name is a builtin's, or is judged as one: those of the C++ atomics are made of parts.
fn is_builtin(name: &str) -> bool {
    name.starts_with("__nv_atomic_") || warpc_builtins::by_name(name).is_some()
}

/// Some functions by name.
fn shown(functions: &[String]) -> String {
    let first = functions.iter().take(SHOWN);
    let first: Vec<String> = first.map(|name| format!("`{name}`")).collect();
    match functions.len().saturating_sub(SHOWN) {
        0 => first.join(", "),
        more => format!("{} and {more} more", first.join(", ")),
    }
}

/// The functions of CUDA's library that a module declares and does not define.
fn missing_functions(module: &Module) -> Vec<String> {
    let mut missing = Vec::new();
    for (_, global, function) in module.functions() {
        let Some(name) = global.name else { continue };
        let name = module.names.bytes(name);
        let declared = function.body.is_none() && !matches!(global.kind, GlobalKind::Pending);
        let name = String::from_utf8_lossy(name);
        if declared && name.starts_with(LIBDEVICE_PREFIX) && !is_builtin(&name) {
            missing.push(name.into_owned());
        }
    }
    missing
}

#[cfg(test)]
mod tests {
    use super::*;

    const CALLER: &str = "declare float @__nv_sinf(float)\n\
        define ptx_kernel void @k(ptr addrspace(1) %p) {\n\
        \x20 %x = load float, ptr addrspace(1) %p\n  %y = call float @__nv_sinf(float %x)\n\
        \x20 store float %y, ptr addrspace(1) %p\n  ret void\n}\n";
    const LIBRARY: &str = "target triple = \"nvptx64-nvidia-gpulibs\"\n\
        define float @__nv_sinf(float %x) {\n  %y = fmul float %x, 2.0\n  ret float %y\n}\n\
        define float @__nv_cosf(float %x) {\n  ret float %x\n}\n";

    fn bitcode(name: &str, text: &str) -> Source {
        let file = SourceFile::new(name, text).expect("a short text");
        let module = warpc_nvvm::read_text(&file).unwrap();
        let options = warpc_nvvm::BitcodeOptions::default();
        let bytes = warpc_nvvm::write_bitcode(&module, &options).unwrap();
        Source::new(name, bytes).expect("it is short")
    }

    #[test]
    fn the_library_is_linked_where_it_is_needed() {
        let source = bitcode("k.bc", CALLER);
        let mut options = Options::new("sm_90".parse().expect("a chip"));
        let without = crate::compile(&source, &options);
        let said = without.diagnostics.to_string();
        assert!(said.contains("`__nv_sinf` of CUDA's libdevice"), "{said}");
        assert!(said.contains("--libdevice"), "{said}");
        let lacking = LIBRARY.replace("sinf", "tanf");
        options.libdevice = Some(bitcode("other.bc", &lacking));
        let said = crate::compile(&source, &options).diagnostics.to_string();
        assert!(
            said.contains("`other.bc` does not define `__nv_sinf`"),
            "{said}"
        );
        options.libdevice = Some(bitcode("libdevice.10.bc", LIBRARY));
        let with = crate::compile(&source, &options);
        assert!(
            with.diagnostics.as_slice().is_empty(),
            "{}",
            with.diagnostics
        );
        let ptx = with.value.expect("it compiles").to_string();
        assert!(!ptx.contains(".extern"), "{ptx}");
        assert!(!ptx.contains("cosf"), "{ptx}");
    }

    #[test]
    fn builtins_are_not_of_the_library() {
        let text = "declare i32 @__nv_atomic_fetch_add_4_u(ptr, i32, i32, i32)\n\
            declare i32 @__nv_p2r(i32)\ndeclare float @__nv_sinf(float)\n";
        let file = SourceFile::new("k.ll", text).expect("a short text");
        let module = warpc_nvvm::read_text(&file).unwrap();
        assert_eq!(missing_functions(&module), ["__nv_sinf"]);
    }

    #[test]
    fn bitcode_and_archives_are_read_whatever_their_names() {
        let source = bitcode("k.ll", CALLER);
        assert_eq!(source.kind(), crate::Kind::Llvm);
        let checked = crate::check(&source, &Options::default());
        assert!(!checked.diagnostics.has_errors(), "{}", checked.diagnostics);
        let library = bitcode("lib.bc", LIBRARY);
        let mut archive = b"!<arch>\n".to_vec();
        for source in [&source, &library] {
            let data = source.bytes();
            archive.extend(format!("{:<48}{:<10}`\n", "m.bc/", data.len()).into_bytes());
            archive.extend_from_slice(data);
            archive.resize(archive.len().next_multiple_of(2), b'\n');
        }
        let mut damaged = archive.clone();
        let len = damaged.len();
        damaged[len - library.bytes().len() / 2..].fill(0xFF);
        let damaged = Source::new("libm.a", damaged).expect("an archive");
        let said = crate::check(&damaged, &Options::default()).diagnostics;
        assert!(said.to_string().contains("libm.a(m.bc)"), "{said}");
        let archive = Source::new("libm.a", archive).expect("an archive");
        let ptx = crate::compile(&archive, &Options::default())
            .value
            .expect("it compiles");
        assert!(!ptx.to_string().contains(".extern"));
    }
}
