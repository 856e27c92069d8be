//! Faults that apply to any module, found line by line.
//!
//! The text is taken as LLVM and the front ends print it: one instruction a line. An edit is a kind, the bytes it
//! replaces, and what stands there instead; whether the result is wrong is for LLVM to say.

use std::ops::Range;

/// Kind, bytes, replacement.
pub type Edit = (&'static str, Range<usize>, String);

/// A line and where it stands, without its line break.
struct Line<'a> {
    start: usize,
    text: &'a str,
    /// With its line break, which the last line of a file may lack.
    end: usize,
}

impl Line<'_> {
    fn range(&self) -> Range<usize> {
        self.start..self.start + self.text.len()
    }

    /// With its line break.
    fn whole(&self) -> Range<usize> {
        self.start..self.end
    }

    /// The instruction's opcode; nothing for other lines.
    fn opcode(&self) -> Option<&str> {
        let code = self.text.strip_prefix("  ")?;
        let code = code.split_once(" = ").map_or(code, |(_, rest)| rest);
        code.split_whitespace().next()
    }

    fn result(&self) -> Option<&str> {
        let name = self.text.strip_prefix("  ")?.split_once(" = ")?.0;
        name.starts_with('%').then_some(name)
    }
}

/// Words that change the meaning of an instruction when one stands for another.
const WORDS: [(&str, &str, &str); 24] = [
    ("integer-width", " i32 ", " i64 "),
    ("integer-width", " i64 ", " i32 "),
    ("integer-width", " i8 ", " i16 "),
    ("integer-width", " i1 ", " i32 "),
    ("float-width", " float ", " double "),
    ("float-width", " double ", " float "),
    ("pointer-to-integer", " ptr ", " i64 "),
    ("address-space", " ptr ", " ptr addrspace(3) "),
    ("typed-pointer", "i8* ", "i8 "),
    ("opcode-float", " = add ", " = fadd "),
    ("opcode-float", " = fadd ", " = add "),
    ("opcode-cast", " = zext ", " = trunc "),
    ("opcode-cast", " = sext ", " = bitcast "),
    ("opcode-cast", " = trunc ", " = fptosi "),
    ("opcode-compare", " = icmp eq ", " = icmp oeq "),
    ("opcode-compare", " = icmp slt ", " = fcmp olt "),
    ("opcode-unknown", " = load ", " = lod "),
    ("keyword", "define ", "definition "),
    ("keyword", " to ", " into "),
    ("keyword", "label %", "%"),
    ("alignment", ", align 4", ", align 5"),
    ("alignment", ", align 8", ", align 0"),
    ("void-result", "ret void", "ret i32 0"),
    ("void-result", "call void", "%call.result = call void"),
];

