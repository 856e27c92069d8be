//! A PTX module in memory.
//!
//! ```text
//!   Module ── items ─┬─ Variable
//!                    ├─ Function ── Body ── statements ─┬─ Inst ──► operands (one array a body)
//!                    ├─ Alias, File, Section …          ├─ Label
//!                    └─ …                               ├─ Variable, Open, Close
//!                                                       └─ Loc, Pragma, target lists …
//! ```
//!
//! Blocks are flat: `{` and `}` are statements, so no depth of nesting can exhaust the stack.

pub use crate::initializer::{
    FieldValue, InitAddress, InitField, InitItem, InitItems, Initializer,
};
use crate::inst::{At, Inst, Int, Mnemonic, MnemonicId, Operand, OperandRange};
use crate::symbol::{Symbol, SymbolTable};
use crate::types::ScalarType;
use warpc_diag::Span;
use warpc_target::{PtxVersion, Sm};

/// A PTX module.
#[derive(Clone, PartialEq, Debug)]
pub struct Module {
    /// `.version`
    pub version: PtxVersion,
    /// `.target`: the chip.
    pub sm: Sm,
    /// `.target`: the options after the chip.
    pub options: Vec<TargetOption>,
    /// `.address_size`, if written.
    pub address_size: Option<u8>,
    /// Everything else, in order.
    pub items: Vec<Item>,
    /// Every name.
    pub symbols: SymbolTable,
    /// Every opcode with modifiers that occurs.
    pub mnemonics: Vec<Mnemonic>,
    /// Where the three header directives stand.
    pub header: HeaderSpans,
    /// What is said about the module in comments after its header.
    pub notes: Notes,
}

/// Comments. They take no part in comparisons, because they are not read.
#[derive(Clone, Debug, Default)]
pub struct Notes(pub Vec<String>);

impl PartialEq for Notes {
    fn eq(&self, _: &Notes) -> bool {
        true
    }
}

/// Where the header directives stand.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct HeaderSpans {
    /// The version number.
    pub version: At,
    /// The chip's name.
    pub target: At,
    /// The size of addresses.
    pub address_size: At,
}

impl Module {
    /// An empty module for a target.
    pub fn new(sm: Sm, version: PtxVersion) -> Module {
        Module {
            version,
            sm,
            options: Vec::new(),
            address_size: Some(64),
            items: Vec::new(),
            symbols: SymbolTable::default(),
            mnemonics: Vec::new(),
            header: HeaderSpans::default(),
            notes: Notes::default(),
        }
    }

    /// The text of a name.
    pub fn name(&self, symbol: Symbol) -> &str {
        self.symbols.name(symbol)
    }

    /// An opcode with its modifiers.
    pub fn mnemonic(&self, id: MnemonicId) -> &Mnemonic {
        &self.mnemonics[id.0 as usize]
    }

    /// Whether some instruction may have one of these opcodes: who looks for them in a body need not if none has.
    pub fn has_opcode(&self, opcodes: &[&str]) -> bool {
        // What a mnemonic may be has one opcode.
        let choices = self.mnemonics.iter().filter_map(|one| one.choices.first());
        let mut found = choices.map(|choice| choice.form.row().opcode());
        found.any(|opcode| opcodes.contains(&opcode))
    }

    /// Sets which choice of its mnemonic each instruction is, in the order of the text.
    pub(crate) fn settle_choices(&mut self, choices: &[u8]) {
        let instructions = self
            .items
            .iter_mut()
            .filter_map(|item| match item {
                Item::Function(function) => function.body.as_mut(),
                _ => None,
            })
            .flat_map(|body| &mut body.statements)
            .filter_map(|statement| match statement {
                Statement::Inst(inst) => Some(inst),
                _ => None,
            });
        for (inst, &choice) in instructions.zip(choices) {
            inst.choice = choice;
        }
    }

    /// The functions, in order.
    pub fn functions(&self) -> impl Iterator<Item = &Function> {
        self.items.iter().filter_map(|item| match item {
            Item::Function(function) => Some(function),
            _ => None,
        })
    }
}

/// An option of `.target`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum TargetOption {
    TexmodeUnified,
    TexmodeIndependent,
    Debug,
    MapF64ToF32,
}

