//! Text to [`Module`].
//!
//! A hand-written recursive-descent reader over the lexer, with one token of look-ahead. It takes the
//! text of every LLVM from version 7 to 22: typed pointers become opaque as they are read, old
//! spellings become the modern ones. Names may be used before they are defined everywhere, so a
//! mention makes the entry and the definition fills it.
//!
//! After an error it goes on at the next line that starts an instruction or a global, so that one run
//! reports as much as makes sense.

mod attribute;
mod body;
mod call;
mod call_line;
mod constant;
mod cursor;
mod dense;
mod expression;
mod function;
mod global;
mod inst;
mod inst_line;
mod memory;
mod metadata;
mod node_line;
mod number;
mod pad;
mod record;
#[cfg(test)]
mod tests;
mod types;
mod undeclared;

pub(crate) use attribute::MemoryEffects;
pub(crate) use call::label_constraints;
pub(crate) use record::Intrinsic as DebugIntrinsic;
pub(crate) use record::{intrinsic_named as record_named, parts_of as record_parts};

use crate::attribute::AttrId;
use crate::constant::{BlockAddressId, ConstId};
use crate::lex::{Lexer, Token, TokenKind, is_hex_int, unescape};
use crate::metadata::NodeId;
use crate::module::{ComdatId, GlobalId, Module};
use crate::name::Name;
use crate::types::TypeId;
use crate::verify::layout::wrong_layout;
use body::Scope;
use number::Numbered;
use rustc_hash::FxHashMap;
use warpc_diag::{Code, Diagnostic, Diagnostics, Output, SourceFile, Span, codes};

/// A diagnostic was pushed; the caller finds a place to go on.
#[derive(Debug)]
struct Failed;

type Parse<T> = Result<T, Failed>;

/// Types, constants and metadata nest so deeply at most.
const MAX_DEPTH: u32 = 200;

/// So many bytes of a name are shown in a message.
const MAX_SHOWN: usize = 160;

/// Reads a module from text.
///
/// ```
/// let text = "define i32 @f(i32 %x) {\n  %y = add nsw i32 %x, 1\n  ret i32 %y\n}\n";
/// let file = warpc_diag::SourceFile::new("f.ll", text).unwrap();
/// assert_eq!(warpc_nvvm::read_text(&file).unwrap().functions().count(), 1);
/// ```
pub fn read_text(file: &SourceFile) -> Output<Module> {
    let mut groups = Groups::scan(file.bytes());
    loop {
        let mut reader = Reader::new(file.bytes());
        reader.groups = groups;
        reader.read_groups();
        reader.module();
        reader.finish();
        reader.drop_debug_declarations();
        // A group that does not stand at the start of a line was met after its use: now its place is
        // known, and a second reading finds it in time.
        if reader.groups.late {
            groups = Groups {
                places: std::mem::take(&mut reader.groups.places),
                ..Groups::default()
            };
            continue;
        }
        if !reader.diagnostics.has_errors() {
            crate::upgrade::module(&mut reader.module);
        }
        reader.diagnostics.sort_by_place();
        return Output::new(reader.module, reader.diagnostics);
    }
}

/// Attribute groups. They stand at the end of a module and are used before, so their places are found
/// first and they are read before everything else.
#[derive(Default)]
struct Groups {
    /// Where the groups start, by number.
    places: FxHashMap<u64, u32>,
    /// The attributes of the groups.
    sets: FxHashMap<u64, Vec<AttrId>>,
    /// Groups that were used but not known.
    unknown: Vec<(u64, Span)>,
    /// Whether a group was met that was not found first.
    late: bool,
}

