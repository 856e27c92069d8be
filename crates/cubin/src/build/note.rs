//! The notes: who made the file, and for which version of the toolkit.

use super::{Producer, Program};

const OWNER: &[u8] = b"NVIDIA Corp\0";
/// The type of `.note.nv.tkinfo`.
const TOOL: u32 = 2000;
/// The type of `.note.nv.cuinfo`.
const CUDA: u32 = 1000;

fn note(kind: u32, description: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    out.extend((OWNER.len() as u32).to_le_bytes());
    out.extend((description.len() as u32).to_le_bytes());
    out.extend(kind.to_le_bytes());
    out.extend(OWNER);
    out.extend(description);
    out
}

/// `.note.nv.tkinfo`: a version, a number, places of four texts among the texts, and the texts.
pub fn tool(producer: &Producer) -> Vec<u8> {
    let Producer {
        tool,
        version,
        build,
        options,
    } = producer;
    let mut texts = vec![0];
    let mut places = vec![0];
    for text in [tool, version, build, options] {
        places.push(texts.len() as u32);
        texts.extend(text.bytes());
        texts.push(0);
    }
    let mut description = Vec::new();
    // The format's version, then the places: the first text, the object's name, is empty.
    description.extend(2_u32.to_le_bytes());
    for place in places {
        description.extend(place.to_le_bytes());
    }
    description.extend(texts);
    description.resize(description.len().next_multiple_of(4), 0);
    note(TOOL, &description)
}

/// `.note.nv.cuinfo`: a version, the virtual chip, the toolkit.
pub fn cuda(program: &Program) -> Vec<u8> {
    let mut description = Vec::new();
    description.extend(2_u16.to_le_bytes());
    description.extend(program.target.number().to_le_bytes());
    description.extend(u32::from(program.toolkit).to_le_bytes());
    note(CUDA, &description)
}
