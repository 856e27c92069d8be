//! C++ programs from seeds, as people write them: structures with bit-fields, arrays, loops, conversions.
//!
//! A program is a function of two buffers. Whatever C++ leaves open is avoided: signed sums are made without a
//! sign unless their operands are narrow, amounts of shifts and indices are masked, divisors are not zero, NaNs
//! are made one before their bits are seen.

use crate::chance::Chance;
use std::fmt::Write;

/// Bytes that a program reads.
pub const INPUT: usize = 96;

/// Bytes that a program writes.
pub const OUTPUT: usize = 256;

/// Rows of input; threads.
pub const ROWS: usize = 16;

/// What all programs share.
pub const HEAD: &str = r#"typedef unsigned char u8; typedef signed char i8; typedef unsigned short u16; typedef short i16;
typedef unsigned int u32; typedef int i32; typedef unsigned long long u64; typedef long long i64;
typedef unsigned __int128 u128; typedef __int128 i128;
#define COPY __builtin_memcpy
template <class T> struct wrap_of { typedef T type; };
template <> struct wrap_of<i32> { typedef u32 type; };
template <> struct wrap_of<i64> { typedef u64 type; };
template <> struct wrap_of<i128> { typedef u128 type; };
template <class T> static inline T get(const u8 *p) { T v; COPY(&v, p, sizeof v); return v; }
static inline float getf(const u8 *p) { float v = get<float>(p); return v == v ? v : 1.5f; }
static inline double getd(const u8 *p) { double v = get<double>(p); return v == v ? v : -2.5; }
template <class T> static inline void put(u8 *&p, u8 *end, T v) { if (p + sizeof v <= end) { COPY(p, &v, sizeof v); p += sizeof v; } }
static inline void putf(u8 *&p, u8 *end, float v) { put<u32>(p, end, v == v ? __builtin_bit_cast(u32, v) : 1u); }
static inline void putd(u8 *&p, u8 *end, double v) { put<u64>(p, end, v == v ? __builtin_bit_cast(u64, v) : 1u); }
template <class T> static inline i32 whole(T v) { return v > T(-30000) && v < T(30000) ? (i32)v : 77; }
"#;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Kind {
    name: &'static str,
    bits: u32,
    signed: bool,
}

const KINDS: [Kind; 10] = [
    kind("u8", 8, false),
    kind("i8", 8, true),
    kind("u16", 16, false),
    kind("i16", 16, true),
    kind("u32", 32, false),
    kind("i32", 32, true),
    kind("u64", 64, false),
    kind("i64", 64, true),
    kind("u128", 128, false),
    kind("i128", 128, true),
];

const fn kind(name: &'static str, bits: u32, signed: bool) -> Kind {
    Kind { name, bits, signed }
}

/// A structure of the program: fields with their names.
struct Record {
    name: String,
    fields: Vec<(String, Kind)>,
}

/// A helper that takes a structure by value.
struct Helper {
    name: String,
    record: usize,
    extra: Kind,
}

struct Maker {
    chance: Chance,
    out: String,
    depth: usize,
    ints: Vec<(String, Kind)>,
    floats: Vec<(String, bool)>,
    records: Vec<Record>,
    objects: Vec<(String, usize)>,
    arrays: Vec<(String, Kind, u32)>,
    tables: Vec<(String, Kind, u32)>,
    helpers: Vec<Helper>,
    next: usize,
    /// Names that may be read and not written.
    fixed: usize,
}

/// The text of a program: its functions, and the one that is called, `pSEED`.
pub fn program(seed: u64) -> String {
    let maker = Maker {
        chance: Chance::new(seed ^ 0x000c_9900),
        out: String::new(),
        depth: 1,
        ints: Vec::new(),
        floats: Vec::new(),
        records: Vec::new(),
        objects: Vec::new(),
        arrays: Vec::new(),
        tables: Vec::new(),
        helpers: Vec::new(),
        next: 0,
        fixed: 0,
    };
    maker.program(seed)
}

