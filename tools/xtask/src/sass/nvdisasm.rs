//! What nvdisasm says of words.
//!
//! It takes a file of bare instructions (`-b SM90a`). If some of them are none, it names all their addresses and
//! prints no text at all: then it is asked again with harmless instructions in their places, so that all others stay
//! where they are. Two runs answer a hundred thousand questions.

use crate::oracle::Tools;
use crate::process;
use crate::project::{self, Outcome};
use crate::sass;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::Command;

/// `NOP`, on all chips.
const NOP: u128 = 0x000f_c000_0000_0000 << 64 | 0x7918;

/// Where nvdisasm is.
pub fn program(tools: &Tools) -> Outcome<PathBuf> {
    let toolkit = tools.cuda13.as_ref().ok_or("nvdisasm could not be had")?;
    Ok(toolkit.join("bin/nvdisasm"))
}

/// The texts of words, each at the address of 16 times its index, without the semicolon; nothing for a word that
/// nvdisasm does not know: some it names, some it leaves out.
pub fn texts(tools: &Tools, chip: &str, words: &[u128]) -> Outcome<Vec<Option<String>>> {
    let program = program(tools)?;
    let key: Vec<String> = words.iter().map(|word| format!("{word:x}")).collect();
    let key = project::hash(&[chip, &key.concat()]);
    let file = sass::folder().join(format!("{key:016x}.words"));
    let mut bad = BTreeSet::new();
    // A word may be found bad only when others are out of the way.
    for _ in 0..8 {
        let word = |(at, word): (usize, &u128)| if bad.contains(&at) { NOP } else { *word };
        let bytes: Vec<u8> = words
            .iter()
            .enumerate()
            .flat_map(|pair| word(pair).to_le_bytes())
            .collect();
        project::write(&file, bytes)?;
        let mut command = Command::new(&program);
        command
            .args(["-b", &chip.replace("sm_", "SM"), "-ndf"])
            .arg(&file);
        let output = process::capture(&mut command)?.output;
        std::fs::remove_file(&file).ok();
        let known = bad.len();
        bad.extend(output.lines().filter_map(bad_address));
        if bad.len() == known {
            let mut texts = vec![None; words.len()];
            for (at, text) in output.lines().filter_map(instruction) {
                if let Some(slot) = texts.get_mut(at).filter(|_| !bad.contains(&at)) {
                    *slot = Some(text.to_owned());
                }
            }
            return match output.lines().any(|line| instruction(line).is_some()) {
                true => Ok(texts),
                false => Err(format!("nvdisasm prints nothing for {chip}: {output}")),
            };
        }
    }
    Err("nvdisasm finds new bad words each time".into())
}

/// The index in `… at address 0x00000010`.
fn bad_address(line: &str) -> Option<usize> {
    let (_, address) = line.rsplit_once("at address 0x")?;
    usize::from_str_radix(address.trim(), 16)
        .ok()
        .map(|address| address / 16)
}

/// The index and the text in `/*0010*/   EXIT ;`.
pub fn instruction(line: &str) -> Option<(usize, &str)> {
    let (address, text) = line.trim_start().strip_prefix("/*")?.split_once("*/")?;
    let address = usize::from_str_radix(address, 16).ok()?;
    let text = text.trim_end().strip_suffix(';')?.trim();
    Some((address / 16, text))
}

#[cfg(test)]
mod tests {
    use super::{bad_address, instruction};

    #[test]
    fn lines_of_nvdisasm_are_read() {
        let line = "        /*0120*/              @!P0 BRA 0x0;";
        assert_eq!(instruction(line), Some((18, "@!P0 BRA 0x0")));
        assert_eq!(instruction("\t.headerflags\t@\"EF_CUDA_SM90\""), None);
        let line = "nvdisasm error   : Unrecognized operation for functional unit 'uC' at address 0x00000010";
        assert_eq!(bad_address(line), Some(1));
    }
}
