//! The mutants written by hand: `tests/corpus/ll_rules/*.ll`.
//!
//! A file is a module that LLVM accepts, followed by edits of it, a line each:
//!
//! ```text
//! ;; RULE || what stands in the module || what shall stand there instead
//! ```
//!
//! The first place where the text stands is changed; `\n` is a line break. An edit whose text is not found is an
//! error, so that none is lost when a module changes.

use super::archive::{Base, Mutant};
use crate::project::{self, Outcome};

/// Reads all files.
pub fn collect(bases: &mut Vec<Base>, mutants: &mut Vec<Mutant>) -> Outcome {
    for path in project::files(&project::root().join("tests/corpus/ll_rules"), "ll") {
        let text = project::read(&path)?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let is_edit = |line: &&str| line.starts_with(";; ");
        let module: String = text.split_inclusive('\n').filter(|l| !is_edit(l)).collect();
        let number = bases.len();
        bases.push(Base::new(number, &format!("ll_rules/{name}"), &module));
        for line in text.lines().filter(is_edit) {
            let (kind, range, replacement) =
                parse(&module, line).map_err(|e| format!("{name}: {e}: {line}"))?;
            mutants.push(Mutant::new(number, kind, range, replacement));
        }
    }
    Ok(())
}

/// An edit: its rule, the bytes of the module, what replaces them.
fn parse<'a>(
    module: &str,
    line: &'a str,
) -> Result<(&'a str, std::ops::Range<usize>, String), &'static str> {
    let mut parts = line.trim_start_matches(";; ").split("||");
    let (Some(rule), Some(find), Some(instead), None) =
        (parts.next(), parts.next(), parts.next(), parts.next())
    else {
        return Err("an edit has three parts");
    };
    // One space belongs to the separator, more to the text.
    let part = |text: &str| {
        let text = text.strip_prefix(' ').unwrap_or(text);
        text.strip_suffix(' ').unwrap_or(text).replace("\\n", "\n")
    };
    let find = part(find);
    let start = module.find(&find).ok_or("its text is not in the module")?;
    Ok((rule.trim(), start..start + find.len(), part(instead)))
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn edits_are_read() {
        let module = "define void @f() {\n  ret void\n}\n";
        let edit = parse(module, ";; x || \\n  ret void ||  ");
        assert_eq!(edit, Ok(("x", 18..29, String::new())));
        assert!(parse(module, ";; x || nothing || y").is_err());
        assert!(parse(module, ";; x || ret").is_err());
    }
}
