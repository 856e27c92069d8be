//! Races that were found: each pair of places once, with what would have ordered them.

mod missing;

use super::Target;
use super::access::Check;
use super::clock::{Shape, Who, needed, reach};
use super::know::{Actor, Copies, Know, copies_of, number_of};
use super::place::{Place, Places};
use super::shadow::{
    ATOMIC, Info, MIXED, OBJECT, STRONG, Seen, WRITE, bytes_of, is_end, place_of, scope_of,
};
use crate::program::Program;
use rustc_hash::FxHashSet;
use warpc_diag::codes::{self, Code};

/// Pairs of places that are told of in a launch.
const MOST: usize = 16;

/// The access that was met second.
#[derive(Clone, Copy, Debug)]
pub(super) struct Second {
    pub(super) who: Who,
    pub(super) info: Info,
    pub(super) target: Target,
    pub(super) address: u64,
}

/// One of two accesses, ready to be told of.
#[derive(Clone, Debug)]
pub(super) struct Side {
    pub(super) warp: Actor,
    pub(super) lane: u32,
    pub(super) place: Place,
    pub(super) what: String,
    /// Whether the thread may have done it at another place, too.
    pub(super) mixed: bool,
}

/// A race.
#[derive(Clone, Debug)]
pub(super) struct Race {
    pub(super) code: Code,
    pub(super) warning: bool,
    /// Whether it is about an mbarrier.
    pub(super) object: bool,
    pub(super) first: Side,
    pub(super) second: Side,
    pub(super) target: Target,
    pub(super) address: u64,
    /// Why they are not ordered.
    pub(super) why: String,
    /// What would order them.
    pub(super) help: String,
}

/// All that was found.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) places: Places,
    pairs: FxHashSet<(u32, u32, Code)>,
    pub(super) races: Vec<Race>,
}

/// What an access is called.
fn words(actor: Actor, info: Info) -> String {
    let write = info & WRITE != 0;
    let kind = match (copies_of(actor), info & ATOMIC != 0) {
        (Some(_), true) => "asynchronous reduction",
        (Some(Copies::Small), _) if write => "write by `cp.async`",
        (Some(Copies::Small), _) => "read by `cp.async`",
        (Some(_), _) if write => "write by an asynchronous copy",
        (Some(_), _) => "read by an asynchronous copy",
        (None, true) => "atomic access",
        (None, _) if write => "write",
        (None, _) => "read",
    };
    if info & OBJECT != 0 {
        return match (info & STRONG != 0, write) {
            (false, _) if is_end(info) => "`mbarrier.inval`",
            (false, _) => "`mbarrier.init`",
            (true, true) => "arrival or copy that an mbarrier counts",
            (true, false) => "wait for an mbarrier",
        }
        .to_owned();
    }
    if is_end(info) {
        return "`free`".to_owned();
    }
    let bytes = bytes_of(info);
    let plural = if bytes == 1 { "" } else { "s" };
    match copies_of(actor) {
        Some(_) => kind.to_owned(),
        None if info & STRONG != 0 => {
            format!("`{}` {kind} of {bytes} byte{plural}", scope_of(info).name())
        }
        None => format!("{kind} of {bytes} byte{plural}"),
    }
}

impl Found {
    pub(super) fn new(program: &Program) -> Found {
        Found {
            places: Places::new(program),
            pairs: FxHashSet::default(),
            races: Vec::new(),
        }
    }

    /// Whether a pair of places is new, and there is room for it.
    fn is_new(&mut self, first: Info, second: Info, code: Code) -> bool {
        let (a, b) = (place_of(first), place_of(second));
        let pair = (a.min(b), a.max(b), code);
        self.races.len() < MOST && self.pairs.insert(pair)
    }

    /// An access races with an earlier one.
    pub(super) fn race(&mut self, check: &Check<'_>, seen: &Seen, same: &dyn Fn() -> bool) {
        let by = check.by.actor;
        let copies = copies_of(seen.actor).is_some() || copies_of(by).is_some();
        let strong = (seen.info | check.act.info) & STRONG != 0;
        let mut code = match (copies, strong) {
            (true, _) => codes::COPY_RACE,
            (_, true) => codes::STRONG_RACE,
            _ => codes::DATA_RACE,
        };
        if code == codes::DATA_RACE && check.act.write && same() {
            code = codes::SAME_VALUE_RACE;
        }
        if !self.is_new(seen.info, check.act.info, code) {
            return;
        }
        let (why, help) = explain(check, seen);
        self.push(check, seen, code, (why, help));
    }

