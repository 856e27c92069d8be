//! Launches that a file carries in its first comments.
//!
//! ```text
//!   // run: --grid 4 --block 256 --arg u8[4096]=random --arg u32[256]=0 --arg u32=4096 --print 1
//! ```
//!
//! Each line is one launch with the flags of `warpc run`; a backslash at its end goes on with the next
//! comment. Only comments before the first line of code count. In LLVM IR, comments start with `;`.

use crate::options::Options;
use std::path::Path;
use warpc_diag::{Diagnostic, Diagnostics, SourceFile, Span, codes};

/// What begins a comment, in PTX and in LLVM IR.
const COMMENTS: [&str; 2] = ["//", ";"];

/// What begins a comment that holds a launch.
const MARK: &str = " run:";

/// A launch that stands in a file.
#[derive(Clone, PartialEq, Debug)]
pub struct Case {
    /// Its flags.
    pub options: Options,
    /// The line.
    pub span: Span,
}

/// The launches that stand at the head of a file, in order.
///
/// ```
/// let text = "// run: --grid 2 --block 32\n.version 8.0\n";
/// let file = warpc_diag::SourceFile::new("k.ptx", text).unwrap();
/// assert_eq!(warpc_request::cases(&file).unwrap()[0].options.grid, Some([2, 1, 1]));
/// ```
pub fn cases(file: &SourceFile) -> Result<Vec<Case>, Diagnostics> {
    let folder = Path::new(file.name()).parent().unwrap_or(Path::new(""));
    let mut cases = Vec::new();
    let mut diagnostics = Diagnostics::new();
    for (text, span) in lines(file) {
        match words(&text).and_then(Options::parse) {
            Ok(mut options) => {
                options.arg_folder = folder.to_owned();
                options.expect_folder = folder.to_owned();
                cases.push(Case { options, span });
            }
            Err(message) => diagnostics.push(
                Diagnostic::error(codes::BAD_SPEC, span, message)
                    .help("a `run:` line has the flags of `warpc run`"),
            ),
        }
    }
    if diagnostics.has_errors() {
        Err(diagnostics)
    } else {
        Ok(cases)
    }
}

/// The text after each mark, with lines that go on joined, and its place.
fn lines(file: &SourceFile) -> Vec<(String, Span)> {
    let mut found: Vec<(String, Span)> = Vec::new();
    let mut goes_on = false;
    let mut start = 0usize;
    for line in file.bytes().split_inclusive(|b| *b == b'\n') {
        let text = String::from_utf8_lossy(line);
        let text = text.trim_end();
        let span = Span::new(start as u32, (start + text.len()) as u32);
        start += line.len();
        let code = text.trim_start();
        let comment = COMMENTS.iter().find_map(|mark| code.strip_prefix(mark));
        let Some(comment) = comment.or(code.is_empty().then_some("")) else {
            break;
        };
        let rest = match comment.strip_prefix(MARK) {
            Some(rest) => {
                found.push((String::new(), span));
                rest
            }
            None if goes_on => comment.trim_start_matches(['/', ';']),
            None => continue,
        };
        goes_on = rest.ends_with('\\');
        if let Some((text, whole)) = found.last_mut() {
            text.push(' ');
            text.push_str(rest.strip_suffix('\\').unwrap_or(rest));
            *whole = whole.to(span);
        }
    }
    found
}

/// Words as a shell splits them: quotes keep spaces, a backslash inside double quotes stays. A word that
/// begins with `//` ends the line.
fn words(text: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut characters = text.chars();
    while let Some(c) = characters.next() {
        if word.is_none() && c == '/' && characters.as_str().starts_with('/') {
            break;
        }
        match (c, quote) {
            (c, Some(open)) if c == open => quote = None,
            ('\\', Some('"')) => {
                let word = word.get_or_insert_default();
                word.push('\\');
                word.extend(characters.next());
            }
            (c, Some(_)) => word.get_or_insert_default().push(c),
            ('"' | '\'', None) => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (c, None) if c.is_whitespace() => words.extend(word.take()),
            (c, None) => word.get_or_insert_default().push(c),
        }
    }
    if quote.is_some() {
        return Err("a quote is not closed".to_owned());
    }
    words.extend(word);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Result<Vec<Case>, Diagnostics> {
        cases(&SourceFile::new("folder/k.ptx", text).expect("a short text"))
    }

    #[test]
    fn several_lines() {
        let text = "// A kernel.\n//\n// run: --kernel a --grid 2,3 --block 32 --arg u32=7\n\
            // run:  --kernel b --arg u32[4]=0 \\\n//   --arg s32=-1 --print 0\n\n.version 8.0\n// run: --grid 9\n";
        let cases = of(text).expect("it is right");
        assert_eq!(cases.len(), 2);
        assert_eq!(cases[0].options.grid, Some([2, 3, 1]));
        assert_eq!(cases[1].options.arg, ["u32[4]=0", "s32=-1"]);
        assert_eq!(cases[1].options.print, ["0"]);
        assert_eq!(cases[1].options.arg_folder, Path::new("folder"));
        assert!(text[cases[1].span.start as usize..].starts_with("// run:  --kernel b"));
    }

    #[test]
    fn quotes() {
        assert_eq!(
            words(r#" a 'b c' "d\"e" f"g h""#).expect("it is right"),
            ["a", "b c", r#"d\"e"#, "fg h"]
        );
        assert_eq!(words("a //b c").expect("it is right"), ["a"]);
        assert!(words("'a").is_err());
    }

    #[test]
    fn mistakes_have_their_line() {
        let errors =
            of("//\n// run: --gird 2\n// run: --grid x\n// run: stray\n").expect_err("wrong");
        let messages: Vec<&str> = errors.as_slice().iter().map(|d| &*d.message).collect();
        assert!(
            messages[0].contains("unexpected argument '--gird'"),
            "{messages:?}"
        );
        assert!(messages[1].contains("invalid value 'x'"), "{messages:?}");
        assert!(
            messages[2].contains("unexpected argument 'stray'"),
            "{messages:?}"
        );
        assert_eq!(errors.as_slice()[0].span.start, 3);
    }
}
