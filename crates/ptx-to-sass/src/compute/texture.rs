//! Textures by handle: `tex`, `tld4`, `txq`, `istypep`.
//!
//! ```text
//!   .L:  R2UR P0, UR4, %a      the handle of one thread; P0 for threads with another one
//!        UMOV UR5, URZ
//!        @!P0 TEX.LL R6, R4, coordinates, what else, UR4, 0x0, 2D     z and w, x and y
//!        @P0 BRA .L
//! ```
//!
//! | PTX | becomes |
//! |---|---|
//! | coordinates of type `.f32` | `TEX.LL` with the level; where none is said, with -32, that is, the most detailed one |
//! | of type `.s32` | `TLD.LZ`, with a level `TLD.LL.CL`; samples are `.MS` |
//! | `.grad` | `TXD`: the derivatives of each coordinate by x and y, and the array's index after the coordinates, with offsets above it |
//! | `.1d` with `.f32` | 2D with 0, where samplers are apart 1D |
//! | `.s32` without a level, where samplers are apart | converted, and `TEX.LL` |
//! | `.a1d` … | the index comes first, at most 0xffff |
//! | `.cube` | coordinates over the largest of them |
//! | an offset | `.AOFFI`: four bits for each coordinate, of `tld4` eight |
//! | a value to compare with | `.DC` |
//! | whether it is in memory | the opposite of what the instruction says |
//!
//! A sampler that is apart from the texture is the second register of the pair. Gradients of 3D and cube maps, and those that
//! compare, are functions of the system (`build/gradient.rs`); queries other than of sizes read a table of the driver.
//!
//! Source: what ptxas 13.4 emits for each form. In unified mode it accepts a sampler, too, and then reads coordinates out of
//! its register: here it is the sampler.

use crate::build::handle::mark;
use crate::code::{Code, element, ptx};
use crate::driver_table::Table;
use crate::source::Source;
use crate::wired::{Condition, File, Operand};
use warpc_cubin::build::OpaqueKind;

/// The level that stands for the most detailed one: -32.
const NO_LEVEL: &str = "MOV R0, 0xc2000000";

/// The steps of an instruction on textures; nothing if it is not supported.
pub(super) fn emit(source: &Source, code: &mut Code) -> Option<()> {
    match source.opcode() {
        "tex" if source.has_word("grad") => gradient(source, code),
        "tex" => sample(source, code),
        "tld4" => gather(source, code),
        "txq" => query(source, code),
        "istypep" => is_of_type(source, code),
        _ => None,
    }
}

/// Repeats steps for each handle: they get it as a pair of uniform registers, and which threads have it. A sampler that is
/// apart from the texture is the second of the pair.
pub(super) fn each_handle(
    source: &Source,
    code: &mut Code,
    steps: impl FnOnce(&mut Code, Operand, Condition),
) {
    let again = code.label_here();
    let pair = Operand::from(code.temporary(File::Uniform, 2));
    let mut others = code.flag();
    let operands = [others, pair.register(0), ptx("a").register(0)];
    code.step("R2UR P0, UR0, R0", &operands);
    let has_sampler = matches!(source.opcode(), "tex" | "tld4") && source.operand("b").is_some();
    if has_sampler {
        let (samplers, both) = (code.flag(), code.flag());
        let operands = [samplers, pair.register(1), ptx("b").register(0)];
        code.step("R2UR P0, UR0, R0", &operands);
        let operands = [both, others, samplers];
        code.step("PLOP3.LUT P0, PT, P0, P0, PT, 0xa8, 0x0", &operands);
        others = both;
    } else {
        code.step("UMOV UR0, URZ", &[pair.register(1)]);
    }
    steps(code, pair, (others, true));
    code.branch(Some((others, false)), again);
}

/// A geometry.
struct Geometry {
    /// What the instruction calls it.
    name: &'static str,
    /// How many coordinates PTX has, without the index.
    count: u8,
    /// Whether an index comes first.
    array: bool,
}

fn geometry(source: &Source) -> Option<Geometry> {
    let of = |name, count, array| Geometry { name, count, array };
    Some(match source.choice().token("geom")? {
        ".1d" => of("1D", 1, false),
        ".2d" => of("2D", 2, false),
        ".3d" => of("3D", 3, false),
        ".cube" => of("CUBE", 3, false),
        ".a1d" => of("ARRAY_1D", 1, true),
        ".a2d" => of("ARRAY_2D", 2, true),
        ".acube" => of("ARRAY_CUBE", 3, true),
        _ => return None,
    })
}

