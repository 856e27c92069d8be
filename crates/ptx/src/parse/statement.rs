//! The statements of a body: labels, instructions, blocks.

use super::{Failed, Parse, Parser, shorten};
use crate::form::{Problem, resolve, select};
use crate::inst::{At, Guard, Inst, Mnemonic, MnemonicId, OperandRange};
use crate::lex::TokenKind;
use crate::module::{Body, Statement};
use crate::print::mnemonic_text;
use crate::suggest;
use warpc_diag::{Diagnostic, Span, codes};

/// Blocks may nest this deeply. Each level costs a reader a little memory and nothing real goes
/// beyond a dozen.
const MAX_DEPTH: usize = 1000;

/// More modifiers than any instruction has.
const MAX_MODIFIERS: usize = 32;

/// More bytes than any opcode has with its modifiers.
const MAX_MNEMONIC: usize = 1024;

impl<'a> Parser<'a> {
    /// `{ statement* }`
    pub(super) fn body(&mut self) -> Parse<Body> {
        let open = self.expect(b'{')?;
        self.body.open = At(open);
        let mut depth = 0usize;
        loop {
            let start = self.token.span;
            let done = match self.token.kind {
                TokenKind::Ident => self.label_or_instruction(),
                TokenKind::Dotted => self.body_directive(),
                TokenKind::Punct(b'@') => self.guarded(),
                TokenKind::Punct(b'{') if depth < MAX_DEPTH => {
                    depth += 1;
                    self.advance();
                    self.body.statements.push(Statement::Open(At(start)));
                    Ok(())
                }
                TokenKind::Punct(b'{') => {
                    let message = format!("blocks nest more than {MAX_DEPTH} levels deep");
                    let help = "blocks only hold names apart; flatten them";
                    self.fail(codes::TOO_DEEP, start, message, help);
                    // There is no telling where this ends; what follows would only repeat the error.
                    self.lexer.seek(usize::MAX);
                    self.advance();
                    return Ok(std::mem::take(&mut self.body));
                }
                TokenKind::Punct(b'}') if depth > 0 => {
                    depth -= 1;
                    self.advance();
                    self.body.statements.push(Statement::Close(At(start)));
                    Ok(())
                }
                TokenKind::Punct(b'}') => {
                    self.body.close = At(start);
                    self.advance();
                    return Ok(std::mem::take(&mut self.body));
                }
                TokenKind::End => {
                    let diagnostic =
                        Diagnostic::error(codes::SYNTAX, start, "the file ends inside a function")
                            .related(open, "this brace is never closed")
                            .help("add the missing `}`");
                    self.structure_lost = true;
                    self.diagnostics.push(diagnostic);
                    self.body = Body::default();
                    return Err(Failed);
                }
                _ => Err(self.unexpected("a label, an instruction or a directive")),
            };
            if done.is_err() {
                if self.token.span == start {
                    self.advance();
                }
                self.resynchronise();
            }
            if self.diagnostics.is_full() {
                return Ok(std::mem::take(&mut self.body));
            }
        }
    }

    fn label_or_instruction(&mut self) -> Parse<()> {
        let token = self.token;
        // The lexer stands right after the token: modifiers follow at once or not at all.
        if self.lexer.byte_at(token.span.end) == Some(b'.') {
            return self.instruction(None);
        }
        let next = self.lexer.clone().next_token();
        if next.is(b':') {
            let (symbol, _) = self.expect_name("a label")?;
            self.advance();
            self.body
                .statements
                .push(Statement::Label(symbol, At(token.span)));
            return Ok(());
        }
        self.instruction(None)
    }

    /// `@p instruction`, `@!p instruction`
    fn guarded(&mut self) -> Parse<()> {
        self.expect(b'@')?;
        let negated = self.eat(b'!');
        let (register, span) = self.expect_ident("a predicate register")?;
        if self.token.kind != TokenKind::Ident {
            return Err(self.unexpected("an instruction"));
        }
        self.instruction(Some(Guard {
            register,
            negated,
            at: At(span),
        }))
    }

