//! Textures.
//!
//! The geometry says how many coordinates, offsets and gradients there are ([`check_texture`]);
//! ptxas takes vectors that are longer than that. Arrays of textures have their index before the
//! coordinates, so that the vector is plain bits. In modules of `texmode_independent` a sampler
//! stands beside the texture; in others it may be left out, and the texture itself will do for one.

use super::gates::{ALWAYS, v};
use crate::inst::{Choice, Operand};
use crate::row::{Effects, Row, Set, form, set};
use crate::rule::{RuleView, Violation};
use crate::types::ScalarType;
use warpc_target::{Gate, at_least};

/// PTX 7.1: the predicate that says whether the texture is in memory.
const RESIDENT: Gate = Gate(&[at_least(60, v(7, 1))]);

const BASE: Set = set("base", &[(".base", ALWAYS)]);
const GEOM: Set = set("geom", &[(".1d .2d .3d .cube .2dms .a2dms", ALWAYS)]);
const ARRAY_GEOM: Set = set("geom", &[(".a1d .a2d .acube", ALWAYS)]);
const VEC: Set = set("vec", &[(".v4 .v2", ALWAYS)]);
const DTYPE: Set = set("dtype", &[(".u32 .s32 .f16 .f32 .f16x2", ALWAYS)]);
const CTYPE: Set = set("ctype", &[(".s32 .f32", ALWAYS)]);
const COMP: Set = set("comp", &[(".r .g .b .a", ALWAYS)]);
const GATHER_GEOM: Set = set("geom", &[(".2d .cube", ALWAYS)]);
const GATHER_ARRAY: Set = set("geom", &[(".a2d .acube", ALWAYS)]);
const GATHER_TYPE: Set = set("dtype", &[(".u32 .s32 .f32", ALWAYS)]);
const TQUERY: Set = set(
    "tquery",
    &[(
        ".width .height .depth .channel_data_type .channel_order .normalized_coords .array_size \
         .num_mipmap_levels .num_samples",
        ALWAYS,
    )],
);
const TLQUERY: Set = set("tlquery", &[(".width .height .depth", ALWAYS)]);
const SQUERY: Set = set(
    "squery",
    &[(
        ".force_unnormalized_coords .filter_mode .addr_mode_0 .addr_mode_1 .addr_mode_2",
        ALWAYS,
    )],
);
const OPAQUE: Set = set("type", &[(".texref .samplerref .surfref", ALWAYS)]);

