//! The opcodes of synchronisation with the names that assemblers carry inside, which are turned by thirteen letters.
//!
//! ```text
//!   ZRZONE ──rot13──► MEMBAR ──► MEMBAR.ALL.GPU, as the disassembler prints it
//! ```
//!
//! An internal name is not always the printed one: an underscore may stand for a modifier (`FENCE_G` is
//! `FENCE.VIEW.ASYNC.G`), and two names may be one opcode in two forms (`BAR`, `BAR_INDEXED`).

/// A row of the summary.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Name {
    /// The name inside, where the reference text has it.
    pub rot13: Option<&'static str>,
    /// The name.
    pub name: &'static str,
    /// How the disassembler prints it, without operands; `None` where it has no such name.
    pub printed: Option<&'static str>,
    /// The first chip whose disassembler has it.
    pub since: u16,
    /// What it is.
    pub is: &'static str,
}

const fn name(
    rot13: &'static str,
    name: &'static str,
    printed: &'static str,
    since: u16,
    is: &'static str,
) -> Name {
    Name {
        rot13: if rot13.is_empty() { None } else { Some(rot13) },
        name,
        printed: if printed.is_empty() {
            None
        } else {
            Some(printed)
        },
        since,
        is,
    }
}

/// The summary.
#[rustfmt::skip]
pub const NAMES: &[Name] = &[
    name("IBGR",        "VOTE",           "VOTE.ALL",           75, "a vote of the warp; .ANY with a register is a ballot, .EQ asks for the same in all lanes"),
    name("IBGRH",       "VOTEU",          "VOTEU.ANY",          75, "a vote into uniform registers"),
    name("ONE",         "BAR",            "BAR.SYNC",           75, "a barrier of the block"),
    name("ONE_VAQRKRQ", "BAR_INDEXED",    "BAR.SYNC",           75, "the same with its number in a register"),
    name("REEONE",      "ERRBAR",         "ERRBAR",             75, "waits for errors of earlier accesses, behind MEMBAR"),
    name("QRCONE",      "DEPBAR",         "DEPBAR.LE",          75, "waits for a scoreboard or for groups of copies"),
    name("ZNGPU",       "MATCH",          "MATCH.ANY",          75, "lanes with the same value"),
    name("ZRZONE",      "MEMBAR",         "MEMBAR.SC.CTA",      75, "a memory fence"),
    name("JNECFLAP",    "WARPSYNC",       "WARPSYNC",           75, "waits for lanes of the warp"),
    name("OFLAP",       "BSYNC",          "BSYNC",              75, "the end of a region of a convergence barrier"),
    name("OFFL",        "BSSY",           "BSSY",               75, "the start of such a region"),
    name("E2O",         "R2B",            "",                    0, "a register to a barrier; no chip from sm_75 on has it"),
    name("",            "ELECT",          "ELECT",              90, "one lane of the active ones"),
    name("",            "NANOSLEEP",      "NANOSLEEP",          75, "sleeps"),
    name("",            "FENCE_G",        "FENCE.VIEW.ASYNC.G", 90, "between ordinary and asynchronous accesses to global memory"),
    name("",            "FENCE_S",        "FENCE.VIEW.ASYNC.S", 90, "between ordinary and asynchronous accesses to shared memory"),
    name("",            "FENCE_T",        "FENCE.VIEW.ASYNC.T", 100, "behind stores to tensor memory: tcgen05.wait::st"),
    name("",            "CGABAR_ARV",     "UCGABAR_ARV",        90, "arrives at the barrier of the cluster"),
    name("",            "CGABAR_GET",     "",                    0, "asks for the state of that barrier; never emitted"),
    name("",            "CGABAR_SET",     "",                    0, "sets the state of that barrier; never emitted"),
    name("",            "CGABAR_WAIT",    "UCGABAR_WAIT",       90, "waits at the barrier of the cluster"),
    name("",            "CGAERRBAR",      "CGAERRBAR",          90, "waits for errors of accesses to other blocks of the cluster"),
    name("",            "SYNCS_BASIC",    "SYNCS.EXCH.64",      90, "operations on barriers in shared memory"),
    name("",            "SYNCS_LD_UNIFM", "SYNCS.LD.64",        90, "a load of such a barrier into uniform registers; the disassembler has it, ptxas emits it for nothing here"),
    name("NGBZ",        "ATOM",           "ATOM.E.ADD",         75, "an atomic operation, generic address"),
    name("NGBZT",       "ATOMG",          "ATOMG.E.ADD",        75, "an atomic operation in global memory"),
    name("ERQ",         "RED",            "RED.E.ADD",          75, "an atomic operation in global memory without a result; REDG from sm_90 on"),
    name("NGBZF",       "ATOMS",          "ATOMS.ADD",          75, "an atomic operation in shared memory"),
];

/// Turns letters by thirteen places; it is its own reverse.
///
/// ```
/// assert_eq!(warpc_sass::vocabulary::names::rot13("ZRZONE"), "MEMBAR");
/// ```
pub fn rot13(text: &str) -> String {
    let turn = |c: char, first: u8| {
        let place = (c as u8 - first + 13) % 26;
        char::from(first + place)
    };
    text.chars()
        .map(|c| match c {
            'A'..='Z' => turn(c, b'A'),
            'a'..='z' => turn(c, b'a'),
            _ => c,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::TABLES;

    /// Whether a chip has a row of that name.
    fn has(printed: &str, chip: u16) -> bool {
        let wanted = printed.split('.').next().unwrap_or(printed);
        let on = |row: &&crate::form::Row| (row.first..=row.last).contains(&chip);
        let rows = TABLES.iter().flat_map(|table| table.iter()).filter(on);
        rows.map(|row| row.template.split(['.', '<', ' ', '$', '{']).next())
            .any(|name| name == Some(wanted))
    }

    #[test]
    fn names_inside_are_turned() {
        let mut count = 0;
        for row in NAMES {
            if let Some(inside) = row.rot13 {
                assert_eq!(rot13(inside), row.name);
                assert_eq!(rot13(row.name), inside);
                count += 1;
            }
        }
        assert_eq!((count, NAMES.len()), (16, 28));
    }

    /// Every printed name has a row on its first chip, and none on the chip before; the others have none.
    #[test]
    fn printed_names_have_rows() {
        for row in NAMES {
            let Some(printed) = row.printed else {
                for chip in [75, 80, 90, 100, 120] {
                    assert!(!has(row.name, chip), "{}", row.name);
                    assert!(!has(&format!("U{}", row.name), chip), "{}", row.name);
                }
                continue;
            };
            assert!(has(printed, row.since), "{}", row.name);
            // FENCE.VIEW.ASYNC.T is a value of a field of the opcode that FENCE_G has.
            if row.since == 90 {
                assert!(!has(printed, 89), "{}", row.name);
            }
        }
    }
}
