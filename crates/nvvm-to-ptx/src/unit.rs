//! What the functions of a module share while it is compiled.

use crate::Options;
use crate::abi::Abi;
use crate::code::Class;
use crate::global::demote::Demoted;
use crate::name::Names;
use crate::select::Intrinsic;
use crate::shape::{NoShape, Part, Shapes};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::cell::OnceCell;
use std::rc::Rc;
use warpc_diag::{Code as DiagCode, Diagnostic, Diagnostics, Span, codes};
use warpc_nvvm::Module;
use warpc_nvvm::index::Id;
use warpc_nvvm::layout::Layout;
use warpc_nvvm::module::GlobalId;
use warpc_nvvm::types::TypeId;
use warpc_ptx::Mnemonics;
use warpc_ptx::inst::MnemonicId;
use warpc_ptx::symbol::Symbol;
use warpc_target::{PtxVersion, Unavailable};

/// Why something is not compiled.
#[derive(Debug)]
pub struct Refused(Box<Diagnostic>);

impl From<Diagnostic> for Refused {
    fn from(diagnostic: Diagnostic) -> Refused {
        Refused(diagnostic.into())
    }
}

/// Modifiers that were written otherwise before: what instructions with them start with, the modifier, and what stood
/// in its place.
const OLDER_SPELLINGS: [(&str, &str, &str); 2] =
    [("", ".shared::cta", ".shared"), ("wmma.", ".aligned", "")];

/// A module while it is compiled.
pub struct Unit<'m> {
    /// What is compiled.
    pub module: &'m Module,
    /// How types lie in memory.
    pub layout: Layout,
    /// What was asked for.
    pub options: Options,
    /// What is made.
    pub ptx: warpc_ptx::Module,
    /// What went wrong.
    pub diagnostics: Diagnostics,
    /// The first access or fence whose scope the target lacks, so that it gets a wider one.
    pub wider_scope: Option<u32>,
    shapes: Shapes,
    mnemonics: Mnemonics,
    /// For each mnemonic whether the target has it; worked out when it is asked for.
    available: Vec<Option<Result<PtxVersion, Unavailable>>>,
    /// For each mnemonic whether [`crate::legalize_atomics`] rewrites it; worked out when it is asked for.
    pub affected: Vec<Option<bool>>,
    /// The names of globals.
    names: Names,
    /// For each global the number of the first item that mentions it.
    mentioned: Vec<Option<u32>>,
    /// The number of the item that is being compiled; variables come first, all with zero.
    pub item: u32,
    abis: FxHashMap<GlobalId, Rc<Abi>>,
    /// For each global what is known of it as a function of LLVM's; worked out when it is asked for.
    pub(crate) intrinsics: Box<[OnceCell<Option<Rc<Intrinsic>>>]>,
    /// The files and names that lines of the source mention.
    pub lines: crate::line::Lines,
    /// Texts of inline PTX that were read.
    pub inline: FxHashMap<String, Rc<crate::inline::Statements>>,
    /// How many texts of inline PTX there were.
    inline_count: usize,
    /// Whether the module gets debug information.
    pub debug: bool,
    /// What it says about the functions so far.
    pub recorded: Vec<crate::debug::Recorded>,
    /// The variables that are declared inside of functions.
    pub demoted: Demoted,
    /// Whether a text of inline PTX has its number in it.
    pub numbered_text: bool,
}

