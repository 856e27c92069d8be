//! The model to bytes: each part at the place that the model gives it.

use crate::model::{Cubin, Section, Segment};
use object::elf::{self, FileHeader64, Ident, ProgramHeader64, SectionHeader64};
use object::pod::bytes_of;
use object::{LittleEndian as LE, U16, U32, U64};

impl Cubin {
    /// The bytes of the file. What [`Cubin::read`] made comes back byte for byte.
    pub fn write(&self) -> Vec<u8> {
        let mut out = vec![0; self.length as usize];
        for (at, bytes) in &self.strays {
            put(&mut out, *at, bytes);
        }
        for section in &self.sections {
            if !section.is_empty_in_file() {
                put(&mut out, section.offset, &section.content.to_bytes());
            }
        }
        for (index, section) in self.sections.iter().enumerate() {
            let at = self.header.section_table + 64 * index as u64;
            put(&mut out, at, bytes_of(&section_header(section)));
        }
        for (index, segment) in self.segments.iter().enumerate() {
            let at = self.header.segment_table + 56 * index as u64;
            put(&mut out, at, bytes_of(&segment_header(segment)));
        }
        put(&mut out, 0, bytes_of(&self.file_header()));
        out
    }

    /// Where the parts of the file are, from start to end, sorted; parts without bytes are left out.
    pub(crate) fn parts(&self) -> Vec<(u64, u64)> {
        let table = |at: u64, size: usize| (at, at + size as u64);
        let mut parts = vec![
            (0, 64),
            table(self.header.section_table, 64 * self.sections.len()),
            table(self.header.segment_table, 56 * self.segments.len()),
        ];
        parts.extend(
            self.sections
                .iter()
                .filter(|section| !section.is_empty_in_file())
                .map(|section| (section.offset, section.offset + section.size())),
        );
        parts.retain(|(start, end)| start < end);
        parts.sort_unstable();
        parts
    }

    fn file_header(&self) -> FileHeader64<LE> {
        let header = &self.header;
        FileHeader64 {
            e_ident: Ident {
                magic: elf::ELFMAG,
                class: elf::ELFCLASS64,
                data: elf::ELFDATA2LSB,
                version: elf::EV_CURRENT,
                os_abi: header.os_abi,
                abi_version: header.abi_version,
                padding: [0; 7],
            },
            e_type: U16::new(LE, header.kind),
            e_machine: U16::new(LE, header.machine),
            e_version: U32::new(LE, header.version),
            e_entry: U64::new(LE, header.entry),
            e_phoff: U64::new(LE, header.segment_table),
            e_shoff: U64::new(LE, header.section_table),
            e_flags: U32::new(LE, header.flags),
            e_ehsize: U16::new(LE, 64),
            e_phentsize: U16::new(LE, header.segment_entry_size),
            e_phnum: U16::new(LE, self.segments.len() as u16),
            e_shentsize: U16::new(LE, 64),
            e_shnum: U16::new(LE, self.sections.len() as u16),
            e_shstrndx: U16::new(LE, header.names),
        }
    }
}

/// Puts bytes at a place, in a file that may be too short for them.
fn put(out: &mut Vec<u8>, at: u64, bytes: &[u8]) {
    let at = at as usize;
    if out.len() < at + bytes.len() {
        out.resize(at + bytes.len(), 0);
    }
    out[at..at + bytes.len()].copy_from_slice(bytes);
}

fn section_header(section: &Section) -> SectionHeader64<LE> {
    SectionHeader64 {
        sh_name: U32::new(LE, section.name),
        sh_type: U32::new(LE, section.kind),
        sh_flags: U64::new(LE, section.flags),
        sh_addr: U64::new(LE, section.address),
        sh_offset: U64::new(LE, section.offset),
        sh_size: U64::new(LE, section.size()),
        sh_link: U32::new(LE, section.link),
        sh_info: U32::new(LE, section.info),
        sh_addralign: U64::new(LE, section.align),
        sh_entsize: U64::new(LE, section.entry_size),
    }
}

fn segment_header(segment: &Segment) -> ProgramHeader64<LE> {
    ProgramHeader64 {
        p_type: U32::new(LE, segment.kind),
        p_flags: U32::new(LE, segment.flags),
        p_offset: U64::new(LE, segment.offset),
        p_vaddr: U64::new(LE, segment.virtual_address),
        p_paddr: U64::new(LE, segment.physical_address),
        p_filesz: U64::new(LE, segment.file_size),
        p_memsz: U64::new(LE, segment.memory_size),
        p_align: U64::new(LE, segment.align),
    }
}
