//! Text to [`Module`].
//!
//! A hand-written recursive-descent parser over [`crate::lex`], with one token of look-ahead. It
//! knows the shape of every statement and resolves opcodes against the tables; what names mean and
//! whether types fit is the verifier's business. After an error it goes on after the next `;` or
//! at the next brace, so that one run reports as much as makes sense.
//!
//! Hot path: an opcode with its modifiers is one slice of the source, looked up whole in a cache,
//! so the tables are asked once for each distinct spelling and not once for each instruction.

mod constant;
mod directive;
mod function;
mod header;
mod operand;
mod section;
mod statement;
mod variable;

use crate::inst::{MnemonicId, Operand};
use crate::lex::{Lexer, MAX_WORD, Token, TokenKind};
use crate::module::{Body, Item, Linkage, Module};
use crate::symbol::Symbol;
use rustc_hash::FxHashMap;
use warpc_diag::{Code, Diagnostic, Diagnostics, Output, SourceFile, Span, codes};
use warpc_target::{PtxVersion, Sm};

/// A diagnostic was pushed; the caller finds a place to go on.
#[derive(Debug)]
struct Failed;

type Parse<T> = Result<T, Failed>;

/// What reading a file gave, right or not.
#[derive(Debug)]
pub(crate) struct Parsed {
    /// The module, as far as it could be read.
    pub(crate) module: Module,
    /// What was wrong.
    pub(crate) diagnostics: Diagnostics,
    /// Whether all that was wrong lies inside single instructions, which are left out of the module:
    /// the rest can then be verified.
    pub(crate) structure_known: bool,
}

/// Reads a PTX module.
///
/// ```
/// let text = ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k() { ret; }";
/// let file = warpc_diag::SourceFile::new("k.ptx", text).unwrap();
/// assert_eq!(warpc_ptx::parse(&file).unwrap().functions().count(), 1);
/// ```
pub fn parse(file: &SourceFile) -> Output<Module> {
    let parsed = parse_partly(file);
    Output::new(parsed.module, parsed.diagnostics)
}

/// Reads as much of a PTX module as can be read.
pub(crate) fn parse_partly(file: &SourceFile) -> Parsed {
    let mut parser = Parser::new(file.bytes());
    match memchr::memchr(0, file.bytes()) {
        Some(i) => {
            let span = Span::new(i as u32, i as u32 + 1);
            parser.fail(
                codes::BAD_TOKEN,
                span,
                "a zero byte",
                "PTX is text; is this a binary file?",
            );
        }
        None => parser.module(),
    }
    Parsed {
        module: parser.module,
        diagnostics: parser.diagnostics,
        structure_known: !parser.structure_lost,
    }
}

struct Parser<'a> {
    lexer: Lexer<'a>,
    /// The token that was not consumed yet.
    token: Token,
    /// The end of the last consumed token.
    last_end: u32,
    module: Module,
    body: Body,
    /// Operands of unfinished instructions, vectors and addresses; they move to the body together,
    /// so that siblings lie next to each other.
    pending: Vec<(Operand, Span)>,
    /// Inside `[…]` an offset belongs to the address, not to the name.
    in_address: bool,
    mnemonics: FxHashMap<&'a [u8], Option<MnemonicId>>,
    /// Canonical spellings: two spellings of one mnemonic share a number.
    canonical: FxHashMap<String, MnemonicId>,
    diagnostics: Diagnostics,
    /// Whether something other than a single instruction could not be read.
    structure_lost: bool,
}

