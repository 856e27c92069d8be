//! The operations on barriers in shared memory: thirteen kinds, by number, name and PTX spelling.
//!
//! ```text
//!   mbarrier.arrive.noComplete.shared::cta.b64 ─► ArriveNoComplete ─► 2, `ARRIVE_NOCOMPLETE`, from sm_80 on
//!   %mbarrier_full_TRY_WAIT_PARITY             ─► TryWaitParity of the barrier `full`
//! ```
//!
//! Assemblers number the kinds so, and name symbols for the uses of a barrier so. The first nine are there since
//! sm_80, the others since sm_90. `arrive.expect_tx` is an arrival: what it expects is a property of it.
//! `mbarrier.pending_count` is none of them, because it touches no barrier. There is no `mbarrier.wait` in PTX: a
//! thread waits in a loop of [`MbarrierOp::TryWait`], where the chip has that, or of [`MbarrierOp::TestWait`].

use warpc_target::{Gate, PtxVersion, at_least};

/// What is done with a barrier.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MbarrierOp {
    /// The barrier is set up.
    Init,
    /// A thread arrives.
    Arrive,
    /// A thread arrives and is not the last one.
    ArriveNoComplete,
    /// A thread arrives for the last time.
    ArriveDrop,
    /// A thread arrives for the last time and is not the last one.
    ArriveDropNoComplete,
    /// Whether the phase of a state is over.
    TestWait,
    /// Whether the phase of a parity is over.
    TestWaitParity,
    /// The copies of a thread arrive when they are done.
    CpAsyncArrive,
    /// The memory of the barrier is free again.
    Inval,
    /// Waits some time for the end of the phase of a state.
    TryWait,
    /// Waits some time for the end of the phase of a parity.
    TryWaitParity,
    /// The phase also needs so many bytes.
    ExpectTx,
    /// So many bytes have come.
    CompleteTx,
}

const SM80: Gate = Gate(&[at_least(80, PtxVersion::new(7, 0))]);
const SM80_PARITY: Gate = Gate(&[at_least(80, PtxVersion::new(7, 1))]);
const SM90: Gate = Gate(&[at_least(90, PtxVersion::new(7, 8))]);
const SM90_TX: Gate = Gate(&[at_least(90, PtxVersion::new(8, 0))]);
/// Arrivals for several threads at once.
pub const ARRIVE_COUNT: Gate = SM90;

/// Kind, name in symbols, the words that tell it in PTX, and where it exists; in the order of their numbers.
const KINDS: [(MbarrierOp, &str, &[&str], Gate); 13] = {
    use MbarrierOp::*;
    [
        (Init, "INIT", &["init"], SM80),
        (Arrive, "ARRIVE", &["arrive"], SM80),
        (
            ArriveNoComplete,
            "ARRIVE_NOCOMPLETE",
            &["arrive", "noComplete"],
            SM80,
        ),
        (ArriveDrop, "ARRIVE_DROP", &["arrive_drop"], SM80),
        (
            ArriveDropNoComplete,
            "ARRIVE_DROP_NOCOMPLETE",
            &["arrive_drop", "noComplete"],
            SM80,
        ),
        (TestWait, "TEST_WAIT", &["test_wait"], SM80),
        (
            TestWaitParity,
            "TEST_WAIT_PARITY",
            &["test_wait", "parity"],
            SM80_PARITY,
        ),
        (
            CpAsyncArrive,
            "CP_ASYNC_ARRIVE",
            &["cp", "async", "mbarrier", "arrive"],
            SM80,
        ),
        (Inval, "INVAL", &["inval"], SM80),
        (TryWait, "TRY_WAIT", &["try_wait"], SM90),
        (
            TryWaitParity,
            "TRY_WAIT_PARITY",
            &["try_wait", "parity"],
            SM90,
        ),
        (ExpectTx, "EXPECT_TX", &["expect_tx"], SM90_TX),
        (CompleteTx, "COMPLETE_TX", &["complete_tx"], SM90_TX),
    ]
};

impl MbarrierOp {
    /// All kinds, in the order of their numbers.
    pub fn all() -> impl Iterator<Item = MbarrierOp> {
        KINDS.iter().map(|row| row.0)
    }

