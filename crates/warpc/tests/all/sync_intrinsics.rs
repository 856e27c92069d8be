//! Every `llvm.nvvm.*` intrinsic of LLVM 22 that synchronises, on every kind of chip: it compiles, or is refused
//! with the name of the instruction and the first chip that has it. The test prints how many do which.
//!
//! A function that calls the intrinsic is made from its declared signature. With `WARPC_ORACLE_DIR` (`./x test`),
//! ptxas must take all that compiled.

use std::fmt::Write;
use std::process::Command;
use warpc::{Options, Source};
use warpc_diag::codes;
use warpc_model::{MbarrierOp, Redux};
use warpc_ptx::inst::Mnemonic;
use warpc_target::Sm;
use warpc_testkit::project;
use warpc_testkit::scratch::Folder;

/// Name, results, parameters, constants.
const INTRINSICS: &str = include_str!("../../../nvvm/src/intrinsics.txt");

/// What the names of the intrinsics that synchronise start with, after `llvm.nvvm.`.
const FAMILIES: &[&str] = &[
    "activemask",
    "atomic.",
    "bar.",
    "barrier.",
    "clusterlaunchcontrol.",
    "cp.async.bulk.commit",
    "cp.async.bulk.wait",
    "cp.async.commit",
    "cp.async.mbarrier",
    "cp.async.wait",
    "elect.",
    "exit",
    "fence.",
    "getctarank",
    "griddepcontrol.",
    "is_explicit_cluster",
    "mapa",
    "match.",
    "mbarrier.",
    "membar.",
    "nanosleep",
    "pm.event",
    "read.ptx.sreg.",
    "redux.",
    "setmaxnreg.",
    "shfl.",
    "tcgen05.commit",
    "tcgen05.fence",
    "tcgen05.relinq",
    "tcgen05.wait",
    "vote.",
    "wgmma.",
];

/// Chip, and how many of the intrinsics compile.
const TARGETS: &[(&str, usize)] = &[
    ("sm_60", 180),
    ("sm_70", 181),
    ("sm_75", 181),
    ("sm_80", 209),
    ("sm_90", 319),
    ("sm_90a", 324),
    ("sm_100a", 341),
    ("sm_120", 324),
];

/// An intrinsic as its line declares it.
struct Intrinsic {
    name: &'static str,
    results: Vec<String>,
    params: Vec<String>,
    /// The types that the name carries.
    suffix: String,
    /// Constant arguments: which, and a value it may have.
    constants: Vec<(usize, u64)>,
}

fn intrinsics() -> Vec<Intrinsic> {
    let lines = INTRINSICS.lines();
    let names = lines.filter_map(|line| Some((line, line.strip_prefix("llvm.nvvm.")?)));
    names
        .filter(|(_, name)| FAMILIES.iter().any(|family| name.starts_with(family)))
        .map(|(line, _)| read(line))
        .collect()
}

fn read(line: &'static str) -> Intrinsic {
    let mut columns = line.split('\t');
    let mut next = || columns.next().unwrap_or("");
    let (name, results, params, constants) = (next(), next(), next(), next());
    let mut types = Types::default();
    let constant = |word: &str| {
        let (param, values) = word.split_once(':').unwrap_or((word, "0"));
        let first = values.split("..").next().expect("a value");
        (
            param.parse().expect("a number"),
            first.parse().expect("a value"),
        )
    };
    Intrinsic {
        name,
        results: types.list(results),
        params: types.list(params),
        constants: constants.split_whitespace().map(constant).collect(),
        suffix: types.suffix,
    }
}

/// The types of one signature, while it is read.
#[derive(Default)]
struct Types {
    any: Vec<String>,
    suffix: String,
}

impl Types {
    fn list(&mut self, words: &str) -> Vec<String> {
        let words = words.split_whitespace();
        words
            .flat_map(|word| {
                let (word, count) = word.split_once('*').unwrap_or((word, "1"));
                let ty = self.one(word);
                vec![ty; count.parse().expect("a count")]
            })
            .collect()
    }

    fn one(&mut self, word: &str) -> String {
        let (ty, suffix) = match word {
            "anyint" => ("i32", "i32"),
            "anyfloat" => ("float", "f32"),
            "anyptr" => ("ptr", "p0"),
            _ => {
                return match (word.strip_prefix('='), word.strip_prefix('p')) {
                    (Some(same), _) => self.any[same.parse::<usize>().expect("a number")].clone(),
                    (_, Some("0")) => "ptr".to_owned(),
                    (_, Some(space)) => format!("ptr addrspace({space})"),
                    _ => word.to_owned(),
                };
            }
        };
        self.any.push(ty.to_owned());
        let _ = write!(self.suffix, ".{suffix}");
        ty.to_owned()
    }
}

