//! Loads, stores, atomics, addresses and the stack.

use super::body::{Decoder, Refused};
use super::names::Meaning;
use super::operand::Operands;
use crate::address::Space;
use crate::program::{
    AddressOp, Atomic, Dst, Load, Op, Order, Src, StackOp, Store, Strength, Update,
};
use warpc_ptx::inst::{Choice, Operand};
use warpc_ptx::module::FunctionKind;
use warpc_ptx::types::{Meaning as TypeMeaning, ScalarType};
use warpc_ptx_eval as eval;

/// The type of the values an access moves.
fn element(choice: &Choice) -> ScalarType {
    choice.scalar("type").unwrap_or(if choice.has("b128") {
        ScalarType::B128
    } else {
        ScalarType::U32
    })
}

/// The space of an access; `.global` may be a literal of the form rather than a slot.
fn space(choice: &Choice) -> Space {
    let token = choice.token("ss").or_else(|| choice.token("space"));
    Space::of_token(token.or_else(|| choice.token("global")))
}

fn strength(choice: &Choice) -> Strength {
    if choice.has("sem") || choice.has("volatile") {
        Strength::Strong
    } else {
        Strength::Weak
    }
}

impl Decoder<'_> {
    /// Parameters of device functions and of calls lie on the stack.
    fn place_of_param(&mut self, of: Operands<'_>, name: &str, space: Space) -> Space {
        if space != Space::Param {
            return space;
        }
        if let Some(index) = of.find(name)
            && let Operand::Address { items, .. } = self.body.operands[index]
            && let Some(Operand::Name { symbol, .. }) = self.body.operands(items).first()
        {
            match self.names.find(*symbol) {
                Some(Meaning::Stack(..)) => return Space::Local,
                Some(Meaning::Fixed(space, ..)) => return space,
                _ => {}
            }
        }
        let entry = match of.choice.token("ss") {
            Some(".param::entry") => true,
            Some(".param::func") => false,
            _ => self.function.kind == FunctionKind::Entry,
        };
        if entry { Space::Param } else { Space::Local }
    }

    pub(super) fn load(&mut self, of: Operands<'_>) -> Result<Op, Refused> {
        let ty = element(of.choice);
        let space = space(of.choice);
        let space = self.place_of_param(of, "a", space);
        let strength = strength(of.choice);
        if strength == Strength::Strong && matches!(space, Space::Global | Space::Generic) {
            self.order_matters = true;
        }
        Ok(Op::Load(Box::new(Load {
            space,
            ty,
            bytes: ty.bytes(),
            to: self.destination_list(of, "d")?,
            from: self.addr(of, "a")?,
            strength,
            order: Order::of_access(of.choice),
            cached: of.choice.has("nc"),
        })))
    }

    pub(super) fn store(&mut self, of: Operands<'_>) -> Result<Op, Refused> {
        let space = space(of.choice);
        if of.choice.has("async") {
            return self.async_copy(of);
        }
        let space = self.place_of_param(of, "a", space);
        Ok(Op::Store(Box::new(Store {
            space,
            bytes: element(of.choice).bytes(),
            elements: self.source_list(of, "b")?,
            to: self.addr(of, "a")?,
            strength: strength(of.choice),
            order: Order::of_access(of.choice),
        })))
    }

    pub(super) fn atomic(&mut self, of: Operands<'_>) -> Result<Op, Refused> {
        if of.choice.has("async") {
            return self.async_copy(of);
        }
        let ty = element(of.choice);
        let update = match (eval::atomic(of.choice), eval::atomic_in_global(of.choice)) {
            (Some(shared), Some(global)) => Update::Elements(shared, global),
            _ if ty == ScalarType::B128 && of.choice.has("exch") => Update::Exchange128,
            _ if ty == ScalarType::B128 && of.choice.has("cas") => Update::Compare128,
            _ => return self.refuse_form(of),
        };
        let space = space(of.choice);
        let to: crate::program::Destinations =
            self.destination_list(of, "d")?.into_iter().collect();
        // Sums of integers and the like come out the same in every order, unless someone looks at
        // what was there before.
        let looks = to.iter().any(|dst| *dst != Dst::Sink);
        let commutes = ty.meaning() != TypeMeaning::Float
            && ty.meaning() != TypeMeaning::Packed
            && !of.choice.has("exch")
            && !of.choice.has("cas");
        // The same operation on the same type, for the same threads.
        let order = Order::of_atomic(of.choice);
        let names = [".add", ".and", ".or", ".xor", ".min", ".max"];
        let operation = ["add", "op"].iter().find_map(|slot| of.choice.token(slot));
        let class = operation.and_then(|one| names.iter().position(|name| *name == one));
        let class =
            class.map(|name| 4096 * (16 + name as u32) + 8 * ty as u32 + order.scope as u32);
        if matches!(space, Space::Global | Space::Generic) && (looks || !commutes) {
            self.order_matters = true;
        }
        Ok(Op::Atomic(Box::new(Atomic {
            space,
            bytes: ty.bytes(),
            update,
            to,
            at: self.addr(of, "a")?,
            b: self.source_list(of, "b")?,
            c: self.source_list(of, "c")?,
            order,
            replaces: of.choice.has("exch"),
            commutes: class.filter(|_| commutes && !looks),
        })))
    }

    pub(super) fn address(&mut self, of: Operands<'_>) -> Result<Op, Refused> {
        let choice = of.choice;
        let space = Space::of_token(choice.token("space"));
        let (op, to, a, b) = match choice.form.form().opcode {
            "cvta" if choice.has("to") => (AddressOp::FromGeneric(space), "p", "a", None),
            "cvta" => (
                AddressOp::ToGeneric(self.param_of_func(of, space)),
                "p",
                "a",
                None,
            ),
            "isspacep" => {
                let own = choice.token("space") != Some(".shared::cluster");
                (AddressOp::IsIn(space, own), "p", "a", None)
            }
            "mapa" => (
                AddressOp::MapRank(space == Space::Generic),
                "d",
                "a",
                Some("b"),
            ),
            _ => (AddressOp::RankOf(space == Space::Generic), "d", "a", None),
        };
        let to = self.destination(of, to)?;
        let a = self.needed(of, a)?;
        let b = match b {
            Some(name) => self.needed(of, name)?,
            None => Src::Imm(0),
        };
        Ok(Op::Address(op, to, a, b))
    }

    /// The parameter of a device function whose address is taken lies on the stack.
    fn param_of_func(&mut self, of: Operands<'_>, space: Space) -> Space {
        let local = self.function.kind == FunctionKind::Func
            && of.choice.token("space") != Some(".param::entry");
        match space {
            Space::Param if local => Space::Local,
            space => space,
        }
    }

    pub(super) fn stack(&mut self, of: Operands<'_>) -> Result<Op, Refused> {
        Ok(Op::Stack(match of.choice.form.form().opcode {
            "alloca" => {
                let align = match self.source(of, "immAlign")? {
                    Some(Src::Imm(align)) => align as u32,
                    _ => 8,
                };
                StackOp::Grow {
                    to: self.destination(of, "ptr")?,
                    size: self.needed(of, "size")?,
                    align,
                }
            }
            "stacksave" => StackOp::Save(self.destination(of, "d")?),
            _ => StackOp::Restore(self.needed(of, "a")?),
        }))
    }
}
