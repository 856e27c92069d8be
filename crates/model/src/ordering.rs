//! Memory orders: the lattice, the four vocabularies, and which access may have which order.
//!
//! ```text
//!                      ┌─► Consume ─► Acquire ─┐
//!  Weak ─► Unordered ─► Relaxed                 ├─► AcqRel ─► SeqCst
//!                      └─────────► Release ────┘
//! ```
//!
//! `a <= b` means that an access of order `b` may stand in for one of order `a`. [`Ordering::join`]
//! is the least order that may stand in for both.

use std::cmp::Ordering as Cmp;
use std::fmt;

/// A memory order, weakest first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ordering {
    /// Not atomic: plain accesses, PTX `.weak`.
    Weak,
    /// LLVM's `unordered`: no tearing, nothing else.
    Unordered,
    /// C++ `memory_order_relaxed`, LLVM `monotonic`, PTX `.relaxed`.
    Relaxed,
    /// C++ `memory_order_consume`; every compiler makes it an acquire.
    Consume,
    /// Later accesses stay after it.
    Acquire,
    /// Earlier accesses stay before it.
    Release,
    /// Both.
    AcqRel,
    /// One total order of all such operations; in PTX a property of fences (`fence.sc`) only.
    SeqCst,
}

/// What carries an order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Access {
    /// An atomic load.
    Load,
    /// An atomic store.
    Store,
    /// A read-modify-write: exchange, fetch-op, compare-and-swap.
    Rmw,
    /// A fence alone.
    Fence,
}

use Ordering::{AcqRel, Acquire, Consume, Relaxed, Release, SeqCst, Unordered, Weak};

/// One order's names and numbers; `None` where a vocabulary lacks it.
struct Row {
    order: Ordering,
    cxx: Option<u8>,
    llvm: Option<&'static str>,
    llvm_enum: Option<u8>,
    bitcode: Option<u8>,
    ptx: Option<&'static str>,
}

#[rustfmt::skip]
static ROWS: [Row; 8] = [
    Row { order: Weak,      cxx: None,    llvm: None,              llvm_enum: Some(0), bitcode: Some(0), ptx: Some("weak") },
    Row { order: Unordered, cxx: None,    llvm: Some("unordered"), llvm_enum: Some(1), bitcode: Some(1), ptx: None },
    Row { order: Relaxed,   cxx: Some(0), llvm: Some("monotonic"), llvm_enum: Some(2), bitcode: Some(2), ptx: Some("relaxed") },
    // LLVM keeps the number 3 free for it.
    Row { order: Consume,   cxx: Some(1), llvm: None,              llvm_enum: None,    bitcode: None,    ptx: None },
    Row { order: Acquire,   cxx: Some(2), llvm: Some("acquire"),   llvm_enum: Some(4), bitcode: Some(3), ptx: Some("acquire") },
    Row { order: Release,   cxx: Some(3), llvm: Some("release"),   llvm_enum: Some(5), bitcode: Some(4), ptx: Some("release") },
    Row { order: AcqRel,    cxx: Some(4), llvm: Some("acq_rel"),   llvm_enum: Some(6), bitcode: Some(5), ptx: Some("acq_rel") },
    Row { order: SeqCst,    cxx: Some(5), llvm: Some("seq_cst"),   llvm_enum: Some(7), bitcode: Some(6), ptx: Some("sc") },
];

/// No memory order has this number or name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownOrder(pub String);

impl UnknownOrder {
    /// The reference's number for it, where the number came from a C++ program.
    pub const CODE: &'static str = "NV3746";
}

impl fmt::Display for UnknownOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is not a memory order", self.0)
    }
}

impl std::error::Error for UnknownOrder {}

fn find(text: impl fmt::Display, matches: impl Fn(&Row) -> bool) -> Result<Ordering, UnknownOrder> {
    let row = ROWS.iter().find(|row| matches(row));
    row.map(|row| row.order)
        .ok_or_else(|| UnknownOrder(text.to_string()))
}

impl Ordering {
    /// Every order, weakest first.
    pub fn all() -> impl Iterator<Item = Ordering> {
        ROWS.iter().map(|row| row.order)
    }

