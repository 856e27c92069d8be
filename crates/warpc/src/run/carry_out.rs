//! Whole requests: launches in order on the same memory, in one schedule or in several.
//!
//! ```text
//!   Request ──carry_out──► Carried: the launches that came to their end, and what stopped the next
//!           ──explore────► Explored: the same of the first schedule; findings of all, each with its seeds
//! ```

use super::{Buffer, Program, Ran, Session};
use crate::{Observer, Options};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicU64, Ordering};
use warpc_diag::{Diagnostic, Diagnostics, Severity, Span, codes};
use warpc_request::{After, Memory, Request, number, show};

/// A launch of a request that came to its end.
#[derive(Clone, Debug)]
pub struct Done {
    /// What it did; its buffers are in `after`.
    pub ran: Ran,
    /// Memory afterwards.
    pub after: After,
}

/// What became of a request.
#[derive(Clone, Debug, Default)]
pub struct Carried {
    /// The launches that came to their end, in order.
    pub done: Vec<Done>,
    /// What was found. Errors that end a launch end the request, so that fewer launches are done than it has; others, such
    /// as races, do not.
    pub found: Diagnostics,
}

/// A finding of one or more schedules.
#[derive(Clone, Debug)]
pub struct SeedFinding {
    /// The finding, as the first of the seeds showed it.
    pub diagnostic: Diagnostic,
    /// The seeds that showed it, in order.
    pub seeds: Vec<u64>,
}

/// What became of a request in several schedules.
#[derive(Clone, Debug)]
pub struct Explored {
    /// The first schedule, without what it found.
    pub first: Carried,
    /// What was found in any, by the first seed that showed it.
    pub found: Vec<SeedFinding>,
}

impl Explored {
    /// Whether any schedule had an error.
    pub fn has_errors(&self) -> bool {
        let errors = |one: &SeedFinding| one.diagnostic.severity == Severity::Error;
        self.found.iter().any(errors)
    }

    /// The findings, each with the seeds that show it in its label.
    pub fn diagnostics(&self, count: u64) -> Diagnostics {
        let mut all = Diagnostics::new();
        for SeedFinding { diagnostic, seeds } in &self.found {
            let shown = match seeds[..] {
                [first, ..] => format!("seed {first} ({} of {count} seeds)", seeds.len()),
                [] => String::new(),
            };
            let label = match &diagnostic.label {
                Some(label) => format!("{shown}: {label}"),
                None => shown,
            };
            // Where seeds differ, the message names them.
            let named = diagnostic.code == codes::SCHEDULES_DIFFER;
            all.push(match named {
                true => diagnostic.clone(),
                false => diagnostic.clone().label(label),
            });
        }
        all
    }
}

impl Program {
    /// Carries out a request, where the options say: each launch finds memory as the one before left it.
    pub fn carry_out(
        &self,
        request: &Request,
        options: &Options,
        observer: &mut dyn Observer,
    ) -> Carried {
        let mut carried = Carried::default();
        let Some(mut session) = self.opened(request, options, &mut carried) else {
            return carried;
        };
        carry_out_in(&mut session, request, observer, carried)
    }

