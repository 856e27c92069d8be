//! `./x ll abi`: whether functions of ours and of llc can call each other: the parameters and results that both declare
//! for functions and kernels of random types.
//!
//! Code of different compilers is linked by these declarations alone, so sizes, alignments and order must be the same.

use crate::project::{self, Outcome};
use crate::{process, release};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use warpc_testkit::Random;

const CHIP: &str = "sm_80";
/// Functions in one module.
const FUNCTIONS: u64 = 200;

/// The task.
pub fn abi(args: &[String]) -> Outcome {
    let mut modules = 10;
    let mut given = None;
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--with" => given = Some(PathBuf::from(args.next().ok_or("--with needs a program")?)),
            number => {
                modules = number
                    .parse()
                    .map_err(|_| format!("{number} is not a number of modules"))?;
            }
        }
    }
    let warpc = match given {
        Some(path) => path,
        None => release::build()?,
    };
    let (same, different) = compare(&warpc, modules)?;
    different.iter().for_each(|message| println!("{message}"));
    println!("{same} signatures equal, {} not", different.len());
    match different.is_empty() {
        true => Ok(()),
        false => Err("other compilers cannot call these functions".into()),
    }
}

/// How many signatures are the same, and a message for each that is not.
fn compare(warpc: &Path, modules: u64) -> Outcome<(usize, Vec<String>)> {
    let folder = project::root().join("target/ll_abi");
    project::make_dir(&folder)?;
    let mut same = 0;
    let mut different = Vec::new();
    for seed in 0..modules {
        let file = folder.join(format!("{seed}.ll"));
        project::write(&file, module(seed))?;
        let ours = file.with_extension("ptx");
        let mut command = Command::new(warpc);
        command.args(["compile", "--arch", CHIP]).arg(&file);
        process::must("warpc", command.arg("-o").arg(&ours))?;
        let theirs = file.with_extension("llc.ptx");
        let mut command = Command::new("llc-22");
        command
            .args(["-mtriple=nvptx64-nvidia-cuda", &format!("-mcpu={CHIP}")])
            .arg(&file);
        process::must("llc-22", command.arg("-o").arg(&theirs))?;
        let ours = signatures(&project::read(&ours)?);
        let theirs = signatures(&project::read(&theirs)?);
        if theirs.len() as u64 != FUNCTIONS {
            return Err(format!("llc-22 made {} functions", theirs.len()));
        }
        for (name, theirs) in theirs {
            match ours.get(&name) {
                Some(ours) if *ours == theirs => same += 1,
                ours => {
                    let ours = ours.map_or("nothing", String::as_str);
                    different.push(format!(
                        "{seed}.ll {name}:\n  llc   {theirs}\n  warpc {ours}"
                    ));
                }
            }
        }
    }
    Ok((same, different))
}

/// The parameters and results of the functions in a PTX text, with types as widths.
fn signatures(ptx: &str) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    // Comments stand between the parts.
    let text: String = ptx
        .lines()
        .map(|line| line.split("//").next().unwrap_or_default())
        .collect::<Vec<_>>()
        .join(" ");
    for start in [".visible .func", ".visible .entry"] {
        for head in text.split(start).skip(1) {
            let head = head.split('{').next().unwrap_or_default();
            let head = head.replace(['(', ')', ','], " ");
            // The words before the first parameter are results and the name.
            let mut parts = head.split(".param");
            let mut name = parts.next().unwrap_or_default().trim().to_string();
            let mut declared = Vec::new();
            for part in parts {
                let mut words: Vec<&str> = part.split_whitespace().collect();
                // The name of the function stands after its result.
                if words.len() > 1 && words[words.len() - 2].starts_with("func_retval") {
                    name = words.pop().unwrap_or_default().to_string();
                }
                declared.push(plain(&words));
            }
            found.insert(name, declared.join(", "));
        }
    }
    found
}

