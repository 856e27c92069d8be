//! `.version`, `.target` and `.address_size`.

use super::{Parse, Parser};
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
            self.fail_help(
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
            self.fail_help(
                codes::BAD_DIRECTIVE,
                self.token.span,
                "expected `.target`",
                help,
            );
        } else if self.target().is_err() {
            self.skip_header_line();
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
        self.advance();
        let span = self.token.span;
        if self.token.kind != TokenKind::Number {
            return Err(self.unexpected("a version such as `8.6`"));
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
                Err(self.fail_help(
                    codes::BAD_TARGET,
                    span,
                    format!("there is no PTX version {text}"),
                    help,
                ))
            }
        }
    }

    fn target(&mut self) -> Parse<()> {
        self.advance();
        let mut chip: Option<Span> = None;
        loop {
            let span = self.token.span;
            if self.token.kind != TokenKind::Ident {
                return Err(self.unexpected("a target such as `sm_90`"));
            }
            let text = self.text();
            self.advance();
            if let Some(&(option, _)) = TargetOption::ALL.iter().find(|(_, name)| *name == text) {
                self.module.options.push(option);
            } else {
                match text.parse::<Sm>() {
                    Ok(sm) if chip.is_none() => {
                        self.module.sm = sm;
                        self.module.header.target = At(span);
                        chip = Some(span);
                    }
                    Ok(_) => {
                        return Err(self.fail(
                            codes::BAD_TARGET,
                            span,
                            "`.target` names two chips",
                        ));
                    }
                    Err(error) => {
                        let message = format!("there is no target `{text}`");
                        return Err(self.fail_help(
                            codes::BAD_TARGET,
                            span,
                            message,
                            error.to_string(),
                        ));
                    }
                }
            }
            if !self.eat(b',') {
                break;
            }
        }
        if chip.is_none() {
            let place = Span::new(self.last_end, self.last_end);
            return Err(self.fail(codes::BAD_TARGET, place, "`.target` names no chip"));
        }
        Ok(())
    }

    fn address_size(&mut self) -> Parse<()> {
        self.advance();
        let span = self.token.span;
        match self.unsigned()? {
            bits @ (32 | 64) => {
                self.module.address_size = Some(bits as u8);
                Ok(())
            }
            _ => Err(self.fail(codes::BAD_DIRECTIVE, span, "`.address_size` is 32 or 64")),
        }
    }
}
