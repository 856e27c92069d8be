//! Landing pads, and the instructions of Windows' exception handling.

use super::inst::Parts;
use super::{Parse, Reader};
use crate::inst::{Flags, Op};
use crate::lex::TokenKind;
use crate::types::Type;
use crate::value::Value;
use warpc_diag::codes;

impl Reader<'_> {
    /// `landingpad T cleanup catch T v filter T v`
    pub(super) fn landingpad(&mut self) -> Parse<Parts> {
        let ty = self.ty()?;
        let cleanup = self.accept_word(b"cleanup");
        while self.at_word(b"catch") || self.at_word(b"filter") {
            let span = self.token.span;
            let filter = self.text() == b"filter";
            self.advance();
            let (ty, clause) = self.typed_value()?;
            // The type says which of the two it is from here on.
            if matches!(self.module.types.get(ty), Type::Array { .. }) != filter {
                let message = "`filter` takes an array, `catch` anything else";
                let help = "put the types of a filter into an array";
                return Err(self.fail(codes::IR_TYPE, span, message, help));
            }
            self.push(clause);
        }
        Ok(Parts {
            op: Op::LandingPad { cleanup },
            ty,
            flags: Flags::empty(),
        })
    }

    /// The instructions of Windows' exception handling.
    pub(super) fn pad_inst(&mut self, word: &[u8]) -> Parse<Parts> {
        let (void, token) = (self.module.types.void, self.module.types.token);
        let from = matches!(word, b"cleanupret" | b"catchret");
        self.expect_word(if from { b"from" } else { b"within" })?;
        let is_scope = matches!(
            self.token.kind,
            TokenKind::LocalName | TokenKind::LocalNumber
        );
        if !is_scope && (from || !self.at_word(b"none")) {
            return Err(self.unexpected("a pad, `%name`"));
        }
        let pad = self.value(token)?;
        self.push(pad);
        let (op, ty) = match word {
            b"cleanupret" => {
                self.unwind()?;
                (Op::CleanupRet, void)
            }
            b"catchret" => {
                self.expect_word(b"to")?;
                let block = self.target_block()?;
                self.push(block);
                (Op::CatchRet, void)
            }
            b"catchswitch" => {
                self.expect(b'[')?;
                self.blocks_until_bracket()?;
                let before = self.scope.operands.len();
                let unwinds = self.unwind()?;
                if unwinds {
                    // The unwind block stands before the handlers.
                    let block = self.scope.operands.remove(before);
                    self.scope.operands.insert(1, block);
                }
                (Op::CatchSwitch { unwinds }, token)
            }
            _ => {
                self.expect(b'[')?;
                while !self.token.is(b']') {
                    let argument = self.pad_argument()?;
                    self.push(argument);
                    if !self.accept(b',') {
                        break;
                    }
                }
                self.expect(b']')?;
                let op = match word {
                    b"catchpad" => Op::CatchPad,
                    _ => Op::CleanupPad,
                };
                (op, token)
            }
        };
        let flags = Flags::empty();
        Ok(Parts { op, ty, flags })
    }

    fn pad_argument(&mut self) -> Parse<Value> {
        let ty = self.ty()?;
        if ty == self.module.types.metadata {
            return self.metadata_operand();
        }
        self.value(ty)
    }

    /// `unwind to caller` or `unwind label %b`; whether it is a block.
    fn unwind(&mut self) -> Parse<bool> {
        self.expect_word(b"unwind")?;
        if self.accept_word(b"to") {
            self.expect_word(b"caller")?;
            return Ok(false);
        }
        let block = self.target_block()?;
        self.push(block);
        Ok(true)
    }
}
