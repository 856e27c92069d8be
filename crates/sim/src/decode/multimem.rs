//! Decodes accesses of multicast objects (`multimem`).
//!
//! A multicast object has a replica on each device of a team. The emulator is one device, so an object is what lies in global memory
//! at its address, the only replica: a store writes it, a reduction updates it, and the reduction of what is loaded is what is
//! loaded. A request that has several devices in mind gets the values of one.

use super::body::{Decoder, Refused};
use super::operand::Operands;
use crate::address::Space;
use crate::program::{Atomic, Load, Op, Order, Scope, Store, Strength, Update};
use warpc_ptx::inst::Choice;
use warpc_ptx::types::{Meaning as TypeMeaning, ScalarType};
use warpc_ptx_eval as eval;

/// The order of an access; weak unless it has one, but reductions are relaxed.
fn order_of(choice: &Choice) -> Order {
    let sem = ["ldsem", "stsem", "redsem"]
        .into_iter()
        .find_map(|slot| choice.token(slot));
    let scope = Scope::of_token(choice.token("scope")).unwrap_or(Scope::Sys);
    match sem {
        None if !choice.has("red") => Order::default(),
        sem => Order::strong(sem, scope),
    }
}

impl Decoder<'_> {
    pub(super) fn multimem(&mut self, of: Operands<'_>) -> Result<Op, Refused> {
        let choice = of.choice;
        // Some forms name their only type.
        let ty = choice.scalar("type").unwrap_or(ScalarType::S64);
        let space = match choice.has("global") {
            true => Space::Global,
            false => Space::Generic,
        };
        let order = order_of(choice);
        let strength = match order.strong {
            true => Strength::Strong,
            false => Strength::Weak,
        };
        if choice.has("ld_reduce") {
            self.order_matters |= order.strong;
            return Ok(Op::Load(Box::new(Load {
                space,
                ty,
                bytes: ty.bytes(),
                to: self.destination_list(of, "d")?,
                from: self.addr(of, "a")?,
                strength,
                order,
                cached: false,
            })));
        }
        let elements = self.source_list(of, "b")?;
        let at = self.addr(of, "a")?;
        if !choice.has("red") {
            return Ok(Op::Store(Box::new(Store {
                space,
                bytes: ty.bytes(),
                elements,
                to: at,
                strength,
                order,
            })));
        }
        let (Some(shared), Some(global)) = (eval::atomic(choice), eval::atomic_in_global(choice))
        else {
            return self.refuse_form(of);
        };
        // Sums of floats depend on the order in which they are added.
        self.order_matters |= matches!(ty.meaning(), TypeMeaning::Float | TypeMeaning::Packed);
        Ok(Op::Atomic(Box::new(Atomic {
            space,
            bytes: ty.bytes(),
            update: Update::Elements(shared, global),
            to: Default::default(),
            at,
            b: elements,
            c: Default::default(),
            order,
            replaces: false,
            commutes: None,
        })))
    }
}
