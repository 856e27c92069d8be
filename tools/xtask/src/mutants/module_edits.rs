//! Faults in a module's frame: directives, declarations, braces, versions, targets.

use crate::mutants::inst_edits::Edit;
use crate::ptx_shape::{self, Kind, Token};

/// Every fault that applies to a module. `pick` varies the alternatives from base to base.
pub fn edits(text: &str, pick: usize) -> Vec<Edit> {
    let tokens = ptx_shape::tokens(text);
    let mut out = Vec::new();
    header(text, &tokens, pick, &mut out);
    declarations(text, &tokens, pick, &mut out);
    functions(text, &tokens, pick, &mut out);
    braces_and_bytes(text, &tokens, &mut out);
    out
}

fn find<'t>(text: &str, tokens: &'t [Token], word: &str) -> Option<(usize, &'t Token)> {
    tokens
        .iter()
        .enumerate()
        .find(|(_, t)| &text[t.range.clone()] == word)
}

fn choose<'a>(list: &[&'a str], pick: usize) -> &'a str {
    list[pick % list.len()]
}

fn header(text: &str, tokens: &[Token], pick: usize, out: &mut Vec<Edit>) {
    if let Some((i, t)) = find(text, tokens, ".version") {
        let number = tokens[i + 1].range.clone();
        out.push((
            "version-old",
            number.clone(),
            choose(&["6.0", "6.3", "7.0", "7.4", "7.8", "8.0", "8.3"], pick).into(),
        ));
        out.push((
            "version-older-still",
            number.clone(),
            choose(&["1.0", "3.1", "4.2", "5.0", "6.4"], pick).into(),
        ));
        out.push((
            "version-unknown",
            number.clone(),
            choose(&["99.0", "9.99", "10.1", "6.7", "0.1"], pick).into(),
        ));
        out.push((
            "version-malformed",
            number.clone(),
            choose(&["8", "eight", "8.", "-8.0", "8.0.1"], pick).into(),
        ));
        out.push(("version-missing", t.range.start..number.end, String::new()));
        out.push((
            "version-twice",
            number.end..number.end,
            "\n.version 8.0".into(),
        ));
    }
    if let Some((i, t)) = find(text, tokens, ".target") {
        let chip = tokens[i + 1].range.clone();
        out.push((
            "target-old",
            chip.clone(),
            choose(
                &["sm_60", "sm_70", "sm_75", "sm_80", "sm_86", "sm_90"],
                pick,
            )
            .into(),
        ));
        out.push((
            "target-older-still",
            chip.clone(),
            choose(&["sm_20", "sm_30", "sm_50", "sm_61", "sm_72"], pick).into(),
        ));
        out.push((
            "target-unknown",
            chip.clone(),
            choose(
                &["sm_999", "sm_91", "SM_80", "compute_80", "sm80", "sm_80b"],
                pick,
            )
            .into(),
        ));
        out.push((
            "target-option",
            chip.end..chip.end,
            choose(
                &[
                    ", debug",
                    ", texmode_independent",
                    ", nothing",
                    ", sm_80",
                    ", map_f64_to_f32",
                ],
                pick,
            )
            .into(),
        ));
        out.push(("target-missing", t.range.start..chip.end, String::new()));
        out.push((
            "target-twice",
            chip.end..chip.end,
            format!("\n.target {}", &text[chip.clone()]),
        ));
    }
    if let Some((i, t)) = find(text, tokens, ".address_size") {
        let size = tokens[i + 1].range.clone();
        out.push((
            "address-size-bad",
            size.clone(),
            choose(&["32", "16", "0", "sixty", "128"], pick).into(),
        ));
        out.push((
            "address-size-missing",
            t.range.start..size.end,
            String::new(),
        ));
    }
}

