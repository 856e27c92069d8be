//! Kernels, run on the emulator or on a GPU.
//!
//! ```text
//!   Source ──load──► Program ──run(launch, buffers)──► Ran        (or findings, shown in the source)
//!                       │
//!                       │      session(buffers)──► Session: launches in order on the same memory
//!                       ├─ PTX: the emulator of PTX, or the driver
//!                       └─ a cubin (feature `sass`): the emulator of machine code, or the driver
//! ```

mod carry_out;
#[cfg(feature = "sim")]
mod emulator;
#[cfg(feature = "sim")]
mod explore;
#[cfg(feature = "driver")]
mod gpu;
mod left_out;
#[cfg(feature = "sass")]
mod machine;
mod session;
mod types;

use crate::check::check_ptx;
use crate::compile::to_ptx;
use crate::door::enter;
pub use carry_out::{Carried, Done, Explored, SeedFinding};
#[cfg(feature = "sim")]
pub use explore::{ScheduleFinding, Searched};
pub use left_out::{Check, LeftOut, Why};
pub use session::Session;

use crate::{Kind, Observer, Options, Ptx, Source};
use std::time::Duration;
use warpc_diag::{Diagnostics, Output, SourceFile, Span};
use warpc_launch::{Launch, Shape};
use warpc_request::{Request, Signature};

/// A module that is ready to run.
#[derive(Debug)]
pub struct Program {
    source: Source,
    code: Code,
}

/// What a program is made of.
#[derive(Debug)]
enum Code {
    Ptx(Box<Ptx>),
    #[cfg(feature = "sass")]
    Machine(Box<warpc_cubin::Cubin>),
}

/// A buffer that a kernel gets the address of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Buffer {
    /// What findings call it.
    pub name: String,
    /// Its contents before the launch.
    pub bytes: Vec<u8>,
}

/// A launch that came to its end.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Ran {
    /// The buffers afterwards, in their order.
    pub buffers: Vec<Vec<u8>>,
    /// What the kernel printed. What a real GPU prints goes to standard output.
    pub printed: Vec<u8>,
    /// Blocks in x, y and z.
    pub grid: [u32; 3],
    /// Threads of a block in x, y and z.
    pub block: [u32; 3],
    /// Blocks of a cluster in x, y and z; all 1 where there are no clusters.
    pub cluster: [u32; 3],
    /// Bytes of static shared memory that a block has.
    pub static_shared: u64,
    /// Where it ran, in words.
    pub place: String,
    /// The chip.
    pub chip: String,
    /// How long it took.
    pub time: Duration,
    /// Findings of the emulator that did not end the launch: warnings, and in [`Done`] races, too.
    pub warnings: Diagnostics,
    /// What the emulator did not look for; empty where it looked for everything, and for launches on a GPU.
    pub left_out: Vec<LeftOut>,
    /// What the emulator counted.
    #[cfg(feature = "sim")]
    pub report: Option<warpc_sim::Report>,
    /// Cycles by the stall counts and waits of the code, if it was machine code on the emulator.
    #[cfg(all(feature = "sim", feature = "sass"))]
    pub cycles: Option<warpc_sass_sim::Cycles>,
}

impl Ran {
    /// A launch that ended in this shape, with nothing in it yet.
    fn new(shape: &Shape<'_>, place: String, chip: String, time: Duration) -> Ran {
        Ran {
            grid: shape.grid,
            block: shape.block,
            cluster: shape.cluster,
            static_shared: shape.static_shared,
            place,
            chip,
            time,
            ..Ran::default()
        }
    }
}

