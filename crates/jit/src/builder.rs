//! Operations on values of four lanes, one after the other.

use crate::native::{Extent, Native, NotCompiled};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I8X16, I32, I32X4, I64, I64X2};
use cranelift_codegen::ir::{
    AbiParam, BlockArg, ConstantData, Endianness, Function, InstBuilder, MemFlagsData, Signature,
    Type, UserFuncName, Value,
};
use cranelift_codegen::isa::OwnedTargetIsa;
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext, Variable};
use std::collections::{BTreeMap, BTreeSet};

/// A word in each of four lanes.
#[derive(Clone, Copy, Debug)]
pub struct Words(pub(crate) Value);

/// A double in each of four lanes: the first two, and the others.
#[derive(Clone, Copy, Debug)]
pub struct Doubles(pub(crate) [Value; 2]);

/// A truth in each of four lanes: all bits of a word, or none.
#[derive(Clone, Copy, Debug)]
pub struct Mask(pub(crate) Value);

/// Comparisons.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Comparison {
    Equal,
    NotEqual,
    LessUnsigned,
    LessOrEqualUnsigned,
    GreaterUnsigned,
    GreaterOrEqualUnsigned,
    LessSigned,
    LessOrEqualSigned,
    GreaterSigned,
    GreaterOrEqualSigned,
}

/// Lanes of a warp, and of a group of them.
const LANES: i64 = 32;
const GROUP: i64 = 4;
/// Bytes of a word and of a double.
const WORD: i64 = 4;
const DOUBLE: i64 = 8;

/// Accesses of registers do not fault; the first lane is the lowest in memory and in a value.
pub(crate) fn order() -> MemFlagsData {
    MemFlagsData::new()
        .with_notrap()
        .with_endianness(Endianness::Little)
}

/// Takes the steps of a stretch, in their order.
pub struct Builder<'f> {
    pub(crate) code: FunctionBuilder<'f>,
    /// Where the files of registers begin.
    files: [Value; 3],
    /// The lanes of the group: bytes before its words, and lanes before it.
    word_offset: Value,
    lane: Value,
    /// What registers hold at this point, if it was read or written.
    words: BTreeMap<u32, Value>,
    doubles: BTreeMap<u32, [Value; 2]>,
    masks: BTreeMap<u32, Value>,
    /// What was written.
    written_words: BTreeSet<u32>,
    written_doubles: BTreeSet<u32>,
    /// Bits of written predicates, of the groups so far.
    bits: BTreeMap<u32, Variable>,
    extent: Extent,
    /// Whether the host rounds a product and a sum once.
    pub(crate) has_fma: bool,
}

/// When code runs again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Again {
    /// The predicate that is looked at.
    pub predicate: u32,
    /// The value that it must have in all lanes.
    pub wanted: bool,
}

