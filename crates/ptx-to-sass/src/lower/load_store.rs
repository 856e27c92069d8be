//! `ld` and `st`: weak, volatile, ordered, with cache operators and hints, scalars and vectors.
//!
//! A name is put together in this order:
//!
//! ```text
//!   LDG .E .EL .LTC128B .64 .CONSTANT .STRONG.GPU
//!   │      │   │        │   │         └ order: none (weak), STRONG.scope, MMIO.SYS; sm_75 says SYS for weak ones
//!   │      │   │        │   └ never written while the kernel runs (ld.nc)
//!   │      │   │        └ bits; U8 S8 U16 S16 below 32
//!   │      │   └ how much the second-level cache fetches
//!   │      └ what the caches should throw away: EF first, EL last, EU unchanged, NA no allocation, LU last use
//!   └ LD ST generic, LDG STG global, LDS STS shared
//! ```

use crate::code::{Code, ptx};
use crate::halves;
use crate::location::{Location, is_own};
use crate::source::Source;
use crate::wired::{Operand, Part};
use warpc_model::{AtomicType, Ordering, Scope, StateSpace, TypeClass};

/// How strong an access is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Strength {
    /// No order at all.
    Weak,
    /// As relaxed at system scope.
    Volatile,
    /// An order in a scope.
    Ordered(Ordering, Scope),
    /// As it stands, to a device; with an order at system scope.
    Mmio(Ordering),
}

/// What the first-level cache should do, or both caches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Eviction {
    /// Nothing special.
    Normal,
    /// Throw it away last.
    Last,
    /// Throw it away first.
    First,
    /// Leave the order of throwing away as it is.
    Unchanged,
    /// Do not keep it.
    NoAllocate,
}

/// An old cache operator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CacheOperator {
    /// `.ca`: keep at all levels.
    All,
    /// `.cg`: keep at the second level.
    Global,
    /// `.cs`: used once.
    Streaming,
    /// `.lu`: last use.
    LastUse,
    /// `.cv`: fetch again.
    Volatile,
    /// `.wb`: write back.
    WriteBack,
    /// `.wt`: write through.
    WriteThrough,
}

/// A load or store.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Access {
    /// `st`, not `ld`.
    pub stores: bool,
    /// Its order.
    pub strength: Strength,
    /// Where the address points.
    pub space: StateSpace,
    /// `.nc`: nothing writes there while the kernel runs.
    pub constant: bool,
    /// An old cache operator.
    pub cache: Option<CacheOperator>,
    /// A hint for the first level.
    pub first_level: Option<Eviction>,
    /// A hint for the second level.
    pub second_level: Option<Eviction>,
    /// How many bytes the second level should fetch.
    pub prefetch: Option<u16>,
    /// A cache policy is given.
    pub policy: bool,
    /// How many elements a vector has.
    pub lanes: u8,
    /// The type of an element.
    pub ty: AtomicType,
}

fn eviction(word: &str, level: &str) -> Option<Eviction> {
    let hint = word.strip_prefix(level)?.strip_prefix("::")?;
    Some(match hint {
        "evict_normal" => Eviction::Normal,
        "evict_last" => Eviction::Last,
        "evict_first" => Eviction::First,
        "evict_unchanged" => Eviction::Unchanged,
        "no_allocate" => Eviction::NoAllocate,
        _ => return None,
    })
}

fn cache_operator(word: &str) -> Option<CacheOperator> {
    Some(match word {
        "ca" => CacheOperator::All,
        "cg" => CacheOperator::Global,
        "cs" => CacheOperator::Streaming,
        "lu" => CacheOperator::LastUse,
        "cv" => CacheOperator::Volatile,
        "wb" => CacheOperator::WriteBack,
        "wt" => CacheOperator::WriteThrough,
        _ => return None,
    })
}

pub(super) fn prefetch(word: &str) -> Option<u16> {
    word.strip_prefix("L2::")?.strip_suffix('B')?.parse().ok()
}