impl Groups {
    fn scan(bytes: &[u8]) -> Groups {
        const START: &[u8] = b"\nattributes #";
        let mut groups = Groups::default();
        if memchr::memmem::find(bytes, b"/*").is_some() {
            // Some of the text may be a comment, which only tokens tell.
            let mut lexer = Lexer::new(bytes);
            let mut last = lexer.next_token();
            while last.kind != TokenKind::End {
                let token = lexer.next_token();
                if token.kind == TokenKind::Group
                    && lexer.slice(last.span) == b"attributes"
                    && let Some(number) = number::decimal(&lexer.slice(token.span)[1..])
                {
                    groups.places.insert(number, last.span.start);
                }
                last = token;
            }
            return groups;
        }
        for at in memchr::memmem::find_iter(bytes, START) {
            let rest = &bytes[at + START.len()..];
            let len = rest.iter().take_while(|byte| byte.is_ascii_digit());
            if let Some(number) = number::decimal(&rest[..len.count()]) {
                groups.places.insert(number, at as u32 + 1);
            }
        }
        groups
    }
}

struct Reader<'a> {
    lexer: Lexer<'a>,
    /// The token that was not consumed yet.
    token: Token,
    /// The end of the last consumed token.
    last_end: u32,
    module: Module,
    diagnostics: Diagnostics,
    /// How deep types, constants and metadata nest here.
    depth: u32,
    /// For unescaping names.
    buffer: Vec<u8>,
    /// Globals by name: the index of the name gives the global plus one.
    globals: Vec<u32>,
    numbered_globals: Numbered<GlobalId>,
    next_global: u64,
    /// Where globals were first named, until they are defined.
    undefined_globals: FxHashMap<GlobalId, Span>,
    /// Types by name and number, and where they were first named, until they are defined.
    named_types: FxHashMap<Name, TypeId>,
    numbered_types: FxHashMap<u64, TypeId>,
    undefined_types: FxHashMap<TypeId, Span>,
    comdats: FxHashMap<Name, ComdatId>,
    undefined_comdats: FxHashMap<ComdatId, Span>,
    groups: Groups,
    /// Whether a typed pointer was read, which only LLVM up to 16 wrote.
    typed_pointers: bool,
    /// Constant expressions that LLVM has dropped.
    dropped_expressions: Vec<(Span, &'static expression::Dropped)>,
    /// Which of the two forms of debug information was read.
    debug_form: Option<record::Form>,
    nodes: Numbered<NodeId>,
    /// Where named metadata stands in the list of the module.
    named_metadata: FxHashMap<Name, usize>,
    /// Kinds of nodes and their fields, as they are spelled.
    known_kinds: node_line::KnownKinds<'a>,
    known_spellings: call_line::KnownSpellings<'a>,
    /// Where each node was first named; `DEFINED` once it is defined.
    node_places: Vec<u32>,
    /// `blockaddress` of functions whose bodies are not read yet, by function.
    block_addresses: FxHashMap<GlobalId, Vec<PendingAddress>>,
    /// Block addresses that exist already, by function and label.
    known_addresses: FxHashMap<(GlobalId, body::Label), BlockAddressId>,
    scope: Scope,
    /// What the reader asks for again and again.
    words: Words,
}

/// A `blockaddress` whose block is not known yet.
struct PendingAddress {
    address: BlockAddressId,
    label: body::Label,
    span: Span,
}

/// A node in [`Reader::node_places`] that is defined.
const DEFINED: u32 = u32::MAX;

/// What the reader asks for again and again.
struct Words {
    dbg: Name,
    /// `i32 1`, the count of most `alloca`s.
    one: ConstId,
}

