//! Calls and returns of functions, parameters of the function itself.
//!
//! ```text
//!   {
//!   .param .b32 param0;              a variable for each argument and for the result
//!   .param .b32 retval0;
//!   st.param.b32 [param0], %r1;
//!   call.uni (retval0), f, (param0);
//!   ld.param.b32 %r2, [retval0];
//!   }
//! ```
//!
//! A call through a pointer, or of a function by another type than its own, names a prototype instead.

use super::Selector;
use super::address::{Address, Space};
use super::load_store::{Piece, offset_alignment};
use crate::abi::{Abi, Extension, Param, Passing, int_attribute};
use crate::code::{Arg, Args, Class, Line, Reg};
use crate::unit::Refused;
use std::rc::Rc;
use warpc_diag::codes;
use warpc_nvvm::attribute::AttrList;
use warpc_nvvm::constant::{ConstKind, ExprOp};
use warpc_nvvm::function::Def;
use warpc_nvvm::inst::{CallSite, CastOp, Op, Tail};
use warpc_nvvm::module::{GlobalId, GlobalKind};
use warpc_nvvm::value::{InstId, Local, Operand, Value};
use warpc_ptx::inst::At;
use warpc_ptx::module::{Prototype, Statement, Variable};
use warpc_ptx::symbol::Symbol;
use warpc_ptx::types::ScalarType;

/// What a call goes to.
enum Callee {
    Function(GlobalId),
    Pointer(Value),
}

impl Selector<'_, '_> {
    /// Selects the call of a function that is not LLVM's own.
    pub(super) fn call_function(&mut self, inst: InstId) -> Result<(), Refused> {
        let Op::Call(site) = self.body.insts[inst].op else {
            return Err(self.unsupported(inst));
        };
        let site = *self.module.call_sites.get(site);
        let body = self.body;
        let call = body.call(inst, &site);
        let Some(callee) = call.callee else {
            return Err(self.unsupported(inst));
        };
        if let Operand::Asm(asm) = callee.get() {
            return self.inline_assembly(inst, asm, call.args);
        }
        if site.tail == Tail::MustTail {
            let message = "`musttail` calls are not supported: PTX has no jumps to functions";
            return Err(self.refuse(codes::UNSUPPORTED, message));
        }
        let callee = self.callee(callee, &site);
        let abi = match callee {
            Callee::Function(id) => self.unit.abi(id)?,
            Callee::Pointer(_) => Rc::new(Abi::of_call(self.unit, site.ty, site.attrs)?),
        };
        if abi.kernel {
            return Err(self.refuse(codes::UNSUPPORTED, "a kernel cannot be called"));
        }
        let before = std::mem::take(&mut self.lines);
        let (declarations, names) = self.pass_arguments(&abi, call.args, site.attrs)?;
        let stores = std::mem::replace(&mut self.lines, before);
        self.lines.push(Line::Open);
        let declared = declarations
            .into_iter()
            .map(|variable| Box::new(Statement::Variable(Box::new(variable))));
        self.lines.extend(declared.map(Line::Statement));
        self.lines.extend(stores);
        self.call_line(&callee, &abi, &names)?;
        self.take_result(inst, &abi)?;
        self.lines.push(Line::Close);
        Ok(())
    }

    /// The function that is called: aliases and casts are looked through. One that is called by another
    /// type than its own is called through its address.
    fn callee(&self, value: Value, site: &CallSite) -> Callee {
        let mut constant = value.constant();
        while let Some(id) = constant {
            constant = match self.module.constants.get(id).kind {
                ConstKind::Global(global) => match &self.module.globals[global].kind {
                    GlobalKind::Function(_) if self.module.globals[global].value_ty == site.ty => {
                        return Callee::Function(global);
                    }
                    &GlobalKind::Alias(aliasee) => Some(aliasee),
                    _ => None,
                },
                ConstKind::Expr(expr) => {
                    let expr = self.module.constants.expr(expr);
                    matches!(expr.op, ExprOp::Cast(CastOp::Bitcast))
                        .then(|| self.module.constants.list(expr.operands)[0])
                }
                ConstKind::DsoLocalEquivalent(global) | ConstKind::NoCfi(global) => {
                    return Callee::Function(global);
                }
                _ => None,
            };
        }
        Callee::Pointer(value)
    }

