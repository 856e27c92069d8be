//! `ldmatrix` and `stmatrix` of bytes and of elements that are widened, judged by places that are computed here.

use warpc_diag::SourceFile;
use warpc_sim::{Argument, Device, Launch, Options};

/// A kernel of a warp: 512 bytes go to shared memory, lane l has the address of row l, and comes back what `BODY` leaves in
/// the registers and in shared memory.
const KERNEL: &str = ".version 8.7\n.target sm_100a\n.address_size 64
.visible .entry k(.param .u64 image, .param .u64 out) {
    .shared .align 16 .b8 rows[512];
    .reg .b64 %image, %out, %far;
    .reg .b32 %t, %at, %row, %r<4>;
    ld.param.u64 %image, [image]; ld.param.u64 %out, [out];
    mov.u32 %t, %tid.x; mov.u32 %at, rows; mad.lo.u32 %row, %t, 16, %at;
    mul.wide.u32 %far, %t, 16; add.u64 %image, %image, %far;
    ld.global.v4.b32 {%r0, %r1, %r2, %r3}, [%image];
    FIRST
    bar.warp.sync -1;
    BODY
    bar.warp.sync -1;
    add.u64 %far, %out, %far; st.global.v4.b32 [%far], {%r0, %r1, %r2, %r3};
    ld.shared.v4.b32 {%r0, %r1, %r2, %r3}, [%row]; st.global.v4.b32 [%far+512], {%r0, %r1, %r2, %r3};
    ret;
}";

fn run(first: &str, body: &str, image: &[u8]) -> Vec<u8> {
    let text = KERNEL.replace("FIRST", first).replace("BODY", body);
    let file = SourceFile::new("k.ptx", text).expect("a short text");
    let checked = warpc_ptx::check(&file);
    let shown = warpc_diag::render_human(&file, &checked.diagnostics, false);
    assert!(!checked.diagnostics.has_errors(), "{shown}");
    let mut device = Device::new(checked.value.as_ref().unwrap(), Options::default());
    let image = device.buffer(image);
    let out = device.buffer(&[0; 1024]);
    let outcome = device.launch(&Launch {
        kernel: "k".to_owned(),
        grid: [1, 1, 1],
        block: [32, 1, 1],
        cluster: None,
        dynamic_shared: 0,
        cooperative: false,
        arguments: vec![Argument::Buffer(image), Argument::Buffer(out)],
    });
    if let Err(found) = outcome {
        panic!("{}", warpc_diag::render_human(&file, &found, false));
    }
    device.read(out)
}

fn image() -> Vec<u8> {
    (0..512u32)
        .map(|at| (at * 167 + at / 16 * 29 + 3) as u8)
        .collect()
}

const STORE: &str = "st.shared.v4.b32 [%row], {%r0, %r1, %r2, %r3};";

/// A byte of a register of a lane of a result.
fn byte(out: &[u8], lane: usize, register: usize, byte: usize) -> u8 {
    out[lane * 16 + register * 4 + byte]
}

/// The element of a row: so many bits, one after the other.
fn element(image: &[u8], row: usize, bits: usize, index: usize) -> u8 {
    let row = &image[row * 16..][..16];
    let bit = |at: usize| row[at / 8] >> (at % 8) & 1;
    (0..bits).fold(0, |value, at| value | bit(index * bits + at) << at)
}

#[test]
fn rows_of_widened_elements() {
    for (format, bits) in [("b4x16_p64", 4), ("b6x16_p32", 6)] {
        let load = format!(
            "ldmatrix.sync.aligned.m8n16.x4.shared.b8x16.{format} {{%r0, %r1, %r2, %r3}}, [%row];"
        );
        let image = image();
        let out = run(STORE, &load, &image);
        for lane in 0..32 {
            for register in 0..4 {
                for index in 0..4 {
                    let row = register * 8 + lane / 4;
                    let expected = element(&image, row, bits, lane % 4 * 4 + index);
                    assert_eq!(
                        byte(&out, lane, register, index),
                        expected,
                        "{format} lane {lane}"
                    );
                }
            }
        }
    }
}

#[test]
fn columns_of_sixteen_rows() {
    for (format, bits) in [("b8", 8), ("b8x16.b4x16_p64", 4), ("b8x16.b6x16_p32", 6)] {
        let load = format!(
            "ldmatrix.sync.aligned.m16n16.x2.trans.shared.{format} {{%r0, %r1, %r2, %r3}}, [%row];"
        );
        let image = image();
        let out = run(STORE, &load, &image);
        for lane in 0..32 {
            for register in 0..4 {
                for index in 0..4 {
                    let row = register / 2 * 16 + lane % 4 * 4 + index;
                    let column = lane / 4 + register % 2 * 8;
                    let expected = element(&image, row, bits, column);
                    assert_eq!(
                        byte(&out, lane, register, index),
                        expected,
                        "{format} lane {lane}"
                    );
                }
            }
        }
    }
}

/// A fragment of 16 rows and 8 columns, two neighbours of a row and of the row eight further in a register, is stored by columns.
#[test]
fn stored_columns() {
    let store = "stmatrix.sync.aligned.m16n8.x4.trans.shared.b8 [%row], {%r0, %r1, %r2, %r3};";
    let image = image();
    let out = run("", store, &image);
    for column in 0..32 {
        for row in 0..16 {
            let (lane, register) = (row % 8 * 4 + column % 8 / 2, column / 8);
            let expected = image[lane * 16 + register * 4 + row / 8 * 2 + column % 2];
            assert_eq!(
                out[512 + column * 16 + row],
                expected,
                "column {column} row {row}"
            );
        }
    }
}
