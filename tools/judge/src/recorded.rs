//! The machine code that ptxas made of [`crate::raw`], kept so that the judge can be asked without ptxas.
//!
//! ```text
//!   gzip( { chip: u16, bytes of the PTX: u32, PTX, bytes of the cubin: u32, cubin }… )       little-endian
//! ```
//!
//! The PTX is kept, too: what was recorded for other kernels than those of today says nothing about them.

use crate::asked::Target;
use crate::assembler::Assembler;
use crate::damage::Tally;
use crate::machine::flow::{addresses, first_parameter};
use crate::machine::rules::Question;
use crate::raw::{self, Raw};
use crate::rules::Verdict;
use crate::whole;
use warpc_cubin::Cubin;
use warpc_testkit::gzip;

/// The machine code of a chip.
#[derive(Debug)]
pub struct Recorded {
    /// The chip.
    pub target: Target,
    /// The module that it was made of.
    pub ptx: String,
    /// The cubin.
    pub cubin: Vec<u8>,
}

/// Asks ptxas for all chips.
pub fn record(assembler: &Assembler) -> Result<Vec<Recorded>, String> {
    let mut all = Vec::new();
    for target in whole::targets() {
        let ptx = raw::module(&raw::for_chip(target), target);
        let name = format!("raw-sm_{}", target.sm);
        let cubin = assembler.assemble(target.sm, &name, &ptx)?;
        all.push(Recorded { target, ptx, cubin });
    }
    Ok(all)
}

/// As it is kept.
pub fn write(all: &[Recorded]) -> Vec<u8> {
    let mut file = Vec::new();
    for one in all {
        file.extend(one.target.sm.to_le_bytes());
        for part in [one.ptx.as_bytes(), &one.cubin] {
            file.extend((part.len() as u32).to_le_bytes());
            file.extend(part);
        }
    }
    gzip::pack(file)
}

/// What was kept.
pub fn read(bytes: &[u8]) -> Result<Vec<Recorded>, String> {
    let plain = gzip::unpack(bytes).map_err(|e| e.to_string())?;
    let mut rest = plain.as_slice();
    let mut all = Vec::new();
    while !rest.is_empty() {
        let sm = u16::from_le_bytes(take(&mut rest, 2)?.try_into().unwrap_or_default());
        let mut part = || -> Result<Vec<u8>, String> {
            let size = u32::from_le_bytes(take(&mut rest, 4)?.try_into().unwrap_or_default());
            Ok(take(&mut rest, size as usize)?.to_vec())
        };
        let ptx = String::from_utf8(part()?).map_err(|e| e.to_string())?;
        let cubin = part()?;
        let target = Target {
            sm,
            version: None,
            cuda: false,
        };
        all.push(Recorded { target, ptx, cubin });
    }
    Ok(all)
}

fn take<'a>(rest: &mut &'a [u8], size: usize) -> Result<&'a [u8], String> {
    let (first, second) = rest.split_at_checked(size).ok_or("the file is cut off")?;
    *rest = second;
    Ok(first)
}

/// What the judge says of recorded code.
#[derive(Debug, Default)]
pub struct Answers {
    /// How many kernels keep what they are taken for, and the judge says so.
    pub kept: usize,
    /// How many do not, and the judge says so.
    pub weak: usize,
    /// Where it is wrong.
    pub wrong: Vec<String>,
    /// Damage to the code that is exactly right.
    pub damage: Tally,
}

/// Asks the judge.
pub fn ask(all: &[Recorded]) -> Result<Answers, String> {
    let mut answers = Answers::default();
    for one in all {
        let target = one.target;
        let kernels = raw::for_chip(target);
        if raw::module(&kernels, target) != one.ptx {
            return Err(
                "the kernels have changed since ptxas was asked: `./x atomics record`".into(),
            );
        }
        let cubin = Cubin::read(&one.cubin).map_err(|fault| fault.message)?;
        for (number, raw) in kernels.iter().enumerate() {
            let lines = whole::read(&cubin, target, number);
            let verdict = whole::verdict(&lines, &raw.asked, target);
            let is_weak = matches!(verdict, Verdict::Weaker(_));
            let is_unread = matches!(&verdict, Verdict::Weaker(why) if why.contains("judge"));
            match (raw.keeps, is_weak) {
                _ if is_unread => answers.wrong.push(said(raw, target, &verdict)),
                (true, false) => answers.kept += 1,
                (false, true) => answers.weak += 1,
                _ => answers.wrong.push(said(raw, target, &verdict)),
            }
            if let (Verdict::Equal, Ok(lines)) = (&verdict, &lines) {
                let site = raw.asked.site;
                let origins = addresses(lines, first_parameter(target.sm), &site.parameters());
                let question = Question {
                    case: &raw.asked.case,
                    target,
                    memories: site.memories(target),
                };
                let tally = &mut answers.damage;
                let unnoticed = crate::machine::damage::tally(question, lines, &origins, tally);
                answers.wrong.extend(
                    unnoticed.map(|what| format!("{target}: {:?}: not noticed: {what}", raw.ptx)),
                );
            }
        }
    }
    Ok(answers)
}

fn said(raw: &Raw, target: Target, verdict: &Verdict) -> String {
    let case = &raw.asked.case;
    format!(
        "{target}: {:?} taken for {:?} {:?} {:?} at {:?}: {verdict:?}",
        raw.ptx, case.operation, case.order, case.reach, raw.asked.site
    )
}