/// Registers one after the other.
fn tuple(code: &mut Code, values: &[Operand]) -> Operand {
    let whole = Operand::from(code.registers(values.len() as u8));
    for (number, value) in (0..).zip(values) {
        match values {
            [_] => code.copy(whole, *value),
            _ => code.copy(whole.register(number), *value),
        }
    }
    whole
}

/// The index of an array: the machine has 16 bits for it.
fn index(code: &mut Code, from: u8) -> Operand {
    let index = code.word();
    let operands = [index, element("c", from)];
    code.step("VIMNMX.U32 R0, R0, 0xffff, PT", &operands);
    index
}

/// The coordinates of a geometry in the order of PTX; the first of them is an element of the vector.
fn coordinates(code: &mut Code, geometry: &Geometry, first: u8) -> Vec<Operand> {
    let given = (first..).take(geometry.count.into());
    let given: Vec<Operand> = given.map(|number| element("c", number)).collect();
    if !geometry.name.ends_with("CUBE") {
        return given;
    }
    // The direction with its largest part 1.
    let (two, largest, factor) = (code.word(), code.word(), code.word());
    let operands = [two, given[0], given[1]];
    code.step("FMNMX R0, |R0|, |R0|, !PT", &operands);
    code.step("FMNMX R0, |R0|, R0, !PT", &[largest, given[2], two]);
    code.step("MUFU.RCP R0, R0", &[factor, largest]);
    let each = given.into_iter().map(|one| {
        let part = code.word();
        code.step("FMUL R0, R0, R0", &[part, one, factor]);
        part
    });
    each.collect()
}

/// The coordinates as one operand of `TEX`, `TLD` and `TLD4`.
fn placed(code: &mut Code, geometry: &Geometry) -> Operand {
    let mut all = Vec::new();
    if geometry.array {
        all.push(index(code, 0));
    }
    all.extend(coordinates(code, geometry, geometry.array.into()));
    tuple(code, &all)
}

/// The same of coordinates that are integers.
fn converted(code: &mut Code, geometry: &Geometry) -> Operand {
    let mut all = Vec::new();
    if geometry.array {
        all.push(index(code, 0));
    }
    for one in coordinates(code, geometry, geometry.array.into()) {
        let number = code.word();
        code.step("I2FP.F32.S32 R0, R0", &[number, one]);
        all.push(number);
    }
    tuple(code, &all)
}

/// Offsets packed into one register, so many bits each.
fn offsets(code: &mut Code, geometry: &Geometry, bits: u32, mask: u32) -> Operand {
    let mut all = element("e", 0);
    for number in 1..geometry.count {
        let (moved, sum) = (code.word(), code.word());
        let by = bits * u32::from(number);
        let text = format!("SHF.L.U32 R0, R0, {by:#x}, RZ");
        code.step(text, &[moved, element("e", number)]);
        let text = format!("LOP3.LUT R0, R0, {:#x}, R0, 0xe2, !PT", mask << by);
        code.step(text, &[sum, moved, all]);
        all = sum;
    }
    all
}

/// What an instruction takes besides its coordinates, and its modifiers for that.
#[derive(Default)]
struct More {
    values: Vec<Operand>,
    words: String,
}

impl More {
    /// The offset and the value to compare with, where they are given.
    fn add(&mut self, source: &Source, code: &mut Code, geometry: &Geometry, bits: u32, mask: u32) {
        if source.operand("e").is_some() {
            self.values.push(offsets(code, geometry, bits, mask));
            self.words.push_str(".AOFFI");
        }
        if source.operand("f").is_some() {
            self.values.push(ptx("f"));
            self.words.push_str(".DC");
        }
    }
}

/// The instruction for each handle, and its results.
fn fetch(
    source: &Source,
    code: &mut Code,
    opcode: &str,
    coordinates: Operand,
    more: &[Operand],
    shape: &str,
) -> Option<()> {
    let more = match more {
        [] => None,
        values => Some(tuple(code, values)),
    };
    let (low, high) = (code.double(), code.double());
    let absent = source.operand("p").map(|_| code.flag());
    each_handle(source, code, |code, handle, own| {
        let (place, flag) = match absent {
            Some(flag) => ("P0, ", Some(flag)),
            None => ("", None),
        };
        let rest = if more.is_some() { "R0, " } else { "" };
        let text = format!("{opcode} {place}R0, R0, R0, {rest}UR0, 0x0, {shape}");
        let mut operands: Vec<Operand> = flag.into_iter().collect();
        operands.extend([high, low, coordinates]);
        operands.extend(more);
        operands.push(handle);
        code.guarded(Some(own), text, &operands);
    });
    if let Some(absent) = absent {
        let text = "PLOP3.LUT P0, PT, !P0, PT, PT, 0x80, 0x0";
        code.step(text, &[ptx("p"), absent]);
    }
    let texel = |number: u8| match number {
        0 | 1 => low.register(number),
        _ => high.register(number - 2),
    };
    match source.choice().token("dtype")? {
        ".f16x2" => {
            for half in [0, 1] {
                let operands = [element("d", half), texel(2 * half + 1), texel(2 * half)];
                code.step("F2FP.F16.F32.PACK_AB R0, R0, R0", &operands);
            }
        }
        ".f16" => {
            for number in 0..4 {
                let operands = [element("d", number), texel(number)];
                code.step("F2FP.F16.F32.PACK_AB R0, RZ, R0", &operands);
            }
        }
        _ => (0..4).for_each(|number| code.copy(element("d", number), texel(number))),
    }
    Some(())
}