impl Intrinsic {
    fn result(&self) -> String {
        match &self.results[..] {
            [] => "void".to_owned(),
            [one] => one.clone(),
            several => format!("{{ {} }}", several.join(", ")),
        }
    }

    fn declaration(&self) -> String {
        let (name, suffix) = (self.name, &self.suffix);
        format!(
            "declare {} @{name}{suffix}({})\n",
            self.result(),
            self.params.join(", ")
        )
    }

    /// A kernel that calls it and stores what it gives.
    fn kernel(&self, name: &str) -> String {
        let constant = |index| self.constants.iter().find(|(param, _)| *param == index);
        let (mut params, mut args) = (vec!["ptr %out".to_owned()], Vec::new());
        for (index, ty) in self.params.iter().enumerate() {
            args.push(match constant(index) {
                Some((_, value)) => format!("{ty} {value}"),
                None => {
                    params.push(format!("{ty} %a{index}"));
                    format!("{ty} %a{index}")
                }
            });
        }
        let (result, suffix) = (self.result(), &self.suffix);
        let keep = if self.results.is_empty() { "" } else { "%r = " };
        let mut text = format!(
            "define ptx_kernel void @{name}({}) {{\n  {keep}call {result} @{}{suffix}({})\n",
            params.join(", "),
            self.name,
            args.join(", ")
        );
        if !self.results.is_empty() {
            let _ = writeln!(text, "  store {result} %r, ptr %out");
        }
        text + "  ret void\n}\n"
    }
}

const HEAD: &str = "target triple = \"nvptx64-nvidia-cuda\"\n";

/// The PTX of a module, or the error's code, message and help.
fn compile(ll: &str, chip: &str) -> Result<String, (warpc_diag::Code, String)> {
    let source = Source::new("sync.ll", ll).expect("a short text");
    let options = Options::new(chip.parse().expect("a chip"));
    let made = warpc::compile(&source, &options);
    match made.value {
        Some(ptx) => Ok(ptx.to_string()),
        None => {
            let found = &made.diagnostics.as_slice()[0];
            let help = found.help.clone().unwrap_or_default();
            Err((found.code, format!("{}; {help}", found.message)))
        }
    }
}

