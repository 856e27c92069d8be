//! What `warpc_ptx_eval` says an instruction leaves.

use super::draft::{CARRY_IN, CARRY_OUT, Carry, Draft, LABEL};
use warpc_diag::{Severity, SourceFile};
use warpc_ptx::form::map_operands;
use warpc_ptx::inst::{Choice, Operand};
use warpc_ptx::module::Statement;
use warpc_ptx_eval::{self as eval, AtomicUpdate, Operation};

/// How an instruction's results are computed.
pub enum Judge {
    /// It computes.
    Operation(Operation),
    /// It updates so many elements in memory, and gives back the old ones or not.
    Atomic(AtomicUpdate, usize, bool),
    /// It exchanges 128 bits in memory, or does so if they are as expected.
    Wide {
        /// Whether it compares first.
        compares: bool,
    },
    /// It hands its operands on, in other pieces.
    Move,
    /// Nobody knows (yet).
    Unknown,
}

/// The instruction as the checked module has it: the choice its operands settle, and the operands.
pub struct Checked {
    /// Opcode and modifiers.
    pub choice: Choice,
    /// For each operand of the form what was given.
    pub operands: Vec<Option<Operand>>,
}

/// Reads and verifies a module with one kernel, and finds the instruction under test; the error is
/// the first diagnostic.
pub fn check(module: &str) -> Result<Checked, String> {
    let file = SourceFile::new("case.ptx", module).ok_or("the case is too long")?;
    let parsed = warpc_ptx::check(&file);
    let errors = parsed.diagnostics.as_slice().iter();
    if let Some(first) = errors.clone().find(|d| d.severity == Severity::Error) {
        return Err(first.message.clone());
    }
    let module = parsed.value.as_ref().unwrap();
    let body = module.functions().find_map(|f| f.body.as_ref());
    let body = body.ok_or("the case has no kernel")?;
    let label = body.statements.iter().position(
        |statement| matches!(statement, Statement::Label(name, _) if module.name(*name) == LABEL),
    );
    let Some(Statement::Inst(inst)) = label.and_then(|at| body.statements.get(at + 1)) else {
        return Err("the case has no instruction under test".into());
    };
    let choice = &module.mnemonic(inst.mnemonic).choices[usize::from(inst.choice)];
    let mapping = map_operands(choice, &body.operands, inst.operands)
        .map_err(|at| format!("operand {at} does not fit"))?;
    let operands = mapping
        .iter()
        .map(|index| index.map(|i| body.operands[i as usize]))
        .collect();
    Ok(Checked {
        choice: choice.clone(),
        operands,
    })
}

impl Judge {
    /// The judge of a case; the error says how what `eval` gives does not fit the instruction.
    pub fn new(draft: &Draft, checked: &Checked) -> Result<Judge, String> {
        let opcode = checked.choice.form.form().opcode;
        if opcode == "mov" {
            return Ok(Judge::Move);
        }
        if matches!(opcode, "atom" | "red") {
            if checked.choice.has("b128") {
                let compares = checked.choice.has("cas");
                return Ok(Judge::Wide { compares });
            }
            let shared = (checked.choice.token("space")).is_some_and(|s| s.starts_with(".shared"));
            let rule = if shared {
                eval::atomic
            } else {
                eval::atomic_in_global
            };
            let update = rule(&checked.choice);
            let elements = draft.sources.iter().filter(|s| s.name.starts_with("old"));
            return Ok(update.map_or(Judge::Unknown, |update| {
                Judge::Atomic(update, elements.count(), opcode == "atom")
            }));
        }
        let Some(operation) = eval::operation(&checked.choice, &checked.operands) else {
            return Ok(Judge::Unknown);
        };
        let wanted = (draft.sources.len(), draft.results.len());
        if (operation.sources, operation.results) != wanted {
            return Err(format!("{operation:?} for {} -> {}", wanted.0, wanted.1));
        }
        Ok(Judge::Operation(operation))
    }

    /// The results for a tuple, cut to their registers; `None` if nobody knows.
    pub fn results(&self, draft: &Draft, sources: &[u64]) -> Option<Vec<u64>> {
        let mut results = vec![0; draft.results.len()];
        match self {
            Judge::Operation(operation) => {
                let borrows = draft.carry == Carry::Subtract;
                let mut sources = sources.to_vec();
                if let (true, Some(place)) = (borrows, draft.sources.last())
                    && place.name == CARRY_IN
                {
                    sources[draft.sources.len() - 1] ^= 1;
                }
                operation.run(&sources, &mut results);
                if let (true, Some(place)) = (borrows, draft.results.last())
                    && place.name == CARRY_OUT
                {
                    results[draft.results.len() - 1] ^= 1;
                }
            }
            Judge::Atomic(update, elements, gives_old) => {
                let (old, rest) = sources.split_at(*elements);
                let (b, c) = rest.split_at(*elements);
                let new = old
                    .iter()
                    .enumerate()
                    .map(|(i, &old)| update(old, b[i], c.get(i).copied().unwrap_or(0)));
                let given: &[u64] = if *gives_old { old } else { &[] };
                results = given.iter().copied().chain(new).collect();
            }
            Judge::Wide { compares } => {
                let (old, b) = (&sources[..2], &sources[2..4]);
                let new = match compares {
                    true if old == b => &sources[4..6],
                    true => old,
                    false => b,
                };
                results = old.iter().chain(new).copied().collect();
            }
            Judge::Move => {
                let pieces = sources.iter().zip(&draft.sources);
                let all = pieces.rev().fold(0u128, |all, (&value, source)| {
                    all.checked_shl(source.bits).unwrap_or(0) | u128::from(value)
                });
                let mut rest = all;
                for (result, place) in results.iter_mut().zip(&draft.results) {
                    *result = rest as u64;
                    rest = rest.checked_shr(place.bits).unwrap_or(0);
                }
            }
            Judge::Unknown => return None,
        }
        for (result, place) in results.iter_mut().zip(&draft.results) {
            *result &= u64::MAX >> (64 - place.bits);
        }
        Some(results)
    }
}