impl<'m> Unit<'m> {
    /// The start of a compilation.
    pub fn new(module: &'m Module, options: Options) -> Unit<'m> {
        let mut ptx = warpc_ptx::Module::new(options.sm, PtxVersion::LATEST);
        let names = Names::new(module, &mut ptx.symbols);
        let demote_shared = options.demote_shared;
        let debug = crate::debug::is_wanted(module, options.debug);
        Unit {
            module,
            layout: Layout::for_gpu(module),
            ptx,
            options,
            diagnostics: Diagnostics::new(),
            wider_scope: None,
            shapes: Shapes::default(),
            mnemonics: Mnemonics::default(),
            available: Vec::new(),
            affected: Vec::new(),
            names,
            mentioned: vec![None; module.globals.len()],
            item: 0,
            abis: FxHashMap::default(),
            intrinsics: module.globals.iter().map(|_| OnceCell::new()).collect(),
            lines: crate::line::Lines::default(),
            inline: FxHashMap::default(),
            inline_count: 0,
            debug,
            recorded: Vec::new(),
            demoted: Demoted::of(module, demote_shared),
            numbered_text: false,
        }
    }

    /// The parts of values of a type.
    pub fn parts(&mut self, ty: TypeId, at: u32) -> Result<SmallVec<[Part; 4]>, Refused> {
        match self.shapes.parts(self.module, &self.layout, ty) {
            Ok(parts) => Ok(SmallVec::from_slice(parts)),
            Err(NoShape::Unsupported(part)) => {
                let text = warpc_nvvm::type_text(self.module, part);
                let message = format!("PTX has no values of type `{text}`");
                Err(refusal(codes::UNSUPPORTED, at, message)
                    .help("use another type, or keep such values in memory")
                    .into())
            }
            Err(NoShape::TooLarge) => {
                let text = warpc_nvvm::type_text(self.module, ty);
                let message = format!("a value of type `{text}` is too large for registers");
                Err(refusal(codes::UNSUPPORTED, at, message)
                    .help("keep it in memory and copy it with llvm.memcpy")
                    .into())
            }
        }
    }

    /// The one register class of a type, if its values have one part.
    pub fn class_of(&mut self, ty: TypeId) -> Option<Class> {
        match self.shapes.parts(self.module, &self.layout, ty) {
            Ok([part]) => Some(part.class),
            _ => None,
        }
    }

    /// The mnemonic with a spelling that the target has.
    pub fn mnemonic(&mut self, text: &str, at: u32) -> Result<MnemonicId, Refused> {
        let Some(id) = self.spelled(text) else {
            let message = format!("PTX has no instruction `{text}`");
            return Err(refusal(codes::UNSUPPORTED, at, message)
                .help("the IR asks for a combination of type and operation that PTX does not have")
                .into());
        };
        if let Err(error) = self.availability(id) {
            return Err(self.unavailable(error, &format!("`{text}`"), at));
        }
        Ok(id)
    }

    /// Warns about something at a place of the module.
    pub fn warn(&mut self, code: DiagCode, at: u32, message: String, help: String) {
        let span = Span::new(at, at + 1);
        let warning = Diagnostic::warning(code, span, message).help(help);
        self.diagnostics.push(warning);
    }

    /// Says why the target does not have something, with its quotes.
    pub fn unavailable(&self, error: Unavailable, what: &str, at: u32) -> Refused {
        let message = error.message(what, self.options.sm);
        let refusal = refusal(codes::TARGET_LACKS, at, message);
        refusal.help(error.help()).into()
    }

    /// Whether the target has an instruction, by its spelling.
    pub fn has(&mut self, text: &str) -> bool {
        match self.spelled(text) {
            Some(id) => self.availability(id).is_ok(),
            None => false,
        }
    }

    /// The mnemonic with a spelling, or in the place of one that the asked version lacks an older spelling of the
    /// same instruction.
    fn spelled(&mut self, text: &str) -> Option<MnemonicId> {
        let id = self.mnemonics.intern(&mut self.ptx, text)?;
        if self.options.version.is_none() || self.availability(id).is_ok() {
            return Some(id);
        }
        let older = OLDER_SPELLINGS.iter().filter(|row| text.starts_with(row.0));
        for (_, modern, older) in older {
            let written = text.replacen(modern, older, 1);
            if written != text
                && let Some(older) = self.mnemonics.intern(&mut self.ptx, &written)
                && self.availability(older).is_ok()
            {
                return Some(older);
            }
        }
        Some(id)
    }

    /// Whether the target has a directive of functions.
    pub fn has_directive(&self, name: &'static str) -> bool {
        self.directive(name).is_ok()
    }

    /// Whether the target has a directive of functions, or why not.
    pub fn directive(&self, name: &'static str) -> Result<(), Unavailable> {
        let version = self.options.version.unwrap_or(PtxVersion::LATEST);
        let row = warpc_ptx::directives::find(name).expect("a directive of the table is asked for");
        row.gate.check(self.options.sm, version)
    }

    /// The first version that has a mnemonic for the target; `--ptx-version` bounds it.
    fn availability(&mut self, id: MnemonicId) -> Result<PtxVersion, Unavailable> {
        let index = id.0 as usize;
        if self.available.len() <= index {
            self.available.resize(index + 1, None);
        }
        let (sm, bound) = (self.options.sm, self.options.version);
        let ptx = &self.ptx;
        *self.available[index].get_or_insert_with(|| ptx.mnemonic(id).needs(sm, bound))
    }

    /// The name of a global in PTX, for code or values that mention it.
    pub fn symbol(&mut self, global: GlobalId) -> Symbol {
        let item = self.item;
        let mentioned = &mut self.mentioned[global.index()];
        // Items of parts may have been compiled before those that precede them.
        *mentioned = Some(mentioned.map_or(item, |first| first.min(item)));
        self.names.of(global)
    }

    /// The name of a global in PTX, for its own declaration.
    pub fn own_symbol(&self, global: GlobalId) -> Symbol {
        self.names.of(global)
    }

    /// The number of the first item that mentions a global.
    pub fn first_mention(&self, global: GlobalId) -> Option<u32> {
        self.mentioned[global.index()]
    }

    /// For each global the number of the first item that mentions it, to be given to [`Unit::mention`].
    pub fn take_mentioned(&mut self) -> Vec<Option<u32>> {
        std::mem::take(&mut self.mentioned)
    }

    /// Takes over what a part of the module mentions.
    pub fn mention(&mut self, mentioned: &[Option<u32>]) {
        for (known, found) in self.mentioned.iter_mut().zip(mentioned) {
            *known = match (*known, *found) {
                (Some(a), Some(b)) => Some(a.min(b)),
                (a, b) => a.or(b),
            };
        }
    }

    /// Lets items of another module be ours.
    pub fn transfer(&mut self, from: &warpc_ptx::Module) -> warpc_ptx::Transfer {
        warpc_ptx::Transfer::new(from, &mut self.ptx, &mut self.mnemonics)
    }

    /// What a function of the module is called with.
    pub fn abi(&mut self, function: GlobalId) -> Result<Rc<Abi>, Refused> {
        if let Some(abi) = self.abis.get(&function) {
            return Ok(abi.clone());
        }
        let abi = Rc::new(Abi::of(self, function)?);
        self.abis.insert(function, abi.clone());
        Ok(abi)
    }

    /// A number that no other text of inline PTX has.
    pub fn next_inline(&mut self) -> usize {
        self.inline_count += 1;
        self.inline_count - 1
    }

    /// A name for something inside a function, which no global has.
    pub fn local_name(&mut self, name: &str) -> Symbol {
        self.names.local(&mut self.ptx.symbols, name)
    }

    /// A name.
    pub fn intern(&mut self, name: &str) -> Symbol {
        self.ptx.symbols.intern(name)
    }

    /// Reports that something is not compiled.
    pub fn report(&mut self, refused: Refused) {
        self.diagnostics.push(*refused.0);
    }
}

/// A refusal at a place of the source.
pub fn refusal(code: DiagCode, at: u32, message: impl Into<String>) -> Diagnostic {
    Diagnostic::error(code, Span::new(at, at + 1), message)
}
