//! A link: the inputs that were added, its logs, and what was made.
//!
//! | inputs | becomes |
//! |---|---|
//! | one of PTX | assembled when it is added, as nvJitLink does |
//! | one cubin for the chip | itself |
//! | LTO-IR (LLVM bitcode or text), any number, with `-lto` | linked and compiled to PTX, and assembled unless `-ptx` is given |
//!
//! Machine code of several inputs is not linked: that is refused by name, and so are fatbins and files of the host.

use crate::options::{self, Chosen};
use crate::result::{Input, JitLinkResult};
use warpc::{Diagnostics, Kind, Llvm, Mode, Part, Product, Source};

/// What an input is called that has no name.
const UNNAMED: &str = "<unnamed>";

/// Inputs and what became of them.
pub struct Link {
    /// The options; none if they are invalid.
    chosen: Option<Chosen>,
    /// Machine code of the inputs that have some.
    cubins: Vec<Vec<u8>>,
    /// Modules of LTO-IR.
    modules: Vec<Source>,
    cubin: Option<Vec<u8>>,
    ptx: Option<Vec<u8>>,
    /// Whether the link is complete.
    complete: bool,
    error_log: String,
    info_log: String,
}

/// What can be asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wanted {
    /// The machine code.
    Cubin,
    /// The PTX that was made of LTO-IR.
    Ptx,
    /// The LTO-IR as one module.
    LtoIr,
    /// Errors.
    ErrorLog,
    /// Warnings.
    InfoLog,
}

impl Link {
    /// A link with options. It exists even if they are invalid, for its log.
    pub fn new(options: &[String]) -> (Link, JitLinkResult) {
        let mut link = Link {
            chosen: None,
            cubins: Vec::new(),
            modules: Vec::new(),
            cubin: None,
            ptx: None,
            complete: false,
            error_log: String::new(),
            info_log: String::new(),
        };
        let result = match options::read(options) {
            Ok(chosen) => {
                link.chosen = Some(chosen);
                JitLinkResult::Success
            }
            Err((result, log)) => link.fail(result, &log),
        };
        (link, result)
    }

    fn fail(&mut self, result: JitLinkResult, log: &str) -> JitLinkResult {
        self.error_log.push_str(log);
        result
    }

    /// Notes diagnostics: errors in one log, warnings in the other.
    fn note(&mut self, diagnostics: &Diagnostics) {
        for diagnostic in diagnostics.as_slice() {
            let place = diagnostic.file.as_ref().map(|file| {
                let at = file.position(diagnostic.span.start);
                format!("{}, line {}; ", file.name(), at.line)
            });
            let place = place.unwrap_or_default();
            let severity = diagnostic.severity.name();
            let line = format!("{place}{severity}: {}\n", diagnostic.message);
            match diagnostic.severity {
                warpc::Severity::Error => self.error_log.push_str(&line),
                _ => self.info_log.push_str(&line),
            }
        }
    }

    /// Adds an input.
    pub fn add(&mut self, kind: i32, bytes: &[u8], name: &str) -> JitLinkResult {
        let name = if name.is_empty() { UNNAMED } else { name };
        let Some(kind) = Input::of(kind) else {
            return self.fail(
                JitLinkResult::IncorrectInputType,
                &format!("unsupported input type: {name}\n"),
            );
        };
        let Some(chosen) = self.chosen.clone() else {
            return self.fail(
                JitLinkResult::InvalidInput,
                "ERROR: the link has invalid options\n",
            );
        };
        let found = kind_of(bytes);
        let mismatch = |link: &mut Link, expected: &str| {
            let log = format!("ERROR: bad input: does not match type {expected}: {name}\n");
            link.fail(JitLinkResult::IncorrectInputType, &log)
        };
        match (kind, found) {
            (Input::Container(what), _) | (Input::Any, Input::Container(what)) => self.fail(
                JitLinkResult::UnrecognizedInput,
                &format!("ERROR: {what} are not linked by warpc: {name}\n"),
            ),
            (Input::Cubin | Input::Any, Input::Cubin) => self.add_cubin(&chosen, bytes, name),
            (Input::Cubin, _) => mismatch(self, "NVJITLINK_INPUT_CUBIN"),
            (Input::LtoIr | Input::Any, Input::LtoIr) => self.add_lto(&chosen, bytes, name),
            (Input::LtoIr, _) => mismatch(self, "NVJITLINK_INPUT_LTOIR"),
            (Input::Ptx, Input::Ptx | Input::Any) | (Input::Any, Input::Ptx) => {
                self.add_ptx(&chosen, bytes, name)
            }
            (Input::Ptx, _) => mismatch(self, "NVJITLINK_INPUT_PTX"),
            (Input::Any, Input::Any) => self.fail(
                JitLinkResult::UnrecognizedInput,
                &format!("ERROR: unrecognized input: {name}\n"),
            ),
        }
    }