pub(crate) fn read(source: &mut Source) -> Option<Access> {
    let stores = source.opcode() == "st";
    let mmio = source.take("mmio");
    let volatile = source.take("volatile");
    let order = source.order();
    let scope = source.scope();
    let strength = match (mmio, volatile, order, scope) {
        (true, false, Some(order), Some(Scope::Sys)) => Strength::Mmio(order),
        (false, true, None, None) => Strength::Volatile,
        (false, false, None | Some(Ordering::Weak), None) => Strength::Weak,
        (false, false, Some(order), Some(scope)) => Strength::Ordered(order, scope),
        _ => return None,
    };
    Some(Access {
        stores,
        strength,
        space: source.space(),
        constant: source.take("nc"),
        cache: source.take_by(cache_operator),
        first_level: source.take_by(|word| eviction(word, "L1")),
        second_level: source.take_by(|word| eviction(word, "L2")),
        prefetch: source.take_by(prefetch),
        policy: source.take("L2::cache_hint"),
        lanes: source.elements(),
        ty: source.ty()?,
    })
}

impl Access {
    fn bits(&self) -> u32 {
        u32::from(self.ty.bytes()) * 8 * u32::from(self.lanes)
    }

    fn exists(&self, code: &Code) -> bool {
        let cluster = self.space == StateSpace::SharedCluster
            || matches!(self.strength, Strength::Ordered(_, Scope::Cluster));
        let needed = match self.bits() {
            256.. => 100,
            _ if cluster => 90,
            _ if self.policy || self.prefetch == Some(256) => 80,
            _ => 70,
        };
        let fits = self.bits() <= 256;
        // Only whole global memory has the widest accesses.
        let shared = matches!(self.space, StateSpace::Shared | StateSpace::SharedCta);
        fits && !(self.bits() == 256 && shared) && code.chip.since(needed)
    }