    /// A bulk copy reads what a thread has written, with no fence of the proxy between the two.
    pub(super) fn proxy(&mut self, check: &Check<'_>, seen: &Seen) {
        let code = codes::PROXY_RACE;
        if self.is_new(seen.info, check.act.info, code) {
            let verb = if check.act.write { "writes" } else { "reads" };
            let why = format!(
                "the write is ordered before the copy, but it was made by the generic proxy, and the copy {verb} by the \
                 asynchronous one"
            );
            let help = "put `fence.proxy.async` after the write (in the thread that wrote, before it tells others) or \
                        before the copy";
            self.push(check, seen, code, (why, help.to_owned()));
        }
    }

    fn push(&mut self, check: &Check<'_>, seen: &Seen, code: Code, (why, help): (String, String)) {
        let second = check.second();
        // What an mbarrier counts has no thread: the one that issued it is not remembered.
        self.races.push(Race {
            code,
            warning: code == codes::SAME_VALUE_RACE,
            object: (seen.info | check.act.info) & OBJECT != 0,
            first: Side {
                warp: seen.actor,
                lane: seen.lanes.trailing_zeros(),
                place: self.places.get(place_of(seen.info)),
                what: words(seen.actor, seen.info),
                mixed: seen.info & MIXED != 0,
            },
            second: Side {
                warp: second.who.warp,
                lane: second.who.lane,
                place: self.places.get(place_of(second.info)),
                what: words(check.by.actor, second.info),
                mixed: false,
            },
            target: second.target,
            address: second.address,
            why,
            help,
        });
    }
}

/// Whether somebody who knows this would be after an access.
fn covers(shape: &Shape, know: &Know, seen: &Seen) -> bool {
    let block = know.block(shape.block(seen.actor));
    let lane = seen.lanes.trailing_zeros();
    block.is_some_and(|block| block.of(seen.actor, lane) >= seen.clock)
}

/// Where the other thread is.
fn apart(distance: usize) -> &'static str {
    match distance {
        0 => "in the same block",
        1 => "in another block of the cluster",
        _ => "in another block",
    }
}

/// Why two accesses are not ordered, and what would order them.
fn explain(check: &Check<'_>, seen: &Seen) -> (String, String) {
    let shape = &check.shape;
    let (own, theirs) = (shape.block(check.by.who.warp), shape.block(seen.actor));
    let distance = shape.distance(own, theirs);
    if let Some(told) = of_copies(check, seen) {
        return told;
    }
    if let Some(told) = missing::told(check, seen) {
        return told;
    }
    let both = seen.info & check.act.info & STRONG != 0;
    let any = (seen.info | check.act.info) & STRONG != 0;
    if both {
        let (a, b) = (bytes_of(seen.info), bytes_of(check.act.info));
        if a != b {
            return (
                format!(
                    "both are strong, but one has {a} bytes and the other {b}: they are not one access to each other"
                ),
                "access it in one size everywhere, or order the accesses".to_owned(),
            );
        }
        return narrow(check, seen, distance);
    }
    if any {
        return weak(check, seen, distance);
    }
    by_distance(check, seen, distance)
}

/// Two strong accesses, of which one or both have a scope without the other's thread.
fn narrow(check: &Check<'_>, seen: &Seen, distance: usize) -> (String, String) {
    let scope = needed(distance).name();
    let (theirs, own) = (scope_of(seen.info), scope_of(check.act.info));
    let is_narrow = |scope| reach(scope) < distance;
    let (which, narrow) = match (is_narrow(theirs), is_narrow(own)) {
        (true, true) => ("both", theirs.min(own)),
        (true, false) => ("the other access", theirs),
        (false, _) => ("this access", own),
    };
    (
        format!(
            "both are strong, but the scope `{}` of {} does not include the other thread, which is {}",
            narrow.name(),
            if which == "both" { "one" } else { which },
            apart(distance)
        ),
        format!("`{scope}` would do, in {which}"),
    )
}

