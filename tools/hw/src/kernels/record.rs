//! What launches left, as lines of text.
//!
//! ```text
//!   device  NVIDIA H200, CUDA 13.0
//!   file    locks  8c1f…                                    name, digest of the text
//!   case    --kernel spin_lock …  ok  OUTPUT  16:DIGEST:0011…  4:DIGEST:…
//! ```
//!
//! Columns are separated by tabs. Of each buffer the length, a digest and the first bytes are kept.

use super::{File, Suite};
use crate::matrix::answers::digest;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::io;
use warpc_testkit::gzip;

/// Bytes of a buffer that are kept while comparing.
const SHOWN: usize = 4096;

/// A buffer after a launch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Seen {
    /// Its bytes.
    pub length: usize,
    /// A digest of all of them.
    pub digest: u64,
    /// The first of them.
    pub first: Vec<u8>,
}

impl Seen {
    /// What is kept of a buffer.
    pub fn of(bytes: &[u8]) -> Seen {
        Seen {
            length: bytes.len(),
            digest: digest(bytes),
            first: bytes[..bytes.len().min(SHOWN)].to_vec(),
        }
    }

    /// Whether both are of equal buffers.
    pub fn same(&self, other: &Seen) -> bool {
        self.length == other.length && self.digest == other.digest
    }

    fn text(&self) -> String {
        let mut text = format!("{}:{:016x}:", self.length, self.digest);
        for byte in &self.first {
            let _ = write!(text, "{byte:02x}");
        }
        text
    }

    fn parse(text: &str) -> Option<Seen> {
        let mut parts = text.splitn(3, ':');
        let length = parts.next()?.parse().ok()?;
        let digest = u64::from_str_radix(parts.next()?, 16).ok()?;
        let hex = parts.next()?.as_bytes();
        let first = hex.chunks(2).map(|pair| {
            let pair = std::str::from_utf8(pair).ok()?;
            u8::from_str_radix(pair, 16).ok()
        });
        Some(Seen {
            length,
            digest,
            first: first.collect::<Option<_>>()?,
        })
    }
}

/// What a launch left.
#[derive(Clone, PartialEq, Debug)]
pub struct Ran {
    /// All buffers, or why there is nothing.
    pub outcome: Result<Vec<Seen>, String>,
    /// What was printed.
    pub output: String,
    /// How long it took.
    pub seconds: f64,
}

impl Ran {
    /// A launch that did not end well.
    pub fn failed(reason: String) -> Ran {
        Ran {
            outcome: Err(reason),
            output: String::new(),
            seconds: 0.0,
        }
    }

    /// The columns after a case's name.
    pub fn line(&self) -> String {
        let output = self.output.escape_default();
        match &self.outcome {
            Ok(buffers) => {
                let buffers: Vec<String> = buffers.iter().map(Seen::text).collect();
                format!("ok\t{:e}\t{output}\t{}", self.seconds, buffers.join("\t"))
            }
            Err(reason) => format!("{}\t0\t{output}", reason.replace(['\n', '\t'], " ")),
        }
    }

    /// Reads what [`Ran::line`] wrote.
    pub fn parse(line: &str) -> Option<Ran> {
        let mut columns = line.split('\t');
        let outcome = columns.next()?;
        let seconds = columns.next()?.parse().ok()?;
        let output = unescape(columns.next()?);
        let buffers = columns.filter(|c| !c.is_empty()).map(Seen::parse);
        let outcome = match outcome {
            "ok" => Ok(buffers.collect::<Option<_>>()?),
            reason => Err(reason.to_string()),
        };
        Some(Ran {
            outcome,
            output,
            seconds,
        })
    }
}

/// Undoes [`str::escape_default`].
fn unescape(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match rest.next() {
            Some('n') => out.push('\n'),
            Some('r') => out.push('\r'),
            Some('t') => out.push('\t'),
            Some('u') => {
                let digits: String = rest.by_ref().skip(1).take_while(|c| *c != '}').collect();
                let code = u32::from_str_radix(&digits, 16).ok();
                out.extend(code.and_then(char::from_u32));
            }
            other => out.extend(other),
        }
    }
    out
}

