//! Whether two modules of LLVM IR say the same.

use crate::process;
use crate::project::Outcome;
use std::path::Path;
use std::process::Command;

/// How much has to be done until two modules are equal.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Sameness {
    /// Nothing: the same instructions in the same order.
    Written,
    /// What MLIR's builder works out while it writes, such as sums of constants, is worked out in both.
    Simplified,
    /// They differ.
    None,
}

impl Sameness {
    pub const ALL: [Sameness; 3] = [Sameness::Written, Sameness::Simplified, Sameness::None];

    /// In the record.
    pub fn word(self) -> &'static str {
        match self {
            Sameness::Written => "same",
            Sameness::Simplified => "simplified",
            Sameness::None => "different",
        }
    }

    /// In the report.
    pub fn words(self) -> &'static str {
        match self {
            Sameness::Written => "have the same instructions as mlir-translate's",
            Sameness::Simplified => "have them after constants are worked out in both",
            Sameness::None => "differ",
        }
    }
}

/// Compares two files.
pub fn compare(ours: &Path, theirs: &Path) -> Outcome<Sameness> {
    for (passes, same) in [
        ("strip", Sameness::Written),
        ("function(instsimplify),strip", Sameness::Simplified),
    ] {
        if normal(ours, passes)? == normal(theirs, passes)? {
            return Ok(same);
        }
    }
    Ok(Sameness::None)
}

/// The definitions of a module after some passes, in one spelling. Declarations, attribute groups and metadata are
/// left out: what is declared follows from what is called, and metadata is advice.
fn normal(file: &Path, passes: &str) -> Outcome<Vec<String>> {
    let mut opt = Command::new("opt-22");
    opt.arg("-S").arg(format!("-passes={passes}")).arg(file);
    let out = process::must("opt-22", &mut opt)?;
    let kept = out.lines().filter(|line| {
        let dropped = ["; ", "source_filename", "declare", "attributes", "!"];
        !line.is_empty() && !dropped.iter().any(|start| line.starts_with(start))
    });
    Ok(kept.map(spelled).collect())
}

fn spelled(line: &str) -> String {
    let code = line.split(" ; preds = ").next().unwrap_or(line).trim_end();
    let mut words: Vec<String> = Vec::new();
    let mut in_text = false;
    for (i, piece) in code.split('"').enumerate() {
        in_text = i % 2 == 1;
        words.push(match in_text {
            // Blanks in inline PTX mean nothing.
            true => piece
                .replace("\\09", "")
                .replace("\\0A", "")
                .replace(' ', ""),
            false => piece.to_owned(),
        });
    }
    let mut text = words.join("\"");
    if !in_text {
        // Groups of attributes and metadata are numbered as they come.
        for kind in [
            ", !prof",
            ", !tbaa",
            ", !alias.scope",
            ", !noalias",
            ", !llvm.loop",
        ] {
            if let Some(at) = text.find(kind) {
                text.truncate(at);
            }
        }
        let group = text.rfind(" #").filter(|&at| {
            let rest = text[at + 2..].trim_end_matches(" {");
            !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit())
        });
        if let Some(at) = group {
            let open = text.ends_with('{');
            text.truncate(at);
            text.push_str(if open { " {" } else { "" });
        }
    }
    match text.split_once(" = phi ") {
        Some((name, rest)) => {
            // The order in which edges are named means nothing.
            let (ty, edges) = rest.split_at(rest.find('[').unwrap_or(rest.len()));
            let mut edges: Vec<&str> = edges
                .split("], [")
                .map(|edge| edge.trim_matches(['[', ']']))
                .collect();
            edges.sort_unstable();
            format!("{name} = phi {ty}{}", edges.join("; "))
        }
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::spelled;

    #[test]
    fn one_spelling() {
        assert_eq!(
            spelled("  %1 = phi i32 [ 2, %8 ], [ %5, %3 ]"),
            spelled("  %1 = phi i32 [ %5, %3 ], [ 2, %8 ]")
        );
        assert_eq!(spelled("define void @f() #3 {"), "define void @f() {");
        assert_eq!(
            spelled("call void asm \"a  b\", \"r\"()"),
            spelled("call void asm \"a\\09b\", \"r\"()")
        );
        assert_ne!(
            spelled("store i32 1, ptr %2"),
            spelled("store i32 2, ptr %2")
        );
    }
}
