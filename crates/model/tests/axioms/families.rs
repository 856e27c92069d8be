//! All shapes of a kind: how accesses are spread over threads and locations, what they are, and what stands between.

use crate::shapes::{Item, Kind, Shape, value_of};
use warpc_model::axioms::Place;
use warpc_model::{Ordering, Scope};

use Ordering::{AcqRel, Acquire, Consume, Relaxed, Release, SeqCst, Unordered, Weak};

/// A kind of access with an order.
pub type Letter = (Kind, Ordering);

/// How many accesses each thread has: all ways to spread two to four, but those of one thread.
pub const SPREADS: [&[usize]; 7] = [
    &[1, 1],
    &[2, 1],
    &[1, 1, 1],
    &[2, 2],
    &[3, 1],
    &[2, 1, 1],
    &[1, 1, 1, 1],
];

/// Loads and stores of all orders.
pub const LOADS_AND_STORES: &[Letter] = &[
    (Kind::Load, Weak),
    (Kind::Load, Unordered),
    (Kind::Load, Relaxed),
    (Kind::Load, Consume),
    (Kind::Load, Acquire),
    (Kind::Load, SeqCst),
    (Kind::Store, Weak),
    (Kind::Store, Unordered),
    (Kind::Store, Relaxed),
    (Kind::Store, Release),
    (Kind::Store, SeqCst),
];

/// Loads and stores of the orders that differ.
pub const STRONG: &[Letter] = &[
    (Kind::Load, Relaxed),
    (Kind::Load, Acquire),
    (Kind::Load, SeqCst),
    (Kind::Store, Relaxed),
    (Kind::Store, Release),
    (Kind::Store, SeqCst),
];

/// The same, and exchanges.
pub const ATOMIC: &[Letter] = &[
    (Kind::Load, Relaxed),
    (Kind::Load, Acquire),
    (Kind::Load, SeqCst),
    (Kind::Store, Relaxed),
    (Kind::Store, Release),
    (Kind::Store, SeqCst),
    (Kind::Rmw, Relaxed),
    (Kind::Rmw, Consume),
    (Kind::Rmw, Acquire),
    (Kind::Rmw, Release),
    (Kind::Rmw, AcqRel),
    (Kind::Rmw, SeqCst),
];

/// Relaxed accesses of each kind, and plain ones, for fences to order.
pub const TO_FENCE: &[Letter] = &[
    (Kind::Load, Weak),
    (Kind::Load, Relaxed),
    (Kind::Load, SeqCst),
    (Kind::Store, Weak),
    (Kind::Store, Relaxed),
    (Kind::Store, SeqCst),
    (Kind::Rmw, Relaxed),
];

/// What stands between two accesses of a thread.
pub const FENCES: &[Option<Ordering>] = &[
    None,
    Some(Acquire),
    Some(Release),
    Some(AcqRel),
    Some(SeqCst),
];

/// No fences.
pub const NO_FENCES: &[Option<Ordering>] = &[None];

/// Where threads run, and the narrowest scope that takes in all of them.
pub fn places(scope: Scope) -> impl Fn(u32) -> Place {
    move |thread| match scope {
        Scope::Thread | Scope::Cta => Place::default(),
        Scope::Cluster => Place {
            cta: thread,
            ..Place::default()
        },
        Scope::Gpu => Place {
            cta: thread,
            cluster: thread,
            ..Place::default()
        },
        Scope::Sys => Place {
            cta: thread,
            cluster: thread,
            gpu: thread,
        },
    }
}

/// Chosen for an access: its letter and its scope, by number.
type Chosen = (usize, usize);

/// A family.
pub struct Family<'f> {
    pub spread: &'f [usize],
    pub letters: &'f [Letter],
    pub fences: &'f [Option<Ordering>],
    /// The scopes that an access may have; threads are placed by the widest, which fences have.
    pub scopes: &'f [Scope],
}

