//! Bytes to the model.
//!
//! Every offset and size comes from the file, so each is checked against its length before it is used, and what is
//! copied is bounded by a small multiple of it.

use crate::content::Content;
use crate::model::{Cubin, Header, Section, Segment, takes_no_room};
use object::LittleEndian as LE;
use object::elf::{self, FileHeader64, ProgramHeader64, SectionHeader64};
use object::pod;
use std::fmt;
use warpc_diag::Code;
use warpc_diag::codes;

/// Why bytes cannot be read, or what is wrong with a cubin.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// The code of the diagnostic.
    pub code: Code,
    /// What is wrong, and where.
    pub message: String,
    /// What to do about it; may be empty.
    pub help: &'static str,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Fault {}

fn fault(code: Code, message: String, help: &'static str) -> Fault {
    Fault {
        code,
        message,
        help,
    }
}

pub(crate) fn outside(what: &str, offset: u64, size: u64, length: usize) -> Fault {
    fault(
        codes::CUBIN_TRUNCATED,
        format!(
            "{what} at {offset:#x}, {size:#x} bytes long, ends outside the file of {length:#x} bytes"
        ),
        "the file was cut or damaged; make it again",
    )
}

/// How many times its own length the sections of a file may hold together: parts may share bytes, but not without
/// end.
const LARGEST_SHARE: u64 = 4;

impl Cubin {
    /// Reads a cubin.
    pub fn read(bytes: &[u8]) -> Result<Cubin, Fault> {
        let header = header(bytes)?;
        let section_table = header.e_shoff.get(LE);
        let section_headers: &[SectionHeader64<LE>] = entries(
            bytes,
            "the table of sections",
            section_table,
            header.e_shnum.get(LE),
        )?;
        let segment_table = header.e_phoff.get(LE);
        let segment_headers: &[ProgramHeader64<LE>] = entries(
            bytes,
            "the table of segments",
            segment_table,
            header.e_phnum.get(LE),
        )?;

        let mut sections = Vec::with_capacity(section_headers.len());
        let mut held = 0;
        for (index, raw) in section_headers.iter().enumerate() {
            let section = section(bytes, index, raw)?;
            if !section.is_empty_in_file() {
                held += section.size();
            }
            if held > LARGEST_SHARE * bytes.len() as u64 {
                return Err(fault(
                    codes::CUBIN_STRUCTURE,
                    format!(
                        "the sections up to {index} hold more than {LARGEST_SHARE} times the file's length together"
                    ),
                    "sections must not cover the same bytes again and again",
                ));
            }
            sections.push(section);
        }
        let mut cubin = Cubin {
            header: Header {
                os_abi: header.e_ident.os_abi,
                abi_version: header.e_ident.abi_version,
                kind: header.e_type.get(LE),
                machine: header.e_machine.get(LE),
                version: header.e_version.get(LE),
                entry: header.e_entry.get(LE),
                flags: header.e_flags.get(LE),
                section_table,
                segment_table,
                segment_entry_size: header.e_phentsize.get(LE),
                names: header.e_shstrndx.get(LE),
            },
            sections,
            segments: segment_headers.iter().map(segment).collect(),
            length: bytes.len() as u64,
            strays: Vec::new(),
        };
        cubin.strays = strays(&cubin, bytes);
        check_names(&cubin)?;
        Ok(cubin)
    }
}

/// How many times the file's length the names of sections and symbols may have together: names may share their ends,
/// but not all of them one long text.
const LARGEST_NAMES: u64 = 8;

fn check_names(cubin: &Cubin) -> Result<(), Fault> {
    let most = LARGEST_NAMES * cubin.length;
    let (table, symbols) = cubin.symbols();
    let strings = cubin.sections.get(table).map_or(0, |table| table.link) as usize;
    let sections = usize::from(cubin.header.names);
    let of_sections = cubin.sections.iter().map(|one| (sections, one.name));
    let of_symbols = symbols.iter().map(|one| (strings, one.name));
    let mut held = 0;
    for (table, at) in of_sections.chain(of_symbols) {
        held += cubin.text_in(table, at).map_or(0, |name| name.len() as u64);
        if held > most {
            return Err(fault(
                codes::CUBIN_STRUCTURE,
                format!(
                    "the names of sections and symbols have more than {LARGEST_NAMES} times the file's length together"
                ),
                "names must not share one long text again and again",
            ));
        }
    }
    Ok(())
}

