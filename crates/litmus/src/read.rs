//! Reads the litmus format: header, initial values, a table of threads, a final condition.
//!
//! ```text
//!   PTX MP                                    the header: any text up to the brace
//!   "message passing"
//!   { x = 0; y = 0; P1:r0 = 0; }              initial values; `s @ surface aliases x` names memory again
//!    P0@cta 0,gpu 0     | P1@cta 1,gpu 0      ;
//!    st.weak x, 1       | ld.acquire.gpu r0, y ;
//!    st.release.gpu y,1 | ld.weak r1, x       ;
//!   exists (P1:r0 == 1 /\ P1:r1 == 0)
//! ```
//!
//! What is wrong in a cell of the table is reported, and reading goes on with the next cell.

mod instruction;
mod reader;

use crate::condition::{self, Condition, Quantifier};
use crate::lex::{Kind, Token, text, tokens};
use warpc_diag::{Diagnostic, Diagnostics, Output, SourceFile, Span, codes};
use warpc_model::axioms::{Inst, Location, MemoryProxy, Place, Program, Thread};

/// A litmus test.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Test {
    /// The program.
    pub program: Program,
    /// The names of threads.
    pub threads: Vec<String>,
    /// The names of locations.
    pub locations: Vec<String>,
    /// The names of registers, by thread.
    pub registers: Vec<Vec<String>>,
    /// Instructions as they are written, by thread; none for what is not shown.
    pub texts: Vec<Vec<String>>,
    /// Which executions must satisfy the condition.
    pub quantifier: Quantifier,
    /// The condition.
    pub condition: Condition,
    /// What executions must satisfy to count at all.
    pub filter: Condition,
    /// The first proxy, alias or fence between proxies, which PTX 6.0 does not have.
    pub proxy: Option<Span>,
}

impl Test {
    /// A test without threads.
    pub(crate) fn empty() -> Test {
        Test {
            program: Program::default(),
            threads: Vec::new(),
            locations: Vec::new(),
            registers: Vec::new(),
            texts: Vec::new(),
            quantifier: Quantifier::Exists,
            condition: Condition::True,
            filter: Condition::True,
            proxy: None,
        }
    }
}

/// Reads a test.
pub fn read(file: &SourceFile) -> Output<Test> {
    let tokens = match text(file).and_then(tokens) {
        Ok(tokens) => tokens,
        Err(error) => {
            let mut diagnostics = Diagnostics::new();
            diagnostics.push(*error);
            return Output::failed(diagnostics);
        }
    };
    let mut reader = Reader::new(&tokens, Test::empty());
    reader.test(file);
    Output::new(reader.test, reader.diagnostics)
}

/// Reads a condition that stands alone, for threads that are known.
pub(crate) fn read_condition(tokens: &[Token], test: Test) -> (Test, Diagnostics) {
    let mut reader = Reader::new(tokens, test);
    reader.end();
    (reader.test, reader.diagnostics)
}

/// A label: where it is, or who wants it.
#[derive(Clone, Debug)]
struct Label {
    name: String,
    at: Option<usize>,
    uses: Vec<(usize, Span)>,
}

/// The reader's state.
pub(crate) struct Reader<'s> {
    tokens: &'s [Token<'s>],
    at: usize,
    pub(crate) test: Test,
    diagnostics: Diagnostics,
    /// By thread.
    labels: Vec<Vec<Label>>,
}

