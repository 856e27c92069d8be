//! The tasks of `./x`, with their help: a few by themselves, the others in groups by subject.

use crate::project::Outcome;
use crate::{
    atomics, attack, bench, builtins, capi, clients, corpus, findings, fuzz, hw, ll, mlir, mutants,
    oracle, python, same_code, sass, test,
};

/// One thing that `./x` does.
pub struct Task {
    /// Its name in the group, or on the command line.
    pub name: &'static str,
    /// What may come after the name.
    pub arguments: &'static str,
    /// What it does; further lines are about its options.
    pub help: &'static str,
    /// Does it, with the words after the name.
    pub run: fn(&[String]) -> Outcome,
}

/// Tasks of one subject: `./x GROUP TASK`.
pub struct Group {
    /// The first word.
    pub name: &'static str,
    /// The subject.
    pub about: &'static str,
    /// The tasks, in the order of the help.
    pub tasks: &'static [Task],
}

/// The tasks without a group.
pub const TASKS: &[Task] = &[
    Task {
        name: "setup",
        arguments: "",
        help: "fetch the reference tools (CUDA, Triton, Numba) into target/oracle, clang and LLVM from packages",
        run: |_| oracle::setup(),
    },
    Task {
        name: "test",
        arguments: "[--quick]",
        help: "everything: format, lints, docs, tools, corpus, all tests
--quick: no network, no tools; tests replay recorded answers",
        run: test::test,
    },
    Task {
        name: "bless",
        arguments: "[FILTER]",
        help: "rewrite the expectations of file tests after an intended change",
        run: test::bless,
    },
    Task {
        name: "bench",
        arguments: "[PART]",
        help: "measure against ptxas and LLVM and write docs/benchmarks.md
PART (compile, ll, bitcode, builtins, sass, assemble, assemble sizes): only that part; nothing is written",
        run: bench::bench,
    },
    Task {
        name: "corpus",
        arguments: "[FILTER]",
        help: "make the corpus of PTX and LLVM IR in target/corpus (only what is missing or out of date;
FILTER `ll/`: only the LLVM IR)
--all: all of the LLVM IR; without it a sample, which is what `test` makes
--record: also refresh the recorded subsets in tests/corpus/ptx, tests/corpus/ll and tests/kernels/ptx
(FILTER `kernels/`: only these)",
        run: corpus::corpus,
    },
    Task {
        name: "mlir",
        arguments: "",
        help: "compare what we and MLIR's tools make of the modules in tests/mlir, and record it",
        run: mlir::mlir,
    },
    Task {
        name: "hw",
        arguments: "",
        help: "make target/hw, the runner to be carried to a machine with a GPU
--bench: make target/hw-bench, to time kernels by our code and ptxas's there
--record DIR: keep the answers it brought back in tests/hardware",
        run: hw::hw,
    },
    Task {
        name: "clients",
        arguments: "",
        help: "build programs with nvcc and clang and kernels with Triton, with our ptxas, into target/clients",
        run: clients::clients,
    },
    Task {
        name: "capi",
        arguments: "[FOLDER]",
        help: "build the C API and install libwarpc.so, libwarpc.a, warpc.h and warpc.pc under FOLDER (default target/capi)",
        run: capi::capi,
    },
    Task {
        name: "python",
        arguments: "",
        help: "lint, build, install and test the Python package (target/python), with the Numba and Triton of `setup`",
        run: python::python,
    },
    Task {
        name: "fuzz",
        arguments: "[SECONDS]",
        help: "run the fuzz targets (default 600 seconds)",
        run: fuzz::fuzz,
    },
];

/// The tasks in groups.
pub const GROUPS: &[Group] = &[
    Group {
        name: "ptx",
        about: "PTX: our reader, verifier and printer against ptxas",
        tasks: PTX,
    },
    Group {
        name: "ll",
        about: "LLVM IR: our reader and our compiler against LLVM and ptxas",
        tasks: LL,
    },
    Group {
        name: "atomics",
        about: "the memory order of atomics: every atomic of LLVM IR on every chip through the judge",
        tasks: ATOMICS,
    },
    Group {
        name: "findings",
        about: "what `warpc run` finds in wrong kernels",
        tasks: FINDINGS,
    },
    Group {
        name: "sass",
        about: "machine code: our tables against ptxas and nvdisasm",
        tasks: SASS,
    },
];

const PTX: &[Task] = &[
    Task {
        name: "mutants",
        arguments: "",
        help: "make the wrong-PTX collection tests/oracle/mutants.* with ptxas's verdicts",
        run: mutants::mutants,
    },
    Task {
        name: "same",
        arguments: "",
        help: "compare what ptxas makes of the corpus and of our print of it",
        run: |_| same_code::same_code(),
    },
];