/// `tex` without gradients.
fn sample(source: &Source, code: &mut Code) -> Option<()> {
    let is_float = source.choice().token("ctype")? == ".f32";
    if let Some(array) = match source.choice().token("geom")? {
        ".2dms" => Some(false),
        ".a2dms" => Some(true),
        _ => None,
    } {
        return samples(source, code, array);
    }
    let geometry = geometry(source)?;
    let mut more = More::default();
    // A sampler of its own filters texels by number, too.
    let filters =
        source.is_independent() && source.operand("lod").is_none() && geometry.name != "1D";
    if is_float || filters {
        let is_flat = geometry.name == "1D" && !source.is_independent();
        let coordinates = match (is_flat, is_float) {
            (true, _) => {
                let zero = code.word();
                code.step("MOV R0, RZ", &[zero]);
                tuple(code, &[element("c", 0), zero])
            }
            (false, true) => placed(code, &geometry),
            (false, false) => converted(code, &geometry),
        };
        let shape = if is_flat { "2D" } else { geometry.name };
        let level = match source.operand("lod") {
            Some(_) => ptx("lod"),
            None => {
                let level = code.word();
                code.step(NO_LEVEL, &[level]);
                level
            }
        };
        more.values.push(level);
        more.add(source, code, &geometry, 4, 0xf);
        let opcode = format!("TEX.LL{}", more.words);
        return fetch(source, code, &opcode, coordinates, &more.values, shape);
    }
    let mut opcode = "TLD.LZ".to_owned();
    if source.operand("lod").is_some() {
        more.values.push(ptx("lod"));
        opcode = "TLD.LL".to_owned();
    }
    // No texel is compared.
    if source.operand("f").is_some() {
        return None;
    }
    more.add(source, code, &geometry, 4, 0xf);
    opcode.push_str(&more.words);
    if source.operand("lod").is_some() {
        opcode.push_str(".CL");
    }
    let coordinates = placed(code, &geometry);
    fetch(
        source,
        code,
        &opcode,
        coordinates,
        &more.values,
        geometry.name,
    )
}

/// A texture with several samples for each texel: which one comes first, then the index.
fn samples(source: &Source, code: &mut Code, array: bool) -> Option<()> {
    if source.operand("f").is_some() {
        return None;
    }
    let mut more = More::default();
    let flat = Geometry {
        name: "2D",
        count: 2,
        array,
    };
    more.add(source, code, &flat, 4, 0xf);
    more.values.push(element("c", 0));
    let mut all = Vec::new();
    if array {
        all.push(index(code, 1));
    }
    let first = 1 + u8::from(array);
    all.extend([element("c", first), element("c", first + 1)]);
    let coordinates = tuple(code, &all);
    let shape = if array { "ARRAY_2D" } else { "2D" };
    let opcode = format!("TLD.LZ{}.MS", more.words);
    fetch(source, code, &opcode, coordinates, &more.values, shape)
}

