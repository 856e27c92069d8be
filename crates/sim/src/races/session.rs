//! One launch that is watched.

use super::clock::{Distance, Shape, reach};
use super::know::{Copies, copies_of, number_of};
use super::report::{Found, Race, Side, headline};
use super::shadow::{SOME, Shadow};
use super::watch::Watch;
use super::{Hub, Races, Target};
use crate::address::{self, Space};
use crate::exec::Env;
use crate::exec::group::{Shared, position};
use crate::exec::special;
use crate::memory::{Global, Purpose};
use crate::program::{Op, Order, Program, Scope};
use crate::source;
use rustc_hash::FxHashSet;
use std::sync::{Mutex, PoisonError};
use warpc_diag::{Diagnostic, Diagnostics, Span};
use warpc_ptx::Module;

/// How far the scopes of the strong accesses reach at least that may be of global memory.
fn narrowest(program: &Program) -> Distance {
    let of = |op: &Op| -> Option<(Space, Order)> {
        match op {
            Op::Load(load) => Some((load.space, load.order)),
            Op::Store(store) => Some((store.space, store.order)),
            Op::Atomic(atomic) => Some((atomic.space, atomic.order)),
            _ => None,
        }
    };
    let steps = program.codes.iter().flat_map(|code| &code.steps);
    let strong = steps
        .filter_map(|step| of(&step.op))
        .filter(|(space, order)| order.strong && *space != Space::Shared);
    let scopes = strong.map(|(_, order)| order.scope);
    reach(scopes.min().unwrap_or(Scope::Sys))
}

/// A launch.
#[derive(Debug)]
pub(crate) struct Session {
    mode: Races,
    shape: Shape,
    /// The one hub, while no group has it.
    hub: Mutex<Option<Box<Hub>>>,
    found: Mutex<Vec<Race>>,
}

impl Session {
    /// A session for a launch; none if nothing is watched.
    pub(crate) fn new(
        mode: Races,
        program: &Program,
        global: &Global,
        (warps, blocks, of_grid): (u32, u32, u64),
    ) -> Option<Session> {
        if mode == Races::Off {
            return None;
        }
        let hub = (mode == Races::All).then(|| {
            let shadows = global.regions().iter().map(|region| match region.purpose {
                Purpose::Constant => Shadow::new(0, SOME),
                _ => Shadow::new(region.bytes, SOME),
            });
            Box::new(Hub {
                global: shadows.collect(),
                locations: Default::default(),
                found: Found::new(program),
            })
        });
        Some(Session {
            mode,
            shape: Shape::new(warps, blocks, of_grid, narrowest(program)),
            hub: Mutex::new(hub),
            found: Mutex::default(),
        })
    }

    /// What watches a group.
    pub(crate) fn watch(&self, env: &Env<'_>, group: u64) -> Box<Watch> {
        let hub = (self.mode == Races::Shared).then(|| {
            Box::new(Hub {
                global: Vec::new(),
                locations: Default::default(),
                found: Found::new(env.program),
            })
        });
        Box::new(Watch::new(self.shape, group, env.shared_end(), hub))
    }

    /// A group begins to run.
    pub(crate) fn enter(&self, shared: &mut Shared) {
        if let Some(watch) = &mut shared.races
            && self.mode == Races::All
        {
            watch.hub = self
                .hub
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .take();
        }
    }

    /// A group stops running, for now or for good.
    pub(crate) fn leave(&self, shared: &mut Shared) {
        let Some(watch) = &mut shared.races else {
            return;
        };
        if let Some(hub) = &mut watch.hub
            && !hub.found.races.is_empty()
        {
            let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
            match self.mode {
                // The hub goes on to keep them: they are what the limit counts.
                Races::All => found.clone_from(&hub.found.races),
                _ => found.append(&mut hub.found.races),
            }
        }
        if self.mode == Races::All {
            *self.hub.lock().unwrap_or_else(PoisonError::into_inner) = watch.hub.take();
        }
    }

