//! What libNVVM asks of a module before it looks at its code: the version of NVVM IR, the triple, the data layout. The
//! texts are those that its clients know.

use crate::result::NvvmResult;
use warpc::Llvm;
use warpc::nvvm::inst::CallConv;
use warpc::nvvm::metadata::Md;

/// The version of NVVM IR that modules must name.
pub const IR_VERSION: (u64, u64) = (2, 0);
/// The version of debug information; modules may name an older minor version.
pub const DEBUG_VERSION: (u64, u64) = (3, 2);

/// The version of a module that names none.
const UNNAMED_VERSION: (u64, u64) = (1, 0);

/// Why a module is refused.
pub struct Refusal {
    /// What is answered; none for an error of the module itself.
    pub result: Option<NvvmResult>,
    /// The line of the log.
    pub message: String,
}

fn mismatch(message: String) -> Option<Refusal> {
    Some(Refusal {
        result: Some(NvvmResult::IrVersionMismatch),
        message,
    })
}

/// What is wrong with `nvvmir.version`.
pub fn version_problem(name: &str, llvm: &Llvm) -> Option<Refusal> {
    let asked = std::env::var("NVVM_IR_VER_CHK").ok();
    if !warpc::nvvm::NvvmOptions::from_version_check(asked.as_deref()).check_version {
        return None;
    }
    let module = &llvm.module;
    let named = module.names.find(b"nvvmir.version");
    let nodes = named
        .and_then(|named| module.metadata.named(named))
        .map(|named| &named.nodes[..])
        .unwrap_or_default();
    let number = |node, at: usize| match module.metadata.operand(node, at)?.get() {
        Md::Const(constant) => module.constants.as_u64(constant),
        _ => None,
    };
    let mut versions = Vec::new();
    for &node in nodes {
        let count = module.metadata.fields(node).len();
        if count != 2 && count != 4 {
            return mismatch(format!(
                "{name}: error: invalid nvvmir.version metadata: expected 2 or 4 operands, got {count}"
            ));
        }
        let pair = |at| Some((number(node, at)?, number(node, at + 1)?));
        let Some(ir) = pair(0) else {
            return mismatch(format!(
                "{name}: error: invalid nvvmir.version metadata: expected integer constants"
            ));
        };
        versions.push((ir, if count == 4 { pair(2) } else { None }));
    }
    if versions.is_empty() {
        versions.push((UNNAMED_VERSION, None));
    }
    for (ir, debug) in versions {
        if ir != IR_VERSION {
            let (major, minor) = IR_VERSION;
            let (debug_major, debug_minor) = DEBUG_VERSION;
            return mismatch(format!(
                "{name}: error: IR version {}.{} incompatible with current version {major}.{minor}\n\n\
                 Consider inserting/updating nvvmir.version module metadata. For example:\n\
                 !nvvmir.version = !{{!0}}\n\
                 !0 = !{{i32 {major}, i32 {minor}, i32 {debug_major}, i32 {debug_minor}}}",
                ir.0, ir.1
            ));
        }
        if let Some((major, minor)) = debug
            && (major != DEBUG_VERSION.0 || minor > DEBUG_VERSION.1)
        {
            return mismatch(format!(
                "{name}: error: debug metadata version {major}.{minor} incompatible with current version {}.{}",
                DEBUG_VERSION.0, DEBUG_VERSION.1
            ));
        }
    }
    None
}

/// What is wrong with the triple of a module that was added whole: there is none.
pub fn triple_problem(name: &str, llvm: &Llvm) -> Option<Refusal> {
    let triple = llvm
        .module
        .triple
        .map(|triple| llvm.module.names.bytes(triple));
    triple.unwrap_or_default().is_empty().then(|| Refusal {
        result: None,
        message: format!("{name}: error: Module does not contain a triple, should be 'nvptx64-'"),
    })
}

/// What is wrong with the data layout of a program: there is none.
pub fn layout_problem(llvm: &Llvm, verifying: bool) -> Option<String> {
    let message = match verifying {
        true => "error: Error: Empty target data layout, must exist\n\n",
        false => "DataLayoutError: Data Layout string is empty",
    };
    llvm.module
        .data_layout
        .is_none()
        .then(|| message.to_owned())
}

/// What only verification asks: the triple ends as that of CUDA.
pub fn verified_triple_problem(llvm: &Llvm) -> Option<String> {
    let triple = llvm
        .module
        .triple
        .map(|triple| llvm.module.names.text(triple));
    let triple = triple.as_deref().unwrap_or_default();
    let mut parts = triple.split('-');
    let known = matches!(parts.next(), Some("nvptx" | "nvptx64" | "nvgpu"));
    let cuda = parts.nth(1) == Some("cuda");
    (!known || !cuda).then(|| {
        format!(
            "error: Error: Invalid target triple ({triple}), must be one of:\nError: 32-bit: nvptx-*-cuda\n\
             Error: 64-bit: nvptx64-*-cuda\nError: nvgpu-*-cuda\n\n"
        )
    })
}

/// The warnings of libNVVM about kernels that are marked `noinline`; clients look for their words.
pub fn kernels_marked_noinline(llvm: &Llvm) -> String {
    let module = &llvm.module;
    let Some(mark) = module.names.find(b"noinline") else {
        return String::new();
    };
    let marked = module.functions().filter(|(_, _, function)| {
        let attributes = module.attributes.of_function(function.attrs);
        function.conv == CallConv::PTX_KERNEL
            && function.body.is_some()
            && module.attributes.find(attributes, mark).is_some()
    });
    let lines = marked.map(|(_, global, _)| {
        let name = global.name.map(|name| module.names.text(name));
        format!(
            "warning: Function {} is a kernel, so overriding noinline attribute. The function may be inlined when called.\n",
            name.unwrap_or_default()
        )
    });
    lines.collect()
}
