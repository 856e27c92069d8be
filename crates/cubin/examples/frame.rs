//! Compares our listings with recorded ones of `nvdisasm -c`: `frame CUBIN-FOLDER LISTING-FOLDER`. The recorded text
//! of each instruction is given to the listing, with the places that it names as numbers, so that the frame alone
//! is judged: headers, functions, labels and their numbers, columns.

use std::cell::Cell;
use std::collections::HashMap;
use std::path::Path;
use warpc_cubin::Cubin;
use warpc_cubin::listing::{Ask, Disassembler, print};

/// Texts from a recorded listing, in order; a text that names a place is cut there.
struct Recorded {
    texts: Vec<(String, Option<(u64, String)>)>,
    next: Cell<usize>,
}

impl Recorded {
    fn of(listing: &str) -> Recorded {
        let mut texts = Vec::new();
        for section in listing.split("\n//--------------------- .text").skip(1) {
            let mut places: HashMap<&str, u64> = HashMap::new();
            let mut waiting = Vec::new();
            let mut size = 0;
            for line in section.lines() {
                if let Some(address) = address(line) {
                    size = address + 16;
                    places.extend(waiting.drain(..).map(|name| (name, address)));
                } else if let Some(name) = line.strip_suffix(':') {
                    waiting.push(name);
                }
            }
            places.extend(waiting.drain(..).map(|name| (name, size)));
            for line in section.lines().filter(|line| address(line).is_some()) {
                let text = line
                    .split_once("*/")
                    .map_or("", |(_, text)| text)
                    .trim_start();
                let text = text.trim_end_matches(';');
                let text = text.strip_suffix(' ').unwrap_or(text);
                let text = text.split("  (*").next().unwrap_or(text);
                let text = if line.contains("(*") {
                    text.trim_end()
                } else {
                    text
                };
                let named = text.split_once("`(").and_then(|(before, rest)| {
                    let (name, behind) = rest.split_once(')')?;
                    Some((before.to_owned(), (*places.get(name)?, behind.to_owned())))
                });
                texts.push(match named {
                    Some((before, place)) => (before, Some(place)),
                    None => (text.to_owned(), None),
                });
            }
        }
        Recorded {
            texts,
            next: Cell::new(0),
        }
    }
}

fn address(line: &str) -> Option<u64> {
    let (number, _) = line.trim_start().strip_prefix("/*")?.split_once("*/")?;
    u64::from_str_radix(number, 16).ok()
}

impl Disassembler for Recorded {
    fn text(&self, _word: u128, _address: u64, ask: &mut Ask<'_>) -> Option<String> {
        let at = self.next.replace(self.next.get() + 1);
        let (before, place) = self.texts.get(at)?;
        Some(match place {
            Some((place, behind)) => format!("{before}{}{behind}", ask(*place)),
            None => before.clone(),
        })
    }
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let mut folder = || arguments.next().expect("two folders are named");
    let (cubins, listings) = (folder(), folder());
    let (mut same, mut all) = (0, 0);
    for entry in std::fs::read_dir(&listings).expect("a folder").flatten() {
        let path = entry.path();
        let name = path.with_extension("cubin");
        let name = name.file_name().expect("a file has a name");
        let theirs = std::fs::read_to_string(&path).expect("listings are text");
        let cubin = std::fs::read(Path::new(&cubins).join(name)).expect("the cubin of the listing");
        let cubin = Cubin::read(&cubin).expect("a cubin");
        if theirs.is_empty() {
            continue;
        }
        let ours = print(&cubin, &Recorded::of(&theirs));
        all += 1;
        if ours == theirs {
            same += 1;
            continue;
        }
        let at = ours
            .lines()
            .zip(theirs.lines())
            .take_while(|(a, b)| a == b)
            .count();
        let line = |text: &str| text.lines().nth(at).unwrap_or("(end)").to_owned();
        println!(
            "{}:{}\n  ours   {}\n  theirs {}",
            path.display(),
            at + 1,
            line(&ours),
            line(&theirs)
        );
    }
    println!("{same} of {all} listings are alike");
}
