//! `warpc dis`: machine code as text.

use crate::code_options::plain_options;
use crate::{MessageFormat, report};
use clap::Args;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use warpc::{Kind, Options, Source};
use warpc_cubin::{Cubin, fatbin};
use warpc_sass_text::listing::{self, CodeSection};

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
    let source = Source::read(&arguments.file);
    let source = match source.and_then(|source| source.only(&[Kind::Cubin, Kind::Fatbin])) {
        Ok(source) => source,
        Err(error) => return report::failure(&error, format),
    };
    let is_fatbin = source.kind() == Kind::Fatbin;
    let text = if is_fatbin && arguments.reassemblable {
        let message = format_args!(
            "{}: a fatbin may hold many cubins; write them with `--extract FOLDER` first",
            source.name()
        );
        return report::failure(&message, format);
    } else if is_fatbin && (arguments.entries || arguments.extract.is_some()) {
        arguments.entries_of(&source, format)
    } else {
        arguments.text(&source, format)
    };
    match text {
        Ok(text) => report::output(&text, arguments.output.as_deref(), format),
        Err(status) => status,
    }
}

/// Reports what is wrong with a file.
fn fail(fault: warpc_cubin::Fault, format: MessageFormat) -> ExitCode {
    report::failure_with_code(fault.code, &fault, fault.help, format);
    ExitCode::from(1)
}

/// The cubins of a file. What is only wrong for a driver does not hinder a listing.
fn cubins(source: &Source) -> Result<Vec<Cubin>, warpc_cubin::Fault> {
    if source.kind() == Kind::Cubin {
        return Ok(vec![Cubin::read(source.bytes())?]);
    }
    let entries = fatbin::read(source.bytes())?;
    let cubins = entries
        .iter()
        .filter(|entry| entry.kind == fatbin::Kind::Cubin);
    cubins
        .map(|entry| Cubin::read(&entry.unpacked()?))
        .collect()
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

    fn options(&self) -> Options {
        let mut options = plain_options();
        options.listing.reassemblable = self.reassemblable;
        options.listing.words = self.hex;
        options.listing.function = self.function.clone();
        options
    }

    /// What a cubin or a fatbin holds, as text; or the status when it was reported why there is none.
    fn text(&self, source: &Source, format: MessageFormat) -> Result<String, ExitCode> {
        if !self.json || self.function.is_some() {
            let listed = warpc::disassemble(source, &self.options());
            report::diagnostics(source.file(), &listed.diagnostics, format);
            let text = listed.value.ok_or(ExitCode::from(1))?;
            if !self.json {
                return Ok(text);
            }
        }
        let cubins = cubins(source).map_err(|fault| fail(fault, format))?;
        let mut values = cubins.iter().map(|cubin| self.as_json(cubin));
        Ok(match (source.kind(), values.next()) {
            (Kind::Cubin, Some(one)) => pretty(&one),
            (_, first) => pretty(&first.into_iter().chain(values).collect()),
        })
    }

    /// The entries of a fatbin: listed, or written as files and named.
    fn entries_of(&self, source: &Source, format: MessageFormat) -> Result<String, ExitCode> {
        let fail = |fault| fail(fault, format);
        let entries = fatbin::read(source.bytes()).map_err(fail)?;
        let Some(folder) = &self.extract else {
            return Ok(entry_list(&entries, self.json));
        };
        let failed = |path: &Path, error: std::io::Error| {
            report::failure(&format_args!("{}: {error}", path.display()), format)
        };
        std::fs::create_dir_all(folder).map_err(|error| failed(folder, error))?;
        let mut text = String::new();
        for (index, entry) in entries.iter().enumerate() {
            let bytes = entry.unpacked().map_err(fail)?;
            let path = folder.join(format!("{index}.{}", entry.file_name()));
            std::fs::write(&path, &bytes).map_err(|error| failed(&path, error))?;
            text.push_str(&format!("{}\n", path.display()));
        }
        Ok(text)
    }

    /// A cubin as JSON: what the listing shows, the words, and the attributes by name.
    fn as_json(&self, cubin: &Cubin) -> Value {
        let code = listing::sections(cubin);
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
