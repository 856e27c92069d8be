//! What is wrong with a call of an `__nv_atomic_*` builtin.
//!
//! The numbers are those of the front end that the reference describes. nvcc and NVRTC of other
//! versions count from another place (13.4 adds 108, 12.9 takes away 11) and do not print the
//! numbers of errors; of warnings they print 16,543 more than ours: 20302, 20305, 20306. What each
//! number means was asked of nvcc 13.4 and NVRTC 12.9 (`tests/oracle/atomic_calls.tsv.gz`), and is
//! often not what the reference guesses: `docs/deviations.md` has the list.

use std::fmt;
use warpc_diag::{Code, Diagnostic, Severity, Span, codes};

/// One fault.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Fault {
    /// Arguments are missing.
    TooFewArguments,
    /// An enumeration where arithmetic wants an integer.
    EnumArithmetic,
    /// The generic forms want addresses of objects whose type is known.
    IncompleteObject,
    /// The first argument is not an address.
    NotAnAddress,
    /// An integer of a size that no access has.
    IntegerSize(u64),
    /// `fetch_` operations work on integers, floating-point numbers and addresses.
    NotANumber,
    /// There is no such memory order.
    OrderValue(i64),
    /// There is no such scope.
    ScopeValue(i64),
    /// `fetch_` operations work on 4 or 8 bytes.
    FetchSize(u64),
    /// Compare-and-exchange works on 2, 4, 8 or 16 bytes.
    CasSize(u64),
    /// Exchange works on 4, 8 or 16 bytes.
    ExchangeSize(u64),
    /// Sums of signed integers of 8 bytes.
    SignedSum,
    /// Minima and maxima of floating-point numbers.
    FloatMinMax,
    /// The scope is not a constant.
    ScopeNotConstant,
    /// A memory order is not a constant.
    OrderNotConstant,
    /// A load that releases.
    LoadOrder,
    /// A store that acquires.
    StoreOrder,
    /// Loads and stores of 16 bytes before sm_70.
    WideAccess,
    /// A warning: loads and stores at cluster scope before sm_90 are at device scope.
    ClusterAccess,
    /// A warning: before sm_70 orders are made with `membar`.
    NoOrders,
    /// A warning: other operations at cluster scope before sm_90 are at device scope.
    ClusterScope,
    /// Exchanges of 16 bytes before sm_90.
    WideExchange,
    /// Compare-and-exchange of 2 bytes before sm_70.
    ShortCas,
    /// Any of these builtins before sm_60.
    TooOld,
    /// Objects of a size that no access has.
    ObjectSize(u64),
    /// No argument at all.
    NoArguments,
    /// Bitwise operations on floating-point numbers.
    FloatLogic,
    /// The forms by value want integers.
    NotAnInteger,
}

/// What a fault's number stands for.
#[derive(Debug)]
pub struct Entry {
    /// The number, without `NV`.
    pub number: u16,
    /// What it means, in one line.
    pub title: &'static str,
    /// Why, and what to do.
    pub text: &'static str,
}

const fn entry(number: u16, title: &'static str, text: &'static str) -> Entry {
    Entry {
        number,
        title,
        text,
    }
}