fn declarations(text: &str, tokens: &[Token], pick: usize, out: &mut Vec<Edit>) {
    let word = |i: usize| tokens.get(i).map_or("", |t| &text[t.range.clone()]);
    let semicolon = |from: usize| {
        (from..tokens.len())
            .find(|&k| word(k) == ";")
            .map(|k| tokens[k].range.end)
    };
    // Registers.
    let regs: Vec<usize> = (0..tokens.len()).filter(|&i| word(i) == ".reg").collect();
    if let Some(&i) = regs.get(pick % regs.len().max(1))
        && let Some(end) = semicolon(i)
    {
        let start = tokens[i].range.start;
        out.push(("registers-undeclared", start..end, String::new()));
        out.push((
            "registers-twice",
            end..end,
            format!("\n\t{}", &text[start..end]),
        ));
        out.push((
            "directive-misspelled",
            tokens[i].range.clone(),
            ".regg".into(),
        ));
        let ty = tokens[i + 1].range.clone();
        out.push((
            "register-type-bad",
            ty.clone(),
            choose(&[".b7", ".int", ".u128", ".f8", ".b1", ".v4"], pick).into(),
        ));
        out.push((
            "register-type-other",
            ty.clone(),
            choose(&[".b64", ".pred", ".b16", ".f32", ".b128", ".u32"], pick).into(),
        ));
        out.push(("register-type-missing", ty, String::new()));
        if let Some(k) = (i..i + 6).find(|&k| word(k) == "<") {
            out.push((
                "register-count-small",
                tokens[k + 1].range.clone(),
                "1".into(),
            ));
            out.push((
                "register-count-bad",
                tokens[k + 1].range.clone(),
                choose(&["0", "-3", "x", "1.5"], pick).into(),
            ));
        }
        out.push(("register-initialised", end - 1..end - 1, " = 3".into()));
        out.push((
            "space-of-register",
            tokens[i].range.clone(),
            choose(&[".const", ".tex", ".surf", ".global"], pick).into(),
        ));
    }
    // Variables.
    let spaces = [".global", ".shared", ".const", ".local"];
    let var = (0..tokens.len()).find(|&i| {
        spaces.contains(&word(i))
            && i > 0
            && tokens[i - 1].kind != Kind::Word
            && i + 1 < tokens.len()
            && {
                matches!(
                    word(i + 1),
                    ".align"
                        | ".b8"
                        | ".u8"
                        | ".u32"
                        | ".u64"
                        | ".b32"
                        | ".b64"
                        | ".f32"
                        | ".f64"
                        | ".attribute"
                        | ".s32"
                )
            }
    });
    if let Some(i) = var
        && let Some(end) = semicolon(i)
    {
        let space = tokens[i].range.clone();
        out.push((
            "variable-space",
            space.clone(),
            choose(&[".param", ".const", ".reg", ".local", ".globl"], pick).into(),
        ));
        out.push((
            "variable-twice",
            end..end,
            format!("\n{}", &text[space.start..end]),
        ));
        out.push(("variable-undeclared", space.start..end, String::new()));
        if word(i + 1) == ".align" {
            let align = tokens[i + 2].range.clone();
            out.push((
                "align-bad",
                align.clone(),
                choose(&["3", "0", "-4", "7", "x", "2147483648"], pick).into(),
            ));
            out.push(("align-small", align, "1".into()));
        }
        let stop = text[space.start..end]
            .find('=')
            .map_or(end - 1, |n| space.start + n);
        out.push((
            "initialiser-bad",
            stop..end - 1,
            choose(
                &[
                    "= \"text\"",
                    "= {1, {2}, 3}",
                    "= nowhere",
                    "= 1.5",
                    "= {",
                    "= {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18}",
                ],
                pick,
            )
            .into(),
        ));
        if let Some(k) = (i..tokens.len())
            .take_while(|&k| word(k) != ";")
            .find(|&k| word(k) == "[" && tokens[k + 1].kind == Kind::Number)
        {
            out.push((
                "array-size-bad",
                tokens[k + 1].range.clone(),
                choose(&["0", "-1", "1.5", "n", "18446744073709551616"], pick).into(),
            ));
        }
    }
}

