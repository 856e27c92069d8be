//! Where the parts of a file lie, as ptxas lays them out.
//!
//! ```text
//!   header │ sections, each at the next multiple of its alignment │ section headers │ program headers
//! ```
//!
//! The segments follow from the sections that are loaded: runs of sections with the same access. Up to sm_89 constants
//! and code are one run and the headers come last; from sm_90 on each access has its own and the headers come first.
//! Found by holding the rule against what ptxas 13.4 made for seven chips.

use crate::model::{Cubin, Section, Segment};
use object::elf;
use warpc_target::features;

/// What sections of the second form of the code are marked with: they are not loaded.
pub const MERC: u64 = 0x1000_0000;

impl Cubin {
    /// Gives every part its place: sections in their order, then the two tables; makes the segments, and sets the
    /// length of the file.
    pub fn lay_out(&mut self) {
        let mut end = 64;
        for index in 1..self.sections.len() {
            let offset = self.usual_offset(index, end);
            let section = &mut self.sections[index];
            section.offset = offset;
            // Sections without bytes in the file have their place in it, too.
            end = match section.is_empty_in_file() {
                true => offset,
                false => offset + section.size(),
            };
        }
        self.place_tables(end);
        self.segments = self.usual_segments();
        self.header.segment_entry_size = if self.segments.is_empty() { 0 } else { 56 };
        self.length = self.usual_length();
    }

    /// Where a section lies that comes after others. ptxas leaves room between the first two tables of strings: on
    /// sm_90 as much as the names of sections take that it thought of and dropped, later a fixed number of bytes.
    pub fn usual_offset(&self, index: usize, end: u64) -> u64 {
        let section = &self.sections[index];
        let is = |index: usize, name: &str| self.section_name(&self.sections[index]) == name;
        let mut gap = 0;
        if index == 2 && is(1, ".shstrtab") && is(2, ".strtab") {
            gap = if self.chip_is_in(features::CUBINS_OF_BLACKWELL) {
                36
            } else if self.chip_is_in(features::CUBINS_OF_HOPPER) {
                let names = self.sections.iter().map(|one| self.section_name(one));
                let kernels = names.filter_map(|name| Some(name.strip_prefix(".text.")?.len()));
                14 + kernels.map(|length| 18 + length as u64).sum::<u64>()
            } else {
                0
            };
        }
        aligned(end, section.align).saturating_add(gap)
    }

    /// Puts the tables of headers after the sections.
    pub fn place_tables(&mut self, end: u64) {
        let table = aligned(end, 8);
        self.header.section_table = table;
        self.header.segment_table = match self.header.kind {
            elf::ET_REL => 0,
            _ => table + 64 * self.sections.len() as u64,
        };
    }

    /// Where the file ends: after the last table.
    pub fn usual_length(&self) -> u64 {
        let sections = self.header.section_table + 64 * self.sections.len() as u64;
        let segments = self.header.segment_table + 56 * self.segments.len() as u64;
        sections.max(segments)
    }

    /// The segments that ptxas makes for these sections in these places.
    pub fn usual_segments(&self) -> Vec<Segment> {
        if self.header.kind == elf::ET_REL {
            return Vec::new();
        }
        let separate = self.chip_is_in(features::CUBINS_OF_HOPPER);
        let headers_access = match separate {
            true => elf::PF_R,
            false => elf::PF_R | elf::PF_X,
        };
        let access = |section: &Section| {
            let has = |flag: u32| section.flags & u64::from(flag) != 0;
            match (has(elf::SHF_WRITE), has(elf::SHF_EXECINSTR)) {
                (true, _) => elf::PF_R | elf::PF_W,
                (false, true) => elf::PF_R | elf::PF_X,
                (false, false) => headers_access,
            }
        };
        let is_loaded = |section: &&Section| {
            section.flags & u64::from(elf::SHF_ALLOC) != 0 && section.flags & MERC == 0
        };
        let mut loads: Vec<Segment> = Vec::new();
        for section in self.sections.iter().filter(is_loaded) {
            let flags = access(section);
            if loads.last().is_none_or(|last| last.flags != flags) {
                loads.push(segment(elf::PT_LOAD, flags, section.offset, 0));
            }
            let Some(last) = loads.last_mut() else {
                continue;
            };
            let end = if section.is_empty_in_file() {
                // The bytes up to its place count as the file's.
                let before = section.offset.saturating_sub(last.offset);
                last.file_size = last.file_size.max(before);
                let start = aligned(last.offset.saturating_add(last.memory_size), section.align);
                start.saturating_add(section.size())
            } else {
                let end = section.offset.saturating_add(section.size());
                last.file_size = end.saturating_sub(last.offset);
                end
            };
            last.memory_size = last.memory_size.max(end.saturating_sub(last.offset));
        }
        let size = 56 * (loads.len() as u64 + 2);
        let table = self.header.segment_table;
        let headers = segment(elf::PT_LOAD, headers_access, table, size);
        let mut all = vec![segment(elf::PT_PHDR, headers_access, table, size)];
        if separate {
            all.push(headers);
        }
        all.extend(loads);
        if !separate {
            all.push(headers);
        }
        all
    }
}

fn segment(kind: u32, flags: u32, offset: u64, size: u64) -> Segment {
    Segment {
        kind,
        flags,
        offset,
        virtual_address: 0,
        physical_address: 0,
        file_size: size,
        memory_size: size,
        align: 8,
    }
}

/// The next multiple of an alignment.
pub(crate) fn aligned(place: u64, align: u64) -> u64 {
    match align {
        0 | 1 => place,
        align => place.checked_next_multiple_of(align).unwrap_or(place),
    }
}