    /// The number of bits as the name has it.
    fn size(&self) -> &'static str {
        let signed = self.ty.class() == TypeClass::Signed && self.lanes == 1;
        match (self.bits(), signed) {
            (8, true) => ".S8",
            (8, false) => ".U8",
            (16, true) => ".S16",
            (16, false) => ".U16",
            (64, _) => ".64",
            (128, _) => ".128",
            (256, _) => ".256",
            _ => "",
        }
    }

    /// The hints' part of the name.
    fn hints(&self, code: &Code) -> String {
        let first = match (self.first_level, self.cache) {
            (Some(Eviction::Last), _) => ".EL",
            (Some(Eviction::First), _) | (_, Some(CacheOperator::Streaming)) => ".EF",
            (Some(Eviction::Unchanged), _) => ".EU",
            (Some(Eviction::NoAllocate), _) => ".NA",
            (_, Some(CacheOperator::LastUse)) => ".LU",
            _ => "",
        };
        // The widest accesses always say what the second level should do.
        let second = match self.second_level {
            _ if self.bits() != 256 => "",
            Some(Eviction::Last) => ".ELL2",
            Some(Eviction::First) => ".EFL2",
            _ => ".ENL2",
        };
        let strong = self.strength != Strength::Weak || self.policy;
        let fetch = match self.prefetch {
            // sm_80 only: with an order or a policy half of it is fetched.
            Some(256) if strong && code.chip.0.number() == 80 => ".LTC128B".to_owned(),
            Some(bytes) => format!(".LTC{bytes}B"),
            None => String::new(),
        };
        format!("{first}{second}{fetch}")
    }

    /// The order's part of the name.
    fn strong(&self, code: &Code) -> &'static str {
        let chip = code.chip;
        let hinted = !matches!(self.first_level, None | Some(Eviction::Normal));
        match (self.strength, self.cache) {
            (Strength::Mmio(_), _) => ".MMIO.SYS",
            // What nobody writes needs no strength.
            (Strength::Weak, _) if self.constant => chip.weak(),
            (Strength::Volatile, _) => chip.strong(Scope::Sys),
            (Strength::Weak, Some(CacheOperator::All | CacheOperator::WriteBack)) => {
                chip.strong(Scope::Cta)
            }
            (Strength::Weak, Some(CacheOperator::Global)) => chip.strong(Scope::Gpu),
            (Strength::Weak, Some(CacheOperator::Volatile | CacheOperator::WriteThrough)) => {
                chip.strong(Scope::Sys)
            }
            (Strength::Weak, _) => chip.weak(),
            // sm_75 has no scope beside a hint.
            (Strength::Ordered(..), _) if hinted && !chip.since(80) => chip.strong(Scope::Sys),
            (Strength::Ordered(_, scope), _) => chip.strong(scope),
        }
    }

    /// Whether ptxas makes a weak access of it.
    fn is_weakened(&self) -> bool {
        matches!(self.strength, Strength::Ordered(Ordering::Relaxed, _))
            && self.first_level == Some(Eviction::First)
            && !self.stores
            && !is_own(self.space)
    }

    /// The name of the access itself.
    fn name(&self, code: &Code) -> String {
        let size = self.size();
        match self.space {
            StateSpace::Shared | StateSpace::SharedCta if self.stores => format!("STS{size}"),
            StateSpace::Shared | StateSpace::SharedCta => {
                format!("{}{size}", code.chip.load_shared())
            }
            space => {
                let global = space == StateSpace::Global || self.bits() == 256;
                let base = match (self.stores, global) {
                    (false, false) => "LD",
                    (false, true) => "LDG",
                    (true, false) => "ST",
                    (true, true) => "STG",
                };
                let hints = self.hints(code);
                let constant = if self.constant { ".CONSTANT" } else { "" };
                let strong = self.strong(code);
                format!("{base}.E{hints}{size}{constant}{strong}")
            }
        }
    }

    /// Whether the elements are put together before they are stored, and taken apart after they are loaded.
    fn is_packed(&self) -> bool {
        self.lanes > 1 && self.ty.bytes() < 4
    }

    pub(crate) fn emit(&self, code: &mut Code) -> Option<()> {
        if !self.exists(code) {
            return None;
        }
        let (order, scope) = match self.strength {
            Strength::Weak | Strength::Volatile => (Ordering::Relaxed, Scope::Sys),
            Strength::Ordered(order, scope) => (order, scope),
            Strength::Mmio(order) => (order, Scope::Sys),
        };
        let (lanes, bytes) = (self.lanes, self.ty.bytes());
        let location = Location::new(code, self.space, self.policy);
        let stored = match self.stores && self.is_packed() {
            true => Operand::from(halves::pack(code, "b", lanes, bytes)),
            false => ptx("b"),
        };
        let wide = self.bits() == 256;
        if wide && (order.is_release() || order.is_acquire()) {
            code.loses("an access of 256 bits keeps its scope and loses its order");
            if order.is_release() {
                code.restore(|code| code.fence("ALL", scope));
            }
        } else if order.is_release() {
            if matches!(self.strength, Strength::Mmio(_)) && code.chip.since(90) {
                code.fence("ALL", Scope::Cta);
            }
            code.fence("ALL", scope);
        }
        let name = self.name(code);
        // Devices are not described.
        let location = match self.strength {
            Strength::Mmio(_) => location.plain(),
            _ => location,
        };
        let brackets = location.text();
        let is_taken_apart = !self.stores && self.is_packed();
        let packed = is_taken_apart.then(|| code.registers(self.bits().div_ceil(32) as u8));
        let loaded = packed.map_or(ptx("d"), Operand::from);
        // The widest ones have two operands: a load names the upper one first.
        let quad = |name, number| Operand::Ptx(name, Part::Quad(number));
        let (text, operands) = match (self.stores, wide) {
            (true, true) => (
                format!("{name} {brackets}, R0, R0"),
                location.operands(&[], &[quad("b", 0), quad("b", 1)]),
            ),
            (false, true) => (
                format!("{name} R0, R0, {brackets}"),
                location.operands(&[quad("d", 1), quad("d", 0)], &[]),
            ),
            (true, false) => (
                format!("{name} {brackets}, R0"),
                location.operands(&[], &[stored]),
            ),
            (false, false) => (
                format!("{name} R0, {brackets}"),
                location.operands(&[loaded], &[]),
            ),
        };
        if self.is_weakened() {
            code.loses("a relaxed load that is to be thrown away first becomes a weak one");
            let strength = Strength::Weak;
            let emitted = Access { strength, ..*self }.name(code);
            code.instead(&emitted, &text, &operands);
        } else {
            code.step(text, &operands);
        }
        if order.is_acquire() && wide {
            code.restore(|code| code.acquire(scope));
        } else if order.is_acquire() && (code.chip.since(90) || !is_own(self.space)) {
            code.acquire(scope);
        } else if order.is_acquire() {
            code.hold_accesses();
        }
        if let Some(packed) = packed {
            halves::unpack(code, "d", lanes, bytes, packed);
        }
        Some(())
    }
}
