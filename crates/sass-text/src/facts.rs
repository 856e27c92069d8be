//! What code implies about a kernel, as the attributes of a cubin, and what stands after it.

use warpc_cubin::Record;
use warpc_cubin::attribute::info;
use warpc_sass::decode::decode;
use warpc_sass::encode::encode;
use warpc_sass::facts::KernelFacts;
use warpc_sass::facts::mbarrier::{Kind, MbarrierUse};
use warpc_sass::{Inst, Value, parse};
use warpc_target::{Chips, Sm};

/// The chips whose kernels no longer state that they ask for the block's third number.
const NO_THIRD_NUMBER: Chips = Chips::AtLeast(90);

/// The member mask of a collective whose mask is not known, or is all lanes.
const ALL_LANES: u32 = u32::MAX;

/// A bit that all entries about mbarriers have.
const ALWAYS: u32 = 0x100;

/// The attributes of a kernel that follow from its code, besides its exits and barriers. Masks are not known: they are
/// all lanes.
pub fn attributes_of(sm: Sm, facts: &KernelFacts) -> Vec<Record> {
    let mut attributes = Vec::new();
    let together = &facts.together;
    if !together.warp_wide.is_empty() {
        let places = &together.warp_wide;
        attributes.push(Record::words(info::INT_WARP_WIDE_INSTR_OFFSETS, places));
    }
    if !together.groups.is_empty() {
        let masks = vec![ALL_LANES; together.groups.len()];
        attributes.push(Record::words(info::COOP_GROUP_MASK_REGIDS, &masks));
        let places = &together.groups;
        attributes.push(Record::words(info::COOP_GROUP_INSTR_OFFSETS, places));
    }
    if !facts.mbarriers.is_empty() {
        let words: Vec<u32> = facts.mbarriers.iter().flat_map(entry).collect();
        let made = facts.mbarriers.iter().filter(|one| one.kind == Kind::Init);
        attributes.push(Record::words(info::MBARRIER_INSTR_OFFSETS, &words));
        let objects = u16::try_from(made.count()).unwrap_or(u16::MAX);
        attributes.push(Record::half(info::NUM_MBARRIERS, objects));
    }
    if !facts.system_calls.is_empty() {
        attributes.push(Record::words(info::SYSCALL_OFFSETS, &facts.system_calls));
    }
    if facts.lets_next_begin {
        attributes.push(Record::byte(info::PREEXIT_USED, 1));
    }
    if facts.has_meeting_places {
        attributes.push(Record::words(info::CRS_STACK_SIZE, &[0]));
    }
    if facts.reads_third_block_number && !NO_THIRD_NUMBER.contains(sm) {
        attributes.push(Record::flag(info::CTAIDZ_USED));
    }
    attributes
}

/// What is done to an mbarrier, as the attribute has it.
fn entry(one: &MbarrierUse) -> [u32; 4] {
    let address = one.address;
    let packed = one.kind as u32 | ALWAYS | u32::from(address.uniform) << 16;
    let register = u32::from(address.register);
    [one.place, register, address.displacement, packed]
}

/// The instructions after the code of a kernel: one that goes to itself, then as many that do nothing as fill the last
/// 128 bytes, as ptxas writes them.
pub fn padding(sm: Sm, code: &[u128]) -> Vec<u128> {
    let shape = |text: &str| parse::shape(sm, text);
    // Every chip has both; without them there is nothing to fill with.
    let (Some(branch), Some(nothing)) = (shape("BRA 0x0"), shape("NOP")) else {
        return Vec::new();
    };
    let mut words = Vec::new();
    let last = code.last().and_then(|word| decode(sm, *word));
    let is_filled = |inst: Inst| ["BRA", "NOP"].contains(&inst.shape.opcode());
    if !last.is_some_and(is_filled) {
        let mut to_itself = Inst::new(branch);
        for operand in &mut to_itself.operands {
            if let Value::Place(_) = operand.value {
                operand.value = Value::Place(-16);
            }
        }
        words.extend(encode(&to_itself));
    }
    while !(code.len() + words.len()).is_multiple_of(8)
        && let Ok(word) = encode(&Inst::new(nothing))
    {
        words.push(word);
    }
    words
}