#[test]
fn every_intrinsic_compiles_or_is_refused_with_the_chip_that_has_it() {
    let all = intrinsics();
    println!("{} intrinsics synchronise", all.len());
    println!("target    compiled  refused by name");
    let mut problems = Vec::new();
    for &(chip, expected) in TARGETS {
        let (mut compiled, mut refused) = (0, 0);
        let mut whole = HEAD.to_owned();
        for (number, intrinsic) in all.iter().enumerate() {
            let kernel = intrinsic.kernel(&format!("k{number}"));
            let text = format!("{HEAD}{}{kernel}", intrinsic.declaration());
            match compile(&text, chip) {
                Ok(_) => {
                    compiled += 1;
                    whole += &intrinsic.declaration();
                    whole += &kernel;
                }
                Err((code, message)) => {
                    refused += 1;
                    let is_right = code == codes::TARGET_LACKS
                        && message.contains("does not exist on")
                        && message.contains("it needs sm_");
                    if !is_right {
                        problems.push(format!("{chip} {}: {message}", intrinsic.name));
                    }
                }
            }
        }
        println!("{chip:8} {compiled:9} {refused:16}");
        if compiled != expected {
            problems.push(format!("{chip}: {compiled} compile, expected {expected}"));
        }
        match compile(&whole, chip) {
            Ok(ptx) => problems.extend(assemble(&ptx, chip)),
            Err((_, message)) => problems.push(format!("{chip}, all together: {message}")),
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// What the vocabulary says of reductions and barriers in memory is what the tables of PTX say.
#[test]
fn the_vocabulary_and_the_tables_of_ptx_agree() {
    let reductions = Redux::ALL.map(|redux| (redux.to_string(), redux.gate()));
    let barriers = MbarrierOp::all().map(|op| (format!("{}.shared.b64", op.ptx()), op.gate()));
    let all: Vec<_> = reductions.into_iter().chain(barriers).collect();
    assert_eq!(all.len(), 17 + 13);
    for (text, gate) in all {
        let mnemonic = Mnemonic::find(&text).unwrap_or_else(|| panic!("PTX has no `{text}`"));
        for &(chip, _) in TARGETS {
            let sm: Sm = chip.parse().expect("a chip");
            // The tables also know since when there is the chip.
            let said = gate.required_version(sm);
            let said = said.map(|since| since.max(sm.first_version()));
            assert_eq!(mnemonic.needs(sm, None).ok(), said, "{text} on {chip}");
        }
    }
}

/// The assembler's routines for the barriers of a block, 160 by a pattern: each is one instruction on its barrier.
#[test]
fn named_barriers_of_the_assembler_are_barriers() {
    let (mut text, mut wanted) = (HEAD.to_owned(), Vec::new());
    for (what, result, param) in [
        ("sync", "void", ""),
        ("arrive", "void", ""),
        ("red_and", "i32", "i32 %p"),
        ("red_or", "i32", "i32 %p"),
        ("red_popc", "i32", "i32 %p"),
    ] {
        for number in 0..16 {
            for count in ["", "_cnt"] {
                let name = format!("__cuda_sm70_barrier_{what}_{number}{count}");
                let count = if count.is_empty() { "" } else { "i32 %n" };
                let params = [count, param].into_iter().filter(|param| !param.is_empty());
                let args = params.collect::<Vec<_>>().join(", ");
                let types = args.replace(" %n", "").replace(" %p", "");
                let (keep, give) = match result {
                    "void" => ("", "ret void"),
                    _ => ("%r = ", "ret i32 %r"),
                };
                let _ = write!(
                    text,
                    "declare {result} @{name}({types})\n\
                     define {result} @call_{what}_{number}{}(i32 %n, i32 %p) {{\n  \
                     {keep}call {result} @{name}({args})\n  {give}\n}}\n",
                    if count.is_empty() { "" } else { "_cnt" }
                );
                wanted.push((what.replace('_', "."), number));
            }
        }
    }
    assert_eq!(wanted.len(), 160);
    for chip in ["sm_70", "sm_90"] {
        let ptx = compile(&text, chip).unwrap_or_else(|(_, why)| panic!("{why}"));
        let barriers: Vec<&str> = ptx
            .lines()
            .filter_map(|line| line.trim().strip_prefix("barrier."))
            .collect();
        assert_eq!(barriers.len(), wanted.len());
        for (line, (what, number)) in barriers.iter().zip(&wanted) {
            let (mnemonic, operands) = line.split_once(' ').expect("operands");
            let operands = operands.trim_end_matches(';').split(", ");
            let has_number = operands
                .clone()
                .any(|operand| operand == number.to_string());
            assert!(mnemonic.starts_with(what) && has_number, "{line}");
        }
        let problem = assemble(&ptx, chip);
        assert!(problem.is_none(), "{}", problem.unwrap_or_default());
    }
}

/// What ptxas says against a module; nothing where there is no ptxas.
fn assemble(ptx: &str, chip: &str) -> Option<String> {
    let ptxas = project::ptxas(chip)?;
    let folder = Folder::new("sync");
    let (input, output) = (folder.file("k.ptx", ptx), folder.join("k.cubin"));
    let run = Command::new(&ptxas)
        // ptxas 13.4 crashes on `mbarrier.test_wait` for sm_80 with any optimisation.
        .args(["-O0", "-arch", chip, "-o"])
        .args([&output, &input])
        .output();
    let run = run.expect("ptxas runs");
    if run.status.success() {
        return None;
    }
    let said = String::from_utf8_lossy(&run.stderr).into_owned();
    Some(format!("ptxas for {chip}: {said}"))
}

#[test]
fn special_registers_are_read_under_their_names() {
    let mut read = 0;
    for intrinsic in intrinsics() {
        let Some(name) = intrinsic.name.strip_prefix("llvm.nvvm.read.ptx.sreg.") else {
            continue;
        };
        // The last part of a vector stays after a dot; the parts of a name are joined in PTX.
        let register = match name.rsplit_once('.') {
            Some((vector, part @ ("x" | "y" | "z" | "w"))) => {
                format!("%{}.{part}", vector.replace('.', "_"))
            }
            _ => format!("%{}", name.replace('.', "_")),
        };
        // The size of a warp is a constant.
        let source = if name == "warpsize" { "32" } else { &register };
        let text = format!("{HEAD}{}{}", intrinsic.declaration(), intrinsic.kernel("k"));
        let ptx = compile(&text, "sm_100a").unwrap_or_else(|(_, why)| panic!("{name}: {why}"));
        let bits = if intrinsic.results[0] == "i64" {
            64
        } else {
            32
        };
        let reads = ptx.lines().any(|line| {
            let words: Vec<&str> = line.split([' ', '\t', ',', ';']).collect();
            let is_move = words.iter().any(|word| word.starts_with("mov."));
            is_move
                && words.contains(&source)
                && words.iter().any(|word| word.ends_with(&bits.to_string()))
        });
        // A constant needs no move of its own.
        let reads = reads || name == "warpsize" && ptx.contains(", 32;");
        assert!(reads, "{name} does not read {source} in\n{ptx}");
        read += 1;
    }
    println!("{read} special registers");
    assert_eq!(read, 89);
}
