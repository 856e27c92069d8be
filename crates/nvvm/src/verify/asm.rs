//! Inline assembly: its constraints, and whether the call fits them.
//!
//! Constraints stand in the order outputs `=…`, inputs, labels `!…`, clobbers `~{…}`. An output is a part of
//! the result, or, if indirect (`=*m`), an argument; an input is an argument.

use super::Verifier;
use super::attribute::Kind;
use super::body::Code;
use crate::function::Call;
use crate::inst::{CallSite, Op};
use crate::module::{AsmFlags, AsmId};
use crate::types::{Type, TypeId};
use crate::value::InstId;

/// What a constraint is for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Role {
    Output,
    Input,
    Label,
    Clobber,
}

/// A constraint.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Constraint {
    role: Role,
    indirect: bool,
}

/// Takes the constraints of an assembly apart; `None` if they cannot be read.
fn parse(text: &[u8]) -> Option<Vec<Constraint>> {
    let mut all: Vec<Constraint> = Vec::new();
    if text.is_empty() {
        return Some(all);
    }
    for part in text.split(|&byte| byte == b',') {
        let (role, rest) = match part {
            [b'~', rest @ ..] => (Role::Clobber, rest),
            [b'!', rest @ ..] => (Role::Label, rest),
            [b'=', rest @ ..] => (Role::Output, rest),
            rest => (Role::Input, rest),
        };
        if role == Role::Clobber && rest.first() != Some(&b'{') {
            return None;
        }
        let (indirect, rest) = match rest {
            [b'*', rest @ ..] => (true, rest),
            rest => (false, rest),
        };
        let mut at = rest;
        while let [b'&' | b'%', more @ ..] = at {
            if at[0] == b'&' && role != Role::Output {
                return None;
            }
            at = more;
        }
        if at.is_empty() {
            return None;
        }
        while let Some((&first, more)) = at.split_first() {
            at = match first {
                b'{' => &more[more.iter().position(|&byte| byte == b'}')? + 1..],
                b'0'..=b'9' => {
                    let digits = at.iter().take_while(|byte| byte.is_ascii_digit()).count();
                    let number: usize = str::from_utf8(&at[..digits]).ok()?.parse().ok()?;
                    // The same place as an output has.
                    if role != Role::Input || all.get(number)?.role != Role::Output {
                        return None;
                    }
                    &at[digits..]
                }
                b'^' => more.get(2..)?,
                b'@' => {
                    let count = usize::from(more.first()?.checked_sub(b'0')?);
                    more.get(1 + count..)?
                }
                _ => more,
            };
        }
        all.push(Constraint { role, indirect });
    }
    Some(all)
}

impl Verifier<'_> {
    /// Checks a call of inline assembly.
    pub(super) fn asm_call(
        &mut self,
        code: &Code<'_>,
        id: InstId,
        site: &CallSite,
        call: &Call<'_>,
        asm: AsmId,
    ) {
        let data = *self.module.asms.get(asm);
        let Some(constraints) = parse(self.module.names.bytes(data.constraints)) else {
            self.call_rule(
                false,
                "the constraints of the inline assembly cannot be read",
            );
            return;
        };
        self.call_rule(
            constraints.is_sorted_by_key(|constraint| constraint.role),
            "the constraints of inline assembly stand in the order outputs, inputs, labels, clobbers",
        );
        self.asm_type(site.ty, &constraints);
        let attributes = &self.module.attributes;
        let takes_argument = |constraint: &&Constraint| match constraint.role {
            Role::Output => constraint.indirect,
            role => role == Role::Input,
        };
        for (at, constraint) in constraints.iter().filter(takes_argument).enumerate() {
            let set = attributes.of_param(site.attrs, at);
            let has_type = self.kinds(set).has(Kind::ElementType);
            if constraint.indirect {
                let ty = self.operand_type(code, call.args, at);
                self.call_rule(
                    ty.is_some_and(|ty| self.module.types.is_ptr(ty)),
                    "an indirect constraint of inline assembly takes a pointer",
                );
                self.call_rule(
                    has_type,
                    "an indirect constraint of inline assembly needs `elementtype`",
                );
            } else {
                self.call_rule(
                    !has_type,
                    "`elementtype` is for indirect constraints of inline assembly",
                );
            }
        }
        let labels = constraints.iter().filter(|c| c.role == Role::Label).count();
        match code.body.insts[id].op {
            Op::CallBr(_, indirect) => {
                self.call_rule(
                    labels == indirect as usize,
                    "`callbr` must have as many blocks as the assembly has label constraints",
                );
                self.call_rule(
                    !data.flags.contains(AsmFlags::UNWIND),
                    "inline assembly that unwinds cannot be called by `callbr`",
                );
            }
            _ => {
                self.call_rule(labels == 0, "label constraints are for `callbr` only");
            }
        }
    }

    /// Whether a function type has the results and parameters that constraints ask for.
    fn asm_type(&mut self, ty: TypeId, constraints: &[Constraint]) {
        let types = &self.module.types;
        let Some((ret, params, variadic)) = types.signature(ty) else {
            return;
        };
        let count = |role: Role, indirect: bool| {
            let fits = |c: &&Constraint| c.role == role && c.indirect == indirect;
            constraints.iter().filter(fits).count()
        };
        let fields = match types.get(ret) {
            Type::Struct { fields, .. } => Some(types.list(fields).len()),
            Type::Named(_) => types.fields(ret).map(<[TypeId]>::len),
            _ => None,
        };
        let fits = match count(Role::Output, false) {
            0 => ret == types.void,
            1 => fields.is_none(),
            outputs => fields == Some(outputs),
        };
        self.call_rule(
            fits,
            "the result of inline assembly must fit its output constraints",
        );
        let arguments =
            count(Role::Input, false) + count(Role::Input, true) + count(Role::Output, true);
        rule!(
            self.call_rule,
            !variadic && arguments == params.len(),
            "inline assembly has {arguments} constraints that take arguments, but {} arguments",
            params.len()
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constraints_are_taken_apart() {
        let roles = |text: &str| -> Option<Vec<Role>> {
            Some(parse(text.as_bytes())?.iter().map(|c| c.role).collect())
        };
        use Role::*;
        assert_eq!(roles(""), Some(vec![]));
        assert_eq!(roles("=r,0,r"), Some(vec![Output, Input, Input]));
        assert_eq!(
            roles("=&{ax},=*m,!i,~{memory}"),
            Some(vec![Output, Output, Label, Clobber])
        );
        assert_eq!(roles("^Yi,rm|i"), Some(vec![Input, Input]));
        for broken in ["=", "=r,1", "r,0", "~memory", "{ax", "&r", "=r,,r"] {
            assert_eq!(roles(broken), None, "{broken}");
        }
    }
}
