//! Where a thread's memory cell lies: 16 bytes in each space, with the same bytes from the input.

use super::kernel::Kernel;
use warpc_testkit::Random;

/// Cells of what all threads share: one for each lane.
const CELLS: u32 = 32;
/// Bytes of a cell.
pub const CELL: u32 = 16;

/// A space with a cell for each thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// The input buffer.
    Global,
    /// A variable of the block.
    Shared,
    /// A variable of the thread.
    Local,
    /// A variable with initial values.
    Const,
    /// A parameter of the kernel.
    Param,
}

/// All of them.
pub const PLACES: [Place; 5] = [
    Place::Global,
    Place::Shared,
    Place::Local,
    Place::Const,
    Place::Param,
];

/// The constant cells, as a variable of the module.
pub fn declarations() -> String {
    let mut random = Random::new(1);
    let bytes: Vec<String> = (0..CELLS * CELL)
        .map(|_| format!("{}", random.number_below(256)))
        .collect();
    format!(
        ".const .align 16 .b8 table[{}] = {{ {} }};\n",
        CELLS * CELL,
        bytes.join(", ")
    )
}

impl Place {
    /// The word in mnemonics, without its dot.
    pub fn word(self) -> &'static str {
        match self {
            Place::Global => "global",
            Place::Shared => "shared",
            Place::Local => "local",
            Place::Const => "const",
            Place::Param => "param",
        }
    }

    /// What after the two buffers a launch has to give.
    pub fn arguments(self) -> String {
        match self {
            Place::Param => format!("--arg u8[{}]=random:7", CELLS * CELL),
            _ => String::new(),
        }
    }

    /// Puts the address of the thread's cell, in its space, into the register `%cell`. What can be
    /// written gets the first bytes of the input.
    pub fn cell(self, kernel: &mut Kernel) {
        kernel.register(64, "%cell");
        kernel.register(32, "%slot");
        kernel.line(format!("and.b32 %slot, %n, {};", CELLS - 1));
        let variable = match self {
            Place::Global => {
                kernel.line("mov.b64 %cell, %in;");
                return;
            }
            Place::Shared => {
                kernel.line(format!(".shared .align 16 .b8 shared[{}];", CELLS * CELL));
                "shared"
            }
            Place::Local => {
                kernel.line(format!(".local .align 16 .b8 local[{}];", 2 * CELL));
                kernel.line("and.b32 %slot, %n, 1;");
                "local"
            }
            Place::Const => "table",
            Place::Param => {
                kernel.params = format!(", .param .align 16 .b8 p_data[{}]", CELLS * CELL);
                "p_data"
            }
        };
        kernel.line(format!("mov.u64 %cell, {variable};"));
        kernel.line(format!("mad.wide.u32 %cell, %slot, {CELL}, %cell;"));
        if matches!(self, Place::Shared | Place::Local) {
            kernel.line("ld.global.v2.b64 {%low, %high}, [%in];");
            let word = self.word();
            kernel.line(format!("st.{word}.v2.b64 [%cell], {{%low, %high}};"));
        }
    }
}
