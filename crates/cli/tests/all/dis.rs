//! `warpc dis` and `warpc check` on recorded cubins: the listing is nvdisasm's, and what else is shown goes with it.

use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};
use warpc_testkit::scratch::Folder;
use warpc_testkit::{gzip, project};

fn warpc(args: &[&str], file: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_warpc"))
        .args(args)
        .arg(file)
        .output()
        .expect("warpc runs")
}

fn text(output: &Output) -> String {
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{message}");
    String::from_utf8(output.stdout.clone()).expect("output is text")
}

/// Every recorded cubin with nvdisasm's listing.
fn cubins() -> Vec<(String, Vec<u8>, String)> {
    let entries = project::entries(&project::oracle("cubins"));
    let mut all = Vec::new();
    for path in entries {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if let Some(stem) = name.strip_suffix(".cubin.gz") {
            let listing = gzip::read_text(path.with_file_name(format!("{stem}.lst.gz")));
            all.push((stem.to_owned(), gzip::read(&path), listing));
        }
    }
    assert!(all.len() >= 24, "only {} cubins", all.len());
    all
}

#[test]
fn listings_are_those_of_nvdisasm() {
    for (name, bytes, listing) in cubins() {
        let folder = Folder::new("dis");
        let file = folder.file(format!("{name}.cubin"), &bytes);
        let ours = text(&warpc(&["dis"], &file));
        for (number, (ours, theirs)) in ours.lines().zip(listing.lines()).enumerate() {
            assert_eq!(ours, theirs, "{name}, line {}", number + 1);
        }
        assert_eq!(ours, listing, "{name}");
        let checked = warpc(&["check"], &file);
        assert_eq!(text(&checked), "", "{name}");
        assert_eq!(String::from_utf8_lossy(&checked.stderr), "", "{name}");
    }
}

#[test]
fn words_functions_and_json_go_with_the_listing() {
    for (name, bytes, listing) in cubins().into_iter().step_by(5) {
        let folder = Folder::new("dis");
        let file = folder.file(format!("{name}.json.cubin"), &bytes);
        let json: Value =
            serde_json::from_str(&text(&warpc(&["dis", "--json"], &file))).expect("it is JSON");
        let chip = name.split('.').next().unwrap_or_default();
        assert_eq!(json["target"], chip, "{name}");
        let sections = json["sections"].as_array().expect("there is code");
        let instructions = sections
            .iter()
            .flat_map(|section| section["instructions"].as_array().expect("a list"));
        let words: Vec<&str> = instructions
            .map(|one| one["word"].as_str().expect("a text"))
            .collect();
        let records = json["attributes"][0]["records"].as_array();
        let names: Vec<&str> = records
            .expect("there are attributes")
            .iter()
            .filter_map(|record| record["name"].as_str())
            .collect();
        assert!(names.contains(&"EIATTR_REGCOUNT"), "{name}: {names:?}");
        // Without the words the lines are those of the plain listing.
        let hex = text(&warpc(&["dis", "--hex"], &file));
        let (mut plain, mut shown) = (String::new(), Vec::new());
        for line in hex.lines() {
            match line.split_once("/* 0x") {
                Some((before, word)) => {
                    shown.push(word.trim_end_matches(" */").to_owned());
                    if !before.trim().is_empty() {
                        plain.push_str(&format!("{}\n", before.trim_end()));
                    }
                }
                None => plain.push_str(&format!("{line}\n")),
            }
        }
        assert_eq!(plain, listing, "{name}");
        let pairs = shown
            .chunks(2)
            .map(|pair| format!("0x{}{}", pair[1], pair[0]));
        assert_eq!(pairs.collect::<Vec<_>>(), words, "{name}");
        // The section of one function.
        let function = sections[sections.len() - 1]["functions"][0]["name"].as_str();
        let function = function.expect("it has a name");
        let one = text(&warpc(&["dis", "--function", function], &file));
        assert!(one.len() <= listing.len());
        assert_eq!(one.matches("//--------------------- .text").count(), 1);
        assert!(one.contains(&format!("\n{function}:\n")), "{name}");
        let none = warpc(&["dis", "--function", "nope"], &file);
        assert_eq!(none.status.code(), Some(1), "{name}");
        let message = String::from_utf8_lossy(&none.stderr);
        let there = format!("`{function}`");
        assert!(
            message.contains("no function `nope`") && message.contains(&there),
            "{message}"
        );
    }
}

#[test]
fn fatbins_are_listed_alone_and_in_host_files() {
    let fatbin = project::oracle("fatbins/default.fatbin");
    let listing = text(&warpc(&["dis"], &fatbin));
    assert_eq!(listing.matches(".target\t").count(), 3);
    let entries = text(&warpc(&["dis", "--entries", "--json"], &fatbin));
    let entries: Value = serde_json::from_str(&entries).expect("it is JSON");
    assert_eq!(entries[0]["kind"], "cubin");
    assert_eq!(entries[2]["kind"], "ptx");
    let none = warpc(&["dis", "--function", "nope"], &fatbin);
    assert_eq!(none.status.code(), Some(1));
    // The folder of `--extract` is made.
    let folder = Folder::new("extract");
    let inner = folder.join("made/here");
    let written = text(&warpc(
        &["dis", "--extract", &inner.to_string_lossy()],
        &fatbin,
    ));
    assert_eq!(written.lines().count(), 4);
    assert!(
        written.lines().all(|path| Path::new(path).exists()),
        "{written}"
    );
    // A host object: header, fatbin, names, three section headers.
    let held = std::fs::read(&fatbin).expect("it is recorded");
    let names = b"\0.nv_fatbin\0";
    let mut host = vec![0; 64];
    host[..20].copy_from_slice(b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x01\0\x3e\0");
    host.extend(&held);
    host.extend(names);
    let table = host.len();
    for (name, offset, size) in [(0, 0, 0), (0, 64 + held.len(), 12), (1, 64, held.len())] {
        let mut header = [0; 64];
        header[0] = name;
        header[4] = 1;
        header[24..32].copy_from_slice(&(offset as u64).to_le_bytes());
        header[32..40].copy_from_slice(&(size as u64).to_le_bytes());
        host.extend(header);
    }
    host[40..48].copy_from_slice(&(table as u64).to_le_bytes());
    host[60] = 3;
    host[62] = 1;
    for ending in ["o", "so", "program"] {
        let folder = Folder::new("dis");
        let file = folder.file(format!("host.{ending}"), &host);
        assert_eq!(text(&warpc(&["dis"], &file)), listing);
        assert_eq!(text(&warpc(&["check"], &file)), "");
    }
}

#[test]
fn words_that_are_no_instructions_are_warned_of() {
    let (name, mut bytes, _) = cubins().swap_remove(0);
    let cubin = warpc_cubin::Cubin::read(&bytes).expect("it is a cubin");
    let code = cubin.sections.iter().find(|section| section.is_code());
    let at = code.expect("there is code").offset as usize;
    bytes[at..at + 16].fill(0xff);
    let folder = Folder::new("dis");
    let file = folder.file(format!("{name}.words.cubin"), &bytes);
    let checked = warpc(&["check"], &file);
    assert!(checked.status.success());
    let message = String::from_utf8_lossy(&checked.stderr).into_owned();
    assert!(message.contains("warning[W1005]"), "{message}");
    assert!(message.contains("the first at 0x0"), "{message}");
}