    /// Stores the arguments; the variables to declare, results last, and the names of the arguments.
    fn pass_arguments(
        &mut self,
        abi: &Abi,
        args: &[Value],
        attrs: AttrList,
    ) -> Result<(Vec<Variable>, Vec<Arg>), Refused> {
        let mut declarations = Vec::new();
        let mut names = Vec::new();
        let mut declare = |this: &mut Self, param: &Param| {
            let name = this.unit.local_name(&format!("param{}", names.len()));
            declarations.push(Variable {
                name,
                ..plain(param.declaration())
            });
            names.push(Arg::Name(name));
            name
        };
        for (index, (param, &value)) in abi.params.iter().zip(args).enumerate() {
            if param.passing == Passing::Nothing {
                continue;
            }
            let name = declare(self, param);
            if param.by_value {
                let attrs = self.module.attributes.of_param(attrs, index);
                let promised = int_attribute(self.unit, attrs, b"align").or(param.promised);
                self.pass_memory(param, value, name, promised)?;
            } else {
                let values = self.args(value)?;
                self.store_param(param, name, &values)?;
            }
        }
        if let Some(param) = &abi.variadic {
            let name = declare(self, param);
            let list = self.variadic_arguments(&args[abi.params.len()..])?;
            self.store_param(param, name, &[list])?;
        }
        if let Some(result) = &abi.result {
            let name = self.result_name();
            declarations.push(Variable {
                name,
                ..plain(result.declaration())
            });
        }
        Ok((declarations, names))
    }

    fn result_name(&mut self) -> Symbol {
        self.unit.local_name("retval0")
    }

    fn call_line(&mut self, callee: &Callee, abi: &Abi, names: &[Arg]) -> Result<(), Refused> {
        let mut args = Args::new();
        if abi.result.is_some() {
            let name = self.result_name();
            args.push(self.code.list(&[Arg::Name(name)]));
        }
        match *callee {
            Callee::Function(id) => {
                args.push(Arg::Name(self.unit.symbol(id)));
                args.push(self.code.list(names));
                self.emit("call.uni", &args)
            }
            Callee::Pointer(value) => {
                let target = self.reg_of(value)?;
                let prototype = self.unit.local_name("prototype");
                self.prototype(prototype, abi);
                args.push(target.into());
                args.push(self.code.list(names));
                args.push(Arg::Name(prototype));
                self.emit("call", &args)
            }
        }
    }

    /// `prototype: .callprototype (.param .b32 _) _ (.param .b64 _);`
    fn prototype(&mut self, name: Symbol, abi: &Abi) {
        let mut variables = |params: &mut dyn Iterator<Item = &Param>| -> Vec<Variable> {
            let nameless = self.unit.intern("_");
            params
                .map(|param| Variable {
                    name: nameless,
                    ..plain(param.declaration())
                })
                .collect()
        };
        let prototype = Prototype {
            returns: variables(&mut abi.result.iter()),
            params: variables(&mut abi.passed()),
            directives: Vec::new(),
        };
        let label = Statement::Label(name, At::default());
        let prototype = Statement::CallPrototype(Box::new(prototype), At::default());
        for statement in [label, prototype] {
            self.lines.push(Line::Statement(Box::new(statement)));
        }
    }

    /// Loads the result of a call if somebody wants it.
    fn take_result(&mut self, inst: InstId, abi: &Abi) -> Result<(), Refused> {
        let Some(local) = self.body.insts[inst].local() else {
            return Ok(());
        };
        if !self.is_asked(local) {
            return Ok(());
        }
        let regs = self.local(local)?;
        match &abi.result {
            Some(result) => {
                let name = self.result_name();
                self.load_param(result, name, &regs)
            }
            None => Ok(()),
        }
    }

    /// Leaves the function, with a value if there is one.
    pub(super) fn return_value(&mut self, value: Option<Value>) -> Result<(), Refused> {
        let abi = self.abi.clone();
        if let (Some(value), Some(result)) = (value, &abi.result) {
            let values = self.args(value)?;
            self.store_param(result, result.name, &values)?;
        }
        self.emit("ret", &[])
    }

    /// Loads the parameters that were asked for; the lines stand at the start of the function.
    pub fn load_params(&mut self) -> Result<(), Refused> {
        let body = self.body;
        let abi = self.abi.clone();
        for (local, data) in body.locals.iter() {
            let Def::Param(index) = data.def else {
                // Parameters come first.
                break;
            };
            let Some(param) = abi.params.get(index as usize) else {
                continue;
            };
            if param.by_value {
                self.place_by_value(local, param)?;
                continue;
            }
            if param.passing == Passing::Nothing || !self.is_asked(local) {
                continue;
            }
            let results = self.local(local)?;
            self.load_param(param, param.name, &results)?;
        }
        Ok(())
    }