const LL: &[Task] = &[
    Task {
        name: "compile",
        arguments: "[FILTER] [--arch sm_90]",
        help: "compile the GPU modules of the corpus for every chip and have ptxas judge the PTX",
        run: ll::compile::compile,
    },
    Task {
        name: "nvptx",
        arguments: "[FILTER]",
        help: "compile LLVM's own tests of its back end with our compiler and with llc, and have ptxas judge both
--with P: our compiler is the program P (else a release build)",
        run: ll::nvptx::nvptx,
    },
    Task {
        name: "functions",
        arguments: "[FILTER]",
        help: "run every function of LLVM's own tests that can be called with numbers and buffers, beside
llc's code for the GPU and for the host
--sample N: some of them (--seed S chooses which)",
        run: attack::functions,
    },
    Task {
        name: "attack",
        arguments: "[N]",
        help: "run N generated programs that know what they compute, and a thousand in C++ beside the host,
from -O0, -O2 and -O3 for four chips (default 20000)",
        run: attack::attack,
    },
    Task {
        name: "builtins",
        arguments: "",
        help: "compile calls of every NVVM builtin for every chip and have ptxas judge the PTX;
target/builtins/kernels is for `warpc-hw kernels --dir`
--record: ask nvcc again what it makes of the functions of CUDA that stand for them",
        run: builtins::builtins,
    },
    Task {
        name: "abi",
        arguments: "[N]",
        help: "compare the parameters and results that our compiler and llc declare for functions of random types,
in N modules (default 10)
--with P: our compiler is the program P (else a release build)",
        run: ll::abi::abi,
    },
    Task {
        name: "debug",
        arguments: "[FILTER]",
        help: "compare the debug information that ptxas makes of our PTX and of llc's, and our code with and without it
--with P: our compiler is the program P (else a release build)",
        run: ll::debug::debug,
    },
    Task {
        name: "quality",
        arguments: "[FILTER]",
        help: "compare registers and instructions of our code and of llc's after ptxas -O3",
        run: ll::quality::quality,
    },
    Task {
        name: "same",
        arguments: "[FILTER]",
        help: "compare what LLVM reads from the LLVM IR of the corpus and from our print of it
--self: LLVM's own print in the place of ours: a check of the method",
        run: ll::same::same,
    },
    Task {
        name: "bitcode",
        arguments: "[FILTER]",
        help: "compare what we read from the bitcode that LLVM 14, 19 and 22 make of the LLVM IR of the corpus with
what we read from the text that their llvm-dis makes of it",
        run: ll::bitcode::bitcode,
    },
    Task {
        name: "bitcode-write",
        arguments: "[FILTER]",
        help: "compare what LLVM 22 reads from our bitcode and from our text of the LLVM IR of the corpus; have LLVM 14
and libNVVM judge our bitcode of LLVM 7",
        run: ll::bitcode_write::bitcode_write,
    },
    Task {
        name: "mutants",
        arguments: "",
        help: "make the wrong-LLVM-IR collection tests/oracle/ll_mutants.* with LLVM's verdicts
--seed N: instead judge a fresh set by chance, by LLVM and by us (--count N of them)",
        run: ll::mutants::mutants,
    },
    Task {
        name: "link",
        arguments: "",
        help: "make the sets of modules tests/oracle/ll_link.gz with what llvm-link makes of them",
        run: ll::link::link,
    },
    Task {
        name: "programs",
        arguments: "[N]",
        help: "make N random programs in LLVM IR and record in tests/oracle/ll_programs.* what LLVM's code
for them writes (default 1600)",
        run: ll::programs::programs,
    },
    Task {
        name: "kernels",
        arguments: "[--record]",
        help: "make the kernel suites with clang, our compiler and llc in target/ll_kernels",
        run: ll::kernels::kernels,
    },
    Task {
        name: "atomics",
        arguments: "",
        help: "make kernels that contend for memory with nvcc, our compiler and llc in target/ll_atomics",
        run: ll::atomics::atomics,
    },
    Task {
        name: "triton",
        arguments: "",
        help: "make Triton's kernels with Triton and our compiler in target/ll_triton
--record: keep those for sm_80 in tests/kernels/triton, for the emulator",
        run: ll::triton::triton,
    },
];