impl Family<'_> {
    /// Calls a function with each shape, once for those that only name threads or locations otherwise.
    pub fn each(&self, visit: &mut dyn FnMut(&Shape)) {
        let count: usize = self.spread.iter().sum();
        let widest = *self.scopes.last().expect("a scope");
        let place = places(widest);
        let places: Vec<Place> = (0..self.spread.len() as u32).map(place).collect();
        let thread_of: Vec<usize> = self
            .spread
            .iter()
            .enumerate()
            .flat_map(|(thread, size)| vec![thread; *size])
            .collect();
        for locations in locations(&thread_of) {
            let mut chosen = vec![(0, 0); count];
            self.letters_at(&mut chosen, 0, &mut |chosen| {
                if !communicates(&locations, &thread_of, chosen, self.letters) {
                    return;
                }
                self.fences_between(&thread_of, &mut |between| {
                    let mut threads = vec![Vec::new(); self.spread.len()];
                    for (at, &(letter, scope)) in chosen.iter().enumerate() {
                        let (kind, order) = self.letters[letter];
                        let thread: &mut Vec<Item> = &mut threads[thread_of[at]];
                        if let Some(order) = between[at] {
                            thread.push(Item::new(Kind::Fence, 0, order, widest));
                        }
                        let scope = self.scopes[scope];
                        thread.push(Item::new(kind, locations[at], order, scope));
                    }
                    if is_first_of_its_names(&threads, self.spread) {
                        visit(&Shape {
                            threads,
                            places: places.clone(),
                        });
                    }
                });
            });
        }
    }

    fn letters_at(&self, chosen: &mut [Chosen], at: usize, visit: &mut dyn FnMut(&[Chosen])) {
        if at == chosen.len() {
            return visit(chosen);
        }
        for letter in 0..self.letters.len() {
            for scope in 0..self.scopes.len() {
                chosen[at] = (letter, scope);
                self.letters_at(chosen, at + 1, visit);
            }
        }
    }

    fn fences_between(&self, thread_of: &[usize], visit: &mut dyn FnMut(&[Option<Ordering>])) {
        let gaps: Vec<usize> = (1..thread_of.len())
            .filter(|&at| thread_of[at] == thread_of[at - 1])
            .collect();
        let total = self.fences.len().pow(gaps.len() as u32);
        for mut number in 0..total {
            let mut between = vec![None; thread_of.len()];
            for &gap in &gaps {
                between[gap] = self.fences[number % self.fences.len()];
                number /= self.fences.len();
            }
            visit(&between);
        }
    }
}

/// Locations of accesses: names in order of appearance, each used by two threads at least. One that a single thread uses
/// orders nothing between threads.
fn locations(thread_of: &[usize]) -> Vec<Vec<usize>> {
    let mut all = vec![vec![0]];
    for _ in 1..thread_of.len() {
        all = all
            .into_iter()
            .flat_map(|start| {
                let next = start.iter().max().map_or(0, |most| most + 1);
                (0..=next).map(move |location| [&start[..], &[location]].concat())
            })
            .collect();
    }
    all.retain(|locations| {
        locations.iter().all(|location| {
            let used = locations.iter().zip(thread_of);
            let mut threads = used
                .filter(|(one, _)| *one == location)
                .map(|(_, thread)| thread);
            let first = threads.next();
            threads.any(|thread| Some(thread) != first)
        })
    });
    all
}

/// Whether every location is read by some thread and written by another, or written by two.
fn communicates(
    locations: &[usize],
    thread_of: &[usize],
    chosen: &[Chosen],
    letters: &[Letter],
) -> bool {
    let writes = |at: usize| letters[chosen[at].0].0 != Kind::Load;
    (0..locations.len()).all(|a| {
        (0..locations.len()).any(|b| {
            (0..locations.len()).any(|c| {
                locations[b] == locations[a]
                    && locations[c] == locations[a]
                    && thread_of[b] != thread_of[c]
                    && writes(b)
            })
        })
    })
}

/// Of shapes that differ only in the order of equally long threads, the first one.
fn is_first_of_its_names(threads: &[Vec<Item>], spread: &[usize]) -> bool {
    let renamed = |first: usize, second: usize| {
        let mut swapped = threads.to_vec();
        swapped.swap(first, second);
        let mut names: Vec<usize> = Vec::new();
        for item in swapped
            .iter_mut()
            .flatten()
            .filter(|item| item.kind != Kind::Fence)
        {
            let known = names.iter().position(|name| *name == item.location);
            item.location = known.unwrap_or_else(|| {
                names.push(item.location);
                names.len() - 1
            });
        }
        swapped
    };
    (1..threads.len()).all(|second| {
        (0..second)
            .all(|first| spread[first] != spread[second] || threads <= &renamed(first, second)[..])
    })
}

/// Swaps in place of one access of each shape: with every pair of orders, expecting zero or what another thread writes.
pub fn with_swap(shape: &Shape, visit: &mut dyn FnMut(&Shape)) {
    let success = [Relaxed, Acquire, Release, AcqRel, SeqCst];
    for (thread, items) in shape.threads.iter().enumerate() {
        for (at, item) in items.iter().enumerate() {
            if item.kind != Kind::Rmw {
                continue;
            }
            let other = shape.threads.iter().enumerate().find_map(|(other, items)| {
                let wrote = items.iter().position(|one| {
                    one.location == item.location && matches!(one.kind, Kind::Store | Kind::Rmw)
                })?;
                (other != thread).then(|| value_of(other, wrote))
            });
            for order in success {
                for failure in [Relaxed, Acquire, SeqCst] {
                    for expected in [Some(0), other].into_iter().flatten() {
                        let mut swapped = shape.clone();
                        let kind = Kind::Cas(expected, failure as u8);
                        swapped.threads[thread][at] =
                            Item::new(kind, item.location, order, item.scope());
                        visit(&swapped);
                    }
                }
            }
        }
    }
}