    fn instruction(&mut self, guard: Option<Guard>) -> Parse<()> {
        let opcode = self.token.span;
        self.lexer.skip_modifiers();
        let mut span = Span::new(opcode.start, self.lexer.offset() as u32);
        self.last_end = span.end;
        self.token = self.lexer.next_token();
        let mnemonic = if self.token.kind == TokenKind::Dotted {
            // Blanks between modifiers: rare, so put the pieces together.
            let mut text = self.lexer.text(span).to_owned();
            while self.token.kind == TokenKind::Dotted {
                text.push_str(self.text());
                span.end = self.advance().span.end;
            }
            self.resolve_mnemonic(&text, span)
        } else {
            self.cached_mnemonic(span)
        };
        let is_call = self.lexer.slice(opcode) == b"call";
        let operands = if self.token.is(b';') {
            OperandRange {
                start: self.body.operands.len() as u32,
                len: 0,
            }
        } else if is_call {
            self.call_operands()?
        } else {
            self.operand_list()?
        };
        self.expect(b';')?;
        let Some(mnemonic) = mnemonic else {
            // What a call passes and returns matters to those around it.
            self.structure_lost |= is_call;
            return Ok(());
        };
        let at = At(self.since(opcode));
        match select(
            &self.module.mnemonics[mnemonic.0 as usize],
            &self.body.operands,
            operands,
        ) {
            Some(choice) => {
                self.body.statements.push(Statement::Inst(Inst {
                    mnemonic,
                    choice,
                    guard,
                    operands,
                    at,
                }));
            }
            None => {
                self.structure_lost |= is_call;
                self.report_operands(mnemonic, operands, span);
            }
        }
        Ok(())
    }

    fn cached_mnemonic(&mut self, span: Span) -> Option<MnemonicId> {
        let bytes: &'a [u8] = self.lexer.slice(span);
        if let Some(&known) = self.mnemonics.get(bytes)
            && known.is_some()
        {
            return known;
        }
        let id = self.resolve_mnemonic(self.lexer.text(span), span);
        self.mnemonics.insert(bytes, id);
        id
    }