/// Compiles a stretch of steps. `body` makes them, and may write these predicates only; with `again` it repeats as long as
/// that predicate, one of those that are written, holds in all lanes.
pub fn compile(
    predicates: &[u32],
    again: Option<Again>,
    body: impl FnOnce(&mut Builder<'_>),
) -> Result<Native, NotCompiled> {
    if let Some(again) = again
        && !predicates.contains(&again.predicate)
    {
        return Err(NotCompiled::new(
            "the code does not write what it repeats by",
        ));
    }
    let isa = host()?;
    let pointer = isa.pointer_type();
    if pointer != I64 {
        return Err(NotCompiled::new(
            "the host does not have addresses of 64 bits",
        ));
    }
    let mut signature = Signature::new(isa.default_call_conv());
    signature.params = vec![AbiParam::new(I64); 4];
    signature.returns = vec![AbiParam::new(I64)];
    let mut function = Function::with_name_signature(UserFuncName::default(), signature);
    let mut context = FunctionBuilderContext::new();
    let mut code = FunctionBuilder::new(&mut function, &mut context);

    let [entry, round, group, last] = [(); 4].map(|()| code.create_block());
    code.append_block_params_for_function_params(entry);
    code.switch_to_block(entry);
    code.seal_block(entry);
    let [words, doubles, file, most] = std::array::from_fn(|i| code.block_params(entry)[i]);
    let zero = code.ins().iconst(I64, 0);
    code.append_block_param(round, I64);
    code.ins().jump(round, &[BlockArg::Value(zero)]);

    code.switch_to_block(round);
    let rounds = code.block_params(round)[0];
    let none = code.ins().iconst(I32, 0);
    let bits: BTreeMap<u32, Variable> = predicates
        .iter()
        .map(|slot| {
            let variable = code.declare_var(I32);
            code.def_var(variable, none);
            (*slot, variable)
        })
        .collect();
    let first = code.ins().iconst(I64, 0);
    code.append_block_param(group, I64);
    code.ins().jump(group, &[BlockArg::Value(first)]);

    code.switch_to_block(group);
    let lane = code.block_params(group)[0];
    let word_offset = code.ins().imul_imm_s(lane, WORD);
    let top = predicates.iter().map(|slot| *slot as usize + 1).max();
    let mut builder = Builder {
        code,
        files: [words, doubles, file],
        word_offset,
        lane,
        words: BTreeMap::new(),
        doubles: BTreeMap::new(),
        masks: BTreeMap::new(),
        written_words: BTreeSet::new(),
        written_doubles: BTreeSet::new(),
        bits,
        extent: Extent {
            predicates: top.unwrap_or(0),
            ..Extent::default()
        },
        has_fma: isa
            .isa_flags()
            .iter()
            .any(|flag| flag.name == "has_fma" && flag.as_bool() == Some(true)),
    };
    body(&mut builder);
    builder.store();

    let next = builder.code.ins().iadd_imm_s(lane, GROUP);
    let more = builder
        .code
        .ins()
        .icmp_imm_s(IntCC::UnsignedLessThan, next, LANES);
    let on = [BlockArg::Value(next)];
    builder.code.ins().brif(more, group, &on, last, &[]);
    builder.code.seal_block(group);

    builder.code.switch_to_block(last);
    builder.code.seal_block(last);
    let done = builder.code.ins().iadd_imm_s(rounds, 1);
    builder.store_predicates();
    match again {
        None => {
            builder.code.ins().return_(&[done]);
        }
        Some(again) => {
            let now = builder.code.use_var(builder.bits[&again.predicate]);
            let all = if again.wanted { -1 } else { 0 };
            let holds = builder.code.ins().icmp_imm_s(IntCC::Equal, now, all);
            let left = builder.code.ins().icmp(IntCC::UnsignedLessThan, done, most);
            let both = builder.code.ins().band(holds, left);
            let end = builder.code.create_block();
            let on = [BlockArg::Value(done)];
            builder.code.ins().brif(both, round, &on, end, &[]);
            builder.code.switch_to_block(end);
            builder.code.seal_block(end);
            builder.code.ins().return_(&[done]);
        }
    }
    builder.code.seal_block(round);
    let extent = builder.extent;
    builder.code.finalize(isa.frontend_config());
    Native::compile(isa, function, extent)
}

/// What the host can do.
fn host() -> Result<OwnedTargetIsa, NotCompiled> {
    let mut flags = settings::builder();
    let set = [
        ("opt_level", "speed"),
        ("is_pic", "false"),
        ("enable_verifier", "true"),
    ];
    for (name, value) in set {
        flags.set(name, value).map_err(NotCompiled::of)?;
    }
    let isa = cranelift_native::builder().map_err(NotCompiled::new)?;
    isa.finish(settings::Flags::new(flags))
        .map_err(NotCompiled::of)
}

impl Builder<'_> {
    fn address(&mut self, file: usize, slot: u32, element: i64) -> Value {
        let offset = match element {
            DOUBLE => self.code.ins().ishl_imm_u(self.word_offset, 1),
            _ => self.word_offset,
        };
        let base = self.code.ins().iadd(self.files[file], offset);
        self.code
            .ins()
            .iadd_imm_s(base, i64::from(slot) * LANES * element)
    }

    pub(crate) fn splat(&mut self, ty: Type, number: i64) -> Value {
        let one = self.code.ins().iconst(ty.lane_type(), number);
        self.code.ins().splat(ty, one)
    }

    pub(crate) fn cast(&mut self, ty: Type, value: Value) -> Value {
        self.code.ins().bitcast(ty, order(), value)
    }

    pub(crate) fn shuffle(&mut self, [a, b]: [Value; 2], lanes: [u8; 16]) -> Value {
        let [a, b] = [a, b].map(|value| self.cast(I8X16, value));
        let lanes = self
            .code
            .func
            .dfg
            .immediates
            .push(ConstantData::from(&lanes[..]));
        let bytes = self.code.ins().shuffle(a, b, lanes);
        self.cast(I32X4, bytes)
    }

    /// What a word holds.
    pub fn word(&mut self, slot: u32) -> Words {
        if let Some(value) = self.words.get(&slot) {
            return Words(*value);
        }
        self.extent.words = self.extent.words.max(slot as usize + 1);
        let address = self.address(0, slot, WORD);
        let value = self.code.ins().load(I32X4, order(), address, 0);
        self.words.insert(slot, value);
        Words(value)
    }

    /// What a double holds.
    pub fn double(&mut self, slot: u32) -> Doubles {
        if let Some(value) = self.doubles.get(&slot) {
            return Doubles(*value);
        }
        self.extent.doubles = self.extent.doubles.max(slot as usize + 1);
        let address = self.address(1, slot, DOUBLE);
        let value = [0, 16].map(|at| self.code.ins().load(I64X2, order(), address, at));
        self.doubles.insert(slot, value);
        Doubles(value)
    }

    /// What a predicate holds.
    pub fn predicate(&mut self, slot: u32) -> Mask {
        if let Some(value) = self.masks.get(&slot) {
            return Mask(*value);
        }
        self.extent.predicates = self.extent.predicates.max(slot as usize + 1);
        let offset = i32::try_from(i64::from(slot) * WORD).unwrap_or(i32::MAX);
        let all = self.code.ins().load(I32, order(), self.files[2], offset);
        let lane = self.code.ins().ireduce(I32, self.lane);
        let own = self.code.ins().ushr(all, lane);
        let each = self.code.ins().splat(I32X4, own);
        // Lane i looks at bit i.
        let places = [1u32, 2, 4, 8].map(u32::to_le_bytes).concat();
        let places = self
            .code
            .func
            .dfg
            .constants
            .insert(ConstantData::from(&places[..]));
        let places = self.code.ins().vconst(I32X4, places);
        let bit = self.code.ins().band(each, places);
        let value = self.code.ins().icmp(IntCC::Equal, bit, places);
        self.masks.insert(slot, value);
        Mask(value)
    }

    /// Writes a word.
    pub fn set_word(&mut self, slot: u32, Words(value): Words) {
        self.extent.words = self.extent.words.max(slot as usize + 1);
        self.words.insert(slot, value);
        self.written_words.insert(slot);
    }

    /// Writes a double.
    pub fn set_double(&mut self, slot: u32, Doubles(value): Doubles) {
        self.extent.doubles = self.extent.doubles.max(slot as usize + 1);
        self.doubles.insert(slot, value);
        self.written_doubles.insert(slot);
    }

    /// Writes a predicate, one of those that [`compile`] was told of.
    ///
    /// # Panics
    ///
    /// If it was not told of this one.
    pub fn set_predicate(&mut self, slot: u32, Mask(value): Mask) {
        assert!(self.bits.contains_key(&slot), "an unannounced predicate");
        self.masks.insert(slot, value);
    }

    /// Writes the registers of a group back.
    fn store(&mut self) {
        for slot in std::mem::take(&mut self.written_words) {
            let address = self.address(0, slot, WORD);
            let value = self.words[&slot];
            self.code.ins().store(order(), value, address, 0);
        }
        for slot in std::mem::take(&mut self.written_doubles) {
            let address = self.address(1, slot, DOUBLE);
            let [low, high] = self.doubles[&slot];
            self.code.ins().store(order(), low, address, 0);
            self.code.ins().store(order(), high, address, 16);
        }
        let lane = self.code.ins().ireduce(I32, self.lane);
        for (slot, variable) in self.bits.clone() {
            let value = self.predicate(slot).0;
            let four = self.code.ins().vhigh_bits(I32, value);
            let own = self.code.ins().ishl(four, lane);
            let before = self.code.use_var(variable);
            let now = self.code.ins().bor(before, own);
            self.code.def_var(variable, now);
        }
    }

    fn store_predicates(&mut self) {
        for (slot, variable) in self.bits.clone() {
            let value = self.code.use_var(variable);
            let offset = i32::try_from(i64::from(slot) * WORD).unwrap_or(i32::MAX);
            self.code.ins().store(order(), value, self.files[2], offset);
        }
    }
}
