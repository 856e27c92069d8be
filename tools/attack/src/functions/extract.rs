//! Functions out of test files, as text that stands alone.

use super::bounds;
use super::signature::{Param, Signature, split, ty};
use crate::chance::Chance;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A function that can be called with numbers and buffers.
#[derive(Clone, Debug)]
pub struct Function {
    /// File and name.
    pub origin: String,
    /// What it takes and gives.
    pub signature: Signature,
    /// Its body: the lines between the braces.
    pub body: String,
    /// Declarations of functions of LLVM that it calls: whole lines.
    pub declares: Vec<String>,
}

/// Words that a body may not have: other functions' memory, other targets, what has no meaning as a value,
/// promises about results of calls.
const FOREIGN: [&str; 43] = [
    "asm ",
    "invoke ",
    "callbr ",
    "resume ",
    "landingpad",
    "cleanuppad",
    "catchpad",
    "indirectbr",
    "blockaddress",
    "addrspace(",
    "vscale",
    "x86_fp80",
    "fp128",
    "ppc_fp128",
    "x86_amx",
    "x86_mmx",
    "target(",
    "token",
    "metadata",
    "va_arg",
    "musttail",
    "inalloca",
    "preallocated",
    "swifterror",
    "swiftself",
    "atomic",
    "fence ",
    "cmpxchg",
    "inttoptr",
    "ptrtoint",
    "ptrtoaddr",
    "gc.",
    "[ \"",
    "callbr",
    "strictfp",
    "#dbg",
    "call ptr @llvm.",
    "%struct",
    "%class",
    "x i8] c",
    "uselistorder",
    "range(",
    "nofpclass(",
];

/// Families of intrinsics that belong to a target or to a pass, that say what time or place it is, whose lanes are poison
/// where they are off, or that LLVM has no code for on a GPU.
const FOREIGN_INTRINSICS: [&str; 78] = [
    "x86.",
    "arm.",
    "aarch64.",
    "amdgcn.",
    "r600.",
    "ppc.",
    "s390.",
    "riscv.",
    "hexagon.",
    "mips.",
    "wasm.",
    "loongarch.",
    "nvvm.",
    "spv.",
    "dx.",
    "ve.",
    "xcore.",
    "bpf.",
    "experimental.",
    "coro.",
    "dbg.",
    "va_",
    "eh.",
    "gc",
    "stack",
    "frame",
    "return",
    "addressof",
    "read_",
    "write_",
    "thread",
    "trap",
    "debugtrap",
    "ubsantrap",
    "sponentry",
    "local",
    "pseudoprobe",
    "instrprof",
    "type.",
    "objectsize",
    "is.constant",
    "ptrmask",
    "ptr.annotation",
    "annotation",
    "codeview",
    "call.",
    "icall",
    "load.relative",
    "init.trampoline",
    "adjust",
    "swift",
    "objc",
    "clear_cache",
    "set.",
    "get.",
    "reset.",
    "sideeffect",
    "donothing",
    "prefetch",
    "readcyclecounter",
    "readsteadycounter",
    "allow.",
    "vp.",
    "sin.",
    "sincos",
    "sinh.",
    "cos.",
    "cosh.",
    "tan.",
    "tanh.",
    "asin.",
    "acos.",
    "atan",
    "pow.",
    "exp.",
    "exp10.",
    "log.",
    "log10.",
];

/// Flags of fast arithmetic.
const FAST: [&str; 8] = [
    " fast ",
    " reassoc ",
    " nnan ",
    " ninf ",
    " nsz ",
    " arcp ",
    " contract ",
    " afn ",
];

/// Functions that a sample takes of a file.
const EACH: usize = 6;

/// All files of the tree, in order.
pub fn files(root: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    let mut open = vec![root.to_path_buf()];
    while let Some(dir) = open.pop() {
        let Ok(entries) = std::fs::read_dir(&dir) else {
            continue;
        };
        for entry in entries.flatten() {
            let path = entry.path();
            match path.is_dir() {
                true => open.push(path),
                false if path.extension().is_some_and(|e| e == "ll") => all.push(path),
                false => {}
            }
        }
    }
    all.sort();
    all
}