    /// Asks the tables. Reports what is wrong.
    fn resolve_mnemonic(&mut self, text: &str, span: Span) -> Option<MnemonicId> {
        let modifiers = memchr::memchr_iter(b'.', text.as_bytes()).count();
        if modifiers > MAX_MODIFIERS || text.len() > MAX_MNEMONIC {
            let message = format!("`{}` has too many modifiers", shorten(text));
            let help = "`warpc explain NAME` lists what an instruction has";
            self.fail(codes::BAD_COMBINATION, span, message, help);
            return None;
        }
        let mut pieces = text.split('.');
        let opcode = pieces.next().unwrap_or("");
        let offset_of =
            |piece: &str| span.start + (piece.as_ptr() as usize - text.as_ptr() as usize) as u32;
        let contiguous = (span.end - span.start) as usize == text.len();
        let mut tokens = Vec::new();
        for piece in pieces {
            let start = piece.as_ptr() as usize - text.as_ptr() as usize - 1;
            tokens.push(&text[start..start + piece.len() + 1]);
        }
        let place = |piece: &str| {
            if contiguous {
                Span::new(offset_of(piece), offset_of(piece) + piece.len() as u32)
            } else {
                span
            }
        };
        let problem = match resolve(opcode, &tokens) {
            Ok(choices) => {
                let mnemonic = Mnemonic { choices };
                let canonical = mnemonic_text(&mnemonic.choices[0]);
                let next = MnemonicId(self.module.mnemonics.len() as u32);
                let id = *self.canonical.entry(canonical).or_insert(next);
                if id == next {
                    self.module.mnemonics.push(mnemonic);
                }
                return Some(id);
            }
            Err(problem) => problem,
        };
        let diagnostic = match problem {
            Problem::UnknownOpcode => {
                let message = format!("there is no instruction `{opcode}`");
                let diagnostic = Diagnostic::error(codes::UNKNOWN_OPCODE, place(opcode), message);
                match suggest::opcode(opcode) {
                    Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
                    None => {
                        diagnostic.help("`warpc explain NAME` shows what an instruction looks like")
                    }
                }
            }
            Problem::UnknownModifier(i) => {
                let message = format!("`{opcode}` has no modifier `{}`", tokens[i]);
                let diagnostic =
                    Diagnostic::error(codes::UNKNOWN_MODIFIER, place(tokens[i]), message);
                let lesson = suggest::lesson(opcode, tokens[i]);
                let near = suggest::modifier(opcode, tokens[i]);
                diagnostic.help(match (lesson, near) {
                    (Some(lesson), _) => lesson.to_owned(),
                    (None, Some(near)) => format!("did you mean `{near}`?"),
                    (None, None) => format!("`warpc explain {opcode}` lists what it has"),
                })
            }
            Problem::Conflict(i, form) => {
                let message = format!(
                    "`{}` does not go with the other modifiers of `{opcode}`",
                    tokens[i]
                );
                let help = match suggest::lesson(opcode, tokens[i]) {
                    Some(lesson) => lesson.to_owned(),
                    None => format!("the nearest form is `{}`", form.form().row.syntax),
                };
                Diagnostic::error(codes::BAD_COMBINATION, place(tokens[i]), message).help(help)
            }
            Problem::Combination(form, reason) => {
                Diagnostic::error(codes::BAD_COMBINATION, span, reason)
                    .help(format!("the form is `{}`", form.form().row.syntax))
            }
            Problem::Missing(slot, form) => {
                let form = form.form();
                let values: Vec<&str> = form.slots[slot]
                    .values
                    .iter()
                    .map(|value| value.text)
                    .collect();
                let message = format!("`{opcode}` lacks {}", suggest::one_of(&values));
                Diagnostic::error(codes::MISSING_MODIFIER, span, message)
                    .help(format!("the form is `{}`", form.row.syntax))
            }
        };
        self.diagnostics.push(diagnostic);
        None
    }

    /// No form of the mnemonic takes these operands: says which one comes nearest, and where.
    fn report_operands(&mut self, mnemonic: MnemonicId, given: OperandRange, span: Span) {
        let mnemonic = &self.module.mnemonics[mnemonic.0 as usize];
        let failures = mnemonic.choices.iter().map(|choice| {
            let failed = crate::form::map_operands(choice, &self.body.operands, given)
                .err()
                .unwrap_or(0);
            (failed, choice)
        });
        let mut best: Option<(usize, &crate::inst::Choice)> = None;
        for (failed, choice) in failures {
            if best.is_none_or(|(most, _)| failed > most) {
                best = Some((failed, choice));
            }
        }
        let Some((failed, choice)) = best else {
            return;
        };
        let form = choice.form.form();
        let given_count = usize::from(given.len);
        let opcode = mnemonic_text(choice);
        let (place, message) = if failed < given_count {
            let place = self.body.operand_span(given.start as usize + failed);
            let most = form.shapes.len();
            let message = if failed >= most {
                format!(
                    "`{opcode}` takes {most} operand{}, {given_count} were given",
                    if most == 1 { "" } else { "s" }
                )
            } else {
                format!(
                    "operand {} of `{opcode}` is not of the right form",
                    failed + 1
                )
            };
            (place, message)
        } else {
            let message = format!("`{opcode}` wants more operands than the {given_count} given");
            (span, message)
        };
        let diagnostic = Diagnostic::error(codes::WRONG_OPERANDS, place, message)
            .help(format!("the form is `{}`", form.row.syntax));
        self.diagnostics.push(diagnostic);
    }
}