impl Maker {
    fn kind(&mut self) -> Kind {
        match self.chance.one_in(10) {
            true => self.chance.of(&KINDS),
            false => self.chance.of(&KINDS[..8]),
        }
    }

    fn name(&mut self, letter: char) -> String {
        self.next += 1;
        format!("{letter}{}", self.next)
    }

    fn line(&mut self, text: &str) {
        let indent = "  ".repeat(self.depth);
        let _ = writeln!(self.out, "{indent}{text}");
    }

    fn constant(&mut self, kind: Kind) -> String {
        let bits = self.chance.edge(kind.bits.min(64)) as u64;
        format!("({})0x{bits:x}ull", kind.name)
    }

    /// A value of a kind that is there.
    fn leaf(&mut self, kind: Kind) -> String {
        let all = self.ints.len();
        match self.chance.below(12) {
            0 | 1 => self.constant(kind),
            2 if !self.arrays.is_empty() => {
                let (name, _, n) = self.chance.of(&self.arrays.clone());
                let index = self.index(n);
                format!("({}){name}[{index}]", kind.name)
            }
            3 if !self.tables.is_empty() => {
                let (name, _, n) = self.chance.of(&self.tables.clone());
                let index = self.index(n);
                format!("({}){name}[{index}]", kind.name)
            }
            4 | 5 if !self.objects.is_empty() => {
                let (object, record) = self.chance.of(&self.objects.clone());
                let fields = self.records[record].fields.clone();
                let (field, _) = self.chance.of(&fields);
                format!("({}){object}.{field}", kind.name)
            }
            6 if !self.floats.is_empty() => {
                let (name, _) = self.chance.of(&self.floats.clone());
                format!("({})whole({name})", kind.name)
            }
            _ if all > 0 => {
                let (name, _) = self.chance.of(&self.ints.clone());
                format!("({}){name}", kind.name)
            }
            _ => self.constant(kind),
        }
    }

    fn index(&mut self, n: u32) -> String {
        match self.ints.is_empty() || self.chance.one_in(3) {
            true => self.chance.below(n as usize).to_string(),
            false => {
                let (name, _) = self.chance.of(&self.ints.clone());
                format!("(u32){name} & {}", n - 1)
            }
        }
    }

