//! `byval` parameters: where the memory lies that the pointer points to.
//!
//! | what the function does with the pointer | in a kernel | in a function |
//! |---|---|---|
//! | only reads through it | `ld.param` | `ld.param` by name, else local memory |
//! | hands it on, never writes | the generic address of the parameter, where the target has one | local memory |
//! | writes through it | a copy in local memory | local memory |
//!
//! Parameters of functions lie in local memory as soon as their address is taken, so a function may do
//! with them what it likes. Those of kernels cannot be written.

use super::Selector;
use super::address::{Address, Space};
use super::call::param_address;
use crate::abi::{Param, Passing};
use crate::code::{Arg, Class};
use crate::unit::Refused;
use rustc_hash::FxHashSet;
use warpc_nvvm::attribute::Attribute;
use warpc_nvvm::inst::{CallSiteId, CastOp, Op, Ordering};
use warpc_nvvm::value::{Local, Value};

/// Where a parameter lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Home {
    /// Where it was passed; it is only read, through addresses in the space of parameters.
    Param,
    /// Where it was passed; its address is turned into a generic one.
    GenericParam,
    /// Where it was passed to a function, which is local memory.
    Local,
    /// In a copy that starts here in the frame.
    Copy(u64),
}

/// What a function does with a pointer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Use {
    Reads,
    HandsOn,
    Writes,
}

impl Selector<'_, '_> {
    /// Decides where the `byval` parameters of the function lie.
    pub fn choose_homes(&mut self) {
        let abi = self.abi.clone();
        for (local, _) in self.body.locals.iter() {
            let Some(index) = self.param_of(local) else {
                break;
            };
            let Some(param) = abi.params.get(index).filter(|param| param.by_value) else {
                continue;
            };
            let found = self.use_of(local);
            let home = match (abi.kernel, found) {
                (_, Use::Reads) => Home::Param,
                (false, _) => Home::Local,
                (true, Use::HandsOn) if self.unit.has("cvta.param.u64") => Home::GenericParam,
                (true, _) if self.is_grid_constant(index) && self.unit.has("cvta.param.u64") => {
                    Home::GenericParam
                }
                (true, _) => match param.passing {
                    Passing::Bytes(size, align) => Home::Copy(self.frame.take(size, align)),
                    _ => Home::Param,
                },
            };
            self.homes.push((local, home));
        }
    }

    fn is_grid_constant(&self, index: usize) -> bool {
        let attrs = self.module.attributes.of_param(self.attrs, index);
        crate::abi::has_flag(self.unit, attrs, b"nvvm.grid_constant")
    }

    fn is_read_only(&self, index: usize) -> bool {
        let attrs = self.module.attributes.of_param(self.attrs, index);
        crate::abi::has_flag(self.unit, attrs, b"readonly")
    }

    /// The worst that happens to a pointer and to what is computed from it.
    fn use_of(&self, root: Local) -> Use {
        let read_only = self
            .param_of(root)
            .is_some_and(|index| self.is_read_only(index));
        let mut worst = Use::Reads;
        let mut seen = FxHashSet::default();
        let mut work = vec![root];
        while let Some(local) = work.pop() {
            for site in self.uses.of(local) {
                let data = &self.body.insts[site.inst];
                let found = match data.op {
                    Op::Load(access) if !access.volatile && access.ordering == Ordering::Weak => {
                        Use::Reads
                    }
                    Op::Gep { .. } | Op::Cast(CastOp::Bitcast | CastOp::Addrspacecast)
                        if site.operand == 0 && !self.module.types.is_vector(data.ty) =>
                    {
                        work.extend(data.local());
                        Use::Reads
                    }
                    Op::Store(_) if site.operand == 1 => Use::Writes,
                    // Whoever gets the pointer may write through it, unless nobody may.
                    _ if read_only => Use::HandsOn,
                    // The pointer may be another one, too: it must be generic.
                    Op::Phi | Op::Select if !self.module.types.is_vector(data.ty) => {
                        work.extend(data.local().filter(|&local| seen.insert(local)));
                        Use::HandsOn
                    }
                    Op::Icmp(_) => Use::HandsOn,
                    Op::Call(call) => self.use_by_call(call, site.operand as usize),
                    _ => Use::Writes,
                };
                worst = worst.max(found);
            }
        }
        worst
    }

