//! ptxas's verdict on a corpus file.

use crate::corpus::make::Output;
use crate::corpus::manifest::Row;
use crate::oracle::Tools;
use crate::process;
use crate::project::{self, Outcome};
use std::process::Command;

/// Judges one file, or takes the verdict of an earlier run on the same text.
pub fn judge(tools: &Tools, output: &Output<'_>, known: &[Row]) -> Outcome<Row> {
    let file = project::corpus_dir().join(&output.path);
    let text = project::read(&file)?;
    let hash = format!("{:016x}", project::hash(&[&text]));
    if let Some(row) = known
        .iter()
        .find(|r| r.path == output.path && r.hash == hash && r.verdict != "unknown")
    {
        return Ok(row.clone());
    }
    let mut row = Row {
        path: output.path.clone(),
        tool: output.job.tool.name().to_string(),
        target: target_of(&text).unwrap_or_else(|| format!("sm_{}", output.job.sm)),
        ptxas: "-".into(),
        verdict: "unknown".into(),
        bytes: text.len() as u64,
        hash,
        ..Row::default()
    };
    // Relocatable code names functions that another module defines.
    if output
        .job
        .flags
        .iter()
        .any(|f| f.contains("rdc") || f.contains("relocatable"))
    {
        row.options = "-c".into();
    }
    let Some((version, ptxas)) = tools.ptxas(&row.target) else {
        return Ok(row);
    };
    row.ptxas = version.into();
    // The verdict does not depend on the level, and level 0 is several times faster on large files.
    let mut command = Command::new(ptxas);
    command
        .arg(format!("-arch={}", row.target))
        .args(["-O0", "-o", "/dev/null"]);
    command.args(row.options.split_whitespace()).arg(&file);
    let done = process::capture(&mut command)?;
    row.verdict = if done.ok {
        "accept"
    } else if done.crashed {
        "crash"
    } else {
        "reject"
    }
    .into();
    if !done.ok {
        let first = done
            .output
            .lines()
            .find(|l| l.contains("error") || l.contains("fatal"))
            .unwrap_or(&done.output);
        row.message = first
            .replace(&format!("{}", file.display()), &row.path)
            .replace('\t', " ")
            .trim()
            .to_string();
    }
    Ok(row)
}

/// The chip in a module's `.target` line (Triton turns a plain 90 into `sm_90a` by itself).
pub fn target_of(text: &str) -> Option<String> {
    let line = text
        .lines()
        .find_map(|line| line.trim_start().strip_prefix(".target"))?;
    let chip = line.split(',').next()?.split("//").next()?.trim();
    chip.starts_with("sm_").then(|| chip.to_string())
}
