//! Textures and surfaces.
//!
//! The name says geometry, what is sampled and how; coordinates follow the handles. PTX wants vectors of one,
//! two or four coordinates: of three, the last is written twice.

use crate::code::{Arg, Args};
use crate::select::Selector;
use crate::select::intrinsic::row::{Row, effect, effect_by, pure, pure_by};
use crate::unit::Refused;
use warpc_diag::codes;
use warpc_nvvm::value::InstId;

pub(in crate::select::intrinsic) static ROWS: &[Row] = &[
    effect_by(
        "tex{.unified,}.{1d:1,2d:2,3d:3,cube:3}{.array,}{.level,.grad,}.v4{f32,s32,u32}.{f32,s32}",
        texture,
    ),
    effect(
        "tld4.{r,g,b,a}.2d.v4{f32,s32,u32}.f32",
        "tld4.$1.2d.v4.$2.f32 {%d}, [%0, %1, {%2-3}]",
    ),
    effect(
        "tld4.unified.{r,g,b,a}.2d.v4{f32,s32,u32}.f32",
        "tld4.$1.2d.v4.$2.f32 {%d}, [%0, {%1-2}]",
    ),
    effect_by(
        "suld.{1d:1,2d:2,3d:3}{.array,}.{v2,v4,}i{8,16,32,64}.{clamp,trap,zero}",
        surface_load,
    ),
    effect_by(
        "sust.{b,p}.{1d:1,2d:2,3d:3}{.array,}.{v2,v4,}i{8,16,32,64}.{clamp,trap,zero}",
        surface_store,
    ),
    pure_by("texsurf.handle.internal*", handle),
    pure(
        "{txq,suq}.{width,height,depth,channel.data.type:channel_data_type,channel.order:channel_order,\
         array.size:array_size,num.samples:num_samples,num.mipmap.levels:num_mipmap_levels}",
        "$1.$2.b32 %d, [%0]",
    ),
];

/// The handle of a texture or surface that is a variable: its address, which ptxas takes for a handle if the move says
/// `.u64`.
fn handle(selector: &mut Selector, inst: InstId, _: &str, _: &[&str]) -> Result<(), Refused> {
    let args = selector.call_args(inst);
    let variable = args
        .first()
        .map(|&arg| selector.cast_from(arg).unwrap_or(arg));
    let variable = variable.and_then(|variable| variable.constant());
    let Some(variable) = variable.and_then(|constant| selector.module.global_of(constant)) else {
        let message = "the argument of this intrinsic must be a variable";
        return Err(selector.refuse(codes::UNSUPPORTED, message));
    };
    let name = Arg::Name(selector.unit.symbol(variable));
    let result = selector.result(inst)?;
    selector.emit("mov.u64", &[result.into(), name])
}

/// Coordinates as PTX wants them.
fn coordinates(selector: &mut Selector, parts: &[Arg]) -> Arg {
    let mut all: Args = parts.iter().copied().collect();
    if all.len() == 3 {
        all.push(parts[2]);
    }
    selector.code.vector(&all)
}

/// `a2d`, `cube`: the geometry as PTX names it, from the name of the intrinsic.
fn geometry(name: &str, array: &str) -> String {
    let plain = ["1d", "2d", "3d", "cube"]
        .into_iter()
        .find(|geometry| name.split('.').any(|word| word == *geometry))
        .unwrap_or("1d");
    match array {
        "" => plain.to_owned(),
        _ => format!("a{plain}"),
    }
}

/// The parts of all arguments, one after the other.
fn all_parts(selector: &mut Selector, inst: InstId) -> Result<Args, Refused> {
    let mut parts = Args::new();
    for arg in selector.call_args(inst) {
        for part in selector.argument(arg)? {
            parts.push(part);
        }
    }
    Ok(parts)
}

fn texture(
    selector: &mut Selector,
    inst: InstId,
    name: &str,
    captures: &[&str],
) -> Result<(), Refused> {
    let &[unified, count, array, how, element, coordinate] = captures else {
        return Err(selector.unsupported(inst));
    };
    let parts = all_parts(selector, inst)?;
    let handles = if unified.is_empty() { 2 } else { 1 };
    let count: usize = count.parse().unwrap_or(1);
    let used = count + usize::from(!array.is_empty());
    let (place, rest) = parts[handles..].split_at(used);
    let place = coordinates(selector, place);
    let mut inside: Args = parts[..handles].iter().copied().collect();
    inside.push(place);
    let results: Args = selector
        .results(inst)?
        .iter()
        .map(|&reg| reg.into())
        .collect();
    let mut operands = Args::new();
    operands.push(selector.code.vector(&results));
    operands.push(selector.code.group(&inside));
    match how {
        ".level" => operands.extend_from_slice(rest),
        ".grad" => {
            for gradient in rest.chunks(count) {
                operands.push(coordinates(selector, gradient));
            }
        }
        _ => {}
    }
    let geometry = geometry(name, array);
    let mnemonic = format!("tex{how}.{geometry}.v4.{element}.{coordinate}");
    selector.emit(&mnemonic, &operands)
}

fn surface_load(
    selector: &mut Selector,
    inst: InstId,
    name: &str,
    captures: &[&str],
) -> Result<(), Refused> {
    let &[_, array, vector, bits, mode] = captures else {
        return Err(selector.unsupported(inst));
    };
    let parts = all_parts(selector, inst)?;
    let place = coordinates(selector, &parts[1..]);
    let place = selector.code.group(&[parts[0], place]);
    let (results, narrow) = selector.wanted(inst)?;
    let results: Args = results.iter().map(|&reg| reg.into()).collect();
    let results = selector.code.vector(&results);
    let vector = vector_modifier(vector);
    let geometry = geometry(name, array);
    let mnemonic = format!("suld.b.{geometry}{vector}.b{bits}.{mode}");
    selector.emit(&mnemonic, &[results, place])?;
    selector.widen(&narrow)
}

fn surface_store(
    selector: &mut Selector,
    inst: InstId,
    name: &str,
    captures: &[&str],
) -> Result<(), Refused> {
    let &[kind, count, array, vector, bits, mode] = captures else {
        return Err(selector.unsupported(inst));
    };
    let parts = all_parts(selector, inst)?;
    let count: usize = count.parse().unwrap_or(1);
    let used = 1 + count + usize::from(!array.is_empty());
    let place = coordinates(selector, &parts[1..used]);
    let place = selector.code.group(&[parts[0], place]);
    let values = selector.code.vector(&parts[used..]);
    let vector = vector_modifier(vector);
    let geometry = geometry(name, array);
    let mnemonic = format!("sust.{kind}.{geometry}{vector}.b{bits}.{mode}");
    selector.emit(&mnemonic, &[place, values])
}

/// `.v2` of `v2`.
fn vector_modifier(vector: &str) -> String {
    match vector {
        "" => String::new(),
        vector => format!(".{vector}"),
    }
}