    fn add_cubin(&mut self, chosen: &Chosen, bytes: &[u8], name: &str) -> JitLinkResult {
        let Ok(source) = Source::of_kind(Kind::Cubin, name, bytes) else {
            return self.fail(
                JitLinkResult::InvalidInput,
                "ERROR: the input is too large\n",
            );
        };
        let checked = warpc::check(&source, &chosen.options);
        self.note(&checked.diagnostics);
        match checked.value {
            Some(_) => {
                self.cubins.push(bytes.to_vec());
                JitLinkResult::Success
            }
            None => JitLinkResult::InvalidInput,
        }
    }

    fn add_ptx(&mut self, chosen: &Chosen, bytes: &[u8], name: &str) -> JitLinkResult {
        // Texts may come with the zero that ends them in C.
        let end = bytes.iter().rposition(|&byte| byte != 0);
        let bytes = &bytes[..end.map_or(0, |end| end + 1)];
        match self.assembled(chosen, bytes, name) {
            Some(cubin) => {
                self.cubins.push(cubin);
                JitLinkResult::Success
            }
            None => {
                let log = format!("ERROR NVJITLINK_ERROR_PTX_COMPILE: JIT the PTX ({name})\n");
                self.fail(JitLinkResult::PtxCompile, &log)
            }
        }
    }

    /// The machine code of PTX.
    fn assembled(&mut self, chosen: &Chosen, ptx: &[u8], name: &str) -> Option<Vec<u8>> {
        let source = Source::of_kind(Kind::Ptx, name, ptx).ok()?;
        let made = warpc::assemble(&source, &chosen.options);
        self.note(&made.diagnostics);
        made.value.map(|cubin| cubin.write())
    }

    fn add_lto(&mut self, chosen: &Chosen, bytes: &[u8], name: &str) -> JitLinkResult {
        if !chosen.lto {
            let log = format!("ERROR: LTO-IR requires -lto: {name}\n");
            return self.fail(JitLinkResult::LtoNotEnabled, &log);
        }
        match Source::of_kind(Kind::Llvm, name, bytes) {
            Ok(source) => {
                self.modules.push(source);
                JitLinkResult::Success
            }
            Err(_) => self.fail(
                JitLinkResult::InvalidInput,
                "ERROR: the input is too large\n",
            ),
        }
    }

