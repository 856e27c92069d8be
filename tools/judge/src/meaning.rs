//! What a PTX instruction does to memory, read from its words.
//!
//! This is the judge's own reading of the manual: `ld`, `st`, `atom`, `red`, `fence` and `membar`, with their
//! defaults. Where the manual says so:
//!
//! - a volatile access is a relaxed one at system scope;
//! - `atom` and `red` without an order are relaxed, without a scope they reach the device;
//! - `fence` without an order is `fence.acq_rel`, `membar.LEVEL` is `fence.sc` of that level;
//! - a `red` gives no value back, so nothing can be ordered after what it read.

use crate::asked::{Promises, Reach};

/// The kinds of accesses.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum Kind {
    Load,
    Store,
    /// `atom`
    Atom,
    /// `red`
    Reduction,
}

/// An access to memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Access {
    /// Its kind.
    pub kind: Kind,
    /// Whether it is strong: not plain.
    pub strong: bool,
    /// Its order.
    pub order: Promises,
    /// How far it reaches; a plain access not beyond the thread.
    pub reach: Reach,
    /// How many bits it moves.
    pub bits: u32,
    /// The operation and type of an atomic one: `add.u32`.
    pub operation: String,
}

/// A fence: what it orders, and how far.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Fence {
    /// What it orders.
    pub order: Promises,
    /// How far.
    pub reach: Reach,
}

/// What an instruction does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Meaning {
    /// It accesses memory.
    Access(Access),
    /// It reads a parameter.
    Parameter,
    /// It orders accesses.
    Fence(Fence),
    /// It goes elsewhere.
    Jump,
    /// It ends the kernel.
    Exit,
    /// It copies or converts its operand, which keeps an address what it is.
    Copy,
    /// It adds.
    Add,
    /// It tests for equality; whether the answer is turned round.
    Equal {
        /// Whether it tests for difference.
        negated: bool,
    },
    /// It joins two predicates.
    AndPredicates,
    /// It turns a predicate round.
    NotPredicate,
    /// It computes something else.
    Compute,
    /// The judge does not know what it does to memory.
    Unknown,
}

fn reach(word: &str) -> Option<Reach> {
    Some(match word {
        "cta" => Reach::Cta,
        "cluster" => Reach::Cluster,
        "gpu" | "gl" => Reach::Gpu,
        "sys" => Reach::Sys,
        _ => return None,
    })
}

fn order(word: &str) -> Option<Promises> {
    let (acquire, release, sc) = match word {
        "relaxed" | "volatile" | "mmio" => (false, false, false),
        "acquire" => (true, false, false),
        "release" => (false, true, false),
        "acq_rel" => (true, true, false),
        "sc" => (true, true, true),
        _ => return None,
    };
    Some(Promises {
        acquire,
        release,
        sc,
    })
}

/// The bits of a type.
fn bits(word: &str) -> Option<u32> {
    match word {
        "f16x2" | "bf16x2" => return Some(32),
        "bf16" => return Some(16),
        _ => {}
    }
    let number = word.strip_prefix(['b', 'u', 's', 'f'])?.parse().ok()?;
    matches!(number, 8 | 16 | 32 | 64 | 128).then_some(number)
}