    /// An expression of a kind.
    fn expr(&mut self, kind: Kind, depth: usize) -> String {
        if depth == 0 {
            return self.leaf(kind);
        }
        let t = kind.name;
        // The operands often have another kind: conversions are where compilers err.
        let other = if self.chance.one_in(2) {
            kind
        } else {
            self.kind()
        };
        let (a, b) = (self.expr(other, depth - 1), self.expr(kind, depth - 1));
        let wide = if kind.bits < 32 { "u32" } else { t };
        match self.chance.below(16) {
            0..=3 => {
                let op = self.chance.of(&["+", "-", "*", "+", "*"]);
                let w = if kind.bits < 32 {
                    "u32".to_string()
                } else {
                    format!("wrap_of<{t}>::type")
                };
                format!("({t})(({w})({a}) {op} ({w})({b}))")
            }
            4 => {
                // Narrow values promoted to `int`: sums and products that cannot overflow carry `nsw`.
                let narrow = self.chance.of(&["u8", "i8", "i16"]);
                let op = self.chance.of(&["+", "-", "*"]);
                format!("({t})(({narrow})({a}) {op} ({narrow})({b}))")
            }
            5 | 6 => {
                let op = self.chance.of(&["&", "|", "^"]);
                format!("({t})({a} {op} {b})")
            }
            7 | 8 => {
                let by = match self.chance.one_in(3) {
                    true => format!("(u32)({b}) & {}", kind.bits - 1),
                    false => self.chance.below(kind.bits as usize).to_string(),
                };
                let from = self.chance.of(&["u8", "u16", "u32", "u64"]);
                match self.chance.below(4) {
                    // `(unsigned long long)c << 3`
                    0 => format!("({t})((u64)({from})({a}) << {})", self.chance.below(57)),
                    1 => format!("({t})(({wide})({t})({a}) << ({by}))"),
                    _ => format!("({t})(({t})({a}) >> ({by}))"),
                }
            }
            9 => {
                let op = self.chance.of(&["/", "%"]);
                let d = match kind.signed && kind.bits >= 32 {
                    true => "i16",
                    false => t,
                };
                format!("({t})(({t})({a}) {op} (({d})({b}) > 0 ? ({d})({b}) : ({d})7))")
            }
            10 => {
                let op = self.chance.of(&["<", ">", "==", "!=", "<=", ">="]);
                let of = self.kind().name;
                format!("({t})(({of})({a}) {op} ({of})({b}))")
            }
            11 => {
                let c = self.leaf(kind);
                format!("(({a}) > 3 ? {b} : {c})")
            }
            12 => match self.chance.below(5) {
                0 => format!("({t})__builtin_popcountll((u64)({a}))"),
                1 => format!("({t})__builtin_clzll((u64)({a}) | 1)"),
                2 => format!("({t})__builtin_ctz((u32)({a}) | 256)"),
                3 => format!("({t})__builtin_bswap32((u32)({a}))"),
                _ => format!("({t})__builtin_rotateleft16((u16)({a}), (u16)({b}))"),
            },
            13 => {
                let op = self.chance.of(&["&&", "||"]);
                format!("({t})(({a}) {op} ({b}))")
            }
            14 => self.helper(kind).unwrap_or_else(|| format!("({t})~({a})")),
            _ => {
                let of = self.kind().name;
                format!("({t})({of})({a})")
            }
        }
    }

    fn helper(&mut self, kind: Kind) -> Option<String> {
        let usable: Vec<usize> = (0..self.helpers.len())
            .filter(|h| {
                self.objects
                    .iter()
                    .any(|(_, record)| *record == self.helpers[*h].record)
            })
            .collect();
        let helper = (!usable.is_empty()).then(|| self.chance.of(&usable))?;
        let Helper {
            name,
            record,
            extra,
            ..
        } = &self.helpers[helper];
        let (name, record, extra) = (name.clone(), *record, *extra);
        let fits: Vec<String> = self
            .objects
            .iter()
            .filter(|(_, r)| *r == record)
            .map(|(name, _)| name.clone())
            .collect();
        let object = self.chance.of(&fits);
        let value = self.leaf(extra);
        Some(format!("({}){name}({object}, {value})", kind.name))
    }

    fn float(&mut self, double: bool, depth: usize) -> String {
        let t = if double { "double" } else { "float" };
        if depth == 0 || self.floats.is_empty() {
            let kind = self.kind();
            let value = self.leaf(kind);
            return match (self.floats.is_empty(), self.chance.below(3)) {
                (false, 0 | 1) => {
                    let (name, _) = self.chance.of(&self.floats.clone());
                    format!("({t}){name}")
                }
                (_, 2) => format!("({t}){}", self.chance.below(2000) as f64 / 16.0 - 60.0),
                _ => format!("({t}){value}"),
            };
        }
        let (a, b) = (self.float(double, depth - 1), self.float(double, depth - 1));
        let f = if double { "" } else { "f" };
        match self.chance.below(9) {
            0..=4 => format!("({a} {} {b})", self.chance.of(&["+", "-", "*", "/"])),
            5 => format!("__builtin_fabs{f}({a})"),
            6 => format!("__builtin_floor{f}({a})"),
            7 => format!("({a} < {b} ? {a} : {b})"),
            _ => format!("(-({a}))"),
        }
    }

