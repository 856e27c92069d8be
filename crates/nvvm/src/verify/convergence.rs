//! Convergence control: the tokens that say which threads run a call together.
//!
//! A function with tokens uses them for all of its convergent calls, or for none. `entry` stands in the
//! entry block of a convergent function, `loop` has a token, and both stand before all other convergent
//! calls of their block. Only functions of modules that name these intrinsics are looked at.

use super::attribute::Kind;
use super::body::Code;
use super::{Callee, Verifier};
use crate::function::Call;
use crate::value::{InstId, Value};
use warpc_diag::codes;

const PREFIX: &str = "llvm.experimental.convergence.";

/// The names of the intrinsics that make tokens.
const MAKERS: [&str; 3] = ["entry", "anchor", "loop"];

impl<'m> Verifier<'m> {
    /// Whether a module makes tokens.
    pub(super) fn has_convergence_tokens(&self) -> bool {
        MAKERS.iter().any(|word| {
            let name = format!("{PREFIX}{word}");
            self.module.names.find(name.as_bytes()).is_some()
        })
    }

    /// Checks the convergent calls of a body.
    pub(super) fn convergence(&mut self, code: &Code<'m>) {
        let body = code.body;
        // The first kind of convergence that was met, whether it is controlled.
        let mut controlled: Option<bool> = None;
        for &block in &body.order {
            let mut seen = false;
            for &id in &body.blocks[block].insts {
                let Some(site) = body.insts[id].op.call_site() else {
                    continue;
                };
                let site = self.module.call_sites.get(site);
                let call = body.call(id, site);
                self.at = body.insts[id].pos;
                let maker = self.token_maker(&call);
                let token = self.convergence_token(id, code, &call);
                let own = self.kinds(self.module.attributes.of_function(site.attrs));
                let of_callee = self.function_at(call.callee).map(|(_, f)| f.attrs);
                let convergent = self.calls_convergent_intrinsic(&call)
                    || own.has(Kind::Convergent)
                    || self.callee_has(of_callee, Kind::Convergent);
                if let Some(token) = token {
                    self.convergence_rule(
                        convergent,
                        "only a convergent call takes a convergence token",
                    );
                    let made = self.intrinsic_that_made(code, token);
                    let fits = made.is_some_and(|name| name.starts_with(PREFIX));
                    self.convergence_rule(
                        fits,
                        "a convergence token comes from a convergence intrinsic",
                    );
                }
                if let Some(maker) = maker {
                    let is_loop = maker == "loop";
                    self.convergence_rule(
                        token.is_some() == is_loop,
                        "`loop` takes a convergence token, `entry` and `anchor` take none",
                    );
                    self.convergence_rule(
                        !seen || maker == "anchor",
                        "`entry` and `loop` stand before all other convergent calls of their block",
                    );
                }
                seen |= convergent;
                let is_controlled = maker.is_some() || token.is_some();
                if (convergent || is_controlled)
                    && *controlled.get_or_insert(is_controlled) != is_controlled
                {
                    self.convergence_rule(
                        false,
                        "a function has convergence tokens for all convergent calls or for none",
                    );
                    return;
                }
            }
        }
    }

    fn convergence_rule(&mut self, holds: bool, message: &str) {
        self.check(holds, codes::IR_CALL, message);
    }

    /// Whether a call calls an intrinsic that is convergent.
    fn calls_convergent_intrinsic(&self, call: &Call<'_>) -> bool {
        let callee = self.function_at(call.callee).map(|(id, _)| self.callee(id));
        matches!(callee, Some(Callee::Known(row)) if row.convergent)
    }

    /// Which of the intrinsics that make tokens a call calls.
    fn token_maker(&self, call: &Call<'_>) -> Option<&'static str> {
        let (function, _) = self.function_at(call.callee)?;
        let name = self.module.globals[function].name?;
        let rest = self
            .module
            .names
            .bytes(name)
            .strip_prefix(PREFIX.as_bytes())?;
        MAKERS.into_iter().find(|word| word.as_bytes() == rest)
    }

    /// The token of a call.
    fn convergence_token(&self, id: InstId, code: &Code<'m>, call: &Call<'_>) -> Option<Value> {
        let site = code.body.insts[id].op.call_site()?;
        let mut rest = call.bundles;
        for bundle in self
            .module
            .bundles
            .get(self.module.call_sites.get(site).bundles)
        {
            let (inputs, more) = rest.split_at((bundle.len as usize).min(rest.len()));
            rest = more;
            if self.module.names.bytes(bundle.tag) == b"convergencectrl" {
                return inputs.first().copied();
            }
        }
        None
    }
}