/// The functions of a tree that can be run, and how many there were. A sample takes a few functions of each file, of
/// files by chance.
pub fn extract(
    root: &Path,
    wanted: &dyn Fn(&str) -> bool,
    sample: Option<(usize, Chance)>,
) -> (Vec<Function>, usize) {
    let mut all = Vec::new();
    let mut count = 0;
    let mut bodies: BTreeSet<(String, String)> = BTreeSet::new();
    let mut paths = files(root);
    let most = sample.as_ref().map_or(usize::MAX, |(most, _)| *most);
    if let Some((_, mut chance)) = sample {
        for i in 1..paths.len() {
            paths.swap(i, chance.below(i + 1));
        }
    }
    for path in paths {
        if all.len() >= most {
            break;
        }
        let name = path
            .strip_prefix(root)
            .unwrap_or(&path)
            .display()
            .to_string();
        if !wanted(&name) {
            continue;
        }
        let Ok(bytes) = std::fs::read(&path) else {
            continue;
        };
        let text = String::from_utf8_lossy(&bytes);
        if text.contains("big-endian") {
            continue;
        }
        let (mut found, seen) = of_file(&name, &text);
        count += seen;
        if most < usize::MAX {
            found.truncate(EACH);
        }
        for function in found {
            let key = (function.signature.text.clone(), function.body.clone());
            if bodies.insert(key) {
                all.push(function);
            }
        }
    }
    all.truncate(most);
    (all, count)
}

/// The functions of a file, and how many it defines.
fn of_file(file: &str, text: &str) -> (Vec<Function>, usize) {
    let declares: Vec<&str> = text
        .lines()
        .filter(|line| line.starts_with("declare "))
        .collect();
    let mut found = Vec::new();
    let mut count = 0;
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if !line.starts_with("define ") {
            continue;
        }
        count += 1;
        let mut body = String::new();
        let mut whole = !line.trim_end().ends_with('{');
        let head = strip(line);
        if whole && !head.trim_end().ends_with('{') {
            continue;
        }
        for line in lines.by_ref() {
            if line.starts_with('}') {
                whole = true;
                break;
            }
            let line = strip(line);
            if line.trim().is_empty() {
                continue;
            }
            // An instruction of several lines becomes one.
            match body.ends_with(",\n") {
                true => {
                    body.pop();
                    body.push(' ');
                    body.push_str(line.trim());
                }
                false => body.push_str(line.trim_end()),
            }
            body.push('\n');
        }
        let function = whole.then(|| of_text(file, head, &body, &declares));
        found.extend(function.flatten());
    }
    (found, count)
}

/// A line without its comment.
fn strip(line: &str) -> &str {
    let mut quoted = false;
    for (i, c) in line.char_indices() {
        match c {
            '"' => quoted = !quoted,
            ';' if !quoted => return &line[..i],
            _ => {}
        }
    }
    line
}

fn of_text(file: &str, head: &str, body: &str, declares: &[&str]) -> Option<Function> {
    if FOREIGN.iter().any(|word| body.contains(word)) || body.len() > 20_000 {
        return None;
    }
    let (name, signature) = Signature::of(head)?;
    let mut lines = Vec::new();
    let mut called = Vec::new();
    for line in body.lines() {
        let line = plain(line);
        for name in names(&line) {
            let inner = name.strip_prefix("llvm.")?;
            if FOREIGN_INTRINSICS
                .iter()
                .any(|family| inner.starts_with(family))
            {
                return None;
            }
            called.push(name.to_string());
        }
        // Buffers hold bytes that were not stored as this type: what a load of it gives is left open.
        if let Some((_, loaded)) = line.split_once(" = load ") {
            let loaded = split(loaded.trim_start_matches("volatile "));
            if loaded
                .first()
                .and_then(|text| ty(text))
                .is_some_and(|ty| !ty.is_whole())
            {
                return None;
            }
        }
        if !bounds::is_known(&line) {
            return None;
        }
        if ["undef", "poison"].iter().any(|word| line.contains(word)) {
            return None;
        }
        lines.push(line);
    }
    called.sort();
    called.dedup();
    let mut lines_of = Vec::new();
    for name in &called {
        let wanted = format!("@{name}(");
        // LLVM knows intrinsics that are not declared.
        let Some(line) = declares.iter().find(|line| line.contains(&wanted)) else {
            continue;
        };
        let line = strip(line);
        // Attributes of the declaration belong to another module.
        let end = line.rfind(')')? + 1;
        lines_of.push(line[..end].to_string());
    }
    let pointers = signature.params.contains(&Param::Pointer);
    let touches = body.contains("load ") || body.contains("store ");
    if touches && !pointers && !body.contains("alloca ") {
        return None;
    }
    Some(Function {
        origin: format!("{file} @{name}"),
        signature,
        body: lines.join("\n") + "\n",
        declares: lines_of,
    })
}

