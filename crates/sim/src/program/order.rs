//! Orders and scopes of accesses and fences, as the memory model of PTX has them.

use warpc_ptx::inst::Choice;

/// The threads that an order is for, from few to many.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Scope {
    /// Those of the block.
    #[default]
    Cta,
    /// Those of the cluster.
    Cluster,
    /// Those of the grid, and of other grids on the chip.
    Gpu,
    /// All, the host's as well.
    Sys,
}

impl Scope {
    /// The scope of a modifier.
    pub(crate) fn of_token(token: Option<&str>) -> Option<Scope> {
        Some(match token? {
            ".cta" => Scope::Cta,
            ".cluster" => Scope::Cluster,
            ".gpu" | ".gl" => Scope::Gpu,
            _ => Scope::Sys,
        })
    }

    /// As PTX writes it.
    pub fn name(self) -> &'static str {
        match self {
            Scope::Cta => ".cta",
            Scope::Cluster => ".cluster",
            Scope::Gpu => ".gpu",
            Scope::Sys => ".sys",
        }
    }
}

/// What an access or a fence orders. The default is a weak access.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Order {
    /// Whether it is strong: relaxed or more, or volatile.
    pub strong: bool,
    /// Whether what was released is known after it.
    pub acquire: bool,
    /// Whether what came before is known to who acquires.
    pub release: bool,
    /// Whether fences of this kind are in one order.
    pub sc: bool,
    /// For whom.
    pub scope: Scope,
}

impl Order {
    /// A strong access with an order such as `.acq_rel`.
    pub(crate) fn strong(sem: Option<&str>, scope: Scope) -> Order {
        let sem = sem.unwrap_or(".relaxed");
        Order {
            strong: true,
            acquire: matches!(sem, ".acquire" | ".acq_rel" | ".sc"),
            release: matches!(sem, ".release" | ".acq_rel" | ".sc"),
            sc: sem == ".sc",
            scope,
        }
    }

    /// The order of `ld` or `st`: without one the access is weak, and volatile is relaxed for all.
    pub(crate) fn of_access(choice: &Choice) -> Order {
        if choice.has("volatile") {
            return Order::strong(None, Scope::Sys);
        }
        match choice.token("sem") {
            None => Order::default(),
            sem => {
                let scope = Scope::of_token(choice.token("scope"));
                Order::strong(sem, scope.unwrap_or(Scope::Sys))
            }
        }
    }

    /// The order of `atom` or `red`: relaxed for the chip, unless something else is said.
    pub(crate) fn of_atomic(choice: &Choice) -> Order {
        let scope = Scope::of_token(choice.token("scope"));
        Order::strong(choice.token("sem"), scope.unwrap_or(Scope::Gpu))
    }

    /// The order of an arrival at an mbarrier or of a wait for one, which is a release or an acquire unless it is relaxed.
    pub(crate) fn of_mbarrier(choice: &Choice) -> Order {
        let relaxed = choice.token("sem") == Some(".relaxed");
        let scope = Scope::of_token(choice.token("scope"));
        Order {
            strong: true,
            acquire: !relaxed,
            release: !relaxed,
            sc: false,
            scope: scope.unwrap_or(Scope::Cta),
        }
    }
}

/// `fence`, `membar`
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fence {
    /// It orders memory for threads.
    Threads(Order),
    /// `fence.proxy.async`: it orders generic accesses and those of bulk copies.
    AsyncProxy,
    /// It orders something that is not watched.
    Other,
}

impl Fence {
    pub(crate) fn of(choice: &Choice) -> Fence {
        let has = |slot: &str| choice.has(slot);
        let kind = choice.token("proxykind");
        if has("async") || kind == Some(".async") || has("async::generic") {
            return Fence::AsyncProxy;
        }
        if has("proxy") {
            return Fence::Other;
        }
        // `membar` is a `fence.sc`.
        let level = choice.token("level");
        let scope = level.or(choice.token("scope"));
        // The forms with a restriction are for the cluster, and name it without a slot.
        let scope = Scope::of_token(scope).unwrap_or(Scope::Cluster);
        let sem = match (has("acquire"), has("release")) {
            (true, _) => Some(".acquire"),
            (_, true) => Some(".release"),
            _ if level.is_some() => Some(".sc"),
            _ => choice.token("sem").or(Some(".acq_rel")),
        };
        Fence::Threads(Order::strong(sem, scope))
    }
}
