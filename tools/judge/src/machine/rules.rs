//! The rules: what must hold on every way through the machine code of a kernel.
//!
//! The judge fixes where the address points, for each kind of memory that it may point to, and goes every way that
//! such an address can take: `QSPC` and the predicate of `ATOM` have one answer then. It asks on each way:
//!
//! 1. The operation happens once, by an atomic instruction that works in this memory, or by swaps; a plain store
//!    is right in the thread's own memory alone. Accesses of a window have addresses of that window.
//! 2. Each access that does it reaches as far as was asked. Shared memory has no scopes: the unit beside it does
//!    everything.
//! 3. Release: a `MEMBAR` that reaches as far stands between everything earlier and the operation.
//! 4. Sequentially consistent: a `MEMBAR.SC` does.
//! 5. Acquire: what the operation has read arrives (its scoreboard is waited for), and beyond the block a
//!    `CCTL.IVALL` follows, before anything later. At the scope of the block, and for shared memory before there
//!    were clusters, all that is read lies after the same first cache.
//!
//! What ptxas makes of 32-bit integers, which it gets right, is exactly this.

use crate::asked::{Case, Operation, Promises, Reach, Target, Type};
use crate::ir::BEFORE as EARLIER;
use crate::machine::flow::{AFTER, BEFORE, LOCATION, Origin, POINTER, VALUES};
use crate::machine::line::{Act, Kind, Line, Touch, Window};
use crate::machine::{Memory, needed};
use crate::rules::Verdict;
use rustc_hash::FxHashSet;

/// The first chip whose shared memory other blocks can see. Before it, who reads from shared memory has read from
/// the same block, with the same first cache.
const CLUSTERS: u16 = 90;

/// The fences between two things.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Fences {
    /// How far a `MEMBAR` reaches.
    all: Reach,
    /// How far a `MEMBAR.SC` reaches.
    sc: Reach,
    /// Whether the first cache was emptied.
    invalidated: bool,
}

impl Fences {
    const NONE: Fences = Fences {
        all: Reach::Thread,
        sc: Reach::Thread,
        invalidated: false,
    };

    fn membar(&mut self, sc: bool, reach: Reach) {
        self.all = self.all.max(reach);
        if sc {
            self.sc = self.sc.max(reach);
        }
    }
}

/// The last instruction that did the operation, or tried to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Last {
    at: usize,
    /// The fences between it and everything earlier.
    before: Fences,
    /// The scoreboard of its result, until it is waited for.
    board: Option<u8>,
    /// Whether its result is there, or it is known to be done.
    arrived: bool,
    /// The fences since it arrived.
    after: Fences,
}

/// What was seen on a way.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Seen {
    earlier: u8,
    later: bool,
    /// The fences since the last access that stands before.
    fences: Fences,
    last: Option<Last>,
    performed: u8,
    tried: bool,
    /// The predicates, as far as they are known.
    predicates: [Option<bool>; 8],
}

/// What was asked of a kernel, and what it is compiled for.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// The operation.
    pub case: &'a Case,
    /// The chip.
    pub target: Target,
    /// Where its address may point.
    pub memories: &'a [Memory],
}

/// Judges the lines of a kernel; `addresses` says what the address of each was computed from.
pub fn judge(question: Question, lines: &[Line], addresses: &[Origin]) -> Verdict {
    let mut more = None;
    for &memory in question.memories {
        let way = Way::new(question, memory, lines, addresses);
        match way.run() {
            Ok(found) => more = more.or(found),
            Err(why) => return Verdict::Weaker(format!("{}: {why}", memory.words())),
        }
    }
    match more {
        None => Verdict::Equal,
        Some(what) => Verdict::Stronger(what),
    }
}

struct Way<'a> {
    case: &'a Case,
    memory: Memory,
    promises: Promises,
    reach: Reach,
    private: bool,
    /// Whether who acquires must empty the first cache.
    invalidates: bool,
    lines: &'a [Line],
    addresses: &'a [Origin],
}

