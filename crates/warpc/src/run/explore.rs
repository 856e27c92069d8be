//! All schedules of a request, up to a bound: what is found in any, and whether that is all there is.
//!
//! ```text
//!   Request ──explore_all──► runs in batches, on several threads of the host ──► Searched: findings with their schedules
//!           ──follow───────► Carried: one schedule once more
//! ```

use super::Program;
use super::carry_out::{Carried, carry_out_in, differences, key};
use crate::{Observer, Options};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use warpc_diag::{Diagnostic, Diagnostics, Severity, Span, codes};
use warpc_request::Request;
use warpc_sim::explore::{End, Guide, Schedule, Search, Task, Trace};

/// A finding of one or more schedules.
#[derive(Clone, Debug)]
pub struct ScheduleFinding {
    /// The finding, as the first of the schedules showed it.
    pub diagnostic: Diagnostic,
    /// That schedule.
    pub schedule: Schedule,
    /// How many runs showed it.
    pub runs: u64,
}

/// What became of a request in its schedules.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Searched {
    /// The first schedule in which all launches came to their end, or else the first of all, without what it found.
    pub first: Carried,
    /// What was found in any.
    pub found: Vec<ScheduleFinding>,
    /// Schedules that differ in something that can be seen, and were run to their end.
    pub schedules: u64,
    /// Runs that were made: those of the schedules, and those that turned out to be part of another.
    pub runs: u64,
    /// Choices that are known and were not tried; each leads to one schedule or more.
    pub left: u64,
    /// Whether a run took more instructions than it may, which ends the search.
    pub is_limited: bool,
    /// Whether nothing was run, because the request is refused.
    pub is_refused: bool,
}

impl Searched {
    /// Whether all schedules were run: what was not found does not happen.
    pub fn is_all(&self) -> bool {
        self.left == 0 && !self.is_limited && !self.is_refused
    }

    /// Whether any schedule had an error.
    pub fn has_errors(&self) -> bool {
        let errors = |one: &ScheduleFinding| one.diagnostic.severity == Severity::Error;
        self.found.iter().any(errors)
    }

    /// The findings, each with the schedule that shows it.
    pub fn diagnostics(&self) -> Diagnostics {
        let mut all = Diagnostics::new();
        for one in &self.found {
            let diagnostic = one.diagnostic.clone();
            // Where schedules differ, the message names them; where nothing was run, there are none.
            let is_named = [codes::SCHEDULES_DIFFER, codes::BAD_SPEC].contains(&diagnostic.code)
                || self.is_refused;
            let shown = format!(
                "`--schedule {}` ({} of {} runs)",
                one.schedule, one.runs, self.runs
            );
            let label = match &diagnostic.label {
                Some(label) => format!("{shown}: {label}"),
                None => shown,
            };
            all.push(match is_named {
                true => diagnostic,
                false => diagnostic.label(label),
            });
        }
        all
    }

    /// What was proved, in words: `24 schedules, all`.
    pub fn words(&self, most: u64) -> String {
        let plural = if self.schedules == 1 { "" } else { "s" };
        let schedules = format!("{} schedule{plural}", self.schedules);
        if self.is_refused {
            return "no schedule was run".to_owned();
        }
        if self.is_limited {
            return format!(
                "{schedules}, not all: a run took more instructions than `--limit` allows"
            );
        }
        match self.left {
            0 => format!("{schedules}, all"),
            1 => format!(
                "{schedules}: the bound of {most} runs was reached, at least 1 more is unexplored"
            ),
            left => format!(
                "{schedules}: the bound of {most} runs was reached, at least {left} more are unexplored"
            ),
        }
    }
}

/// Runs that are made between two looks at what else there is to run. It is the same for any number of workers, so that the same
/// runs are made.
const BATCH: usize = 16;

/// What one run did.
struct One {
    carried: Carried,
    trace: Trace,
}

/// What is said of a way to run either schedule once more.
const AGAIN: &str = "`--schedule` runs either once more";