/// What an instruction does, by its opcode and modifiers.
pub fn meaning(mnemonic: &str) -> Meaning {
    let words: Vec<&str> = mnemonic.split('.').collect();
    let has = |word: &str| words.contains(&word);
    let kind = match words[0] {
        "ld" | "ldu" => Kind::Load,
        "st" => Kind::Store,
        "atom" => Kind::Atom,
        "red" => Kind::Reduction,
        "fence" | "membar" => return fence(&words),
        "bra" => return Meaning::Jump,
        "ret" | "exit" | "trap" => return Meaning::Exit,
        "mov" | "cvta" | "cvt" => return Meaning::Copy,
        "add" if !has("cc") && !has("f32") && !has("f64") => return Meaning::Add,
        "setp" if has("eq") && words.len() == 3 => return Meaning::Equal { negated: false },
        "setp" if has("ne") && words.len() == 3 => return Meaning::Equal { negated: true },
        "and" if has("pred") => return Meaning::AndPredicates,
        "not" if has("pred") => return Meaning::NotPredicate,
        // What computes has no way to memory, but for these.
        "call" | "bar" | "barrier" | "brx" | "cp" | "multimem" | "mbarrier" | "tex" | "tld4"
        | "suld" | "sust" | "sured" | "prefetch" | "prefetchu" | "discard" | "applypriority"
        | "st_bulk" | "griddepcontrol" | "tcgen05" | "wgmma" | "ldmatrix" | "stmatrix" | "wmma" => {
            return Meaning::Unknown;
        }
        _ => return Meaning::Compute,
    };
    if words.iter().any(|word| word.starts_with("param")) {
        return match kind {
            Kind::Load => Meaning::Parameter,
            _ => Meaning::Unknown,
        };
    }
    // The last type is that of the value.
    let Some(width) = words.iter().rev().find_map(|word| bits(word)) else {
        return Meaning::Unknown;
    };
    let elements = if has("v2") {
        2
    } else if has("v4") {
        4
    } else if has("v8") {
        8
    } else {
        1
    };
    let atomic = matches!(kind, Kind::Atom | Kind::Reduction);
    let named = words.iter().find_map(|word| order(word));
    let volatile = has("volatile") || has("mmio");
    let strong = atomic || named.is_some();
    let scope = words[1..].iter().find_map(|word| reach(word));
    let reach = match (volatile, strong) {
        (true, _) => Reach::Sys,
        (_, false) => Reach::Thread,
        _ => scope.unwrap_or(Reach::Gpu),
    };
    Meaning::Access(Access {
        kind,
        strong,
        order: named.unwrap_or_default(),
        reach,
        bits: width * elements,
        operation: match atomic {
            true => operation(&words),
            false => String::new(),
        },
    })
}

/// The operation and type of an atomic: what follows order, scope and space.
fn operation(words: &[&str]) -> String {
    let is_place = |word: &str| {
        order(word).is_some()
            || reach(word).is_some()
            || word.starts_with("shared")
            || word == "global"
    };
    let rest: Vec<&str> = words[1..]
        .iter()
        .copied()
        .filter(|word| !is_place(word))
        .collect();
    rest.join(".")
}

fn fence(words: &[&str]) -> Meaning {
    if words
        .iter()
        .any(|word| matches!(*word, "proxy" | "mbarrier_init") || word.starts_with("sync_restrict"))
    {
        return Meaning::Unknown;
    }
    let named = words[1..].iter().find_map(|word| order(word));
    let Some(reach) = words[1..].iter().find_map(|word| reach(word)) else {
        return Meaning::Unknown;
    };
    let default = match words[0] {
        "membar" => "sc",
        _ => "acq_rel",
    };
    let order = named.or_else(|| order(default)).unwrap_or_default();
    Meaning::Fence(Fence { order, reach })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn access(text: &str) -> Access {
        match meaning(text) {
            Meaning::Access(access) => access,
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn accesses_have_the_defaults_of_the_manual() {
        let plain = access("ld.global.b32");
        assert!(!plain.strong && plain.reach == Reach::Thread && plain.bits == 32);
        let volatile = access("st.volatile.shared.v2.u16");
        assert!(volatile.strong && volatile.reach == Reach::Sys && volatile.bits == 32);
        let atom = access("atom.shared::cluster.add.noftz.f16x2");
        assert!(atom.strong && atom.reach == Reach::Gpu && atom.operation == "add.noftz.f16x2");
        assert_eq!(atom.order, Promises::default());
        let atom = access("atom.acq_rel.cta.global.cas.b128");
        assert!(atom.order.acquire && atom.order.release && !atom.order.sc);
        assert_eq!((atom.reach, atom.bits), (Reach::Cta, 128));
        assert_eq!(access("red.release.sys.inc.u32").operation, "inc.u32");
    }

    #[test]
    fn fences_have_the_defaults_of_the_manual() {
        let fence = |text| match meaning(text) {
            Meaning::Fence(fence) => fence,
            other => panic!("{text}: {other:?}"),
        };
        assert!(fence("membar.gl").order.sc && fence("membar.gl").reach == Reach::Gpu);
        assert!(!fence("fence.acq_rel.cluster").order.sc);
        assert!(!fence("fence.acquire.cta").order.release);
        assert_eq!(meaning("fence.proxy.async"), Meaning::Unknown);
    }
}
