//! `warpc fingerprint`: a key for caches. Equal keys mean equal outputs.
//!
//! ```text
//!   key = SHA-256( build, variables that are read, words of the command, contents of the files that they name )
//! ```
//!
//! The build is known by the bytes of the program itself, which hold all tables. Where outputs go is left out, and so are names of
//! inputs: neither changes a byte of what is written.

mod sha256;

use crate::{MessageFormat, report};
use serde_json::json;
use sha256::sha256;
use std::path::Path;
use std::process::ExitCode;

/// The variables that change what is written.
const VARIABLES: [&str; 2] = ["NVVM_IR_VER_CHK", "LLVM_OVERRIDE_PRODUCER"];

/// Flags whose value says where an output goes.
const OUTPUTS: [&str; 3] = ["-o", "-olto", "--output-file"];

/// What names of modules end in: their contents are all that counts.
const MODULES: [&str; 9] = [
    "ll", "bc", "ltoir", "optixir", "mlir", "ptx", "sass", "cubin", "fatbin",
];

/// A file that a command names.
struct Input {
    name: String,
    hash: String,
}

/// Prints the key of the build, or of a command.
pub fn run(words: &[String], format: MessageFormat) -> ExitCode {
    let build = match build() {
        Ok(build) => build,
        Err(error) => return report::failure(&format_args!("the program itself: {error}"), format),
    };
    let version = env!("CARGO_PKG_VERSION");
    let variable = |name: &str| std::env::var(name).unwrap_or_default();
    let variables = VARIABLES.map(|name| (name, variable(name)));
    let (key, inputs) = match words {
        [] => (None, Vec::new()),
        words => match key(&build, &variables, words) {
            Ok((key, inputs)) => (Some(key), inputs),
            Err(error) => return report::failure(&error, format),
        },
    };
    let text = match (format, &key) {
        (MessageFormat::Human, Some(key)) => format!("{key}\n"),
        (MessageFormat::Human, None) => format!("warpc {version} {build}\n"),
        (MessageFormat::Json, _) => {
            let inputs = inputs.iter();
            let inputs = inputs.map(|input| json!({"name": input.name, "sha256": input.hash}));
            let mut object = json!({"version": version, "build": build});
            if let Some(key) = key {
                object["key"] = key.into();
                object["inputs"] = inputs.collect();
            }
            format!("{object}\n")
        }
    };
    report::output(text, None, format)
}

/// The hash of the program.
fn build() -> std::io::Result<String> {
    Ok(sha256(&std::fs::read(std::env::current_exe()?)?))
}

/// The key of a command, and the files that it names.
fn key(
    build: &str,
    variables: &[(&str, String)],
    words: &[String],
) -> Result<(String, Vec<Input>), String> {
    let mut all = vec![format!("build {build}")];
    all.extend(
        variables
            .iter()
            .map(|(name, value)| format!("{name}={value}")),
    );
    let mut inputs = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let (flag, value) = match word.split_once('=') {
            Some((flag, value)) if flag.starts_with('-') => (flag, value),
            _ => ("", word.as_str()),
        };
        if OUTPUTS.contains(&word.as_str()) {
            // That there is one may choose what is written, by its ending.
            let value = words.next().map_or("", String::as_str);
            all.push(format!("{word} {}", ending(value)));
            continue;
        }
        if OUTPUTS.contains(&flag) {
            all.push(format!("{flag} {}", ending(value)));
            continue;
        }
        let path = Path::new(value);
        let is_module = MODULES.contains(&ending(value));
        if !path.is_file() {
            if is_module && flag.is_empty() {
                return Err(format!("{value}: there is no such file"));
            }
            all.push(word.clone());
            continue;
        }
        let bytes = std::fs::read(path).map_err(|error| format!("{value}: {error}"))?;
        let hash = sha256(&bytes);
        // The name of another file may mean something else, too.
        let name = if is_module { flag } else { word };
        all.push(format!("{name} {} {hash}", ending(value)));
        inputs.push(Input {
            name: value.to_owned(),
            hash,
        });
    }
    // Each word with its length, so that no two lists of words are one text.
    let words = all.iter().map(|word| format!("{} {word}\n", word.len()));
    Ok((sha256(words.collect::<String>().as_bytes()), inputs))
}

fn ending(name: &str) -> &str {
    let ending = Path::new(name).extension();
    ending.and_then(|ending| ending.to_str()).unwrap_or("")
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpc_testkit::scratch::Folder;

    #[test]
    fn what_changes_an_output_changes_the_key() {
        let folder = Folder::new("fingerprint");
        let a = folder.file("a.ll", "one");
        let same = folder.file("b.ll", "one");
        let other = folder.file("c.ll", "two");
        let path = |path: &Path| path.to_str().expect("a plain name").to_owned();
        let of = |words: &[&str], build: &str, check: &str| {
            let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
            let variables = [("NVVM_IR_VER_CHK", check.to_owned())];
            key(build, &variables, &words).map(|(key, _)| key)
        };
        let (a, same, other) = (path(&a), path(&same), path(&other));
        let base = of(&["cicc", "-opt=3", &a, "-o", "x.ptx"], "1", "");
        assert!(base.is_ok());
        for equal in [
            of(&["cicc", "-opt=3", &same, "-o", "y.ptx"], "1", ""),
            of(&["cicc", "-opt=3", &a, "-o", "folder/x.ptx"], "1", ""),
        ] {
            assert_eq!(equal, base);
        }
        for different in [
            of(&["cicc", "-opt=3", &other, "-o", "x.ptx"], "1", ""),
            of(&["cicc", "-opt=2", &a, "-o", "x.ptx"], "1", ""),
            of(&["cicc", "-opt=3", &a, &a, "-o", "x.ptx"], "1", ""),
            of(&["cicc", "-opt=3", &a, "-o", "x.ll"], "1", ""),
            of(&["cicc", "-opt=3", &a, "-o", "x.ptx"], "2", ""),
            of(&["cicc", "-opt=3", &a, "-o", "x.ptx"], "1", "0"),
            of(&["ptxas", "-opt=3", &a, "-o", "x.ptx"], "1", ""),
        ] {
            assert_ne!(different, base);
        }
        assert!(of(&["cicc", "missing.ll"], "1", "").is_err());
    }
}
