//! `warpc dis`: machine code as text.

use crate::check::shown;
use crate::{MessageFormat, report};
use clap::Args;
use serde_json::{Value, json};
use std::path::Path;
use std::process::ExitCode;
use warpc_cubin::listing::{self, CodeSection, Layout};
use warpc_cubin::{Cubin, fatbin};
use warpc_pipeline::{Input, InputError, Kind, Sass, read_cubin, reassemblable};

#[derive(Args)]
pub struct Arguments {
    /// A cubin, or a fatbin, whose cubins are listed one behind another; `-` is standard input.
    #[arg(value_name = "FILE")]
    file: String,
    /// Write to a file instead of standard output.
    #[arg(short, value_name = "OUT")]
    output: Option<String>,
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
    /// Write the entries of a fatbin as files into a folder.
    #[arg(long, value_name = "FOLDER")]
    extract: Option<String>,
}

pub fn run(arguments: &Arguments, format: MessageFormat) -> ExitCode {
    let input = match Input::read(&arguments.file) {
        Ok(input) => input,
        Err(error) => return report::failure(&error, format),
    };
    let text = match input.kind {
        Kind::Cubin => {
            // What is only wrong for a driver does not hinder a listing.
            let checked = read_cubin(&input.file);
            let Some(cubin) = checked.module else {
                report::diagnostics(&shown(&input), &checked.diagnostics, format);
                return ExitCode::from(1);
            };
            match arguments.json {
                true => pretty(&arguments.as_json(&cubin)),
                false if arguments.reassemblable => reassemblable(&cubin),
                false => arguments.listing(&cubin),
            }
        }
        Kind::Fatbin if arguments.reassemblable => {
            let message = format_args!(
                "{}: a fatbin may hold many cubins; write them with `--extract FOLDER` first",
                arguments.file
            );
            return report::failure(&message, format);
        }
        Kind::Fatbin => match of_fatbin(arguments, &input, format) {
            Ok(text) => text,
            Err(status) => return status,
        },
        _ => {
            let error = InputError::WrongKind(arguments.file.clone(), Kind::Cubin);
            return report::failure(&error, format);
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
    let mut text = String::new();
    let mut objects = Vec::new();
    for (index, entry) in entries.iter().enumerate() {
        let bytes = entry.unpacked().map_err(fail)?;
        if let Some(folder) = &arguments.extract {
            let path = Path::new(folder).join(format!("{index}.{}", entry.file_name()));
            std::fs::write(&path, &bytes).map_err(|error| {
                report::failure(&format_args!("{}: {error}", path.display()), format)
            })?;
            text.push_str(&format!("{}\n", path.display()));
        } else if entry.kind == fatbin::Kind::Cubin {
            let cubin = Cubin::read(&bytes).map_err(fail)?;
            match arguments.json {
                true => objects.push(arguments.as_json(&cubin)),
                false => text.push_str(&arguments.listing(&cubin)),
            }
        }
    }
    match arguments.json && arguments.extract.is_none() {
        true => Ok(pretty(&Value::Array(objects))),
        false => Ok(text),
    }
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
