//! Faults in one instruction. Each kind is a rule that makes one edit, or none where it does not apply.

use crate::ptx_shape::{Inst, Kind, Operand, Token};
use std::ops::Range;

/// An edit: what kind of fault, which bytes, what instead.
pub type Edit = (&'static str, Range<usize>, String);

/// What the rules look at.
pub struct Site<'a> {
    /// The module.
    pub text: &'a str,
    /// The instruction.
    pub inst: &'a Inst,
    /// The module's registers: name and type, one of each name.
    pub registers: &'a [(String, String)],
    /// A number that differs from site to site: picks among alternatives.
    pub pick: usize,
}

const TYPES: &[&str] = &[
    ".u8", ".u16", ".u32", ".u64", ".s8", ".s16", ".s32", ".s64", ".b8", ".b16", ".b32", ".b64",
    ".b128", ".f16", ".f16x2", ".bf16", ".bf16x2", ".tf32", ".f32", ".f64", ".pred", ".e4m3",
    ".e5m2", ".f32x2",
];
const SPACES: &[&str] = &[
    ".global",
    ".shared",
    ".local",
    ".param",
    ".const",
    ".shared::cta",
    ".shared::cluster",
];
const ORDERS: &[&str] = &[
    ".relaxed",
    ".acquire",
    ".release",
    ".acq_rel",
    ".sc",
    ".volatile",
    ".weak",
];
const SCOPES: &[&str] = &[".cta", ".cluster", ".gpu", ".sys"];
const ROUNDINGS: &[&str] = &[
    ".rn", ".rz", ".rm", ".rp", ".rni", ".rzi", ".rna", ".rs", ".approx", ".full",
];
const COMPARES: &[&str] = &[
    ".eq", ".ne", ".lt", ".le", ".gt", ".ge", ".lo", ".hs", ".equ", ".ltu", ".num", ".nan",
];
const VECTORS: &[&str] = &[".v2", ".v4", ".v8", ".x1", ".x2", ".x4"];
const OPERATIONS: &[&str] = &[
    ".add", ".min", ".max", ".and", ".or", ".xor", ".cas", ".exch", ".inc", ".dec", ".popc", ".sub",
];
/// Sets whose members stand for each other: a wrong one of the right set is the most common human error.
const SETS: &[(&str, &[&str])] = &[
    ("type", TYPES),
    ("space", SPACES),
    ("order", ORDERS),
    ("scope", SCOPES),
    ("rounding", ROUNDINGS),
    ("comparison", COMPARES),
    ("vector-size", VECTORS),
    ("operation", OPERATIONS),
];
const FOREIGN: &[&str] = &[
    ".sat",
    ".ftz",
    ".rn",
    ".wide",
    ".relaxed",
    ".gpu",
    ".aligned",
    ".sync",
    ".cc",
    ".approx",
    ".x4",
    ".trans",
    ".volatile",
    ".nc",
    ".lo",
    ".hi",
    ".uni",
    ".shared",
    ".L2::cache_hint",
    ".noftz",
    ".v2",
    ".relu",
    ".satfinite",
    ".multicast::cluster",
];

impl Site<'_> {
    fn of(&self, range: &Range<usize>) -> &str {
        &self.text[range.clone()]
    }

    fn word(&self, t: &Token) -> &str {
        self.of(&t.range)
    }

    fn type_of(&self, register: &str) -> Option<&str> {
        let base = register.trim_end_matches(|c: char| c.is_ascii_digit());
        let found = self.registers.iter().find(|(name, _)| name == register);
        let found = found.or_else(|| {
            self.registers
                .iter()
                .find(|(n, _)| n.trim_end_matches(|c: char| c.is_ascii_digit()) == base)
        });
        found.map(|(_, ty)| ty.as_str())
    }

    /// Whether an operand is a plain register of the module.
    fn is_register(&self, o: &Operand) -> bool {
        o.tokens.len() == 1
            && o.tokens[0].kind == Kind::Word
            && self.type_of(self.word(&o.tokens[0])).is_some()
    }

    /// The `n`th register whose type differs from that of `register`.
    fn other_register(&self, register: &str, n: usize) -> Option<&str> {
        let ty = self.type_of(register)?;
        let size = |t: &str| {
            t.trim_start_matches(|c: char| !c.is_ascii_digit())
                .to_string()
        };
        let others: Vec<_> = self
            .registers
            .iter()
            .filter(|(_, t)| t != ty && size(t) != size(ty))
            .collect();
        others
            .get(n % others.len().max(1))
            .map(|(name, _)| name.as_str())
    }

    /// The module's first address: an operand in brackets.
    fn address(&self) -> Option<&Operand> {
        self.inst
            .operands
            .iter()
            .find(|o| self.word(&o.tokens[0]) == "[")
    }
}