/// What an access does for the operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Part {
    Looks,
    Tries,
    Performs,
    /// Memory does not do it, and says so in a predicate.
    Nothing,
}

impl<'a> Way<'a> {
    fn new(
        question: Question<'a>,
        memory: Memory,
        lines: &'a [Line],
        addresses: &'a [Origin],
    ) -> Way<'a> {
        let ([success, failure], reach) = question.case.must_keep(question.target);
        let private = memory == Memory::Local || reach == Reach::Thread;
        let mut promises = success.and(failure);
        match question.case.operation {
            Operation::Load => promises.release = false,
            Operation::Store => promises.acquire = false,
            _ => {}
        }
        Way {
            case: question.case,
            memory,
            promises: match private {
                true => Promises::default(),
                false => promises,
            },
            reach: needed(reach),
            private,
            invalidates: needed(reach) > Reach::Cta
                && (memory != Memory::Own || question.target.sm >= CLUSTERS),
            lines,
            addresses,
        }
    }

    fn run(&self) -> Result<Option<&'static str>, String> {
        let start = Seen {
            earlier: 0,
            later: false,
            fences: Fences::NONE,
            last: None,
            performed: 0,
            tried: false,
            predicates: [None; 8],
        };
        let mut been = FxHashSet::default();
        let mut ways = vec![(0, start)];
        let mut more = None;
        let mut ends = 0;
        while let Some((at, mut seen)) = ways.pop() {
            if !been.insert((at, seen)) {
                continue;
            }
            let line = self.lines.get(at).ok_or("it runs off its end")?;
            self.wait(line, &mut seen);
            for (runs, mut seen) in decide(line, seen) {
                if !runs {
                    ways.push((at + 1, seen));
                    continue;
                }
                match &line.act {
                    Act::Exit => {
                        ends += 1;
                        more = more.or(self.end(&seen)?);
                    }
                    Act::Jump(to) => ways.push((*to, seen)),
                    _ => {
                        self.act(at, line, &mut seen)?;
                        ways.push((at + 1, seen));
                    }
                }
            }
        }
        match ends {
            0 => Err("it has no end".into()),
            _ => Ok(more),
        }
    }

    /// A line waits before it does anything, whoever runs it.
    fn wait(&self, line: &Line, seen: &mut Seen) {
        if let Some(last) = &mut seen.last
            && let Some(board) = last.board
            && line.wait >> board & 1 == 1
        {
            last.board = None;
            last.arrived = true;
        }
    }

    fn act(&self, at: usize, line: &Line, seen: &mut Seen) -> Result<(), String> {
        // Whatever it writes is not known any more.
        let mut answers = None;
        match &line.act {
            Act::Membar { sc, reach } => {
                seen.fences.membar(*sc, *reach);
                if let Some(last) = &mut seen.last {
                    // It waits for what stands before it.
                    last.arrived |= *reach >= self.reach;
                    last.after.membar(*sc, *reach);
                }
            }
            Act::Invalidate => {
                seen.fences.invalidated = true;
                if let Some(last) = &mut seen.last {
                    last.after.invalidated |= last.arrived;
                }
            }
            Act::Query { letter, to, .. } => {
                let is_location = self.addresses[at] & LOCATION != 0;
                let answer = self.memory.is_in_window(letter).filter(|_| is_location);
                answers = Some((*to, answer));
            }
            Act::Logic { to, from, table } => {
                let value = |(number, not): (u8, bool)| match number {
                    7 => Some(!not),
                    _ => seen.predicates[usize::from(number)].map(|value| value != not),
                };
                let index = from.iter().try_fold(0, |index, &source| {
                    Some(index * 2 + u8::from(value(source)?))
                });
                answers = Some((*to, index.map(|index| table >> index & 1 == 1)));
            }
            Act::Touch(touch) => answers = self.touch(at, line, touch, seen)?,
            Act::Unknown => return Err(format!("`{}` is not known", line.name)),
            Act::Jump(_) | Act::Exit | Act::Other => {}
        }
        for access in line.accesses.iter().filter(|access| access.is_write()) {
            if access.file == warpc_sass::latency::effects::File::Predicate {
                for number in access.numbers() {
                    seen.predicates[usize::from(number & 7)] = None;
                }
            }
        }
        if let Some((to, answer)) = answers {
            seen.predicates[usize::from(to & 7)] = answer;
        }
        Ok(())
    }

    /// An access; the predicate that says whether it was done.
    fn touch(
        &self,
        at: usize,
        line: &Line,
        touch: &Touch,
        seen: &mut Seen,
    ) -> Result<Option<(u8, Option<bool>)>, String> {
        let origin = self.addresses[at];
        if origin & LOCATION != 0 {
            if origin & (BEFORE | AFTER) != 0 {
                return Err(format!("`{}`: the judge cannot tell its place", line.name));
            }
            return self.location(at, line, touch, seen);
        }
        if origin == AFTER {
            self.acquired(seen)?;
            seen.later = true;
        } else if origin & (BEFORE | POINTER | VALUES) != 0 && origin & AFTER == 0 {
            if seen.last.is_some() && self.promises.release {
                return Err("an earlier access comes after the operation".into());
            }
            if origin == BEFORE {
                seen.earlier = seen.earlier.saturating_add(1);
            }
            seen.fences = Fences::NONE;
        } else if origin != 0 {
            return Err(format!("`{}`: the judge cannot tell its place", line.name));
        }
        Ok(None)
    }

    fn location(
        &self,
        at: usize,
        line: &Line,
        touch: &Touch,
        seen: &mut Seen,
    ) -> Result<Option<(u8, Option<bool>)>, String> {
        let fits = match touch.window {
            Window::Generic => true,
            Window::Global => self.memory == Memory::Global,
            Window::Shared => self.memory == Memory::Own,
            Window::Local => self.memory == Memory::Local,
        };
        if !fits {
            return Err(format!("`{}` has no such addresses", touch.name));
        }
        if seen.later && self.promises.acquire {
            return Err("a later access comes before the operation".into());
        }
        let part = self.part(touch)?;
        let answer = touch.done.map(|to| (to, Some(part != Part::Nothing)));
        if matches!(part, Part::Looks | Part::Nothing) {
            return Ok(answer);
        }
        self.reaches(touch)?;
        match part {
            Part::Tries => seen.tried = true,
            _ => seen.performed = (seen.performed + 1).min(2),
        }
        seen.last = Some(Last {
            at,
            before: seen.fences,
            board: line.board,
            arrived: false,
            after: Fences::NONE,
        });
        Ok(answer)
    }

    /// What an access does for the operation.
    fn part(&self, touch: &Touch) -> Result<Part, String> {
        let bits = self.case.ty.bits();
        let width = |wanted: u32| match touch.bits == wanted {
            true => Ok(()),
            false => Err(format!("{} bits instead of {wanted}", touch.bits)),
        };
        match (self.case.operation, touch.kind) {
            (Operation::Load, Kind::Load) | (Operation::Store, Kind::Store) => {
                width(bits)?;
                Ok(Part::Performs)
            }
            // A minimum that finds nothing to change may end there: nobody can tell.
            (Operation::Rmw("max" | "min" | "umax" | "umin"), Kind::Load)
                if touch.window == Window::Shared =>
            {
                Ok(Part::Tries)
            }
            (Operation::Rmw(_) | Operation::Swap { .. }, Kind::Load) => Ok(Part::Looks),
            (Operation::Rmw(_) | Operation::Swap { .. }, Kind::Store) => match self.memory {
                // Swaps that memory does not do end here, too, and may be tried again.
                Memory::Local => Ok(Part::Tries),
                _ => Err(format!("`{}` is a plain store", touch.name)),
            },
            (Operation::Rmw(_) | Operation::Swap { .. }, Kind::Atom | Kind::Reduction) => {
                if !touch.has("CAST") {
                    width(bits.max(32))?;
                }
                if !does(touch, self.memory) {
                    return match touch.done {
                        Some(_) => Ok(Part::Nothing),
                        None => Err(format!("`{}` does nothing there", touch.name)),
                    };
                }
                if touch.has("CAS") || touch.has("CAST") {
                    return Ok(Part::Tries);
                }
                match self.case.operation {
                    Operation::Rmw(word) if is(word, self.case.ty, touch) => Ok(Part::Performs),
                    _ => Err(format!("`{}` is not the operation", touch.name)),
                }
            }
            _ => Err(format!("`{}` was not asked for", touch.name)),
        }
    }

    fn reaches(&self, touch: &Touch) -> Result<(), String> {
        let wanted = match self.memory {
            _ if self.private => return Ok(()),
            Memory::Own | Memory::Local => return Ok(()),
            // The unit beside the memory does it, in whatever scope.
            Memory::Other if touch.has("CAST") => return Ok(()),
            Memory::Other => self.reach.min(Reach::Gpu),
            Memory::Global => self.reach,
        };
        match touch.reach {
            None => Err(format!("`{}` is plain", touch.name)),
            Some(reach) if reach < wanted => Err(format!(
                "`{}` does not reach as far as {wanted:?}",
                touch.name
            )),
            Some(_) => Ok(()),
        }
    }

    /// What must hold before something later.
    fn acquired(&self, seen: &Seen) -> Result<(), String> {
        if self.case.operation == Operation::Fence {
            return self.fenced(seen);
        }
        if !self.promises.acquire {
            return Ok(());
        }
        let Some(last) = seen.last else {
            return Err("a later access comes before the operation".into());
        };
        if !last.arrived {
            return Err("nothing waits for what was read".into());
        }
        if self.invalidates && !last.after.invalidated {
            return Err("no CCTL.IVALL follows".into());
        }
        Ok(())
    }

    fn released(&self, last: &Last) -> Result<(), String> {
        let Promises { release, sc, .. } = self.promises;
        if release && last.before.all < self.reach {
            return Err(match last.before.all {
                Reach::Thread => "no MEMBAR stands before".into(),
                narrow => format!("the MEMBAR before reaches {narrow:?}"),
            });
        }
        if sc && last.before.sc < self.reach {
            return Err("no MEMBAR.SC that reaches far enough stands before".into());
        }
        Ok(())
    }

    fn fenced(&self, seen: &Seen) -> Result<(), String> {
        let Promises {
            acquire,
            release,
            sc,
        } = self.promises;
        let found = seen.fences;
        if release && found.all < self.reach {
            return Err(format!("the MEMBAR reaches {:?}", found.all));
        }
        if sc && found.sc < self.reach {
            return Err(format!("the MEMBAR.SC reaches {:?}", found.sc));
        }
        if acquire && self.invalidates && !found.invalidated {
            return Err("no CCTL.IVALL".into());
        }
        Ok(())
    }

    /// The end of a way; what is more than needed.
    fn end(&self, seen: &Seen) -> Result<Option<&'static str>, String> {
        if seen.earlier < EARLIER || !seen.later {
            return Err("accesses around the operation are missing".into());
        }
        let Promises {
            acquire,
            release,
            sc,
        } = self.promises;
        let reach = self.reach;
        let (before, after, access) = if self.case.operation == Operation::Fence {
            self.fenced(seen)?;
            (seen.fences, Fences::NONE, None)
        } else {
            let last = seen.last.ok_or("the operation is missing")?;
            match (seen.performed, seen.tried) {
                (1, false) | (0, true) => {}
                (0, false) => return Err("the operation may not happen".into()),
                _ => return Err("the operation may happen twice".into()),
            }
            self.acquired(seen)?;
            self.released(&last)?;
            let access = match &self.lines[last.at].act {
                Act::Touch(touch) => touch.reach,
                _ => None,
            };
            (last.before, last.after, access)
        };
        // Nobody else can see it: what is done for other memory is not too much.
        if self.private {
            return Ok(None);
        }
        let is_fence = self.case.operation == Operation::Fence;
        let wide = |found: Reach, asked: bool| match asked {
            true => found > reach.max(Reach::Cta),
            false => found > Reach::Thread,
        };
        let invalidated = after.invalidated || is_fence && before.invalidated;
        Ok([
            (
                access.is_some_and(|access| access > reach.max(Reach::Cta)),
                "it reaches farther",
            ),
            (
                wide(before.all, release || sc),
                "there is more of a MEMBAR before",
            ),
            (wide(before.sc, sc), "a MEMBAR.SC before for a MEMBAR.ALL"),
            (wide(after.all, false), "there is a MEMBAR after"),
            (
                invalidated && !(acquire && self.invalidates),
                "there is a CCTL.IVALL",
            ),
        ]
        .into_iter()
        .find_map(|(is_more, what)| is_more.then_some(what)))
    }
}

