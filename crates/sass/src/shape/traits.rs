//! What operations do besides computing: control flow, convergence, barriers, memory.
//!
//! A row names operations, some with modifiers that they must have; the first row that fits counts, as in the tables
//! of pipes.

use super::slot::Slot;
use crate::latency::{effects::base as name_of, pipes};
use crate::template::Kind;
use bitflags::bitflags;

bitflags! {
    /// What matters to whoever moves, allocates or checks an instruction.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    pub struct Traits: u32 {
        /// Lanes do it together: it must not be moved to where other lanes are.
        const CONVERGENT = 1;
        /// It may go on elsewhere than at the next instruction.
        const BRANCHES = 1 << 1;
        /// The next instruction is not reached if it is executed by all threads.
        const TERMINATES = 1 << 2;
        /// Other code runs before the next instruction.
        const CALLS = 1 << 3;
        /// It ends the thread.
        const EXITS = 1 << 4;
        /// It has an operand that is a place in the code.
        const HAS_PLACE = 1 << 5;
        /// The first two sources can change places.
        const COMMUTES = 1 << 6;
        /// It reads a convergence barrier.
        const READS_BARRIER = 1 << 7;
        /// It writes a convergence barrier.
        const WRITES_BARRIER = 1 << 8;
        /// The warp waits in a barrier of its block.
        const BLOCK_BARRIER = 1 << 9;
        /// `DEPBAR`: it waits for scoreboards.
        const WAITS_FOR_SCOREBOARDS = 1 << 10;
        /// `WARPGROUP.DEPBAR`: it waits for matrices of a warpgroup.
        const WAITS_FOR_GROUP = 1 << 11;
        /// Its results are those of a warpgroup, and a scoreboard of their own tells of them.
        const RAISES_GROUP = 1 << 12;
        /// Its predicate result is there with its operands.
        const EARLY_PREDICATE = 1 << 13;
        /// The bits of its number name the predicates that it reads.
        const READS_PREDICATE_SET = 1 << 14;
        /// The bits of its number name the predicates that it writes.
        const WRITES_PREDICATE_SET = 1 << 15;
        /// It must stay even if nobody uses its results.
        const HAS_EFFECT = 1 << 16;
        /// It reads a special register.
        const READS_SPECIAL = 1 << 17;
        /// Its results depend on its operands alone, not on the state of a warp or a block, unless it reads a special
        /// register.
        const COMPUTES = 1 << 18;
    }
}

/// The memory that an instruction goes to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Space {
    /// None.
    None,
    /// Any of global, shared and local memory, by the address.
    Generic,
    /// Global memory.
    Global,
    /// Shared memory of the block.
    Shared,
    /// Shared memory of another block of the cluster.
    Cluster,
    /// Memory of the thread.
    Local,
    /// Constant banks.
    Constant,
    /// Textures and surfaces.
    Texture,
    /// Tensor memory.
    Tensor,
    /// Several, as copies have.
    Several,
}

bitflags! {
    /// What is done to memory.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    pub struct Access: u8 {
        /// Read.
        const READ = 1;
        /// Written.
        const WRITE = 2;
        /// Both in one step.
        const ATOMIC = 4;
        /// Nothing itself: it orders what others do.
        const ORDER = 8;
    }
}

/// What an instruction does to memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Memory {
    /// Which memory.
    pub space: Space,
    /// What is done to it.
    pub access: Access,
}

const READ: Access = Access::READ;
const WRITE: Access = Access::WRITE;
const BOTH: Access = Access::READ.union(Access::WRITE);
const ATOMIC: Access = BOTH.union(Access::ATOMIC);

#[rustfmt::skip]
static MEMORY: &[(&str, Space, Access)] = &[
    ("LD", Space::Generic, READ),
    ("ST", Space::Generic, WRITE),
    ("ATOM RED", Space::Generic, ATOMIC),
    ("LDG", Space::Global, READ),
    ("LDGMC", Space::Global, ATOMIC),
    ("STG", Space::Global, WRITE),
    ("ATOMG REDG", Space::Global, ATOMIC),
    ("LDS LDSM", Space::Shared, READ),
    ("STS STSM", Space::Shared, WRITE),
    ("ATOMS", Space::Shared, ATOMIC),
    ("SYNCS ARRIVES", Space::Shared, ATOMIC),
    ("STAS", Space::Cluster, WRITE),
    ("REDAS", Space::Cluster, ATOMIC),
    ("LDL", Space::Local, READ),
    ("STL", Space::Local, WRITE),
    ("LDC LDCU ULDC", Space::Constant, READ),
    ("TEX TLD TLD4 TXD TXQ SULD", Space::Texture, READ),
    ("SUST", Space::Texture, WRITE),
    ("SURED SUATOM", Space::Texture, ATOMIC),
    ("LDTM", Space::Tensor, READ),
    ("STTM UTCCP UTCSHIFT UTCATOMSWS UTCHMMA UTCIMMA UTCQMMA UTCOMMA", Space::Tensor, BOTH),
    ("LDGSTS UBLKCP UBLKRED UBLKPF UTMALDG UTMASTG UTMAREDG UTMAPF UTMACCTL", Space::Several, BOTH),
    ("HGMMA IGMMA BGMMA QGMMA", Space::Shared, READ),
    ("MEMBAR ERRBAR CGAERRBAR FENCE CCTL CCTLL CCTLT DEPBAR LDGDEPBAR BAR UCGABAR_ARV UCGABAR_WAIT UTCBAR UTMACMDFLUSH ACQBULK PREEXIT WARPGROUP", Space::Several, Access::ORDER),
    ("NANOSLEEP YIELD", Space::None, Access::ORDER),
];

