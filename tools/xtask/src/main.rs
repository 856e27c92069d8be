//! The project's task runner: `./x TASK`.
//!
//! It fetches the real tools we compare ourselves with (`oracle`), makes real PTX and LLVM IR with them (`corpus`, `ll`),
//! breaks it on purpose (`mutants`), and runs tests, benchmarks and fuzzing over the results. It
//! depends on none of the compiler's crates but the small ones of chips and machine code, so that it builds in seconds
//! and works while they do not.

mod atomics;
mod attack;
mod bench;
mod builtins;
mod corpus;
mod fuzz;
mod hw;
mod jobs;
mod ll;
mod mlir;
mod mutants;
mod oracle;
mod process;
mod project;
mod ptx_shape;
mod release;
mod same_code;
mod sass;
mod test;

use std::process::ExitCode;

const HELP: &str = "\
./x TASK [OPTIONS]

  setup             fetch the reference tools (CUDA, Triton, Numba) into target/oracle, clang and LLVM from packages
  test [--quick]    everything: format, lints, docs, tools, corpus, all tests
                    --quick: no network, no tools; tests replay recorded answers
  bless [FILTER]    rewrite the expectations of file tests after an intended change
  bench             measure against ptxas and LLVM and write docs/benchmarks.md
        compile     only from LLVM IR to PTX, against llc and libNVVM; nothing is written
  corpus [FILTER]   make the corpus of PTX and LLVM IR in target/corpus (only what is missing or out of date;
                    FILTER `ll/`: only the LLVM IR)
         --all      all of the LLVM IR; without it a sample, which is what `test` makes
         --record   also refresh the recorded subsets in tests/corpus/ptx, tests/corpus/ll and tests/kernels/ptx
                    (FILTER `kernels/`: only these)
  mutants           make the wrong-PTX collection tests/oracle/mutants.* with ptxas's verdicts
  ll-mutants        make the wrong-LLVM-IR collection tests/oracle/ll_mutants.* with LLVM's verdicts
         --seed N   instead judge a fresh set by chance, by LLVM and by us (--count N of them)
  ll-link           make the sets of modules tests/oracle/ll_link.gz with what llvm-link makes of them
  ll-programs [N]   make N random programs in LLVM IR and record in tests/oracle/ll_programs.* what LLVM's code
                    for them writes (default 1600)
  ll-functions [FILTER]
                    run every function of LLVM's own tests that can be called with numbers and buffers, beside
                    llc's code for the GPU and for the host
         --sample N some of them (--seed S says which)
  attack [N]        run N generated programs that know what they compute, and a thousand in C++ beside the host,
                    from -O0, -O2 and -O3 for four chips (default 20000)
  ll-compile [FILTER] [--arch sm_90]
                    compile the GPU modules of the corpus for every chip and have ptxas judge the PTX
  ll-nvptx [FILTER] compile LLVM's own tests of its back end with our compiler and with llc, and have ptxas judge both
           --with P our compiler is the program P (else a release build)
  ll-abi [N]        compare the parameters and results that our compiler and llc declare for functions of random types,
                    in N modules (default 10; --with P as above)
  ll-quality [FILTER]
                    compare registers and instructions of our code and of llc's after ptxas -O3
  ll-kernels [--record]
                    make the kernel suite with clang, our compiler and llc in target/ll_kernels
  ll-atomics        make kernels that contend for memory with nvcc, our compiler and llc in target/ll_atomics
  ll-triton         make Triton's kernels with Triton and our compiler in target/ll_triton
            --record
                    keep those for sm_80 in tests/kernels/triton, for the emulator
  builtins          compile calls of every NVVM builtin for every chip and have ptxas judge the PTX;
                    target/builtins/kernels is for `warpc-hw kernels --dir`
           --record ask nvcc again what it makes of the functions of CUDA that stand for them
  atomics           judge the memory order of every atomic of LLVM IR on every chip, and have ptxas judge the PTX;
                    judge the machine code that ptxas makes of builtins, intrinsics, MLIR and inline PTX, too
         --machine  only that machine code
         --damage   put mistakes into PTX whose machine code is right and see whether the judge notices
         --record   ask ptxas again what it makes of PTX whose strength is known
         --mutants  make mistakes in the source of the compiler and see whether the judge notices
         --llc      have it judge what llc-22 makes of a sample
  mlir              compare what we and MLIR's tools make of the modules in tests/mlir, and record it
  same-code         compare what ptxas makes of the corpus and of our print of it
  ll-same [FILTER]  compare what LLVM reads from the LLVM IR of the corpus and from our print of it
          --self    LLVM's own print in the place of ours: a check of the method
  sass [CHIP...]    compare our reading of what ptxas makes of the corpus, on every chip, with nvdisasm's
       record       also rewrite tests/encodings and the table in docs/sass.md
       latency      hold the scheduling facts against ptxas's stall counts and scoreboards
       listing      compare whole listings, line for line
       sample       what `test` does of both: a few cubins of each chip
       facts        record what ptxas says about kernels with collectives and mbarriers, tests/oracle/kernel_facts.tsv.gz
       fuzz         the same for a million variations of known instructions (--chip sm_90a, --words N, --seed S,
                    --opcode 981, --from FILE, --all)
  hw                make target/hw, the runner to be carried to a machine with a GPU
     --record DIR   keep the answers it brought back in tests/hardware
  fuzz [SECONDS]    run the fuzz targets (default 600 seconds)

  WARPC_JOBS=N      how many tools run at once (default: the number of cores)
";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (task, rest) = match args.split_first() {
        Some((task, rest)) => (task.as_str(), rest),
        None => {
            eprint!("{HELP}");
            return ExitCode::from(2);
        }
    };
    if matches!(task, "-h" | "--help" | "help") || rest.iter().any(|a| a == "-h" || a == "--help") {
        print!("{HELP}");
        return ExitCode::SUCCESS;
    }
    let result = match task {
        "setup" => oracle::setup(),
        "test" => test::test(rest),
        "bless" => test::bless(rest),
        "atomics" => atomics::atomics(rest),
        "attack" => attack::attack(rest),
        "bench" => bench::bench(rest),
        "corpus" => corpus::corpus(rest),
        "mutants" => mutants::mutants(rest),
        "same-code" => same_code::same_code(),
        "sass" => sass::sass(rest),
        "ll-mutants" => ll::mutants::mutants(rest),
        "ll-link" => ll::link::link(rest),
        "ll-programs" => ll::programs::programs(rest),
        "ll-functions" => attack::functions(rest),
        "ll-compile" => ll::compile::compile(rest),
        "ll-abi" => ll::abi::abi(rest),
        "ll-nvptx" => ll::nvptx::nvptx(rest),
        "ll-quality" => ll::quality::quality(rest),
        "ll-kernels" => ll::kernels::kernels(rest),
        "ll-atomics" => ll::atomics::atomics(rest),
        "ll-triton" => ll::triton::triton(rest),
        "builtins" => builtins::builtins(rest),
        "mlir" => mlir::mlir(rest),
        "ll-same" => ll::same::same(rest),
        "fuzz" => fuzz::fuzz(rest),
        "hw" => hw::hw(rest),
        _ => {
            eprint!("unknown task `{task}`\n\n{HELP}");
            return ExitCode::from(2);
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}