/// Every number, in order: a row for each fault, in the order of [`Fault`].
#[rustfmt::skip]
pub static ENTRIES: [Entry; 28] = [
    entry(165, "Too few arguments.",
        "Give the address, the values and the memory order; the scope may be left out and is the system then."),
    entry(167, "An argument has a type that does not fit.",
        "Sums, minima and maxima take integers, not enumerations: convert the address to one of the integer type."),
    entry(852, "An address of an object of a known type is wanted.",
        "The generic forms (load, store, exchange, compare_exchange) read and write objects through addresses. Pass addresses, and not of `void` or of a type without a definition."),
    entry(1645, "The first argument is not an address.",
        "It must be the address of what is accessed."),
    entry(1646, "No atomic access has this size.",
        "Integers of 1, 2, 4, 8 and 16 bytes can be accessed atomically."),
    entry(3745, "The operation does not work on this type.",
        "The address must be that of an integer, an unscoped enumeration, a floating-point number or an address. For other types exchange or compare-and-exchange the whole object."),
    entry(3746, "There is no such memory order.",
        "0 relaxed, 1 consume, 2 acquire, 3 release, 4 acq_rel, 5 seq_cst."),
    entry(3747, "There is no such scope.",
        "0 thread, 1 block, 2 cluster, 3 device, 4 system."),
    entry(3748, "The operation works on 4 or 8 bytes only.",
        "For other sizes use a loop of compare-and-exchange."),
    entry(3749, "Compare-and-exchange works on 2, 4, 8 or 16 bytes only.",
        "For one byte, compare and exchange the 4 bytes around it."),
    entry(3750, "Exchange works on 4, 8 or 16 bytes only.",
        "For smaller objects, use a loop of compare-and-exchange on the 4 bytes around them."),
    entry(3751, "Sums and differences of signed integers of 8 bytes.",
        "PTX adds 64-bit integers as unsigned ones only. The bits are the same: convert the address to one of `unsigned long long`."),
    entry(3752, "Minima and maxima of floating-point numbers.",
        "PTX has none. Use a loop of compare-and-exchange."),
    entry(3754, "The scope is not a constant.",
        "The instruction is chosen when the program is compiled: write one call for each scope."),
    entry(3755, "A memory order is not a constant.",
        "The instruction is chosen when the program is compiled: write one call for each order."),
    entry(3756, "A load cannot release.",
        "A load has the order relaxed, consume, acquire or seq_cst."),
    entry(3757, "A store cannot acquire.",
        "A store has the order relaxed, release or seq_cst."),
    entry(3758, "Loads and stores of 16 bytes need sm_70.",
        "Older chips have no single access of this size."),
    entry(3759, "Cluster scope of a load or store needs sm_90: the device is the scope.",
        "A warning. Clusters of blocks came with sm_90. Device scope is wider, so the program stays right."),
    entry(3762, "Memory orders need sm_70: `membar` is used.",
        "A warning. Older chips have no orders at loads, stores and atomics; barriers before and after them do the same, but cost more."),
    entry(3763, "Cluster scope needs sm_90: the device is the scope.",
        "A warning. Clusters of blocks came with sm_90. Device scope is wider, so the program stays right."),
    entry(3764, "Exchanges of 16 bytes need sm_90.",
        "Older chips exchange, or compare and exchange, 8 bytes at most."),
    entry(3765, "Compare-and-exchange of 2 bytes needs sm_70.",
        "On older chips compare and exchange the 4 bytes around them."),
    entry(3766, "These builtins need sm_60.",
        "Older chips have no scopes and no memory orders."),
    entry(3767, "No atomic access has this size.",
        "Objects of 1, 2, 4, 8 and 16 bytes can be accessed atomically. Put a lock around larger ones."),
    entry(3769, "The call has no arguments.",
        "Give the address, the values and the memory order; the scope may be left out and is the system then."),
    entry(3770, "Bitwise operations on floating-point numbers.",
        "Convert the address to one of an integer type of the same size."),
    entry(3771, "The forms that end in `_n` work on integers only.",
        "Use the generic form, which takes addresses of values of any type."),
];

/// What a front end adds to a warning's number when it prints it.
const PRINTED: u16 = 16543;

