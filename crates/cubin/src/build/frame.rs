//! `.debug_frame`: for each kernel, where its frame is, in DWARF's 64-bit form.

use super::Kernel;

/// What all kernels share: code in units of 4, data in units of -4, the frame in R1.
#[rustfmt::skip]
const SHARED: &[u8] = &[
    0xff, 0xff, 0xff, 0xff, 0x24, 0, 0, 0, 0, 0, 0, 0,
    0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
    0x03, 0x00, 0x04, 0x7c, 0xff, 0xff, 0xff, 0xff, 0x0f,
    0x0c, 0x81, 0x80, 0x80, 0x28, 0x00, 0x08, 0xff, 0x81, 0x80, 0x28, 0x08, 0x81, 0x80, 0x80, 0x28, 0, 0, 0,
];

/// Where the address of the code stands in a kernel's entry, which follows what is shared.
pub const CODE: u64 = SHARED.len() as u64 + 20;

/// The entries of a kernel, at a place of the section.
pub fn of(kernel: &Kernel, at: u64) -> Vec<u8> {
    let mut program = match &kernel.unwinding {
        Some(program) => program.clone(),
        None => {
            // The frame starts at R1.
            let mut program = vec![0x0c, 0x81, 0x80, 0x80, 0x28];
            leb128(kernel.frame, &mut program);
            program
        }
    };
    while !(program.len() + 4).is_multiple_of(8) {
        program.push(0);
    }
    let mut out = SHARED.to_vec();
    out.extend([0xff; 4]);
    out.extend((24 + program.len() as u64).to_le_bytes());
    out.extend(at.to_le_bytes());
    out.extend(0_u64.to_le_bytes());
    out.extend((kernel.code.len() as u64).to_le_bytes());
    out.extend(program);
    out
}

fn leb128(mut value: u32, out: &mut Vec<u8>) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}