impl<'a> Reader<'a> {
    fn new(bytes: &'a [u8]) -> Reader<'a> {
        let mut lexer = Lexer::new(bytes);
        let token = lexer.next_token();
        let mut module = Module::default();
        let words = Words {
            dbg: module.names.intern(b"dbg"),
            one: module.constants.int(module.types.i32, 32, &[1]),
        };
        Reader {
            lexer,
            token,
            last_end: 0,
            module,
            diagnostics: Diagnostics::new(),
            depth: 0,
            buffer: Vec::new(),
            globals: Vec::new(),
            numbered_globals: Numbered::new(bytes.len()),
            next_global: 0,
            undefined_globals: FxHashMap::default(),
            named_types: FxHashMap::default(),
            numbered_types: FxHashMap::default(),
            undefined_types: FxHashMap::default(),
            comdats: FxHashMap::default(),
            undefined_comdats: FxHashMap::default(),
            groups: Groups::default(),
            typed_pointers: false,
            dropped_expressions: Vec::new(),
            debug_form: None,
            nodes: Numbered::new(bytes.len()),
            named_metadata: FxHashMap::default(),
            known_kinds: node_line::KnownKinds::default(),
            known_spellings: call_line::KnownSpellings::default(),
            node_places: Vec::new(),
            block_addresses: FxHashMap::default(),
            known_addresses: FxHashMap::default(),
            scope: Scope::new(bytes.len()),
            words,
        }
    }

    /// Everything between the start and the end of the file.
    fn module(&mut self) {
        let mut ok = true;
        while ok && (self.at_word(b"source_filename") || self.at_word(b"target")) {
            let before = self.token.span.start;
            ok = self.target().is_ok();
            if !ok {
                self.resynchronise(before);
            }
        }
        while self.token.kind != TokenKind::End && !self.diagnostics.is_full() {
            let before = self.token.span.start;
            if self.entity().is_err() {
                self.depth = 0;
                self.scope.fields.clear();
                self.scope.constants.clear();
                self.resynchronise(before);
            }
        }
    }

    /// One entity of the top level.
    fn entity(&mut self) -> Parse<()> {
        match self.token.kind {
            TokenKind::GlobalName | TokenKind::GlobalNumber => self.global(),
            TokenKind::LocalName | TokenKind::LocalNumber => self.type_definition(),
            TokenKind::MetadataName => self.named_metadata(),
            TokenKind::Node | TokenKind::Punct(b'!') => self.numbered_metadata(),
            TokenKind::Comdat => self.comdat_definition(),
            TokenKind::Summary => self.summary(),
            TokenKind::Word => match self.text() {
                b"define" => self.define(),
                b"declare" => self.declare(),
                b"attributes" => self.attribute_group(),
                b"source_filename" | b"target" => {
                    let message = "what the whole module is for stands at its start";
                    let help = "move the line before everything else";
                    let failed = self.fail(codes::IR_SYNTAX, self.token.span, message, help);
                    self.target()?;
                    Err(failed)
                }
                b"module" => {
                    self.advance();
                    self.expect_word(b"asm")?;
                    let line = self.expect_string()?;
                    self.module.module_asm.push(line);
                    Ok(())
                }
                b"uselistorder" | b"uselistorder_bb" => self.use_list_order(),
                _ => Err(self.unexpected("a global, a function, a type or metadata")),
            },
            _ => Err(self.unexpected("a global, a function, a type or metadata")),
        }
    }

    /// `source_filename = "…"`, `target triple = "…"`, `target datalayout = "…"`
    fn target(&mut self) -> Parse<()> {
        if self.accept_word(b"source_filename") {
            self.expect(b'=')?;
            self.module.source_filename = Some(self.expect_string()?);
            return Ok(());
        }
        self.advance();
        let layout = match self.text() {
            b"datalayout" => true,
            b"triple" => false,
            _ => return Err(self.unexpected("`datalayout` or `triple`")),
        };
        self.advance();
        self.expect(b'=')?;
        let span = self.token.span;
        let text = Some(self.expect_string()?);
        if layout {
            self.module.data_layout = text;
            let shown = text.map(|text| self.module.names.text(text).into_owned());
            if let Some(wrong) = wrong_layout(shown.as_deref().unwrap_or_default()) {
                let message = format!("the data layout {wrong}");
                let help = "write the layout of the target, as LLVM does";
                return Err(self.fail(codes::IR_GLOBAL, span, message, help));
            }
        } else {
            self.module.triple = text;
            self.module.triple_pos = span.start;
        }
        Ok(())
    }

    /// `^0 = module: (…)`: summaries are made again when they are needed.
    fn summary(&mut self) -> Parse<()> {
        self.advance();
        self.expect(b'=')?;
        self.advance();
        if self.token.is(b'(') {
            self.skip_balanced()?;
        } else {
            self.advance();
        }
        Ok(())
    }

    /// `uselistorder i32 %x, { 1, 0 }`: the order of uses has no meaning.
    fn use_list_order(&mut self) -> Parse<()> {
        while self.token.kind != TokenKind::End && !self.token.is(b'{') {
            self.advance();
        }
        self.skip_balanced()
    }

    /// Skips a bracket and everything up to its partner.
    fn skip_balanced(&mut self) -> Parse<()> {
        let mut depth = 0u32;
        loop {
            match self.token.kind {
                TokenKind::Punct(b'(' | b'[' | b'{') => depth += 1,
                TokenKind::Punct(b')' | b']' | b'}') => depth = depth.saturating_sub(1),
                TokenKind::End => return Err(self.unexpected("a closing bracket")),
                _ => {}
            }
            self.advance();
            if depth == 0 {
                return Ok(());
            }
        }
    }

    /// Reads the groups whose places are known; what is wrong with them is reported when the module is
    /// read in order.
    fn read_groups(&mut self) {
        let start = self.token;
        let mut places: Vec<u32> = self.groups.places.values().copied().collect();
        places.sort_unstable();
        for place in places {
            let mark = self.diagnostics.mark();
            self.lexer.seek(place);
            self.token = self.lexer.next_token();
            if self.attribute_group().is_err() {
                self.diagnostics.rewind(mark);
            }
        }
        self.lexer.seek(start.span.end);
        self.token = start;
        if start.kind == TokenKind::Label {
            self.lexer.seek(start.span.end + 1);
        }
        self.last_end = 0;
    }

    /// What can only be checked when everything is read.
    fn finish(&mut self) {
        self.declare_intrinsics();
        self.check_dropped_expressions();
        // Places first: there may be very many, and few are shown.
        let mut undefined: Vec<(Span, &str, Option<GlobalId>)> = Vec::new();
        let globals = self.undefined_globals.iter();
        undefined.extend(globals.map(|(&global, &span)| (span, "global", Some(global))));
        let types = self.undefined_types.values();
        undefined.extend(types.map(|&span| (span, "type", None)));
        let comdats = self.undefined_comdats.values();
        undefined.extend(comdats.map(|&span| (span, "comdat", None)));
        let nodes = self.node_places.iter().filter(|&&place| place != DEFINED);
        undefined.extend(nodes.map(|&place| (Span::new(place, place + 1), "metadata node", None)));
        let blocks = self.block_addresses.values().flatten();
        undefined.extend(blocks.map(|pending| (pending.span, "block", None)));
        undefined.sort_by_key(|entry| entry.0.start);
        for (span, what, global) in undefined {
            let text = self.lexer.slice(span);
            let text = String::from_utf8_lossy(&text[..text.len().min(MAX_SHOWN)]);
            let name = global.and_then(|global| self.module.globals[global].name);
            let message = match (what, name) {
                ("metadata node", _) => "the metadata node is not defined".to_owned(),
                ("block", _) => format!("there is no block `{text}` in a function with a body"),
                (_, Some(name)) => {
                    let name = self.module.names.bytes(name);
                    let name = String::from_utf8_lossy(&name[..name.len().min(MAX_SHOWN)]);
                    format!("the {what} `@{name}` is not defined")
                }
                _ => format!("the {what} `{text}` is not defined"),
            };
            self.fail(
                codes::IR_UNDEFINED,
                span,
                message,
                "define it in this module, or remove the use",
            );
        }
        for (number, span) in &self.groups.unknown {
            let message = format!("the attribute group `#{number}` is not defined");
            let warning = Diagnostic::warning(codes::IR_UNDEFINED, *span, message);
            self.diagnostics
                .push(warning.help("it is taken as empty, as LLVM does"));
        }
    }

    // ---- tokens ----

    #[inline]
    fn advance(&mut self) -> Token {
        let token = self.token;
        self.last_end = token.span.end;
        self.token = self.lexer.next_token();
        token
    }

    /// Goes on after what was read without tokens.
    fn go_on_at(&mut self, cursor: &cursor::Cursor<'_>) {
        self.last_end = cursor.pos as u32;
        self.lexer.seek(cursor.pos as u32);
        self.token = self.lexer.next_token();
    }

    /// The token after the current one.
    fn peek(&self) -> Token {
        let mut lexer = self.lexer.clone();
        lexer.next_token()
    }

    fn text(&self) -> &'a [u8] {
        self.lexer.slice(self.token.span)
    }

