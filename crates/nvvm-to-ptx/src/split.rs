//! Split compilation: functions in parts, each part on a thread of its own, and the same PTX as without.
//!
//! ```text
//!              ┌─ F0_B0: functions 0, 1 ─► Unit ─┐   symbols, mnemonics, files and labels of lines
//!   nvvm::Module ─ F2_B0: function  2    ─► Unit ─┼─► become those of the whole module ─► items in order
//!              └─ F3_B0: functions 3, 4 ─► Unit ─┘
//! ```
//!
//! Parts read one module that nobody changes, so a function of another part needs neither a copy nor another linkage while
//! a part is compiled: in the PTX of a part it is only a name. Declarations, and with them what is seen from outside, are
//! written once, after all parts are together. What functions number together (local memory, items, files, labels of
//! names) is numbered by the position in the module, or numbered anew in the order of the parts, which is the order of the
//! functions.

use crate::line::Lines;
use crate::unit::Unit;
use crate::{Options, function, header};
use std::fmt;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use warpc_diag::Diagnostics;
use warpc_nvvm::Module;
use warpc_nvvm::module::{GlobalId, GlobalKind};
use warpc_ptx::module::{Item, Statement};

/// The stack of a thread that compiles a part: as large as that of a program's first thread.
const STACK_BYTES: usize = 8 << 20;

/// Functions that are compiled on one thread, one after the other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    /// Their positions among the functions that are defined.
    pub functions: Range<usize>,
}

/// The name of the reference: the first function and the first block. Functions are not cut, so that is block 0.
impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "F{}_B0", self.functions.start)
    }
}

/// The parts that a module is compiled in: at most `count`, of about the same number of instructions. There are fewer if
/// there are fewer functions.
pub fn parts(module: &Module, count: usize) -> Vec<Part> {
    let sizes: Vec<usize> = functions(module).map(|id| size(module, id)).collect();
    cut(&sizes, count)
}

/// Cuts a row of sizes into ranges of about the same sum.
fn cut(sizes: &[usize], count: usize) -> Vec<Part> {
    let count = count.clamp(1, sizes.len().max(1));
    let total: usize = sizes.iter().sum();
    let mut parts = Vec::with_capacity(count);
    let (mut start, mut sum) = (0, 0);
    for (index, size) in sizes.iter().enumerate() {
        sum += size;
        let left = sizes.len() - index - 1;
        let wanted = count - parts.len() - 1;
        let full = sum * count >= total * (parts.len() + 1);
        if wanted > 0 && (full || left <= wanted) {
            parts.push(Part {
                functions: start..index + 1,
            });
            start = index + 1;
        }
    }
    if start < sizes.len() {
        parts.push(Part {
            functions: start..sizes.len(),
        });
    }
    parts
}

/// The functions that are defined, in the order of the module.
fn functions(module: &Module) -> impl Iterator<Item = GlobalId> {
    module.order.iter().copied().filter(|&id| {
        let global = &module.globals[id];
        matches!(global.kind, GlobalKind::Function(_)) && header::is_defined(global)
    })
}

/// The instructions of a function, and one for its head.
fn size(module: &Module, id: GlobalId) -> usize {
    match &module.globals[id].kind {
        GlobalKind::Function(function) => {
            let body = function.body.as_ref();
            body.map_or(0, |body| body.insts.len()) + 1
        }
        _ => 0,
    }
}

/// A function to compile.
#[derive(Clone, Copy)]
pub(crate) struct Job {
    pub id: GlobalId,
    /// Its position in the module, counted from 1.
    pub item: u32,
    /// How many items of PTX come before it.
    pub number: usize,
}

/// What a part became.
struct Compiled {
    ptx: warpc_ptx::Module,
    items: Vec<Vec<Item>>,
    lines: Lines,
    mentioned: Vec<Option<u32>>,
    recorded: Vec<crate::debug::Recorded>,
    wider_scope: Option<u32>,
    diagnostics: Diagnostics,
    numbered_text: bool,
}

/// Compiles functions in parts; for each function its items. `None` if something in them is numbered in a way that
/// cannot be known before: then they are compiled one after the other.
pub(crate) fn compile(unit: &mut Unit, jobs: &[Job]) -> Option<Vec<Vec<Item>>> {
    let sizes: Vec<usize> = jobs.iter().map(|job| size(unit.module, job.id)).collect();
    let parts = cut(&sizes, unit.options.parts);
    if parts.len() < 2 {
        return None;
    }
    let compiled = on_threads(unit.module, &unit.options, jobs, &parts);
    if compiled.iter().any(|part| part.numbered_text) {
        return None;
    }
    let mut items = Vec::with_capacity(jobs.len());
    for part in compiled {
        items.extend(take(unit, part));
    }
    Some(items)
}

