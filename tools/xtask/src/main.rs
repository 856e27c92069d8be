//! The project's task runner: `./x TASK` or `./x GROUP TASK` ([`tasks`]).
//!
//! It fetches the real tools we compare ourselves with (`oracle`), makes real PTX and LLVM IR with them (`corpus`, `ll`),
//! breaks it on purpose (`mutants`), and runs tests, benchmarks and fuzzing over the results. It
//! depends on none of the compiler's crates but the small ones of chips and machine code, so that it builds in seconds
//! and works while they do not.

mod atomics;
mod attack;
mod bench;
mod builtins;
mod capi;
mod clients;
mod corpus;
mod features;
mod findings;
mod fuzz;
#[cfg(test)]
mod house;
mod hw;
mod jobs;
mod ll;
mod mlir;
mod mutants;
mod oracle;
mod process;
mod project;
mod ptx_shape;
mod python;
mod release;
mod same_code;
mod sass;
mod tasks;
mod test;

use std::fmt::Write;
use std::process::ExitCode;
use tasks::{GROUPS, Group, TASKS, Task};

/// The column at which the descriptions of tasks begin.
const INDENT: usize = 20;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match chosen(&args) {
        Chosen::Run(task, rest) => match (task.run)(rest) {
            Ok(()) => ExitCode::SUCCESS,
            Err(message) => {
                eprintln!("error: {message}");
                ExitCode::FAILURE
            }
        },
        Chosen::Help(text) => {
            print!("{text}");
            ExitCode::SUCCESS
        }
        Chosen::Usage(text) => {
            eprint!("{text}");
            ExitCode::from(2)
        }
    }
}

/// What a command line asks for.
enum Chosen<'a> {
    Run(&'static Task, &'a [String]),
    Help(String),
    Usage(String),
}

fn chosen(args: &[String]) -> Chosen<'_> {
    let asks = |word: &String| matches!(word.as_str(), "-h" | "--help" | "help");
    let Some((first, rest)) = args.split_first() else {
        return Chosen::Usage(overview());
    };
    if asks(first) {
        return Chosen::Help(overview());
    }
    if let Some(group) = GROUPS.iter().find(|group| group.name == first) {
        let Some((second, rest)) = rest.split_first() else {
            return Chosen::Usage(of_group(group));
        };
        if asks(second) {
            return Chosen::Help(of_group(group));
        }
        return match group.tasks.iter().find(|task| task.name == second) {
            Some(task) if rest.iter().any(asks) => Chosen::Help(of_task(task)),
            Some(task) => Chosen::Run(task, rest),
            None => Chosen::Usage(format!(
                "unknown task `{first} {second}`\n\n{}",
                of_group(group)
            )),
        };
    }
    match TASKS.iter().find(|task| task.name == first) {
        Some(task) if rest.iter().any(asks) => Chosen::Help(of_task(task)),
        Some(task) => Chosen::Run(task, rest),
        None => Chosen::Usage(format!("unknown task `{first}`\n\n{}", overview())),
    }
}

/// The tasks and the groups.
fn overview() -> String {
    let mut text = "./x TASK [OPTIONS]\n./x GROUP TASK [OPTIONS]\n\n".to_owned();
    TASKS.iter().for_each(|task| text.push_str(&of_task(task)));
    text.push('\n');
    for group in GROUPS {
        let _ = writeln!(text, "  {:1$}{2}", group.name, INDENT - 2, group.about);
        let names: Vec<&str> = group.tasks.iter().map(|task| task.name).collect();
        let _ = writeln!(text, "{:INDENT$}{}", "", names.join(", "));
    }
    text.push_str("\n  ./x GROUP --help    the tasks of a group\n");
    text.push_str(
        "  WARPC_JOBS=N        how many tools run at once (default: the number of cores)\n",
    );
    text
}

/// The tasks of a group.
fn of_group(group: &Group) -> String {
    let mut text = format!("./x {} TASK [OPTIONS]: {}\n\n", group.name, group.about);
    group
        .tasks
        .iter()
        .for_each(|task| text.push_str(&of_task(task)));
    text
}

/// The name of a task and what it does, in a column beside it.
fn of_task(task: &Task) -> String {
    let name = format!("  {} {}", task.name, task.arguments);
    let name = name.trim_end();
    let mut text = match name.len() < INDENT {
        true => format!("{name:INDENT$}"),
        false => format!("{name}\n{:INDENT$}", ""),
    };
    let indent = format!("\n{:INDENT$}", "");
    text.push_str(&task.help.replace('\n', &indent));
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<String> {
        line.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn tasks_are_found_in_their_groups() {
        let runs = |line: &str| match chosen(&words(line)) {
            Chosen::Run(task, rest) => Some((task.name, rest.len())),
            Chosen::Help(_) | Chosen::Usage(_) => None,
        };
        assert_eq!(runs("test --quick"), Some(("test", 1)));
        assert_eq!(runs("ll same --self x"), Some(("same", 2)));
        assert_eq!(runs("ll"), None);
        assert_eq!(runs("ll test"), None);
        assert_eq!(runs("same"), None);
        assert_eq!(runs("ll same --help"), None);
    }

    #[test]
    fn names_are_unique() {
        let names = |tasks: &[Task]| tasks.iter().map(|task| task.name).collect::<Vec<_>>();
        let mut first = names(TASKS);
        first.extend(GROUPS.iter().map(|group| group.name));
        let mut all = vec![first];
        all.extend(GROUPS.iter().map(|group| names(group.tasks)));
        for mut names in all {
            let count = names.len();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), count, "{names:?}");
        }
    }
}