#[rustfmt::skip]
static TRAITS: &[(&str, Traits)] = &[
    ("SHFL VOTE VOTEU MATCH REDUX CREDUX ELECT WARPSYNC ENDCOLLECTIVE BAR MOVM LDSM STSM R2UR", Traits::CONVERGENT),
    ("HMMA IMMA BMMA DMMA QMMA OMMA HGMMA IGMMA BGMMA QGMMA WARPGROUP UCGABAR_ARV UCGABAR_WAIT", Traits::CONVERGENT),
    ("LDTM STTM USETMAXREG", Traits::CONVERGENT),
    ("BRA BRX JMP JMX BRXU JMXU RET CALL EXIT KILL BSYNC", Traits::BRANCHES),
    ("BRA BRX JMP JMX BRXU JMXU EXIT RET KILL", Traits::TERMINATES),
    ("CALL BPT", Traits::CALLS),
    ("EXIT KILL", Traits::EXITS),
    ("IADD3 IADD IMAD FADD FMUL FFMA DADD DMUL DFMA HADD2 HMUL2 HFMA2 IMNMX FMNMX VIMNMX UIADD3 UIMAD UFADD UFMUL UFFMA", Traits::COMMUTES),
    ("BSYNC BREAK", Traits::READS_BARRIER),
    ("BSSY BREAK", Traits::WRITES_BARRIER),
    ("BAR.SYNC BAR.RED BAR.SCAN BAR.SYNCALL", Traits::BLOCK_BARRIER),
    ("DEPBAR", Traits::WAITS_FOR_SCOREBOARDS),
    ("WARPGROUP.DEPBAR", Traits::WAITS_FOR_GROUP),
    ("ATOM", Traits::EARLY_PREDICATE),
    ("P2R", Traits::READS_PREDICATE_SET),
    ("R2P", Traits::WRITES_PREDICATE_SET),
    ("BRA BRX JMP JMX BRXU JMXU RET CALL EXIT KILL BSYNC BSSY BREAK BMOV WARPSYNC ENDCOLLECTIVE YIELD NANOSLEEP BPT", Traits::HAS_EFFECT),
    ("PMTRIG USETMAXREG RPCMOV UGETNEXTWORKID UVIRTCOUNT CS2R S2R S2UR CS2UR", Traits::HAS_EFFECT),
    ("S2R S2UR CS2R CS2UR", Traits::READS_SPECIAL),
    ("IADD3 IMAD LEA LOP3 SHF ISETP SEL IABS IMNMX VIMNMX VIMNMX3 VIADD VIADDMNMX VABSDIFF VABSDIFF4 PRMT SGXT BMSK BREV FLO POPC MOV PLOP3 IDP", Traits::COMPUTES),
    ("FADD FMUL FFMA FMNMX FSEL FSETP FSET FCHK MUFU F2F F2I I2F I2I F2FP I2FP I2IP FRND DADD DMUL DFMA DSETP", Traits::COMPUTES),
    ("HADD2 HMUL2 HFMA2 HSET2 HSETP2 HMNMX2 QSPC LDC S2R CS2R", Traits::COMPUTES),
    ("UMOV ULDC", Traits::COMPUTES),
];

/// What an operation does to memory.
pub(super) fn memory(name: &str) -> Memory {
    static HASHES: [u128; MEMORY.len()] = pipes::name_hashes!(MEMORY);
    let hash = pipes::hash(name_of(name));
    let mut rows = MEMORY.iter().zip(HASHES);
    let row = rows.find(|(row, hashes)| hashes & hash != 0 && pipes::is(row.0, name));
    let row = row.map(|(row, _)| row);
    let (space, access) = row.map_or((Space::None, Access::empty()), |row| (row.1, row.2));
    Memory { space, access }
}

/// The first bit and width of the field that says whether a matrix instruction of a warpgroup raises its scoreboard.
const GROUP_SCOREBOARD: (u32, u128) = (84, 7);

/// The traits of an operation with these slots.
pub(super) fn of(name: &str, memory: Memory, slots: &[Slot], word: u128) -> Traits {
    static HASHES: [u128; TRAITS.len()] = pipes::name_hashes!(TRAITS);
    let hash = pipes::hash(name_of(name));
    let rows = TRAITS.iter().zip(HASHES);
    let rows = rows.filter(|(row, hashes)| hashes & hash != 0 && pipes::is(row.0, name));
    let mut traits = rows.fold(Traits::empty(), |all, (row, _)| all | row.1);
    if slots.iter().any(|slot| slot.kind() == Kind::Label) {
        traits |= Traits::HAS_PLACE;
        // With a place, the lanes that wait go on there.
        if pipes::is("WARPSYNC", name) {
            traits |= Traits::CALLS;
        }
    }
    // A move of the state of a warp, by which operand the barrier is.
    if pipes::is("BMOV", name) {
        let first = slots
            .first()
            .is_some_and(|slot| slot.kind() == Kind::Barrier);
        traits |= match first {
            true => Traits::WRITES_BARRIER,
            false => Traits::READS_BARRIER,
        };
        let count = slots
            .iter()
            .filter(|slot| slot.kind() == Kind::Barrier)
            .count();
        if count > 1 || pipes::is("BMOV.CLEAR", name) {
            traits |= Traits::READS_BARRIER | Traits::WRITES_BARRIER;
        }
    }
    let raises = word >> GROUP_SCOREBOARD.0 & GROUP_SCOREBOARD.1 == 0;
    if raises && pipes::is("HGMMA IGMMA BGMMA QGMMA", name) {
        traits |= Traits::RAISES_GROUP;
    }
    if memory.access.intersects(Access::WRITE | Access::ORDER) {
        traits |= Traits::HAS_EFFECT;
    }
    traits
}