/// A strong access and a weak one.
fn weak(check: &Check<'_>, seen: &Seen, distance: usize) -> (String, String) {
    let scope = needed(distance).name();
    let (plain, other, strong) = match check.act.info & STRONG == 0 {
        true => ("this access", "the other access", seen.info),
        false => ("the other access", "this access", check.act.info),
    };
    if (seen.info | check.act.info) & OBJECT != 0 {
        return (
            format!("{plain} is weak: nothing else may happen to the object at that time"),
            "put a barrier of the threads between `mbarrier.init` and other operations on the object, and between these and \
             `mbarrier.inval` or another use of the memory"
                .to_owned(),
        );
    }
    let both_write = seen.info & check.act.info & WRITE != 0;
    // It takes two to be strong for each other.
    let mut as_well = String::new();
    if reach(scope_of(strong)) < distance {
        as_well = format!(" (and {other} at `{scope}` as well)");
    }
    let (a, b) = (bytes_of(seen.info), bytes_of(check.act.info));
    if a != b {
        as_well.push_str(", both in one size");
    }
    (
        format!("{plain} is weak: only strong accesses may meet without order"),
        match (distance, both_write) {
            (0, _) => format!(
                "put a barrier between the two, or make {plain} relaxed or atomic at `{scope}`{as_well}"
            ),
            _ => format!(
                "make {plain} relaxed or atomic at `{scope}`{as_well}, or order the two by a release and an acquire"
            ),
        },
    )
}

fn by_distance(check: &Check<'_>, seen: &Seen, distance: usize) -> (String, String) {
    let who = check.by.who;
    let same_warp = seen.actor == who.warp;
    if same_warp && seen.clock == check.by.clock && seen.info == check.act.info && check.act.write {
        return (
            "several lanes of the warp write there in one instruction, and any of them may win"
                .to_owned(),
            "let one lane write, or use an atomic operation".to_owned(),
        );
    }
    if same_warp {
        return (
            "both threads are in one warp, and its lanes run on their own".to_owned(),
            "put `bar.warp.sync` (`__syncwarp()`) between the two; `shfl` and `vote` order no memory".to_owned(),
        );
    }
    match distance {
        0 => (
            "no barrier that both threads wait at is between them".to_owned(),
            "put `bar.sync` (`__syncthreads()`) between the two".to_owned(),
        ),
        1 => (
            "they are in different blocks of a cluster, and no barrier of the cluster is between them".to_owned(),
            "put `barrier.cluster.arrive` and `barrier.cluster.wait` between the two".to_owned(),
        ),
        _ => (
            "they are in different blocks, which run in any order".to_owned(),
            "order them by a release at `.gpu` after the first and an acquire at `.gpu` before the second, use atomic \
             operations, or make two kernels of it"
                .to_owned(),
        ),
    }
}

/// What is missing where copies are involved.
fn of_copies(check: &Check<'_>, seen: &Seen) -> Option<(String, String)> {
    let who = check.by.who;
    if let Some(kind) = copies_of(seen.actor) {
        let own = number_of(seen.actor) == who.warp && seen.lanes >> who.lane & 1 != 0;
        let wait = match kind {
            Copies::Small => "`cp.async.wait_group` (or `wait_all`)",
            Copies::Bulk => "`cp.async.bulk.wait_group`",
            Copies::BulkRead => "`cp.async.bulk.wait_group.read`",
            Copies::Counted => {
                return Some((
                    "the copy is under way: nobody has waited for the phase of its mbarrier"
                        .to_owned(),
                    "wait for the phase with `mbarrier.try_wait` before the access".to_owned(),
                ));
            }
        };
        return Some(if own {
            (
                "the copy is under way: its group has not been waited for".to_owned(),
                format!("put {wait} before the access"),
            )
        } else {
            (
                "another thread issued the copy, and its wait is not known here".to_owned(),
                format!(
                    "put {wait} and then `bar.sync` before the access: a wait is for the own copies only"
                ),
            )
        });
    }
    copies_of(check.by.actor)?;
    let distance = check
        .shape
        .distance(check.shape.block(who.warp), check.shape.block(seen.actor));
    Some((
        "the copy is issued before the other access is ordered".to_owned(),
        match distance {
            0 => "put a barrier between the access and the instruction that issues the copy"
                .to_owned(),
            _ => "order the access before the instruction that issues the copy".to_owned(),
        },
    ))
}

/// The words for a pair of accesses.
pub(super) fn headline(race: &Race, memory: &str) -> String {
    let kind = match race.code {
        code if code == codes::PROXY_RACE => "no proxy fence",
        _ => "race",
    };
    format!(
        "{kind}: this {} and an earlier {} at {memory} are not ordered",
        race.second.what, race.first.what
    )
}
