//! Kernels, inputs and expectations of matrix products.

use super::data;
use super::{Form, KINDS, Kind};
use std::fmt::Write;
use warpc_ptx::inst::Choice;
use warpc_ptx::mnemonic_text;
use warpc_ptx::types::ScalarType;
use warpc_sim::matrix::{self, MatrixOperation};
use warpc_testkit::Random;

/// What a product is judged by.
pub struct Judge {
    operation: MatrixOperation,
    /// Bytes of a register.
    register: usize,
    /// The constant last source of a sparse product.
    selector: Option<u64>,
}

/// The forms of a choice: one for each selector of a sparse product.
pub fn forms(choice: &Choice) -> Vec<Form> {
    let Some(operation) = matrix::product(choice) else {
        return Vec::new();
    };
    let selectors: Vec<Option<u64>> = match operation.is_sparse() {
        true => (0..4).map(Some).collect(),
        false => vec![None],
    };
    let made = selectors.into_iter().filter_map(|s| form(choice, s));
    made.collect()
}

fn form(choice: &Choice, selector: Option<u64>) -> Option<Form> {
    let operation = matrix::product(choice)?;
    let element = choice.scalar("dtype")?;
    let register = if element == ScalarType::F64 { 8 } else { 4 };
    let loaded = operation.sources - usize::from(selector.is_some());
    let vector = |letter: char, range: std::ops::Range<usize>| {
        let names: Vec<String> = range.map(|i| format!("%{letter}{i}")).collect();
        format!("{{{}}}", names.join(", "))
    };
    let [a, b, c] = operation.operand_registers();
    let mut text = format!(
        "{} {}, {}, {}, {}",
        mnemonic_text(choice),
        vector('d', 0..operation.results),
        vector('s', 0..a),
        vector('s', a..a + b),
        vector('s', a + b..a + b + c),
    );
    if let Some(selector) = selector {
        let _ = write!(text, ", %s{}, {selector}", a + b + c);
    }
    let bits = register * 8;
    let mut body = format!(
        "\tmul.wide.u32 %near, %lane, {register};\n\tadd.u64 %in, %in, %near;\n\
         \tadd.u64 %out, %out, %near;\n"
    );
    for i in 0..loaded {
        let _ = writeln!(
            body,
            "\tld.global.b{bits} %s{i}, [%in+{}];",
            i * 32 * register
        );
    }
    let _ = writeln!(body, "\t{text};");
    for i in 0..operation.results {
        let _ = writeln!(
            body,
            "\tst.global.b{bits} [%out+{}], %d{i};",
            i * 32 * register
        );
    }
    Some(Form {
        element,
        input_bytes: loaded * 32 * register,
        output_bytes: operation.results * 32 * register,
        registers: format!("\t.reg .b{bits} %s<{loaded}>, %d<{}>;\n", operation.results),
        body,
        text,
        judge: super::Judge::Product(Judge {
            operation,
            register,
            selector,
        }),
        choice: choice.clone(),
    })
}

impl Judge {
    /// The registers of all lanes, register by register.
    pub fn input(&self, choice: &Choice, tile: usize, random: &mut Random) -> Vec<u8> {
        let kind = KINDS[tile % KINDS.len()];
        let ty = |slot| choice.scalar(slot).unwrap_or(ScalarType::F16);
        let [a, b, c] = self.operation.operand_registers();
        let mut registers: Vec<[u64; 32]> = Vec::new();
        for (count, slot, multiplicand) in
            [(a, "atype", true), (b, "btype", true), (c, "ctype", false)]
        {
            for _ in 0..count {
                registers.push(std::array::from_fn(|_| {
                    data::register(ty(slot), kind, multiplicand, self.register * 8, random)
                }));
            }
        }
        if self.selector.is_some() {
            let pairs = ty("atype").bits() == 32;
            registers.push(std::array::from_fn(|_| data::metadata(pairs, random)));
        }
        if kind == Kind::Cancelling && ty("ctype") == ty("dtype") {
            self.cancel(&mut registers, ty("ctype"), random);
        }
        self.bytes(&registers)
    }

    /// Replaces C by about the negative of the sum of the products.
    fn cancel(&self, registers: &mut [[u64; 32]], ty: ScalarType, random: &mut Random) {
        let [a, b, c] = self.operation.operand_registers();
        let addend = a + b..a + b + c;
        registers[addend.clone()].fill([0; 32]);
        let sums = self.run(registers);
        for (register, sum) in registers[addend].iter_mut().zip(sums) {
            for (value, sum) in register.iter_mut().zip(sum) {
                *value = data::about_minus(ty, sum, random);
            }
        }
    }

    fn run(&self, registers: &[[u64; 32]]) -> Vec<[u64; 32]> {
        let mut sources = registers.to_vec();
        sources.extend(self.selector.map(|selector| [selector; 32]));
        let mut results = vec![[0; 32]; self.operation.results];
        self.operation.run(&sources, &mut results);
        results
    }

    fn bytes(&self, registers: &[[u64; 32]]) -> Vec<u8> {
        let values = registers.iter().flatten();
        let bytes = values.flat_map(|value| value.to_le_bytes().into_iter().take(self.register));
        bytes.collect()
    }

    /// The results of all lanes, register by register.
    pub fn expected(&self, input: &[u8]) -> Vec<u8> {
        let value = |bytes: &[u8]| {
            let mut wide = [0; 8];
            wide[..bytes.len()].copy_from_slice(bytes);
            u64::from_le_bytes(wide)
        };
        let registers: Vec<[u64; 32]> = input
            .chunks(32 * self.register)
            .map(|register| {
                std::array::from_fn(|lane| {
                    value(&register[lane * self.register..][..self.register])
                })
            })
            .collect();
        self.bytes(&self.run(&registers))
    }
}
