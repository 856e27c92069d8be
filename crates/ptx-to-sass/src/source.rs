//! An instruction of PTX as `warpc-ptx` resolved it: the form, its modifiers, its operands by the names that the form
//! gives them. Families build their descriptions from it, and what none of them understands is refused.

use smallvec::SmallVec;
use std::hash::{Hash, Hasher};
use warpc_model::{AtomicOp, AtomicType, Ordering, Scope, StateSpace};
use warpc_ptx::Module;
use warpc_ptx::form::{Mapping, map_selected};
use warpc_ptx::inst::{Choice, Inst, Operand, Part, Sign};
use warpc_ptx::module::{Body, TargetOption};
use warpc_ptx::sreg;
use warpc_ptx::symbol::Symbol;

/// What stands for an operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Argument {
    /// A number.
    Constant(i64),
    /// A value that is in registers, an address or a predicate; or it is not known.
    Register,
    /// `_`: the value is not wanted.
    Sink,
}

impl Argument {
    /// The number, if it is one.
    pub fn constant(self) -> Option<i64> {
        match self {
            Argument::Constant(number) => Some(number),
            _ => None,
        }
    }

    /// Whether it is a number.
    pub fn is_constant(self) -> bool {
        self.constant().is_some()
    }
}

/// A resolved instruction.
#[derive(Clone, Debug)]
pub struct Source<'a> {
    choice: &'a Choice,
    /// The module whose instruction it is; nothing where only the mnemonic is known.
    module: Option<&'a Module>,
    /// The modifiers that no family has looked at; nothing before the first one looks.
    words: Option<Words>,
    /// The operands that were given, by name; nothing where only the mnemonic is known.
    operands: Option<SmallVec<[(&'static str, Given); 4]>>,
    /// For each operand of the form which one of the body was given for it.
    mapping: Mapping,
    /// Whether samplers are apart from textures.
    independent: bool,
}

/// Modifiers.
type Words = SmallVec<[&'static str; 12]>;

/// What the steps of an instruction depend on: instructions with equal keys have the same steps.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Key {
    /// The address of the choice, which lives as long as the module.
    choice: usize,
    operands: SmallVec<[GivenKey; 6]>,
}

impl Hash for Key {
    /// What tells most instructions apart: hashing the rest takes longer than comparing it.
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_usize(self.choice);
        for operand in &self.operands {
            let number = operand.argument.constant().unwrap_or(0) as u64;
            let name = operand.name.map_or(0, |name| name.index() as u64 + 1);
            let bits = u64::from(operand.bits.unwrap_or(0));
            state.write_u64(number ^ name << 32 ^ bits << 16 ^ operand.part_bits());
        }
    }
}

impl GivenKey {
    /// Something of what kind of operand it is.
    fn part_bits(&self) -> u64 {
        u64::from(self.argument == Argument::Sink)
            | u64::from(self.part != Part::Whole) << 1
            | u64::from(self.is_minus) << 2
            | u64::from(self.is_number) << 3
            | self.elements.map_or(0, |(count, _)| u64::from(count) << 4)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct GivenKey {
    argument: Argument,
    /// The name where it is not that of a register.
    name: Option<Symbol>,
    part: Part,
    is_minus: bool,
    elements: Option<(u8, u16)>,
    bits: Option<u32>,
    is_number: bool,
}

/// An operand that was given.
#[derive(Clone, Copy, Debug)]
struct Given {
    argument: Argument,
    /// Its name, if it is one, and the part of what has it.
    symbol: Option<Symbol>,
    part: Part,
    /// Whether it has a minus sign.
    is_minus: bool,
    /// How many elements a vector has, and which of them are wanted, one bit each.
    elements: Option<(u8, u16)>,
    /// How many bits the register has, if that is known.
    bits: Option<u32>,
    /// Whether it is a number.
    is_number: bool,
}

impl<'a> Source<'a> {
    /// An opcode with its modifiers, whose operands are not known.
    pub fn of_mnemonic(choice: &'a Choice) -> Source<'a> {
        Source {
            choice,
            module: None,
            words: None,
            operands: None,
            mapping: Mapping::new(),
            independent: false,
        }
    }

    /// An instruction of a function's body; nothing if its operands are not those of its form.
    pub fn of_inst(module: &'a Module, body: &'a Body, inst: &Inst) -> Option<Source<'a>> {
        let mnemonic = module.mnemonic(inst.mnemonic);
        let choice = mnemonic.choices.get(usize::from(inst.choice))?;
        let mapping = map_selected(choice, &body.operands, inst.operands)?;
        let specs = &choice.form.form().operands;
        let given = specs.iter().zip(&mapping).filter_map(|(spec, index)| {
            let operand = body.operands.get((*index)? as usize)?;
            Some((spec.name, Given::of(body, operand)))
        });
        let operands = Some(given.collect());
        Some(Source {
            module: Some(module),
            operands,
            mapping,
            independent: is_independent(module),
            ..Source::of_mnemonic(choice)
        })
    }

    /// For each operand of the form the index of what was given for it in the body's operands.
    pub(crate) fn mapping(&self) -> &Mapping {
        &self.mapping
    }

    /// The name that was given for an operand.
    pub(crate) fn symbol_of(&self, name: &str) -> Option<Symbol> {
        let given = self.operands.as_ref()?;
        let (_, given) = given.iter().find(|one| one.0 == name)?;
        given
            .symbol
            .filter(|_| given.argument == Argument::Register)
    }

    /// Takes an operand for a number.
    pub(crate) fn put_number(&mut self, name: &str, number: i64) {
        let given = self.operands.iter_mut().flatten();
        for (_, given) in given.filter(|one| one.0 == name) {
            given.argument = Argument::Constant(number);
        }
    }

    /// What the steps of the instruction depend on, in one module.
    pub(crate) fn key(&self) -> Key {
        let operands = self.operands.iter().flatten().map(|(_, given)| GivenKey {
            argument: given.argument,
            name: given.symbol.filter(|_| given.bits.is_none()),
            part: given.part,
            is_minus: given.is_minus,
            elements: given.elements,
            bits: given.bits,
            is_number: given.is_number,
        });
        Key {
            choice: std::ptr::from_ref(self.choice).addr(),
            operands: operands.collect(),
        }
    }

    /// Whether samplers are apart from textures (`texmode_independent`).
    pub(crate) fn is_independent(&self) -> bool {
        self.independent
    }

    /// The opcode: `atom`.
    pub fn opcode(&self) -> &'static str {
        self.choice.form.form().opcode
    }

    /// The form and its modifiers.
    pub(crate) fn choice(&self) -> &'a Choice {
        self.choice
    }

