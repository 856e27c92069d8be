//! What holds for modules that become code for a GPU, on top of LLVM's rules.
//!
//! - The triple, if there is one, is that of NVIDIA's GPUs with 64-bit addresses, and so is the data layout.
//! - `nvvmir.version` is 2.0, or 3.0 to 3.2, that of debug information 3.0 to 3.2; the check can be switched off. It
//!   holds whatever the triple ([`verify_version`]).
//! - A GPU has no start of the program: no constructors, no destructors.
//! - Address spaces are those of PTX; memory that is not global or constant has no initial value.
//! - What a GPU does not have is refused by name: thread-local variables, ifuncs, assembly that jumps, wide
//!   floating-point numbers of other machines, scalable vectors. `invoke` and `indirectbr` are compiled, as llc
//!   does it; exceptions that something still raises or catches then are refused where that is found out.

use crate::constant::ConstKind;
use crate::inst::{CallConv, Op};
use crate::metadata::Md;
use crate::module::{Global, GlobalKind, Module, ThreadLocal, Variable};
use crate::types::{Type, TypeId};
use warpc_diag::{Code, Diagnostic, Diagnostics, Span, codes};

/// What is checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct NvvmOptions {
    /// Check `nvvmir.version`. NVIDIA's tools do not if `NVVM_IR_VER_CHK=0` is in the environment.
    pub check_version: bool,
    /// Take older versions of NVVM IR, whose modules are upgraded while they are read. Without it only the newest ones
    /// are taken: NVVM IR 2.0 or 3.2, debug information 3.2.
    pub upgrade_version: bool,
}

impl Default for NvvmOptions {
    fn default() -> NvvmOptions {
        NvvmOptions {
            check_version: true,
            upgrade_version: true,
        }
    }
}

impl NvvmOptions {
    /// The options that the value of `NVVM_IR_VER_CHK` asks for.
    pub fn from_version_check(value: Option<&str>) -> NvvmOptions {
        NvvmOptions {
            check_version: value != Some("0"),
            ..NvvmOptions::default()
        }
    }
}

/// The newest version of debug information.
const NEWEST_DEBUG: (u64, u64) = (3, 2);

/// Address spaces that PTX has: generic, global, shared, constant, local, tensor memory, shared memory of
/// the cluster, parameters.
const SPACES: &[u32] = &[0, 1, 3, 4, 5, 6, 7, 101];

/// Address spaces that variables of a module can lie in.
const VARIABLE_SPACES: &[u32] = &[0, 1, 3, 4, LOCAL];
const LOCAL: u32 = 5;

/// The address space of shared memory.
const SHARED: u32 = 3;

/// Checks what holds for GPUs. The module should be right by [`verify`](super::verify).
pub fn verify_nvvm(module: &Module, options: NvvmOptions) -> Diagnostics {
    let mut check = Nvvm {
        module,
        found: Diagnostics::new(),
    };
    check.triple();
    check.version(options);
    for &id in &module.order {
        check.global(&module.globals[id]);
    }
    check.types();
    check.found.sort_by_place();
    check.found
}

/// Checks `nvvmir.version` alone, which modules for every processor may have.
pub fn verify_version(module: &Module, options: NvvmOptions) -> Diagnostics {
    let mut check = Nvvm {
        module,
        found: Diagnostics::new(),
    };
    check.version(options);
    check.found
}

struct Nvvm<'m> {
    module: &'m Module,
    found: Diagnostics,
}

