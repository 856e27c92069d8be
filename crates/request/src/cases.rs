//! Launches that a file carries in its first comments.
//!
//! ```text
//!   // run: --grid 4 --block 256 --arg u8[4096]=random --arg u32[256]=0 --arg u32=4096 --print 1
//! ```
//!
//! Each line is one launch with the flags of `warpc run`; a backslash at its end goes on with the next
//! comment. A line `// then: …` is another launch after the one above, on the same memory. Only comments
//! before the first line of code count. In LLVM IR, comments start with `;`.

use crate::options::Options;
use std::path::Path;
use warpc_diag::{Diagnostic, Diagnostics, SourceFile, Span, codes};

/// What begins a comment, in PTX and in LLVM IR.
const COMMENTS: [&str; 2] = ["//", ";"];

/// What begins a comment that holds a launch.
const MARK: &str = " run:";

/// What begins one with a launch that is only for timing.
const BENCH: &str = " bench:";

/// What begins one with a launch that follows the one above.
const THEN: &str = " then:";

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
    cases_after(file, MARK)
}

/// The launches to be timed, in `bench:` lines: on a grid that fills a GPU, and too long for an emulator.
pub fn bench_cases(file: &SourceFile) -> Result<Vec<Case>, Diagnostics> {
    cases_after(file, BENCH)
}

/// The launches after a mark.
fn cases_after(file: &SourceFile, mark: &str) -> Result<Vec<Case>, Diagnostics> {
    let folder = Path::new(file.name()).parent().unwrap_or(Path::new(""));
    let mut cases = Vec::new();
    let mut diagnostics = Diagnostics::new();
    let mut refuse = |span, message: String, help: &str| {
        diagnostics.push(Diagnostic::error(codes::BAD_SPEC, span, message).help(help));
    };
    for Line { then, text, span } in lines(file, mark) {
        let options = match words(&text).and_then(Options::parse) {
            Ok(options) => options.in_folder(folder),
            Err(message) => {
                refuse(span, message, "a `run:` line has the flags of `warpc run`");
                continue;
            }
        };
        if !options.save.is_empty() {
            let message = "a `run:` line does not write files".to_owned();
            refuse(span, message, "give `--save` on the command line");
        } else if !then {
            cases.push(Case { options, span });
        } else if let Some(Case { options: first, .. }) = cases.last_mut() {
            first.then.push(text);
            // Mistakes of a launch are told where it stands.
            if let Err((_, why)) = first.following() {
                refuse(span, why, "give it in the `run:` line");
            }
        } else {
            let message = "a `then:` line follows no `run:` line".to_owned();
            refuse(span, message, "the first launch stands in a `run:` line");
        }
    }
    if diagnostics.has_errors() {
        Err(diagnostics)
    } else {
        Ok(cases)
    }
}

/// The text after a mark.
struct Line {
    /// Whether it is a launch that follows another one.
    then: bool,
    text: String,
    span: Span,
}

/// The text after each mark, with lines that go on joined, and its place.
fn lines(file: &SourceFile, mark: &str) -> Vec<Line> {
    let mut found: Vec<Line> = Vec::new();
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
        let marked = [(mark, false), (THEN, true)].into_iter();
        let marked = marked.filter_map(|(mark, then)| Some((comment.strip_prefix(mark)?, then)));
        let rest = match marked.into_iter().next() {
            Some((rest, then)) => {
                let text = String::new();
                found.push(Line { then, text, span });
                rest
            }
            None if goes_on => comment.trim_start_matches(['/', ';']),
            None => continue,
        };
        goes_on = rest.ends_with('\\');
        if let Some(line) = found.last_mut() {
            line.text.push(' ');
            line.text.push_str(rest.strip_suffix('\\').unwrap_or(rest));
            line.span = line.span.to(span);
        }
    }
    found
}

/// Words as a shell splits them: quotes keep spaces, a backslash inside double quotes stays. A word that
/// begins with `//` ends the line.
pub(crate) fn words(text: &str) -> Result<Vec<String>, String> {
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

    #[test]
    fn launches_follow_each_other() {
        let text = "// run: --grid 2 --block 32 --kernel a\n// then: --kernel b \\\n//  --arg &x\n// then: --grid 4\n\
            // run: --grid 1 --block 1\n.version 8.0\n";
        let cases = of(text).expect("it is right");
        assert_eq!(cases.len(), 2);
        let following = cases[0].options.following().expect("it is right");
        assert_eq!(following.len(), 2);
        assert_eq!(following[0].arg, ["&x"]);
        assert_eq!(following[0].grid, Some([2, 1, 1]));
        assert_eq!(following[1].kernel.as_deref(), Some("b"));
        assert_eq!(following[1].grid, Some([4, 1, 1]));
        assert_eq!(following[1].arg_folder, Path::new("folder"));
        let errors =
            of("// then: --grid 1\n// run: --save 0:x\n// run: --grid 1\n// then: --seeds 3\n");
        let errors = errors.expect_err("wrong");
        let messages: Vec<&str> = errors.as_slice().iter().map(|d| &*d.message).collect();
        assert_eq!(messages.len(), 3, "{messages:?}");
        assert!(messages[0].contains("follows no `run:` line"));
        assert!(messages[1].contains("does not write files"));
        assert!(messages[2].contains("`--seeds` in `--then`"));
    }
}
