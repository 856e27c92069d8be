//! The operations of the `nvvm` dialect.

use super::{Row, row};

const SREG: &str = "<? range #range ?> {} : R";
const READ: &str = "call llvm.{op}()";

pub(super) static ROWS: &[Row] = &[
    row("nvvm.read.ptx.sreg.tid.x", "", SREG, READ),
    row("nvvm.read.ptx.sreg.ntid.x", "", SREG, READ),
    row("nvvm.read.ptx.sreg.ctaid.x", "", SREG, READ),
];
