//! Operations without a fixed latency that keep their order among each other.
//!
//! One of a row stands for all that were issued before it: when its scoreboard is released, theirs would be too, and
//! ptxas gives them none. Source: ptxas's code, on all chips from sm_75 on; without one of these names there are pairs
//! in it that nothing covers.

use super::effects::base;
use super::pipes;

/// Operations that read their operands in order: the read scoreboard of a later one stands for the earlier ones, and
/// a later one that writes what an earlier one reads needs none.
static READ_IN_ORDER: &[(&str,)] = &[
    (
        "LD LDG LDS LDL LDSM LDGSTS ST STG STS STL STSM ATOM ATOMG ATOMS RED REDG STAS REDAS SHFL MOVM S2R B2R QSPC LDC SYNCS CCTL BAR",
    ),
    ("MATCH REDUX",),
    ("IMMA",),
    ("LDTM STTM",),
    ("UTCHMMA UTCIMMA UTCQMMA UTCCP UTCSHIFT UTCBAR UTCATOMSWS",),
    ("HGMMA IGMMA BGMMA QGMMA",),
    ("MUFU F2F F2I I2F FRND FLO BREV POPC FCHK",),
    ("DADD DMUL DFMA DSETP DMMA",),
    ("TEX TLD TLD4 TXD TXQ SULD SUST SURED",),
];

/// Operations that write their results in order.
static WRITE_IN_ORDER: &[(&str,)] = &[
    ("LDS LDSM ATOMS SHFL LDL QSPC",),
    ("MOVM",),
    ("B2R",),
    ("IMMA",),
    ("LDC",),
    ("MUFU F2F F2I I2F FRND FLO BREV POPC FCHK",),
    ("DADD DMUL DFMA DSETP DMMA",),
    ("TEX TLD TLD4 TXD TXQ SULD",),
    ("LDTM",),
    ("S2UR",),
    ("REDUX",),
    ("HGMMA IGMMA BGMMA QGMMA",),
];

fn row(rows: &[(&str,)], hashes: &[u128], name: &str) -> Option<usize> {
    let name = base(name);
    let hash = pipes::hash(name);
    let mut rows = rows.iter().zip(hashes);
    rows.position(|(names, hashes)| hashes & hash != 0 && names.0.split(' ').any(|one| one == name))
}

/// The row of operations that an operation reads its operands in order with.
pub(crate) fn reads_with(name: &str) -> Option<usize> {
    static HASHES: [u128; READ_IN_ORDER.len()] = pipes::name_hashes!(READ_IN_ORDER);
    row(READ_IN_ORDER, &HASHES, name)
}

/// The row of operations that an operation writes its results in order with.
pub(crate) fn writes_with(name: &str) -> Option<usize> {
    static HASHES: [u128; WRITE_IN_ORDER.len()] = pipes::name_hashes!(WRITE_IN_ORDER);
    row(WRITE_IN_ORDER, &HASHES, name)
}

/// The row of `BAR` among the operations that read their operands in order: after a barrier of the block, all memory
/// operations before it have read theirs.
pub const MEMORY: u8 = 0;