    /// A session with the buffers of a request, which have the addresses of others where it says so.
    pub(super) fn opened(
        &self,
        request: &Request,
        options: &Options,
        carried: &mut Carried,
    ) -> Option<Session<'_>> {
        let buffers = request.buffers.iter().map(|buffer| Buffer {
            name: buffer.words(),
            bytes: buffer.bytes.clone(),
        });
        let buffers: Vec<Buffer> = buffers.collect();
        let opened = self.session(&buffers, options);
        carried.found.append(opened.diagnostics);
        let mut session = opened.value?;
        if request.buffers.iter().any(|one| one.description)
            && let Err(wrong) = session.check_textures()
        {
            carried.found.append(wrong);
            return None;
        }
        let each = request.buffers.iter().enumerate();
        let each = each.flat_map(|(number, one)| one.addresses.iter().map(move |at| (number, at)));
        for (buffer, &(offset, target)) in each {
            if let Err(wrong) = session.point(buffer, offset, target) {
                carried.found.append(wrong);
                return None;
            }
        }
        let each = request.buffers.iter().enumerate();
        let each = each.flat_map(|(number, one)| one.maps.iter().map(move |at| (number, *at)));
        for (buffer, offset) in each {
            if let Err(wrong) = session.tensor_map(buffer, offset) {
                carried.found.append(wrong);
                return None;
            }
        }
        Some(session)
    }

    /// Carries out a request once for each seed, on several threads of the host. What was found is the same for any
    /// number of them.
    pub fn explore(
        &self,
        request: &Request,
        seeds: Range<u64>,
        options: &Options,
        observer: &mut dyn Observer,
    ) -> Explored {
        let with_seed = |seed: u64| {
            let mut options = options.clone();
            options.run.seed = seed;
            // The schedules share the cores, and one worker is the same each time.
            options.run.jobs = 1;
            options
        };
        let mut first = self.carry_out(request, &with_seed(seeds.start), observer);
        let mut found: BTreeMap<u64, Vec<Diagnostic>> = BTreeMap::new();
        found.insert(
            seeds.start,
            std::mem::take(&mut first.found).as_slice().to_vec(),
        );
        let next = AtomicU64::new(seeds.start + 1);
        let all = Mutex::new(found);
        let work = || loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= seeds.end {
                break;
            }
            let mut options = with_seed(seed);
            options.run.record = false;
            let ran = self.carry_out(request, &options, &mut ());
            let mut found: Vec<Diagnostic> = ran.found.as_slice().to_vec();
            let names = [seeds.start, seed].map(|seed| format!("seed {seed}"));
            let again = "`--seed` runs either order again";
            found.extend(differences(
                request,
                (&first, &names[0]),
                (&ran, &names[1]),
                again,
            ));
            all.lock()
                .unwrap_or_else(PoisonError::into_inner)
                .insert(seed, found);
        };
        let workers = match options.run.jobs {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            jobs => jobs,
        };
        let workers = workers.min(usize::try_from(seeds.end - seeds.start).unwrap_or(usize::MAX));
        std::thread::scope(|scope| {
            for _ in 0..workers {
                scope.spawn(work);
            }
        });
        let all = all.into_inner().unwrap_or_else(PoisonError::into_inner);
        Explored {
            first,
            found: union(all),
        }
    }
}

/// Carries out the launches of a request in a session, after what was found when it was opened.
pub(super) fn carry_out_in(
    session: &mut Session<'_>,
    request: &Request,
    observer: &mut dyn Observer,
    mut carried: Carried,
) -> Carried {
    for step in &request.steps {
        let set = step.assigned.iter();
        let set = set.map(|one| match one.address {
            Some(buffer) => session.set_address(&one.variable, buffer),
            None => session.set(&one.variable, &one.bytes),
        });
        if let Err(wrong) = set.collect::<Result<Vec<()>, _>>() {
            carried.found.append(wrong);
            return carried;
        }
        let ran = session.launch_to_end(&step.launch, observer);
        carried.found.append(ran.diagnostics);
        let Some(mut ran) = ran.value else {
            return carried;
        };
        let read = step.variables().into_iter();
        let read = read.map(|name| Ok((name.to_owned(), session.variable(name)?)));
        let variables = match read.collect::<Result<BTreeMap<_, _>, Diagnostics>>() {
            Ok(variables) => variables,
            Err(wrong) => {
                carried.found.append(wrong);
                return carried;
            }
        };
        let buffers = std::mem::take(&mut ran.buffers);
        let after = After { buffers, variables };
        carried.done.push(Done { ran, after });
    }
    carried.found.append(session.left_over());
    carried
}

/// What each finding is known by, whichever thread had it.
pub(super) fn key(one: &Diagnostic) -> (&'static str, Span, String, Option<String>) {
    // The same memory differs in other elements from seed to seed.
    let message = match one.code == codes::SCHEDULES_DIFFER {
        true => one.message.split(':').next().unwrap_or("").to_owned(),
        false => without_addresses(&one.message),
    };
    let file = one.file.as_ref().map(|file| file.name().to_owned());
    (one.code.0, one.span, message, file)
}