    fn row(self) -> &'static (MbarrierOp, &'static str, &'static [&'static str], Gate) {
        &KINDS[self as usize]
    }

    /// The number of the kind.
    pub const fn number(self) -> u8 {
        self as u8
    }

    /// The kind with a number.
    pub fn from_number(number: u8) -> Option<MbarrierOp> {
        KINDS.get(usize::from(number)).map(|row| row.0)
    }

    /// The name at the end of symbols: `ARRIVE_DROP`.
    pub fn name(self) -> &'static str {
        self.row().1
    }

    /// The kind with a name.
    pub fn from_name(name: &str) -> Option<MbarrierOp> {
        KINDS.iter().find(|row| row.1 == name).map(|row| row.0)
    }

    /// Where the operation exists, in its simplest form.
    pub fn gate(self) -> Gate {
        self.row().3
    }

    /// Whether an assembler makes it in place: those that wait or count bytes take more.
    pub const fn is_simple(self) -> bool {
        (self as u8) < MbarrierOp::TryWait as u8
    }

    /// The spelling in PTX up to what all forms of the kind share: `mbarrier.arrive_drop.noComplete`.
    pub fn ptx(self) -> String {
        match self {
            MbarrierOp::CpAsyncArrive => self.row().2.join("."),
            _ => format!("mbarrier.{}", self.row().2.join(".")),
        }
    }

    /// The kind of an instruction, from its mnemonic: `mbarrier.try_wait.parity.acquire.cta.shared::cta.b64`.
    pub fn from_ptx(mnemonic: &str) -> Option<MbarrierOp> {
        if mnemonic.starts_with("cp.async.mbarrier.arrive") {
            return Some(MbarrierOp::CpAsyncArrive);
        }
        let mut words = mnemonic.strip_prefix("mbarrier.")?.split('.');
        let first = words.next()?;
        let second = words.find(|word| matches!(*word, "noComplete" | "parity"));
        let wanted: &[&str] = match &second {
            Some(second) => &[first, second],
            None => &[first],
        };
        KINDS.iter().find(|row| row.2 == wanted).map(|row| row.0)
    }

    /// The symbol of a use of a barrier: `%mbarrier_full_ARRIVE`.
    pub fn symbol(self, barrier: &str) -> String {
        format!("%mbarrier_{barrier}_{}", self.name())
    }

    /// The barrier and the kind of a symbol. The name of a barrier may have underlines; the longest kind counts.
    pub fn from_symbol(symbol: &str) -> Option<(&str, MbarrierOp)> {
        let inside = symbol.strip_prefix("%mbarrier_")?;
        let matches = KINDS.iter().filter_map(|row| {
            let barrier = inside.strip_suffix(row.1)?.strip_suffix('_')?;
            (!barrier.is_empty()).then_some((barrier, row.0))
        });
        matches.min_by_key(|(barrier, _)| barrier.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_numbered_in_order_and_lead_back() {
        for (number, op) in MbarrierOp::all().enumerate() {
            assert_eq!(usize::from(op.number()), number);
            assert_eq!(MbarrierOp::from_number(op.number()), Some(op));
            assert_eq!(MbarrierOp::from_name(op.name()), Some(op));
            assert_eq!(
                MbarrierOp::from_ptx(&format!("{}.shared.b64", op.ptx())),
                Some(op)
            );
            let symbol = op.symbol("pipe_0");
            assert_eq!(MbarrierOp::from_symbol(&symbol), Some(("pipe_0", op)));
            assert_eq!(op.is_simple(), number < 9);
        }
        assert_eq!(MbarrierOp::from_number(13), None);
        assert_eq!(MbarrierOp::from_symbol("%mbarrier_ARRIVE"), None);
        assert_eq!(MbarrierOp::from_symbol("%mbarrier_x_WAIT"), None);
    }

    /// Numbers and names as the reference text has them, and what PTX calls them.
    #[test]
    fn kinds_have_the_names_of_the_reference() {
        const NAMES: [(&str, &str); 13] = [
            ("INIT", "mbarrier.init"),
            ("ARRIVE", "mbarrier.arrive"),
            ("ARRIVE_NOCOMPLETE", "mbarrier.arrive.noComplete"),
            ("ARRIVE_DROP", "mbarrier.arrive_drop"),
            ("ARRIVE_DROP_NOCOMPLETE", "mbarrier.arrive_drop.noComplete"),
            ("TEST_WAIT", "mbarrier.test_wait"),
            ("TEST_WAIT_PARITY", "mbarrier.test_wait.parity"),
            ("CP_ASYNC_ARRIVE", "cp.async.mbarrier.arrive"),
            ("INVAL", "mbarrier.inval"),
            ("TRY_WAIT", "mbarrier.try_wait"),
            ("TRY_WAIT_PARITY", "mbarrier.try_wait.parity"),
            ("EXPECT_TX", "mbarrier.expect_tx"),
            ("COMPLETE_TX", "mbarrier.complete_tx"),
        ];
        assert_eq!(MbarrierOp::all().count(), NAMES.len());
        for (op, (name, ptx)) in MbarrierOp::all().zip(NAMES) {
            assert_eq!((op.name(), &*op.ptx()), (name, ptx));
        }
        let symbol = MbarrierOp::Arrive.symbol("pipeline0");
        assert_eq!(symbol, "%mbarrier_pipeline0_ARRIVE");
        let parity = MbarrierOp::from_symbol("%mbarrier_a_ARRIVE_TRY_WAIT_PARITY");
        assert_eq!(parity, Some(("a_ARRIVE", MbarrierOp::TryWaitParity)));
    }

    #[test]
    fn instructions_have_their_kind() {
        let kind = |text| MbarrierOp::from_ptx(text);
        let arrive = "mbarrier.arrive.expect_tx.release.cluster.shared::cluster.b64";
        assert_eq!(kind(arrive), Some(MbarrierOp::Arrive));
        let parity = "mbarrier.test_wait.parity.acquire.cta.shared::cta.b64";
        assert_eq!(kind(parity), Some(MbarrierOp::TestWaitParity));
        let copies = "cp.async.mbarrier.arrive.noinc.shared.b64";
        assert_eq!(kind(copies), Some(MbarrierOp::CpAsyncArrive));
        assert_eq!(kind("mbarrier.pending_count.b64"), None);
        assert_eq!(kind("mbarrier.wait.b64"), None);
    }

    #[test]
    fn chips() {
        let on = |chip: &str| {
            let sm = chip.parse().unwrap();
            let has = |op: &MbarrierOp| op.gate().required_version(sm).is_some();
            MbarrierOp::all().filter(has).count()
        };
        assert_eq!(["sm_75", "sm_80", "sm_89", "sm_90"].map(on), [0, 9, 9, 13]);
    }
}