    /// Whether some modifier has not been understood.
    pub(crate) fn has_more(&self) -> bool {
        match &self.words {
            Some(words) => !words.is_empty(),
            None => self.choice.words().next().is_some(),
        }
    }

    /// The modifiers that no family has looked at.
    fn words(&mut self) -> &mut Words {
        self.words
            .get_or_insert_with(|| self.choice.words().collect())
    }

    fn given(&self, name: &str) -> Option<Given> {
        let mut all = self.operands.iter().flatten();
        all.find(|one| is_same(one.0, name)).map(|one| one.1)
    }

    /// The operand with a name; nothing if it was left out.
    pub(crate) fn operand(&self, name: &str) -> Option<Argument> {
        self.given(name).map(|given| given.argument)
    }

    /// Whether the mnemonic has a modifier, whether or not it has been looked at.
    pub(crate) fn has_word(&self, word: &str) -> bool {
        self.words_seen().any(|one| one == word)
    }

    /// All modifiers of the mnemonic, in order, whether or not they have been looked at.
    pub(crate) fn words_seen(&self) -> impl Iterator<Item = &'static str> {
        self.choice.words()
    }

    /// Whether an operand is a number, of whatever type.
    pub(crate) fn is_number(&self, name: &str) -> bool {
        self.given(name).is_some_and(|given| given.is_number)
    }

    /// Which part of its register an operand names.
    pub(crate) fn part(&self, name: &str) -> Part {
        self.given(name).map_or(Part::Whole, |given| given.part)
    }

    /// Whether an operand has a minus sign before it.
    pub(crate) fn is_minus(&self, name: &str) -> bool {
        self.given(name).is_some_and(|given| given.is_minus)
    }

    /// How many elements an operand has that is a vector in braces.
    pub(crate) fn vector(&self, name: &str) -> Option<u8> {
        Some(self.given(name)?.elements?.0)
    }

    /// Whether an element of a vector is not `_`.
    pub(crate) fn wants_element(&self, name: &str, lane: u8) -> bool {
        let elements = self.given(name).and_then(|given| given.elements);
        elements.is_some_and(|(_, wanted)| wanted >> (lane & 15) & 1 == 1)
    }

    /// How many bits the register of an operand has.
    pub(crate) fn register_bits(&self, name: &str) -> Option<u32> {
        self.given(name)?.bits
    }

    /// Says how many bits the registers of operands have, by their names in PTX.
    pub(crate) fn set_register_bits(&mut self, mut bits: impl FnMut(Symbol) -> Option<u32>) {
        for (_, given) in self.operands.iter_mut().flatten() {
            given.bits = given.symbol.and_then(&mut bits);
        }
    }

    /// The name of an operand that is nothing but that.
    pub(crate) fn whole_name(&self, name: &str) -> Option<Symbol> {
        let given = self.given(name)?;
        given
            .symbol
            .filter(|_| given.part == Part::Whole && !given.is_minus)
    }

    /// Says that an operand is a number, for those who make steps.
    pub(crate) fn set_number(&mut self, name: &str, number: i64) {
        for (own, given) in self.operands.iter_mut().flatten() {
            if *own == name {
                given.argument = Argument::Constant(number);
            }
        }
    }

    /// Whether the form has a result and it is wanted: it is unless it is `_`. Where no operands are known it is, too.
    pub(crate) fn has_result(&self, name: &str) -> bool {
        let specs = &self.choice.form.form().operands;
        let exists = specs.iter().any(|spec| spec.name == name);
        exists && self.operand(name) != Some(Argument::Sink)
    }

    /// The name of an operand that is a special register, without `%`, and the component that is meant: `tid.x`.
    pub(crate) fn special(&self, operand: &str) -> Option<String> {
        let given = self.given(operand)?;
        let name = self.module?.name(given.symbol?);
        let known = sreg::find(name, "").is_some();
        let name = name.strip_prefix('%').unwrap_or(name);
        known.then(|| format!("{name}{}", given.part.element_text()))
    }

    pub(crate) fn has(&self, word: &str) -> bool {
        match &self.words {
            Some(words) => words.contains(&word),
            None => self.has_word(word),
        }
    }

    /// Takes a modifier.
    pub(crate) fn take(&mut self, word: &str) -> bool {
        self.take_by(|candidate| (candidate == word).then_some(()))
            .is_some()
    }

    /// Takes all modifiers that are among some.
    pub(crate) fn take_words(&mut self, words: impl Iterator<Item = &'static str>) {
        let known: SmallVec<[&str; 12]> = words.collect();
        self.words().retain(|word| !known.contains(word));
    }

    /// Takes the first modifier that means something.
    pub(crate) fn take_by<T>(&mut self, meaning: impl Fn(&str) -> Option<T>) -> Option<T> {
        let (index, found) = self
            .words()
            .iter()
            .enumerate()
            .find_map(|(index, word)| Some((index, meaning(word)?)))?;
        self.words().remove(index);
        Some(found)
    }

    pub(crate) fn order(&mut self) -> Option<Ordering> {
        let order = self.choice.ordering()?;
        self.take_by(|word| (Ordering::from_ptx(word) == Ok(order)).then_some(order))
    }

    pub(crate) fn scope(&mut self) -> Option<Scope> {
        let scope = self.choice.scope()?;
        let means =
            |word: &str| [Scope::from_ptx(word), Scope::from_membar(word)].contains(&Ok(scope));
        self.take_by(|word| means(word).then_some(scope))
    }

    /// The first state space that is named; generic where none is.
    pub(crate) fn space(&mut self) -> StateSpace {
        let space = self.take_by(StateSpace::from_ptx);
        space.unwrap_or(StateSpace::Generic)
    }

    pub(crate) fn operation(&mut self) -> Option<AtomicOp> {
        self.take_by(AtomicOp::from_ptx)
    }

    pub(crate) fn ty(&mut self) -> Option<AtomicType> {
        self.take_by(AtomicType::from_ptx)
    }

    /// How many elements the vector has, 1 where it is none.
    pub(crate) fn elements(&mut self) -> u8 {
        self.take_by(|word| matches!(word, "v2" | "v4" | "v8").then_some(()));
        self.choice.elements()
    }
}

