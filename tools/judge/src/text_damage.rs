//! Mistakes put into the PTX of kernels whose machine code is exactly right: ptxas assembles them, and the judge must
//! notice.
//!
//! These are the mistakes that compilers have made: a fence left out, a scope narrowed, an order dropped, an address
//! of another block's shared memory taken for one of the block's own.

use crate::asked::{Operation, Reach, Target};
use crate::assembler::Assembler;
use crate::damage::Tally;
use crate::door::{Site, Written};
use crate::rules::Verdict;
use crate::whole::{self, Kernel};
use warpc_cubin::Cubin;

/// Damages each kernel of cases that is exactly right, in each way: the counts, and what was not noticed.
pub fn run(
    assembler: &Assembler,
    cases: &[Written],
    target: Target,
) -> Result<(Tally, Vec<String>), String> {
    let right = whole::exactly_right(assembler, cases, target)?;
    let mut damaged: Vec<(&'static str, &Written, Kernel)> = Vec::new();
    for (case, kernel) in &right {
        for (kind, text) in texts(&kernel.text, case, target) {
            let header = kernel.header.clone();
            damaged.push((kind, case, Kernel { header, text }));
        }
    }
    damaged.sort_by(|a, b| a.2.cmp(&b.2));
    let parts: Vec<&[(&'static str, &Written, Kernel)]> = damaged
        .chunk_by(|a, b| a.2.header == b.2.header)
        .flat_map(|part| part.chunks(100))
        .collect();
    let numbered: Vec<_> = parts.into_iter().enumerate().collect();
    let judged = whole::each(&numbered, |(number, part)| {
        let name = format!("damage-sm_{}-{number}", target.sm);
        judge(assembler, part, target, &name)
    });
    let mut tally = Tally::new();
    let mut unnoticed = Vec::new();
    for verdicts in judged {
        for (kind, case, kernel, verdict) in verdicts? {
            let counts = tally.entry(kind).or_default();
            counts.0 += 1;
            match verdict {
                Verdict::Weaker(_) => counts.1 += 1,
                _ => unnoticed.push(format!(
                    "{target}: {kind}: {}: {}",
                    case.lines.trim(),
                    kernel.essence()
                )),
            }
        }
    }
    Ok((tally, unnoticed))
}

type Judged<'a> = (&'static str, &'a Written, &'a Kernel, Verdict);

fn judge<'a>(
    assembler: &Assembler,
    part: &'a [(&'static str, &'a Written, Kernel)],
    target: Target,
    name: &str,
) -> Result<Vec<Judged<'a>>, String> {
    let texts: Vec<&Kernel> = part.iter().map(|(_, _, kernel)| kernel).collect();
    let bytes = assembler.assemble(target.sm, name, &Kernel::module(&texts))?;
    let cubin = Cubin::read(&bytes).map_err(|fault| fault.message)?;
    let one = |(number, (kind, case, kernel)): (usize, &'a (&'static str, &'a Written, Kernel))| {
        let lines = whole::read(&cubin, target, number);
        (*kind, *case, kernel, whole::verdict(&lines, case, target))
    };
    Ok(part.iter().enumerate().map(one).collect())
}

/// The damaged texts of a kernel.
fn texts(kernel: &str, case: &Written, target: Target) -> Vec<(&'static str, String)> {
    let ([success, failure], reach) = case.case.must_keep(target);
    let promised = success.and(failure);
    let mut all = Vec::new();
    let lines: Vec<&str> = kernel.lines().collect();
    // Where the kernel asks which memory it is, some of its accesses are for other memory.
    let asks = kernel.contains("isspacep.");
    let global = matches!(case.site, Site::Global | Site::Parameter) && !asks;
    for (at, line) in lines.iter().enumerate() {
        let mut change = |kind, new: Option<String>| {
            if let Some(new) = new.filter(|new| new != line) {
                let mut lines: Vec<&str> = lines.clone();
                lines[at] = &new;
                all.push((kind, lines.join("\n") + "\n"));
            }
        };
        let words = line.trim();
        // An acquiring fence is the same machine code at all scopes beyond the block, and nothing at that of the block.
        let acquires = words.starts_with("fence.acquire.");
        if words.starts_with("fence.") && !(acquires && reach == Reach::Cta) {
            change("no fence", Some(String::new()));
            if !(acquires && reach == Reach::Sys) {
                change("a narrower fence", narrower(line));
            }
            if promised.sc {
                let weaker = line.replace("fence.sc.", "fence.acq_rel.");
                change("a fence that is not sequentially consistent", Some(weaker));
            }
        }
        let is_update = words.starts_with("atom.") || words.starts_with("red.");
        let is_access = is_update || words.starts_with("ld.") || words.starts_with("st.");
        // At the scope of the block, and in shared memory before there were clusters, an order can cost nothing, so that
        // nothing is missing.
        let costs = reach > Reach::Cta && (target.sm >= 90 || case.site != Site::Shared);
        if is_access && costs {
            let mut relaxed = (*line).to_owned();
            for order in [".acq_rel.", ".acquire.", ".release."] {
                relaxed = relaxed.replace(order, ".relaxed.");
            }
            change("no order", Some(relaxed));
        }
        // Whoever looks before a swap may see anything: the swap says whether it was right. In shared memory the unit
        // beside it does everything, whatever the scope.
        let looks = words.starts_with("ld.") && case.case.operation != Operation::Load;
        if is_access && global && !looks && line.contains(".relaxed.") {
            change("a narrower access", narrower(line));
        }
        if is_update && case.site == Site::Cluster {
            let own = line.replace(".shared::cluster.", ".shared.");
            change("another block's memory as the block's own", Some(own));
        }
    }
    all
}

/// The line with a scope that is one step narrower.
fn narrower(line: &str) -> Option<String> {
    let steps = [(".sys", ".gpu"), (".gpu", ".cta"), (".cluster", ".cta")];
    let (wide, narrow) = steps.into_iter().find(|(wide, _)| {
        let scope = |end: &str| line.contains(&format!("{wide}{end}"));
        scope(".") || scope(";")
    })?;
    Some(line.replacen(wide, narrow, 1))
}
