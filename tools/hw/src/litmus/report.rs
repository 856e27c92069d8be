//! What came of all tests: a table, and a summary that says what was forbidden, seen, and found out.

use super::run::Group;
use super::style::{RANGES, STYLES, Style};
use std::fmt::Write;

/// Outcomes of a test that the table shows.
const SHOWN: usize = 6;

/// What a compiler could get wrong: a style, and what it would then be like. Where the first forbids the weak
/// outcome and the second shows it, a run finds the mistake.
const MISTAKES: [(&str, &str, &str); 11] = [
    (
        "release taken for relaxed",
        "release-acquire",
        "acquire-only",
    ),
    (
        "acquire taken for relaxed",
        "release-acquire",
        "release-only",
    ),
    (
        "release and acquire taken for relaxed",
        "release-acquire",
        "relaxed",
    ),
    ("acq_rel fence dropped", "fence-acq-rel", "relaxed"),
    (
        "acq_rel rmw taken for relaxed",
        "rmw-acq-rel",
        "rmw-relaxed",
    ),
    (
        "seq_cst rmw taken for relaxed",
        "rmw-seq-cst",
        "rmw-relaxed",
    ),
    ("seq_cst fence dropped", "fence-seq-cst", "relaxed"),
    (
        "seq_cst fence taken for acq_rel",
        "fence-seq-cst",
        "fence-acq-rel",
    ),
    (
        "seq_cst taken for release and acquire",
        "seq-cst",
        "release-acquire",
    ),
    (
        "fence of a seq_cst load dropped",
        "seq-cst",
        "seq-cst-stores",
    ),
    (
        "fence of a seq_cst store dropped",
        "seq-cst",
        "seq-cst-loads",
    ),
];

/// A test in the table.
pub struct Row {
    shape: &'static str,
    range: &'static str,
    style: &'static str,
    covers: bool,
    /// Whether its style would forbid the weak outcome if the scope took in all threads.
    strong: bool,
    /// Whether the weak outcome is forbidden.
    pub forbidden: bool,
    /// How often the test was run.
    pub instances: u64,
    /// How often the weak outcome was seen.
    pub weak: u64,
    outcomes: String,
}

impl Row {
    /// The row of a test whose outcomes were seen so often.
    pub fn new(group: &Group, style: &Style, counts: &[(usize, u64)]) -> Row {
        let shape = &group.shape;
        let weak = counts.iter().filter(|(outcome, _)| shape.is_weak(*outcome));
        let mut often = counts.to_vec();
        often.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        let shown: Vec<String> = often
            .iter()
            .take(SHOWN)
            .map(|(outcome, count)| format!("{}: {count}", shape.outcome_text(*outcome)))
            .collect();
        Row {
            shape: shape.name,
            range: group.range.name,
            style: style.name,
            covers: group.range.covers,
            strong: shape.needs <= style.strength,
            forbidden: group.forbids(style),
            instances: counts.iter().map(|(_, count)| count).sum(),
            weak: weak.map(|(_, count)| count).sum(),
            outcomes: shown.join("; "),
        }
    }
}

/// All tests, a line each.
pub fn table(device: &str, rows: &[Row]) -> String {
    let mut out =
        format!("# {device}\nshape\trange\tstyle\tweak outcome is\tinstances\tweak\toutcomes\n");
    for row in rows {
        let _ = writeln!(
            out,
            "{}\t{}\t{}\t{}\t{}\t{}\t{}",
            row.shape,
            row.range,
            row.style,
            if row.forbidden {
                "forbidden"
            } else {
                "allowed"
            },
            row.instances,
            row.weak,
            row.outcomes
        );
    }
    out
}

/// Counts, what was broken, and where weak outcomes were seen.
pub fn summary(device: &str, rows: &[Row], lost: &[String]) -> String {
    let forbidden: Vec<&Row> = rows.iter().filter(|row| row.forbidden).collect();
    let allowed: Vec<&Row> = rows.iter().filter(|row| !row.forbidden).collect();
    let sum = |rows: &[&Row]| rows.iter().map(|row| row.instances).sum::<u64>();
    let fewest = rows.iter().map(|row| row.instances).min().unwrap_or(0);
    let seen = allowed.iter().filter(|row| row.weak > 0).count();
    let mut out = format!(
        "{device}: {} tests, at least {fewest} instances each\n\
         weak outcome forbidden: {} tests, {} instances, {} times seen\n\
         weak outcome allowed: {} tests, {} instances, seen in {seen} of them",
        rows.len(),
        forbidden.len(),
        sum(&forbidden),
        forbidden.iter().map(|row| row.weak).sum::<u64>(),
        allowed.len(),
        sum(&allowed),
    );
    for row in forbidden.iter().filter(|row| row.weak > 0) {
        let _ = write!(
            out,
            "\n  FORBIDDEN: {} {} {}: {} of {}: {}",
            row.shape, row.range, row.style, row.weak, row.instances, row.outcomes
        );
    }
    for text in lost {
        let _ = write!(out, "\n  NOT RUN: {text}");
    }
    mistakes(&mut out, rows);
    out.push_str("\nwhere weak outcomes were seen:");
    for group in rows.chunk_by(|a, b| (a.shape, a.range) == (b.shape, b.range)) {
        let shown: Vec<String> = group
            .iter()
            .filter(|row| !row.forbidden && row.weak > 0)
            .map(|row| format!("{} {}", row.style, row.weak))
            .collect();
        if let Some(first) = group.first()
            && group.iter().any(|row| !row.forbidden)
        {
            let note = match first.covers {
                true => "",
                false => " (scope too narrow)",
            };
            let shown = match shown.is_empty() {
                true => "nothing".into(),
                false => shown.join(", "),
            };
            let _ = write!(out, "\n  {} {}{note}: {shown}", first.shape, first.range);
        }
    }
    out
}

