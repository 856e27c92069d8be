//! Gradients that are functions of the system: those with three coordinates, and those that compare.
//!
//! ```text
//!   __cuda_syscall_tex_grad_{pred_}GEOMETRY_v4_TYPE_COORDINATES{_texmode_independent}{_offset}{_depth_compare}
//!   (handle, {sampler,} coordinates, by x, by y, {offsets,} {value}) -> (whether it is in memory, texels)
//! ```
//!
//! Handles have 8 bytes, vectors 16, the value to compare with 4; they are passed as to any function. Results are a word
//! each, halves two in a word. Source: what ptxas 13.4 emits for each form on sm_90.

use super::callee::Callee;
use super::operand::{Base, Given};
use super::{Builder, Outcome};
use crate::abi::Places;
use crate::compute::is_gradient_of_system;
use crate::ir::{File, Guard, Op};
use crate::source::Source;
use warpc_ptx::Module;
use warpc_ptx::module::{Body, Statement};

/// The arguments, by their names in the form, with their bytes.
const ARGUMENTS: [(&str, u32); 7] = [
    ("a", 8),
    ("b", 8),
    ("c", 16),
    ("dPdx", 16),
    ("dPdy", 16),
    ("e", 16),
    ("f", 4),
];

/// The function that an instruction is.
fn name(source: &Source) -> Option<String> {
    let token = |slot: &str| source.choice().token(slot)?.strip_prefix('.');
    let (geometry, coordinates) = (token("geom")?, token("ctype")?);
    let ty = match token("dtype")? {
        "f16x2" => "f16",
        ty => ty,
    };
    let word = |operand: &str, word: &'static str| match source.operand(operand) {
        Some(_) => word,
        None => "",
    };
    Some(format!(
        "__cuda_syscall_tex_grad_{}{geometry}_v4_{ty}_{coordinates}{}{}{}",
        word("p", "pred_"),
        word("b", "_texmode_independent"),
        word("e", "_offset"),
        word("f", "_depth_compare"),
    ))
}

/// Where the arguments are passed.
fn taken(source: &Source) -> Places {
    let given = ARGUMENTS.iter();
    let given = given.filter(|one| source.operand(one.0).is_some());
    Places::of(given.map(|(_, bytes)| (*bytes, *bytes)))
}

/// The instructions of a body that are such functions.
fn of_body<'m>(module: &'m Module, body: &'m Body) -> impl Iterator<Item = Source<'m>> {
    let statements = match module.has_opcode(&["tex"]) {
        true => &body.statements[..],
        false => &[],
    };
    statements.iter().filter_map(|statement| {
        let Statement::Inst(inst) = statement else {
            return None;
        };
        let choices = &module.mnemonic(inst.mnemonic).choices;
        let choice = choices.get(usize::from(inst.choice))?;
        if choice.form.form().opcode != "tex" {
            return None;
        }
        let source = Source::of_inst(module, body, inst)?;
        is_gradient_of_system(&source).then_some(source)
    })
}

/// The functions of the system that the gradients of a body are.
pub(crate) fn names(module: &Module, body: &Body) -> Vec<String> {
    of_body(module, body)
        .filter_map(|source| name(&source))
        .collect()
}

/// The bytes of stack in which a body passes their arguments.
pub(super) fn outgoing(module: &Module, body: &Body) -> u32 {
    let all = of_body(module, body).map(|source| taken(&source).stack);
    all.max().unwrap_or(0)
}

impl Builder<'_> {
    /// Calls the function.
    pub(super) fn gradient(&mut self, source: &Source, guard: Option<Guard>) -> Outcome<()> {
        let number = name(source).and_then(|name| self.data.system_number(&name));
        let number = number.ok_or_else(|| self.refuse("this gradient"))?;
        let given = self.given(source)?;
        let find = |name: &str| {
            let mut all = given.iter();
            all.find(|one| one.0 == name).map(|one| one.1.clone())
        };
        let around = self.skip_unless(guard)?;
        let mut arguments = Vec::new();
        for argument in ARGUMENTS.iter().filter_map(|one| find(one.0)) {
            arguments.push(self.gradient_words(argument)?);
        }
        let is_half = matches!(source.choice().token("dtype"), Some(".f16" | ".f16x2"));
        let words = if is_half { 3 } else { 5 };
        let registers: Vec<Op> = (0..words)
            .map(|_| Op::Reg(self.ir.reg(File::Register, 1), 0))
            .collect();
        let results: Vec<Vec<Op>> = registers.iter().map(|one| vec![*one]).collect();
        let places = Places::of(registers.iter().map(|_| (4, 4)));
        let callee = Callee::System(number);
        self.pass(callee, (&arguments, &taken(source)), (&results, &places))?;
        if let Some(Given::Reg { reg, .. }) = find("p") {
            let ops = [Op::Reg(reg, 0), registers[0]];
            self.step("ISETP.NE.AND P0, PT, R0, RZ, PT", None, &ops)?;
        }
        let Some(Given::Vector(texels)) = find("d") else {
            return Err(self.refuse("this gradient"));
        };
        let is_each_half = texels.len() == 4 && is_half;
        for (number, texel) in texels.iter().enumerate() {
            let Given::Reg { reg, lane, .. } = texel else {
                continue;
            };
            let word = 1 + if is_each_half { number / 2 } else { number };
            let (to, from) = (Op::Reg(*reg, *lane), registers.get(word));
            let from = *from.ok_or_else(|| self.refuse("this gradient"))?;
            match (is_each_half, number % 2) {
                (false, _) => self.copy(to, from, None)?,
                (true, 0) => self.step("PRMT R0, R0, 0x7710, RZ", None, &[to, from])?,
                (true, _) => self.step("PRMT R0, R0, 0x7732, RZ", None, &[to, from])?,
            }
        }
        if let Some(label) = around {
            self.put_label(label);
        }
        Ok(())
    }

    /// The words of an argument.
    fn gradient_words(&mut self, argument: Given) -> Outcome<Vec<Op>> {
        Ok(match argument {
            Given::Vector(items) => {
                let words = items.iter().map(|item| self.part(item, 0));
                words.collect::<Outcome<_>>()?
            }
            Given::Address(Base::Reg(reg, lane, lanes), 0) => {
                (0..lanes).map(|one| Op::Reg(reg, lane + one)).collect()
            }
            Given::Address(base, added) => {
                let value = self.address_value(base, added, 2)?;
                let words = [0, 1].map(|lane| self.part(&value, lane));
                words.into_iter().collect::<Outcome<_>>()?
            }
            one => {
                let words = (0..one.lanes()).map(|lane| self.part(&one, lane));
                words.collect::<Outcome<_>>()?
            }
        })
    }
}
