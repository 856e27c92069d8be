//! Making instructions without text: a mnemonic is looked up once for each distinct spelling, as the
//! parser does it, and the tables say which targets have it.

use crate::Module;
use crate::form::resolve;
use crate::inst::{Choice, Mnemonic, MnemonicId};
use rustc_hash::FxHashMap;
use warpc_target::{Gate, GateError, PtxVersion, Sm};

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

    /// The first version that has one of the mnemonic's forms for a target, or why none has.
    pub fn needs(&self, sm: Sm) -> Result<PtxVersion, Gate> {
        let mut answer: Result<PtxVersion, Gate> = Err(Gate(&[]));
        for choice in &self.choices {
            match (needs(choice, sm), &answer) {
                (Ok(version), Ok(known)) if version >= *known => {}
                (Ok(version), _) => answer = Ok(version),
                (Err(gate), Err(Gate([]))) => answer = Err(gate),
                (Err(_), _) => {}
            }
        }
        answer
    }
}

fn needs(choice: &Choice, sm: Sm) -> Result<PtxVersion, Gate> {
    let form = choice.form.form();
    let used = form.slots.iter().zip(&choice.values);
    let modifiers = used.filter(|&(_, &value)| value != Choice::ABSENT);
    let gates = modifiers.map(|(slot, &value)| slot.values[usize::from(value)].gate);
    let mut version = sm.first_version();
    for gate in gates.chain([form.row.gate]) {
        match gate.check(sm, PtxVersion::LATEST) {
            Ok(()) => version = version.max(gate.required_version(sm).unwrap_or(version)),
            Err(GateError::Target(gate)) => return Err(gate),
            Err(GateError::Version(_)) => return Err(gate),
        }
    }
    match form.row.removed {
        Some(removed) if sm.number() >= removed.chip && version >= removed.version => {
            Err(Gate(&[]))
        }
        _ => Ok(version),
    }
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
        assert_eq!(redux.needs(sm("sm_80")).unwrap().to_string(), "7.0");
        assert!(redux.needs(sm("sm_75")).is_err());
    }
}