/// A declaration as a linker sees it: alignment, bytes and name. LLVM 22 writes integers of other widths in types that
/// PTX does not have (`.b128`, `.u99`); what they mean is clear.
fn plain(words: &[&str]) -> String {
    let name = words.last().copied().unwrap_or_default();
    if let Some((name, bytes)) = name.split_once('[') {
        let align = words.iter().position(|word| *word == ".align");
        let align = align.and_then(|at| words.get(at + 1)).unwrap_or(&"?");
        return format!("{align} {} {name}", bytes.trim_end_matches(']'));
    }
    let ty = words.first().copied().unwrap_or_default();
    let bits = ty.trim_start_matches(|c: char| !c.is_ascii_digit());
    match bits.parse::<u32>() {
        Ok(bits) => {
            let bytes = bits.div_ceil(8).next_power_of_two();
            format!("{bytes} {bytes} {name}")
        }
        Err(_) => format!("{ty} {name}"),
    }
}

/// A module of functions and kernels with random types.
fn module(seed: u64) -> String {
    let mut random = Types(Random::new(seed));
    let mut out = String::from("target triple = \"nvptx64-nvidia-cuda\"\n");
    for number in 0..FUNCTIONS {
        let kernel = random.below(4) == 0;
        let mut params = Vec::new();
        for index in 0..random.below(5) {
            let ty = random.ty(3);
            // Addresses of kernels say more than their size, which is not for the linker.
            params.push(match random.below(6) {
                0 => format!("ptr byval({ty}) align {} %a{index}", 1 << random.below(8)),
                _ => format!("{ty} %a{index}"),
            });
        }
        let params = params.join(", ");
        let result = match kernel || random.below(3) == 0 {
            true => "void".to_string(),
            false => random.ty(3),
        };
        let conv = if kernel { "ptx_kernel " } else { "" };
        let value = match result.as_str() {
            "void" => "void".to_string(),
            ty => format!("{ty} zeroinitializer"),
        };
        let value = match result.as_str() {
            "ptr" | "ptr addrspace(1)" | "ptr addrspace(3)" => format!("{result} null"),
            _ => value,
        };
        let _ = writeln!(
            out,
            "define {conv}{result} @f{number}({params}) {{\n  ret {value}\n}}"
        );
    }
    out
}

/// Types by chance.
struct Types(Random);

impl Types {
    fn below(&mut self, bound: u64) -> u64 {
        self.0.number_below(bound)
    }

    fn scalar(&mut self) -> String {
        let words = [
            "half", "bfloat", "float", "double", "i8", "i16", "i32", "i64", "i1",
        ];
        match self.below(12) {
            n @ 0..9 => words[n as usize].to_string(),
            9 => "i128".to_string(),
            _ => format!("i{}", 1 + self.below(140)),
        }
    }

    fn ty(&mut self, depth: u32) -> String {
        match self.below(if depth == 0 { 5 } else { 10 }) {
            0..3 => self.scalar(),
            3 => {
                ["ptr", "ptr addrspace(1)", "ptr addrspace(3)"][self.below(3) as usize].to_string()
            }
            4 | 5 => format!("<{} x {}>", 1 + self.below(20), self.scalar()),
            6 | 7 => format!("[{} x {}]", 1 + self.below(5), self.ty(depth - 1)),
            n => {
                let count = 1 + self.below(4);
                let fields: Vec<String> = (0..count).map(|_| self.ty(depth - 1)).collect();
                let fields = fields.join(", ");
                match n {
                    8 => format!("{{ {fields} }}"),
                    _ => format!("<{{ {fields} }}>"),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::signatures;

    #[test]
    fn signatures_are_found_in_both_notations() {
        let llc = ".visible .func  (.param .align 2 .b8 func_retval0[2]) f1(\n\t.param .b32 f1_param_0\n)  // @f1\n{";
        let ours =
            ".visible .func (.param .align 2 .b8 func_retval0[2]) f1(.param .u32 f1_param_0) {";
        assert_eq!(signatures(llc), signatures(ours));
        assert_eq!(signatures(ours)["f1"], "2 2 func_retval0, 4 4 f1_param_0");
        let kernel =
            ".visible .entry f2(.param .u64 .ptr .align 1 f2_param_0, .param .u99 f2_param_1)\n{";
        assert_eq!(signatures(kernel)["f2"], "8 8 f2_param_0, 16 16 f2_param_1");
        let other = ".visible .func f3(.param .align 4 .b8 f3_param_0[2]) {";
        assert_ne!(signatures(other)["f3"], "2 2 f3_param_0");
    }
}
