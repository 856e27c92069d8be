//! Our code for functions beside LLVM's.

use super::batch::{Batch, verified};
use super::extract::Function;
use super::native::{Native, Rows};
use super::wrap::{self, For, ROWS};
use crate::chance::Chance;
use crate::float;
use crate::machine::{self, Ask, Job};
use crate::ty::Format;

/// How our code for a function did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// On so many rows, the same as all of LLVM's.
    Same(usize),
    /// Other bytes on a row on which LLVM's codes agree.
    Different(String),
    /// Our code does something that LLVM's does not.
    Faults(String),
    /// We do not compile it.
    Refused(String),
    /// LLVM says nothing: it does not compile it, or its codes agree on no row.
    Open(String),
}

/// A function with its verdict.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// File and name.
    pub origin: String,
    /// The verdict.
    pub verdict: Verdict,
    /// The module of the function alone, where it matters.
    pub text: String,
}

/// Judges functions, in one module.
pub fn judge(
    functions: &[&Function],
    native: &Native,
    ask: Ask,
    seed: u64,
) -> Result<Vec<Outcome>, String> {
    let mut batch = Batch::new(functions.to_vec());
    batch.through("LLVM's reader", For::Gpu, &mut |text| verified(text));
    let data: Vec<(Vec<u8>, Vec<u8>)> = functions
        .iter()
        .enumerate()
        .map(|(i, function)| wrap::rows(function, &mut Chance::new(seed ^ i as u64)))
        .collect();
    // The host first: it shows which rows trap or do not end.
    let mut answers: Vec<Option<Rows>> = vec![None; functions.len()];
    let native_builds = [("-O0", For::Watch), ("-O0", For::Host), ("-O2", For::Host)];
    for (level, to) in native_builds {
        let mut link = |text: &str| native.link(level, text);
        if batch
            .through("llc-22 for the host", to, &mut link)
            .is_none()
        {
            break;
        }
        let live: Vec<usize> = batch.live.iter().copied().collect();
        let plan: Vec<_> = live
            .iter()
            .map(|i| {
                let (read, written) = wrap::sizes(functions[*i]);
                let known = answers[*i].as_ref();
                let (ins, outs) = known
                    .and_then(|rows| ending(functions[*i], &data[*i], rows))
                    .unwrap_or_else(|| data[*i].clone());
                (read, written, ins, outs)
            })
            .collect();
        let ran = native.run(level, ROWS, &plan)?;
        for (i, rows) in live.into_iter().zip(ran) {
            match &mut answers[i] {
                None => answers[i] = Some(rows),
                // The first build only says which rows count.
                Some(before) if to == For::Host && level == "-O0" => {
                    for (a, b) in before.iter_mut().zip(rows) {
                        *a = a.take().and(b);
                    }
                }
                _ => agree(&mut answers[i], rows),
            }
            let rows = answers[i].iter().flatten();
            if rows.flatten().next().is_none() {
                batch.live.remove(&i);
                let said = "every row traps, does not end, or is undefined".to_string();
                batch.out.insert(i, ("the host", said));
            }
        }
    }
    let mut jobs: Vec<Option<Job>> = Vec::new();
    for (i, function) in functions.iter().enumerate() {
        jobs.push(
            answers[i]
                .as_ref()
                .and_then(|rows| job(function, i, &data[i], rows)),
        );
    }
    for level in ["-O0", "-O2"] {
        let mut tool = |text: &str| machine::llc(level, text);
        let Some(ptx) = batch.through("llc-22 for the GPU", For::Gpu, &mut tool) else {
            break;
        };
        let live = batch.live.clone();
        let some: Vec<usize> = live.into_iter().filter(|i| jobs[*i].is_some()).collect();
        let wanted: Vec<Job> = some.iter().filter_map(|i| jobs[*i].clone()).collect();
        // What LLVM's PTX does wrong is not ours to judge; a module that does not check says nothing.
        let ran = match machine::emulate(&ptx, &wanted) {
            Ok(ran) => ran,
            Err(message) => wanted.iter().map(|_| Err(message.clone())).collect(),
        };
        for (i, output) in some.into_iter().zip(ran) {
            match output {
                Ok(bytes) => agree(&mut answers[i], rows_of(functions[i], bytes)),
                Err(message) => {
                    batch.live.remove(&i);
                    batch.out.insert(i, ("llc-22 on the emulator", message));
                }
            }
        }
    }
    let judged = batch.live.clone();
    let mut refused = Batch::new(functions.to_vec());
    refused.live = judged.clone();
    let ptx = refused.through("ours", For::Gpu, &mut |text| {
        let text = verified(text)?;
        machine::ours(ask, &text)
    });
    let some: Vec<usize> = refused
        .live
        .iter()
        .copied()
        .filter(|i| jobs[*i].is_some())
        .collect();
    // Ours may take a few more instructions than LLVM's, which ended.
    let patient = |job: Job| Job {
        limit: job.limit * 4,
        ..job
    };
    let wanted: Vec<Job> = some
        .iter()
        .filter_map(|i| jobs[*i].clone().map(patient))
        .collect();
    let ran = match ptx.map(|ptx| machine::emulate(&ptx, &wanted)) {
        None => Vec::new(),
        Some(Ok(ran)) => ran,
        Some(Err(message)) => wanted.iter().map(|_| Err(message.clone())).collect(),
    };
    let mut outcomes = Vec::new();
    for (i, function) in functions.iter().enumerate() {
        let alone = || {
            let mut one = Batch::new(functions.to_vec());
            one.live = [i].into();
            one.text(For::Gpu)
        };
        let verdict = match (batch.out.get(&i), refused.out.get(&i), &answers[i]) {
            (Some((tool, said)), _, _) => Verdict::Open(format!("{tool}: {said}")),
            (_, Some((_, said)), _) => Verdict::Refused(said.clone()),
            (_, _, Some(rows)) if jobs[i].is_some() && rows.iter().any(Option::is_some) => {
                let at = some.iter().position(|one| *one == i);
                match at.and_then(|at| ran.get(at)) {
                    Some(Ok(bytes)) => compared(function, bytes, rows),
                    Some(Err(message)) => Verdict::Faults(message.clone()),
                    None => Verdict::Open("it was not run".into()),
                }
            }
            _ => Verdict::Open("LLVM's codes agree on no row".into()),
        };
        let text = match verdict {
            Verdict::Same(_) | Verdict::Open(_) => String::new(),
            _ => alone(),
        };
        outcomes.push(Outcome {
            origin: function.origin.clone(),
            verdict,
            text,
        });
    }
    Ok(outcomes)
}

