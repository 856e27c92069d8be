//! Making instructions without text: a mnemonic is looked up once for each distinct spelling, as the
//! parser does it, and the tables say which targets have it.

use crate::Module;
use crate::form::resolve;
use crate::inst::{Choice, Mnemonic, MnemonicId};
use rustc_hash::FxHashMap;
use warpc_target::{PtxVersion, Sm, Unavailable};

/// The mnemonics that were asked for, by their spelling.
#[derive(Debug, Default)]
pub struct Mnemonics {
    by_text: FxHashMap<Box<str>, Option<MnemonicId>>,
    /// Those of the module, in the manual's order of modifiers.
    by_canonical: FxHashMap<String, MnemonicId>,
}

impl Mnemonics {
    /// The mnemonic with this spelling (`add.rn.f32`) in a module; `None` if there is no such instruction.
    pub fn intern(&mut self, module: &mut Module, text: &str) -> Option<MnemonicId> {
        if let Some(&known) = self.by_text.get(text) {
            return known;
        }
        let found = Mnemonic::find(text).map(|mnemonic| {
            let next = MnemonicId(module.mnemonics.len() as u32);
            let canonical = crate::mnemonic_text(&mnemonic.choices[0]);
            let id = *self.by_canonical.entry(canonical).or_insert(next);
            if id == next {
                module.mnemonics.push(mnemonic);
            }
            id
        });
        self.by_text.insert(text.into(), found);
        found
    }
}

impl Mnemonic {
    /// The mnemonic with this spelling, modifiers in any order; `None` if there is no such instruction.
    pub fn find(text: &str) -> Option<Mnemonic> {
        let start = text.find('.').unwrap_or(text.len());
        let mut tokens = Vec::new();
        let mut rest = &text[start..];
        while !rest.is_empty() {
            let end = rest[1..].find('.').map_or(rest.len(), |end| end + 1);
            tokens.push(&rest[..end]);
            rest = &rest[end..];
        }
        let choices = resolve(&text[..start], &tokens).ok()?;
        Some(Mnemonic { choices })
    }

    /// The first version that has one of the mnemonic's forms for a target, or why none has; `bound` is the
    /// version that the module is to have, if that is known.
    pub fn needs(&self, sm: Sm, bound: Option<PtxVersion>) -> Result<PtxVersion, Unavailable> {
        let answers = self.choices.iter().map(|choice| needs(choice, sm, bound));
        let better = |known, answer| match (&known, &answer) {
            (Ok(known_version), Ok(version)) if version < known_version => answer,
            (Ok(_), _) => known,
            (Err(_), Ok(_)) => answer,
            // A later version is the smallest change.
            (Err(Unavailable::Chip(_)), Err(Unavailable::Version(_))) => answer,
            (Err(_), Err(_)) => known,
        };
        answers.reduce(better).expect("a mnemonic has a form")
    }
}

fn needs(choice: &Choice, sm: Sm, bound: Option<PtxVersion>) -> Result<PtxVersion, Unavailable> {
    let form = choice.form.form();
    let used = form.slots.iter().zip(&choice.values);
    let modifiers = used.filter(|&(_, &value)| value != Choice::ABSENT);
    let gates = modifiers.map(|(slot, &value)| slot.values[usize::from(value)].gate);
    let mut version = sm.first_version();
    for gate in gates.chain([form.row.gate]) {
        let needed = gate.required_version(sm).ok_or(Unavailable::Chip(gate))?;
        version = version.max(needed);
    }
    match bound {
        Some(bound) if version > bound => return Err(Unavailable::Version(version)),
        _ => {}
    }
    if let Some(removal) = form.row.removed {
        removal.check(sm, bound.unwrap_or(version))?;
    }
    Ok(version)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mnemonics_are_found_once_and_know_their_targets() {
        let sm = |name: &str| name.parse::<Sm>().unwrap();
        let mut module = Module::new(sm("sm_90"), PtxVersion::LATEST);
        let mut mnemonics = Mnemonics::default();
        let add = mnemonics.intern(&mut module, "add.rn.f32").unwrap();
        assert_eq!(mnemonics.intern(&mut module, "add.rn.f32"), Some(add));
        assert_eq!(mnemonics.intern(&mut module, "add.f32.rn"), Some(add));
        assert_eq!(mnemonics.intern(&mut module, "add.rn.u32"), None);
        let redux = Mnemonic::find("redux.sync.add.s32").unwrap();
        let first = redux.needs(sm("sm_80"), None).unwrap();
        assert_eq!(first.to_string(), "7.0");
        assert!(matches!(
            redux.needs(sm("sm_75"), None),
            Err(Unavailable::Chip(_))
        ));
        let fence = Mnemonic::find("fence.acquire.gpu").unwrap();
        let old = Some(PtxVersion::new(8, 0));
        let needed = Unavailable::Version(PtxVersion::new(8, 6));
        assert_eq!(fence.needs(sm("sm_90"), old), Err(needed));
        let vote = Mnemonic::find("vote.all.pred").unwrap();
        assert!(vote.needs(sm("sm_70"), None).is_ok());
        assert!(matches!(
            vote.needs(sm("sm_70"), old),
            Err(Unavailable::Removed(_))
        ));
    }
}