    fn condition(&mut self) -> String {
        let kind = self.kind();
        if !self.floats.is_empty() && self.chance.one_in(6) {
            let (a, b) = (self.float(false, 1), self.float(false, 1));
            return format!("{a} < {b}");
        }
        let (a, b) = (self.expr(kind, 1), self.leaf(kind));
        let op = self.chance.of(&["<", ">", "==", "!="]);
        format!("{a} {op} {b}")
    }

    fn statement(&mut self) {
        let deep = self.depth > 3;
        match self.chance.below(16) {
            0..=2 => {
                let kind = self.kind();
                let value = self.expr(kind, 2);
                if self.depth == 1 {
                    let name = self.name('v');
                    self.line(&format!("{} {name} = {value};", kind.name));
                    self.ints.push((name, kind));
                } else {
                    self.assign();
                }
            }
            3..=5 => self.assign(),
            6 if self.depth == 1 => {
                let double = self.chance.one_in(2);
                let value = self.float(double, 2);
                let name = self.name('f');
                self.line(&format!(
                    "{} {name} = {value};",
                    if double { "double" } else { "float" }
                ));
                self.floats.push((name, double));
            }
            7 if !self.arrays.is_empty() => {
                let (name, kind, n) = self.chance.of(&self.arrays.clone());
                let (index, value) = (self.index(n), self.expr(kind, 1));
                self.line(&format!("{name}[{index}] = {value};"));
            }
            8 if !self.objects.is_empty() => {
                let (object, record) = self.chance.of(&self.objects.clone());
                let (field, kind) = self.chance.of(&self.records[record].fields.clone());
                let value = self.expr(kind, 1);
                self.line(&format!("{object}.{field} = {value};"));
            }
            9 if !self.arrays.is_empty() && !self.objects.is_empty() => self.pun(),
            10 | 11 if !deep => {
                let condition = self.condition();
                self.line(&format!("if ({condition}) {{"));
                self.block();
                if self.chance.one_in(2) {
                    self.line("} else {");
                    self.block();
                }
                self.line("}");
            }
            12 | 13 if !deep => {
                let i = self.name('n');
                let turns = 1 + self.chance.below(5);
                let kind = self.chance.of(&["u8", "i32", "u32", "i64", "i16"]);
                self.line(&format!("for ({kind} {i} = 0; {i} < {turns}; {i}++) {{"));
                self.ints.insert(0, (i.clone(), KINDS[5]));
                self.fixed += 1;
                self.block();
                if self.chance.one_in(3) {
                    let condition = self.condition();
                    let jump = self.chance.of(&["break", "continue"]);
                    self.line(&format!("  if ({condition}) {jump};"));
                }
                self.line("}");
                self.fixed -= 1;
                self.ints.retain(|(name, _)| *name != i);
            }
            14 if !deep => {
                let kind = self.kind();
                let value = self.expr(kind, 1);
                self.line(&format!("switch ((u32)({value}) & 7) {{"));
                for case in 0..1 + self.chance.below(5) {
                    self.line(&format!("case {case}:"));
                    self.block();
                    if !self.chance.one_in(3) {
                        self.line("  break;");
                    }
                }
                self.line("default:");
                self.block();
                self.line("}");
            }
            _ => self.assign(),
        }
    }

    fn block(&mut self) {
        self.depth += 1;
        for _ in 0..1 + self.chance.below(3) {
            self.statement();
        }
        self.depth -= 1;
    }

    fn assign(&mut self) {
        let free = self.ints[self.fixed..].to_vec();
        if free.is_empty() {
            return;
        }
        let (name, kind) = self.chance.of(&free);
        let value = self.expr(kind, 2);
        match self.chance.below(4) {
            0 if !kind.signed || kind.bits < 32 => {
                let op = self.chance.of(&["^=", "|=", "&=", "+=", "-="]);
                self.line(&format!("{name} {op} {value};"));
            }
            1 if !kind.signed => {
                let step = self.chance.of(&["++", "--"]);
                self.line(&format!("{name}{step};"));
            }
            _ => self.line(&format!("{name} = {value};")),
        }
    }

