//! A device with a program in it: launches one after the other on the same memory.
//!
//! ```text
//!   Program ──session(buffers)──► Session ──set(variable), launch──► Ran, variable ──► launch …
//! ```

use super::{Buffer, Code, Program, Ran};
use crate::door::enter;
use crate::{Observer, Options, Place};
use warpc_diag::{Diagnostic, Diagnostics, Output, Span, codes};
use warpc_launch::Launch;

/// A device with a program and buffers in it. Every launch finds memory as the one before left it.
pub struct Session<'p> {
    program: &'p Program,
    buffers: usize,
    on: Box<dyn Device + 'p>,
}

/// Where launches of a session run.
pub(super) trait Device {
    /// Runs a kernel.
    fn launch(&mut self, launch: &Launch, observer: &mut dyn Observer) -> Result<Ran, Diagnostics>;
    /// Lets a guide choose which thread comes next, from now on.
    #[cfg(feature = "sim")]
    fn follow(&mut self, _: warpc_sim::explore::Guide) -> Result<(), Diagnostics> {
        let message = "schedules are chosen on the emulator of PTX only";
        let error = Diagnostic::error(codes::NOT_EMULATED, Span::NOWHERE, message);
        Err(Diagnostics::of(
            error.help("run PTX, LLVM IR or MLIR, and without `--on gpu`"),
        ))
    }
    /// The guide back, with what the launches did.
    #[cfg(feature = "sim")]
    fn followed(&mut self) -> Option<warpc_sim::explore::Guide> {
        None
    }
    /// What the launches so far have left over that they should not have.
    fn left_over(&self) -> Diagnostics {
        Diagnostics::new()
    }
    /// The address of a buffer.
    fn address(&self, buffer: usize) -> u64;
    /// What a buffer holds.
    fn read(&mut self, buffer: usize) -> Result<Vec<u8>, Diagnostics>;
    /// Changes what it holds, from its start on.
    fn write(&mut self, buffer: usize, bytes: &[u8]) -> Result<(), Diagnostics>;
    /// What a variable of the program holds.
    fn variable(&self, name: &str) -> Result<Vec<u8>, Diagnostics>;
    /// Changes what it holds, from its start on.
    fn set(&mut self, name: &str, bytes: &[u8]) -> Result<(), Diagnostics>;
}

impl Program {
    /// A device with this program and these buffers, where the options say.
    pub fn session(&self, buffers: &[Buffer], options: &Options) -> Output<Session<'_>> {
        let on = enter(&self.source, || {
            let opened: Result<Box<dyn Device>, Diagnostics> = match (options.run.place, &self.code)
            {
                #[cfg(feature = "sim")]
                (Place::Emulator, Code::Ptx(ptx)) => Ok(Box::new(
                    super::emulator::OnEmulator::new(ptx, buffers, options),
                )),
                #[cfg(all(feature = "sim", feature = "sass"))]
                (Place::Emulator, Code::Machine(cubin)) => {
                    super::machine::OnMachine::open(cubin, buffers, options)
                        .map(|opened| Box::new(opened) as Box<dyn Device>)
                }
                #[cfg(feature = "driver")]
                (Place::Gpu, Code::Ptx(ptx)) => super::gpu::OnGpu::ptx(ptx, buffers)
                    .map(|opened| Box::new(opened) as Box<dyn Device>),
                #[cfg(all(feature = "driver", feature = "sass"))]
                (Place::Gpu, Code::Machine(cubin)) => super::gpu::OnGpu::cubin(cubin, buffers)
                    .map(|opened| Box::new(opened) as Box<dyn Device>),
                #[cfg(not(all(feature = "sim", feature = "driver")))]
                _ => {
                    let _ = buffers;
                    return match options.run.place {
                        Place::Emulator => crate::door::left_out("runs on the emulator", "sim"),
                        Place::Gpu => crate::door::left_out("runs on a GPU", "driver"),
                    };
                }
            };
            Output::from(opened.map_err(|found| self.in_source(found)))
        });
        on.map(|on| Session {
            program: self,
            buffers: buffers.len(),
            on,
        })
    }
}

#[cfg(feature = "sim")]
impl Session<'_> {
    /// Lets a guide choose which thread comes next, from now on.
    pub(super) fn follow(&mut self, guide: warpc_sim::explore::Guide) -> Result<(), Diagnostics> {
        self.on.follow(guide)
    }

    /// The guide back, with what the launches did.
    pub(super) fn followed(&mut self) -> Option<warpc_sim::explore::Guide> {
        self.on.followed()
    }
}

impl Session<'_> {
    /// Runs a kernel. `buffers` of what it gives are all of the session's.
    pub fn launch(&mut self, launch: &Launch, observer: &mut dyn Observer) -> Output<Ran> {
        if let Err(missing) = launch.check_buffers(self.buffers) {
            return Output::failed(missing);
        }
        let Session {
            program,
            on,
            buffers,
        } = self;
        enter(&program.source, || {
            let ran = on.launch(launch, observer).and_then(|mut ran| {
                ran.buffers = (0..*buffers)
                    .map(|one| on.read(one))
                    .collect::<Result<_, _>>()?;
                Ok(ran)
            });
            match ran {
                Ok(mut ran) => {
                    ran.warnings = program.in_source(std::mem::take(&mut ran.warnings));
                    let warnings = ran.warnings.clone();
                    Output::new(ran, warnings)
                }
                Err(found) => Output::failed(program.in_source(found)),
            }
        })
    }

    /// What the launches so far have left over that they should not have: memory of the heap that nothing freed.
    pub fn left_over(&self) -> Diagnostics {
        self.program.in_source(self.on.left_over())
    }

    /// Puts the address of a buffer into another one.
    pub fn point(
        &mut self,
        buffer: usize,
        offset: usize,
        target: usize,
    ) -> Result<(), Diagnostics> {
        let address = self.on.address(target).to_le_bytes();
        let mut bytes = self.on.read(buffer)?;
        let Some(place) = bytes.get_mut(offset..offset.saturating_add(address.len())) else {
            let message = format!(
                "there is no room for an address at offset {offset} of a buffer of {} bytes",
                bytes.len()
            );
            return Err(Diagnostics::of(Diagnostic::error(
                codes::BAD_ARGUMENTS,
                Span::NOWHERE,
                message,
            )));
        };
        place.copy_from_slice(&address);
        self.on.write(buffer, &bytes)
    }

    /// Gives a variable of the program these bytes, from its start on.
    pub fn set(&mut self, variable: &str, bytes: &[u8]) -> Result<(), Diagnostics> {
        self.on.set(variable, bytes)
    }

    /// The bytes of a variable of the program.
    pub fn variable(&self, name: &str) -> Result<Vec<u8>, Diagnostics> {
        self.on.variable(name)
    }
}

/// Refuses a variable that is not there, or has fewer bytes.
#[cfg(feature = "sim")]
pub(super) fn no_variable(name: &str) -> Diagnostics {
    let message = format!("there is no variable `{name}` with so many bytes");
    Diagnostics::of(Diagnostic::error(
        codes::BAD_ARGUMENTS,
        Span::NOWHERE,
        message,
    ))
}