impl TargetOption {
    /// Each option with its text.
    pub const ALL: [(TargetOption, &'static str); 4] = [
        (TargetOption::TexmodeUnified, "texmode_unified"),
        (TargetOption::TexmodeIndependent, "texmode_independent"),
        (TargetOption::Debug, "debug"),
        (TargetOption::MapF64ToF32, "map_f64_to_f32"),
    ];
}

/// Something at module level.
#[derive(Clone, PartialEq, Debug)]
pub enum Item {
    /// A variable.
    Variable(Variable),
    /// A kernel or function.
    Function(Function),
    /// `.alias`
    Alias(Alias),
    /// `.file`
    File(File),
    /// `.section`
    Section(Section),
    /// `.pragma "…", "…";`
    Pragma(Vec<String>, At),
}

/// `.alias name, aliasee;`
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Alias {
    /// The new name.
    pub name: Symbol,
    /// The function it stands for.
    pub aliasee: Symbol,
    /// Where.
    pub at: At,
}

/// `.file index "name"{, time{, size}}`
#[derive(Clone, PartialEq, Debug)]
pub struct File {
    /// The number `.loc` uses.
    pub index: u64,
    /// The name between the quotes, as written.
    pub name: String,
    /// Time stamp, if given.
    pub time: Option<u64>,
    /// Size in bytes, if given after a time stamp.
    pub size: Option<u64>,
    /// Where.
    pub at: At,
}

/// `.section .debug_info { … }`
#[derive(Clone, PartialEq, Debug)]
pub struct Section {
    /// The name with its dot.
    pub name: String,
    /// What stands in it.
    pub lines: Vec<SectionLine>,
    /// Where.
    pub at: At,
}

/// A line of a section.
#[derive(Clone, PartialEq, Debug)]
pub enum SectionLine {
    /// `name:`
    Label(Symbol, At),
    /// `.b8 1, 2, 3`
    Numbers(ScalarType, Vec<Int>, At),
    /// `.b64 name`, `.b32 name+4`: the address of a section, label, variable or function
    Address(ScalarType, Symbol, i64, At),
    /// `.b32 name-name`
    Difference(ScalarType, [Symbol; 2], At),
}

/// Who can see a name outside its module.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Linkage {
    /// Nobody.
    Internal,
    /// Defined elsewhere.
    Extern,
    /// Everybody.
    Visible,
    /// Everybody, unless a stronger definition exists.
    Weak,
    /// Everybody; definitions are merged.
    Common,
}

impl Linkage {
    /// The directive; empty for internal names.
    pub fn text(self) -> &'static str {
        match self {
            Linkage::Internal => "",
            Linkage::Extern => ".extern",
            Linkage::Visible => ".visible",
            Linkage::Weak => ".weak",
            Linkage::Common => ".common",
        }
    }
}

/// Where a variable lives.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum Space {
    Reg,
    Const,
    /// A numbered bank of constant memory, `.const[2]`.
    ConstBank(u8),
    Global,
    Local,
    Param,
    Shared,
    Tex,
}

impl Space {
    /// The directive.
    pub fn text(self) -> &'static str {
        match self {
            Space::Reg => ".reg",
            Space::Const | Space::ConstBank(_) => ".const",
            Space::Global => ".global",
            Space::Local => ".local",
            Space::Param => ".param",
            Space::Shared => ".shared",
            Space::Tex => ".tex",
        }
    }
}

/// A variable, register or parameter.
#[derive(Clone, PartialEq, Debug)]
pub struct Variable {
    /// Who can see it.
    pub linkage: Linkage,
    /// Where it lives.
    pub space: Space,
    /// `.align`
    pub align: Option<u32>,
    /// Elements of a `.v2`, `.v4` or `.v8`; 1 for scalars.
    pub vector: u8,
    /// Element type.
    pub ty: ScalarType,
    /// Its name; for `%r<10>` the part before the bracket.
    pub name: Symbol,
    /// `%r<10>` declares `%r0` to `%r9`.
    pub range: Option<u32>,
    /// Array bounds, outermost first; `None` for `[]`.
    pub dims: Vec<Option<u64>>,
    /// What is rarely there.
    pub extra: Option<Box<VariableExtra>>,
    /// The whole declaration.
    pub at: At,
    /// The name alone.
    pub name_at: At,
}

impl Variable {
    /// Bytes of one element: vector length times type size.
    pub fn element_bytes(&self) -> u64 {
        u64::from(self.ty.bytes()) * u64::from(self.vector)
    }

    /// Bytes it takes; `None` for arrays of unknown length or absurd size.
    pub fn bytes(&self) -> Option<u64> {
        self.dims
            .iter()
            .try_fold(self.element_bytes(), |size, dim| size.checked_mul((*dim)?))
    }

    /// The alignment it has: what `.align` says, else its element's size.
    pub fn alignment(&self) -> u64 {
        self.align.map_or(self.element_bytes(), u64::from)
    }
}

/// What is rarely said of a variable.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct VariableExtra {
    /// `.attribute(…)`
    pub attributes: Vec<Attribute>,
    /// `.ptr .global .align 4` of a kernel parameter.
    pub pointer: Option<Pointer>,
    /// `= …`
    pub init: Option<Initializer>,
}

/// What `.attribute` says.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Attribute {
    /// `.managed`
    Managed,
    /// `.unified(hi, lo)`
    Unified(u64, u64),
}

/// `.ptr{.space}{.align n}`
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Pointer {
    /// What the parameter points to; anything in generic memory when absent.
    pub pointee: Option<Pointee>,
    /// The alignment of what it points to.
    pub align: Option<u32>,
}

/// What a kernel parameter points to.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Pointee {
    /// Something in this space.
    Space(Space),
    /// A texture, sampler or surface.
    Opaque(ScalarType),
}