fn functions(text: &str, tokens: &[Token], pick: usize, out: &mut Vec<Edit>) {
    let word = |i: usize| tokens.get(i).map_or("", |t| &text[t.range.clone()]);
    if let Some((i, t)) = find(text, tokens, ".entry") {
        out.push((
            "entry-misspelled",
            t.range.clone(),
            choose(&[".entri", ".kernel", "entry", ".Entry"], pick).into(),
        ));
        out.push(("entry-to-func", t.range.clone(), ".func".into()));
        let name = tokens[i + 1].range.clone();
        out.push(("entry-nameless", name.clone(), String::new()));
        out.push((
            "entry-name-bad",
            name.clone(),
            choose(&["1kernel", "%", "a-b", "$", ".name", "_"], pick).into(),
        ));
        out.push((
            "linkage-bad",
            t.range.start..t.range.start,
            choose(
                &[
                    ".extern ",
                    ".visible .weak ",
                    ".common ",
                    ".static ",
                    ".hidden ",
                ],
                pick,
            )
            .into(),
        ));
        // Parameters.
        if let Some(k) = (i..tokens.len())
            .take_while(|&k| word(k) != ")")
            .find(|&k| word(k) == ".param")
        {
            let ty = tokens[k + 1].range.clone();
            out.push((
                "parameter-type",
                ty,
                choose(&[".pred", ".b7", ".b128", ".v4", ".texref", ".f16"], pick).into(),
            ));
            out.push((
                "parameter-space",
                tokens[k].range.clone(),
                choose(&[".reg", ".global", ".shared", ".parm"], pick).into(),
            ));
            let end = (k..tokens.len())
                .find(|&e| word(e) == "," || word(e) == ")")
                .map_or(0, |e| tokens[e].range.start);
            let this = text[tokens[k].range.start..end].trim_end();
            out.push((
                "parameter-twice",
                tokens[k].range.start..tokens[k].range.start,
                format!("{this},\n\t"),
            ));
            out.push((
                "parameter-undeclared",
                tokens[k].range.start..tokens[k].range.start + this.len(),
                ".param .u32 other".into(),
            ));
        }
        if let Some(k) = (i..tokens.len()).find(|&k| word(k) == "{") {
            let at = tokens[k].range.start;
            const DIRECTIVES: &[&str] = &[
                ".maxntid 0",
                ".maxntid 1, 2, 3, 4",
                ".maxntid -1",
                ".maxntid 4096",
                ".minnctapersm 2",
                ".reqntid 32\n.maxntid 64",
                ".maxnreg 0",
                ".maxnreg 9999",
                ".reqnctapercluster 0",
                ".explicitcluster",
                ".maxclusterrank 99",
                ".noreturn",
                ".reqntid x",
                ".maxntid 32\n.maxntid 64",
                ".blocksareclusters",
                ".pragma nounroll;",
                ".nosuchdirective 4",
                ".maxnctapersm 2",
                ".language 3",
                ".abi_preserve 5",
            ];
            out.push((
                "kernel-directive",
                at..at,
                format!("{}\n", choose(DIRECTIVES, pick)),
            ));
            out.push((
                "kernel-directive",
                at..at,
                format!(
                    "{}\n",
                    choose(DIRECTIVES, pick / DIRECTIVES.len() + pick * 7 + 3)
                ),
            ));
            let inside = at + 1;
            const WRONG_PLACE: &[&str] = &[
                ".version 8.0",
                ".target sm_80",
                ".visible .entry inner() { ret; }",
                ".func inner() { ret; }",
                ".address_size 64",
                ".maxntid 32",
                ".extern .func f();",
                ".const .u32 c = 1;",
                ".global .u32 g;",
                ".param .u32 p;",
                ".file 1 \"a.cu\"",
                ".section .debug_x { }",
                ".loc 9 1 1",
                ".pragma 5;",
                ".local .u32 l;",
                ".shared .u32 s;",
                ".alias a, b;",
                ".branchtargets L1, L2;",
                ".callprototype _ ();",
                ".tex .u32 t;",
            ];
            out.push((
                "directive-in-body",
                inside..inside,
                format!("\n\t{}", choose(WRONG_PLACE, pick)),
            ));
            out.push((
                "directive-in-body",
                inside..inside,
                format!("\n\t{}", choose(WRONG_PLACE, pick * 3 + 11)),
            ));
        }
        const OUTSIDE: &[&str] = &[
            ".reg .u32 %outer;",
            ".param .u32 p;",
            ".local .u32 l;",
            "ret;",
            "add.u32 %r1, %r2, 3;",
            "label:",
            ".maxntid 32",
            ".pragma \"nounroll\";",
            ".shared .u32 s = 4;",
            ".const .u32 c[2] = {1, 2, 3};",
            ".global .pred p;",
            ".global .u32 a[];",
            ".extern .global .u32 e = 4;",
            ".tex .u32 t;",
            ".global .texref r;",
            ".global .samplerref x = {addr_mode_0 = wrong};",
            ".func (.param .u32 a) f (.param .u32 a);",
            ".alias a, b;",
            ".file 1",
            "}",
        ];
        let line = text[..t.range.start].rfind('\n').map_or(0, |n| n + 1);
        out.push((
            "item-in-module",
            line..line,
            format!("{}\n", choose(OUTSIDE, pick)),
        ));
        out.push((
            "item-in-module",
            line..line,
            format!("{}\n", choose(OUTSIDE, pick * 3 + 7)),
        ));
        // The whole kernel once more.
        out.push((
            "function-twice",
            text.len()..text.len(),
            text[line..].to_string(),
        ));
    }
    let (insts, labels) = ptx_shape::instructions(text);
    if let Some(label) = labels.get(pick % labels.len().max(1)) {
        let name = &text[label.clone()];
        out.push((
            "label-twice",
            label.start..label.start,
            format!("{name}:\n"),
        ));
        out.push((
            "label-undeclared",
            label.start..label.end + 1,
            String::new(),
        ));
        out.push((
            "label-colon-dropped",
            label.end..label.end + 1,
            String::new(),
        ));
    }
    if let Some(last) = insts.last() {
        out.push((
            "statement-empty",
            last.range.start..last.range.start,
            ";".into(),
        ));
        out.push((
            "name-alone",
            last.range.start..last.range.start,
            choose(&["word;", "%r1;", "5;", ".u32;", "@%p1;", "[%rd1];"], pick).into(),
        ));
    }
}

fn braces_and_bytes(text: &str, tokens: &[Token], out: &mut Vec<Edit>) {
    for (kind, mark, last) in [
        ("brace-unopened", "{", false),
        ("brace-unclosed", "}", true),
        ("parenthesis-unopened", "(", false),
        ("parenthesis-unclosed", ")", false),
    ] {
        let mut found = tokens.iter().filter(|t| &text[t.range.clone()] == mark);
        if let Some(t) = if last {
            found.next_back()
        } else {
            found.next()
        } {
            out.push((kind, t.range.clone(), String::new()));
        }
    }
    out.push(("brace-extra", text.len()..text.len(), "}\n".into()));
    out.push(("byte-strange", text.len()..text.len(), "\u{a7}\n".into()));
    out.push((
        "comment-unclosed",
        text.len()..text.len(),
        "/* no end\n".into(),
    ));
    out.push((
        "text-unclosed",
        text.len()..text.len(),
        ".file 1 \"no end\n".into(),
    ));
    out.push(("text-cut", text.len() / 2..text.len(), String::new()));
}