    /// Stores the parts of a value into a parameter or result.
    fn store_param(&mut self, param: &Param, name: Symbol, values: &[Arg]) -> Result<(), Refused> {
        let address = param_address(name);
        if let (Passing::Scalar(ty), &[value]) = (param.passing, values) {
            let mut pieces = self.pieces(param.ty)?;
            let value = self.passed_scalar(param, pieces[0], value)?;
            pieces[0] = scalar_piece(pieces[0], ty);
            return self.store_group("st.param", address, &pieces, &[value], 8);
        }
        self.store_parts("st.param", address, param.ty, values, alignment(param))
    }

    /// A scalar as it is stored: short integers fill their register.
    fn passed_scalar(&mut self, param: &Param, piece: Piece, value: Arg) -> Result<Arg, Refused> {
        let value = value.as_bits();
        let signed = param.extension == Some(Extension::Sign);
        match (piece.bits, param.extension) {
            (1, _) => self.extended(value, 1, 32, signed),
            (2..32, Some(_)) => self.extended(value, piece.bits, 32, signed),
            _ => Ok(value),
        }
    }

    /// Loads the parts of a value from a parameter or result.
    fn load_param(&mut self, param: &Param, name: Symbol, regs: &[Reg]) -> Result<(), Refused> {
        let address = param_address(name);
        if let Passing::Scalar(ty) = param.passing {
            let mut pieces = self.pieces(param.ty)?;
            // A predicate is made of the lowest bit.
            pieces[0] = Piece {
                class: pieces[0].class,
                ..scalar_piece(pieces[0], ty)
            };
            return self.load_group("ld.param", address, &pieces, regs, 8);
        }
        self.load_parts("ld.param", address, param.ty, regs, alignment(param))
    }

    /// Copies what a pointer points to into a parameter. The pointer is as aligned as it promises, as its type if it
    /// promises nothing; the parameter may be aligned better.
    fn pass_memory(
        &mut self,
        param: &Param,
        value: Value,
        name: Symbol,
        promised: Option<u64>,
    ) -> Result<(), Refused> {
        let Passing::Bytes(size, align) = param.passing else {
            return Ok(());
        };
        let natural = self.unit.layout.align(&self.module.types, param.ty);
        let from = self.address(value)?;
        let align = align.min(promised.unwrap_or(natural).max(1));
        self.copy_memory(from, param_address(name), size, align)
    }

    /// Copies a known number of bytes between places that are both aligned so.
    pub(super) fn copy_memory(
        &mut self,
        from: Address,
        to: Address,
        size: u64,
        align: u64,
    ) -> Result<(), Refused> {
        let load = format!("ld{}", from.space.modifier());
        let store = format!("st{}", to.space.modifier());
        let mut offset = 0;
        while offset < size {
            let most = offset_alignment(align, offset).min(8);
            let bytes = most.min(1 << (size - offset).ilog2());
            let class = if bytes == 8 { Class::B64 } else { Class::B32 };
            let ty = match bytes {
                1 => "u8",
                2 => "u16",
                4 => "b32",
                _ => "b64",
            };
            let at = self.address_arg(from, offset as i64);
            let value = self.op(class, &format!("{load}.{ty}"), &[at])?;
            let at = self.address_arg(to, offset as i64);
            self.emit(&format!("{store}.{ty}"), &[at, value.into()])?;
            offset += bytes;
        }
        Ok(())
    }

    /// The parameter of the function that a value is.
    pub(super) fn param_of(&self, local: Local) -> Option<usize> {
        match self.body.locals[local].def {
            Def::Param(index) => Some(index as usize),
            _ => None,
        }
    }
}

/// The place of a parameter or result.
pub(super) fn param_address(name: Symbol) -> Address {
    Address {
        base: Arg::Name(name),
        offset: 0,
        space: Space::Param,
    }
}

fn alignment(param: &Param) -> u64 {
    match param.passing {
        Passing::Bytes(_, align) => align,
        Passing::Scalar(ty) => u64::from(ty.bytes()),
        Passing::Nothing => 1,
    }
}

/// The piece that moves a whole scalar parameter.
fn scalar_piece(piece: Piece, ty: ScalarType) -> Piece {
    Piece {
        offset: 0,
        bytes: ty.bytes(),
        class: if ty.bytes() == 8 {
            Class::B64
        } else {
            Class::B32
        },
        bits: ty.bits().max(piece.bits),
        signed: false,
    }
}

/// A declaration without what only kernels say.
fn plain(variable: Variable) -> Variable {
    Variable {
        extra: None,
        ..variable
    }
}