/// `tex.grad`.
fn gradient(source: &Source, code: &mut Code) -> Option<()> {
    let geometry = geometry(source)?;
    if is_gradient_of_system(source) {
        return None;
    }
    let zero = code.word();
    code.step("MOV R0, RZ", &[zero]);
    let first = u8::from(geometry.array);
    let mut all = coordinates(code, &geometry, first);
    let mut derivatives = Vec::new();
    for number in 0..geometry.count {
        derivatives.extend([element("dPdx", number), element("dPdy", number)]);
    }
    let mut shape = geometry.name;
    if shape == "1D" && !source.is_independent() {
        shape = "2D";
        all.push(zero);
        derivatives.extend([zero, zero]);
    }
    let index = geometry.array.then(|| index(code, 0));
    let mut opcode = "TXD";
    if source.operand("e").is_some() {
        // The offsets are in the upper half of the index.
        let (packed, moved, both) = (offsets(code, &geometry, 4, 0xf), code.word(), code.word());
        code.step("SHF.L.U32 R0, R0, 0x10, RZ", &[moved, packed]);
        let operands = [both, moved, index.unwrap_or(zero)];
        code.step("LOP3.LUT R0, R0, 0xfff0000, R0, 0xe2, !PT", &operands);
        all.push(both);
        opcode = "TXD.AOFFI";
    } else {
        all.extend(index);
    }
    let coordinates = tuple(code, &all);
    fetch(source, code, opcode, coordinates, &derivatives, shape)
}

/// Whether a gradient is a function of the system: with three coordinates, or a value to compare with.
pub(crate) fn is_gradient_of_system(source: &Source) -> bool {
    let is_gradient = source.opcode() == "tex" && source.has_word("grad");
    let large = geometry(source).is_none_or(|geometry| geometry.count > 2);
    is_gradient && (large || source.operand("f").is_some())
}

/// A query of a word that the driver has in a table.
fn read_table(source: &Source, code: &mut Code, asked: &str) -> Option<()> {
    let (table, at) = Table::of_query(source.opcode(), asked, source.is_independent())?;
    let size = code.size(table);
    let (offset, base, place) = (code.double(), code.double(), code.double());
    let text = format!("IMAD R0, R0, R0, {at:#x}");
    match at {
        0 => code.step(
            "IMAD R0, R0, R0, RZ",
            &[offset.register(0), ptx("a").register(0), size],
        ),
        _ => code.step(text, &[offset.register(0), ptx("a").register(0), size]),
    }
    code.step("MOV R0, RZ", &[offset.register(1)]);
    let text = format!("LDC.64 R0, c[0x0][{:#x}]", table.address_at());
    code.step(text, &[base]);
    code.add_64(place, offset, base);
    let operands = [ptx("d"), Operand::Descriptor, place];
    code.step("LDG.E.CONSTANT R0, desc[UR0][R0.64]", &operands);
    Some(())
}

/// `istypep`: a bit in the upper half of the handle.
fn is_of_type(source: &Source, code: &mut Code) -> Option<()> {
    let kinds = [
        ("texref", OpaqueKind::Texture),
        ("samplerref", OpaqueKind::Sampler),
        ("surfref", OpaqueKind::Surface),
    ];
    let (_, kind) = kinds.into_iter().find(|one| source.has_word(one.0))?;
    let bit = code.word();
    let text = format!("LOP3.LUT R0, R0, {:#x}, RZ, 0xc0, !PT", mark(kind));
    code.step(text, &[bit, ptx("a").register(1)]);
    code.step("ISETP.NE.AND P0, PT, R0, RZ, PT", &[ptx("p"), bit]);
    Some(())
}

/// `tld4`.
fn gather(source: &Source, code: &mut Code) -> Option<()> {
    let geometry = geometry(source)?;
    let component = match source.choice().token("comp")? {
        ".r" => "R",
        ".g" => "G",
        ".b" => "B",
        _ => "A",
    };
    let coordinates = placed(code, &geometry);
    let mut more = More::default();
    more.add(source, code, &geometry, 8, 0x3f);
    let opcode = format!("TLD4.{component}{}", more.words);
    fetch(
        source,
        code,
        &opcode,
        coordinates,
        &more.values,
        geometry.name,
    )
}

/// `txq` and `suq` of what the header of a texture says: its size at a level.
pub(super) fn query(source: &Source, code: &mut Code) -> Option<()> {
    let asked = ["tquery", "tlquery", "squery", "query"];
    let asked = asked.iter().find_map(|slot| source.choice().token(slot))?;
    let mask = match asked {
        ".width" => "0x1",
        ".height" => "0x2",
        ".depth" => "0x4",
        _ => return read_table(source, code, asked),
    };
    let level = code.word();
    match source.operand("lod") {
        Some(_) => code.copy(level, ptx("lod")),
        None => code.step("MOV R0, RZ", &[level]),
    }
    // The one word that is asked for is the first result; the instruction could give two there.
    let size = code.double();
    each_handle(source, code, |code, handle, own| {
        let text = format!("TXQ RZ, R0, R0, TEX_HEADER_DIMENSION, UR0, 0x0, {mask}");
        code.guarded(Some(own), text, &[size, level, handle]);
    });
    code.copy(ptx("d"), size.register(0));
    Some(())
}