/// Keeps the rows that are alike.
fn agree(answer: &mut Option<Rows>, rows: Rows) {
    match answer {
        None => *answer = Some(rows),
        Some(before) => {
            for (a, b) in before.iter_mut().zip(rows) {
                if *a != b {
                    *a = None;
                }
            }
        }
    }
}

/// Input and memory of rows that end; in the place of others stands one that does.
fn ending(
    function: &Function,
    data: &(Vec<u8>, Vec<u8>),
    rows: &Rows,
) -> Option<(Vec<u8>, Vec<u8>)> {
    let (read, written) = wrap::sizes(function);
    let good = rows.iter().position(Option::is_some)?;
    let (mut input, mut memory) = (Vec::new(), Vec::new());
    for (row, answer) in rows.iter().enumerate() {
        let row = if answer.is_some() { row } else { good };
        input.extend(&data.0[row * read..][..read]);
        memory.extend(&data.1[row * written..][..written]);
    }
    Some((input, memory))
}

/// A launch over the rows that end.
fn job(function: &Function, number: usize, data: &(Vec<u8>, Vec<u8>), rows: &Rows) -> Option<Job> {
    let (input, memory) = ending(function, data, rows)?;
    Some(Job {
        kernel: format!("w_{number}"),
        threads: ROWS as u32,
        input,
        output: memory,
        values: Vec::new(),
        limit: 5_000_000,
    })
}

fn rows_of(function: &Function, bytes: Vec<u8>) -> Rows {
    let (_, written) = wrap::sizes(function);
    bytes
        .chunks(written)
        .map(|row| Some(row.to_vec()))
        .collect()
}

/// Whether rows differ only in the payloads and signs of NaNs in memory, which LLVM leaves open.
fn alike(function: &Function, ours: &[u8], theirs: &[u8]) -> bool {
    let formats = [
        (Format::Half, "half"),
        (Format::BFloat, "bfloat"),
        (Format::Float, "float"),
        (Format::Double, "double"),
    ];
    let is_nan = |format, bytes: &[u8]| {
        let bits = bytes
            .iter()
            .rev()
            .fold(0, |sum, byte| sum << 8 | u128::from(*byte));
        float::is_nan(format, bits)
    };
    let differing = (0..ours.len()).filter(|at| ours[*at] != theirs[*at]);
    differing.into_iter().all(|at| {
        formats.iter().any(|(format, name)| {
            let size = format.width() as usize / 8;
            let start = at / size * size;
            let both = [ours, theirs].map(|row| is_nan(*format, &row[start..start + size]));
            function.body.contains(name) && both == [true, true]
        })
    })
}

fn compared(function: &Function, bytes: &[u8], rows: &Rows) -> Verdict {
    let (_, written) = wrap::sizes(function);
    let mut same = 0;
    for (row, (ours, theirs)) in bytes.chunks(written).zip(rows).enumerate() {
        let Some(theirs) = theirs else {
            continue;
        };
        if ours == theirs || alike(function, ours, theirs) {
            same += 1;
            continue;
        }
        let at = ours
            .iter()
            .zip(theirs)
            .position(|(a, b)| a != b)
            .unwrap_or_default()
            / 8
            * 8;
        let hex = |bytes: &[u8]| -> String {
            bytes[at..]
                .iter()
                .take(8)
                .rev()
                .map(|b| format!("{b:02x}"))
                .collect()
        };
        return Verdict::Different(format!(
            "row {row} offset {at}: {} and not {}",
            hex(ours),
            hex(theirs)
        ));
    }
    Verdict::Same(same)
}
