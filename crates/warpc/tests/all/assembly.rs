//! Recorded cubins of ptxas as assembly text and back.

use std::path::PathBuf;
use warpc::{Options, Source, assemble, reassemblable};
use warpc_cubin::Cubin;
use warpc_testkit::{Random, gzip, project};

/// The recorded cubins, by name.
fn recorded() -> Vec<(String, Vec<u8>)> {
    let files = project::files(&project::oracle("cubins"), &[".cubin.gz"]);
    let read = |path: PathBuf| (path.to_string_lossy().into_owned(), gzip::read(&path));
    let all: Vec<(String, Vec<u8>)> = files.into_iter().map(read).collect();
    assert!(all.len() >= 14, "only {} cubins", all.len());
    all
}

fn text_of(bytes: &[u8]) -> String {
    reassemblable(&Cubin::read(bytes).expect("recorded cubins can be read"))
}

/// The bytes that a text becomes, or what is wrong with it.
fn assembled(text: &str) -> Result<Vec<u8>, String> {
    let source = Source::new("text.sass", text).expect("it is short");
    let made = assemble(&source, &Options::default());
    let said = made.diagnostics.as_slice().iter();
    let said: Vec<String> = said
        .map(|one| {
            let line = source.file().position(one.span.start).line;
            format!("{line}: {} {}", one.code.0, one.message)
        })
        .collect();
    made.value.map(|cubin| cubin.write()).ok_or(said.join("\n"))
}

#[test]
fn cubins_come_back_byte_for_byte() {
    for (name, bytes) in recorded() {
        let text = text_of(&bytes);
        let again = assembled(&text).unwrap_or_else(|said| panic!("{name}\n{said}"));
        assert!(again == bytes, "{name} is another file");
    }
}

#[test]
fn a_text_without_string_tables_and_with_another_instruction_gives_a_sound_cubin() {
    let mut edited = 0;
    for (name, bytes) in recorded() {
        let text = text_of(&bytes);
        let nop = "    [B------:R-:W-:Y:S00] NOP ;\n";
        let Some(at) = text.find("    [B") else {
            continue;
        };
        let text = format!("{}{nop}{}", &text[..at], &text[at..]);
        let kept = text.lines().filter(|line| !line.starts_with("    .string"));
        let kept: Vec<&str> = kept.collect();
        let made = assembled(&kept.join("\n")).unwrap_or_else(|said| panic!("{name}\n{said}"));
        let cubin = Cubin::read(&made).unwrap_or_else(|fault| panic!("{name}: {fault}"));
        let faults = warpc_cubin::verify(&cubin);
        assert!(faults.is_empty(), "{name}: {}", faults[0]);
        edited += 1;
    }
    assert!(edited >= 14, "{edited}");
}

#[test]
fn damaged_texts_are_refused_without_a_panic() {
    let mut all = recorded();
    all.sort_by_key(|(_, bytes)| bytes.len());
    let plain = ".target sm_90\n.kernel k\n.registers 8\n.param u64 a\n    [B------:R-:W0:-:S02] LDC R2, c[0x0][a+0x4] ;\n    [B------:R-:W-:-:S05] BRA k ;\nk:\n.global v\n    .u32 1\n";
    let mut texts = vec![plain.to_owned()];
    texts.extend(all.iter().take(2).map(|(_, bytes)| text_of(bytes)));
    let mut numbers = Random::new(1);
    let mut random = |below: usize| numbers.below(below);
    let insertions = [
        "\"",
        "`(",
        "0x",
        "-",
        ",",
        "[",
        "\\x",
        ":",
        "é",
        "99999999999999999999",
        "same_as 9, ",
        ".section x, ",
    ];
    for text in &texts {
        for _ in 0..150 {
            let mut bytes = text.clone().into_bytes();
            for _ in 0..1 + random(3) {
                let at = random(bytes.len());
                let end = (at + random(40)).min(bytes.len());
                match random(4) {
                    0 => bytes[at] = random(256) as u8,
                    1 => drop(bytes.drain(at..end)),
                    2 => {
                        let more = insertions[random(insertions.len())];
                        bytes.splice(at..at, more.bytes());
                    }
                    _ => {
                        let more = bytes[at..end].to_vec();
                        let to = random(bytes.len());
                        bytes.splice(to..to, more);
                    }
                }
            }
            let source = Source::new("damaged.sass", bytes).expect("it is short");
            let made = assemble(&source, &Options::default());
            let said = made.diagnostics.as_slice();
            let panicked = said.iter().find(|one| one.code.0 == "W0999");
            assert!(
                panicked.is_none(),
                "{panicked:?}\n{}",
                String::from_utf8_lossy(source.bytes())
            );
            assert!(made.value.is_some() || !said.is_empty());
            if let Some(cubin) = made.value {
                cubin.write();
            }
        }
    }
}
