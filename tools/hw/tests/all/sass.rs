//! The kernels written by hand in SASS, without a GPU: they assemble, what is made of them comes back from its text, and
//! a GPU has run them.

use std::collections::{BTreeSet, HashMap};
use warpc_cubin::{Content, Cubin, verify};
use warpc_hw::sass::damage::DAMAGES;
use warpc_hw::sass::hand::{KERNELS, assembled};
use warpc_hw::sass::pairs::rebuild;
use warpc_hw::sass::task::{Item, own_items};
use warpc_sass::latency::{Facts, check};
use warpc_testkit::gzip;
use warpc_testkit::project::{entries, tests};

#[test]
fn every_file_is_in_the_suite() {
    let names: BTreeSet<String> = entries(&tests().join("kernels/sass"))
        .iter()
        .map(|path| {
            path.file_stem()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned()
        })
        .collect();
    let ours: BTreeSet<String> = KERNELS.iter().map(|hand| hand.name.to_string()).collect();
    assert_eq!(names, ours);
}

#[test]
fn kernels_assemble_and_come_back_from_their_listings() {
    for hand in KERNELS {
        let bytes = assembled(hand.name, hand.text).unwrap_or_else(|reason| panic!("{reason}"));
        let cubin = Cubin::read(&bytes).expect("a cubin");
        assert_eq!(verify(&cubin), [], "{}", hand.name);
        let text = format!(".text.{}", hand.name);
        assert!(cubin.section(&text).is_some(), "{}", hand.name);
        let back = rebuild(hand.name, &bytes).unwrap_or_else(|reason| panic!("{reason}"));
        assert!(back == bytes, "{} does not come back", hand.name);
        assert!(!(hand.cases)().is_empty());
    }
}

/// What ptxas and nvdisasm say of an instruction is in the source: each line's text is that of the listing.
#[test]
fn listings_have_the_instructions_that_were_written() {
    for hand in KERNELS {
        let bytes = assembled(hand.name, hand.text).unwrap_or_else(|reason| panic!("{reason}"));
        let listing = warpc::reassemblable(&Cubin::read(&bytes).expect("a cubin"));
        // Names of parameters and labels become numbers and other names.
        let operation = |line: &str| -> Option<String> {
            let (control, rest) = line.trim().strip_prefix('[')?.split_once(']')?;
            let name = rest.split([',', ';', '[', '`']).next()?.trim();
            Some(format!("{control} {name}"))
        };
        let written: Vec<String> = hand.text.lines().filter_map(operation).collect();
        let listed: Vec<String> = listing.lines().filter_map(operation).collect();
        assert!(written.len() >= 10, "{}", hand.name);
        assert_eq!(listed[..written.len()], written, "{}", hand.name);
    }
}

#[test]
fn damages_fit_their_kernels_and_change_the_code() {
    for damage in DAMAGES {
        let hand = damage.hand().expect("a kernel of the suite");
        let text = damage
            .text()
            .unwrap_or_else(|| panic!("{} in {}", damage.what, hand.name));
        let damaged = assembled(hand.name, &text).unwrap_or_else(|reason| panic!("{reason}"));
        assert_ne!(assembled(hand.name, hand.text), Ok(damaged));
    }
}

/// What is wrong with the schedule of a kernel by the facts about its chip: pairs of instructions that are too close, and
/// stalls that are too short.
fn schedule_faults(name: &str, text: &str) -> Vec<String> {
    let bytes = assembled(name, text).unwrap_or_else(|reason| panic!("{reason}"));
    let cubin = Cubin::read(&bytes).expect("a cubin");
    let sm = cubin.chip().expect("a chip");
    let facts = Facts::of(sm).expect("the chip has facts");
    let (_, section) = cubin.section(&format!(".text.{name}")).expect("code");
    let Content::Bytes(code) = &section.content else {
        panic!("code is bytes");
    };
    let words = code.as_chunks::<16>().0.iter();
    let words: Vec<u128> = words.map(|word| u128::from_le_bytes(*word)).collect();
    let lines = check::lines(sm, &words);
    assert!(
        lines.iter().all(Option::is_some),
        "{name} has unknown words"
    );
    let pairs = check::faults(facts, &lines).into_iter();
    let mut all: Vec<String> = pairs
        .map(|pair| {
            format!(
                "{name}: {:#x} to {:#x}: {pair:?}",
                16 * pair.from,
                16 * pair.to
            )
        })
        .collect();
    let stalls = check::short_stalls(&lines).into_iter();
    all.extend(stalls.map(|at| format!("{name}: {:#x} stalls too short", 16 * at)));
    all
}

#[test]
fn schedules_keep_the_distances_of_the_chip() {
    for hand in KERNELS {
        assert_eq!(schedule_faults(hand.name, hand.text), [] as [&str; 0]);
    }
    // Two of the damages are in the schedule, and only there.
    let damages = DAMAGES.iter().filter(|damage| damage.from.starts_with('['));
    let found = damages.map(|damage| {
        let text = damage.text().expect("it fits");
        schedule_faults(damage.kernel, &text).len()
    });
    let found: Vec<usize> = found.collect();
    assert!(
        found.len() == 2 && found.iter().all(|&count| count > 0),
        "{found:?}"
    );
}

/// What the GPU answered when the suite was run there last: all of it must be about these texts.
#[test]
fn the_gpu_ran_these_kernels_right_and_saw_the_damage() {
    let text = gzip::read_text(tests().join("hardware/sass.tsv.gz"));
    let mut lines = text.lines();
    assert!(lines.next().is_some_and(|line| line.contains("NVIDIA")));
    let rows: HashMap<&str, Vec<&str>> = lines
        .skip(1)
        .filter_map(|line| Some((line.split('\t').next()?, line.split('\t').collect())))
        .collect();
    for item in own_items() {
        let name = item.name();
        let row = rows.get(name.as_str());
        let row = row.unwrap_or_else(|| panic!("{name} was not run: run it on hardware"));
        let digest = format!("{:016x}", item.digest());
        assert_eq!(
            row[1], digest,
            "{name} has changed: run it on hardware again"
        );
        assert_eq!(
            row[2] == "right",
            matches!(item, Item::Hand(_)),
            "{name}: {row:?}"
        );
    }
    let pairs: Vec<_> = rows
        .iter()
        .filter(|(name, _)| name.starts_with("pair "))
        .collect();
    assert!(pairs.len() >= 40, "{} pairs", pairs.len());
    for (name, row) in pairs {
        assert_eq!(row[2], "right", "{name}: {row:?}");
    }
}