/// A line without metadata and groups of attributes, with the alignment of arrays. What is left open becomes zero: one of the things it may be.
fn plain(line: &str) -> String {
    let mut line = spaced(line);
    for open in ["undef", "poison"] {
        if !line.contains(open) {
            continue;
        }
        for before in [" ", "("] {
            for after in [",", " ", ")", ">", "}", "]"] {
                let zero = format!("{before}zeroinitializer{after}");
                line = line.replace(&format!("{before}{open}{after}"), &zero);
            }
            if line.ends_with(&format!("{before}{open}")) {
                line.truncate(line.len() - open.len());
                line.push_str("zeroinitializer");
            }
        }
    }
    // Tests load vectors from arrays; compilers align long arrays so that they may.
    let array = line
        .split_once(" = alloca ")
        .filter(|(_, of)| of.trim_start().starts_with('['));
    if array.is_some() && !line.contains(", align ") {
        line.push_str(", align 16");
    }
    // With flags of fast arithmetic more than one answer is right.
    for flag in FAST {
        line = line.replace(flag, " ");
    }
    while let Some(at) = line.find(", !") {
        // `, !range !3`, perhaps followed by another.
        let rest = &line[at + 3..];
        let end = rest.find(", !").map_or(line.len(), |next| at + 3 + next);
        line.replace_range(at..end, "");
    }
    let cut = line.rfind(") #").filter(|at| {
        line[at + 3..]
            .bytes()
            .all(|b| b.is_ascii_digit() || b == b' ')
    });
    if let Some(at) = cut {
        line.truncate(at + 1);
    }
    line
}

/// A line with spaces between words and vector types, as LLVM prints it: `insertelement<2 x i8>%v` has none.
fn spaced(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut last = ' ';
    for c in line.chars() {
        if c == '<' && last.is_alphanumeric() || c == '%' && last == '>' {
            out.push(' ');
        }
        out.push(c);
        last = c;
    }
    out
}

/// Names of globals in a line.
fn names(line: &str) -> Vec<&str> {
    let mut all = Vec::new();
    for (at, _) in line.match_indices('@') {
        let rest = &line[at + 1..];
        let is_name = |c: char| c.is_alphanumeric() || "._$-\"".contains(c);
        let end = rest.find(|c| !is_name(c)).unwrap_or(rest.len());
        all.push(&rest[..end]);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_cut_out_of_a_file() {
        let text = "; RUN: opt %s\n\
                    declare i32 @llvm.ctpop.i32(i32) #1\n\
                    declare void @other()\n\
                    define i32 @f(i32 %a, <2 x i7> noundef %b) #0 {\n\
                    ; CHECK: ret\n  %c = call i32 @llvm.ctpop.i32(i32 %a) #4, !range !0\n  ret i32 %c ; so\n}\n\
                    define i32 @h(i32 %a) {\n  %v = alloca [4 x i8]\n  %c = add i32 %a, ; first\n\n    7\n  \
                    %d = extractelement<2 x i8>%w, i32 1\n  ret i32 %c\n}\n\
                    define void @g() {\n  call void @other()\n  ret void\n}\n";
        let (found, count) = of_file("a.ll", text);
        assert_eq!((found.len(), count), (2, 3));
        assert_eq!(
            found[1].body,
            "  %v = alloca [4 x i8], align 16\n  %c = add i32 %a, 7\n  %d = extractelement <2 x i8> %w, i32 1\n  ret i32 %c\n"
        );
        assert_eq!(found[0].origin, "a.ll @f");
        assert_eq!(found[0].declares, ["declare i32 @llvm.ctpop.i32(i32)"]);
        assert_eq!(
            found[0].body,
            "  %c = call i32 @llvm.ctpop.i32(i32 %a)\n  ret i32 %c\n"
        );
    }
}
