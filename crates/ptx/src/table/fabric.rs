//! Transfers to and from the memory of other devices: requests that a fabric carries out.
//!
//! ```text
//! fabric.try_put …  [handle, address{, counter}], [source], size, [mbarrier]     queue requests
//! fabric.submit                                                                   send what is queued
//! fabric.wait.sync_restrict::reads                                                 until sources may be reused
//! ```
//!
//! A place in other memory is a handle with an address; for tensors a map, a handle and an address that
//! replaces the map's own, with its extents and strides if they differ too. The handle and the
//! addresses are registers. Requests report to a barrier in shared memory: 16 bytes for each of those
//! that give nothing back, the bytes that arrive for the others.

use super::gates::{ALWAYS, v};
use super::sets::CACHE_HINT;
use super::tensor_copy::{DIM_WIDE, FAMILY_107, OVERRIDE_ADDRESS, check_coordinates};
use crate::inst::Choice;
use crate::row::{Effects, Row, Set, form, set};
use warpc_target::{Gate, arch, at_least, family};

/// sm_100 with PTX 9.3.
const FABRIC: Gate = Gate(&[at_least(100, v(9, 3))]);
/// Atomic operations came a version later.
const FABRIC_ATOM: Gate = Gate(&[at_least(100, v(9, 4))]);
/// Sums in a wider type.
const WIDE_SUM: Gate = Gate(&[
    arch(100, v(9, 3)),
    family(100, v(9, 3)),
    family(110, v(9, 3)),
    family(120, v(9, 3)),
]);

const EFFECTS: Effects = Effects::READ.union(Effects::WRITE).union(Effects::SYNC);

const DIM: Set = set("dim", &[(".1d .2d .3d .4d .5d", ALWAYS)]);
const BITWISE: Set = set("op", &[(".and .or .xor", ALWAYS)]);
const MINMAX: Set = set("op", &[(".min .max", ALWAYS)]);
const SWAP: Set = set("op", &[(".exch .cas", ALWAYS)]);
const BITS: Set = set("type", &[(".b32 .b64", ALWAYS)]);
const SWAPPED: Set = set("type", &[(".b32 .b64 .b128", ALWAYS)]);
/// What one element of an array may be.
const ORDERED: Set = set("type", &[(".u32 .s32 .u64 .s64 .f16 .bf16", ALWAYS)]);
const SUM: Set = set("type", &[(".u32 .u64 .f16 .bf16 .f32 .f64", ALWAYS)]);
const PULLED_SUM: Set = set("type", &[(".u32 .u64 .f16 .bf16 .f32", ALWAYS)]);
const HALF: Set = set("type", &[(".f16 .bf16", ALWAYS)]);
/// What an atomic operation may have: halves come in pairs.
const ATOM_ORDERED: Set = set("type", &[(".u32 .s32 .u64 .s64 .f16x2 .bf16x2", ALWAYS)]);
const ATOM_SUM: Set = set("type", &[(".u32 .u64 .f16x2 .bf16x2 .f32 .f64", ALWAYS)]);

const fn request(syntax: &'static str, sets: &'static [Set], operands: &'static str) -> Row {
    form(syntax, sets)
        .operands(operands)
        .since(FABRIC)
        .words(2)
        .only(scope_of_order)
        .effects(EFFECTS)
}

/// A request about a tensor.
const fn tensor(syntax: &'static str, sets: &'static [Set], operands: &'static str) -> Row {
    request(syntax, sets, operands)
        .since(FAMILY_107)
        .words(3)
        .rule(check_coordinates)
}

const fn atom(syntax: &'static str, sets: &'static [Set]) -> Row {
    request(
        syntax,
        sets,
        "handle:%u32 addr:%u64 dst:addr.shared::cta src:addr.shared::cta mbar:addr.shared::cta cache_policy:u64?level::cache_hint",
    )
    .since(FABRIC_ATOM)
}

const fn red(syntax: &'static str, sets: &'static [Set]) -> Row {
    request(
        syntax,
        sets,
        "handle:%u32 addr:%u64 counter:%u64?counted::bytes src:addr.shared::cta size:u32 mbar:addr.shared::cta cache_policy:u64?level::cache_hint",
    )
}

const fn pull(syntax: &'static str, sets: &'static [Set]) -> Row {
    request(
        syntax,
        sets,
        "dst:addr.shared::cta handle:%u32 addr:%u64 size:u32 mbar:addr.shared::cta membermask:u32(4294967295..4294967295)",
    )
    .effects(EFFECTS.union(Effects::CONVERGENT))
}