/// Runs a kernel of a module once: PTX, LLVM IR, MLIR, or with the feature `sass` machine code. `buffers` are what the launch's arguments call by number.
///
/// ```
/// # #[cfg(feature = "sim")] {
/// use warpc::{Options, Source};
/// use warpc::launch::{Argument, Launch};
///
/// let text = "define ptx_kernel void @k(ptr addrspace(1) %p) {\n  store i32 7, ptr addrspace(1) %p\n  ret void\n}\n";
/// let launch = Launch {
///     kernel: "k".to_owned(),
///     grid: [1; 3],
///     block: [1; 3],
///     cluster: None,
///     dynamic_shared: 0,
///     cooperative: false,
///     arguments: vec![Argument::Buffer(0)],
/// };
/// let source = Source::new("k.ll", text).unwrap();
/// let ran = warpc::run(&source, &launch, &[vec![0; 4]], &Options::default());
/// assert_eq!(ran.value.unwrap().buffers, [[7, 0, 0, 0]]);
/// # }
/// ```
pub fn run(
    source: &Source,
    launch: &Launch,
    buffers: &[Vec<u8>],
    options: &Options,
) -> Output<Ran> {
    let buffers = buffers.iter().enumerate().map(|(number, bytes)| Buffer {
        name: format!("buffer {number}"),
        bytes: bytes.clone(),
    });
    let buffers: Vec<Buffer> = buffers.collect();
    load(source, options).and_then(|program| program.run(launch, &buffers, options, &mut ()))
}

/// Makes a module ready to run: PTX is checked, LLVM IR and MLIR are compiled. Instructions remember where they came from,
/// so what goes wrong is shown in the source, and where that has debug information, in its own source, too. Cubins are
/// verified, assembly texts assembled; of a fatbin, the cubin for the chip of the options is taken, or the only one.
pub fn load(source: &Source, options: &Options) -> Output<Program> {
    let code = enter(source, || match source.kind() {
        Kind::Ptx => check_ptx(source).map(|ptx| Code::Ptx(Box::new(ptx))),
        Kind::Llvm | Kind::Mlir => {
            let mut options = options.clone();
            options.lineinfo = true;
            let ptx = to_ptx(source, &options, &mut ()).and_then(|mut ptx| {
                let found = warpc_ptx::settle(&mut ptx.module);
                Output::new(ptx, found)
            });
            ptx.map(|ptx| Code::Ptx(Box::new(ptx)))
        }
        #[cfg(feature = "sass")]
        Kind::Cubin | Kind::Fatbin | Kind::Sass => {
            machine::load(source, options).map(|cubin| Code::Machine(Box::new(cubin)))
        }
        #[cfg(not(feature = "sass"))]
        Kind::Cubin | Kind::Fatbin | Kind::Sass => crate::door::left_out("cubins", "sass"),
    });
    code.map(|code| Program {
        source: source.clone(),
        code,
    })
}

impl Program {
    /// The PTX, unless it is machine code.
    pub fn ptx(&self) -> Option<&Ptx> {
        match &self.code {
            Code::Ptx(ptx) => Some(ptx),
            #[cfg(feature = "sass")]
            Code::Machine(_) => None,
        }
    }

    /// What it is, in words: `PTX 8.0 for sm_90`.
    pub fn words(&self) -> String {
        match &self.code {
            Code::Ptx(ptx) => format!("PTX {} for {}", ptx.module.version, ptx.module.sm),
            #[cfg(feature = "sass")]
            Code::Machine(cubin) => machine::words(cubin),
        }
    }

    /// The kernels that can be launched and what they take, in order.
    pub fn kernels(&self) -> Vec<Signature> {
        self.kernels_typed_by(&self.source)
    }

    /// The same, with the types that the parameters have in the LLVM IR or MLIR that the program was made from: PTX and
    /// machine code declare most of them as bits.
    pub fn kernels_typed_by(&self, origin: &Source) -> Vec<Signature> {
        let mut signatures = self.signatures();
        types::refine(&mut signatures, origin);
        signatures
    }

    fn signatures(&self) -> Vec<Signature> {
        match &self.code {
            Code::Ptx(ptx) => {
                let kernels = warpc_launch::kernels(&ptx.module);
                let signature = |kernel| Signature::of_ptx(&ptx.module, kernel);
                kernels.map(signature).collect()
            }
            #[cfg(feature = "sass")]
            Code::Machine(cubin) => machine::signatures(cubin),
        }
    }

    /// Fits a launch that is given as text to a kernel of the program.
    pub fn request(&self, options: &warpc_request::Options) -> Result<Request, Diagnostics> {
        let request = match &self.code {
            Code::Ptx(ptx) => Request::new(&ptx.module, options),
            #[cfg(feature = "sass")]
            Code::Machine(cubin) => machine::request(cubin, options),
        };
        request.map_err(|refused| self.in_source(refused))
    }