    /// What was found, in the order of places.
    pub(crate) fn diagnostics(&self, env: &Env<'_>, module: &Module, into: &mut Diagnostics) {
        let mut races = self
            .found
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone();
        races.sort_by_key(|race| {
            let places = (race.second.place.step, race.first.place.step);
            (race.warning, places, race.second.warp, race.second.lane)
        });
        // A copy that was not waited for ends the run with what to do about it; that it races as well says nothing new.
        let ended: Vec<Span> = into.as_slice().iter().map(|one| one.span).collect();
        let mut told = FxHashSet::default();
        for race in races {
            let (a, b) = (race.first.place.step, race.second.place.step);
            // So does a wait for an mbarrier that is not there any more, or not yet.
            let is_known = ended.contains(&self::span(env.program, b))
                || race.object && ended.contains(&self::span(env.program, a));
            // An error about two places makes a warning about them needless.
            if told.insert((a.min(b), a.max(b))) && !is_known {
                into.push(self.diagnostic(env, module, &race));
            }
        }
    }

    fn diagnostic(&self, env: &Env<'_>, module: &Module, race: &Race) -> Diagnostic {
        let memory = match race.target {
            Target::Global(region, start) => {
                let region = env.global.region(region as usize);
                let offset = race.address - start;
                format!("{offset:#x} of {}", region.name)
            }
            Target::Shared(_) => {
                let offset = race.address & address::OFFSET_MASK;
                format!("shared address {offset:#x}")
            }
        };
        let message = format!("{}: {}", headline(race, &memory), race.why);
        let span = span(env.program, race.second.place.step);
        let mut diagnostic = if race.warning {
            Diagnostic::warning(race.code, span, message)
        } else {
            Diagnostic::error(race.code, span, message)
        };
        diagnostic = diagnostic.label(self.who(env, module, &race.second));
        let (code, pc) = race.second.place.step;
        let code = &env.program.codes[code as usize];
        if let Some(loc) = code.origins.get(pc as usize).and_then(|one| one.loc) {
            diagnostic = diagnostic.from_source(source::chain(module, code, loc as usize));
        }
        if let Some((block, thread)) = self.thread(env, &race.second) {
            diagnostic = diagnostic.thread(block, thread);
        }
        let first = format!(
            "the earlier {}: {}",
            race.first.what,
            self.who(env, module, &race.first)
        );
        let at = self::span(env.program, race.first.place.step);
        diagnostic = diagnostic.related(at, first);
        for side in [&race.second, &race.first] {
            for caller in &side.place.callers {
                let name = &env.program.codes[caller.0 as usize].name;
                let text = match std::ptr::eq(side, &race.second) {
                    true => format!("called from here, in `{name}`"),
                    false => format!("the earlier one was called from here, in `{name}`"),
                };
                diagnostic = diagnostic.related(self::span(env.program, *caller), text);
            }
        }
        diagnostic.help(race.help.clone())
    }

    /// The block and the thread of an access; none if it is a copy that an mbarrier counts.
    fn thread(&self, env: &Env<'_>, side: &Side) -> Option<([u32; 3], [u32; 3])> {
        if copies_of(side.warp) == Some(Copies::Counted) {
            return None;
        }
        let warp = number_of(side.warp);
        let block = warp / self.shape.warps;
        let cluster = position(
            u64::from(block / self.shape.blocks),
            crate::exec::group::clusters(env),
        );
        let inside = position(u64::from(block % self.shape.blocks), env.cluster);
        let block = std::array::from_fn(|i| cluster[i] * env.cluster[i] + inside[i]);
        let number = warp % self.shape.warps * 32 + side.lane;
        Some((block, special::thread(env, number)))
    }

    fn who(&self, env: &Env<'_>, module: &Module, side: &Side) -> String {
        let kernel = &env.program.codes[0].name;
        let mut text = match self.thread(env, side) {
            Some(([a, b, c], [x, y, z])) => {
                format!("kernel `{kernel}`, block ({a}, {b}, {c}), thread ({x}, {y}, {z})")
            }
            None => format!("kernel `{kernel}`, a copy that an mbarrier counts"),
        };
        let (code, pc) = (side.place.step.0 as usize, side.place.step.1 as usize);
        let code = &env.program.codes[code];
        if code.name != *kernel {
            text.push_str(&format!(", in `{}`", code.name));
        }
        if let Some(loc) = code.origins.get(pc).and_then(|origin| origin.loc) {
            let chain = source::chain(module, code, loc as usize);
            text.push_str(", from ");
            text.push_str(&source::text(&chain));
        }
        if side.mixed {
            text.push_str(" (at this place, or at another that the warp read it at)");
        }
        text
    }
}

/// Where a step stands in the text.
fn span(program: &Program, step: super::place::Step) -> Span {
    let code = &program.codes[step.0 as usize];
    let last = code.origins.len().saturating_sub(1);
    code.origins[(step.1 as usize).min(last)].span
}