impl Entry {
    /// The row of a number.
    pub fn find(number: u16) -> Option<&'static Entry> {
        ENTRIES.iter().find(|entry| entry.number == number)
    }

    /// The row of a text: `NV3764`, in any letter case; `NV20305` as nvcc prints it, too.
    ///
    /// ```
    /// use warpc_builtins::fault::Entry;
    /// assert_eq!(Entry::parse("nv3764").unwrap().number, 3764);
    /// assert_eq!(Entry::parse("NV20305").unwrap().number, 3762);
    /// assert!(Entry::parse("W0842").is_none());
    /// ```
    pub fn parse(text: &str) -> Option<&'static Entry> {
        let (prefix, digits) = text.split_at_checked(2)?;
        if !prefix.eq_ignore_ascii_case("NV") || !digits.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        let number: u16 = digits.parse().ok()?;
        let printed = number.checked_sub(PRINTED);
        Entry::find(number).or_else(|| Entry::find(printed?))
    }
}

impl Entry {
    /// Whether the call is compiled all the same.
    pub fn severity(&self) -> Severity {
        match self.number {
            3759 | 3762 | 3763 => Severity::Warning,
            _ => Severity::Error,
        }
    }

    /// The number that nvcc prints: `20305` for a warning; it prints none for errors.
    pub fn printed(&self) -> Option<u16> {
        (self.severity() == Severity::Warning).then(|| self.number + PRINTED)
    }

    /// The code of the diagnostic that it becomes.
    pub fn code(&self) -> Code {
        match self.number {
            3759 | 3762 | 3763 => codes::BUILTIN_CHANGED,
            3758 | 3764..=3766 => codes::BUILTIN_TARGET,
            _ => codes::BUILTIN_CALL,
        }
    }
}

impl Fault {
    /// The row of the number.
    pub fn entry(self) -> &'static Entry {
        &ENTRIES[self.place()]
    }

    /// The number, without `NV`.
    pub fn number(self) -> u16 {
        self.entry().number
    }

    /// Where the fault stands in [`ENTRIES`].
    fn place(self) -> usize {
        match self {
            Fault::TooFewArguments => 0,
            Fault::EnumArithmetic => 1,
            Fault::IncompleteObject => 2,
            Fault::NotAnAddress => 3,
            Fault::IntegerSize(_) => 4,
            Fault::NotANumber => 5,
            Fault::OrderValue(_) => 6,
            Fault::ScopeValue(_) => 7,
            Fault::FetchSize(_) => 8,
            Fault::CasSize(_) => 9,
            Fault::ExchangeSize(_) => 10,
            Fault::SignedSum => 11,
            Fault::FloatMinMax => 12,
            Fault::ScopeNotConstant => 13,
            Fault::OrderNotConstant => 14,
            Fault::LoadOrder => 15,
            Fault::StoreOrder => 16,
            Fault::WideAccess => 17,
            Fault::ClusterAccess => 18,
            Fault::NoOrders => 19,
            Fault::ClusterScope => 20,
            Fault::WideExchange => 21,
            Fault::ShortCas => 22,
            Fault::TooOld => 23,
            Fault::ObjectSize(_) => 24,
            Fault::NoArguments => 25,
            Fault::FloatLogic => 26,
            Fault::NotAnInteger => 27,
        }
    }

    /// Whether the call is compiled all the same.
    pub fn severity(self) -> Severity {
        self.entry().severity()
    }

    /// The number that nvcc prints: `20305` for a warning; it prints none for errors.
    pub fn printed(self) -> Option<u16> {
        self.entry().printed()
    }

    /// The code of the diagnostic that it becomes.
    pub fn code(self) -> Code {
        self.entry().code()
    }

    /// The diagnostic for a call of the builtin `name` for chip number `chip`.
    pub fn diagnostic(self, name: &str, chip: u16, span: Span) -> Diagnostic {
        let number = match self.printed() {
            Some(printed) => format!("NV{}, nvcc's {printed}-D", self.number()),
            None => format!("NV{}", self.number()),
        };
        let on = match self.code() {
            codes::BUILTIN_CALL => String::new(),
            _ => format!(" on sm_{chip}"),
        };
        let message = format!("`{name}`{on}: {self} ({number})");
        let diagnostic = match self.severity() {
            Severity::Error => Diagnostic::error(self.code(), span, message),
            Severity::Warning => Diagnostic::warning(self.code(), span, message),
        };
        diagnostic.help(self.entry().text)
    }
}