impl<'a> Parser<'a> {
    fn new(bytes: &'a [u8]) -> Parser<'a> {
        let mut lexer = Lexer::new(bytes);
        let token = lexer.next_token();
        let mut module = Module::new(Sm::DEFAULT, PtxVersion::LATEST);
        module.address_size = None;
        Parser {
            lexer,
            token,
            last_end: 0,
            module,
            body: Body::default(),
            pending: Vec::new(),
            in_address: false,
            mnemonics: FxHashMap::default(),
            canonical: FxHashMap::default(),
            diagnostics: Diagnostics::new(),
            structure_lost: false,
        }
    }

    /// `header item*`
    fn module(&mut self) {
        self.header();
        while self.token.kind != TokenKind::End && !self.diagnostics.is_full() {
            let before = self.token.span;
            if self.item().is_err() {
                self.resynchronise_item(before);
            }
        }
    }

    /// `linkage? (variable | function | directive)`
    fn item(&mut self) -> Parse<()> {
        let start = self.token.span;
        if self.token.is(b'@') {
            return self.dwarf_line();
        }
        if self.token.kind != TokenKind::Dotted {
            return Err(self.unexpected("a directive such as `.entry`, `.func` or `.global`"));
        }
        let linkage = self.linkage()?;
        match self.text() {
            ".entry" | ".func" => {
                let function = self.function(linkage, start)?;
                self.module.items.push(Item::Function(function));
            }
            ".const" | ".global" | ".local" | ".param" | ".reg" | ".shared" | ".tex" | ".align"
            | ".attribute" => {
                let variables = self.variables(linkage, start)?;
                self.module
                    .items
                    .extend(variables.into_iter().map(Item::Variable));
            }
            _ if linkage != Linkage::Internal => {
                return Err(self.unexpected("`.entry`, `.func` or a state space"));
            }
            _ => {
                let item = self.module_directive()?;
                self.module.items.extend(item);
            }
        }
        Ok(())
    }

    fn linkage(&mut self) -> Parse<Linkage> {
        let mut linkage = Linkage::Internal;
        loop {
            let found = match self.text() {
                ".extern" => Linkage::Extern,
                ".visible" => Linkage::Visible,
                ".weak" => Linkage::Weak,
                ".common" => Linkage::Common,
                _ => return Ok(linkage),
            };
            if linkage != Linkage::Internal {
                let message = format!("`{}` follows `{}`", found.text(), linkage.text());
                let help = "a name has at most one of .extern, .visible, .weak and .common";
                return Err(self.fail(codes::BAD_DIRECTIVE, self.token.span, message, help));
            }
            linkage = found;
            self.advance();
        }
    }

    // ---- tokens ----

    fn advance(&mut self) -> Token {
        let token = self.token;
        self.last_end = token.span.end;
        self.token = self.lexer.next_token();
        token
    }

    /// The text of the current token; empty at the end.
    fn text(&self) -> &'a str {
        match self.token.kind {
            TokenKind::Str | TokenKind::Unclosed | TokenKind::BadString | TokenKind::TooLong => "",
            _ => self.lexer.text(self.token.span),
        }
    }

    /// From the given place to the last consumed token.
    fn since(&self, start: Span) -> Span {
        Span::new(start.start, self.last_end.max(start.end))
    }

    fn eat(&mut self, byte: u8) -> bool {
        let found = self.token.is(byte);
        if found {
            self.advance();
        }
        found
    }

    fn expect(&mut self, byte: u8) -> Parse<Span> {
        if self.token.is(byte) {
            return Ok(self.advance().span);
        }
        Err(self.unexpected(&format!("`{}`", byte as char)))
    }

    fn expect_ident(&mut self, what: &str) -> Parse<(Symbol, Span)> {
        if self.token.kind != TokenKind::Ident {
            return Err(self.unexpected(what));
        }
        let token = self.advance();
        Ok((self.intern(token.span), token.span))
    }

    /// A name that is being declared: a few words are not free.
    fn expect_name(&mut self, what: &str) -> Parse<(Symbol, Span)> {
        if matches!(self.token.kind, TokenKind::Ident)
            && matches!(
                self.text(),
                "_" | "WARP_SZ" | "inlined_at" | "function_name"
            )
        {
            let message = format!("`{}` cannot be {what}", self.text());
            let help = "it has a meaning of its own in PTX; choose another name";
            return Err(self.fail(codes::SYNTAX, self.token.span, message, help));
        }
        self.expect_ident(what)
    }

    fn intern(&mut self, span: Span) -> Symbol {
        self.module.symbols.intern_ascii(self.lexer.slice(span))
    }

    // ---- errors ----