/// Which mistakes of a compiler the run would have found.
fn mistakes(out: &mut String, rows: &[Row]) {
    out.push_str("\nmistakes that this run finds (tests that forbid the weak outcome and would have shown it):");
    let ranges: Vec<&str> = RANGES.iter().filter(|r| r.covers).map(|r| r.name).collect();
    for (name, style, wrong) in MISTAKES {
        let mut found = Vec::new();
        for range in &ranges {
            let at = |style: &str| {
                rows.iter()
                    .filter(move |row| row.range == *range && row.style == style)
                    .collect::<Vec<&Row>>()
            };
            let (right, wrong) = (at(style), at(wrong));
            let pairs = right.iter().zip(&wrong);
            let could = pairs.filter(|(right, wrong)| right.forbidden && !wrong.forbidden);
            let shapes: Vec<(&str, bool)> = could
                .map(|(row, wrong)| (row.shape, wrong.weak > 0))
                .collect();
            found.push(found_text(range, &shapes));
        }
        let _ = write!(out, "\n  {name}: {}", found.join("; "));
    }
    for range in RANGES.iter().filter(|range| !range.covers) {
        for style in &STYLES {
            let rows = rows
                .iter()
                .filter(|row| row.range == range.name && row.style == style.name && row.strong);
            let shapes: Vec<(&str, bool)> = rows.map(|row| (row.shape, row.weak > 0)).collect();
            let text = found_text(range.name, &shapes);
            let _ = write!(out, "\n  scope of {} narrowed to cta: {text}", style.name);
        }
    }
}

/// `gpu 4 of 6 (MP, SB …)`.
fn found_text(range: &str, shapes: &[(&str, bool)]) -> String {
    let found: Vec<&str> = shapes
        .iter()
        .filter(|(_, found)| *found)
        .map(|(shape, _)| *shape)
        .collect();
    let names = match found.is_empty() {
        true => String::new(),
        false => format!(" ({})", found.join(" ")),
    };
    format!("{range} {} of {}{names}", found.len(), shapes.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::litmus::shape::SHAPES;

    fn group(shape: &str) -> Group {
        let shape = SHAPES.iter().find(|s| s.name == shape).expect("a shape");
        Group {
            shape: *shape,
            range: RANGES[2],
        }
    }

    fn style(name: &str) -> &'static Style {
        STYLES
            .iter()
            .find(|style| style.name == name)
            .expect("a style")
    }

    /// Names of mistakes are names of styles, and a forbidden outcome is called one.
    #[test]
    fn a_forbidden_outcome_is_reported() {
        for (_, right, wrong) in MISTAKES {
            assert!(style(right).strength >= style(wrong).strength);
        }
        // Registers 1 and 0: the weak outcome of MP.
        let counts = [(1, 5), (0, 95)];
        let seen = Row::new(&group("MP"), style("release-acquire"), &counts);
        assert!(seen.forbidden && seen.weak == 5 && seen.instances == 100);
        let allowed = Row::new(&group("MP"), style("relaxed"), &counts);
        assert!(!allowed.forbidden);
        let text = summary("a machine", &[seen, allowed], &[]);
        assert!(
            text.contains("FORBIDDEN: MP gpu release-acquire: 5 of 100"),
            "{text}"
        );
        let found =
            "release and acquire taken for relaxed: cta 0 of 0; cluster 0 of 0; gpu 1 of 1 (MP)";
        assert!(text.contains(found), "{text}");
    }

    #[test]
    fn styles_forbid_what_their_strength_says() {
        let forbids = |shape: &str, name: &str| group(shape).forbids(style(name));
        assert!(forbids("MP", "fence-acq-rel") && !forbids("MP", "acquire-only"));
        assert!(!forbids("SB", "release-acquire") && forbids("SB", "rmw-acq-rel"));
        assert!(forbids("CoRR", "relaxed") && forbids("IRIW", "seq-cst"));
    }
}