impl Program {
    /// Carries out a request in all schedules that differ in something that can be seen, at most in `most` runs, on several threads
    /// of the host. What is found is the same for any number of them. Of launches on the emulator of PTX.
    pub fn explore_all(&self, request: &Request, most: u64, options: &Options) -> Searched {
        let mut search = Search::default();
        let mut searched = Searched {
            first: Carried::default(),
            found: Vec::new(),
            schedules: 0,
            runs: 0,
            left: 0,
            is_limited: false,
            is_refused: false,
        };
        // The first schedule that came to its end, by its text.
        let mut first: Option<String> = None;
        while !searched.is_limited && searched.runs < most {
            let room = usize::try_from(most - searched.runs).unwrap_or(usize::MAX);
            let tasks = search.batch(BATCH.min(room));
            if tasks.is_empty() {
                break;
            }
            let ran = self.batch(request, &tasks, options);
            for (task, one) in tasks.into_iter().zip(ran) {
                searched.runs += 1;
                let One { mut carried, trace } = one;
                match trace.end() {
                    End::Whole => searched.schedules += 1,
                    End::Limit => searched.is_limited = true,
                    End::Waiting | End::Redundant | End::Unfit(_) => {}
                }
                let schedule = trace.schedule();
                let is_done = carried.done.len() == request.steps.len();
                let mut found: Vec<Diagnostic> = carried.found.as_slice().to_vec();
                if let (Some(name), true) = (&first, is_done) {
                    let other = format!("schedule `{schedule}`");
                    let first = (&searched.first, &**name);
                    found.extend(differences(request, first, (&carried, &other), AGAIN));
                }
                searched.runs_found(found, &schedule);
                if searched.runs == 1 && !trace.has_begun() && carried.found.has_errors() {
                    (searched.is_refused, searched.schedules) = (true, 0);
                }
                carried.found = Diagnostics::new();
                if is_done && first.is_none() {
                    first = Some(format!("schedule `{schedule}`"));
                    searched.first = carried;
                } else if searched.runs == 1 {
                    searched.first = carried;
                }
                search.finish(task, &trace);
            }
        }
        searched.left = search.left();
        if searched.first.done.len() < request.steps.len() && !searched.has_errors() {
            let message = format!("no schedule came to its end within {most} runs");
            let error = Diagnostic::error(codes::BAD_SPEC, Span::NOWHERE, message);
            let help = "give `--explore` a greater number, or launch fewer threads: no result was looked at";
            searched.found.push(ScheduleFinding {
                diagnostic: error.help(help),
                schedule: Schedule::default(),
                runs: 0,
            });
        }
        searched
    }

    /// Carries out a request in one schedule.
    pub fn follow(
        &self,
        request: &Request,
        schedule: &Schedule,
        options: &Options,
        observer: &mut dyn Observer,
    ) -> Carried {
        let One { mut carried, trace } =
            self.guided(request, Guide::new(schedule.clone()), options, observer);
        let last = schedule.choices.keys().next_back().copied();
        let unfit = match trace.end() {
            End::Unfit(event) => Some(event),
            // A choice after the end has no effect, so it is not a schedule of this request.
            _ => last.filter(|last| !carried.found.has_errors() && *last >= trace.len() as u64),
        };
        if let Some(event) = unfit {
            let actor = schedule.choices.get(&event);
            let actor = actor.map_or_else(String::new, ToString::to_string);
            let message = format!(
                "the schedule is not one of this launch: `{actor}` cannot come next at event {event}"
            );
            let error = Diagnostic::error(codes::BAD_SPEC, Span::NOWHERE, message);
            let help = "give the flags and the input with which `--explore` showed the schedule";
            carried.found.push(error.help(help));
        }
        if trace.end() == End::Waiting {
            let message = "the schedule ends in a waiting loop that could go on";
            let warning = Diagnostic::warning(codes::LIVELOCK, Span::NOWHERE, message);
            carried.found.push(warning);
        }
        carried
    }

