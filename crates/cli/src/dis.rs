//! `warpc dis`: machine code as text.

use crate::check::shown;
use crate::{MessageFormat, report};
use clap::Args;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use warpc::{Input, Kind, Sass, read_cubin, reassemblable};
use warpc_cubin::listing::{self, CodeSection, Layout};
use warpc_cubin::{Cubin, fatbin};

#[derive(Args)]
pub struct Arguments {
    /// A cubin, or a fatbin, whose cubins are listed one after another; `-` is standard input.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Write to a file instead of standard output.
    #[arg(short, value_name = "OUT")]
    output: Option<PathBuf>,
    /// Print JSON: sections with their functions, instructions and attributes.
    #[arg(long)]
    json: bool,
    /// Print a text that `warpc compile` makes the same cubin of.
    #[arg(long, conflicts_with_all = ["json", "entries", "extract"])]
    reassemblable: bool,
    /// Show the words beside the instructions, as `nvdisasm -hex` does.
    #[arg(long, conflicts_with = "json")]
    hex: bool,
    /// List only the section of this function.
    #[arg(long, value_name = "NAME")]
    function: Option<String>,
    /// List the entries of a fatbin, and nothing else.
    #[arg(long, conflicts_with = "extract")]
    entries: bool,
    /// Write the entries of a fatbin as files into a folder, which is made if it is not there.
    #[arg(long, value_name = "FOLDER")]
    extract: Option<PathBuf>,
}

pub fn run(arguments: &Arguments, format: MessageFormat) -> ExitCode {
    let input = Input::read(&arguments.file);
    let input = match input.and_then(|input| input.only(&[Kind::Cubin, Kind::Fatbin])) {
        Ok(input) => input,
        Err(error) => return report::failure(&error, format),
    };
    let text = match input.kind {
        Kind::Fatbin if arguments.reassemblable => {
            let message = format_args!(
                "{}: a fatbin may hold many cubins; write them with `--extract FOLDER` first",
                input.file.name()
            );
            return report::failure(&message, format);
        }
        Kind::Fatbin => match of_fatbin(arguments, &input, format) {
            Ok(text) => text,
            Err(status) => return status,
        },
        _ => {
            // What is only wrong for a driver does not hinder a listing.
            let checked = read_cubin(&input.file);
            let Some(cubin) = checked.module else {
                report::diagnostics(&shown(&input), &checked.diagnostics, format);
                return ExitCode::from(1);
            };
            if let Some(status) = arguments.unknown_function(&[&cubin], &input, format) {
                return status;
            }
            match arguments.json {
                true => pretty(&arguments.as_json(&cubin)),
                false if arguments.reassemblable => reassemblable(&cubin),
                false => arguments.listing(&cubin),
            }
        }
    };
    report::output(&text, arguments.output.as_deref(), format)
}

/// The text for a fatbin, or the status when it was reported why there is none.
fn of_fatbin(
    arguments: &Arguments,
    input: &Input,
    format: MessageFormat,
) -> Result<String, ExitCode> {
    let fail = |fault: warpc_cubin::Fault| {
        report::failure_with_code(fault.code, &fault, fault.help, format);
        ExitCode::from(1)
    };
    let entries = fatbin::read(input.file.bytes()).map_err(fail)?;
    if arguments.entries {
        return Ok(entry_list(&entries, arguments.json));
    }
    let failed = |path: &Path, error: std::io::Error| {
        report::failure(&format_args!("{}: {error}", path.display()), format)
    };
    if let Some(folder) = &arguments.extract {
        std::fs::create_dir_all(folder).map_err(|error| failed(folder, error))?;
    }
    let mut text = String::new();
    let mut cubins = Vec::new();
    for (index, entry) in entries.iter().enumerate() {
        let bytes = entry.unpacked().map_err(fail)?;
        if let Some(folder) = &arguments.extract {
            let path = folder.join(format!("{index}.{}", entry.file_name()));
            std::fs::write(&path, &bytes).map_err(|error| failed(&path, error))?;
            text.push_str(&format!("{}\n", path.display()));
        } else if entry.kind == fatbin::Kind::Cubin {
            cubins.push(Cubin::read(&bytes).map_err(fail)?);
        }
    }
    if arguments.extract.is_some() {
        return Ok(text);
    }
    let all: Vec<&Cubin> = cubins.iter().collect();
    if let Some(status) = arguments.unknown_function(&all, input, format) {
        return Err(status);
    }
    Ok(match arguments.json {
        true => pretty(
            &cubins
                .iter()
                .map(|cubin| arguments.as_json(cubin))
                .collect(),
        ),
        false => cubins
            .iter()
            .map(|cubin| arguments.listing(cubin))
            .collect(),
    })
}

