//! What a mnemonic says about synchronisation, in [`warpc_model`]'s words.
//!
//! The tables spell modifiers as users see them; whoever wants to know what `.acq_rel` or
//! `.shared::cluster` *means* asks here, and gets the vocabulary that all of the project shares.

use crate::inst::Choice;
use warpc_model::{Atomic, AtomicOp, AtomicType, Ordering, Scope, StateSpace};

impl Choice {
    /// Every modifier, without its dot, in the manual's order.
    pub fn words(&self) -> impl Iterator<Item = &'static str> {
        let form = self.form.form();
        form.slots
            .iter()
            .zip(&self.values)
            .filter(|(_, value)| **value != Choice::ABSENT)
            .map(|(slot, value)| {
                let text = slot.values[usize::from(*value)].text;
                text.strip_prefix('.').unwrap_or(text)
            })
    }

    /// The memory order it names; `None` if it names none.
    pub fn ordering(&self) -> Option<Ordering> {
        self.words().find_map(|word| Ordering::from_ptx(word).ok())
    }

    /// The scope it names; `None` if it names none.
    pub fn scope(&self) -> Option<Scope> {
        let membar = self.form.form().opcode == "membar";
        self.words().find_map(|word| {
            if membar {
                Scope::from_membar(word).ok()
            } else {
                Scope::from_ptx(word).ok()
            }
        })
    }

    /// The first state space it names; `None` if it names none.
    pub fn space(&self) -> Option<StateSpace> {
        self.words().find_map(StateSpace::from_ptx)
    }

    /// The operation of an atomic or reduction.
    fn atomic_op(&self) -> Option<AtomicOp> {
        let atomic = matches!(self.form.form().opcode, "atom" | "red");
        atomic
            .then(|| self.words().find_map(AtomicOp::from_ptx))
            .flatten()
    }

    /// The atomic or reduction it is.
    pub fn atomic(&self) -> Option<Atomic> {
        let op = self.atomic_op()?;
        let ty = self.words().filter_map(AtomicType::from_ptx).last()?;
        let has = |word: &str| self.words().any(|found| found == word);
        Some(Atomic {
            elements: self.elements(),
            noftz: has("noftz"),
            space: self.space().unwrap_or(StateSpace::Generic),
            order: self.ordering(),
            scope: self.scope(),
            has_result: self.form.form().opcode == "atom",
            cache_hint: has("L2::cache_hint"),
            ..Atomic::new(op, ty)
        })
    }

    /// How many elements the vector has that it moves: `.v4`.
    pub fn elements(&self) -> u8 {
        self.words()
            .find_map(|word| match word {
                "v2" => Some(2),
                "v4" => Some(4),
                "v8" => Some(8),
                _ => None,
            })
            .unwrap_or(1)
    }
}

#[cfg(test)]
mod tests {
    use crate::form::resolve;
    use warpc_model::{Atomic, AtomicOp, AtomicType, Ordering, Scope, StateSpace};

    fn choice(text: &str) -> crate::inst::Choice {
        let (opcode, _) = text.split_once('.').unwrap();
        let tokens: Vec<String> = text[opcode.len() + 1..]
            .split('.')
            .map(|word| format!(".{word}"))
            .collect();
        let tokens: Vec<&str> = tokens.iter().map(String::as_str).collect();
        resolve(opcode, &tokens).unwrap_or_else(|problem| panic!("{text}: {problem:?}"))[0].clone()
    }

    #[test]
    fn words_become_meaning() {
        let atom = choice("atom.add.shared::cluster.acquire.cluster.u32");
        assert_eq!(atom.ordering(), Some(Ordering::Acquire));
        assert_eq!(atom.scope(), Some(Scope::Cluster));
        assert_eq!(atom.space(), Some(StateSpace::SharedCluster));
        assert_eq!(atom.atomic_op(), Some(AtomicOp::Add));
        assert_eq!(choice("membar.gl").scope(), Some(Scope::Gpu));
        assert_eq!(choice("fence.sc.sys").ordering(), Some(Ordering::SeqCst));
        assert_eq!(choice("ret.uni").ordering(), None);
    }

    /// Two descriptions of the same instructions, written apart: the model's table of legal atomics
    /// and the rows of the PTX tables must have the same forms.
    #[test]
    fn the_model_and_the_tables_know_the_same_atomics() {
        const SPACES: [StateSpace; 5] = [
            StateSpace::Generic,
            StateSpace::Global,
            StateSpace::Shared,
            StateSpace::SharedCta,
            StateSpace::SharedCluster,
        ];
        let orders: Vec<Option<Ordering>> = [
            None,
            Some(Ordering::Relaxed),
            Some(Ordering::Acquire),
            Some(Ordering::Release),
            Some(Ordering::AcqRel),
        ]
        .to_vec();
        let scopes: Vec<Option<Scope>> = vec![
            None,
            Some(Scope::Cta),
            Some(Scope::Cluster),
            Some(Scope::Gpu),
            Some(Scope::Sys),
        ];
        let ops = "add min max inc dec and or xor exch cas"
            .split(' ')
            .filter_map(AtomicOp::from_ptx);
        let (mut count, mut wrong) = (0, Vec::new());
        for op in ops {
            for ty in AtomicType::all() {
                for elements in [1, 2, 4, 8] {
                    for (noftz, has_result, cache_hint) in
                        (0..8).map(|bits| (bits & 1 != 0, bits & 2 != 0, bits & 4 != 0))
                    {
                        for space in SPACES {
                            for &order in &orders {
                                // One scope a case keeps the product small; all occur.
                                let scope = scopes[count % scopes.len()];
                                let atomic = Atomic {
                                    op,
                                    ty,
                                    elements,
                                    noftz,
                                    space,
                                    order,
                                    scope,
                                    has_result,
                                    cache_hint,
                                };
                                count += 1;
                                let text = atomic.to_string();
                                let (opcode, rest) = text.split_once('.').unwrap_or((&text, ""));
                                let tokens: Vec<String> =
                                    rest.split('.').map(|word| format!(".{word}")).collect();
                                let tokens: Vec<&str> = tokens.iter().map(String::as_str).collect();
                                let found = resolve(opcode, &tokens).ok();
                                if found.is_some() != atomic.check().is_ok() {
                                    wrong.push(text.clone());
                                }
                                if let Some(choices) = found {
                                    assert_eq!(choices[0].atomic(), Some(atomic), "{text}");
                                }
                            }
                        }
                    }
                }
            }
        }
        assert!(count > 10_000);
        assert!(
            wrong.is_empty(),
            "{} of {count} differ, such as {:?}",
            wrong.len(),
            &wrong[..wrong.len().min(8)]
        );
    }
}