/// What a GPU answered to a suite.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Record {
    /// The GPU and its driver.
    pub device: String,
    /// The digests of the files' texts, by name.
    pub texts: HashMap<String, u64>,
    /// The launches, by the file's name and the case's text.
    pub cases: HashMap<(String, String), Ran>,
}

impl Record {
    /// The compressed file, in the suite's order; of each buffer at most `first` bytes.
    pub fn pack(&self, suite: &Suite, first: usize) -> io::Result<Vec<u8>> {
        let mut text = format!("device\t{}\n", self.device);
        for file in &suite.files {
            let _ = writeln!(text, "file\t{}\t{:016x}", file.name, text_digest(file));
            for case in &file.cases {
                let name = (file.name.clone(), case.text.clone());
                let Some(ran) = self.cases.get(&name) else {
                    continue;
                };
                // How long it took is not an answer: it would make every file differ from the last.
                let mut ran = Ran {
                    seconds: 0.0,
                    ..ran.clone()
                };
                if let Ok(buffers) = &mut ran.outcome {
                    for seen in buffers {
                        seen.first.truncate(first);
                    }
                }
                let _ = writeln!(text, "case\t{}\t{}", case.text, ran.line());
            }
        }
        Ok(gzip::pack(text))
    }

    /// Reads a compressed file.
    pub fn read(bytes: &[u8]) -> io::Result<Record> {
        let text = gzip::unpack_text(bytes)?;
        let mut record = Record::default();
        let mut file = String::new();
        for line in text.lines() {
            let bad = || io::Error::other(format!("cannot read `{line}`"));
            let (kind, rest) = line.split_once('\t').ok_or_else(bad)?;
            match kind {
                "device" => record.device = rest.into(),
                "file" => {
                    let (name, digest) = rest.split_once('\t').ok_or_else(bad)?;
                    let digest = u64::from_str_radix(digest, 16).map_err(|_| bad())?;
                    file = name.to_string();
                    record.texts.insert(file.clone(), digest);
                }
                "case" => {
                    let (case, ran) = rest.split_once('\t').ok_or_else(bad)?;
                    let ran = Ran::parse(ran).ok_or_else(bad)?;
                    record.cases.insert((file.clone(), case.to_string()), ran);
                }
                _ => return Err(bad()),
            }
        }
        Ok(record)
    }

    /// The answer to a case; the error says why there is none that can be compared.
    pub fn answer(&self, file: &File, case: &super::Case) -> Result<&Ran, String> {
        if self.texts.get(&file.name) != Some(&text_digest(file)) {
            return Err("the answers are for another text: run it on hardware again".into());
        }
        let name = (file.name.clone(), case.text.clone());
        let ran = self.cases.get(&name);
        ran.ok_or_else(|| "there is no answer: run it on hardware".into())
    }
}

/// What tells one text of a file from another.
pub fn text_digest(file: &File) -> u64 {
    digest(file.source.bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back() {
        let text = "// run: --grid 1 --block 1\n// run: --grid 2 --block 1\n.version 8.0\n";
        let suite = Suite {
            files: vec![File::new("k", text).expect("two launches")],
        };
        let case = |i: usize| ("k".to_string(), suite.files[0].cases[i].text.clone());
        let mut record = Record {
            device: "a GPU".into(),
            ..Record::default()
        };
        let ran = Ran {
            outcome: Ok(vec![Seen::of(&[1, 2, 255]), Seen::of(&[])]),
            output: "a\tb\\n\n\"ü\" \u{7}".into(),
            seconds: 0.0,
        };
        record.cases.insert(case(0), ran);
        record.cases.insert(case(1), Ran::failed("it hangs".into()));
        record
            .texts
            .insert("k".into(), text_digest(&suite.files[0]));
        let packed = record.pack(&suite, 64).expect("memory takes everything");
        let back = Record::read(&packed).expect("what was packed");
        assert_eq!(back, record);
        assert!(
            back.answer(&suite.files[0], &suite.files[0].cases[0])
                .is_ok()
        );
        let other = File::new("k", "// run: --grid 1 --block 1\n.version 8.1\n").expect("a launch");
        assert!(back.answer(&other, &other.cases[0]).is_err());
    }
}