/// Who runs a line: with what is known of the predicates then.
fn decide(line: &Line, seen: Seen) -> Vec<(bool, Seen)> {
    let Some((predicate, not)) = line.guard else {
        return vec![(true, seen)];
    };
    let Some(predicate) = predicate.map(usize::from) else {
        return vec![(true, seen), (false, seen)];
    };
    match seen.predicates[predicate] {
        Some(value) => vec![(value != not, seen)],
        // One way for each, and it stays so.
        None => [true, false]
            .map(|value| {
                let mut seen = seen;
                seen.predicates[predicate] = Some(value);
                (value != not, seen)
            })
            .to_vec(),
    }
}

/// Whether memory of a kind does an atomic operation; if not, its predicate says so.
///
/// Shared memory does 32-bit integers, exchanges and swaps; that of another block also sums of 64 bits (H200,
/// `tests/hardware/atomics.tsv.gz`: the others lose updates where ptxas has no loop for them). The thread's own
/// memory does what has no such predicate.
fn does(touch: &Touch, memory: Memory) -> bool {
    let swaps = touch.has("EXCH") || touch.has("CAS") || touch.has("CAST");
    let number = touch.name.split('.').any(|word| {
        word.starts_with("F16")
            || word.starts_with("BF16")
            || word.starts_with("F32")
            || word == "F64"
    });
    match memory {
        Memory::Global => true,
        Memory::Local => touch.done.is_none(),
        Memory::Own if touch.window == Window::Shared => true,
        Memory::Own => swaps || touch.bits == 32 && !number,
        Memory::Other => swaps || !number && (touch.bits == 32 || touch.has("ADD")),
    }
}

/// Whether an instruction does an operation of `atomicrmw`.
fn is(word: &str, ty: Type, touch: &Touch) -> bool {
    let has = |word: &str| touch.has(word);
    let signed = has("S32") || has("S64");
    let number = |ty: Type| match ty {
        Type::Float => has("F32") || has("F32x2") || has("F32x4"),
        Type::Double => has("F64"),
        Type::Half | Type::Half2 => has("F16x2"),
        Type::BFloat | Type::BFloat2 => has("BF16x2") || has("BF16_V2"),
        _ => !["F32", "F64", "F16x2", "BF16x2", "BF16_V2"]
            .into_iter()
            .any(has),
    };
    match word {
        "xchg" => has("EXCH"),
        "add" | "sub" | "fadd" | "fsub" => has("ADD") && number(ty),
        "and" => has("AND"),
        "or" => has("OR"),
        "xor" => has("XOR"),
        "max" => has("MAX") && signed,
        "min" => has("MIN") && signed,
        "umax" => has("MAX") && !signed,
        "umin" => has("MIN") && !signed,
        "uinc_wrap" => has("INC"),
        "udec_wrap" => has("DEC"),
        _ => false,
    }
}
