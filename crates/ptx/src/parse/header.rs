//! `.version`, `.target` and `.address_size`.

use super::{Parse, Parser, shorten};
use crate::inst::At;
use crate::lex::TokenKind;
use crate::module::TargetOption;
use warpc_diag::{Span, codes};
use warpc_target::{PtxVersion, Sm};

impl Parser<'_> {
    /// The three directives that a module starts with. What is missing is reported and assumed.
    pub(super) fn header(&mut self) {
        if self.text() != ".version" {
            let help = "a module starts with `.version MAJOR.MINOR`, then `.target sm_NN`";
            self.fail(
                codes::BAD_DIRECTIVE,
                self.token.span,
                "expected `.version`",
                help,
            );
        } else if self.version().is_err() {
            self.skip_header_line();
        }
        if self.text() != ".target" {
            let help = "`.target sm_NN` follows `.version`";
            self.fail(
                codes::BAD_DIRECTIVE,
                self.token.span,
                "expected `.target`",
                help,
            );
        }
        let mut chip_known = false;
        while self.text() == ".target" {
            if self.target(chip_known).is_err() {
                self.skip_header_line();
            }
            chip_known = true;
        }
        if self.text() == ".address_size" && self.address_size().is_err() {
            self.skip_header_line();
        }
    }

    /// Header directives have no semicolon: skips to the next directive.
    fn skip_header_line(&mut self) {
        while !matches!(
            self.token.kind,
            TokenKind::End | TokenKind::Dotted | TokenKind::Punct(b'{')
        ) {
            self.advance();
        }
    }

    fn version(&mut self) -> Parse<()> {
        let directive = self.advance();
        let span = self.token.span;
        if self.token.kind != TokenKind::Number {
            return Err(self.unexpected("a version such as `8.6`"));
        }
        let between = self.lexer.slice(Span::new(
            directive.span.end,
            span.start.max(directive.span.end),
        ));
        if !between.iter().all(|b| matches!(b, b' ' | b'\t')) {
            let help = "write `.version 8.6` on one line, with nothing but blanks between";
            let message = "`.version` and its number belong together";
            return Err(self.fail(codes::SYNTAX, directive.span, message, help));
        }
        self.advance();
        let text = self.lexer.text(span);
        match text.parse::<PtxVersion>() {
            Ok(version) if version.exists() => {
                self.module.version = version;
                self.module.header.version = At(span);
                Ok(())
            }
            _ => {
                let help = format!(
                    "versions from {} to {} are read",
                    PtxVersion::OLDEST,
                    PtxVersion::LATEST
                );
                Err(self.fail(
                    codes::BAD_TARGET,
                    span,
                    format!("there is no PTX version {}", shorten(text)),
                    help,
                ))
            }
        }
    }

    /// `.target sm_90, debug`. The first word of the first `.target` is a chip; where several are
    /// named, the last one counts.
    fn target(&mut self, mut chip_known: bool) -> Parse<()> {
        self.advance();
        loop {
            let span = self.token.span;
            if self.token.kind != TokenKind::Ident {
                return Err(self.unexpected("a target such as `sm_90`"));
            }
            let text = self.text();
            self.advance();
            let option = TargetOption::ALL.iter().find(|(_, name)| *name == text);
            match option {
                Some(&(option, _)) if chip_known => self.target_option(option, span)?,
                Some(_) => {
                    let help = "`.target sm_NN, option`";
                    return Err(self.fail(
                        codes::BAD_TARGET,
                        span,
                        "the chip comes before the options",
                        help,
                    ));
                }
                None => {
                    let name = text.replacen("compute_", "sm_", 1);
                    match name.parse::<Sm>() {
                        Ok(sm) => {
                            self.module.sm = sm;
                            self.module.header.target = At(span);
                            chip_known = true;
                        }
                        Err(error) => {
                            let message = format!("there is no target `{}`", shorten(text));
                            return Err(self.fail(
                                codes::BAD_TARGET,
                                span,
                                message,
                                error.to_string(),
                            ));
                        }
                    }
                }
            }
            if !self.eat(b',') {
                return Ok(());
            }
        }
    }

    fn target_option(&mut self, option: TargetOption, span: Span) -> Parse<()> {
        use TargetOption::{MapF64ToF32, TexmodeIndependent, TexmodeUnified};
        let conflict = match option {
            TexmodeUnified => self.module.options.contains(&TexmodeIndependent),
            TexmodeIndependent => self.module.options.contains(&TexmodeUnified),
            _ => false,
        };
        if conflict {
            let message = "texmode_unified and texmode_independent exclude each other";
            return Err(self.fail(codes::BAD_TARGET, span, message, "leave one of them"));
        }
        if option == MapF64ToF32 {
            let message = "map_f64_to_f32 is for chips without double precision; all that are supported have it";
            return Err(self.fail(codes::BAD_TARGET, span, message, "leave it out"));
        }
        if !self.module.options.contains(&option) {
            self.module.options.push(option);
        }
        Ok(())
    }

    fn address_size(&mut self) -> Parse<()> {
        self.advance();
        let span = self.token.span;
        match self.unsigned()? {
            64 => {
                self.module.address_size = Some(64);
                self.module.header.address_size = At(span);
                Ok(())
            }
            32 => {
                let help = "write `.address_size 64` and 64-bit addresses";
                Err(self.fail(
                    codes::BAD_DIRECTIVE,
                    span,
                    "32-bit modules are no longer supported",
                    help,
                ))
            }
            _ => Err(self.fail(
                codes::BAD_DIRECTIVE,
                span,
                "there is no such address size",
                "write `.address_size 64`",
            )),
        }
    }
}