    /// Makes one of the inputs.
    pub fn complete(&mut self) -> JitLinkResult {
        let Some(chosen) = self.chosen.clone() else {
            return self.fail(
                JitLinkResult::InvalidInput,
                "ERROR: the link has invalid options\n",
            );
        };
        if chosen.lto && self.modules.is_empty() {
            return match chosen.ptx {
                true => self.fail(
                    JitLinkResult::IncorrectInputType,
                    "ERROR: -ptx requires that all inputs have LTOIR\n",
                ),
                false => self.fail(
                    JitLinkResult::NvvmCompile,
                    "ERROR NVVM_ERROR_NO_MODULE_IN_PROGRAM (8) in nvvmCompileProgram callback\n",
                ),
            };
        }
        if self.modules.is_empty() == self.cubins.is_empty() || self.cubins.len() > 1 {
            let log = match self.cubins.is_empty() {
                true => "ERROR: there is nothing to link\n",
                false => {
                    "ERROR: machine code of several inputs is not linked by warpc; give one input, or LTO-IR\n"
                }
            };
            return self.fail(JitLinkResult::Finalize, log);
        }
        if self.modules.is_empty() {
            self.cubin = self.cubins.first().cloned();
            self.complete = true;
            return JitLinkResult::Success;
        }
        let mut parts = Vec::new();
        for source in self.modules.clone() {
            let read = Llvm::read(&source);
            self.note(&read.diagnostics);
            let Some(llvm) = read.value else {
                return JitLinkResult::NvvmCompile;
            };
            parts.push(Part {
                source,
                llvm,
                lazy: false,
            });
        }
        let whole = Mode::of(Product::LinkedLto);
        let made = warpc::produce_parts(parts, whole, &chosen.options);
        self.note(&made.diagnostics);
        let Some(ptx) = made.value.and_then(|made| made.ptx) else {
            return JitLinkResult::NvvmCompile;
        };
        let ptx = ptx.to_string().into_bytes();
        if !chosen.ptx {
            self.cubin = self.assembled(&chosen, &ptx, "lto.ptx");
            if self.cubin.is_none() {
                return JitLinkResult::PtxCompile;
            }
        }
        self.ptx = Some(ptx);
        self.complete = true;
        JitLinkResult::Success
    }

    /// Something that was made: its bytes, or why there are none. Texts end with a zero; an empty log has no bytes at all.
    pub fn get(&self, wanted: Wanted) -> Result<Vec<u8>, JitLinkResult> {
        let text = |text: &[u8]| {
            let mut bytes = text.to_vec();
            bytes.retain(|&byte| byte != 0);
            if !bytes.is_empty() {
                bytes.push(0);
            }
            bytes
        };
        let lto = self.chosen.as_ref().is_some_and(|chosen| chosen.lto);
        match wanted {
            Wanted::ErrorLog => Ok(text(self.error_log.as_bytes())),
            Wanted::InfoLog => Ok(text(self.info_log.as_bytes())),
            Wanted::Ptx if !lto => Err(JitLinkResult::InvalidInput),
            _ if !self.complete => Err(JitLinkResult::Internal),
            Wanted::Ptx => self
                .ptx
                .as_deref()
                .map(text)
                .ok_or(JitLinkResult::InvalidInput),
            Wanted::Cubin => self.cubin.clone().ok_or(JitLinkResult::InvalidInput),
            // The container of LTO-IR is NVIDIA's own format.
            Wanted::LtoIr => Err(JitLinkResult::InvalidInput),
        }
    }
}

/// What bytes are: PTX, a cubin, LTO-IR, a container; `Any` if nothing that is known.
fn kind_of(bytes: &[u8]) -> Input {
    const ELF: &[u8] = b"\x7fELF";
    const CUDA_MACHINE: [u8; 2] = 190u16.to_le_bytes();
    if bytes.starts_with(ELF) {
        return match bytes.get(18..20) == Some(&CUDA_MACHINE) {
            true => Input::Cubin,
            false => Input::Container("host objects"),
        };
    }
    if bytes.starts_with(&[0x50, 0xed, 0x55, 0xba]) {
        return Input::Container("fatbins");
    }
    if bytes.starts_with(&[0xed, 0x43, 0x4e, 0x7f]) {
        return Input::Container("containers of NVIDIA's LTO-IR");
    }
    let magic = bytes.get(..4).unwrap_or_default();
    if magic == b"BC\xc0\xde" || magic == [0xde, 0xc0, 0x17, 0x0b] {
        return Input::LtoIr;
    }
    match Source::new("input", bytes).map(|source| source.kind()) {
        Ok(Kind::Llvm) => Input::LtoIr,
        Ok(Kind::Ptx) if bytes.windows(8).any(|window| window == b".version") => Input::Ptx,
        _ => Input::Any,
    }
}