    /// Makes runs, each once, in any order.
    fn batch(&self, request: &Request, tasks: &[Task], options: &Options) -> Vec<One> {
        let workers = match options.run.jobs {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            jobs => jobs,
        };
        let workers = workers.min(tasks.len());
        let make = |task: &Task| self.guided(request, task.guide(), options, &mut ());
        if workers < 2 {
            return tasks.iter().map(make).collect();
        }
        let next = AtomicUsize::new(0);
        let done: Mutex<Vec<(usize, One)>> = Mutex::default();
        std::thread::scope(|scope| {
            for _ in 0..workers {
                scope.spawn(|| {
                    while let number = next.fetch_add(1, Ordering::Relaxed)
                        && let Some(task) = tasks.get(number)
                    {
                        let one = make(task);
                        let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
                        done.push((number, one));
                    }
                });
            }
        });
        let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
        done.sort_by_key(|(number, _)| *number);
        done.into_iter().map(|(_, one)| one).collect()
    }

    fn guided(
        &self,
        request: &Request,
        guide: Guide,
        options: &Options,
        observer: &mut dyn Observer,
    ) -> One {
        let mut options = options.clone();
        options.run.record = false;
        options.run.jobs = 1;
        let mut carried = Carried::default();
        let none = |carried| One {
            carried,
            trace: Trace::default(),
        };
        let Some(mut session) = self.opened(request, &options, &mut carried) else {
            return none(carried);
        };
        if let Err(refused) = session.follow(guide) {
            carried.found.append(refused);
            return none(carried);
        }
        let carried = carry_out_in(&mut session, request, observer, carried);
        let trace = session
            .followed()
            .map(Guide::into_trace)
            .unwrap_or_default();
        One { carried, trace }
    }
}

