//! What goes wrong around matrix instructions. That they compute is shown by the hardware suite.

use crate::{Argument, Device, Launch, Options, Report};
use warpc_diag::{Diagnostics, SourceFile};

/// Runs a body that finds the buffer's address in `%out` and its number in `%lane`.
fn run(body: &str, threads: u32) -> Result<(Vec<u8>, Report), Diagnostics> {
    let text = format!(
        ".version 8.7\n.target sm_120a\n.address_size 64\n.entry k(.param .u64 out) {{\n\
         .shared .align 16 .b8 block[512];\n\
         .reg .b32 %r<32>, %lane; .reg .b64 %out, %at, %rd<4>; .reg .pred %p;\n\
         ld.param.u64 %out, [out]; mov.u32 %lane, %laneid;\n{body}\nret; }}"
    );
    let file = SourceFile::new("k.ptx", text).expect("a short text");
    let checked = warpc_ptx::check(&file);
    let problems = warpc_diag::render_human(&file, &checked.diagnostics, false);
    assert!(!checked.diagnostics.has_errors(), "{problems}");
    let mut device = Device::new(
        checked.value.as_ref().unwrap(),
        Options {
            jobs: 1,
            ..Options::default()
        },
    );
    let buffer = device.buffer(&[0; 512]);
    let launch = Launch {
        kernel: "k".to_owned(),
        grid: [1; 3],
        block: [threads, 1, 1],
        cluster: None,
        dynamic_shared: 0,
        cooperative: false,
        arguments: vec![Argument::Buffer(buffer)],
    };
    let report = device.launch(&launch)?;
    Ok((device.read(buffer), report))
}

fn message(body: &str, threads: u32) -> String {
    match run(body, threads) {
        Ok(_) => panic!("it ran: {body}"),
        Err(diagnostics) => diagnostics.as_slice()[0].message.clone(),
    }
}

const TRANSPOSE: &str = "movmatrix.sync.aligned.m8n8.trans.b16 %r1, %r0;";

#[test]
fn the_whole_warp_takes_part() {
    let text = message(TRANSPOSE, 16);
    assert_eq!(text, "a matrix instruction in a warp of 16 threads");
    let some = format!("setp.lt.u32 %p, %lane, 8; @%p {TRANSPOSE}");
    assert!(run(&some, 32).is_err());
    let some = format!("setp.lt.u32 %p, %lane, 8; @%p ret; {TRANSPOSE}");
    let text = message(&some, 32);
    assert!(text.contains("have exited"), "{text}");
}

/// Lanes that took different ways execute it together once all are there.
#[test]
fn lanes_come_from_two_sides() {
    let body = format!(
        "mov.u32 %r0, 1; setp.lt.u32 %p, %lane, 8; @%p bra other;\nmov.u32 %r0, 2; bra.uni both;\n\
         other: mov.u32 %r0, 3;\nboth: {TRANSPOSE}\n\
         mul.wide.u32 %at, %lane, 4; add.u64 %at, %out, %at; st.global.u32 [%at], %r1;"
    );
    let (bytes, report) = run(&body, 32).expect("it runs");
    // Rows 0 and 1 held (3, 0), the others (2, 0); now they are columns.
    let words = bytes.as_chunks::<4>().0[..32].iter();
    let words: Vec<u32> = words.map(|word| u32::from_le_bytes(*word)).collect();
    for (lane, word) in words.into_iter().enumerate() {
        let element = match (lane / 4 % 2, lane % 4) {
            (0, 0) => 0x0003_0003,
            (0, _) => 0x0002_0002,
            _ => 0,
        };
        assert_eq!(word, element, "lane {lane}");
    }
    assert_eq!(report.counts.accesses, 32 + 32);
}

#[test]
fn rows_lie_in_shared_memory_and_are_aligned() {
    let load = "ldmatrix.sync.aligned.m8n8.x1.b16 {%r1}, [%at];";
    let text = message(&format!("mov.u64 %at, %out; {load}"), 32);
    assert!(text.contains("does not lie in shared memory"), "{text}");
    let shared = "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r1}";
    let row = "mov.u32 %r2, block; mad.lo.u32 %r2, %lane, 16, %r2;";
    assert!(run(&format!("{row} {shared}, [%r2];"), 32).is_ok());
    let text = message(&format!("{row} {shared}, [%r2+8];"), 32);
    assert!(text.contains("misaligned read of 16 bytes"), "{text}");
    let text = message(&format!("{row} {shared}, [%r2+400];"), 32);
    assert!(text.contains("out of bounds read of 16 bytes"), "{text}");
    // The addresses of lanes 8 and up are not looked at.
    let wild = "setp.ge.u32 %p, %lane, 8; @%p mov.u32 %r2, 3;";
    assert!(run(&format!("{row} {wild} {shared}, [%r2];"), 32).is_ok());
    let four = "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r4, %r5, %r6, %r7}, [%r2];";
    assert!(run(&format!("{row} {wild} {four}"), 32).is_err());
}

#[test]
fn lines_of_fragments_are_aligned_and_there() {
    let load = |address: &str, stride: u32| {
        let list = "{%r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7}";
        format!("wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {list}, [{address}], {stride};")
    };
    let (_, report) = run(&load("%out", 16), 32).expect("it runs");
    // A parameter and, as its elements are there twice, 1,024 bytes by each lane's eight words.
    assert_eq!(report.counts.bytes, 32 * 8 + 1024);
    let text = message(&load("%out", 17), 32);
    assert!(text.contains("stride of this matrix"), "{text}");
    let text = message(&load("%out+2", 16), 32);
    assert!(text.contains("misaligned read of 4 bytes"), "{text}");
    let text = message(&load("%out", 32), 32);
    assert!(text.contains("out of bounds read of 4 bytes"), "{text}");
}

/// Selectors of scale factors that are not constants are looked at when they are used.
#[test]
fn selectors_of_scale_factors() {
    let sources = "{%r0, %r1, %r2, %r3}, {%r0, %r1, %r2, %r3}, {%r4, %r5}, {%r0, %r1, %r2, %r3}";
    let product = |byte: &str| {
        let mnemonic =
            "mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale.f32.e2m1.e3m2.f32.ue8m0";
        format!(
            "{{ .reg .b16 %h; cvt.u16.u32 %h, {byte}; {mnemonic} {sources}, %r6, {{%h, 0}}, %r7, {{0, 0}}; }}"
        )
    };
    let zeros = "mov.b32 %r6, 0; mov.b32 %r7, 0;";
    assert!(run(&format!("{zeros} {}", product("%r6")), 32).is_ok());
    let text = message(&format!("{zeros} mov.b32 %r6, 4; {}", product("%r6")), 32);
    assert!(text.contains("the byte selector of A is 4"), "{text}");
    let text = message(&format!("{zeros} {}", product("%lane")), 32);
    assert!(
        text.contains("different values of the byte selector of A"),
        "{text}"
    );
}
