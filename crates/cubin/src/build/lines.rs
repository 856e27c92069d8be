//! Tables of lines: `.debug_line`, which lines of the source code comes from, and `.nv_debug_line_sass`, which lines of the
//! PTX. Both are DWARF's, of version 2, with a sequence of rows for each kernel.
//!
//! A row of inlined code has an instruction of its own before it (0x90): the number of the row that stands for the place of
//! the call, counted from 1 in the sequence, and where in `.debug_str` the name of the function is.

use super::{Kernel, Line, LineFile, Lines};

/// The lines of the source.
pub const SOURCE: &str = ".debug_line";
/// The lines of the PTX.
pub const PTX: &str = ".nv_debug_line_sass";
/// The text of the PTX. In an object a number follows, that of the text: a linker keeps the texts of several objects apart.
const PTX_TEXT: &str = ".nv_debug_ptx_txt";
/// The names of inlined functions.
const NAMES: &str = ".debug_str";

impl Lines {
    /// The sections that say where code comes from. The text of the PTX has its number in the name if it is asked for.
    pub(super) fn sections(&self, is_numbered: bool) -> Vec<String> {
        let mut all = vec![SOURCE.to_owned()];
        if !self.names.is_empty() {
            all.push(NAMES.to_owned());
        }
        if !self.ptx.is_empty() {
            all.push(PTX.to_owned());
            all.push(match is_numbered {
                true => self.numbered_text(),
                false => PTX_TEXT.to_owned(),
            });
        }
        all
    }

    /// The section of the text of the PTX in an object.
    fn numbered_text(&self) -> String {
        // FNV-1a.
        let add = |hash: u32, byte: &u8| (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193);
        let number = self.ptx.iter().fold(0x811c_9dc5, add);
        format!("{PTX_TEXT}.{number}")
    }

    /// What a section without a table of lines holds: texts.
    pub(super) fn text(&self, section: &str) -> Option<&[u8]> {
        match section {
            NAMES => Some(&self.names),
            _ if section.starts_with(PTX_TEXT) => Some(&self.ptx),
            _ => None,
        }
    }

    /// A table of the lines of kernels, and where in it their addresses stand. In an object the table of the PTX has a file,
    /// the section of the text; else it has none, and rows are of file 0.
    pub(super) fn table<'k>(
        &self,
        section: &str,
        is_numbered: bool,
        kernels: impl Iterator<Item = &'k Kernel>,
    ) -> (Vec<u8>, Vec<u64>) {
        let is_source = section == SOURCE;
        let text = LineFile {
            name: self.numbered_text(),
            time: 0,
            size: 0,
        };
        let files = match (is_source, is_numbered) {
            (true, _) => &self.files[..],
            (false, true) => std::slice::from_ref(&text),
            (false, false) => &[],
        };
        let has_names = is_source && !self.names.is_empty();
        let mut table = Table::new(files, has_names);
        for kernel in kernels {
            let end = kernel.code.len() as u32;
            match is_source {
                true => table.add(&kernel.lines, end),
                false => {
                    let file = u32::from(is_numbered);
                    let rows = kernel.ptx_lines.iter();
                    let rows: Vec<Line> = rows.map(|row| Line { file, ..*row }).collect();
                    table.add(&rows, end);
                }
            }
        }
        table.finish()
    }
}

/// Whether a section is a table of lines: one with addresses of kernels.
pub fn is_table(section: &str) -> bool {
    [SOURCE, PTX].contains(&section)
}

/// What a special opcode can add to the line: from -5 on, 14 numbers.
const BASE: i64 = -5;
const RANGE: i64 = 14;
/// The first special opcode.
const FIRST: i64 = 10;
/// Operands of the opcodes before it.
const OPERANDS: [u8; 9] = [0, 1, 1, 1, 1, 0, 0, 0, 1];

const COPY: u8 = 1;
const ADVANCE: u8 = 2;
const ADVANCE_LINE: u8 = 3;
const SET_FILE: u8 = 4;
const END_SEQUENCE: u8 = 1;
const SET_ADDRESS: u8 = 2;
const INLINED: u8 = 0x90;

/// A table in the making, and where in it addresses of kernels stand.
struct Table {
    bytes: Vec<u8>,
    places: Vec<u64>,
}

