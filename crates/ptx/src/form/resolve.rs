//! An opcode and its modifiers to the forms that have them.
//!
//! ptxas takes modifiers in almost any order, so each token goes to the first free slot that has
//! it, left to right, with backtracking where a later token would be left without a place. Only
//! types (`cvt.f32.s32`), state spaces (`.shared::cluster.global`), matrix layouts (`.row.col`)
//! and operations (`.xor.popc`) must come in the manual's order among themselves.

use super::{FormId, INDEX, Slot, forms_of};
use crate::inst::Choice;
use smallvec::{SmallVec, smallvec};

/// Why an opcode with these modifiers is not an instruction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Problem {
    /// There is no such opcode.
    UnknownOpcode,
    /// No form of the opcode has this modifier (the token's index).
    UnknownModifier(usize),
    /// No form has this modifier together with the others (the token's index, and the form that
    /// came nearest).
    Conflict(usize, FormId),
    /// The modifiers belong to this form, but not in this combination.
    Combination(FormId, &'static str),
    /// The nearest form wants a modifier that is not there (the slot's index).
    Missing(usize, FormId),
}

/// Every form of the opcode that has exactly these modifiers (with their dots), in table order.
pub fn resolve(opcode: &str, tokens: &[&str]) -> Result<SmallVec<[Choice; 1]>, Problem> {
    let forms = forms_of(opcode);
    let mut choices = SmallVec::new();
    let mut refused = None;
    for &id in forms {
        if let Some(values) = assign(id, tokens) {
            let choice = Choice { form: id, values };
            match id.row().combination.map(|asked| asked(&choice)) {
                Some(Err(reason)) => refused = refused.or(Some(Problem::Combination(id, reason))),
                Some(Ok(())) | None => choices.push(choice),
            }
        }
    }
    if choices.is_empty() {
        Err(refused.unwrap_or_else(|| diagnose(forms, tokens)))
    } else {
        Ok(choices)
    }
}

fn assign(id: FormId, tokens: &[&str]) -> Option<SmallVec<[u8; 16]>> {
    if !INDEX.may_have(id, tokens.len()) {
        return None;
    }
    let slots = id.slots();
    let mut values: SmallVec<[u8; 16]> = smallvec![Choice::ABSENT; slots.len()];
    let words = usize::from(id.row().words);
    for (i, slot) in slots.iter().take(words).enumerate() {
        let token = tokens.get(i)?;
        let value = slot.values.iter().position(|value| value.text == *token)?;
        values[i] = value as u8;
    }
    place(slots, &tokens[words..], &mut values).then_some(values)
}

/// Places the remaining tokens; on failure `values` is as before.
fn place(slots: &[Slot], tokens: &[&str], values: &mut [u8]) -> bool {
    let Some((token, rest)) = tokens.split_first() else {
        return slots
            .iter()
            .zip(values.iter())
            .all(|(slot, &value)| slot.optional || value != Choice::ABSENT)
            && broken_group(slots, values).is_none();
    };
    for (i, slot) in slots.iter().enumerate() {
        if values[i] != Choice::ABSENT {
            continue;
        }
        if let Some(value) = slot.values.iter().position(|value| value.text == *token) {
            values[i] = value as u8;
            if in_order(slots, values, i) && place(slots, rest, values) {
                return true;
            }
            values[i] = Choice::ABSENT;
        }
    }
    false
}

/// Whether what was just put into slot `i` comes after what is like it: a type after the types,
/// a space after the spaces, and so for matrix layouts and the operations of `mma.xor.popc`. What is which only their order says.
fn in_order(slots: &[Slot], values: &[u8], i: usize) -> bool {
    let sequence = |i: usize| {
        let value = &slots[i].values[usize::from(values[i])];
        match value.text {
            ".row" | ".col" => Some("layout"),
            ".and" | ".or" | ".xor" | ".popc" => Some("operation"),
            text if names_space(text) => Some("space"),
            // A cache policy has two, the primary one first.
            text if text.starts_with(".L2::evict_") => Some("priority"),
            _ => value.ty.map(|_| "type"),
        }
    };
    let Some(own) = sequence(i) else {
        return true;
    };
    (i + 1..slots.len()).all(|k| values[k] == Choice::ABSENT || sequence(k) != Some(own))
}

/// Whether a modifier is a state space.
fn names_space(token: &str) -> bool {
    [".global", ".shared", ".local", ".const", ".param"]
        .iter()
        .any(|space| token.starts_with(space) && !token.starts_with(".global_"))
}

/// An empty slot of a group that has a filled one.
fn broken_group(slots: &[Slot], values: &[u8]) -> Option<usize> {
    (0..slots.len()).find(|&i| {
        let group = slots[i].group;
        group != 0
            && values[i] == Choice::ABSENT
            && slots
                .iter()
                .zip(values)
                .any(|(slot, &value)| slot.group == group && value != Choice::ABSENT)
    })
}

/// Finds what is wrong: a token nobody knows, else the form that takes the most tokens.
fn diagnose(forms: &[FormId], tokens: &[&str]) -> Problem {
    if forms.is_empty() {
        return Problem::UnknownOpcode;
    }
    let known = |token: &str| {
        forms.iter().any(|id| {
            id.slots()
                .iter()
                .any(|slot| slot.values.iter().any(|v| v.text == token))
        })
    };
    if let Some(i) = tokens.iter().position(|token| !known(token)) {
        return Problem::UnknownModifier(i);
    }
    let mut best: Option<(usize, usize, Problem)> = None;
    for &id in forms {
        let slots = id.slots();
        let mut values: SmallVec<[u8; 16]> = smallvec![Choice::ABSENT; slots.len()];
        let mut misfit = None;
        let mut taken = 0;
        for (t, token) in tokens.iter().enumerate() {
            let free = slots.iter().enumerate().find_map(|(i, slot)| {
                let value = slot.values.iter().position(|value| value.text == *token)?;
                (values[i] == Choice::ABSENT).then_some((i, value))
            });
            match free {
                Some((i, value)) => {
                    values[i] = value as u8;
                    taken += 1;
                }
                None => misfit = misfit.or(Some(t)),
            }
        }
        let missing = (0..slots.len())
            .find(|&i| !slots[i].optional && values[i] == Choice::ABSENT)
            .or_else(|| broken_group(slots, &values));
        let missing_count = slots
            .iter()
            .zip(&values)
            .filter(|(slot, value)| !slot.optional && **value == Choice::ABSENT)
            .count();
        let problem = match (misfit, missing) {
            (Some(token), _) => Problem::Conflict(token, id),
            (None, Some(slot)) => Problem::Missing(slot, id),
            // Greedy placing succeeded where the search failed: cannot be, but say something true.
            (None, None) => Problem::Conflict(0, id),
        };
        let better = best.as_ref().is_none_or(|(most, fewest, _)| {
            taken > *most || (taken == *most && missing_count < *fewest)
        });
        if better {
            best = Some((taken, missing_count, problem));
        }
    }
    best.map_or(Problem::UnknownOpcode, |(_, _, problem)| problem)
}