impl Nvvm<'_> {
    fn error(&mut self, code: Code, pos: u32, message: impl Into<String>, help: &str) {
        let span = Span::new(pos, pos + 1);
        self.found
            .push(Diagnostic::error(code, span, message).help(help));
    }

    fn unsupported(&mut self, pos: u32, what: &str, help: &str) {
        self.error(
            codes::NVVM_UNSUPPORTED,
            pos,
            format!("GPUs do not have {what}"),
            help,
        );
    }

    /// A module without a triple is one for `nvptx64-nvidia-cuda`.
    fn triple(&mut self) {
        let module = self.module;
        let triple = module.triple.map(|name| module.names.text(name));
        let triple = triple.as_deref().unwrap_or_default();
        let help =
            "a module for a GPU says `nvptx64-nvidia-cuda`, or nothing: compile it for that target";
        let wide = crate::layout::Layout::for_gpu(module).pointer_bits(0) == 64;
        match triple.split('-').next().unwrap_or_default() {
            "" | "nvptx64" if wide => {}
            "" | "nvptx64" => self.error(
                codes::NVVM_TRIPLE,
                module.triple_pos,
                "the data layout has 32-bit addresses, which GPUs do not have",
                "compile for `nvptx64-nvidia-cuda` (nvvm-64), with its data layout or none",
            ),
            "nvptx" => self.error(
                codes::NVVM_TRIPLE,
                module.triple_pos,
                format!("`{triple}` has 32-bit addresses (nvvm-32), which GPUs do not have"),
                "compile for `nvptx64-nvidia-cuda` (nvvm-64)",
            ),
            _ => self.error(
                codes::NVVM_TRIPLE,
                module.triple_pos,
                format!("the module is for `{triple}`, not for a GPU of NVIDIA"),
                help,
            ),
        }
    }

    fn version(&mut self, options: NvvmOptions) {
        let module = self.module;
        let name = module.names.find(b"nvvmir.version");
        let named = name.and_then(|name| module.metadata.named(name));
        let Some(named) = named.filter(|_| options.check_version) else {
            return;
        };
        for &node in &named.nodes {
            let number = |at: usize| match module.metadata.operand(node, at)?.get() {
                Md::Const(constant) => module.constants.as_u64(constant),
                _ => None,
            };
            let pair = |at: usize| Some((number(at)?, number(at + 1)?));
            let versions = match module.metadata.fields(node).len() {
                2 => pair(0).map(|ir| (ir, None)),
                4 => pair(0).zip(pair(2)).map(|(ir, debug)| (ir, Some(debug))),
                _ => None,
            };
            let older = |what: &str, (major, minor): (u64, u64)| {
                format!("{what} {major}.{minor} is not the newest, and modules are not upgraded")
            };
            let message = match versions {
                None => String::from(
                    "`nvvmir.version` must hold two numbers, major and minor, or four with those of debug information",
                ),
                Some((ir, debug)) => match (ir, debug.unwrap_or(NEWEST_DEBUG)) {
                    ((major, minor), _) if !matches!(ir, (2, 0) | (3, 0..=2)) => {
                        format!("NVVM IR version {major}.{minor} is not known")
                    }
                    (_, (major, minor)) if !matches!((major, minor), (3, 0..=2)) => {
                        format!(
                            "version {major}.{minor} of NVVM IR's debug information is not known"
                        )
                    }
                    _ if options.upgrade_version => continue,
                    (ir @ (3, 0..2), _) => older("NVVM IR version", ir),
                    (_, debug @ (3, 0..2)) => {
                        older("NVVM IR's debug information of version", debug)
                    }
                    _ => continue,
                },
            };
            self.error(
                codes::NVVM_VERSION,
                0,
                message,
                "versions 2.0 and 3.0 to 3.2 are known, and 3.0 to 3.2 of debug information; NVVM_IR_VER_CHK=0 skips the \
                 check",
            );
        }
    }

    fn global(&mut self, global: &Global) {
        match &global.kind {
            GlobalKind::Variable(variable) => self.variable(global, variable),
            GlobalKind::Function(function) => {
                let signature = self.module.types.signature(global.value_ty);
                if function.conv == CallConv::PTX_KERNEL
                    && signature.is_some_and(|(ret, _, _)| ret != self.module.types.void)
                {
                    self.unsupported(
                        global.pos,
                        "kernels that return a value",
                        "write the result through a pointer",
                    );
                }
                if let Some(body) = &function.body {
                    self.body(body);
                }
            }
            GlobalKind::Ifunc(_) => self.unsupported(
                global.pos,
                "ifuncs",
                "nothing runs before a kernel that could choose a function",
            ),
            _ => {}
        }
    }

    fn variable(&mut self, global: &Global, variable: &Variable) {
        let module = self.module;
        let name = global.name.map(|name| module.names.bytes(name));
        let structors = match name {
            Some(b"llvm.global_ctors") => Some("ctor"),
            Some(b"llvm.global_dtors") => Some("dtor"),
            _ => None,
        };
        if let Some(kind) = structors {
            if matches!(module.types.get(global.value_ty), Type::Array { len, .. } if len != 0) {
                self.error(
                    codes::NVVM_CONSTRUCTORS,
                    global.pos,
                    format!("Module has a nontrivial global {kind}, which NVPTX does not support."),
                    "initialise from a kernel instead",
                );
            }
            return;
        }
        if name.is_some_and(|name| name.starts_with(b"llvm.")) {
            return;
        }
        let shown = name.map_or_else(String::new, |name| {
            String::from_utf8_lossy(name).into_owned()
        });
        if global.thread_local != ThreadLocal::None {
            self.error(
                codes::NVVM_UNSUPPORTED,
                global.pos,
                format!(
                    "`{shown}` is thread-local: GPUs have no variables that each thread has its own of"
                ),
                "use a variable on the stack, or an array with an element for each thread",
            );
        }
        if !VARIABLE_SPACES.contains(&global.space) {
            self.error(
                codes::NVVM_SPACE,
                global.pos,
                format!(
                    "`{shown}` lies in address space {}, which has no variables",
                    global.space
                ),
                "variables lie in 0 or 1 (global), 3 (shared), 4 (constant) or 5 (local, of one kernel)",
            );
        }
        let has_value = variable.init.is_some_and(|init| {
            !module.constants.is_zero(init)
                && !matches!(
                    module.constants.get(init).kind,
                    ConstKind::Undef | ConstKind::Poison
                )
        });
        if [SHARED, LOCAL].contains(&global.space) && has_value {
            let space = global.space;
            self.error(
                codes::NVVM_SPACE,
                global.pos,
                format!("initial value of '{shown}' is not allowed in addrspace({space})"),
                "initialise it with `undef`, store the value in the code, and let the block wait for it",
            );
        }
    }

    fn body(&mut self, body: &crate::function::Body) {
        for &block in &body.order {
            for &id in &body.blocks[block].insts {
                let inst = &body.insts[id];
                if matches!(inst.op, Op::CallBr(..)) {
                    self.unsupported(
                        inst.pos,
                        "assembly that jumps (`callbr`)",
                        "use branches of the IR",
                    );
                }
            }
        }
    }

    /// Types are interned, so each is looked at once.
    fn types(&mut self) {
        let module = self.module;
        let all: Vec<(TypeId, Type)> = module.types.iter().map(|(id, &ty)| (id, ty)).collect();
        for (_, ty) in all {
            match ty {
                Type::X86Fp80 => self.unsupported(0, "the type x86_fp80", "use double"),
                Type::PpcFp128 => self.unsupported(0, "the type ppc_fp128", "use double"),
                Type::X86Amx => self.unsupported(0, "the type x86_amx", "use matrix instructions"),
                Type::Vector { scalable: true, .. } => self.unsupported(
                    0,
                    "scalable vectors",
                    "use vectors of a fixed length",
                ),
                Type::Ptr(space) if !SPACES.contains(&space) => self.error(
                    codes::NVVM_SPACE,
                    0,
                    format!("there is no address space {space}"),
                    "0 generic, 1 global, 3 shared, 4 constant, 5 local, 6 tensor, 7 shared of the cluster, 101 parameters",
                ),
                _ => {}
            }
        }
    }
}
