//! Fatbins in files for the host: objects, libraries and programs keep them in sections of their own.

use crate::read::{Fault, entries, outside};
use object::LittleEndian as LE;
use object::elf::{self, FileHeader64, SectionHeader64};
use object::pod;
use warpc_diag::codes;

/// The sections that hold fatbins; the second one for code that is to be linked (`nvcc -rdc=true`).
const NAMES: [&[u8]; 2] = [b".nv_fatbin", b"__nv_relfatbin"];

/// Whether the bytes are an ELF file for another machine than the GPU.
pub fn is_host(bytes: &[u8]) -> bool {
    let machine = bytes.get(18..20).map(|two| [two[0], two[1]]);
    bytes.starts_with(&elf::ELFMAG) && machine != Some(elf::EM_CUDA.to_le_bytes())
}

/// The fatbins in a file for the host, in the order of the file.
pub(crate) fn fatbins(bytes: &[u8]) -> Result<Vec<&[u8]>, Fault> {
    let wrong = |why: &str| Fault {
        code: codes::BAD_FATBIN,
        message: format!("no fatbin can be read from the file: {why}"),
        help: "fatbins are read from 64-bit little-endian ELF files that hold a section `.nv_fatbin`",
    };
    let Ok((header, _)) = pod::from_bytes::<FileHeader64<LE>>(bytes) else {
        return Err(outside("the header", 0, 64, bytes.len()));
    };
    let ident = &header.e_ident;
    if ident.class != elf::ELFCLASS64 || ident.data != elf::ELFDATA2LSB {
        return Err(wrong("it is not 64-bit little-endian ELF"));
    }
    let sections: &[SectionHeader64<LE>] = entries(
        bytes,
        "the table of sections",
        header.e_shoff.get(LE),
        header.e_shnum.get(LE),
    )?;
    let held = |section: &SectionHeader64<LE>| {
        let start = usize::try_from(section.sh_offset.get(LE)).ok()?;
        let size = usize::try_from(section.sh_size.get(LE)).ok()?;
        bytes.get(start..start.checked_add(size)?)
    };
    let names = sections
        .get(usize::from(header.e_shstrndx.get(LE)))
        .and_then(held)
        .ok_or_else(|| wrong("its sections have no names"))?;
    let is_wanted = |section: &&SectionHeader64<LE>| {
        let rest = names.get(section.sh_name.get(LE) as usize..);
        rest.is_some_and(|rest| {
            let is = |name: &&[u8]| rest.starts_with(name) && rest.get(name.len()) == Some(&0);
            NAMES.iter().any(is)
        })
    };
    let mut all = Vec::new();
    for section in sections.iter().filter(is_wanted) {
        all.push(held(section).ok_or_else(|| {
            let (offset, size) = (section.sh_offset.get(LE), section.sh_size.get(LE));
            outside("the section of fatbins", offset, size, bytes.len())
        })?);
    }
    if all.iter().map(|one| one.len()).sum::<usize>() > bytes.len() {
        return Err(wrong("its sections of fatbins overlap"));
    }
    match all.is_empty() {
        true => Err(wrong("it has no section of that name")),
        false => Ok(all),
    }
}