impl<'s> Reader<'s> {
    fn new(tokens: &'s [Token<'s>], test: Test) -> Reader<'s> {
        Reader {
            tokens,
            at: 0,
            test,
            diagnostics: Diagnostics::new(),
            labels: Vec::new(),
        }
    }

    fn test(&mut self, file: &SourceFile) {
        match self.peek() {
            Kind::Word("PTX" | "ptx") => {}
            _ => {
                let found = Diagnostic::error(
                    codes::LITMUS_SYNTAX,
                    self.span(),
                    "a litmus test starts with `PTX` and its name",
                );
                return self.error(
                    found.help("kernels are read from PTX: the text starts with `.version`"),
                );
            }
        }
        while !matches!(self.peek(), Kind::End | Kind::Sign("{")) {
            self.next();
        }
        let values = self.at;
        if self.expect("{", "the name of the test").is_none() {
            return;
        }
        // Threads come after the values of their registers: they are read first.
        while !matches!(self.peek(), Kind::End | Kind::Sign("}")) {
            self.next();
        }
        if self.expect("}", "the initial values").is_none() {
            return;
        }
        self.accept(";");
        if self.header().is_none() {
            return;
        }
        let table = self.at;
        self.at = values + 1;
        self.initial_values();
        self.at = table;
        self.table(file);
        self.resolve_labels();
        self.end();
    }

    /// `P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;`
    fn header(&mut self) -> Option<()> {
        loop {
            let span = self.span();
            let Kind::Word(name) = self.peek() else {
                self.unexpected("a thread, as `P0@cta 0,gpu 0`");
                return None;
            };
            self.next();
            if self.test.threads.iter().any(|known| known == name) {
                let message = format!("there are two threads `{name}`");
                self.error(Diagnostic::error(codes::LITMUS_NAME, span, message));
            }
            let place = match self.accept("@") {
                true => self.place()?,
                false => Place::default(),
            };
            self.test.threads.push(name.to_string());
            self.test.registers.push(Vec::new());
            self.test.texts.push(Vec::new());
            self.labels.push(Vec::new());
            self.test.program.threads.push(Thread {
                place,
                ..Thread::default()
            });
            if self.accept(";") {
                return Some(());
            }
            self.expect("|", "a thread")?;
        }
    }

    fn place(&mut self) -> Option<Place> {
        let mut place = Place::default();
        let mut has_cluster = false;
        loop {
            let Kind::Word(level @ ("cta" | "cluster" | "gpu" | "sys")) = self.peek() else {
                self.unexpected("`cta`, `cluster` or `gpu` and a number");
                return None;
            };
            self.next();
            let span = self.span();
            let number = condition::constant(self);
            let Some(number) = number.and_then(|number| u32::try_from(number).ok()) else {
                let message = format!("`{level}` has no number");
                self.error(Diagnostic::error(codes::LITMUS_SYNTAX, span, message));
                return None;
            };
            match level {
                "cta" => place.cta = number,
                "cluster" => {
                    has_cluster = true;
                    place.cluster = number;
                }
                "gpu" => place.gpu = number,
                _ => {}
            }
            if !self.accept(",") {
                break;
            }
        }
        if !has_cluster {
            // Blocks without a cluster are clusters of one block.
            place.cluster = place.cta;
        }
        Some(place)
    }

    fn initial_values(&mut self) {
        loop {
            while self.accept(";") || self.accept(",") {}
            match self.peek() {
                Kind::Sign("}") | Kind::End => return,
                _ => {
                    if self.initial_value().is_none() {
                        while !matches!(self.peek(), Kind::Sign(";" | "}") | Kind::End) {
                            self.next();
                        }
                    }
                }
            }
        }
    }

    fn initial_value(&mut self) -> Option<()> {
        let span = self.span();
        if let Kind::Number(number) = self.peek()
            && self.peek_at(1) == Kind::Sign(":")
        {
            self.next();
            self.next();
            return self.initial_register(&format!("P{number}"), span);
        }
        let Kind::Word(name) = self.peek() else {
            self.unexpected("an initial value, as `x = 0` or `P0:r0 = 0`");
            return None;
        };
        self.next();
        if self.accept(":") {
            return self.initial_register(name, span);
        }
        if self.accept("@") {
            return self.alias(name, span);
        }
        self.expect("=", "a location")?;
        let location = self.location(name);
        let value = match self.value_of_location()? {
            Ok(value) => value,
            Err(other) => self.test.program.locations[other].initial,
        };
        let memory = self.test.program.locations[location].memory;
        for one in &mut self.test.program.locations {
            if one.memory == memory {
                one.initial = value;
            }
        }
        Some(())
    }

    /// A number, or a location whose initial value is meant.
    fn value_of_location(&mut self) -> Option<Result<u64, usize>> {
        if let Some(value) = condition::constant(self) {
            return Some(Ok(value));
        }
        self.accept("&");
        let span = self.span();
        let Kind::Word(name) = self.peek() else {
            self.unexpected("a number");
            return None;
        };
        self.next();
        match self.known_location(name) {
            Some(location) => Some(Err(location)),
            None => {
                self.unknown_location(name, span);
                None
            }
        }
    }

    fn initial_register(&mut self, thread: &str, span: Span) -> Option<()> {
        let Kind::Word(name) = self.peek() else {
            self.unexpected("a register");
            return None;
        };
        self.next();
        let thread = self.thread(thread, span)?;
        let register = self.register(thread, name);
        self.expect("=", "a register")?;
        let span = self.span();
        let Some(value) = condition::constant(self) else {
            let found = Diagnostic::error(
                codes::LITMUS_INSTRUCTION,
                span,
                "a register cannot hold an address",
            );
            self.error(found.help("instructions name the location that they access"));
            return None;
        };
        self.test.program.threads[thread].registers[register] = value;
        Some(())
    }

    /// `s @ surface aliases x`
    fn alias(&mut self, name: &str, span: Span) -> Option<()> {
        let of = self.span();
        let Kind::Word(word) = self.peek() else {
            self.unexpected("a proxy");
            return None;
        };
        let Some(proxy) = instruction::proxy(word) else {
            let message = format!("`{word}` is not a proxy");
            let found = Diagnostic::error(codes::LITMUS_NAME, of, message);
            self.error(found.help(format!("proxies: {}", instruction::PROXIES)));
            return None;
        };
        self.next();
        self.test.proxy.get_or_insert(span.to(of));
        if !self.accept_word("aliases") {
            self.unexpected("`aliases`");
            return None;
        }
        let other_span = self.span();
        let Kind::Word(other) = self.peek() else {
            self.unexpected("a location");
            return None;
        };
        self.next();
        let Some(other) = self.known_location(other) else {
            self.unknown_location(other, other_span);
            return None;
        };
        if self.known_location(name).is_some() {
            let message = format!("`{name}` is declared twice");
            self.error(Diagnostic::error(codes::LITMUS_NAME, span, message));
            return None;
        }
        let location = self.location(name);
        let original = self.test.program.locations[other];
        // A generic alias is another virtual address; another proxy reaches the same one.
        let address = match proxy {
            MemoryProxy::Generic => location,
            _ => original.address,
        };
        self.test.program.locations[location] = Location {
            address,
            ..original
        };
        Some(())
    }

    /// Rows of cells, up to the condition.
    fn table(&mut self, file: &SourceFile) {
        let threads = self.test.threads.len();
        let is_end = |kind: Kind| {
            matches!(
                kind,
                Kind::End
                    | Kind::Sign("~")
                    | Kind::Word("exists" | "forall" | "filter" | "locations" | "final" | "not")
            )
        };
        while !is_end(self.peek()) {
            let mut thread = 0;
            loop {
                if thread < threads {
                    self.cell(thread, file);
                } else if !matches!(self.peek(), Kind::Sign("|" | ";") | Kind::End) {
                    let message = format!("a row has more than {threads} cells");
                    self.error(Diagnostic::error(
                        codes::LITMUS_SYNTAX,
                        self.span(),
                        message,
                    ));
                    self.skip_cell();
                }
                thread += 1;
                if self.accept("|") {
                    continue;
                }
                if !self.accept(";") {
                    self.unexpected("`|` or `;` after an instruction");
                    self.skip_cell();
                    if matches!(self.peek(), Kind::End) {
                        return;
                    }
                    self.next();
                }
                break;
            }
        }
    }

    fn skip_cell(&mut self) {
        while !matches!(self.peek(), Kind::Sign("|" | ";") | Kind::End) {
            self.next();
        }
    }

    fn cell(&mut self, thread: usize, file: &SourceFile) {
        if matches!(self.peek(), Kind::Sign("|" | ";") | Kind::End) {
            return;
        }
        // Labels may stand before an instruction.
        while let (Kind::Word(name), Kind::Sign(":")) = (self.peek(), self.peek_at(1)) {
            let span = self.span();
            self.next();
            self.next();
            let at = self.test.program.threads[thread].code.len();
            let label = self.label(thread, name);
            if label.at.replace(at).is_some() {
                let message = format!("the label `{name}` is in the thread twice");
                self.error(Diagnostic::error(codes::LITMUS_NAME, span, message));
            }
        }
        if matches!(self.peek(), Kind::Sign("|" | ";") | Kind::End) {
            return;
        }
        let start = self.span();
        match instruction::read(self, thread) {
            Some(inst) => {
                let span = start.to(self.before());
                let text = String::from_utf8_lossy(file.slice(span));
                let words: Vec<&str> = text.split_whitespace().collect();
                self.test.texts[thread].push(words.join(" "));
                self.test.program.threads[thread].code.push(inst);
            }
            None => self.skip_cell(),
        }
    }

    fn label(&mut self, thread: usize, name: &str) -> &mut Label {
        let labels = &mut self.labels[thread];
        let at = labels.iter().position(|label| label.name == name);
        let at = at.unwrap_or_else(|| {
            labels.push(Label {
                name: name.to_string(),
                at: None,
                uses: Vec::new(),
            });
            labels.len() - 1
        });
        &mut labels[at]
    }

    /// Notes that the instruction which is read now goes to a label.
    fn goes_to(&mut self, thread: usize, name: &str, span: Span) {
        let inst = self.test.program.threads[thread].code.len();
        self.label(thread, name).uses.push((inst, span));
    }

    fn resolve_labels(&mut self) {
        for (thread, labels) in std::mem::take(&mut self.labels).into_iter().enumerate() {
            for label in labels {
                for (inst, span) in label.uses {
                    let Some(to) = label.at else {
                        let message = format!(
                            "`{}` has no label `{}`",
                            self.test.threads[thread], label.name
                        );
                        self.error(Diagnostic::error(codes::LITMUS_NAME, span, message));
                        continue;
                    };
                    // A cell that was not read left no instruction.
                    if let Some(Inst::Branch { target, .. } | Inst::Jump(target)) =
                        self.test.program.threads[thread].code.get_mut(inst)
                    {
                        *target = to;
                    }
                }
            }
        }
    }

    /// `locations [x; y]`, `filter (…)`, and the condition.
    fn end(&mut self) {
        if self.accept_word("locations") {
            // What is printed by other tools.
            while !matches!(self.peek(), Kind::Sign("]") | Kind::End) {
                self.next();
            }
            if self.expect("]", "the locations").is_none() {
                return;
            }
            self.accept(";");
        }
        if self.accept_word("filter") {
            match condition::read(self) {
                Some(filter) => self.test.filter = filter,
                None => return,
            }
            self.accept(";");
        }
        let Some((quantifier, _)) = condition::quantifier(self) else {
            return;
        };
        let Some(condition) = condition::read(self) else {
            return;
        };
        self.test.quantifier = quantifier;
        self.test.condition = condition;
        self.accept(";");
        if self.peek() != Kind::End {
            self.unexpected("the end of the test");
        }
    }
}