fn header(bytes: &[u8]) -> Result<&FileHeader64<LE>, Fault> {
    let no_cubin = |why: String| {
        fault(
            codes::NOT_A_CUBIN,
            format!("this is not a cubin: {why}"),
            "cubins are 64-bit little-endian ELF files for machine 190, as `ptxas` makes them",
        )
    };
    if !bytes.starts_with(&elf::ELFMAG) {
        return Err(no_cubin(
            "it does not start with the mark of ELF".to_owned(),
        ));
    }
    let Ok((header, _)) = pod::from_bytes::<FileHeader64<LE>>(bytes) else {
        return Err(outside("the header", 0, 64, bytes.len()));
    };
    let ident = &header.e_ident;
    if ident.class != elf::ELFCLASS64 || ident.data != elf::ELFDATA2LSB {
        return Err(no_cubin("it is not 64-bit little-endian ELF".to_owned()));
    }
    if ident.version != elf::EV_CURRENT || ident.padding != [0; 7] {
        return Err(no_cubin(
            "the first 16 bytes are not those of ELF version 1".to_owned(),
        ));
    }
    if header.e_machine.get(LE) != elf::EM_CUDA {
        return Err(no_cubin(format!(
            "it is for machine {}",
            header.e_machine.get(LE)
        )));
    }
    // Objects have no program headers, and may give them no size.
    let segments = header.e_phnum.get(LE) != 0;
    let sizes = [
        ("the header", header.e_ehsize.get(LE), 64, true),
        ("a section header", header.e_shentsize.get(LE), 64, true),
        ("a program header", header.e_phentsize.get(LE), 56, segments),
    ];
    for (what, size, right, used) in sizes {
        if size != right && used {
            return Err(fault(
                codes::CUBIN_STRUCTURE,
                format!("{what} has {size} bytes, not {right}"),
                "the file was damaged; make it again",
            ));
        }
    }
    Ok(header)
}

pub(crate) fn entries<'a, T: pod::Pod>(
    bytes: &'a [u8],
    what: &str,
    offset: u64,
    count: u16,
) -> Result<&'a [T], Fault> {
    if count == 0 {
        return Ok(&[]);
    }
    let size = u64::from(count) * size_of::<T>() as u64;
    usize::try_from(offset)
        .ok()
        .and_then(|offset| bytes.get(offset..))
        .and_then(|rest| pod::slice_from_bytes::<T>(rest, usize::from(count)).ok())
        .map(|(entries, _)| entries)
        .ok_or_else(|| outside(what, offset, size, bytes.len()))
}

fn section(bytes: &[u8], index: usize, raw: &SectionHeader64<LE>) -> Result<Section, Fault> {
    let kind = raw.sh_type.get(LE);
    let (offset, size) = (raw.sh_offset.get(LE), raw.sh_size.get(LE));
    let content = if takes_no_room(kind) {
        Content::Zeros(size)
    } else {
        let end = offset
            .checked_add(size)
            .and_then(|end| usize::try_from(end).ok());
        let held = end.and_then(|end| bytes.get(offset as usize..end));
        let held =
            held.ok_or_else(|| outside(&format!("section {index}"), offset, size, bytes.len()))?;
        Content::of(kind, held)
    };
    Ok(Section {
        name: raw.sh_name.get(LE),
        kind,
        flags: raw.sh_flags.get(LE),
        address: raw.sh_addr.get(LE),
        offset,
        link: raw.sh_link.get(LE),
        info: raw.sh_info.get(LE),
        align: raw.sh_addralign.get(LE),
        entry_size: raw.sh_entsize.get(LE),
        content,
    })
}

fn segment(raw: &ProgramHeader64<LE>) -> Segment {
    Segment {
        kind: raw.p_type.get(LE),
        flags: raw.p_flags.get(LE),
        offset: raw.p_offset.get(LE),
        virtual_address: raw.p_vaddr.get(LE),
        physical_address: raw.p_paddr.get(LE),
        file_size: raw.p_filesz.get(LE),
        memory_size: raw.p_memsz.get(LE),
        align: raw.p_align.get(LE),
    }
}

/// What the model does not hold although it is not zero.
fn strays(cubin: &Cubin, bytes: &[u8]) -> Vec<(u64, Vec<u8>)> {
    let mut all = Vec::new();
    let mut keep = |from: u64, to: u64| {
        // Both lie in the file: they are ends of parts that were read, or the file's own.
        let gap = &bytes[from as usize..to as usize];
        if let Some(first) = gap.iter().position(|&byte| byte != 0) {
            all.push((from + first as u64, gap[first..].to_vec()));
        }
    };
    let mut end = 0;
    for (start, stop) in cubin.parts() {
        if start > end {
            keep(end, start);
        }
        end = end.max(stop);
    }
    keep(end, bytes.len() as u64);
    all
}