    /// Bytes of an array as a structure, and back.
    fn pun(&mut self) {
        let (array, _, _) = self.chance.of(&self.arrays.clone());
        let (object, _) = self.chance.of(&self.objects.clone());
        let bytes =
            format!("(sizeof {array} < sizeof {object} ? sizeof {array} : sizeof {object})");
        match self.chance.below(3) {
            0 => self.line(&format!("COPY({array}, &{object}, {bytes});")),
            1 => self.line(&format!("COPY(&{object}, {array}, {bytes});")),
            _ => self.line(&format!(
                "__builtin_memmove((u8 *){array} + 1, {array}, sizeof {array} - 1);"
            )),
        }
    }

    fn record(&mut self, seed: u64) {
        let name = format!("S{seed}_{}", self.records.len());
        let packed = if self.chance.one_in(3) {
            "__attribute__((packed)) "
        } else {
            ""
        };
        let mut text = format!("struct {packed}{name} {{ ");
        let mut fields = Vec::new();
        for i in 0..2 + self.chance.below(5) {
            let kind = self.kind();
            let bits = match self.chance.one_in(3) && kind.bits <= 64 {
                true => format!(" : {}", 1 + self.chance.below(kind.bits as usize)),
                false => String::new(),
            };
            let _ = write!(text, "{} m{i}{bits}; ", kind.name);
            fields.push((format!("m{i}"), kind));
        }
        let _ = writeln!(self.out, "{text}}};");
        self.records.push(Record { name, fields });
    }

    fn program(mut self, seed: u64) -> String {
        for _ in 0..1 + self.chance.below(2) {
            self.record(seed);
        }
        for i in 0..self.chance.below(2) {
            let (kind, n) = (self.kind(), self.chance.of(&[4u32, 8, 16]));
            let values: Vec<String> = (0..n).map(|_| self.constant(kind)).collect();
            let name = format!("T{seed}_{i}");
            let _ = writeln!(
                self.out,
                "static const {} {name}[{n}] = {{{}}};",
                kind.name,
                values.join(", ")
            );
            self.tables.push((name, kind, n));
        }
        for i in 0..self.chance.below(3) {
            let record = self.chance.below(self.records.len());
            let (extra, result) = (self.kind(), self.kind());
            let name = format!("h{seed}_{i}");
            let attribute = self.chance.of(&[
                "__attribute__((noinline)) ",
                "__attribute__((noinline)) ",
                "",
            ]);
            let head = format!(
                "{attribute}static {} {name}({} s, {} x) {{",
                result.name, self.records[record].name, extra.name
            );
            let _ = writeln!(self.out, "{head}");
            self.ints = vec![("x".into(), extra)];
            self.objects = vec![("s".into(), record)];
            for _ in 0..1 + self.chance.below(3) {
                self.statement();
            }
            let value = self.expr(result, 2);
            self.line(&format!("return {value};"));
            self.out.push_str("}\n");
            self.ints.clear();
            self.floats.clear();
            self.objects.clear();
            self.helpers.push(Helper {
                name,
                record,
                extra,
            });
        }
        let _ = writeln!(self.out, "static void p{seed}(const u8 *in, u8 *out) {{");
        self.start();
        for _ in 0..4 + self.chance.below(10) {
            self.statement();
        }
        self.line("u8 *end = out + 256;");
        self.show();
        self.out.push_str("}\n");
        self.out
    }