    /// Whether the current token is a word.
    fn at_word(&self, word: &[u8]) -> bool {
        self.token.kind == TokenKind::Word && self.text() == word
    }

    fn accept(&mut self, punct: u8) -> bool {
        let found = self.token.is(punct);
        if found {
            self.advance();
        }
        found
    }

    fn accept_word(&mut self, word: &[u8]) -> bool {
        let found = self.at_word(word);
        if found {
            self.advance();
        }
        found
    }

    fn expect(&mut self, punct: u8) -> Parse<Span> {
        if self.token.is(punct) {
            return Ok(self.advance().span);
        }
        Err(self.lacks(&[punct]))
    }

    /// Reports that something that is written as it is meant must stand here.
    #[cold]
    fn lacks(&mut self, wanted: &[u8]) -> Failed {
        self.unexpected(&format!("`{}`", String::from_utf8_lossy(wanted)))
    }

    fn expect_word(&mut self, word: &[u8]) -> Parse<()> {
        if self.accept_word(word) {
            return Ok(());
        }
        Err(self.lacks(word))
    }

    /// `"text"`
    fn expect_string(&mut self) -> Parse<Name> {
        if self.token.kind != TokenKind::Text {
            return Err(self.unexpected("a string in quotes"));
        }
        let token = self.advance();
        Ok(self.string_of(token.span))
    }