/// All edits of a module, in the order of their places within a kind.
pub fn edits(text: &str) -> Vec<Edit> {
    let mut lines = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let text = line.trim_end_matches('\n');
        let end = start + line.len();
        lines.push(Line { start, text, end });
        start = end;
    }
    let mut edits = Vec::new();
    for (n, line) in lines.iter().enumerate() {
        for (kind, word, instead) in WORDS {
            if let Some(at) = line.text.find(word) {
                let at = line.start + at;
                edits.push((kind, at..at + word.len(), instead.to_string()));
            }
        }
        let Some(opcode) = line.opcode() else {
            top_level(line, &mut edits);
            continue;
        };
        let terminator = matches!(opcode, "ret" | "br" | "switch" | "unreachable");
        if terminator && !line.text.ends_with('[') {
            edits.push(("missing-terminator", line.whole(), String::new()));
            let twice = format!("{}\n{}", line.text, line.text);
            edits.push(("second-terminator", line.range(), twice));
        }
        if let Some(result) = line.result() {
            edits.push(("missing-definition", line.whole(), String::new()));
            let place = line.start + 2..line.start + 2 + result.len();
            edits.push((
                "missing-result",
                line.start + 2..place.end + 3,
                String::new(),
            ));
            if let Some(next) = lines.get(n + 1).filter(|next| next.opcode().is_some()) {
                // The use before its definition, where the next line is a use.
                let kind = match next.text.contains(result) {
                    true => "use-before-definition",
                    false => "order-of-independent-lines",
                };
                let both = line.start..next.range().end;
                edits.push((kind, both, format!("{}\n{}", next.text, line.text)));
                if let Some(other) = next.result() {
                    let at = next.start + 2..next.start + 2 + other.len();
                    edits.push(("duplicate-name", at, result.to_string()));
                }
            }
            // The instruction as its own operand.
            if let Some(at) = line.text[place.end - line.start..].find(" %") {
                let at = place.end + at + 1;
                let rest = &text[at..];
                let end = rest.find([',', ')', ' ', '\n']).unwrap_or(rest.len());
                edits.push(("own-operand", at..at + end, result.to_string()));
            }
        }
        if opcode == "phi"
            && let Some(at) = line.text.rfind(", [")
        {
            let (at, end) = (line.start + at, line.range().end);
            edits.push(("missing-phi-edge", at..end, String::new()));
        }
        if matches!(opcode, "call" | "tail")
            && let (Some(open), Some(close)) = (line.text.find('('), line.text.rfind(')'))
            && open + 1 < close
        {
            let inside = line.start + open + 1..line.start + close;
            edits.push(("missing-arguments", inside.clone(), String::new()));
            let more = format!("{}, i32 7", &text[inside.clone()]);
            edits.push(("more-arguments", inside, more));
        }
        if let Some(at) = line.text.find("label %") {
            let at = line.start + at + "label ".len();
            edits.push(("missing-label", at..at + 1, "%no.such.".to_string()));
        }
    }
    edits
}

/// Faults outside of functions.
fn top_level(line: &Line<'_>, edits: &mut Vec<Edit>) {
    let text = line.text;
    if text == "}" {
        edits.push(("missing-brace", line.whole(), String::new()));
    }
    if text.starts_with("declare ") {
        edits.push(("missing-declaration", line.whole(), String::new()));
        edits.push((
            "second-declaration",
            line.range(),
            format!("{text}\n{text}"),
        ));
        edits.push((
            "linkage",
            line.start..line.start + "declare ".len(),
            "declare internal ".into(),
        ));
    }
    if text.starts_with('!') && text.contains(" = ") {
        edits.push(("missing-metadata", line.whole(), String::new()));
        edits.push(("second-metadata", line.range(), format!("{text}\n{text}")));
    }
    if text.starts_with("attributes #") {
        edits.push(("missing-attributes", line.whole(), String::new()));
        edits.push((
            "unknown-attribute",
            line.range(),
            text.replacen("{ ", "{ nosuchattribute ", 1),
        ));
    }
    if text.starts_with('@') && text.contains(" = ") {
        edits.push(("missing-global", line.whole(), String::new()));
        edits.push((
            "linkage",
            line.range(),
            text.replacen(" = ", " = extern_weak ", 1),
        ));
    }
    if text.starts_with("target datalayout") {
        edits.push(("data-layout", line.range(), text.replacen('e', "e-q", 2)));
    }
}

#[cfg(test)]
mod tests {
    use super::edits;

    #[test]
    fn edits_break_what_they_name() {
        let text = "define i32 @f(i32 %a) {\n  %b = add i32 %a, 1\n  ret i32 %b\n}\n";
        let apply = |kind: &str| {
            let found = edits(text).into_iter().find(|e| e.0 == kind);
            found.map(|(_, range, instead)| {
                let mut text = text.to_string();
                text.replace_range(range, &instead);
                text
            })
        };
        assert_eq!(
            apply("use-before-definition").as_deref(),
            Some("define i32 @f(i32 %a) {\n  ret i32 %b\n  %b = add i32 %a, 1\n}\n")
        );
        assert_eq!(
            apply("own-operand").as_deref(),
            Some("define i32 @f(i32 %a) {\n  %b = add i32 %b, 1\n  ret i32 %b\n}\n")
        );
        assert_eq!(
            apply("missing-result").as_deref(),
            Some("define i32 @f(i32 %a) {\n  add i32 %a, 1\n  ret i32 %b\n}\n")
        );
    }
}