/// Every fault that applies to a site.
pub fn edits(site: &Site<'_>) -> Vec<Edit> {
    let mut out = Vec::new();
    modifiers(site, &mut out);
    operand_counts(site, &mut out);
    operand_kinds(site, &mut out);
    addresses_and_vectors(site, &mut out);
    guards_and_marks(site, &mut out);
    out
}

fn modifiers(s: &Site<'_>, out: &mut Vec<Edit>) {
    let mods = &s.inst.mods;
    let at_end = mods.last().map_or(s.inst.opcode.end, |m| m.end);
    out.push((
        "opcode-unknown",
        s.inst.opcode.clone(),
        format!("{}q", s.of(&s.inst.opcode)),
    ));
    for (name, set) in SETS {
        let Some(found) = mods.iter().rev().find(|m| set.contains(&s.of(m))) else {
            continue;
        };
        let kind = match *name {
            "type" => "type-changed",
            "space" => "space-changed",
            "order" => "order-changed",
            "scope" => "scope-changed",
            "rounding" => "rounding-changed",
            "comparison" => "comparison-changed",
            "vector-size" => "vector-size-changed",
            _ => "operation-changed",
        };
        let others: Vec<&&str> = set.iter().filter(|o| **o != s.of(found)).collect();
        out.push((
            kind,
            found.clone(),
            others[s.pick % others.len()].to_string(),
        ));
        if *name == "type" {
            out.push((
                "width-changed",
                found.clone(),
                other_width(s.of(found)).to_string(),
            ));
        }
    }
    if !mods.is_empty() {
        let one = &mods[s.pick % mods.len()];
        out.push((
            "modifier-misspelled",
            one.clone(),
            format!("{}z", s.of(one)),
        ));
        out.push(("modifier-dropped", one.clone(), String::new()));
        let last = &mods[mods.len() - 1];
        out.push(("last-modifier-dropped", last.clone(), String::new()));
        out.push(("modifier-doubled", one.clone(), s.of(one).repeat(2)));
    }
    if mods.len() > 1 {
        let i = s.pick % (mods.len() - 1);
        let swapped = format!("{}{}", s.of(&mods[i + 1]), s.of(&mods[i]));
        out.push(("modifiers-swapped", mods[i].start..mods[i + 1].end, swapped));
    }
    let foreign: Vec<&&str> = FOREIGN
        .iter()
        .filter(|f| !mods.iter().any(|m| s.of(m) == **f))
        .collect();
    let new = foreign[s.pick % foreign.len()];
    let first = mods.first().map_or(at_end, |m| m.start);
    out.push(("modifier-added", first..first, new.to_string()));
}

/// A type of the same class and another width.
fn other_width(ty: &str) -> &'static str {
    match ty {
        ".u32" => ".u64",
        ".u64" => ".u16",
        ".u16" => ".u32",
        ".u8" => ".u64",
        ".s32" => ".s64",
        ".s64" => ".s32",
        ".s16" => ".s64",
        ".s8" => ".s32",
        ".b32" => ".b64",
        ".b64" => ".b32",
        ".b16" => ".b32",
        ".b8" => ".b64",
        ".b128" => ".b64",
        ".f32" => ".f64",
        ".f64" => ".f32",
        ".f16" => ".f32",
        ".f16x2" => ".f16",
        ".bf16" => ".bf16x2",
        ".bf16x2" => ".bf16",
        _ => ".b32",
    }
}