impl Table {
    /// A table of these files, with or without inlined functions.
    fn new(files: &[LineFile], has_names: bool) -> Table {
        let mut bytes = vec![0; 4];
        bytes.extend(2u16.to_le_bytes());
        bytes.extend([0; 4]);
        bytes.extend([1, 1, BASE as u8, RANGE as u8, FIRST as u8]);
        bytes.extend(OPERANDS);
        let mut folders: Vec<&str> = Vec::new();
        for folder in files.iter().filter_map(|file| split(&file.name).0) {
            if !folders.contains(&folder) {
                folders.push(folder);
            }
        }
        for folder in &folders {
            bytes.extend(folder.bytes().chain([0]));
        }
        bytes.push(0);
        for file in files {
            let (folder, name) = split(&file.name);
            let number = folders.iter().position(|one| Some(*one) == folder);
            bytes.extend(name.bytes().chain([0]));
            unsigned(number.map_or(0, |at| at as u64 + 1), &mut bytes);
            unsigned(file.time, &mut bytes);
            unsigned(file.size, &mut bytes);
        }
        bytes.push(0);
        if has_names {
            // Where their names begin in `.debug_str`.
            bytes.extend(0u32.to_le_bytes());
        }
        let length = bytes.len() as u32 - 10;
        bytes[6..10].copy_from_slice(&length.to_le_bytes());
        Table {
            bytes,
            places: Vec::new(),
        }
    }

    /// Adds the rows of a kernel, whose code has so many bytes.
    fn add(&mut self, rows: &[Line], end: u32) {
        let out = &mut self.bytes;
        out.extend([0, 9, SET_ADDRESS]);
        self.places.push(out.len() as u64);
        out.extend([0; 8]);
        let (mut file, mut line, mut place, mut inlined) = (1, 1, 0, (0, 0));
        let mut is_first = true;
        for row in rows {
            if file != row.file || is_first {
                file = row.file;
                out.push(SET_FILE);
                unsigned(file.into(), out);
            }
            is_first = false;
            if inlined != row.inlined {
                inlined = row.inlined;
                let mut value = vec![INLINED];
                unsigned(inlined.0.into(), &mut value);
                unsigned(inlined.1.into(), &mut value);
                out.push(0);
                unsigned(value.len() as u64, out);
                out.extend(value);
            }
            let (by, far) = (i64::from(row.line) - line, i64::from(row.place - place));
            (line, place) = (row.line.into(), row.place);
            let special = FIRST + (by - BASE) + RANGE * far;
            if (BASE..BASE + RANGE).contains(&by) && special <= 255 && (by != 0 && far != 0) {
                out.push(special as u8);
                continue;
            }
            if by != 0 {
                out.push(ADVANCE_LINE);
                signed(by, out);
            }
            if far != 0 {
                out.push(ADVANCE);
                unsigned(far as u64, out);
            }
            out.push(COPY);
        }
        out.push(ADVANCE);
        unsigned(u64::from(end.saturating_sub(place)), out);
        out.extend([0, 1, END_SEQUENCE]);
    }

    /// The finished table.
    fn finish(mut self) -> (Vec<u8>, Vec<u64>) {
        let length = self.bytes.len() as u32 - 4;
        self.bytes[..4].copy_from_slice(&length.to_le_bytes());
        (self.bytes, self.places)
    }
}

/// The folder and the name of a file.
fn split(path: &str) -> (Option<&str>, &str) {
    match path.rsplit_once('/') {
        Some((folder, name)) if !folder.is_empty() => (Some(folder), name),
        _ => (None, path),
    }
}

/// A number without a sign in groups of seven bits.
fn unsigned(mut value: u64, out: &mut Vec<u8>) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// A number with a sign.
fn signed(mut value: i64, out: &mut Vec<u8>) {
    while !(-0x40..0x40).contains(&value) {
        out.push(value as u8 & 0x7f | 0x80);
        value >>= 7;
    }
    out.push(value as u8 & 0x7f);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_those_that_ptxas_writes() {
        let row = |place, file, line, inlined| Line {
            place,
            file,
            line,
            inlined,
        };
        let rows = [
            row(0, 1, 10, (0, 0)),
            row(0x10, 1, 12, (0, 0)),
            row(0x30, 1, 14, (0, 0)),
            row(0x40, 1, 12, (0, 0)),
            row(0x50, 1, 12, (0, 0)),
            row(0x50, 2, 20, (5, 0)),
            row(0x60, 1, 14, (0, 0)),
            row(0x70, 1, 15, (0, 0)),
        ];
        let file = |name: &str, time, size| LineFile {
            name: name.to_owned(),
            time,
            size,
        };
        let mut table = Table::new(&[file("/src/a.cu", 0, 0), file("/src/b.h", 123, 456)], true);
        table.add(&rows, 0x180);
        let (bytes, places) = table.finish();
        assert_eq!(places, [0x36]);
        let text: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        let wanted = "66000000 02002900 00000101 fb0e0a00 01010101 00000001 2f737263 0000612e \
                      63750001 0000622e 6800017b c8030000 00000000 09020000 00000000 00000401 \
                      030901f1 03020220 01ed0210 01040200 03900500 03080104 01000390 0000037a \
                      021001f0 02900200 0101";
        let wanted: String = wanted.chars().filter(char::is_ascii_hexdigit).collect();
        assert_eq!(text, wanted);
    }
}
