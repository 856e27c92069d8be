//! Small programs of C++ or LLVM atomics: what threads do, where they run, and what a mapping makes of it.

use warpc_model::axioms::{
    Inst, Location, MemoryProxy, Operand, Operation, Place, Program, Rmw, Thread, ValueType,
};
use warpc_model::mapping::Mapping;
use warpc_model::{Access, Fence, Ordering, Scope};
use warpc_target::{PtxVersion, Sm};

/// What an item of a thread does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Kind {
    Load,
    Store,
    /// An exchange.
    Rmw,
    /// A swap that expects a value, with its order on failure.
    Cas(u64, u8),
    Fence,
}

/// An access or fence. Orders and scopes are kept as numbers, so that items can be compared.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Item {
    pub kind: Kind,
    pub location: usize,
    pub order: u8,
    pub scope: u8,
}

pub fn order_of(number: u8) -> Ordering {
    Ordering::all().nth(usize::from(number)).expect("an order")
}

pub fn scope_of(number: u8) -> Scope {
    Scope::all().nth(usize::from(number)).expect("a scope")
}

impl Item {
    pub fn new(kind: Kind, location: usize, order: Ordering, scope: Scope) -> Item {
        Item {
            kind,
            location,
            order: order as u8,
            scope: scope as u8,
        }
    }

    pub fn order(self) -> Ordering {
        order_of(self.order)
    }

    pub fn scope(self) -> Scope {
        scope_of(self.scope)
    }
}

/// A program of the source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shape {
    pub threads: Vec<Vec<Item>>,
    pub places: Vec<Place>,
}

/// What the code is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Target {
    pub sm: Sm,
    pub version: PtxVersion,
}

impl Target {
    pub fn new(sm: &str, version: PtxVersion) -> Target {
        Target {
            sm: sm.parse().expect("a chip"),
            version,
        }
    }
}

/// The value that an item writes: another one for each.
pub fn value_of(thread: usize, at: usize) -> u64 {
    (thread * 8 + at + 1) as u64
}

impl Shape {
    fn program(&self, code: impl Fn(usize, usize, Item) -> Vec<Inst>) -> Program {
        let threads = self.threads.iter().enumerate().map(|(thread, items)| {
            let each = items.iter().enumerate();
            Thread {
                place: self.places[thread],
                code: each
                    .flat_map(|(at, item)| code(thread, at, *item))
                    .collect(),
                registers: vec![0; items.len()],
            }
        });
        let locations = (0..4).map(|location| Location {
            memory: location,
            address: location,
            initial: 0,
        });
        Program {
            threads: threads.collect(),
            locations: locations.collect(),
        }
    }

    /// The program with the orders of the source.
    pub fn source(&self) -> Program {
        self.program(|thread, at, item| {
            // Consume is acquire, and unordered relaxed: both are stronger than what is asked for.
            let order = match item.order() {
                Ordering::Consume => Ordering::Acquire,
                Ordering::Unordered => Ordering::Relaxed,
                order => order,
            };
            vec![inst(thread, at, item, order, item.scope())]
        })
    }

    /// What a mapping makes of it.
    pub fn mapped(&self, mapping: &Mapping, target: Target) -> Program {
        self.program(|thread, at, item| lowered(mapping, target, thread, at, item))
    }
}

fn inst(thread: usize, at: usize, item: Item, order: Ordering, scope: Scope) -> Inst {
    let (location, proxy, kind) = (item.location, MemoryProxy::Generic, ValueType::S64);
    let value = Operand::Constant(value_of(thread, at));
    match item.kind {
        Kind::Load => Inst::Load {
            to: at,
            location,
            order,
            scope,
            proxy,
            kind,
        },
        Kind::Store => Inst::Store {
            location,
            value,
            order,
            scope,
            proxy,
            kind,
        },
        Kind::Rmw | Kind::Cas(..) => Inst::Atomic {
            to: Some(at),
            location,
            operation: match item.kind {
                Kind::Cas(expected, _) => Rmw::Cas(Operand::Constant(expected), value),
                _ => Rmw::Apply(Operation::Second, value),
            },
            order,
            scope,
            proxy,
            kind,
        },
        Kind::Fence => Inst::Fence { order, scope },
    }
}

fn fence(fence: Option<Fence>) -> Option<Inst> {
    match fence? {
        Fence::Memory { order, scope } => Some(Inst::Fence { order, scope }),
        // The manual: a synonym of fence.sc.
        Fence::Membar(scope) => Some(Inst::Fence {
            order: Ordering::SeqCst,
            scope,
        }),
        _ => None,
    }
}

fn lowered(mapping: &Mapping, target: Target, thread: usize, at: usize, item: Item) -> Vec<Inst> {
    let (access, order) = match item.kind {
        Kind::Load => (Access::Load, item.order()),
        Kind::Store => (Access::Store, item.order()),
        Kind::Rmw => (Access::Rmw, item.order()),
        Kind::Cas(_, failure) => (Access::Rmw, mapping.cas(item.order(), order_of(failure))),
        Kind::Fence => (Access::Fence, item.order()),
    };
    // A plain access has no cell.
    if order == Ordering::Weak {
        return vec![inst(thread, at, item, order, Scope::Thread)];
    }
    let lowered = mapping
        .lower(access, order, item.scope(), target.sm, target.version)
        .expect("shapes have legal orders");
    let mut code: Vec<Inst> = fence(lowered.before).into_iter().collect();
    if item.kind != Kind::Fence {
        // The manual: a volatile access is a relaxed one at system scope; an atomic without an order is relaxed.
        let scope = match lowered.volatile {
            true => Scope::Sys,
            false => lowered.scope.expect("an access has a scope"),
        };
        let order = lowered.order.unwrap_or(Ordering::Relaxed);
        code.push(inst(thread, at, item, order, scope));
    }
    code.extend(fence(lowered.after));
    code
}