/// The section's forms.
pub static ROWS: &[Row] = &[
    form(
        "tex.geom.vec.dtype.ctype  d{|p}, [a{, b}, c]{, e}{, f}",
        &[GEOM, VEC, DTYPE, CTYPE],
    )
    .operands("d=_dtype*vec p=pred a:tex b:sampler c:ctype*+ e:s32*? f:f32")
    .only(types_fit)
    .rule(check_texture)
    .effects(Effects::READ),
    form(
        "tex.geom.vec.dtype.ctype  d{|p}, [a{, b}, c]{, e}{, f}",
        &[ARRAY_GEOM, VEC, DTYPE, CTYPE],
    )
    .operands("d=_dtype*vec p=pred a:tex b:sampler c:'b32*? e:s32*? f:f32")
    .only(types_fit)
    .rule(check_texture)
    .effects(Effects::READ),
    // Mipmaps.
    form(
        "tex.base.geom.vec.dtype.ctype  d{|p}, [a{, b}, c]{, e}{, f}",
        &[BASE, GEOM, VEC, DTYPE, CTYPE],
    )
    .words(1)
    .operands("d=_dtype*vec p=pred a:tex b:sampler c:ctype*+ e:s32*? f:f32")
    .only(types_fit)
    .rule(check_texture)
    .effects(Effects::READ),
    form(
        "tex.base.geom.vec.dtype.ctype  d{|p}, [a{, b}, c]{, e}{, f}",
        &[BASE, ARRAY_GEOM, VEC, DTYPE, CTYPE],
    )
    .words(1)
    .operands("d=_dtype*vec p=pred a:tex b:sampler c:'b32*? e:s32*? f:f32")
    .only(types_fit)
    .rule(check_texture)
    .effects(Effects::READ),
    form(
        "tex.level.geom.vec.dtype.ctype  d{|p}, [a{, b}, c], lod{, e}{, f}",
        &[GEOM, VEC, DTYPE, CTYPE],
    )
    .words(1)
    .operands("d=_dtype*vec p=pred a:tex b:sampler c:ctype*+ lod:ctype e:s32*? f:f32")
    .only(types_fit)
    .rule(check_texture)
    .effects(Effects::READ),
    form(
        "tex.level.geom.vec.dtype.ctype  d{|p}, [a{, b}, c], lod{, e}{, f}",
        &[ARRAY_GEOM, VEC, DTYPE, CTYPE],
    )
    .words(1)
    .operands("d=_dtype*vec p=pred a:tex b:sampler c:'b32*? lod:ctype e:s32*? f:f32")
    .only(types_fit)
    .rule(check_texture)
    .effects(Effects::READ),
    form(
        "tex.grad.geom.vec.dtype.ctype  d{|p}, [a{, b}, c], dPdx, dPdy{, e}{, f}",
        &[GEOM, VEC, DTYPE, CTYPE],
    )
    .words(1)
    .operands("d=_dtype*vec p=pred a:tex b:sampler c:ctype*+ dPdx:f32*? dPdy:f32*? e:s32*? f:f32")
    .only(types_fit)
    .rule(check_texture)
    .effects(Effects::READ),
    form(
        "tex.grad.geom.vec.dtype.ctype  d{|p}, [a{, b}, c], dPdx, dPdy{, e}{, f}",
        &[ARRAY_GEOM, VEC, DTYPE, CTYPE],
    )
    .words(1)
    .operands("d=_dtype*vec p=pred a:tex b:sampler c:'b32*? dPdx:f32*? dPdy:f32*? e:s32*? f:f32")
    .only(types_fit)
    .rule(check_texture)
    .effects(Effects::READ),
    form(
        "tld4.comp.geom.v4.dtype.f32  d{|p}, [a{, b}, c]{, e}{, f}",
        &[COMP, GATHER_GEOM, GATHER_TYPE],
    )
    .operands("d=_dtype*4 p=pred a:tex b:sampler c:f32*+ e:s32*? f:f32")
    .rule(check_texture)
    .effects(Effects::READ),
    form(
        "tld4.comp.geom.v4.dtype.f32  d{|p}, [a{, b}, c]{, e}{, f}",
        &[COMP, GATHER_ARRAY, GATHER_TYPE],
    )
    .operands("d=_dtype*4 p=pred a:tex b:sampler c:'b32*? e:s32*? f:f32")
    .rule(check_texture)
    .effects(Effects::READ),
    form("txq.tquery.b32  d, [a]", &[TQUERY]).operands("d=b32 a:tex"),
    form("txq.level.tlquery.b32  d, [a], lod", &[TLQUERY])
        .words(1)
        .operands("d=b32 a:tex lod:u32"),
    form("txq.squery.b32  d, [a]", &[SQUERY])
        .operands("d=b32 a:sampler")
        .rule(check_sampler_query),
    form("istypep.type  p, a", &[OPAQUE]).operands("p=pred a:u64"),
];

/// Which types go together, and with which geometry.
fn types_fit(choice: &Choice) -> Result<(), &'static str> {
    if (choice.token("dtype") == Some(".f16x2")) != (choice.token("vec") == Some(".v2")) {
        return Err("the result is .v2.f16x2, or .v4 of another type");
    }
    let float = choice.token("ctype") == Some(".f32");
    match choice.token("geom") {
        Some(".cube" | ".acube") if !float => Err("cube maps have .f32 coordinates"),
        Some(".2dms" | ".a2dms") if float => Err("multi-sample textures have .s32 coordinates"),
        Some(".2dms" | ".a2dms") if choice.token("level").or(choice.token("grad")).is_some() => {
            Err("multi-sample textures have no mipmaps")
        }
        _ => Ok(()),
    }
}

