//! Bodies by rule: a builtin that is an intrinsic, or one PTX instruction, under another name.

use std::fmt::Write;
use warpc_builtins::{Builtin, Signature};

/// The body of a builtin that a rule covers.
pub(super) fn text(builtin: &Builtin) -> Option<String> {
    let signature = builtin.signature?;
    if let Some(instruction) = packed_instruction(builtin.name) {
        return Some(by_instruction(builtin.name, &signature, &instruction));
    }
    let intrinsic = intrinsic(builtin.name)?;
    Some(by_intrinsic(builtin.name, &signature, &intrinsic))
}

/// `__nvvm_mul_rn_ftz_f` is `llvm.nvvm.mul.rn.ftz.f`. A name of LLVM that has its own underscores has none here.
fn intrinsic(name: &str) -> Option<String> {
    let rest = name.strip_prefix("__nvvm_")?;
    if rest == "lg2_approx_d" {
        // LLVM has a name for it, PTX no instruction.
        return None;
    }
    let intrinsic = format!("llvm.nvvm.{}", rest.replace('_', "."));
    warpc_nvvm::is_intrinsic(intrinsic.as_bytes()).then_some(intrinsic)
}

/// `__nvvm_mul_rn_ftz_f2` is `mul.rn.ftz.f32x2`.
fn packed_instruction(name: &str) -> Option<String> {
    let rest = name.strip_prefix("__nvvm_")?.strip_suffix("_f2")?;
    let first = rest.split('_').next()?;
    matches!(first, "mul" | "add" | "fma").then(|| format!("{}.f32x2", rest.replace('_', ".")))
}

fn head(name: &str, signature: &Signature) -> (String, Vec<String>) {
    let args: Vec<String> = signature
        .params()
        .iter()
        .enumerate()
        .map(|(index, &param)| format!("{} %{index}", param.llvm()))
        .collect();
    let result = signature.result.llvm();
    let head = format!("define {result} @{name}({}) {{\n", args.join(", "));
    (head, args)
}

fn by_intrinsic(name: &str, signature: &Signature, intrinsic: &str) -> String {
    let (mut text, args) = head(name, signature);
    let result = signature.result.llvm();
    let args = args.join(", ");
    let _ = match result {
        "void" => writeln!(text, "  call void @{intrinsic}({args})\n  ret void\n}}"),
        _ => writeln!(
            text,
            "  %r = call {result} @{intrinsic}({args})\n  ret {result} %r\n}}"
        ),
    };
    let types: Vec<&str> = signature.params().iter().map(|&ty| ty.llvm()).collect();
    let _ = writeln!(text, "declare {result} @{intrinsic}({})", types.join(", "));
    text
}

/// An instruction on pairs of numbers in registers of 64 bits.
fn by_instruction(name: &str, signature: &Signature, instruction: &str) -> String {
    let (mut text, args) = head(name, signature);
    let mut operands = Vec::new();
    let mut constraints = String::from("=l");
    let mut words = String::from("$0");
    for (index, arg) in args.iter().enumerate() {
        let _ = writeln!(text, "  %b{index} = bitcast {arg} to i64");
        operands.push(format!("i64 %b{index}"));
        constraints.push_str(",l");
        let _ = write!(words, ", ${}", index + 1);
    }
    let operands = operands.join(", ");
    let _ = writeln!(
        text,
        "  %r = call i64 asm \"{instruction} {words};\", \"{constraints}\"({operands})\n  \
         %v = bitcast i64 %r to <2 x float>\n  ret <2 x float> %v\n}}"
    );
    text
}

/// The intrinsic of a walk over variable arguments, which takes the same arguments.
pub(super) fn walk(name: &str) -> Option<&'static str> {
    Some(match name {
        "__cu_va_start" => "llvm.va_start.p0",
        "__cu_va_end" => "llvm.va_end.p0",
        "__cu_va_copy" => "llvm.va_copy.p0",
        _ => return None,
    })
}

/// Why a builtin has no body, and what to do.
pub(super) fn why_not(builtin: &Builtin) -> (&'static str, &'static str) {
    match builtin.name {
        "__nvvm_ex2_approx_d" | "__nvvm_lg2_approx_d" => (
            "has no instruction: PTX approximates it in single precision only",
            "use the `_f` builtin, or `__nv_exp2`/`__nv_log2` of libdevice",
        ),
        "__nv_tex_surf_handler" => (
            "needs the name of the operation and types that LLVM IR does not carry",
            "call the `llvm.nvvm.tex.*`, `tld4` and `suld` intrinsics",
        ),
        "__cu_va_arg" => (
            "needs a C type that LLVM IR does not carry",
            "use the instruction `va_arg`",
        ),
        _ => (
            "has no known signature",
            "call an LLVM intrinsic or write inline PTX",
        ),
    }
}
