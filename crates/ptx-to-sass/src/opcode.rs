//! Opcodes with their modifiers, and sequences of them.

use crate::wired::Wired;
use std::fmt;

/// An opcode with its modifiers: `ATOMG.E.ADD.STRONG.GPU`. A read of a special register carries its name:
/// `S2R(SR_LANEID)`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Opcode(Box<str>);

impl Opcode {
    /// The name without modifiers: `ATOMG`.
    pub fn name(&self) -> &str {
        let end = self.0.find(['.', '(']).unwrap_or(self.0.len());
        &self.0[..end]
    }

    /// Name and modifiers, without a special register.
    pub fn mnemonic(&self) -> &str {
        let end = self.0.find('(').unwrap_or(self.0.len());
        &self.0[..end]
    }

    /// The modifiers in their order: `E`, `ADD`, `STRONG`, `GPU`.
    pub fn modifiers(&self) -> impl Iterator<Item = &str> {
        self.mnemonic().split('.').skip(1)
    }

    /// The special register that is read.
    pub fn special(&self) -> Option<&str> {
        let start = self.0.find('(')?;
        self.0[start + 1..].strip_suffix(')')
    }
}

impl From<&str> for Opcode {
    fn from(text: &str) -> Opcode {
        Opcode(text.into())
    }
}

impl fmt::Display for Opcode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The operands of this opcode, which a sequence has, are not wired.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unwired(pub Opcode);

impl fmt::Display for Unwired {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the operands of `{}` are not described", self.0)
    }
}

impl std::error::Error for Unwired {}

/// What an instruction becomes.
#[derive(Clone, PartialEq, Debug)]
pub struct Sequence {
    /// The opcodes in program order, as ptxas emits them.
    pub opcodes: Vec<Opcode>,
    /// Places of opcodes that belong to the branch around a divergent form: it and the convergence barrier of its
    /// threads. They are there because the form is.
    pub region: Vec<usize>,
    /// Where ptxas emits less than the instruction asks for: what is lost. An assembler that keeps memory orders does
    /// not follow it there.
    pub lost: Option<&'static str>,
    /// The instructions with their operands, without the branch around a divergent form and without moves that only
    /// ptxas needs, and with what is lost; or the first opcode whose operands are not described.
    pub wired: Result<Wired, Unwired>,
}

impl Sequence {
    /// The opcodes without those of the branch around a divergent form.
    pub fn own(&self) -> impl Iterator<Item = &Opcode> {
        let opcodes = self.opcodes.iter().enumerate();
        opcodes
            .filter(|(index, _)| !self.region.contains(index))
            .map(|(_, opcode)| opcode)
    }
}

impl fmt::Display for Sequence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, opcode) in self.opcodes.iter().enumerate() {
            let gap = if index > 0 { " " } else { "" };
            write!(f, "{gap}{opcode}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts() {
        let opcode = Opcode::from("ATOMG.E.ADD.STRONG.GPU");
        assert_eq!(opcode.name(), "ATOMG");
        assert_eq!(
            opcode.modifiers().collect::<Vec<_>>(),
            ["E", "ADD", "STRONG", "GPU"]
        );
        let opcode = Opcode::from("CS2R.32(SR_CLOCKLO)");
        assert_eq!(
            (opcode.name(), opcode.special()),
            ("CS2R", Some("SR_CLOCKLO"))
        );
        assert_eq!(opcode.mnemonic(), "CS2R.32");
        assert_eq!(opcode.to_string(), "CS2R.32(SR_CLOCKLO)");
    }
}