fn is_independent(module: &Module) -> bool {
    let options = &module.options;
    options.contains(&TargetOption::TexmodeIndependent)
}

/// Whether two names of operands are the same. Most are a letter, which is seen without a call.
pub(crate) fn is_same(name: &str, other: &str) -> bool {
    name.len() == other.len()
        && name.as_bytes().first() == other.as_bytes().first()
        && (name.len() == 1 || name == other)
}

impl Given {
    fn of(body: &Body, operand: &Operand) -> Given {
        let argument = match operand {
            Operand::Int(number) => Argument::Constant(number.bits as i64),
            Operand::Sink => Argument::Sink,
            _ => Argument::Register,
        };
        let (symbol, part) = match operand {
            Operand::Name { symbol, part, .. } => (Some(*symbol), *part),
            _ => (None, Part::Whole),
        };
        let is_minus = matches!(
            operand,
            Operand::Name {
                sign: Sign::Minus,
                ..
            }
        );
        let elements = match operand {
            Operand::Vector(items) => {
                let items = body.operands(*items);
                let wanted = items.iter().enumerate();
                let wanted = wanted.filter(|(_, item)| **item != Operand::Sink);
                let wanted = wanted.fold(0, |all, (lane, _)| all | 1 << (lane & 15));
                Some((items.len() as u8, wanted))
            }
            _ => None,
        };
        Given {
            argument,
            symbol,
            part,
            is_minus,
            elements,
            bits: None,
            is_number: matches!(operand, Operand::Int(_) | Operand::F32(_) | Operand::F64(_)),
        }
    }
}
