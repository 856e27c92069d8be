//! Copies of tiles of tensors, and changes of tensor maps.

use crate::code::{Arg, Args};
use crate::select::Selector;
use crate::select::intrinsic::row::{Row, effect, effect_by};
use crate::unit::Refused;
use warpc_nvvm::types::Type;
use warpc_nvvm::value::{InstId, Value};

pub(in crate::select::intrinsic) static ROWS: &[Row] = &[
    effect_by(
        "cp.async.bulk.tensor.{g2s.cta,g2s,s2g,prefetch}.{tile.gather4:tile::gather4,tile.scatter4:tile::scatter4,tile,\
         im2col.w.128:im2col::w::128,im2col.w:im2col::w,im2col}.{1,2,3,4,5}d",
        copy,
    ),
    effect_by(
        "cp.async.bulk.tensor.reduce.{add,min,max,inc,dec,and,or,xor}.{tile,im2col}.{1,2,3,4,5}d",
        reduce,
    ),
    effect(
        "tensormap.replace.{global.address:global_address}*",
        "tensormap.replace.tile.$1$C.b1024.b64 [%0], %1",
    ),
    effect(
        "tensormap.replace.{rank,elemtype,interleave.layout:interleave_layout,swizzle.mode:swizzle_mode,\
         fill.mode:fill_mode,swizzle.atomicity:swizzle_atomicity}*",
        "tensormap.replace.tile.$1$C.b1024.b32 [%0], %1",
    ),
    effect(
        "tensormap.replace.{box.dim:box_dim,global.dim:global_dim,element.stride:element_stride}*",
        "tensormap.replace.tile.$1$C.b1024.b32 [%0], %1, %2",
    ),
    effect(
        "tensormap.replace.global.stride*",
        "tensormap.replace.tile.global_stride$C.b1024.b64 [%0], %1, %2",
    ),
];

/// The arguments of a copy, sorted by what they are for: pointers, coordinates, offsets and masks of 16 bits,
/// the cache policy, and the constants that switch things on.
struct Arguments {
    pointers: Vec<Value>,
    coordinates: Vec<Value>,
    halves: Vec<Value>,
    policy: Option<Value>,
    flags: Vec<u64>,
    group: u64,
}

fn arguments(selector: &Selector, inst: InstId) -> Arguments {
    let mut sorted = Arguments {
        pointers: Vec::new(),
        coordinates: Vec::new(),
        halves: Vec::new(),
        policy: None,
        flags: Vec::new(),
        group: 0,
    };
    for value in selector.call_args(inst) {
        match selector.kind(selector.type_of(value)) {
            Type::Ptr(_) => sorted.pointers.push(value),
            Type::Int(16) => sorted.halves.push(value),
            Type::Int(64) => sorted.policy = Some(value),
            Type::Int(1) => sorted.flags.push(selector.integer(value).unwrap_or(0)),
            // What follows the flags is the group of blocks.
            _ if !sorted.flags.is_empty() => sorted.group = selector.integer(value).unwrap_or(0),
            _ => sorted.coordinates.push(value),
        }
    }
    sorted
}

/// `[map, {coordinates}]`
fn place(selector: &mut Selector, map: Value, coordinates: &[Value]) -> Result<Arg, Refused> {
    let map = selector.argument(map)?[0];
    let mut parts = Args::new();
    for &coordinate in coordinates {
        parts.extend(selector.argument(coordinate)?);
    }
    let coordinates = selector.code.vector(&parts);
    Ok(selector.code.group(&[map, coordinates]))
}

fn address(selector: &mut Selector, pointer: Value) -> Result<Arg, Refused> {
    let address = selector.plain_address(pointer)?;
    Ok(selector.address_arg(address, 0))
}

fn copy(selector: &mut Selector, inst: InstId, _: &str, captures: &[&str]) -> Result<(), Refused> {
    let &[way, mode, dimensions] = captures else {
        return Err(selector.unsupported(inst));
    };
    let mut given = arguments(selector, inst);
    let multicast = way == "g2s" && given.flags.first() == Some(&1);
    let hint = given.flags.last() == Some(&1);
    let mask = if way == "g2s" {
        given.halves.pop()
    } else {
        None
    };
    let mode = match (way, mode) {
        ("s2g", "im2col") => "im2col_no_offs",
        _ => mode,
    };
    let mut operands = Args::new();
    let mut mnemonic = match way {
        "prefetch" => format!("cp.async.bulk.prefetch.tensor.{dimensions}d.L2.global.{mode}"),
        "s2g" => format!("cp.async.bulk.tensor.{dimensions}d.global.shared::cta.{mode}.bulk_group"),
        _ => {
            let space = if way == "g2s" { "cluster" } else { "cta" };
            format!(
                "cp.async.bulk.tensor.{dimensions}d.shared::{space}.global.{mode}.mbarrier::complete_tx::bytes"
            )
        }
    };
    match (way, &given.pointers[..]) {
        ("prefetch", &[map]) => operands.push(place(selector, map, &given.coordinates)?),
        ("s2g", &[from, map]) => {
            operands.push(place(selector, map, &given.coordinates)?);
            operands.push(address(selector, from)?);
        }
        (_, &[to, barrier, map]) => {
            operands.push(address(selector, to)?);
            operands.push(place(selector, map, &given.coordinates)?);
            operands.push(address(selector, barrier)?);
        }
        _ => return Err(selector.unsupported(inst)),
    }
    if !given.halves.is_empty() {
        let mut offsets = Args::new();
        for &offset in &given.halves {
            offsets.extend(selector.argument(offset)?);
        }
        operands.push(selector.code.vector(&offsets));
    }
    if multicast && let Some(mask) = mask {
        mnemonic += ".multicast::cluster";
        operands.extend(selector.argument(mask)?);
    }
    if hint && let Some(policy) = given.policy {
        mnemonic += ".L2::cache_hint";
        operands.extend(selector.argument(policy)?);
    }
    if given.group > 0 {
        mnemonic += &format!(".cta_group::{}", given.group);
    }
    selector.emit(&mnemonic, &operands)
}

fn reduce(
    selector: &mut Selector,
    inst: InstId,
    _: &str,
    captures: &[&str],
) -> Result<(), Refused> {
    let given = arguments(selector, inst);
    let (&[op, mode, dimensions], &[from, map]) = (captures, &given.pointers[..]) else {
        return Err(selector.unsupported(inst));
    };
    let mode = if mode == "im2col" {
        "im2col_no_offs"
    } else {
        mode
    };
    let mut mnemonic = format!(
        "cp.reduce.async.bulk.tensor.{dimensions}d.global.shared::cta.{op}.{mode}.bulk_group"
    );
    let mut operands = Args::new();
    operands.push(place(selector, map, &given.coordinates)?);
    operands.push(address(selector, from)?);
    if given.flags.last() == Some(&1)
        && let Some(policy) = given.policy
    {
        mnemonic += ".L2::cache_hint";
        operands.extend(selector.argument(policy)?);
    }
    selector.emit(&mnemonic, &operands)
}
