//! Where the variables are that debug information names, after all instructions have been selected.
//!
//! Nothing is selected for them: a value that no instruction has in a register is not there.

use super::Selector;
use super::by_value::Home;
use crate::code::Reg;
use crate::debug::location::{Expression, Fact, Known, Mark, Place, Tracked, Variables};
use warpc_nvvm::constant::ConstKind;
use warpc_nvvm::function::Def;
use warpc_nvvm::inst::Op;
use warpc_nvvm::metadata::NodeId;
use warpc_nvvm::types::Type;
use warpc_nvvm::value::Local;

/// A variable whose registers have no names yet.
#[derive(Clone, Debug)]
pub struct Located {
    /// Its node.
    pub node: NodeId,
    /// Where its function was inlined.
    pub inlined_at: Option<NodeId>,
    /// Where it is.
    pub home: Where,
}

/// Where a variable is.
#[derive(Clone, Debug)]
pub enum Where {
    /// Nobody knows.
    Unknown,
    /// In one place.
    Fixed(Place<Reg>),
    /// From a mark up to another one or the end in a place.
    List(Vec<(Mark, Option<Mark>, Place<Reg>)>),
}

impl Selector<'_, '_> {
    /// The places of variables.
    pub fn locate_variables(&mut self, number: usize) -> Vec<Located> {
        let Variables { tracked, .. } = std::mem::take(&mut self.variables);
        let frame = self.unit.local_name(&format!("__local_depot{number}"));
        let frame = self.unit.ptx.name(frame).to_owned();
        let located = tracked.into_iter().map(|variable| {
            let Tracked {
                node,
                inlined_at,
                fact,
            } = variable;
            let home = match fact {
                Fact::Memory(known) => self.in_memory(known, &frame).map(Where::Fixed),
                Fact::Value(known) => self.value(known).map(Where::Fixed),
                Fact::List(spans) => {
                    let places = spans.into_iter().filter_map(|(from, to, known)| {
                        let place = self.value(known)?;
                        matches!(place, Place::Register(_)).then_some((from, to, place))
                    });
                    Some(Where::List(places.collect()))
                }
            };
            Located {
                node,
                inlined_at,
                home: home.unwrap_or(Where::Unknown),
            }
        });
        located.collect()
    }

    /// The place that an address names.
    fn in_memory(&mut self, known: Known, frame: &str) -> Option<Place<Reg>> {
        let query = crate::debug::query(self.module);
        match known {
            Known::Local(local, expression) => {
                let expression = Expression::read(query, expression)?;
                if expression.deref || expression.constant.is_some() {
                    return None;
                }
                let place = self.memory_at(local, frame)?;
                place.further(expression.offset)
            }
            Known::Const(constant, expression) => {
                let expression = Expression::read(query, expression)?;
                let ConstKind::Global(id) = self.module.constants.get(constant).kind else {
                    return None;
                };
                let is_plain = expression == Expression::default();
                let is_variable = self.module.globals[id].space != 0;
                if !is_plain || !is_variable || self.unit.first_mention(id).is_none() {
                    return None;
                }
                let name = self.unit.own_symbol(id);
                let name = self.unit.ptx.name(name).to_owned();
                Some(Place::Global(name, self.module.globals[id].space))
            }
            Known::Gone => None,
        }
    }

    fn memory_at(&mut self, local: Local, frame: &str) -> Option<Place<Reg>> {
        match self.body.locals[local].def {
            Def::Inst(inst) if matches!(self.body.insts[inst].op, Op::Alloca { .. }) => {
                if let Some(offset) = self.frame.place(inst) {
                    return Some(Place::Frame(frame.to_owned(), offset));
                }
            }
            Def::Param(index) => {
                let home = self.homes.iter().find(|home| home.0 == local);
                match home.map(|home| home.1) {
                    Some(Home::Copy(offset)) => {
                        return Some(Place::Frame(frame.to_owned(), offset));
                    }
                    Some(Home::Param | Home::GenericParam | Home::Local) => {
                        let param = self.abi.params.get(index as usize)?;
                        return Some(Place::Param(self.unit.ptx.name(param.name).to_owned()));
                    }
                    None => {}
                }
            }
            _ => {}
        }
        let Type::Ptr(space) = self.kind(self.body.locals[local].ty) else {
            return None;
        };
        Some(Place::At(self.register_of(local)?, space, 0))
    }

    /// The place of a value.
    fn value(&mut self, known: Known) -> Option<Place<Reg>> {
        let query = crate::debug::query(self.module);
        match known {
            Known::Local(local, expression) => {
                let expression = Expression::read(query, expression)?;
                if expression.constant.is_some() {
                    return None;
                }
                let register = self.register_of(local)?;
                match (expression.deref, self.kind(self.body.locals[local].ty)) {
                    (true, Type::Ptr(space)) => Some(Place::At(register, space, expression.offset)),
                    (false, _) if expression.offset == 0 => Some(Place::Register(register)),
                    _ => None,
                }
            }
            Known::Const(constant, expression) => {
                let expression = Expression::read(query, expression)?;
                let number = self.module.constants.as_u64(constant)?;
                (expression == Expression::default()).then_some(Place::Number(number))
            }
            Known::Gone => None,
        }
    }

    /// The one register that holds a value, if an instruction asked for it.
    fn register_of(&mut self, local: Local) -> Option<Reg> {
        if !self.is_asked(local) {
            return None;
        }
        match self.local(local).ok()?[..] {
            [register] => Some(register),
            _ => None,
        }
    }
}