    /// Reports what is wrong at a place, and what would be right.
    fn fail(
        &mut self,
        code: Code,
        span: Span,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Failed {
        self.structure_lost = true;
        self.diagnostics
            .push(Diagnostic::error(code, span, message).help(help));
        Failed
    }

    /// Reports the current token where something else was wanted.
    fn unexpected(&mut self, wanted: &str) -> Failed {
        let span = self.token.span;
        let (code, found, help) = match self.token.kind {
            TokenKind::End => (
                codes::SYNTAX,
                "the end of the file".to_owned(),
                "the file ends too early; is a brace or a semicolon missing?".to_owned(),
            ),
            TokenKind::Unclosed if self.lexer.slice(span).starts_with(b"\"") => (
                codes::BAD_TOKEN,
                "a string that is never closed".to_owned(),
                "add the second quote".to_owned(),
            ),
            TokenKind::Unclosed => (
                codes::BAD_TOKEN,
                "a comment that is never closed".to_owned(),
                "add `*/`".to_owned(),
            ),
            TokenKind::TooLong => (
                codes::BAD_TOKEN,
                format!("a word of more than {MAX_WORD} bytes"),
                "write a shorter one".to_owned(),
            ),
            TokenKind::BadString => (
                codes::BAD_TOKEN,
                "a string that is not ASCII".to_owned(),
                "only comments hold other characters".to_owned(),
            ),
            TokenKind::Punct(byte) if !byte.is_ascii_graphic() => (
                codes::BAD_TOKEN,
                format!("the byte 0x{byte:02X}"),
                "PTX is ASCII text outside comments".to_owned(),
            ),
            _ => {
                let slice = self.lexer.slice(span);
                let text = String::from_utf8_lossy(&slice[..slice.len().min(SHOWN * 4)]);
                (
                    codes::SYNTAX,
                    format!("`{}`", shorten(&text)),
                    help_for(wanted),
                )
            }
        };
        // What is missing belongs after the last token, not at the start of the next line.
        let missing = wanted == "`;`" && self.token.kind != TokenKind::Unclosed;
        let place = if missing {
            Span::new(self.last_end, self.last_end)
        } else {
            span
        };
        let message = format!("expected {wanted}, found {found}");
        self.fail(code, place, message, help)
    }

    /// Skips to after the next `;`, or to a brace or the end.
    fn resynchronise(&mut self) {
        self.pending.clear();
        loop {
            match self.token.kind {
                TokenKind::End | TokenKind::Punct(b'{' | b'}') => return,
                TokenKind::Punct(b';') => {
                    self.advance();
                    return;
                }
                _ => self.advance(),
            };
        }
    }

    /// At module level: skips to an item that starts after a `;` or `}`. What is skipped may be the
    /// rest of a function whose braces do not match; its statements are not reported one by one.
    fn resynchronise_item(&mut self, before: Span) {
        self.pending.clear();
        if self.token.span == before {
            self.advance();
        }
        let mut boundary = false;
        while self.token.kind != TokenKind::End {
            let linkage_or_function = self.token.kind == TokenKind::Dotted
                && matches!(
                    self.text(),
                    ".extern" | ".visible" | ".weak" | ".common" | ".entry" | ".func"
                );
            let variable = self.token.kind == TokenKind::Dotted
                && matches!(
                    self.text(),
                    ".global" | ".const" | ".shared" | ".file" | ".section" | ".alias"
                );
            if linkage_or_function || (boundary && variable) {
                return;
            }
            boundary = matches!(self.token.kind, TokenKind::Punct(b';' | b'}'));
            self.advance();
        }
    }
}

/// What to do when something was expected and not found.
fn help_for(wanted: &str) -> String {
    match wanted {
        "`;`" => "a statement ends with `;`".to_owned(),
        "an operand" => {
            "operands are registers, constants, variables, [addresses] and {vectors}".to_owned()
        }
        "a constant" => "constants are numbers, WARP_SZ and expressions of them".to_owned(),
        "a label, an instruction or a directive" => {
            "a statement starts with a label, an opcode, `@`, `{` or a directive".to_owned()
        }
        _ => format!("write {wanted} here"),
    }
}

/// So many characters of a token are shown in a message.
const SHOWN: usize = 40;

/// Cuts what is too long to print in a message.
fn shorten(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
