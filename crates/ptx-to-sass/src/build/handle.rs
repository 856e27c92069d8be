//! Textures, samplers and surfaces that the host binds by name.
//!
//! They have no bytes. A kernel finds their handles in bank 0 after its parameters, four bytes each: textures and samplers
//! in the order in which its code names them, then surfaces. As a number of 64 bits a handle has a bit in its upper half
//! that says what it is. Source: ptxas 13.4 on sm_90.

use rustc_hash::FxHashMap;
use warpc_cubin::build::{Opaque, OpaqueKind};
use warpc_ptx::Module;
use warpc_ptx::inst::Operand;
use warpc_ptx::module::{FieldValue, Function, InitItem, Variable};
use warpc_ptx::symbol::Symbol;
use warpc_ptx::types::ScalarType;

/// Bytes of a handle in bank 0.
const BYTES: u32 = 4;

/// What a variable or parameter of a type is, if it has no bytes.
pub(crate) fn kind(ty: ScalarType) -> Option<OpaqueKind> {
    match ty {
        ScalarType::TexRef => Some(OpaqueKind::Texture),
        ScalarType::SamplerRef => Some(OpaqueKind::Sampler),
        ScalarType::SurfRef => Some(OpaqueKind::Surface),
        _ => None,
    }
}

/// The upper half of a handle as a number of 64 bits.
pub(crate) fn mark(kind: OpaqueKind) -> u32 {
    match kind {
        OpaqueKind::Texture => 0x2000_0000,
        OpaqueKind::Sampler => 0x4000_0000,
        OpaqueKind::Surface => 0x8000_0000,
    }
}

/// What the cubin says of such a variable.
pub(crate) fn described(module: &Module, variable: &Variable, kind: OpaqueKind) -> Opaque {
    let mut opaque = Opaque {
        name: module.name(variable.name).to_owned(),
        kind,
        modes: [0xff; 4],
        unnormalized: false,
    };
    let extra = variable.extra.as_ref();
    let init = extra.and_then(|extra| extra.init.as_ref());
    for item in init.iter().flat_map(|init| &init.items) {
        let InitItem::Field(field) = item else {
            continue;
        };
        let words = match field.name.as_str() {
            "filter_mode" => &["nearest", "linear"][..],
            _ => &ADDRESS_MODES,
        };
        let value = match &field.value {
            FieldValue::Int(int) => int.bits as u8,
            FieldValue::Word(word) => {
                let number = words.iter().position(|one| one == word);
                number.map_or(0xff, |number| number as u8)
            }
        };
        match field.name.as_str() {
            "addr_mode_0" => opaque.modes[0] = value,
            "addr_mode_1" => opaque.modes[1] = value,
            "addr_mode_2" => opaque.modes[2] = value,
            "filter_mode" => opaque.modes[3] = value,
            "force_unnormalized_coords" => opaque.unnormalized = value != 0,
            // The size and the format are those of what is bound.
            _ => {}
        }
    }
    opaque
}

/// The ways to address outside of a texture, by number.
const ADDRESS_MODES: [&str; 5] = [
    "wrap",
    "mirror",
    "clamp_ogl",
    "clamp_to_edge",
    "clamp_to_border",
];

/// The handles that a kernel uses.
#[derive(Debug, Default)]
pub(crate) struct Handles {
    places: FxHashMap<Symbol, (OpaqueKind, u32)>,
    /// Their names, in order.
    pub names: Vec<Symbol>,
    /// The same in the order in which code names them.
    pub used: Vec<Symbol>,
}

impl Handles {
    /// Those that bodies name; the first one is at `begin` in bank 0.
    pub fn of(opaque: &[(Symbol, OpaqueKind)], bodies: &[&Function], begin: u32) -> Handles {
        let mut all = Handles::default();
        if opaque.is_empty() {
            return all;
        }
        let operands = bodies.iter().filter_map(|one| one.body.as_ref());
        let operands = operands.flat_map(|body| &body.operands);
        let mut named: Vec<(Symbol, OpaqueKind)> = Vec::new();
        for operand in operands {
            let Operand::Name { symbol, .. } = operand else {
                continue;
            };
            let is_known = named.iter().any(|one| one.0 == *symbol);
            named.extend(opaque.iter().find(|one| one.0 == *symbol && !is_known));
        }
        all.used = named.iter().map(|one| one.0).collect();
        named.sort_by_key(|one| one.1 == OpaqueKind::Surface);
        for ((symbol, kind), at) in named.into_iter().zip((begin..).step_by(BYTES as usize)) {
            all.places.insert(symbol, (kind, at));
            all.names.push(symbol);
        }
        all
    }

    /// What a variable is, and where its handle is in bank 0.
    pub fn place(&self, symbol: Symbol) -> Option<(OpaqueKind, u32)> {
        self.places.get(&symbol).copied()
    }
}