/// What a geometry wants: least number of coordinates, of offsets (none if zero), and number of
/// gradients.
fn wanted(geom: &str) -> (usize, usize, usize) {
    match geom {
        ".1d" => (1, 1, 1),
        ".2d" => (2, 2, 2),
        ".3d" => (4, 4, 4),
        ".a1d" => (2, 1, 1),
        ".cube" | ".acube" => (4, 0, 4),
        // .a2d .2dms .a2dms
        _ => (4, 2, 2),
    }
}

fn check_texture(view: &RuleView<'_>) -> Result<(), Violation> {
    let geom = view.token("geom").unwrap_or(".2d");
    let (coordinates, offsets, gradients) = wanted(geom);
    if view.operand("d") == Some(&Operand::Sink) {
        return Err(Violation::operand("d", "the result cannot be left out"));
    }
    if view.operand("p").is_some() {
        view.needs(RESIDENT, "p", "a second destination")?;
    }
    if view.independent && view.operand("b").is_none() {
        return Err(
            Violation::operand("a", "`texmode_independent` wants a sampler")
                .help("write it between the texture and the coordinates"),
        );
    }
    // A second handle makes no sense where textures have their samplers with them, and ptxas
    // takes it in the simple cases only.
    if !view.independent && view.operand("b").is_some() && !matches!(geom, ".1d" | ".2d" | ".3d") {
        return Err(Violation::operand(
            "b",
            "textures have their samplers with them in this module",
        )
        .help("leave the sampler out, or write `.target …, texmode_independent`"));
    }
    if let Some(Operand::Vector(range)) = view.operand("c") {
        at_least_elements("c", usize::from(range.len), coordinates, geom)?;
    }
    // Which element ptxas wants to be an integer, whatever the others are.
    let index = match geom {
        ".a1d" | ".a2d" | ".acube" => Some(0),
        ".a2dms" => Some(1),
        _ => None,
    };
    if index.and_then(|i| view.element("c", i)) == Some(ScalarType::F32) {
        return Err(Violation::operand(
            "c",
            "the index of the texture is an integer, its register a .f32 one",
        ));
    }
    if view.operand("e").is_some() {
        if offsets == 0 {
            return Err(Violation::operand("e", format!("{geom} has no offsets")));
        }
        at_least_elements("e", view.vector_len("e"), offsets, geom)?;
    }
    for name in ["dPdx", "dPdy"] {
        let given = view.vector_len(name);
        if view.operand(name).is_some() && given != gradients {
            return Err(Violation::operand(
                name,
                format!("{given} gradients were given, {geom} wants {gradients}"),
            ));
        }
    }
    let compares = view.token("ctype") != Some(".s32") && geom != ".3d";
    if view.operand("f").is_some() && !compares {
        return Err(Violation::operand(
            "f",
            "depths are compared at .f32 coordinates of one, two or cube dimensions",
        ));
    }
    Ok(())
}

/// Vectors are of one, two or four elements; too many do no harm.
pub(super) fn at_least_elements(
    name: &'static str,
    given: usize,
    least: usize,
    geom: &str,
) -> Result<(), Violation> {
    if given >= least && matches!(given, 1 | 2 | 4) {
        return Ok(());
    }
    Err(Violation::operand(
        name,
        format!("{given} elements were given, {geom} wants {least}"),
    ))
}

fn check_sampler_query(view: &RuleView<'_>) -> Result<(), Violation> {
    // Only a sampler of its own, or a handle that may be one, has this attribute.
    let variable = matches!(view.operand("a"), Some(Operand::Address { items, .. })
        if matches!(view.body.operands(*items), [Operand::Name { symbol, .. }] if (view.register)(*symbol).is_none()));
    if variable && !view.independent && view.token("squery") == Some(".force_unnormalized_coords") {
        return Err(
            Violation::operand("a", "textures do not have this attribute of samplers")
                .help("write `.target …, texmode_independent` and query the sampler"),
        );
    }
    Ok(())
}