impl Searched {
    /// A run has found this.
    fn runs_found(&mut self, found: Vec<Diagnostic>, schedule: &Schedule) {
        let mut own = Vec::new();
        for diagnostic in found {
            let known = self.found.iter();
            let known = known.map(|known| key(&known.diagnostic));
            let at = known
                .into_iter()
                .position(|known| known == key(&diagnostic));
            let at = at.unwrap_or_else(|| {
                self.found.push(ScheduleFinding {
                    diagnostic,
                    schedule: schedule.clone(),
                    runs: 0,
                });
                self.found.len() - 1
            });
            if !own.contains(&at) {
                own.push(at);
                self.found[at].runs += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Source;

    /// Adds one to a word, which may get lost; and copies a word to another.
    const TEXT: &str = ".version 8.0\n.target sm_90\n.address_size 64\n\
        .visible .entry add(.param .u64 data) { .reg .b32 %r<3>; .reg .b64 %rd<2>; ld.param.u64 %rd1, [data];\n\
        ld.relaxed.gpu.global.u32 %r1, [%rd1];\nadd.u32 %r1, %r1, 1;\nst.relaxed.gpu.global.u32 [%rd1], %r1;\nret; }\n\
        .visible .entry keep(.param .u64 data) { .reg .b32 %r<3>; .reg .b64 %rd<2>; ld.param.u64 %rd1, [data];\n\
        ld.global.u32 %r1, [%rd1];\nst.global.u32 [%rd1+4], %r1;\nret; }\n";

    fn searched(flags: &[&str], most: u64, jobs: usize) -> (Program, Request, Searched) {
        let source = Source::new("k.ptx", TEXT).expect("a short text");
        let program = crate::load(&source, &Options::default()).unwrap();
        let words = flags.iter().map(|word| (*word).to_owned());
        let options = warpc_request::Options::parse(words).expect("good flags");
        let request = program.request(&options).expect("it fits");
        let mut options = Options::default();
        options.run.jobs = jobs;
        let searched = program.explore_all(&request, most, &options);
        (program, request, searched)
    }

    /// What a sequence leaves depends on the schedule of its first launch.
    #[test]
    fn sequences_are_explored_as_a_whole() {
        let flags = [
            "--kernel",
            "add",
            "--grid",
            "2",
            "--block",
            "1",
            "--buffer",
            "x:u32[2]=0",
            "--arg",
            "&x",
            "--then",
            "--kernel keep --grid 1 --arg &x",
        ];
        let mut told = Vec::new();
        for jobs in [1, 2, 5] {
            let (program, request, searched) = searched(&flags, 1000, jobs);
            assert!(searched.is_all() && searched.has_errors());
            assert_eq!(searched.first.done.len(), 2);
            let [one] = &searched.found[..] else {
                panic!("one finding: {:?}", searched.found);
            };
            assert!(
                one.diagnostic
                    .message
                    .contains("element 0 is 1 with schedule `usual` and 2 with")
            );
            let carried = program.follow(&request, &one.schedule, &Options::default(), &mut ());
            assert_eq!(carried.done[1].after.buffers[0], [2, 0, 0, 0, 2, 0, 0, 0]);
            told.push((
                searched.diagnostics().to_string(),
                searched.words(1000),
                searched.runs,
            ));
        }
        assert!(told.iter().all(|one| *one == told[0]), "{told:?}");
        assert!(told[0].1.ends_with("schedules, all"), "{}", told[0].1);
    }

    #[test]
    fn a_bound_is_told() {
        let flags = [
            "--kernel", "add", "--grid", "4", "--block", "1", "--arg", "u32[2]=0",
        ];
        let (.., few) = searched(&flags, 20, 0);
        assert!(!few.is_all() && few.left > 0 && few.runs == 20);
        let words = few.words(20);
        assert!(
            words.contains("the bound of 20 runs was reached, at least"),
            "{words}"
        );
        let (.., all) = searched(&flags, 100_000, 0);
        assert!(all.is_all() && all.left == 0, "{}", all.words(100_000));
    }

    /// The first run waits for a lock that another thread holds, and is no schedule of its own.
    #[test]
    fn without_a_schedule_nothing_is_right() {
        let text = ".version 8.0\n.target sm_90\n.address_size 64\n\
            .visible .entry k(.param .u64 data) { .reg .b32 %r<3>; .reg .b64 %rd<2>; .reg .pred %p<2>;\n\
            ld.param.u64 %rd1, [data];\nL: atom.relaxed.gpu.global.cas.b32 %r1, [%rd1], 0, 1;\n\
            setp.ne.u32 %p1, %r1, 0;\n@%p1 bra L;\nst.relaxed.gpu.global.u32 [%rd1], 0;\nret; }\n";
        let source = Source::new("k.ptx", text).expect("a short text");
        let program = crate::load(&source, &Options::default()).unwrap();
        let words = ["--grid", "4", "--block", "1", "--arg", "u32[1]=0"].map(String::from);
        let options = warpc_request::Options::parse(words).expect("good flags");
        let request = program.request(&options).expect("it fits");
        let few = program.explore_all(&request, 1, &Options::default());
        assert!(few.schedules == 0 && few.has_errors() && !few.is_all());
        let said = few.diagnostics().to_string();
        assert!(
            said.contains("no schedule came to its end within 1 runs"),
            "{said}"
        );
        let all = program.explore_all(&request, 10_000, &Options::default());
        assert!(
            all.is_all() && !all.has_errors() && all.schedules == 24,
            "{}",
            all.words(1)
        );
    }

    #[test]
    fn large_launches_are_refused() {
        let (program, request, searched) = searched(
            &[
                "--kernel", "add", "--grid", "2000", "--block", "1", "--arg", "u32[2]=0",
            ],
            9,
            1,
        );
        assert!(searched.is_refused && !searched.is_all());
        assert_eq!(searched.words(9), "no schedule was run");
        assert_eq!(searched.found[0].diagnostic.code, codes::NOT_EMULATED);
        let carried = program.follow(&request, &Schedule::default(), &Options::default(), &mut ());
        assert!(carried.found.has_errors() && carried.done.is_empty());
    }
}
