//! A call of a builtin: its arguments, what they must be, and the instructions that take its place.

use crate::edit::Editor;
use crate::pass::{Context, Options};
use warpc_diag::{Code, Diagnostic, Diagnostics, Span, codes};
use warpc_model::TypeClass;
use warpc_nvvm::attribute::{AttrList, Attribute};
use warpc_nvvm::function::Def;
use warpc_nvvm::inst::{CastOp, Op};
use warpc_nvvm::layout::Layout;
use warpc_nvvm::types::{Type, TypeId};
use warpc_nvvm::value::{InstId, Operand, Value};

/// The result that takes the place of the call's, if it has one.
pub(super) type Outcome = Result<Option<Value>, Refusal>;

/// Why a call is not compiled.
#[derive(Debug)]
pub(super) enum Refusal {
    /// This.
    Because(Box<Diagnostic>),
    /// What was reported already.
    Said,
}

/// A call and the editor that stands at it.
#[derive(Debug)]
pub(super) struct Call<'e, 'm> {
    pub editor: &'e mut Editor<'m>,
    pub options: &'e Options,
    pub layout: &'e Layout,
    pub found: &'e mut Diagnostics,
    /// The name of the builtin.
    pub name: &'e str,
    pub args: Vec<Value>,
    /// The type of the result.
    pub ty: TypeId,
    attrs: AttrList,
    /// The cache policy of the bundle `"L2::cache_hint"(i64 %policy)`.
    pub policy: Option<Value>,
}

impl<'e, 'm> Call<'e, 'm> {
    pub(super) fn new(
        editor: &'e mut Editor<'m>,
        context: &'e mut Context,
        inst: InstId,
        name: &'e str,
    ) -> Call<'e, 'm> {
        let ty = editor.body.insts[inst].ty;
        let site = editor.body.insts[inst].op.call_site();
        let site = site.map(|site| *editor.module.call_sites.get(site));
        let (mut args, mut policy) = (Vec::new(), None);
        if let Some(site) = site {
            let call = editor.body.call(inst, &site);
            args.extend_from_slice(call.args);
            let hint = editor.module.names.find(b"L2::cache_hint");
            let mut at = 0;
            for bundle in editor.module.bundles.get(site.bundles) {
                if Some(bundle.tag) == hint && bundle.len == 1 {
                    policy = call.bundles.get(at).copied();
                }
                at += bundle.len as usize;
            }
        }
        let i64 = editor.module.types.i64;
        let none = editor.module.attributes.empty_list;
        Call {
            policy: policy.filter(|&policy| editor.type_of(policy) == i64),
            editor,
            options: context.options,
            layout: &context.layout,
            found: &mut context.found,
            name,
            args,
            ty,
            attrs: site.map_or(none, |site| site.attrs),
        }
    }

    /// Where the call stands.
    pub(super) fn span(&self) -> Span {
        Span::new(self.editor.pos(), self.editor.pos() + 1)
    }

    fn refusal(&self, code: Code, message: &str, help: &str) -> Refusal {
        let message = format!("`{}`: {message}", self.name);
        Refusal::Because(Box::new(
            Diagnostic::error(code, self.span(), message).help(help),
        ))
    }

    /// The call is wrong.
    pub(super) fn error(&self, message: &str, help: &str) -> Refusal {
        self.refusal(codes::BUILTIN_CALL, message, help)
    }

    /// The target does not have what the call asks for.
    pub(super) fn lacks(&self, message: &str, help: &str) -> Refusal {
        self.refusal(codes::BUILTIN_TARGET, message, help)
    }

    /// How many arguments there are.
    pub(super) fn check_count(&self, wanted: &[usize]) -> Result<(), Refusal> {
        if wanted.contains(&self.args.len()) {
            return Ok(());
        }
        let wanted: Vec<String> = wanted.iter().map(usize::to_string).collect();
        Err(self.error(
            &format!("it is called with {} arguments", self.args.len()),
            &format!("it takes {}", wanted.join(" or ")),
        ))
    }

    /// An argument must have a type.
    pub(super) fn check_arg(&self, index: usize, wanted: TypeId) -> Result<(), Refusal> {
        let ty = self.editor.type_of(self.args[index]);
        self.check_type(&format!("argument {}", index + 1), ty, wanted)
    }

    /// The result must have a type.
    pub(super) fn check_result(&self, wanted: TypeId) -> Result<(), Refusal> {
        self.check_type("the result", self.ty, wanted)
    }

    fn check_type(&self, what: &str, ty: TypeId, wanted: TypeId) -> Result<(), Refusal> {
        if ty == wanted {
            return Ok(());
        }
        let text = |ty| warpc_nvvm::type_text(self.editor.module, ty);
        Err(self.error(
            &format!("{what} has type `{}`, not `{}`", text(ty), text(wanted)),
            "declare and call it with the types of `warpc explain NAME`",
        ))
    }

    /// An argument must be a pointer, of any space.
    pub(super) fn check_pointer(&self, index: usize) -> Result<(), Refusal> {
        let ty = self.editor.type_of(self.args[index]);
        match self.editor.module.types.get(ty) {
            Type::Ptr(_) => Ok(()),
            _ => self.check_type(
                &format!("argument {}", index + 1),
                ty,
                self.editor.module.types.ptr,
            ),
        }
    }

    /// LLVM's type of values of a class and a size in bytes.
    pub(super) fn value_type(&mut self, class: TypeClass, bytes: u64) -> TypeId {
        match (class, bytes) {
            (TypeClass::Float, 4) => self.editor.module.types.intern(Type::Float),
            (TypeClass::Float, 8) => self.editor.module.types.intern(Type::Double),
            (_, bytes) => self.editor.int_type(bytes as u32 * 8),
        }
    }

    /// The alignment that the attributes of an argument promise.
    pub(super) fn promised_align(&self, index: usize) -> u64 {
        let attributes = &self.editor.module.attributes;
        let set = attributes.of_param(self.attrs, index);
        let align = self.editor.module.names.find(b"align");
        match align.and_then(|align| attributes.find(set, align)) {
            Some(Attribute::Int(_, bytes)) => bytes.max(1),
            _ => 1,
        }
    }

    /// The number that an argument is, through extensions and cuts.
    pub(super) fn number(&self, index: usize) -> Option<u64> {
        let mut value = self.editor.resolve(self.args[index]);
        // A chain of casts that long does not come from a compiler.
        for _ in 0..8 {
            let Operand::Local(local) = value.get() else {
                return self.editor.as_u64(value);
            };
            let Def::Inst(inst) = self.editor.body.locals[local].def else {
                return None;
            };
            value = match self.editor.body.insts[inst].op {
                Op::Cast(CastOp::Zext | CastOp::Sext) | Op::Freeze => {
                    self.editor.resolve(self.editor.body.operands(inst)[0])
                }
                _ => return None,
            };
        }
        None
    }

    /// Adds an instruction of inline PTX without operands.
    pub(super) fn asm_alone(&mut self, instruction: &str) {
        let void = self.editor.module.types.void;
        self.editor
            .asm(&format!("{instruction};"), "~{memory}", void, &[]);
    }
}
