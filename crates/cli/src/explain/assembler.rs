//! Names that assemblers have of their own: routines for warps and barriers, symbols of operations on mbarriers.

use std::fmt::Write;
use warpc_model::{MbarrierOp, Redux};
use warpc_target::Sm;

/// The numbers of the routines `__cuda_sm70_…`. Which of them has which is not known, and a part are routines of `wmma`,
/// whose names are not known either.
const SM70: std::ops::RangeInclusive<u16> = 0x89..=0x1fa;

/// Explains `__cuda_reduxsync_u32_min`, `__cuda_sm70_barrier_sync_3`, `%mbarrier_full_ARRIVE`.
pub fn text(name: &str, sm: Sm) -> Option<String> {
    if let Some((barrier, op)) = MbarrierOp::from_symbol(name) {
        return Some(mbarrier(name, barrier, op, sm));
    }
    let ir = warpc_lower::assembler_routine(name, "f")?;
    let declaration = ir.lines().next()?;
    let number = match Redux::from_routine_name(name) {
        Some(redux) => format!("number {:#04x}, `{redux}`", redux.number()),
        None => format!(
            "one of the numbers {:#x} to {:#x}",
            SM70.start(),
            SM70.end()
        ),
    };
    let mut text = format!("{name}: a routine of the assembler, {number}.\n\n");
    let _ = write!(
        text,
        "PTX and LLVM IR may declare and call it; warpc defines it. In LLVM IR:\n  {declaration}\n\
         In PTX each parameter and result is a `.param .b32` (or `.b64`), truths are 0 and 1, and two results are\n\
         `.param .align 4 .b8 r[8]`.\n"
    );
    Some(text)
}

fn mbarrier(name: &str, barrier: &str, op: MbarrierOp, sm: Sm) -> String {
    let lowered = match op.is_simple() {
        true => "made in place",
        false => "waits or counts bytes",
    };
    let exists = match op.gate().required_version(sm) {
        Some(version) => format!("{sm} has it from PTX {version} on"),
        None => format!("{sm} does not have it"),
    };
    format!(
        "{name}: the symbol of `{}` on the mbarrier `{barrier}`.\n\nKind {} of 13, {}: {lowered}. {exists}.\n",
        op.ptx(),
        op.number(),
        op.name(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn explained(name: &str) -> Option<String> {
        text(name, "sm_80".parse().expect("a chip"))
    }

    #[test]
    fn routines_and_symbols() {
        let text = explained("__cuda_reduxsync_u32_min").expect("a routine");
        assert!(text.contains("number 0x0f, `redux.sync.min.u32`"), "{text}");
        assert!(
            text.contains("declare i32 @__cuda_reduxsync_u32_min(i32, i32)"),
            "{text}"
        );
        let text = explained("__cuda_sm70_barrier_red_popc_15_cnt").expect("a routine");
        assert!(text.contains("numbers 0x89 to 0x1fa"), "{text}");
        assert!(text.contains("(i32, i32)"), "{text}");
        let text = explained("%mbarrier_pipe_0_TRY_WAIT_PARITY").expect("a symbol");
        assert!(
            text.contains("`mbarrier.try_wait.parity` on the mbarrier `pipe_0`"),
            "{text}"
        );
        assert!(text.contains("Kind 10 of 13"), "{text}");
        assert!(text.contains("sm_80 does not have it"), "{text}");
        for nothing in ["__cuda_sm70_barrier_sync_16", "%mbarrier_WAIT", "__cuda_x"] {
            assert_eq!(explained(nothing), None, "{nothing}");
        }
    }
}