    /// The string between the quotes at a span.
    fn string_of(&mut self, span: Span) -> Name {
        let quoted = self.lexer.slice(span);
        let inner = &quoted[1..quoted.len() - 1];
        self.unescaped(inner)
    }

    fn unescaped(&mut self, inner: &[u8]) -> Name {
        if memchr::memchr(b'\\', inner).is_none() {
            return self.module.names.intern(inner);
        }
        unescape(inner, &mut self.buffer);
        self.module.names.intern(&self.buffer)
    }

    /// The name of `%name`, `@"name"`, `$name`, or of a label.
    fn name_of(&mut self, token: Token) -> Name {
        let text = self.lexer.slice(token.span);
        let text = match token.kind {
            TokenKind::Label | TokenKind::Word => text,
            _ => &text[1..],
        };
        match text {
            [b'"', inner @ .., b'"'] => {
                let name = self.unescaped(inner);
                if self.module.names.bytes(name).contains(&0) {
                    let message = "a name with a zero byte";
                    let help = "names hold any other bytes";
                    self.fail(codes::IR_SYNTAX, token.span, message, help);
                }
                name
            }
            _ => self.module.names.intern(text),
        }
    }

    /// Whether a token is the empty name: what is called so is numbered as what has no name.
    fn is_nameless(&self, token: Token) -> bool {
        matches!(self.lexer.slice(token.span), b"%\"\"" | b"@\"\"" | b"\"\"")
    }

    /// The number of `%5`, `@5`, `#5`.
    fn number_of(&mut self, token: Token) -> Parse<u64> {
        let text = &self.lexer.slice(token.span)[1..];
        match number::decimal(text) {
            Some(number) if number <= u64::from(u32::MAX) => Ok(number),
            _ => Err(self.fail(
                codes::IR_NUMBER,
                token.span,
                "the number is too large",
                "numbers of values have at most 32 bits",
            )),
        }
    }

