//! An open compiler back end for NVIDIA GPUs, as a library.
//!
//! ```text
//!   Source (a name and bytes) ─┬─compile──────► Ptx        LLVM IR, with the feature `mlir` MLIR
//!                              ├─emit─────────► bytes      what can be compiled or assembled, by name
//!                              ├─replace_builtins, link ► Llvm
//!                              ├─check────────► Checked    any input
//!                              ├─format───────► bytes      PTX
//!                              ├─assemble─────► Cubin      assembly texts             ┐ feature `sass`
//!                              ├─disassemble──► text       cubins and fatbins         ┘
//!                              └─run, load────► Ran        any input                  features `sim`, `driver`
//!   SourceFile ─judge_litmus─► Verdict   litmus tests                                   feature `litmus`
//! ```
//!
//! Every function takes a [`Source`] and the [`Options`] and gives an [`Output`]: a value, or none if there are errors, and
//! [`Diagnostics`], which know what input they are about and print themselves as rustc prints them. Nothing is read from
//! or written to files unless [`Source::read`] is called.
//!
//! ```
//! use warpc::{Options, Source};
//!
//! let text = "define ptx_kernel void @k(ptr addrspace(1) %p) {
//!   %old = atomicrmw add ptr addrspace(1) %p, i32 1 acq_rel
//!   ret void
//! }";
//! let source = Source::new("k.ll", text)?;
//! let output = warpc::compile(&source, &Options::new("sm_90".parse()?));
//! eprint!("{}", output.diagnostics);
//! let ptx = output.value.expect("no errors").to_string();
//! assert!(ptx.contains("red.acq_rel.sys.global.add.u32") || ptx.contains("atom.acq_rel.sys.global.add.u32"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Whatever the input, there is an answer: a panic of any stage is caught at this door and reported as the diagnostic
//! `W0999`. This is the one crate that chains stages; each stage is a crate of its own, and the main ones are reachable
//! from here ([`ptx`], [`nvvm`], [`target`], [`diag`] …).
//!
//! Features: `litmus` judges litmus tests, `mlir` reads MLIR, `sass` reads and writes machine code, `sim` runs kernels on the emulator, `driver` runs them
//! on a GPU. None is on unless it is asked for.

mod archive;
mod check;
mod compile;
mod door;
mod emit;
mod failure;
mod fingerprint;
mod format;
#[cfg(feature = "litmus")]
mod judge;
mod link;
mod llvm;
#[cfg(feature = "sass")]
mod machine;
mod mode;
mod module;
mod modules;
mod observe;
mod options;
mod produce;
#[cfg(feature = "sass")]
mod routines;
#[cfg(any(feature = "sim", feature = "driver"))]
mod run;
mod setting;
mod source;
mod target_cpu;

pub use check::check;
pub use compile::{compile, compile_observed, pass_names, replace_builtins};
pub use emit::{Emit, UnknownEmit, emit};
pub use failure::note_places_of_failures;
pub use fingerprint::{Fingerprint, fingerprint};
pub use format::format;
#[cfg(feature = "litmus")]
pub use judge::judge_litmus;
pub use link::link;
pub use llvm::Part;
#[cfg(feature = "sass")]
pub use machine::{
    assemble, assemble_observed, disassemble, machine_pass_names, optional_pass_names,
    reassemblable,
};
pub use mode::{Mode, ModeError, Product};
pub use module::{Checked, Llvm, Ptx};
pub use observe::Observer;
pub use options::{
    AssemblerOptions, FormatOptions, LinkOptions, ListingOptions, LtoOptions, MemoryModel, Options,
    Place, Races, RunOptions,
};
pub use produce::{Produced, produce, produce_parts};
#[cfg(any(feature = "sim", feature = "driver"))]
pub use run::{
    Buffer, Carried, Check, Done, Explored, LeftOut, Program, Ran, SeedFinding, Session, Why, load,
    run,
};
#[cfg(feature = "sim")]
pub use run::{ScheduleFinding, Searched};
pub use setting::{BadSetting, SETTINGS, Setting};
pub use source::{Kind, Source, SourceError};

#[cfg(feature = "sass")]
pub use warpc_cubin as cubin;
pub use warpc_diag as diag;
pub use warpc_diag::{Diagnostic, Diagnostics, Output, Severity};
#[cfg(any(feature = "sim", feature = "driver"))]
pub use warpc_launch as launch;
#[cfg(feature = "litmus")]
pub use warpc_litmus as litmus;
pub use warpc_lower::Atomics;
pub use warpc_nvvm as nvvm;
pub use warpc_nvvm::{BitcodeDialect, BitcodeOptions};
pub use warpc_nvvm_to_ptx::Assembler as PtxFor;
pub use warpc_ptx as ptx;
#[cfg(feature = "sass")]
pub use warpc_ptx_to_sass::lower::load_store::CacheOperator;
#[cfg(feature = "sass")]
pub use warpc_ptx_to_sass::{
    BadKnob, Bounds, CacheDefault, ChosenPasses, FunctionUsage, Knobs, PHASES, Phase, SyncMode,
    UnknownPass, Usage,
};
#[cfg(any(feature = "sim", feature = "driver"))]
pub use warpc_request as request;
#[cfg(feature = "sass")]
pub use warpc_sass as sass;
#[cfg(feature = "sass")]
pub use warpc_sass_sim as sass_sim;
#[cfg(all(feature = "sim", feature = "sass"))]
pub use warpc_sass_sim::Cycles;
#[cfg(feature = "sass")]
pub use warpc_sass_text as sass_text;
#[cfg(feature = "sim")]
pub use warpc_sim as sim;
pub use warpc_target as target;
pub use warpc_target::{PtxVersion, Sm};

/// The Rust of the README, which is compiled and run with the other examples.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

/// The same for the page about the library.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/library.md")]
struct LibraryPage;
