//! Decodes what `exec::matrix` runs: products, and the ways between memory and registers.

use super::body::{Decoder, Refused};
use super::operand::Operands;
use crate::address::Space;
use crate::exec::matrix::{Fragment, MOST_RESULTS, MOST_SOURCES, Matrix, Product, Registers, Rows};
use crate::matrix;
use crate::program::{Op, Src};

impl Decoder<'_> {
    pub(super) fn matrix(&mut self, of: Operands<'_>) -> Result<Op, Refused> {
        let space = Space::of_token(of.choice.token("ss"));
        let matrix = if let Some(operation) = matrix::product(of.choice) {
            let (sources, results) = self.reads_and_writes(of)?;
            let fits = sources.len() == operation.sources && results.len() == operation.results;
            if !fits || sources.len() > MOST_SOURCES || results.len() > MOST_RESULTS {
                return self.refuse_form(of);
            }
            Matrix::Product(Product {
                operation,
                sources: sources.into_iter().collect(),
                results: results.into_iter().collect(),
            })
        } else if matrix::is_transposition(of.choice) {
            Matrix::Transpose(self.destination(of, "d")?, self.needed(of, "a")?)
        } else if let Some(pieces) = matrix::row_transfer(of.choice) {
            let matrices = pieces.iter().map(|piece| piece.register + 1).max();
            let count = usize::from(matrices.unwrap_or(0));
            let loads = of.choice.form.form().opcode == "ldmatrix";
            let at = self.addr(of, "p")?;
            Matrix::Rows(Rows {
                pieces: pieces.into(),
                registers: self.transferred(of, loads, count)?,
                // The assembler takes addresses of 32 bits here; in shared memory they lie anyway.
                space: match at.base {
                    Src::W(_) => Space::Shared,
                    _ => space,
                },
                at,
            })
        } else if let Some(transfer) = matrix::fragment_transfer(of.choice) {
            Matrix::Fragment(Fragment {
                registers: self.transferred(of, transfer.loads, transfer.registers)?,
                at: self.addr(of, "p")?,
                stride: self.source(of, "stride")?,
                transfer,
                space,
            })
        } else {
            return self.refuse_form(of);
        };
        Ok(Op::Matrix(Box::new(matrix)))
    }

    /// The registers of a transfer.
    fn transferred(
        &mut self,
        of: Operands<'_>,
        loads: bool,
        count: usize,
    ) -> Result<Registers, Refused> {
        let registers = match loads {
            true => Registers::Load(self.destination_list(of, "r")?.into_iter().collect()),
            false => Registers::Store(self.source_list(of, "r")?.into_iter().collect()),
        };
        let given = match &registers {
            Registers::Load(to) => to.len(),
            Registers::Store(from) => from.len(),
        };
        match given == count && count <= MOST_RESULTS {
            true => Ok(registers),
            false => self.refuse_form(of),
        }
    }
}