impl fmt::Display for Fault {
    /// What is wrong, to be read after the builtin's name.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Fault::TooFewArguments => f.write_str("arguments are missing"),
            Fault::EnumArithmetic => f.write_str("it does not compute with enumerations"),
            Fault::IncompleteObject => {
                f.write_str("an argument is not the address of an object of a known type")
            }
            Fault::NotAnAddress => f.write_str("the first argument is not an address"),
            Fault::IntegerSize(bytes) => write!(f, "an integer has {bytes} bytes"),
            Fault::NotANumber => f.write_str("it does not compute with objects of this type"),
            Fault::OrderValue(value) => write!(f, "{value} is not a memory order"),
            Fault::ScopeValue(value) => write!(f, "{value} is not a scope"),
            Fault::FetchSize(bytes) => write!(f, "the object has {bytes} bytes, not 4 or 8"),
            Fault::CasSize(bytes) => write!(f, "the object has {bytes} bytes, not 2, 4, 8 or 16"),
            Fault::ExchangeSize(bytes) => write!(f, "the object has {bytes} bytes, not 4, 8 or 16"),
            Fault::SignedSum => f.write_str("no sums of signed integers of 8 bytes"),
            Fault::FloatMinMax => f.write_str("no minima and maxima of floating-point numbers"),
            Fault::ScopeNotConstant => f.write_str("the scope is not a constant"),
            Fault::OrderNotConstant => f.write_str("a memory order is not a constant"),
            Fault::LoadOrder => f.write_str("a load cannot release"),
            Fault::StoreOrder => f.write_str("a store cannot acquire"),
            Fault::WideAccess => f.write_str("no loads and stores of 16 bytes"),
            Fault::ClusterAccess | Fault::ClusterScope => {
                f.write_str("there are no clusters, the scope is the device")
            }
            Fault::NoOrders => f.write_str("there are no memory orders, `membar` is used"),
            Fault::WideExchange => f.write_str("no exchanges of 16 bytes"),
            Fault::ShortCas => f.write_str("no compare-and-exchange of 2 bytes"),
            Fault::TooOld => f.write_str("the builtin needs sm_60"),
            Fault::ObjectSize(bytes) => {
                write!(f, "the object has {bytes} bytes, not 1, 2, 4, 8 or 16")
            }
            Fault::NoArguments => f.write_str("the call has no arguments"),
            Fault::FloatLogic => f.write_str("no bitwise operations on floating-point numbers"),
            Fault::NotAnInteger => f.write_str("the object is not an integer"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_in_order() {
        assert!(ENTRIES.iter().map(|e| e.number).is_sorted_by(|a, b| a < b));
        assert_eq!(Fault::TooFewArguments.number(), 165);
        assert_eq!(Fault::NotAnInteger.number(), 3771);
        assert_eq!(Fault::ShortCas.number(), 3765);
        assert_eq!(Fault::NoOrders.printed(), Some(20305));
        assert_eq!(Fault::ShortCas.printed(), None);
    }

    #[test]
    fn texts() {
        assert_eq!(Entry::parse("NV20304").map(|e| e.number), None);
        assert!(Entry::parse("NV").is_none() && Entry::parse("N").is_none());
        let diagnostic = Fault::WideExchange.diagnostic("f", 80, Span::default());
        assert_eq!(
            diagnostic.message,
            "`f` on sm_80: no exchanges of 16 bytes (NV3764)"
        );
        let diagnostic = Fault::ClusterScope.diagnostic("f", 80, Span::default());
        assert_eq!(
            diagnostic.message,
            "`f` on sm_80: there are no clusters, the scope is the device (NV3763, nvcc's 20306-D)"
        );
        assert_eq!(diagnostic.severity, Severity::Warning);
    }
}