const ATOMICS: &[Task] = &[
    Task {
        name: "judge",
        arguments: "",
        help: "judge the memory order of every atomic of LLVM IR on every chip, and have ptxas judge the PTX;
then the same as `machine`",
        run: |args| atomics::alone(args, atomics::judge),
    },
    Task {
        name: "machine",
        arguments: "",
        help: "judge the machine code that ptxas makes of builtins, intrinsics, MLIR and inline PTX",
        run: |args| atomics::alone(args, atomics::machine),
    },
    Task {
        name: "damage",
        arguments: "",
        help: "put mistakes into PTX whose machine code is right and see whether the judge notices",
        run: |args| atomics::alone(args, atomics::damage),
    },
    Task {
        name: "record",
        arguments: "",
        help: "ask ptxas again what it makes of PTX whose strength is known",
        run: |args| atomics::alone(args, atomics::record),
    },
    Task {
        name: "mutants",
        arguments: "",
        help: "make mistakes in the source of the compiler and see whether the judge notices",
        run: |args| atomics::alone(args, atomics::mutants),
    },
    Task {
        name: "llc",
        arguments: "",
        help: "have it judge what llc-22 makes of a sample",
        run: |args| atomics::alone(args, atomics::llc),
    },
];

const FINDINGS: &[Task] = &[Task {
    name: "mutants",
    arguments: "[FILTER] [--seed S] [--count N]",
    help: "put mistakes into right kernels (barriers, fences, waits, masks, scopes, orders) and see what `warpc run` finds
(default 200 mutants with seed 1; FILTER: those whose file, kernel or kind contains it)
--keep DIR: write the mutants and what became of each; --record: write the table to docs/findings.md",
    run: findings::mutants,
}];

const SASS: &[Task] = &[
    Task {
        name: "compare",
        arguments: "[CHIP...]",
        help: "compare our reading of what ptxas makes of the corpus, on every chip, with nvdisasm's",
        run: sass::compare_tables,
    },
    Task {
        name: "record",
        arguments: "[CHIP...]",
        help: "the same, and rewrite tests/encodings and the table in docs/sass.md",
        run: sass::record_tables,
    },
    Task {
        name: "listing",
        arguments: "[CHIP...]",
        help: "compare whole listings, line for line",
        run: sass::listings,
    },
    Task {
        name: "round-trip",
        arguments: "[CHIP...]",
        help: "take the whole corpus through text and back to the same bytes",
        run: sass::round_trips,
    },
    Task {
        name: "sample",
        arguments: "",
        help: "what `test` does of these: a few cubins of each chip",
        run: sass::sample,
    },
    Task {
        name: "latency",
        arguments: "[CHIP...]",
        help: "hold the scheduling facts against ptxas's stall counts and scoreboards
--record: keep the figures for the tests and in docs/latency.md (--cubins FOLDER: those of FOLDER/CHIP)",
        run: sass::latency::latency,
    },
    Task {
        name: "check",
        arguments: "[CHIP...]",
        help: "judge the schedule and convergence of ptxas's code, and damage it: what is noticed
--record: write the figures to docs/checkers.md (--cubins FOLDER: those of FOLDER/CHIP; --survivors N: print what is not)",
        run: sass::check::check,
    },
    Task {
        name: "mutants",
        arguments: "",
        help: "damage our own machine code: what the judges and the emulator of machine code notice
--record: write the figures to docs/checkers.md (--tried N: damages of each kind; --survivors N: print what is not)",
        run: sass::mutants::mutants,
    },
    Task {
        name: "quality",
        arguments: "[FILTER]",
        help: "compare registers, spills and instructions of recorded PTX on sm_90a with ptxas -O3's
--all: of target/corpus, too; --with P: our assembler is the program P (else a checked build)",
        run: sass::quality::quality,
    },
    Task {
        name: "sim",
        arguments: "[CHIP]",
        help: "run ptxas's code of the corpus on the emulator of machine code (sm_90a), and compare with that of PTX",
        run: sass::sim::sim,
    },
    Task {
        name: "random",
        arguments: "[--programs N] [--seed S]",
        help: "assemble random programs in PTX in every way and run them on the emulators (default 1000)
--keep DIR: write those that fail, whole and reduced",
        run: sass::random,
    },
    Task {
        name: "attributes",
        arguments: "",
        help: "compare what our cubins say of the corpus's kernels with what ptxas's say (.nv.info), attribute by attribute",
        run: sass::attributes,
    },
    Task {
        name: "textures",
        arguments: "",
        help: "record what ptxas makes of instructions on textures and surfaces, tests/oracle/textures.tsv.gz",
        run: sass::record_textures,
    },
    Task {
        name: "facts",
        arguments: "",
        help: "record what ptxas says about kernels with collectives and mbarriers, tests/oracle/kernel_facts.tsv.gz",
        run: sass::record_facts,
    },
    Task {
        name: "wiring",
        arguments: "",
        help: "record where ptxas takes the operands of synchronisation, tests/oracle/sass_wiring.tsv.gz",
        run: sass::wiring::wiring,
    },
    Task {
        name: "fuzz",
        arguments: "",
        help: "compare a million variations of known instructions with nvdisasm (--chip sm_90a, --words N, --seed S,
--opcode 981, --from FILE, --all)",
        run: sass::fuzz::fuzz,
    },
];