    /// Variables with what was read.
    fn start(&mut self) {
        for _ in 0..3 + self.chance.below(4) {
            let kind = self.kind();
            let name = self.name('v');
            let at = self.chance.below(INPUT - 16);
            self.line(&format!(
                "{} {name} = get<{}>(in + {at});",
                kind.name, kind.name
            ));
            self.ints.push((name, kind));
        }
        for _ in 0..self.chance.below(3) {
            let double = self.chance.one_in(2);
            let name = self.name('f');
            let (ty, read) = if double {
                ("double", "getd")
            } else {
                ("float", "getf")
            };
            let at = self.chance.below(INPUT / 8) * 8;
            self.line(&format!("{ty} {name} = {read}(in + {at});"));
            self.floats.push((name, double));
        }
        for _ in 0..self.chance.below(3) {
            let record = self.chance.below(self.records.len());
            let name = self.name('s');
            let ty = self.records[record].name.clone();
            // At most ten fields of sixteen bytes each, so half of the input is not always enough.
            self.line(&format!(
                "{ty} {name}; __builtin_memset(&{name}, 0, sizeof {name});"
            ));
            self.line(&format!(
                "COPY(&{name}, in, sizeof {name} < {INPUT} ? sizeof {name} : {INPUT});"
            ));
            self.objects.push((name, record));
        }
        for _ in 0..self.chance.below(3) {
            let (kind, n) = (self.kind(), self.chance.of(&[2u32, 4, 8]));
            let name = self.name('a');
            self.line(&format!("{} {name}[{n}] = {{}};", kind.name));
            self.line(&format!(
                "COPY({name}, in + 8, sizeof {name} < 88 ? sizeof {name} : 88);"
            ));
            self.arrays.push((name, kind, n));
        }
    }

    /// Everything is written, as far as there is room.
    fn show(&mut self) {
        for (name, _) in self.ints.clone() {
            self.line(&format!("put(out, end, {name});"));
        }
        for (name, double) in self.floats.clone() {
            let put = if double { "putd" } else { "putf" };
            self.line(&format!("{put}(out, end, {name});"));
        }
        for (name, record) in self.objects.clone() {
            for (field, kind) in self.records[record].fields.clone() {
                self.line(&format!("put(out, end, ({}){name}.{field});", kind.name));
            }
        }
        for (name, _, n) in self.arrays.clone() {
            self.line(&format!(
                "for (u32 i = 0; i < {n}; i++) put(out, end, {name}[i]);"
            ));
        }
    }
}

/// The source of some programs: for the GPU with a kernel `kSEED` each, for the host with a table.
pub fn source(seeds: &[u64], gpu: bool) -> String {
    let mut text = String::from(HEAD);
    for seed in seeds {
        text.push_str(&program(*seed));
    }
    if gpu {
        for seed in seeds {
            let _ = writeln!(
                text,
                "extern \"C\" __attribute__((nvptx_kernel)) void k{seed}(const u8 *in, u8 *out) {{ \
                 u32 t = __nvvm_read_ptx_sreg_tid_x(); p{seed}(in + t * {INPUT}, out + t * {OUTPUT}); }}"
            );
        }
        return text;
    }
    for seed in seeds {
        let _ = writeln!(
            text,
            "static void w{seed}(u8 *in, u8 *out) {{ p{seed}(in, out); }}"
        );
    }
    let names: Vec<String> = seeds.iter().map(|seed| format!("w{seed}")).collect();
    let _ = writeln!(
        text,
        "extern \"C\" {{ extern void (*const table[])(u8 *, u8 *); void (*const table[])(u8 *, u8 *) = {{{}}}; }}",
        names.join(", ")
    );
    text
}

/// The input of a program: all rows.
pub fn input(seed: u64) -> Vec<u8> {
    let mut chance = Chance::new(seed ^ 0x1119);
    let mut bytes = Vec::new();
    while bytes.len() < INPUT * ROWS {
        let width = chance.of(&[1u32, 2, 4, 8, 8]);
        let value = match chance.one_in(4) {
            true => {
                let format = chance.of(&[crate::ty::Format::Float, crate::ty::Format::Double]);
                crate::float::any(format, &mut chance)
            }
            false => chance.edge(width * 8),
        };
        bytes.extend(&value.to_le_bytes()[..width as usize]);
    }
    bytes.truncate(INPUT * ROWS);
    bytes
}