    /// What a call does with a pointer that it is given.
    fn use_by_call(&self, call: CallSiteId, operand: usize) -> Use {
        let site = self.module.call_sites.get(call);
        if operand >= site.args as usize {
            return Use::Writes;
        }
        let attrs = self.module.attributes.of_param(site.attrs, operand);
        let has = |name: &[u8]| crate::abi::has_flag(self.unit, attrs, name);
        if has(b"byval") {
            return Use::Reads;
        }
        let kept = self.module.names.find(b"captures").is_none_or(|name| {
            let found = self.module.attributes.find(attrs, name);
            !matches!(found, Some(Attribute::Words(_, words)) if self.module.names.bytes(words) == b"none")
        });
        if has(b"readonly") && !kept {
            return Use::HandsOn;
        }
        Use::Writes
    }

    /// The `byval` parameter that an address is computed from, and where it lies.
    pub(super) fn home_of(&self, mut value: Value) -> Option<(Local, Home)> {
        if self.homes.is_empty() {
            return None;
        }
        loop {
            match self.definition(value) {
                Some((
                    inst,
                    Op::Gep { .. } | Op::Cast(CastOp::Bitcast | CastOp::Addrspacecast),
                )) => {
                    value = self.body.operands(inst)[0];
                }
                Some(_) => return None,
                None => {
                    let local = value.local()?;
                    return self.homes.iter().copied().find(|home| home.0 == local);
                }
            }
        }
    }

    /// The address of a `byval` parameter itself and an offset, where it needs no register of its own.
    pub(super) fn home_address(
        &mut self,
        value: Value,
        offset: i64,
    ) -> Result<Option<Address>, Refused> {
        let Some((root, home)) = self.home_of(value) else {
            return Ok(None);
        };
        if value.local() != Some(root) {
            return Ok(None);
        }
        Ok(match (home, self.param_of(root)) {
            (Home::Param, Some(index)) => {
                let name = self.abi.params[index].name;
                Some(Address {
                    offset,
                    ..param_address(name)
                })
            }
            (Home::Copy(start), _) => {
                let base = self.frame_register(true);
                Some(Address {
                    base: base.into(),
                    offset: offset + start as i64,
                    space: Space::Local,
                })
            }
            _ => None,
        })
    }

    /// The space of addresses that are computed from the address of a `byval` parameter which is only read:
    /// that is where its register points.
    pub(super) fn home_space(&self, value: Value) -> Option<Space> {
        match self.home_of(value) {
            Some((_, Home::Param)) if self.abi.kernel => Some(Space::Param),
            Some((_, Home::Param)) => Some(Space::Local),
            _ => None,
        }
    }

    /// Writes what a `byval` parameter needs at the start of the function.
    pub(super) fn place_by_value(&mut self, local: Local, param: &Param) -> Result<(), Refused> {
        let home = self.homes.iter().find(|home| home.0 == local);
        let Some(&(_, home)) = home else {
            return Ok(());
        };
        if let (Home::Copy(start), Passing::Bytes(size, align)) = (home, param.passing) {
            let base = self.frame_register(true);
            let to = Address {
                base: base.into(),
                offset: start as i64,
                space: Space::Local,
            };
            self.copy_memory(param_address(param.name), to, size, align)?;
        }
        if !self.is_asked(local) {
            return Ok(());
        }
        let pointer = self.local(local)?[0];
        let window = match home {
            Home::Param => {
                return self.copy(pointer, Arg::Name(param.name));
            }
            Home::Copy(start) => {
                let base = self.frame_register(false);
                let args = [pointer.into(), base.into(), Arg::Int(start as i64)];
                return self.emit("add.s64", &args);
            }
            Home::GenericParam => "cvta.param.u64",
            Home::Local => "cvta.local.u64",
        };
        let place = self.code.reg(Class::B64);
        self.copy(place, Arg::Name(param.name))?;
        self.emit(window, &[pointer.into(), place.into()])
    }
}
