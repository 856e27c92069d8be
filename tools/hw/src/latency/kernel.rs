//! The kernel that measures a pair.

use super::pairs::{FIXED, First, Handed, Second};
use std::fmt::Write;

/// The farthest distance that is tried, in cycles.
pub const FARTHEST: u8 = 30;
/// How often the pair is run.
const ROUNDS: u32 = 64;
/// A control word that waits for everything, for a long time.
const SAFE: &str = "[B012345:R-:W-:Y:S15]";

/// The name of the kernel for a distance.
pub fn name(distance: u8) -> String {
    format!("distance_{distance}")
}

/// A module with a kernel for each distance. In that of distance 0 the first instruction is missing: if it leaves the
/// same, the pair shows nothing.
pub fn text(first: &First, second: &Second) -> String {
    let mut out = String::from(".target sm_90\n");
    for distance in 0..=FARTHEST {
        kernel(first, second, distance, &mut out);
    }
    out
}

/// Writing to a string does not fail.
macro_rules! line {
    ($out:expr, $($argument:tt)*) => {{
        let _ = writeln!($out, $($argument)*);
    }};
}

fn kernel(first: &First, second: &Second, distance: u8, out: &mut String) {
    let name = name(distance);
    line!(
        out,
        "\n.kernel {name}\n.registers 64\n.shared 128\n.param u64 out\n"
    );
    let safe = |text: &str, out: &mut String| line!(out, "    {SAFE} {text} ;");
    line!(out, "    [B------:R-:W0:-:S02] S2R R0, SR_TID.X ;");
    line!(out, "    [B------:R-:W1:-:S02] LDC.64 R2, c[0x0][out] ;");
    line!(out, "    [B------:R-:W2:-:S02] S2R R7, SR_CgaCtaId ;");
    for text in [
        "ULDC.64 UR4, c[0x0][0x208]",
        "NOP",
        "IMAD.WIDE.U32 R2, R0, 0x4, R2",
        // The place of this lane's word in shared memory.
        "MOV R8, 0x400",
        "LEA R8, R7, R8, 0x18",
        "LEA R8, R0, R8, 0x2",
        // Numbers that differ from lane to lane; as floats they are near one, as halves too.
        "IMAD R10, R0, 0x9e3779b9, RZ",
        "LOP3.LUT R11, R10, 0x5bd1e995, RZ, 0x3c, !PT",
        "IMAD R11, R11, 0x85ebca6b, RZ",
        "MOV R12, 0x3c013f80",
        "IMAD R12, R0, 0x30007, R12",
        "MOV R13, 0x3c2b3f9a",
        "IMAD R13, R0, 0x10003, R13",
        "MOV R14, R10",
        "IADD3 R15, R12, 0x2000000, RZ",
        "MOV R16, R11",
        "IADD3 R17, R13, 0x2000000, RZ",
        "MOV R18, 0x41004321",
        "LOP3.LUT P2, RZ, R0, 0x1, RZ, 0xc0, !PT",
        "LOP3.LUT P3, RZ, R0, 0x2, RZ, 0xc0, !PT",
        "UMOV UR6, 0x3f801357",
        "UMOV UR7, 0x0fa02468",
        "MOV R60, RZ",
        "MOV R61, RZ",
    ] {
        safe(text, out);
    }
    line!(out, "again_{name}:");
    // At a safe distance.
    clear(first.handed, out);
    safe(first.text, out);
    safe("NOP", out);
    safe("NOP", out);
    read(second, out);
    safe("MOV R30, R20", out);
    safe("MOV R31, R21", out);
    // At the distance.
    clear(first.handed, out);
    // One control word says up to 15 cycles.
    let near = distance.min(15);
    let parts = [(near, first.text), (distance - near, "NOP")];
    for (cycles, text) in parts.into_iter().filter(|(cycles, _)| *cycles > 0) {
        // More than 11 go with a yield only.
        let turn = if cycles > 11 { "Y" } else { "-" };
        line!(out, "    [B------:R-:W-:{turn}:S{cycles:02}] {text} ;");
    }
    read(second, out);
    // R60 collects the bits that differ.
    safe("LOP3.LUT R60, R30, R20, R60, 0xbe, !PT", out);
    safe("LOP3.LUT R60, R31, R21, R60, 0xbe, !PT", out);
    safe("IADD3 R61, R61, 0x1, RZ", out);
    line!(
        out,
        "    {SAFE} ISETP.LT.U32.AND P0, PT, R61, {ROUNDS:#x}, PT ;\n    {SAFE} NOP ;"
    );
    line!(out, "    {SAFE} @P0 BRA `(again_{name}) ;");
    safe("STG.E desc[UR4][R2.64], R60", out);
    line!(out, "    [B------:R-:W-:-:S05] EXIT ;");
}

/// Makes what is handed over, and what the second leaves, something else, and waits until that is there.
fn clear(handed: Handed, out: &mut String) {
    let old: &[&str] = match handed {
        Handed::Register => &["MOV R4, 0x35a3", "MOV R5, 0x3e022bcd"],
        Handed::Predicate => &["ISETP.NE.U32.AND P1, PT, RZ, RZ, PT"],
        Handed::Uniform => &["UMOV UR8, 0x400035a3"],
        Handed::UniformPredicate => &["UISETP.NE.U32.AND UP1, UPT, URZ, URZ, UPT"],
    };
    let rest = [
        "MOV R20, 0x1111",
        "MOV R21, RZ",
        "UMOV UR9, 0x2222",
        "NOP",
        "NOP",
    ];
    for text in old.iter().chain(&rest) {
        line!(out, "    {SAFE} {text} ;");
    }
}

/// The second instruction, and what puts its result into `R20`.
fn read(second: &Second, out: &mut String) {
    // No waiting before it: that would lengthen the distance.
    let scoreboards = second.scoreboards;
    line!(out, "    [B------:{scoreboards}:Y:S15] {} ;", second.text);
    line!(out, "    {SAFE} NOP ;\n    {SAFE} NOP ;");
    if !second.then.is_empty() {
        let scoreboards = if second.then.starts_with("LDS") {
            "R-:W0"
        } else {
            FIXED
        };
        line!(out, "    [B012345:{scoreboards}:Y:S15] {} ;", second.then);
        line!(out, "    {SAFE} NOP ;\n    {SAFE} NOP ;");
    }
}

#[cfg(test)]
mod tests {
    use crate::latency::pairs;

    #[test]
    fn every_kernel_assembles() {
        for (first, second) in pairs::all() {
            let text = super::text(first, second);
            if let Err(message) = crate::sass::hand::assembled("latency", &text) {
                panic!("{} -> {}: {message}", first.text, second.text);
            }
        }
    }
}