fn entry_list(entries: &[fatbin::Entry<'_>], as_json: bool) -> String {
    if !as_json {
        return entries
            .iter()
            .map(|entry| {
                let (major, minor) = entry.version;
                format!(
                    "{entry}, version {major}.{minor}, {} bytes, {:?}\n",
                    entry.size, entry.compression
                )
            })
            .collect();
    }
    let objects = entries.iter().map(|entry| {
        json!({
            "kind": format!("{:?}", entry.kind).to_lowercase(),
            "chip": entry.chip,
            "accelerated": entry.accelerated,
            "version": [entry.version.0, entry.version.1],
            "size": entry.size,
            "compression": format!("{:?}", entry.compression).to_lowercase(),
            "name": entry.name,
        })
    });
    pretty(&Value::Array(objects.collect()))
}

fn pretty(value: &Value) -> String {
    let mut text =
        serde_json::to_string_pretty(value).expect("the value has no maps with odd keys");
    text.push('\n');
    text
}

impl Arguments {
    /// Whether a section is to be shown.
    fn shows(&self, section: &CodeSection) -> bool {
        let is_wanted = |name: &String| section.functions.iter().any(|one| one.name == *name);
        self.function.as_ref().is_none_or(is_wanted)
    }

    /// Says that no cubin has the function that was asked for, and which there are.
    fn unknown_function(
        &self,
        cubins: &[&Cubin],
        input: &Input,
        format: MessageFormat,
    ) -> Option<ExitCode> {
        let wanted = self.function.as_ref()?;
        let sections = cubins
            .iter()
            .flat_map(|cubin| listing::sections(cubin, &Sass(cubin.chip())));
        let functions = sections.flat_map(|section| section.functions);
        let names: BTreeSet<String> = functions.map(|function| function.name).collect();
        if names.contains(wanted) {
            return None;
        }
        let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
        let there = match names.as_slice() {
            [] => "it has none".to_owned(),
            names => format!("there are {}", names.join(", ")),
        };
        let name = input.file.name();
        let message = format_args!("{name}: there is no function `{wanted}`; {there}");
        Some(report::failure(&message, format))
    }

    /// A cubin as text.
    fn listing(&self, cubin: &Cubin) -> String {
        let layout = Layout {
            words: self.hex,
            function: self.function.as_deref(),
        };
        listing::print_as(cubin, &Sass(cubin.chip()), layout)
    }

    /// A cubin as JSON: what the listing shows, the words, and the attributes by name.
    fn as_json(&self, cubin: &Cubin) -> Value {
        let code = listing::sections(cubin, &Sass(cubin.chip()));
        let shown = code.iter().filter(|section| self.shows(section));
        let attributes = listing::attributes(cubin)
            .into_iter()
            .map(|(section, records)| {
                let records = records.into_iter().map(
                    |(name, format, value)| json!({ "name": name, "format": format, "value": value }),
                );
                json!({ "section": section, "records": records.collect::<Vec<_>>() })
            });
        json!({
            "target": cubin.chip().map(|chip| chip.to_string()),
            "sections": shown.map(section_as_json).collect::<Vec<_>>(),
            "attributes": attributes.collect::<Vec<_>>(),
        })
    }
}

fn section_as_json(section: &CodeSection) -> Value {
    let instructions = section.instructions.iter().map(|instruction| {
        let mut object = json!({
            "address": instruction.address,
            "word": format!("{:#034x}", instruction.word),
            "text": instruction.text,
        });
        if !instruction.targets.is_empty() {
            object["targets"] = instruction.targets.clone().into();
        }
        object
    });
    let functions = section.functions.iter().map(|function| {
        json!({
            "name": function.name,
            "address": function.start,
            "size": function.size,
            "kernel": function.is_kernel,
        })
    });
    let labels = section.labels.iter();
    let labels = labels.map(|(address, name)| json!({ "address": address, "name": name }));
    json!({
        "name": section.name,
        "functions": functions.collect::<Vec<_>>(),
        "labels": labels.collect::<Vec<_>>(),
        "instructions": instructions.collect::<Vec<_>>(),
    })
}