    fn row(self) -> &'static Row {
        &ROWS[self as usize]
    }

    /// Whether later accesses of this thread stay after it.
    pub fn is_acquire(self) -> bool {
        matches!(self, Consume | Acquire | AcqRel | SeqCst)
    }

    /// Whether earlier accesses of this thread stay before it.
    pub fn is_release(self) -> bool {
        matches!(self, Release | AcqRel | SeqCst)
    }

    /// The weakest order at least as strong as both.
    ///
    /// ```
    /// use warpc_model::Ordering::*;
    /// assert_eq!(Release.join(Acquire), AcqRel);
    /// assert_eq!(Relaxed.join(Acquire), Acquire);
    /// ```
    pub fn join(self, other: Ordering) -> Ordering {
        match self.partial_cmp(&other) {
            Some(Cmp::Less) => other,
            Some(_) => self,
            // Only an acquiring order and `Release` are not comparable.
            None => AcqRel,
        }
    }

    /// The order with a C++ number, as `__nv_atomic_*` builtins take it.
    ///
    /// ```
    /// use warpc_model::Ordering;
    /// assert_eq!(Ordering::from_cxx(4), Ok(Ordering::AcqRel));
    /// assert!(Ordering::from_cxx(6).is_err());
    /// ```
    pub fn from_cxx(number: u64) -> Result<Ordering, UnknownOrder> {
        find(number, |row| row.cxx.map(u64::from) == Some(number))
    }

    /// The C++ number; `None` for orders that C++ lacks.
    pub fn cxx(self) -> Option<u8> {
        self.row().cxx
    }

    /// The order with a name of LLVM IR (`monotonic`, `seq_cst`, …).
    pub fn from_llvm(name: &str) -> Result<Ordering, UnknownOrder> {
        find(name, |row| row.llvm == Some(name))
    }

    /// The name in LLVM IR. `Consume` is written `acquire`; a plain access has no word.
    pub fn llvm(self) -> Option<&'static str> {
        self.row().llvm.or((self == Consume).then_some("acquire"))
    }

    /// The order with a number of LLVM's C interface (0 to 7, without 3).
    pub fn from_llvm_enum(number: u64) -> Result<Ordering, UnknownOrder> {
        find(number, |row| row.llvm_enum.map(u64::from) == Some(number))
    }

    /// The number in LLVM's C interface; `Consume` as acquire.
    pub fn llvm_enum(self) -> u8 {
        self.row().llvm_enum.unwrap_or(4)
    }

    /// The order with a number of LLVM bitcode (0 to 6: not the numbers of the C interface).
    pub fn from_bitcode(number: u64) -> Result<Ordering, UnknownOrder> {
        find(number, |row| row.bitcode.map(u64::from) == Some(number))
    }

    /// The number in LLVM bitcode; `Consume` as acquire.
    pub fn bitcode(self) -> u8 {
        self.row().bitcode.unwrap_or(3)
    }

    /// The order a PTX modifier stands for. `volatile` accesses are relaxed ones at system scope.
    pub fn from_ptx(token: &str) -> Result<Ordering, UnknownOrder> {
        match token {
            "volatile" => Ok(Relaxed),
            _ => find(token, |row| row.ptx == Some(token)),
        }
    }

    /// The PTX modifier of this order or of the next stronger one that PTX has.
    pub fn ptx(self) -> &'static str {
        match self {
            Unordered => "relaxed",
            Consume => "acquire",
            _ => self.row().ptx.expect("PTX lacks only the two orders above"),
        }
    }

    /// Whether a C++ or LLVM program may ask for this order on an access.
    ///
    /// LLVM allows no relaxed fence; C++ does, and it is one that does nothing.
    ///
    /// ```
    /// use warpc_model::{Access, Ordering};
    /// let error = Ordering::Release.check(Access::Load).unwrap_err();
    /// assert_eq!(error.to_string(), "an atomic load cannot have order release");
    /// assert_eq!(error.code(), Some("NV3756"));
    /// ```
    pub fn check(self, access: Access) -> Result<(), IllegalOrder> {
        let legal: &[Ordering] = match access {
            Access::Load => &[Unordered, Relaxed, Consume, Acquire, SeqCst],
            Access::Store => &[Unordered, Relaxed, Release, SeqCst],
            Access::Rmw => &[Relaxed, Consume, Acquire, Release, AcqRel, SeqCst],
            Access::Fence => &[Relaxed, Consume, Acquire, Release, AcqRel, SeqCst],
        };
        if legal.contains(&self) {
            return Ok(());
        }
        Err(IllegalOrder {
            order: self,
            access,
        })
    }

    /// Whether a compare-and-swap may have this order for its failing outcome, which only reads.
    pub fn is_cas_failure(self) -> bool {
        matches!(self, Relaxed | Consume | Acquire | SeqCst)
    }
}

impl PartialOrd for Ordering {
    fn partial_cmp(&self, other: &Ordering) -> Option<Cmp> {
        // The declaration order is the lattice, but for the two arms of it.
        match (self, other) {
            (Release, Consume | Acquire) | (Consume | Acquire, Release) => None,
            _ => Some((*self as u8).cmp(&(*other as u8))),
        }
    }
}