/// Kernel or device function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FunctionKind {
    /// `.entry`
    Entry,
    /// `.func`
    Func,
}

/// A function, with or without a body.
#[derive(Clone, PartialEq, Debug)]
pub struct Function {
    /// Kernel or device function.
    pub kind: FunctionKind,
    /// Who can see it.
    pub linkage: Linkage,
    /// `.attribute(…)`
    pub attributes: Vec<Attribute>,
    /// Its name.
    pub name: Symbol,
    /// Results.
    pub returns: Vec<Variable>,
    /// Parameters.
    pub params: Vec<Variable>,
    /// Whether a parameter list was written at all (`.entry k { }` has none).
    pub has_param_list: bool,
    /// Performance and other directives after the parameters.
    pub directives: Vec<FunctionDirective>,
    /// The code; `None` for a declaration.
    pub body: Option<Body>,
    /// The head, up to the body or semicolon.
    pub at: At,
    /// The name alone.
    pub name_at: At,
}

/// `.maxntid 128, 1, 1` and its like.
#[derive(Clone, PartialEq, Debug)]
pub struct FunctionDirective {
    /// The directive's name with its dot.
    pub name: &'static str,
    /// Its numbers.
    pub values: Vec<Int>,
    /// Its strings (`.pragma`).
    pub strings: Vec<String>,
    /// Where.
    pub at: At,
}

/// The code of a function.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Body {
    /// Statements in order.
    pub statements: Vec<Statement>,
    /// All operands.
    pub operands: Vec<Operand>,
    /// For each operand its place.
    pub operand_spans: OperandSpans,
    /// The brace that opens it.
    pub open: At,
    /// The brace that closes it.
    pub close: At,
}

impl Body {
    /// The operands of a range.
    pub fn operands(&self, range: OperandRange) -> &[Operand] {
        &self.operands[range.indices()]
    }

    /// Where an operand stands; empty for code that was not read from text.
    pub fn operand_span(&self, index: usize) -> Span {
        self.operand_spans.0.get(index).copied().unwrap_or_default()
    }
}

/// Places of operands. They take no part in comparisons.
#[derive(Clone, Debug, Default)]
pub struct OperandSpans(pub Vec<Span>);

impl PartialEq for OperandSpans {
    fn eq(&self, _: &OperandSpans) -> bool {
        true
    }
}

/// A statement of a body.
#[derive(Clone, PartialEq, Debug)]
pub enum Statement {
    /// An instruction.
    Inst(Inst),
    /// `name:`
    Label(Symbol, At),
    /// `{`
    Open(At),
    /// `}`
    Close(At),
    /// A declaration.
    Variable(Box<Variable>),
    /// A function's prototype; it holds for the module from here on.
    Function(Box<Function>),
    /// `.alias`
    Alias(Box<Alias>),
    /// `.loc`
    Loc(Box<Loc>),
    /// `.pragma "…";`
    Pragma(Box<Vec<String>>, At),
    /// `name: .branchtargets a, b;` (the label is a statement of its own)
    BranchTargets(Box<Vec<(Symbol, At)>>, At),
    /// `name: .calltargets f, g;`
    CallTargets(Box<Vec<(Symbol, At)>>, At),
    /// `name: .callprototype (…) _ (…);`
    CallPrototype(Box<Prototype>, At),
}

impl Statement {
    /// Where it stands.
    pub fn at(&self) -> At {
        match self {
            Statement::Inst(inst) => inst.at,
            Statement::Variable(variable) => variable.name_at,
            Statement::Function(function) => function.at,
            Statement::Alias(alias) => alias.at,
            Statement::Loc(loc) => loc.at,
            Statement::Label(_, at)
            | Statement::Open(at)
            | Statement::Close(at)
            | Statement::Pragma(_, at)
            | Statement::BranchTargets(_, at)
            | Statement::CallTargets(_, at)
            | Statement::CallPrototype(_, at) => *at,
        }
    }
}

/// `.loc file line column{, function_name label{+n}{, inlined_at file line column}}`
#[derive(Clone, PartialEq, Debug)]
pub struct Loc {
    /// Number of the file.
    pub file: u64,
    /// Line.
    pub line: u64,
    /// Column.
    pub column: u64,
    /// The function inlined here, and where it was called.
    pub inlined: Option<Inlined>,
    /// Where the directive stands.
    pub at: At,
}

/// The tail of a `.loc` for inlined code.
#[derive(Clone, PartialEq, Debug)]
pub struct Inlined {
    /// Label of the function's name in a debug section.
    pub function: Symbol,
    /// Offset from the label.
    pub offset: i64,
    /// File, line and column of the call.
    pub call: (u64, u64, u64),
}

/// The signature of an indirect call.
#[derive(Clone, PartialEq, Debug)]
pub struct Prototype {
    /// Results.
    pub returns: Vec<Variable>,
    /// Parameters.
    pub params: Vec<Variable>,
    /// `.noreturn` and the like.
    pub directives: Vec<FunctionDirective>,
}
