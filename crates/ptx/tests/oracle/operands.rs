//! Operands of every kind in every place: register types, constants, vectors, sinks, predicates,
//! addresses, special registers. Our verdict against ptxas's, from `operands.tsv.gz`.

use crate::data::{Exceptions, table};
use std::fmt::Write;
use warpc_diag::SourceFile;

/// How many cases differ from ptxas for a reason in `exceptions.tsv`. The patterns there are coarse, so
/// the number is pinned: a case that starts or stops to differ behind one of them shows here.
const EXCEPTIONS: usize = 1465;

const MODULE: &str = ".global .align 16 .b8 g8[64]; .global .align 4 .u32 g32; .global .align 4 .b32 ga32[16]; \
    .global .align 8 .u64 g64; .global .align 4 .f32 gf32; .global .align 2 .u16 g16; .global .align 16 .v4 .f32 gv4; \
    .global .align 1 .b8 gal1[64]; .shared .align 16 .b8 s8v[64]; .shared .align 4 .u32 s32v; .shared .align 8 .b64 smbar; \
    .const .align 16 .b8 c8v[64]; .const .align 4 .u32 c32v; .global .texref tref; .global .surfref sref; \
    .func (.reg .u32 rv) fn1 (.reg .u32 a1) { ret; } \
    .func (.param .b32 rv) fn2 (.param .b32 a1, .param .b64 a2) { ret; } .func fn0 () { ret; }";

const TYPES: &str = "pred b8 u8 s8 b16 u16 s16 f16 b32 u32 s32 f32 f16x2 b64 u64 s64 f64 b128";

const VECTORS: &str = ".reg .v2 .b16 %v2b16, %v2b16b; .reg .v2 .b32 %v2b32, %v2b32b; .reg .v4 .b32 %v4b32, %v4b32b; \
    .reg .v2 .f32 %v2f32; .reg .v4 .f32 %v4f32; .reg .v2 .b64 %v2b64; .reg .v2 .f64 %v2f64; .reg .v4 .b16 %v4b16; \
    .reg .v4 .b8 %v4b8; .reg .v2 .b8 %v2b8; .reg .v4 .u32 %v4u32; .reg .v2 .u32 %v2u32; \
    .local .align 16 .b8 l8v[64]; .local .align 4 .u32 l32v;";

fn wrap(target: &str, instruction: &str) -> String {
    let old = matches!(target, "sm_60" | "sm_70");
    let registers: String = TYPES
        .split(' ')
        .filter(|ty| *ty != "b128" || target != "sm_60")
        .map(|ty| format!(".reg .{ty} %{ty}_<8>; "))
        .collect();
    format!(
        ".version {}\n.target {target}\n.address_size 64\n{MODULE}\n\
         .visible .entry k(.param .u64 p0, .param .u32 p1, .param .align 16 .b8 p2[64])\n{{ {registers}{VECTORS}\n\
         {{ {instruction} }}\nLEND: ret;\n}}\n",
        if old { "8.8" } else { "9.4" }
    )
}

#[test]
fn recorded_operands_are_judged_as_ptxas_judges_them() {
    let (_, rows) = table("operands.tsv.gz");
    let exceptions = Exceptions::of("operands.tsv.gz");
    let limit: usize = std::env::var("WARPC_SHOW")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(40);
    let (mut excused, mut wrong) = (0usize, 0usize);
    let mut report = String::new();
    for row in &rows {
        let [id, target, verdict, instruction] = &row[..] else {
            panic!("a row of {} fields", row.len());
        };
        let file = SourceFile::new(id.clone(), wrap(target, instruction)).expect("a short text");
        let parsed = warpc_ptx::check(&file);
        if parsed.diagnostics.has_errors() == (verdict == "n") {
            continue;
        }
        if exceptions
            .reason(instruction)
            .or_else(|| exceptions.reason(id))
            .is_some()
        {
            excused += 1;
            continue;
        }
        wrong += 1;
        if wrong <= limit {
            let message = parsed
                .diagnostics
                .as_slice()
                .first()
                .map_or("", |d| d.message.as_str());
            let _ = writeln!(
                report,
                "{id} {target} ptxas {verdict}: {instruction}  {message}"
            );
        }
    }
    println!(
        "operands: {} cases, {excused} known exceptions, {wrong} wrong",
        rows.len()
    );
    assert!(
        wrong == 0,
        "{wrong} of {} cases are judged otherwise than by ptxas:\n{report}",
        rows.len()
    );
    assert_eq!(
        excused, EXCEPTIONS,
        "the number of known exceptions changed: say why in docs/deviations.md"
    );
}