fn operand_counts(s: &Site<'_>, out: &mut Vec<Edit>) {
    let ops = &s.inst.operands;
    let Some(last) = ops.last() else {
        let end = s.inst.range.end - 1;
        out.push(("operand-added", end..end, " %tid".into()));
        return;
    };
    out.push((
        "operand-added",
        last.range.end..last.range.end,
        ", 0".into(),
    ));
    out.push((
        "operand-doubled",
        last.range.end..last.range.end,
        format!(", {}", s.of(&last.range)),
    ));
    if ops.len() > 1 {
        let before = &ops[ops.len() - 2];
        out.push((
            "operand-dropped",
            before.range.end..last.range.end,
            String::new(),
        ));
        out.push((
            "first-operand-dropped",
            ops[0].range.start..ops[1].range.start,
            String::new(),
        ));
        out.push((
            "comma-dropped",
            before.range.end..last.range.start,
            " ".into(),
        ));
        out.push((
            "comma-doubled",
            before.range.end..before.range.end,
            ",".into(),
        ));
        let swapped = format!("{}, {}", s.of(&ops[1].range), s.of(&ops[0].range));
        out.push((
            "operands-swapped",
            ops[0].range.start..ops[1].range.end,
            swapped,
        ));
    } else {
        out.push(("operand-dropped", last.range.clone(), String::new()));
    }
}

fn operand_kinds(s: &Site<'_>, out: &mut Vec<Edit>) {
    let ops = &s.inst.operands;
    let registers: Vec<(usize, &Operand)> = ops
        .iter()
        .enumerate()
        .filter(|(_, o)| s.is_register(o))
        .collect();
    if let Some((i, o)) = registers.get(s.pick % registers.len().max(1)) {
        let name = s.word(&o.tokens[0]);
        if let Some(other) = s.other_register(name, s.pick) {
            let kind = if *i == 0 {
                "destination-of-other-class"
            } else {
                "source-of-other-class"
            };
            out.push((kind, o.range.clone(), other.to_string()));
        }
        out.push(("register-undefined", o.range.clone(), "%undefined7".into()));
        out.push(("register-in-brackets", o.range.clone(), format!("[{name}]")));
        out.push((
            "register-as-vector",
            o.range.clone(),
            format!("{{{name}, {name}}}"),
        ));
        out.push(("register-negated", o.range.clone(), format!("!{name}")));
        out.push(("name-of-nothing", o.range.clone(), "nothing_here".into()));
    }
    if let Some((_, o)) = registers.iter().find(|(i, _)| *i > 0) {
        out.push(("immediate-for-register", o.range.clone(), "7".into()));
        out.push(("float-for-register", o.range.clone(), "0f3F800000".into()));
        out.push(("double-for-register", o.range.clone(), "1.5".into()));
        out.push(("special-for-register", o.range.clone(), "%tid.x".into()));
        out.push(("sink-for-register", o.range.clone(), "_".into()));
        out.push(("text-for-register", o.range.clone(), "\"text\"".into()));
        if let Some((name, _)) = s.registers.iter().find(|(_, ty)| ty == ".pred") {
            out.push(("predicate-for-register", o.range.clone(), name.clone()));
        }
    }
    if let Some((0, o)) = registers.first() {
        out.push(("immediate-as-destination", o.range.clone(), "5".into()));
        out.push(("special-as-destination", o.range.clone(), "%ntid.y".into()));
        out.push(("sink-as-destination", o.range.clone(), "_".into()));
    }
    // Numbers among the operands: literals that are none, and literals out of range.
    let number = ops
        .iter()
        .flat_map(|o| &o.tokens)
        .rfind(|t| t.kind == Kind::Number);
    if let Some(t) = number {
        const BAD: &[&str] = &[
            "0xZZ",
            "0f12",
            "09",
            "0d3FF",
            "0b12",
            "1.5.2",
            "0x",
            "12345678901234567890123",
            "99999999999",
            "0f3F8000001",
        ];
        out.push((
            "literal-bad",
            t.range.clone(),
            BAD[s.pick % BAD.len()].into(),
        ));
        out.push(("literal-large", t.range.clone(), "0x7fffffff".into()));
        out.push((
            "literal-to-register",
            t.range.clone(),
            s.registers.first().map_or("%r1", |r| &r.0).to_string(),
        ));
    }
    // Names of labels, functions and variables.
    let name = ops.iter().flat_map(|o| &o.tokens).find(|t| {
        let w = s.word(t);
        t.kind == Kind::Word
            && !w.starts_with('%')
            && s.type_of(w).is_none()
            && w != "_"
            && w.parse::<u64>().is_err()
    });
    if let Some(t) = name {
        out.push((
            "name-undefined",
            t.range.clone(),
            format!("{}_gone", s.word(t)),
        ));
        out.push((
            "register-for-name",
            t.range.clone(),
            s.registers.first().map_or("%r1", |r| &r.0).to_string(),
        ));
    }
}

