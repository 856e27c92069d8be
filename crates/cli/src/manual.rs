//! `warpc man` and `warpc completions`: pages and scripts that follow from the flags themselves.

use crate::{MessageFormat, report};
use clap::Command;
use clap_complete::Shell;
use clap_mangen::Man;
use std::path::PathBuf;
use std::process::ExitCode;

/// What `warpc man` takes.
#[derive(clap::Args)]
pub struct Arguments {
    /// The command; without it the page about all of them.
    command: Option<String>,
    /// Write all pages into a folder, which is made if it is not there, as warpc.1, warpc-compile.1 …
    #[arg(long, value_name = "FOLDER", conflicts_with = "command")]
    out: Option<PathBuf>,
}

/// A name and the page.
type Page = (String, Vec<u8>);

/// The pages: one of the whole command, then one for each of its commands.
fn pages(mut command: Command) -> std::io::Result<Vec<Page>> {
    // What is global belongs to every page.
    command.build();
    let mut made = Vec::new();
    let subcommands: Vec<Command> = command
        .get_subcommands()
        .filter(|sub| !sub.is_hide_set() && sub.get_name() != "help")
        .cloned()
        .collect();
    for page in std::iter::once(command).chain(subcommands) {
        // A built subcommand is shown as `warpc-compile`.
        let name = page
            .get_display_name()
            .unwrap_or(page.get_name())
            .to_owned();
        let mut text = Vec::new();
        Man::new(page).title(name.as_str()).render(&mut text)?;
        made.push((name, text));
    }
    Ok(made)
}

pub fn run(command: Command, arguments: &Arguments, format: MessageFormat) -> ExitCode {
    let pages = match pages(command) {
        Ok(pages) => pages,
        Err(error) => return report::failure(&error, format),
    };
    if let Some(folder) = &arguments.out {
        if let Err(error) = std::fs::create_dir_all(folder) {
            return report::failure(&format_args!("{}: {error}", folder.display()), format);
        }
        for (name, text) in pages {
            let status = report::output(text, Some(&folder.join(format!("{name}.1"))), format);
            if status != ExitCode::SUCCESS {
                return status;
            }
        }
        return ExitCode::SUCCESS;
    }
    let wanted = match &arguments.command {
        Some(command) => format!("warpc-{command}"),
        None => "warpc".to_owned(),
    };
    match pages.iter().find(|(name, _)| *name == wanted) {
        Some((_, text)) => report::output(text, None, format),
        None => {
            let names: Vec<&str> = pages
                .iter()
                .filter_map(|(name, _)| name.strip_prefix("warpc-"))
                .collect();
            let command = arguments.command.as_deref().unwrap_or_default();
            let message = format_args!(
                "there is no command `{command}`; there are {}",
                names.join(", ")
            );
            report::failure(&message, format);
            ExitCode::from(2)
        }
    }
}

/// The script that completes commands and flags in a shell.
pub fn completions(mut command: Command, shell: Shell, format: MessageFormat) -> ExitCode {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, "warpc", &mut script);
    report::output(script, None, format)
}
