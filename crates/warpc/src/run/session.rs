//! A device with a program in it: launches one after the other on the same memory.
//!
//! ```text
//!   Program ──session(buffers)──► Session ──set(variable), launch──► Ran, variable ──► launch …
//! ```

use super::{Buffer, Code, Program, Ran};
use crate::door::enter;
use crate::{MemoryModel, Observer, Options, Place, Races};
use warpc_diag::{Diagnostic, Diagnostics, Output, Span, codes};
use warpc_launch::Launch;
use warpc_launch::tensor_map::BYTES;

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
    /// Whether it understands descriptions of textures.
    fn check_textures(&self) -> Result<(), Diagnostics> {
        let message = "textures, surfaces and samplers of a request are for the emulator of PTX";
        let error = Diagnostic::error(codes::NOT_EMULATED, Span::NOWHERE, message.to_owned());
        Err(Diagnostics::of(
            error.help("run the PTX without `--on gpu`"),
        ))
    }
    /// Gives a tensor map, which has the address of its tensor already, the form that the device's copies read.
    fn tensor_map(&self, _: &mut [u8; BYTES]) -> Result<(), Diagnostics> {
        Ok(())
    }
    /// What a variable of the program holds.
    fn variable(&self, name: &str) -> Result<Vec<u8>, Diagnostics>;
    /// Changes what it holds, from its start on.
    fn set(&mut self, name: &str, bytes: &[u8]) -> Result<(), Diagnostics>;
}

impl Program {
    /// Why weak memory is not for this run, if it is asked for.
    fn weak_memory_refused(&self, options: &Options) -> Option<Diagnostics> {
        if options.run.memory == MemoryModel::Strong {
            return None;
        }
        let is_ptx = matches!(self.code, Code::Ptx(_));
        let (message, help) = match (options.run.place, options.run.races) {
            (Place::Gpu, _) => (
                "weak memory is for the emulator of PTX: a GPU has its own",
                "leave `--on gpu` or `--memory weak` out",
            ),
            _ if !is_ptx => (
                "weak memory is for the emulator of PTX, and this is machine code",
                "run the PTX that it was made from, or leave `--memory weak` out",
            ),
            (_, Races::Shared | Races::All) => (
                "races are not looked for with weak memory",
                "leave `--races` or `--memory weak` out: races are found with strong memory, whatever a load returns",
            ),
            _ => return None,
        };
        let refused = Diagnostic::error(codes::BAD_SPEC, Span::default(), message).help(help);
        Some(Diagnostics::of(refused))
    }

    /// A device with this program and these buffers, where the options say.
    pub fn session(&self, buffers: &[Buffer], options: &Options) -> Output<Session<'_>> {
        let on = enter(&self.source, || {
            if let Some(refused) = self.weak_memory_refused(options) {
                return Output::from(Err(refused));
            }
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
        let Output { value, diagnostics } = self.launch_to_end(launch, observer);
        Output {
            value: value.filter(|_| !diagnostics.has_errors()),
            diagnostics,
        }
    }

    /// The same, but where errors (races) were found that did not keep the kernel from its end, there is a result, too.
    pub(super) fn launch_to_end(
        &mut self,
        launch: &Launch,
        observer: &mut dyn Observer,
    ) -> Output<Ran> {
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
                    let diagnostics = ran.warnings.clone();
                    Output {
                        value: Some(ran),
                        diagnostics,
                    }
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
            return Err(no_room("an address", offset, bytes.len()));
        };
        place.copy_from_slice(&address);
        self.on.write(buffer, &bytes)
    }

    /// Gives a tensor map in a buffer, which has the address of its tensor already, the form that the device's copies read.
    pub fn tensor_map(&mut self, buffer: usize, offset: usize) -> Result<(), Diagnostics> {
        let mut bytes = self.on.read(buffer)?;
        let length = bytes.len();
        let place = bytes
            .get_mut(offset..)
            .and_then(|rest| rest.first_chunk_mut());
        self.on
            .tensor_map(place.ok_or_else(|| no_room("a tensor map", offset, length))?)?;
        self.on.write(buffer, &bytes)
    }

    /// Whether the device understands descriptions of textures, surfaces and samplers.
    pub fn check_textures(&self) -> Result<(), Diagnostics> {
        self.on.check_textures()
    }

    /// Gives a variable of the program the address of a buffer.
    pub fn set_address(&mut self, variable: &str, buffer: usize) -> Result<(), Diagnostics> {
        let address = self.on.address(buffer).to_le_bytes();
        self.on.set(variable, &address)
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

/// Refuses something that is not inside a buffer.
fn no_room(what: &str, offset: usize, bytes: usize) -> Diagnostics {
    let message =
        format!("there is no room for {what} at offset {offset} of a buffer of {bytes} bytes");
    Diagnostics::of(Diagnostic::error(
        codes::BAD_ARGUMENTS,
        Span::NOWHERE,
        message,
    ))
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