fn addresses_and_vectors(s: &Site<'_>, out: &mut Vec<Edit>) {
    if let Some(o) = s.address() {
        let inner = s.of(&o.range).trim_start_matches('[').trim_end_matches(']');
        out.push(("brackets-dropped", o.range.clone(), inner.to_string()));
        let end = o.range.end - 1;
        if !inner.contains([',', '{']) {
            out.push(("offset-misaligned", end..end, "+1".into()));
            out.push(("offset-register", end..end, "+%r1".into()));
            out.push(("offset-large", end..end, "+4294967296".into()));
            out.push(("address-negative", o.range.clone(), "[-4]".into()));
            out.push(("address-misaligned", o.range.clone(), "[17]".into()));
        }
        if let Some(t) = o.tokens.get(1).filter(|t| t.kind == Kind::Word)
            && let Some(other) = s.other_register(s.word(t), s.pick)
        {
            out.push(("address-of-other-class", t.range.clone(), other.to_string()));
        }
        out.push(("bracket-unclosed", end..o.range.end, String::new()));
    }
    if let Some(o) = s.inst.operands.iter().find(|o| s.word(&o.tokens[0]) == "{") {
        let inner = s.of(&o.range).trim_start_matches('{').trim_end_matches('}');
        let elements: Vec<&str> = inner.split(',').map(str::trim).collect();
        out.push((
            "vector-longer",
            o.range.clone(),
            format!("{{{inner}, {}}}", elements[0]),
        ));
        if elements.len() > 1 {
            out.push((
                "vector-shorter",
                o.range.clone(),
                format!("{{{}}}", elements[1..].join(", ")),
            ));
        }
        out.push(("vector-to-scalar", o.range.clone(), elements[0].to_string()));
        let mut mixed = elements.clone();
        if let Some(other) = s.other_register(elements[0], s.pick) {
            mixed[0] = other;
            out.push((
                "vector-mixed",
                o.range.clone(),
                format!("{{{}}}", mixed.join(", ")),
            ));
        }
        mixed[0] = "3";
        out.push((
            "vector-with-number",
            o.range.clone(),
            format!("{{{}}}", mixed.join(", ")),
        ));
    }
}

fn guards_and_marks(s: &Site<'_>, out: &mut Vec<Edit>) {
    let semicolon = s.inst.range.end - 1..s.inst.range.end;
    out.push(("semicolon-dropped", semicolon.clone(), String::new()));
    if let Some(guard) = &s.inst.guard {
        out.push(("guard-undefined", guard.clone(), "@%undefined9".into()));
        if let Some((name, _)) = s.registers.iter().find(|(_, ty)| ty != ".pred") {
            out.push(("guard-not-predicate", guard.clone(), format!("@{name}")));
        }
        out.push((
            "guard-doubled",
            guard.start..guard.start,
            format!("{} ", s.of(guard)),
        ));
        out.push(("guard-constant", guard.clone(), "@1".into()));
    } else {
        let start = s.inst.range.start;
        if let Some((name, _)) = s.registers.iter().find(|(_, ty)| ty != ".pred") {
            out.push(("guard-not-predicate", start..start, format!("@{name} ")));
        }
    }
    if s.of(&s.inst.opcode) == "ret" {
        out.push((
            "ret-with-value",
            s.inst.opcode.end..s.inst.opcode.end,
            " 5".into(),
        ));
    }
    if s.of(&s.inst.opcode) == "call" {
        for (i, o) in s
            .inst
            .operands
            .iter()
            .enumerate()
            .filter(|(_, o)| s.word(&o.tokens[0]) == "(")
        {
            let inner = s.of(&o.range).trim_start_matches('(').trim_end_matches(')');
            let kind = if i == 0 {
                "call-results"
            } else {
                "call-arguments"
            };
            out.push((
                kind,
                o.range.clone(),
                format!(
                    "({inner}, {})",
                    inner.split(',').next().unwrap_or("x").trim()
                ),
            ));
            out.push(("call-list-empty", o.range.clone(), "()".into()));
        }
    }
}