    /// An unsigned number.
    fn expect_number(&mut self, what: &str) -> Parse<u64> {
        let number = match (self.token.kind, self.text()) {
            (TokenKind::Int, digits) => number::decimal(digits),
            (TokenKind::Word, word @ [b'u', ..]) if is_hex_int(word) => {
                match number::hex_words(&word[3..])[..] {
                    [number] => Some(number),
                    _ => None,
                }
            }
            _ => None,
        };
        match number {
            Some(number) => {
                self.advance();
                Ok(number)
            }
            None => Err(self.unexpected(what)),
        }
    }

    /// An unsigned number of 32 bits.
    fn expect_u32(&mut self, what: &str) -> Parse<u32> {
        let span = self.token.span;
        let number = self.expect_number(what)?;
        u32::try_from(number).map_err(|_| {
            self.fail(
                codes::IR_NUMBER,
                span,
                format!("{what} does not fit into 32 bits"),
                "write a smaller number",
            )
        })
    }

    /// Goes one level deeper into types, constants or metadata.
    fn deeper<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        if self.depth >= MAX_DEPTH {
            return Err(self.fail(
                codes::IR_TOO_DEEP,
                self.token.span,
                format!("more than {MAX_DEPTH} levels of nesting"),
                "give parts of it a name or a number of their own",
            ));
        }
        self.depth += 1;
        let result = parse(self);
        self.depth -= 1;
        result
    }

    // ---- errors ----

    /// Reports what is wrong at a place, and what would be right.
    #[cold]
    fn fail(
        &mut self,
        code: Code,
        span: Span,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Failed {
        self.diagnostics
            .push(Diagnostic::error(code, span, message).help(help));
        Failed
    }

    /// Reports the current token where something else was wanted.
    #[cold]
    fn unexpected(&mut self, wanted: &str) -> Failed {
        let span = self.token.span;
        let (found, help) = match self.token.kind {
            TokenKind::End => (
                "the end of the file".to_owned(),
                "the file ends too early; is a brace missing?".to_owned(),
            ),
            TokenKind::Unclosed if self.text().starts_with(b"/*") => (
                "a comment that never ends".to_owned(),
                "end it with `*/`".to_owned(),
            ),
            TokenKind::Unclosed => (
                "a string that is never closed".to_owned(),
                "add the second quote".to_owned(),
            ),
            TokenKind::Punct(byte) if !byte.is_ascii_graphic() => (
                format!("the byte 0x{byte:02X}"),
                "is this a file of text? bitcode has the ending .bc".to_owned(),
            ),
            _ => {
                let slice = self.lexer.slice(span);
                let text = String::from_utf8_lossy(&slice[..slice.len().min(160)]);
                let shown: String = text.chars().take(40).collect();
                let dots = if shown.len() < slice.len() { "…" } else { "" };
                (format!("`{shown}{dots}`"), format!("write {wanted} here"))
            }
        };
        let message = format!("expected {wanted}, found {found}");
        self.fail(codes::IR_SYNTAX, span, message, help)
    }

    /// Skips to the next line that starts an entity of the top level.
    fn resynchronise(&mut self, before: u32) {
        let mut pos = self.last_end.max(before) as usize;
        let bytes = self.lexer.bytes();
        while let Some(len) = memchr::memchr(b'\n', &bytes[pos..]) {
            pos += len + 1;
            let line = &bytes[pos..];
            let starts = match line.first() {
                Some(b'@' | b'%' | b'$' | b'!' | b'^') => true,
                Some(_) => [
                    &b"define "[..],
                    b"declare ",
                    b"attributes ",
                    b"target ",
                    b"module asm",
                    b"source_filename",
                ]
                .iter()
                .any(|word| line.starts_with(word)),
                None => false,
            };
            if starts {
                self.lexer.seek(pos as u32);
                self.advance();
                return;
            }
        }
        self.lexer.seek(bytes.len() as u32);
        self.advance();
    }
}
