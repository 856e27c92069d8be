//! Arguments of calls, as the lines of the table write them; [`super::template`] describes them.

use super::constant::Constant;
use super::function::Writer;
use super::operands::Groups;
use super::template::{choose, is_there, one, result_type};
use super::{Outcome, Problem};
use crate::tree::{Attr, Op, Use};
use crate::types::Type;

impl<'o, 't> Writer<'o, 't> {
    /// The arguments of a call, with their types.
    pub(super) fn arguments(
        &mut self,
        op: &'t Op<'t>,
        list: &'static str,
        groups: &Groups<'t>,
    ) -> Outcome<String> {
        let mut args = Vec::new();
        for arg in list.split(", ").filter(|arg| !arg.is_empty()) {
            self.argument(op, arg, groups, &mut args)?;
        }
        Ok(args.join(", "))
    }

    fn argument(
        &mut self,
        op: &'t Op<'t>,
        arg: &'static str,
        groups: &Groups<'t>,
        args: &mut Vec<String>,
    ) -> Outcome<()> {
        if let Some((ty, name)) = arg.split_once('#') {
            args.push(attribute_argument(op, ty.trim(), name)?);
        } else if let Some((ty, name)) = arg.split_once(" ?") {
            args.push(format!("{ty} {}", is_there(op, name, groups)));
        } else if let Some((ty, choice)) = arg.split_once(" =") {
            let (name, choices) = choice.split_once('=').unwrap_or((choice, ""));
            let word = match op.attrs.get(name) {
                Some(value) => self.word(name, value)?,
                None => String::new(),
            };
            args.push(format!("{ty} {}", choose(name, &word, choices)?));
        } else if let Some((ty, name)) = arg.split_once(" {bit:") {
            let number = op.attrs.int(name.trim_end_matches('}'));
            match number {
                Some(number @ 0..16) => args.push(format!("{ty} {}", 1u32 << number)),
                _ => return Err(Problem::wrong("the number is 0 to 15")),
            }
        } else if let Some((name, default)) = arg.split_once('|') {
            args.push(match groups.one(name) {
                Some(operand) => self.typed(operand)?,
                None => match default.strip_prefix("R ") {
                    Some(value) => format!("{} {value}", result_type(op)?),
                    None => default.to_owned(),
                },
            });
        } else if let Some((name, align)) = arg.split_once('@') {
            let known = self.known(one(groups, name)?)?;
            let align = op.attrs.int(align).unwrap_or(1);
            args.push(format!("{} align {align} {}", known.ty, known.text));
        } else if let Some((name, ty)) = arg.split_once('>') {
            args.push(self.made(one(groups, name)?, ty)?);
        } else if arg.contains(' ') {
            args.push(arg.to_owned());
        } else {
            // Only lists and optional operands may be empty: `Groups` has checked that.
            let name = arg.strip_suffix('?').unwrap_or(arg);
            let Some(uses) = groups.get(name) else {
                return Err(Problem::wrong(format!("`{name}` is missing")));
            };
            for operand in uses {
                let known = self.known(operand)?;
                let attrs = super::attribute::of_argument(op, "arg_attrs", args.len())?;
                args.push(format!("{}{attrs} {}", known.ty, known.text));
            }
        }
        Ok(())
    }

    /// An operand as a value of another type.
    pub(super) fn made(&mut self, operand: &Use<'t>, wanted: &str) -> Outcome<String> {
        let known = self.known(operand)?.clone();
        let (how, ty) = match (&known.ty, wanted) {
            (Type::Pointer(0), "p3") => ("addrspacecast", Type::Pointer(3)),
            (Type::Pointer(3), "p3") => return self.typed(operand),
            (Type::Pointer(0 | 3), "p7") => ("addrspacecast", Type::Pointer(7)),
            (Type::Pointer(0), "p101") => ("addrspacecast", Type::Pointer(101)),
            (Type::Int(32), "i1") => {
                let name = self.fresh();
                self.write(&format!("{name} = icmp ne i32 {}, 0", known.text));
                return Ok(format!("i1 {name}"));
            }
            (Type::Int(8), "i16") => ("zext", Type::Int(16)),
            (ty, wanted) if ty.mangled() == wanted => return self.typed(operand),
            (Type::Vector { .. }, "i16") => ("bitcast", Type::Int(16)),
            (Type::Vector { .. }, "i32") => ("bitcast", Type::Int(32)),
            (ty, _) => {
                let message = format!("`%{}` cannot be {ty} here", operand.value.name);
                return Err(Problem::wrong(message).at(operand.pos, operand.value.name));
            }
        };
        let name = self.fresh();
        self.write(&format!(
            "{name} = {how} {} {} to {ty}",
            known.ty, known.text
        ));
        Ok(format!("{ty} {name}"))
    }
}

/// An attribute as a constant argument.
fn attribute_argument(op: &Op<'_>, ty: &str, name: &str) -> Outcome<String> {
    let (name, default) = match name.split_once('|') {
        Some((name, default)) => (name, Some(default)),
        None => (name, None),
    };
    if let (None, Some(default)) = (op.attrs.get(name), default) {
        return Ok(format!("{ty} {default}"));
    }
    match (op.attrs.get(name), ty) {
        (None, "i1") => Ok("i1 false".to_owned()),
        (None, _) => Err(Problem::wrong(format!("the attribute `{name}` is missing"))),
        (Some(value), "i1") => Ok(format!("i1 {}", value.truth())),
        (Some(Attr::Int(number, Some(own))), "") => Ok(format!("{own} {number}")),
        (Some(value), "") => Err(Problem::wrong(format!(
            "`{name}` is not a number: {value:?}"
        ))),
        (Some(value), "double") => {
            let ty = Type::Float(crate::types::Float::F64);
            Ok(Constant::of_attribute(value, &ty)?.typed())
        }
        (Some(value), _) => match value.int() {
            Some(number) => Ok(format!("{ty} {number}")),
            None => Err(Problem::wrong(format!(
                "the attribute `{name}` is not a number"
            ))),
        },
    }
}