/// Compiles all parts, in any order, and gives them in theirs.
fn on_threads(module: &Module, options: &Options, jobs: &[Job], parts: &[Part]) -> Vec<Compiled> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let next = AtomicUsize::new(0);
    let compiled: Vec<Mutex<Option<Compiled>>> = parts.iter().map(|_| Mutex::new(None)).collect();
    let work = || {
        while let Some((part, place)) = {
            let index = next.fetch_add(1, Ordering::Relaxed);
            parts.get(index).zip(compiled.get(index))
        } {
            let made = one(module, options, &jobs[part.functions.clone()]);
            if let Ok(mut place) = place.lock() {
                *place = Some(made);
            }
        }
    };
    std::thread::scope(|scope| {
        let threads = (1..cores.min(parts.len())).map(|_| {
            let thread = std::thread::Builder::new().stack_size(STACK_BYTES);
            thread.spawn_scoped(scope, work)
        });
        // A thread that the system does not give leaves its work to the others.
        let threads: Vec<_> = threads.flatten().collect();
        work();
        for thread in threads {
            if let Err(panic) = thread.join() {
                std::panic::resume_unwind(panic);
            }
        }
    });
    let made = compiled.into_iter().map(|part| part.into_inner().ok()?);
    made.map(|part| part.expect("every part was compiled"))
        .collect()
}

/// Compiles one part.
fn one(module: &Module, options: &Options, jobs: &[Job]) -> Compiled {
    let mut unit = Unit::new(module, options.clone());
    let mut items = Vec::with_capacity(jobs.len());
    for job in jobs {
        unit.item = job.item;
        let made = function::compile(&mut unit, job.id, job.number, &mut |_, _| {});
        items.push(made.unwrap_or_else(|refused| {
            unit.report(refused);
            Vec::new()
        }));
    }
    Compiled {
        items,
        lines: std::mem::take(&mut unit.lines),
        mentioned: unit.take_mentioned(),
        recorded: std::mem::take(&mut unit.recorded),
        wider_scope: unit.wider_scope,
        numbered_text: unit.numbered_text,
        diagnostics: unit.diagnostics,
        ptx: unit.ptx,
    }
}

/// Takes a part into the whole.
fn take(unit: &mut Unit, part: Compiled) -> Vec<Vec<Item>> {
    let mut transfer = unit.transfer(&part.ptx);
    let files = crate::line::take(unit, part.lines, &mut transfer);
    unit.mention(&part.mentioned);
    unit.wider_scope = match (unit.wider_scope, part.wider_scope) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    };
    unit.recorded.extend(part.recorded);
    unit.diagnostics.append(part.diagnostics);
    let mut items = part.items;
    for item in items.iter_mut().flatten() {
        transfer.item(item);
        renumber(item, &files);
    }
    items
}

/// Gives files the numbers that they have in the whole.
fn renumber(item: &mut Item, files: &[u64]) {
    let Item::Function(function) = item else {
        return;
    };
    let number = |file: &mut u64| {
        let known = usize::try_from(*file)
            .ok()
            .and_then(|file| file.checked_sub(1));
        if let Some(&new) = known.and_then(|index| files.get(index)) {
            *file = new;
        }
    };
    let statements = function
        .body
        .iter_mut()
        .flat_map(|body| &mut body.statements);
    for statement in statements {
        if let Statement::Loc(loc) = statement {
            number(&mut loc.file);
            if let Some(inlined) = &mut loc.inlined {
                number(&mut inlined.call.0);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranges(sizes: &[usize], count: usize) -> Vec<Range<usize>> {
        let parts = cut(sizes, count).into_iter();
        parts.map(|part| part.functions).collect()
    }

    #[test]
    fn parts_have_about_the_same_size() {
        assert_eq!(ranges(&[1, 1, 1, 1], 2), [0..2, 2..4]);
        assert_eq!(ranges(&[9, 1, 1, 1], 2), [0..1, 1..4]);
        assert_eq!(ranges(&[1, 1, 1, 9], 2), [0..3, 3..4]);
        assert_eq!(ranges(&[1, 1], 5), [0..1, 1..2]);
        assert_eq!(ranges(&[5], 0).len(), 1);
        assert_eq!(ranges(&[], 3), []);
    }

    /// Whatever the sizes, every function is in one part and there are as many parts as asked for, if there can be.
    #[test]
    fn parts_have_every_function_once() {
        let mut random = 1u64;
        for count in 0..12 {
            for len in 0..20 {
                let sizes: Vec<usize> = (0..len)
                    .map(|_| {
                        random = random.wrapping_mul(6364136223846793005).wrapping_add(1);
                        (random >> 60) as usize + 1
                    })
                    .collect();
                let parts = ranges(&sizes, count);
                let all: Vec<usize> = parts.iter().cloned().flatten().collect();
                assert_eq!(all, (0..len).collect::<Vec<_>>());
                assert_eq!(
                    parts.len(),
                    count.clamp(1, len.max(1)).min(len),
                    "{sizes:?}"
                );
            }
        }
    }

    #[test]
    fn parts_are_named_by_their_first_function() {
        let names: Vec<String> = cut(&[3, 3, 3], 2).iter().map(Part::to_string).collect();
        assert_eq!(names, ["F0_B0", "F2_B0"]);
    }
}