/// A message without the numbers that depend on which thread comes first.
fn without_addresses(message: &str) -> String {
    let mut pieces = message.split("0x");
    let mut out = pieces.next().unwrap_or("").to_owned();
    for piece in pieces {
        out.push_str("0x");
        out.push_str(piece.trim_start_matches(|c: char| c.is_ascii_hexdigit()));
    }
    out
}

/// Each finding once, with its seeds, in the order of the first of these.
fn union(all: BTreeMap<u64, Vec<Diagnostic>>) -> Vec<SeedFinding> {
    let mut found: Vec<SeedFinding> = Vec::new();
    for (seed, diagnostics) in all {
        for diagnostic in diagnostics {
            let known = found
                .iter_mut()
                .find(|known| key(&known.diagnostic) == key(&diagnostic));
            match known {
                Some(known) if known.seeds.last() == Some(&seed) => {}
                Some(known) => known.seeds.push(seed),
                None => found.push(SeedFinding {
                    diagnostic,
                    seeds: vec![seed],
                }),
            }
        }
    }
    found
}

/// How the results of two schedules differ, where both came to their end. Each has a name, as `seed 1`; `again` is how to run
/// either once more.
pub(super) fn differences(
    request: &Request,
    (first, name): (&Carried, &str),
    (second, other): (&Carried, &str),
    again: &str,
) -> Vec<Diagnostic> {
    let ended = |one: &Carried| one.done.len() == request.steps.len();
    if !ended(first) || !ended(second) {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut differ = |what: String, how: String| {
        let message = format!("{what} depends on the order in which threads run: {how}");
        let error = Diagnostic::error(codes::SCHEDULES_DIFFER, Span::NOWHERE, message);
        found.push(error.help(format!(
            "look for a race, or for a result that depends on the order of atomics; {again}"
        )));
    };
    for (number, (a, b)) in first.done.iter().zip(&second.done).enumerate() {
        let launch = match request.steps.len() {
            1 => String::new(),
            _ => format!(" after launch {}", number + 1),
        };
        if a.ran.printed != b.ran.printed {
            let how = format!("{name} and {other} print different texts");
            differ(format!("the output{launch}"), how);
        }
        // Memory that differs once differs in later launches, too.
        if number + 1 < first.done.len() {
            continue;
        }
        let buffers = request.buffers.iter().enumerate();
        let buffers = buffers.map(|(at, one)| (Memory::Buffer(at), one.words(), one.ty));
        let shown = request.steps[number].shown.iter();
        let variables = shown.filter(|one| matches!(one.memory, Memory::Variable(_)));
        let variables = variables.map(|one| {
            (
                one.memory.clone(),
                format!("variable `{}`", one.name),
                one.ty,
            )
        });
        for (memory, words, ty) in buffers.chain(variables) {
            let (left, right) = (a.after.bytes(&memory), b.after.bytes(&memory));
            if left == right {
                continue;
            }
            let pairs = show::elements(left, ty).zip(show::elements(right, ty));
            let mut pairs = pairs.enumerate().filter(|(_, (left, right))| left != right);
            let Some((index, (left, right))) = pairs.next() else {
                continue;
            };
            let rest = pairs.count();
            let (left, right) = (number::format(left, ty), number::format(right, ty));
            let more = match rest {
                0 => String::new(),
                1 => ", and another element differs".to_owned(),
                more => format!(", and {more} more elements differ"),
            };
            let how =
                format!("element {index} is {left} with {name} and {right} with {other}{more}");
            differ(words, how);
        }
    }
    found
}

#[cfg(all(test, feature = "sim"))]
mod tests {
    use super::*;
    use crate::Source;

    const HEAD: &str = ".version 8.0\n.target sm_90\n.address_size 64\n";

    fn program(text: &str) -> Program {
        let source = Source::new("k.ptx", format!("{HEAD}{text}")).expect("a short text");
        crate::load(&source, &Options::default()).unwrap()
    }

    fn request(program: &Program, flags: &str) -> Request {
        let words = flags.split_whitespace().map(str::to_owned);
        let options = warpc_request::Options::parse(words).expect("good flags");
        program.request(&options).expect("it fits")
    }

    /// The last warp wins, whichever that is.
    const LAST: &str = ".entry k(.param .u64 out) { .reg .b32 %r<4>; .reg .b64 %rd<2>; ld.param.u64 %rd1, [out]; \
        mov.u32 %r1, %tid.x; shr.u32 %r2, %r1, 5; mov.u32 %r3, %ctaid.x; shl.b32 %r3, %r3, 8; add.u32 %r2, %r2, %r3; \
        st.global.u32 [%rd1+4], %r2; ret; }";

    #[test]
    fn results_of_schedules_are_compared() {
        let program = program(LAST);
        let request = request(&program, "--grid 4 --block 128 --arg u32[2]=0");
        let mut options = Options::default();
        // It races, which is another finding.
        options.run.races = crate::Races::Off;
        let mut told = Vec::new();
        for jobs in [1, 3, 0] {
            options.run.jobs = jobs;
            let explored = program.explore(&request, 0..8, &options, &mut ());
            assert!(explored.has_errors());
            assert_eq!(explored.first.done.len(), 1);
            told.push(explored.diagnostics(8).to_string());
        }
        assert!(
            told[0].contains("argument 0, `out` depends on the order"),
            "{}",
            told[0]
        );
        assert!(
            told[0].contains("element 1 is 768 with seed 0 and"),
            "{}",
            told[0]
        );
        // The same whatever the number of threads.
        assert!(told.iter().all(|one| *one == told[0]), "{told:?}");
        // One schedule has nothing to be compared with.
        let explored = program.explore(&request, 3..4, &options, &mut ());
        assert!(explored.found.is_empty());
    }

    #[test]
    fn findings_have_their_seeds() {
        let text = LAST.replace("[%rd1+4], %r2; ret;", "[%rd1+8], %r2; ret;");
        let program = program(&text);
        let request = request(&program, "--grid 4 --block 128 --arg u32[2]=0");
        let explored = program.explore(&request, 5..9, &Options::default(), &mut ());
        let [one] = &explored.found[..] else {
            panic!("one finding: {:?}", explored.found);
        };
        assert_eq!(one.seeds, [5, 6, 7, 8]);
        let shown = explored.diagnostics(4).to_string();
        assert!(
            shown.contains("seed 5 (4 of 4 seeds): kernel `k`"),
            "{shown}"
        );
    }

    #[test]
    fn addresses_do_not_count() {
        let text = "read of 4 bytes at 0x7f00 of 0x10z";
        assert_eq!(without_addresses(text), "read of 4 bytes at 0x of 0xz");
    }

    /// A buffer that has the address of another one, and a launch that follows it.
    #[test]
    fn launches_find_memory_as_it_was_left() {
        let program = program(
            ".global .u32 total;\n\
            .entry add(.param .u64 list) { .reg .b32 %r<4>; .reg .b64 %rd<4>; ld.param.u64 %rd1, [list]; \
            ld.global.u64 %rd2, [%rd1]; ld.global.u32 %r1, [%rd2]; ld.global.u32 %r2, [total]; \
            add.u32 %r3, %r1, %r2; st.global.u32 [total], %r3; st.global.u32 [%rd2], %r3; ret; }",
        );
        let words = [
            "--grid",
            "1",
            "--block",
            "1",
            "--set",
            "total:=100",
            "--buffer",
            "x:u32=7",
            "--arg",
            "ptr[]=&x",
            "--then",
            "--arg ptr[]=&x --print total --print x",
        ];
        let options = warpc_request::Options::parse(words.map(String::from)).expect("good flags");
        let request = program.request(&options).expect("it fits");
        let carried = program.carry_out(&request, &Options::default(), &mut ());
        assert!(!carried.found.has_errors(), "{}", carried.found);
        let after = &carried.done[1].after;
        assert_eq!(after.variables["total"], 214u32.to_le_bytes());
        assert_eq!(after.buffers[0], 214u32.to_le_bytes());
    }
}
