//! The module: globals and the tables everything is interned in.
//!
//! ```text
//!   Module ─ names types constants attributes metadata call_sites asms   interned
//!          ├ globals: Global ─ kind: Variable | Function ─ body: Body | Alias | Ifunc
//!          └ order: the globals as the text defines them
//! ```

use crate::attribute::{AttrList, AttrSet, Attributes};
use crate::constant::{ConstId, ConstKind, Constants};
use crate::function::{Body, GlobalAttachment};
use crate::index::{IdVec, define_ids};
use crate::inst::{Align, Bundle, BundleList, CallConv, CallSite, CallSiteId};
use crate::intern::{Lists, Set};
use crate::keyword::keywords;
use crate::metadata::Metadata;
use crate::name::{Name, Names};
use crate::types::{Type, TypeId, Types};
use crate::value::{Operand, Value};
use bitflags::bitflags;

define_ids! {
    /// A variable, function, alias or ifunc.
    GlobalId
    /// A comdat.
    ComdatId
    /// An inline assembly.
    AsmId
}

keywords! {
    /// Who sees a global and what linking does with it.
    Linkage {
        External "external" Private "private" Internal "internal" AvailableExternally "available_externally"
        LinkOnceAny "linkonce" LinkOnceOdr "linkonce_odr" WeakAny "weak" WeakOdr "weak_odr"
        Common "common" Appending "appending" ExternWeak "extern_weak"
    }
    /// Who sees a global at run time.
    Visibility { Default "default" Hidden "hidden" Protected "protected" }
    /// Windows: where a global comes from or goes to.
    DllStorage { Default "" Import "dllimport" Export "dllexport" }
    /// How a thread-local variable is reached.
    ThreadLocal {
        None "" GeneralDynamic "generaldynamic" LocalDynamic "localdynamic" InitialExec "initialexec"
        LocalExec "localexec"
    }
    /// Whether the address of a global matters.
    UnnamedAddr { None "" Local "local_unnamed_addr" Global "unnamed_addr" }
    /// How far away a variable may lie.
    CodeModel { Tiny "tiny" Small "small" Kernel "kernel" Medium "medium" Large "large" }
    /// Which of several comdats with one name is taken.
    ComdatKind {
        Any "any" ExactMatch "exactmatch" Largest "largest" NoDeduplicate "nodeduplicate" SameSize "samesize"
    }
}

bitflags! {
    /// What sanitizers do with a variable.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
    pub struct Sanitizer: u8 {
        /// `no_sanitize_address`
        const NO_ADDRESS = 1;
        /// `no_sanitize_hwaddress`
        const NO_HWADDRESS = 2;
        /// `sanitize_memtag`
        const MEMTAG = 4;
        /// `sanitize_address_dyninit`
        const ADDRESS_DYNINIT = 8;
    }
}

bitflags! {
    /// How an inline assembly is written and what it does.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
    pub struct AsmFlags: u8 {
        /// `sideeffect`
        const SIDE_EFFECT = 1;
        /// `alignstack`
        const ALIGN_STACK = 2;
        /// `inteldialect`
        const INTEL = 4;
        /// `unwind`
        const UNWIND = 8;
    }
}

/// An inline assembly.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Asm {
    /// The type of the call.
    pub ty: TypeId,
    /// The text.
    pub text: Name,
    /// The constraints.
    pub constraints: Name,
    /// How it is written and what it does.
    pub flags: AsmFlags,
}

/// A comdat: globals that are linked or dropped together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Comdat {
    /// Its name.
    pub name: Name,
    /// Which of several is taken.
    pub kind: ComdatKind,
}

/// A variable, function, alias or ifunc.
#[derive(Clone, Debug)]
pub struct Global {
    /// Its name; numbered ones (`@0`) have none.
    pub name: Option<Name>,
    /// Who sees it.
    pub linkage: Linkage,
    /// Who sees it at run time.
    pub visibility: Visibility,
    /// Windows: where it comes from or goes to.
    pub dll_storage: DllStorage,
    /// `dso_local`
    pub dso_local: bool,
    /// Whether its address matters.
    pub unnamed_addr: UnnamedAddr,
    /// How it is reached if thread-local.
    pub thread_local: ThreadLocal,
    /// The type of what it names: of the variable or the function, not the pointer.
    pub value_ty: TypeId,
    /// Its address space.
    pub space: u32,
    /// `section "…"`
    pub section: Option<Name>,
    /// `partition "…"`
    pub partition: Option<Name>,
    /// `comdat`
    pub comdat: Option<ComdatId>,
    /// `align N`
    pub align: Align,
    /// Its metadata.
    pub metadata: Vec<GlobalAttachment>,
    /// Where it starts in the text.
    pub pos: u32,
    /// What it is.
    pub kind: GlobalKind,
}

/// What a global is.
#[derive(Clone, Debug)]
pub enum GlobalKind {
    /// A variable.
    Variable(Variable),
    /// A function.
    Function(Box<Function>),
    /// Another name for an address.
    Alias(ConstId),
    /// A function chosen when the program starts.
    Ifunc(ConstId),
    /// Named but not defined; only while a module is read.
    Pending,
}