/// The section's forms.
pub static ROWS: &[Row] = &[
    request(
        "fabric.try_put.async{.multimem}.shared::cta.mbarrier::complete_tx::16B.mbarrier::report::fabric{.counted::bytes}{.cp_mask}{.level::cache_hint}{.relaxed}{.sys}.b128  [handle, addr{, counter}], [src], size, [mbar]{, byte_mask}{, cache_policy}",
        &[CACHE_HINT],
        "handle:%u32 addr:%u64 counter:%u64?counted::bytes src:addr.shared::cta size:u32 mbar:addr.shared::cta byte_mask:u16?cp_mask cache_policy:u64?level::cache_hint",
    )
    .only(counted_or_masked),
    tensor(
        "fabric.try_put.async.tensor{.multimem}.dim.shared::cta{.tile}.mbarrier::complete_tx::16B.mbarrier::report::fabric{.counted::bytes}{.level::cache_hint}.override::global_address{.relaxed}{.sys}.b128  [tensorMap, handle, addr{, counter}, tensorCoords], [src], size, [mbar]{, cache_policy}",
        &[DIM, CACHE_HINT, OVERRIDE_ADDRESS],
        "tensorMap:addr.global handle:%u32 addr:%u64 counter:%u64?counted::bytes tensorCoords:s32*? src:addr.shared::cta size:u32 mbar:addr.shared::cta cache_policy:u64?level::cache_hint",
    ),
    tensor(
        "fabric.try_put.async.tensor{.multimem}.1d.shared::cta{.tile}.mbarrier::complete_tx::16B.mbarrier::report::fabric{.counted::bytes}{.level::cache_hint}.override::global_address.override::global_dim{.relaxed}{.sys}.b128  [tensorMap, handle, addr{, counter}, dims, tensorCoords], [src], size, [mbar]{, cache_policy}",
        &[CACHE_HINT],
        "tensorMap:addr.global handle:%u32 addr:%u64 counter:%u64?counted::bytes dims:u16*1 tensorCoords:s32*1 src:addr.shared::cta size:u32 mbar:addr.shared::cta cache_policy:u64?level::cache_hint",
    ),
    tensor(
        "fabric.try_put.async.tensor{.multimem}.dim.shared::cta{.tile}.mbarrier::complete_tx::16B.mbarrier::report::fabric{.counted::bytes}{.level::cache_hint}.override::global_address.override::global_dim_stride{.relaxed}{.sys}.b128  [tensorMap, handle, addr{, counter}, dims, strides, strides_high, tensorCoords], [src], size, [mbar]{, cache_policy}",
        &[DIM_WIDE, CACHE_HINT],
        "tensorMap:addr.global handle:%u32 addr:%u64 counter:%u64?counted::bytes dims:u16*? strides:b32*? strides_high:%u16 tensorCoords:b32*? src:addr.shared::cta size:u32 mbar:addr.shared::cta cache_policy:u64?level::cache_hint",
    ),
    request(
        "fabric.try_get.async.shared::cta.mbarrier::complete_tx::bytes.mbarrier::report::fabric{.level::cache_hint}{.relaxed}{.sys}.b128  [dst], [handle, addr], size, [mbar]{, cache_policy}",
        &[CACHE_HINT],
        "dst:addr.shared::cta handle:%u32 addr:%u64 size:u32 mbar:addr.shared::cta cache_policy:u64?level::cache_hint",
    ),
    tensor(
        "fabric.try_get.async.tensor.dim.shared::cta{.tile}.mbarrier::complete_tx::bytes.mbarrier::report::fabric{.level::cache_hint}.override::global_address{.relaxed}{.sys}.b128  [dst], [tensorMap, handle, addr, tensorCoords], [mbar]{, cache_policy}",
        &[DIM, CACHE_HINT],
        "dst:addr.shared::cta tensorMap:addr.global handle:%u32 addr:%u64 tensorCoords:s32*? mbar:addr.shared::cta cache_policy:u64?level::cache_hint",
    ),
    tensor(
        "fabric.try_get.async.tensor.1d.shared::cta{.tile}.mbarrier::complete_tx::bytes.mbarrier::report::fabric{.level::cache_hint}.override::global_address.override::global_dim{.relaxed}{.sys}.b128  [dst], [tensorMap, handle, addr, dims, tensorCoords], [mbar]{, cache_policy}",
        &[CACHE_HINT],
        "dst:addr.shared::cta tensorMap:addr.global handle:%u32 addr:%u64 dims:u16*1 tensorCoords:s32*1 mbar:addr.shared::cta cache_policy:u64?level::cache_hint",
    ),
    tensor(
        "fabric.try_get.async.tensor.dim.shared::cta{.tile}.mbarrier::complete_tx::bytes.mbarrier::report::fabric{.level::cache_hint}.override::global_address.override::global_dim_stride{.relaxed}{.sys}.b128  [dst], [tensorMap, handle, addr, dims, strides, strides_high, tensorCoords], [mbar]{, cache_policy}",
        &[DIM_WIDE, CACHE_HINT],
        "dst:addr.shared::cta tensorMap:addr.global handle:%u32 addr:%u64 dims:u16*? strides:b32*? strides_high:%u16 tensorCoords:b32*? mbar:addr.shared::cta cache_policy:u64?level::cache_hint",
    ),
    red(
        "fabric.try_red.async{.multimem}.shared::cta.mbarrier::complete_tx::16B.mbarrier::report::fabric{.counted::bytes}{.level::cache_hint}{.relaxed}{.sys}.op.type  [handle, addr{, counter}], [src], size, [mbar]{, cache_policy}",
        &[CACHE_HINT, BITWISE, BITS],
    ),
    red(
        "fabric.try_red.async{.multimem}.shared::cta.mbarrier::complete_tx::16B.mbarrier::report::fabric{.counted::bytes}{.level::cache_hint}{.relaxed}{.sys}.op.type  [handle, addr{, counter}], [src], size, [mbar]{, cache_policy}",
        &[CACHE_HINT, MINMAX, ORDERED],
    ),
    red(
        "fabric.try_red.async{.multimem}.shared::cta.mbarrier::complete_tx::16B.mbarrier::report::fabric{.counted::bytes}{.level::cache_hint}{.relaxed}{.sys}.add.type  [handle, addr{, counter}], [src], size, [mbar]{, cache_policy}",
        &[CACHE_HINT, SUM],
    ),
    pull(
        "fabric.try_pullred.async.multimem.shared::cta.mbarrier::complete_tx::bytes.mbarrier::report::fabric{.relaxed}{.sys}.op.type.sync  [dst], [handle, addr], size, [mbar], membermask",
        &[BITWISE, BITS],
    ),
    pull(
        "fabric.try_pullred.async.multimem.shared::cta.mbarrier::complete_tx::bytes.mbarrier::report::fabric{.relaxed}{.sys}.op.type.sync  [dst], [handle, addr], size, [mbar], membermask",
        &[MINMAX, ORDERED],
    ),
    pull(
        "fabric.try_pullred.async.multimem.shared::cta.mbarrier::complete_tx::bytes.mbarrier::report::fabric{.relaxed}{.sys}.add.type.sync  [dst], [handle, addr], size, [mbar], membermask",
        &[PULLED_SUM],
    ),
    pull(
        "fabric.try_pullred.async.multimem.shared::cta.mbarrier::complete_tx::bytes.mbarrier::report::fabric{.relaxed}{.sys}.add.acc::f32.type.sync  [dst], [handle, addr], size, [mbar], membermask",
        &[HALF],
    )
    .since(WIDE_SUM),
    atom(
        "fabric.try_atom.async.shared::cta.mbarrier::complete_tx::16B.mbarrier::report::fabric{.level::cache_hint}.relaxed.sys.op.type  [handle, addr], [dst], [src], [mbar]{, cache_policy}",
        &[CACHE_HINT, BITWISE, BITS],
    ),
    atom(
        "fabric.try_atom.async.shared::cta.mbarrier::complete_tx::16B.mbarrier::report::fabric{.level::cache_hint}.relaxed.sys.op.type  [handle, addr], [dst], [src], [mbar]{, cache_policy}",
        &[CACHE_HINT, SWAP, SWAPPED],
    ),
    atom(
        "fabric.try_atom.async.shared::cta.mbarrier::complete_tx::16B.mbarrier::report::fabric{.level::cache_hint}.relaxed.sys.op.type  [handle, addr], [dst], [src], [mbar]{, cache_policy}",
        &[CACHE_HINT, MINMAX, ATOM_ORDERED],
    ),
    atom(
        "fabric.try_atom.async.shared::cta.mbarrier::complete_tx::16B.mbarrier::report::fabric{.level::cache_hint}.relaxed.sys.add.type  [handle, addr], [dst], [src], [mbar]{, cache_policy}",
        &[CACHE_HINT, ATOM_SUM],
    ),
    form("fabric.submit{.op_restrict::fetching}", &[])
        .words(1)
        .since(FABRIC)
        .effects(EFFECTS),
    form("fabric.wait.sync_restrict::reads", &[])
        .words(1)
        .since(FABRIC)
        .effects(Effects::SYNC),
];

/// Requests are weak, or relaxed at the scope of the system.
fn scope_of_order(choice: &Choice) -> Result<(), &'static str> {
    if choice.token("relaxed").is_some() && choice.token("sys").is_none() {
        return Err("a relaxed request needs its scope, `.sys`");
    }
    Ok(())
}

/// What is masked is not counted.
fn counted_or_masked(choice: &Choice) -> Result<(), &'static str> {
    scope_of_order(choice)?;
    if choice.token("counted::bytes").is_some() && choice.token("cp_mask").is_some() {
        return Err("bytes that a mask leaves out cannot be counted");
    }
    Ok(())
}
