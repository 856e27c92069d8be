//! A kernel in the making.
//!
//! ```text
//!   %n     the thread's number in the grid        %in     what the thread reads: IN bytes a thread
//!   %lane  its lane                               %out    what it leaves: 8 bytes a value
//! ```

use std::fmt::Write;

/// A kernel with its launches.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// Its name: the instruction under test, spelled with underscores.
    pub name: String,
    /// The flags of its launches, without `--kernel`.
    pub launches: Vec<String>,
    /// Parameters after the two buffers.
    pub params: String,
    input: u32,
    outputs: u32,
    registers: Vec<String>,
    lines: Vec<String>,
}

impl Kernel {
    /// A kernel for an instruction whose threads read so many bytes each.
    pub fn new(title: &str, input: u32) -> Kernel {
        let mut name = String::new();
        for c in title.chars() {
            match c {
                c if c.is_ascii_alphanumeric() => name.push(c),
                '-' => name.push_str("minus"),
                '!' => name.push_str("not"),
                _ if name.is_empty() || name.ends_with('_') => {}
                _ => name.push('_'),
            }
        }
        Kernel {
            name: name.trim_end_matches('_').to_string(),
            launches: Vec::new(),
            params: String::new(),
            input,
            outputs: 0,
            registers: Vec::new(),
            lines: Vec::new(),
        }
    }

    /// Declares a register.
    pub fn register(&mut self, bits: u32, name: &str) {
        let ty = match bits {
            1 => ".pred".to_string(),
            bits => format!(".b{bits}"),
        };
        self.registers.push(format!(".reg {ty} {name};"));
    }

    /// Appends an instruction or a declaration.
    pub fn line(&mut self, text: impl Into<String>) {
        self.lines.push(text.into());
    }

    /// Stores a register as the thread's next value.
    pub fn output(&mut self, bits: u32, name: &str) {
        let offset = 8 * self.outputs;
        self.outputs += 1;
        match bits {
            1 => {
                self.line(format!("selp.b32 %flag, 1, 0, {name};"));
                self.line(format!("st.global.b32 [%out+{offset}], %flag;"));
            }
            128 => {
                self.outputs += 1;
                self.line(format!("mov.b128 {{%low, %high}}, {name};"));
                self.line(format!("st.global.b64 [%out+{offset}], %low;"));
                self.line(format!("st.global.b64 [%out+{}], %high;", offset + 8));
            }
            bits => self.line(format!("st.global.b{bits} [%out+{offset}], {name};")),
        }
    }

    /// Adds a launch of so many blocks and threads; `flags` may say more about the shape, `more` are
    /// arguments after the two buffers. Call it when all outputs are there.
    pub fn launch(&mut self, grid: [u32; 3], block: [u32; 3], flags: &str, more: &str) {
        let threads: u32 = grid.iter().chain(&block).product();
        let text = |of: [u32; 3]| format!("{},{},{}", of[0], of[1], of[2]);
        let input = (threads * self.input).max(1);
        let output = threads * self.outputs;
        let mut line = format!("--grid {} --block {}", text(grid), text(block));
        for part in [
            flags,
            &format!("--arg u8[{input}]=random:{}", self.launches.len() + 1),
            &format!("--arg u64[{output}]=0"),
            more,
        ] {
            if !part.is_empty() {
                let _ = write!(line, " {part}");
            }
        }
        self.launches.push(line);
    }

    /// The kernel as PTX.
    pub fn text(&self) -> String {
        let mut out = format!(
            ".visible .entry {}(.param .u64 p_in, .param .u64 p_out{})\n{{\n",
            self.name, self.params
        );
        let mut line = |text: &str| {
            let _ = writeln!(out, "\t{text}");
        };
        line(".reg .b32 %n, %lane, %flag, %x, %y;");
        line(".reg .b64 %in, %out, %low, %high;");
        for register in &self.registers {
            line(register);
        }
        // The number of the block, then that of the thread: ((z * Y + y) * X + x) twice.
        line("mov.u32 %n, %ctaid.z;");
        for (count, index) in [
            ("%nctaid.y", "%ctaid.y"),
            ("%nctaid.x", "%ctaid.x"),
            ("%ntid.z", "%tid.z"),
            ("%ntid.y", "%tid.y"),
            ("%ntid.x", "%tid.x"),
        ] {
            line(&format!("mov.u32 %x, {count};"));
            line(&format!("mov.u32 %y, {index};"));
            line("mad.lo.u32 %n, %n, %x, %y;");
        }
        line("mov.u32 %lane, %laneid;");
        line("ld.param.u64 %in, [p_in];");
        line("ld.param.u64 %out, [p_out];");
        line(&format!("mad.wide.u32 %in, %n, {}, %in;", self.input));
        line(&format!(
            "mad.wide.u32 %out, %n, {}, %out;",
            8 * self.outputs
        ));
        for text in &self.lines {
            line(text);
        }
        line("ret;");
        out.push_str("}\n\n");
        out
    }
}
