//! LLVM IR: real modules, and LLVM's own tools as the judge of them.
//!
//! ```text
//! corpus    tests/corpus, tests/kernels ─compilers─► target/corpus/ll/<producer>/<variant>/<name>.ll
//!                                                    target/corpus/ll/manifest.tsv (with LLVM's verdicts)
//! mutants   edits of small modules ─opt─► tests/oracle/ll_mutants.* (with LLVM's verdicts)
//! link      sets of modules ─llvm-link─► tests/oracle/ll_link.gz (with the linked modules)
//! programs  random programs ─llc, emulator─► tests/oracle/ll_programs.tsv.gz (with what they write)
//! compile   GPU modules ─warpc─► PTX ─ptxas─► accepted? (with llc's verdict where we refuse)
//! nvptx     LLVM's own tests ─warpc, llc─► PTX ─ptxas─► a table by subject
//! abi       functions of random types ─warpc, llc─► PTX: the same parameters and results?
//! debug     modules with full debug information ─warpc, llc─► PTX ─ptxas─► cubins: the same entries?
//! quality   registers and instructions of our code and of llc's after ptxas
//! kernels   the kernel suite ─clang─► tests/kernels/ll ─warpc, llc─► PTX to be run
//! atomics   kernels that contend ─nvcc; clang, warpc, llc─► PTX to be timed
//! triton    Triton's kernels ─Triton; warpc─► PTX to be run
//! bitcode   each module ─llvm-as 14, 19, 22─► bitcode ─warpc; llvm-dis, warpc─► the same text?
//! bitcode-write   each module ─warpc─► bitcode ─llvm-dis, libNVVM─► the same module, the same PTX?
//! same      each module, and our print of it ─llvm-as, llvm-dis─► the same text?
//! ```
//!
//! The judge is LLVM 22, the newest of the dialects; its reader takes the older ones, too.

pub mod abi;
pub mod atomics;
pub mod bitcode;
pub mod bitcode_write;
pub mod compile;
pub mod corpus;
pub mod debug;
pub mod gpu;
pub mod kernels;
pub mod link;
mod make;
pub mod manifest;
pub mod mutants;
pub mod nvptx;
pub mod programs;
pub mod quality;
pub mod read;
pub mod recipe;
pub mod record;
pub mod same;
pub mod triton;