impl fmt::Display for Ordering {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Weak => "weak",
            Unordered => "unordered",
            Relaxed => "relaxed",
            Consume => "consume",
            Acquire => "acquire",
            Release => "release",
            AcqRel => "acq_rel",
            SeqCst => "seq_cst",
        })
    }
}

/// An access cannot have the order asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IllegalOrder {
    /// The order.
    pub order: Ordering,
    /// What was to have it.
    pub access: Access,
}

impl IllegalOrder {
    /// The reference's number for the fault, where it has one.
    pub fn code(self) -> Option<&'static str> {
        match self.access {
            Access::Store => Some("NV3757"),
            Access::Load => Some("NV3756"),
            Access::Rmw | Access::Fence => None,
        }
    }
}

impl fmt::Display for IllegalOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let access = match self.access {
            Access::Load => "an atomic load",
            Access::Store => "an atomic store",
            Access::Rmw => "a read-modify-write",
            Access::Fence => "a fence",
        };
        write!(f, "{access} cannot have order {}", self.order)
    }
}

impl std::error::Error for IllegalOrder {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stand_at_their_order() {
        for (i, row) in ROWS.iter().enumerate() {
            assert_eq!(row.order as usize, i);
        }
    }

    #[test]
    fn join_is_the_least_upper_bound() {
        for a in Ordering::all() {
            for b in Ordering::all() {
                let join = a.join(b);
                assert!(a <= join && b <= join, "{a} {b}");
                assert_eq!(join, b.join(a));
                for upper in Ordering::all().filter(|&u| a <= u && b <= u) {
                    assert!(join <= upper, "{a} {b}: {join} is above {upper}");
                }
                let sides = |o: Ordering| (o.is_acquire(), o.is_release());
                let (aa, ar) = sides(a);
                let (ba, br) = sides(b);
                assert_eq!(sides(join), (aa || ba, ar || br), "{a} {b}");
            }
        }
        assert!(Release.partial_cmp(&Acquire).is_none());
    }

    #[test]
    fn numbers_and_names_both_ways() {
        for order in Ordering::all() {
            if let Some(number) = order.cxx() {
                assert_eq!(Ordering::from_cxx(number.into()), Ok(order));
            }
            if order != Consume {
                assert_eq!(
                    Ordering::from_llvm_enum(order.llvm_enum().into()),
                    Ok(order)
                );
                assert_eq!(Ordering::from_bitcode(order.bitcode().into()), Ok(order));
            }
            let back = Ordering::from_ptx(order.ptx()).unwrap();
            assert!(order <= back, "{order} printed as the weaker {back}");
        }
        let cxx: Vec<_> = (0..6).map(|n| Ordering::from_cxx(n).unwrap()).collect();
        assert_eq!(cxx, [Relaxed, Consume, Acquire, Release, AcqRel, SeqCst]);
        let bitcode: Vec<_> = (0..7).map(|n| Ordering::from_bitcode(n).unwrap()).collect();
        assert_eq!(
            bitcode,
            [Weak, Unordered, Relaxed, Acquire, Release, AcqRel, SeqCst]
        );
        for name in "unordered monotonic acquire release acq_rel seq_cst".split(' ') {
            assert_eq!(Ordering::from_llvm(name).unwrap().llvm(), Some(name));
        }
        assert!(Ordering::from_llvm("relaxed").is_err());
        assert!(Ordering::from_llvm_enum(3).is_err());
        assert!(Ordering::from_bitcode(7).is_err());
        assert!(Ordering::from_ptx("seq_cst").is_err());
        assert_eq!(Ordering::from_ptx("volatile"), Ok(Relaxed));
    }

    #[test]
    fn orders_of_accesses() {
        let legal = |access| {
            let orders: Vec<String> = Ordering::all()
                .filter(|o| o.check(access).is_ok())
                .map(|o| o.to_string())
                .collect();
            orders.join(" ")
        };
        assert_eq!(
            legal(Access::Load),
            "unordered relaxed consume acquire seq_cst"
        );
        assert_eq!(legal(Access::Store), "unordered relaxed release seq_cst");
        assert_eq!(
            legal(Access::Rmw),
            "relaxed consume acquire release acq_rel seq_cst"
        );
        let failure: Vec<_> = Ordering::all().filter(|o| o.is_cas_failure()).collect();
        assert_eq!(failure, [Relaxed, Consume, Acquire, SeqCst]);
        assert_eq!(
            AcqRel.check(Access::Store).unwrap_err().code(),
            Some("NV3757")
        );
    }
}