    /// Runs a kernel once, where the options say; [`Program::session`] runs several on the same memory.
    pub fn run(
        &self,
        launch: &Launch,
        buffers: &[Buffer],
        options: &Options,
        observer: &mut dyn Observer,
    ) -> Output<Ran> {
        if let Err(missing) = launch.check_buffers(buffers.len()) {
            return Output::failed(missing);
        }
        self.session(buffers, options).and_then(|mut session| {
            let mut output = session.launch(launch, observer);
            if let Some(ran) = &mut output.value {
                ran.warnings.append(session.left_over());
                output.diagnostics = ran.warnings.clone();
            }
            output
        })
    }

    /// The same with places that fit the source.
    pub fn in_source(&self, mut found: Diagnostics) -> Diagnostics {
        // The first letter of a statement is all that code made of LLVM IR or MLIR remembers.
        if matches!(self.source.kind(), Kind::Llvm | Kind::Mlir) {
            found.move_spans(|span| statement(self.source.file(), span));
        }
        found.in_file(&self.source.shown());
        found
    }
}

/// From a place to the end of the statement there, without what is said about it: metadata, locations, comments.
fn statement(file: &SourceFile, span: Span) -> Span {
    // Nowhere in particular.
    if span.start == span.end {
        return span;
    }
    let rest = file.slice(Span::new(span.start, u32::MAX));
    let line = rest.split(|&byte| byte == b'\n').next().unwrap_or(rest);
    let line = String::from_utf8_lossy(line);
    let ends = [", !", " ;", " loc(", " //"];
    let end = ends.iter().filter_map(|mark| line.find(mark)).min();
    let text = line[..end.unwrap_or(line.len())]
        .trim_end()
        .trim_end_matches('{');
    Span::new(span.start, span.start + text.trim_end().len().max(1) as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(feature = "sim")]
    #[test]
    fn addresses_that_cannot_be_are_refused() {
        use warpc_launch::Argument;
        let text =
            "define ptx_kernel void @k(ptr addrspace(1) %p, {i64, i64} %s) {\n  ret void\n}\n";
        let source = Source::new("k.ll", text).expect("a short text");
        let refused = |pointer: usize, addresses: &[(usize, usize)]| {
            let structure = Argument::Struct {
                bytes: vec![0; 16],
                addresses: addresses.to_vec(),
                maps: vec![],
            };
            let launch = Launch {
                kernel: "k".to_owned(),
                grid: [1; 3],
                block: [1; 3],
                cluster: None,
                dynamic_shared: 0,
                cooperative: false,
                arguments: vec![Argument::Buffer(pointer), structure],
            };
            let ran = run(&source, &launch, &[vec![0; 4]], &Options::default());
            assert_eq!(ran.value.is_none(), ran.diagnostics.has_errors());
            ran.diagnostics.to_string()
        };
        assert_eq!(refused(0, &[(0, 0), (8, 0)]), "");
        let shown = refused(9, &[]);
        assert!(
            shown.contains("argument 0 is the address of buffer 9, and there is 1 buffer"),
            "{shown}"
        );
        let shown = refused(0, &[(0, 1)]);
        assert!(
            shown.contains("argument 1 is the address of buffer 1"),
            "{shown}"
        );
        for offset in [9, 16, usize::MAX] {
            let shown = refused(0, &[(offset, 0)]);
            assert!(shown.contains("error[W0702]"), "{shown}");
            assert!(
                shown.contains(&format!("at offset {offset}, and it has 16 bytes")),
                "{shown}"
            );
            assert!(shown.contains("help: an address takes 8 bytes"), "{shown}");
        }
    }

    #[test]
    fn statements_are_shown_whole() {
        let text = "  %x = load i32, ptr %p, !dbg !3\n  ret void ; the end\ndefine void @f() {\n";
        let file = SourceFile::new("k.ll", text).expect("a short text");
        let shown = |start: u32| {
            let span = statement(&file, Span::new(start, start + 1));
            String::from_utf8_lossy(file.slice(span)).into_owned()
        };
        assert_eq!(shown(2), "%x = load i32, ptr %p");
        assert_eq!(shown(35), "ret void");
        assert_eq!(shown(54), "define void @f()");
        assert_eq!(shown(500), "");
    }
}