/// A variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Variable {
    /// `constant`: never written.
    pub constant: bool,
    /// `externally_initialized`
    pub externally_initialized: bool,
    /// `code_model "…"`
    pub code_model: Option<CodeModel>,
    /// What sanitizers do with it.
    pub sanitizer: Sanitizer,
    /// Its value at the start; declarations have none.
    pub init: Option<ConstId>,
    /// Its attributes.
    pub attrs: AttrSet,
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// The calling convention.
    pub conv: CallConv,
    /// Its attributes, those of its result and parameters.
    pub attrs: AttrList,
    /// `gc "…"`
    pub gc: Option<Name>,
    /// `prefix`
    pub prefix: Option<ConstId>,
    /// `prologue`
    pub prologue: Option<ConstId>,
    /// `personality`
    pub personality: Option<ConstId>,
    /// What it does; declarations have no body. (The names of parameters of declarations are not kept.)
    pub body: Option<Body>,
}

/// A module.
///
/// ```
/// let text = "define i32 @f(i32 %x) {\n  %y = add nsw i32 %x, 1\n  ret i32 %y\n}\n";
/// let file = warpc_diag::SourceFile::new("f.ll", text).unwrap();
/// let module = warpc_nvvm::read_text(&file).unwrap();
/// for (_, global, function) in module.functions() {
///     let body = function.body.as_ref().unwrap();
///     for &block in &body.order {
///         for &inst in &body.blocks[block].insts {
///             println!("{} has {} operands", body.insts[inst].op.mnemonic(), body.operands(inst).len());
///         }
///     }
///     assert_eq!(module.names.text(global.name.unwrap()), "f");
/// }
/// ```
#[derive(Clone, Debug)]
pub struct Module {
    /// All strings.
    pub names: Names,
    /// All types.
    pub types: Types,
    /// All constants.
    pub constants: Constants,
    /// All attributes.
    pub attributes: Attributes,
    /// All metadata.
    pub metadata: Metadata,
    /// What calls have in common.
    pub call_sites: Set<CallSiteId, CallSite>,
    /// Operand bundles of calls.
    pub bundles: Lists<BundleList, Bundle>,
    /// Inline assemblies.
    pub asms: Set<AsmId, Asm>,
    /// Variables, functions, aliases, ifuncs.
    pub globals: IdVec<GlobalId, Global>,
    /// The globals in the order of their definitions.
    pub order: Vec<GlobalId>,
    /// Comdats.
    pub comdats: IdVec<ComdatId, Comdat>,
    /// `source_filename`
    pub source_filename: Option<Name>,
    /// `target datalayout`
    pub data_layout: Option<Name>,
    /// `target triple`
    pub triple: Option<Name>,
    /// Where the triple stands in the text.
    pub triple_pos: u32,
    /// `module asm`, a string a line.
    pub module_asm: Vec<Name>,
}

impl Default for Module {
    fn default() -> Module {
        let mut bundles = Lists::default();
        let _: BundleList = bundles.intern(&[]);
        Module {
            names: Names::default(),
            types: Types::default(),
            constants: Constants::default(),
            attributes: Attributes::default(),
            metadata: Metadata::default(),
            call_sites: Set::default(),
            bundles,
            asms: Set::default(),
            globals: IdVec::new(),
            order: Vec::new(),
            comdats: IdVec::new(),
            source_filename: None,
            data_layout: None,
            triple: None,
            triple_pos: 0,
            module_asm: Vec::new(),
        }
    }
}

impl Module {
    /// The functions in the order of their definitions, declarations included.
    pub fn functions(&self) -> impl Iterator<Item = (GlobalId, &Global, &Function)> {
        self.order.iter().filter_map(|&id| {
            let global = &self.globals[id];
            match &global.kind {
                GlobalKind::Function(function) => Some((id, global, &**function)),
                _ => None,
            }
        })
    }

    /// The variables in the order of their definitions, declarations included.
    pub fn variables(&self) -> impl Iterator<Item = (GlobalId, &Global, &Variable)> {
        self.order.iter().filter_map(|&id| {
            let global = &self.globals[id];
            match &global.kind {
                GlobalKind::Variable(variable) => Some((id, global, variable)),
                _ => None,
            }
        })
    }

    /// The type of an operand. Inline assembly has a pointer type.
    pub fn type_of(&self, body: &Body, value: Value) -> TypeId {
        match value.get() {
            Operand::Local(local) => body.locals[local].ty,
            Operand::Const(constant) => self.constants.get(constant).ty,
            Operand::Block(_) => self.types.label,
            Operand::Asm(_) => self.types.ptr,
            Operand::Metadata(_) | Operand::LocalMetadata(_) | Operand::ArgList(_) => {
                self.types.metadata
            }
        }
    }

    /// The address of a global as a constant.
    pub fn address_of(&mut self, global: GlobalId) -> ConstId {
        let space = self.globals[global].space;
        let ty = self.types.intern(Type::Ptr(space));
        self.constants.intern(ty, ConstKind::Global(global))
    }

    /// The global that a constant is the address of.
    pub fn global_of(&self, constant: ConstId) -> Option<GlobalId> {
        match self.constants.get(constant).kind {
            ConstKind::Global(global) => Some(global),
            _ => None,
        }
    }
}
