//! Memory, synchronisation and copies, as warpc assembles them: which forms it takes, and what it makes of tensor maps, which
//! the emulator of PTX does not have.

use std::fmt::Write;
use warpc::{Options, Source};
use warpc_cubin::Cubin;
use warpc_hw::covered::records;
use warpc_sass_sim::{Argument, Device, Launch};
use warpc_testkit::project;

/// The tables whose instructions are assembled.
const TABLES: [&str; 18] = [
    "sync_accept",
    "address",
    "async_copy",
    "atomic",
    "barrier",
    "bulk_copy",
    "cache",
    "control",
    "fabric",
    "fence",
    "load_store",
    "mbarrier",
    "misc",
    "multimem",
    "shuffle",
    "sreg",
    "tensor_copy",
    "warp",
];

/// What is refused: the beginning of an instruction, a part of the message.
const REFUSED: &[(&str, &str)] = &[
    // Units that textures need.
    ("istypep.", "`istypep."),
    // The fifth stride of a tensor, which none has.
    ("tensormap.replace.tile.global_stride", "`tensormap.replace"),
    // Arrivals of no thread.
    ("bar.arrive 0, ", "`BAR.ARV`"),
    ("barrier.arrive", "`BAR.ARV`"),
];

/// All of them take a minute.
const EVERY: usize = 7;

#[test]
fn forms_are_assembled() {
    let every = std::env::var("WARPC_FORMS_EVERY").ok();
    let every = every.and_then(|text| text.parse().ok()).unwrap_or(EVERY);
    let (mut valid, mut taken, mut wrong) = (0, 0, String::new());
    for table in TABLES {
        let path = project::oracle(&format!("ptx_{table}.tsv.gz"));
        for (name, family) in records::count(&path, (0, every)) {
            valid += family.valid;
            taken += family.taken;
            if family.taken < family.valid {
                println!("{table}: {} of {} {name}", family.taken, family.valid);
            }
            for (instruction, why) in family.refused {
                let known = REFUSED
                    .iter()
                    .any(|row| instruction.starts_with(row.0) && why.contains(row.1));
                if !known {
                    _ = writeln!(wrong, "{instruction}\n    {why}");
                }
            }
        }
    }
    println!("{taken} of {valid} forms");
    assert!(wrong.is_empty(), "{wrong}");
    assert!(taken * 100 > valid * 99);
}

fn assembled(text: String) -> Cubin {
    let mut options = Options::new("sm_90a".parse().expect("a chip"));
    options.assembler.verify = true;
    let source = Source::new("kernel.ptx", text).expect("a short text");
    let made = warpc::assemble(&source, &options);
    let first = made.diagnostics.first_error();
    let message = first.map_or_else(String::new, |one| one.message.clone());
    made.value.unwrap_or_else(|| panic!("{message}"))
}

/// The words of a map whose bits were all clear or all set, after instructions on it in a space.
fn map_after(space: &str, instructions: &[&str], before: u8) -> Vec<u32> {
    let mut code = String::new();
    for instruction in instructions {
        let instruction = instruction.replace("SPACE", space);
        let place = if space == ".shared::cta" {
            "%r0"
        } else {
            "%rd1"
        };
        _ = writeln!(code, "{}", instruction.replace("MAP", place));
    }
    let text = format!(
        ".version 8.6\n.target sm_90a\n.address_size 64\n.shared .align 128 .b8 room[128];\n\
         .visible .entry k(.param .u64 map)\n{{\n.reg .b32 %r<8>;\n.reg .b64 %rd<8>;\n.reg .pred %p<2>;\n\
         ld.param.u64 %rd1, [map];\nmov.u32 %r0, room;\nmov.u32 %r1, %tid.x;\nshl.b32 %r2, %r1, 2;\n\
         add.u32 %r3, %r0, %r2;\ncvt.u64.u32 %rd2, %r2;\nadd.u64 %rd2, %rd2, %rd1;\nld.global.u32 %r4, [%rd2];\n\
         st.shared.u32 [%r3], %r4;\nbar.sync 0;\nsetp.ne.u32 %p1, %r1, 0;\n@%p1 bra DONE;\n\
         mov.u32 %r5, 0x155;\nmov.u64 %rd3, 0x123456789ab0;\n{code}DONE:\nbar.sync 0;\n{}ret;\n}}\n",
        match space {
            ".shared::cta" =>
                "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%rd1], [%r0], 128;\n",
            _ =>
                "fence.proxy.tensormap::generic.acquire.gpu [%rd1], 128;\nprefetch.tensormap [%rd1];\n",
        }
    );
    let options = warpc_sass_sim::Options::default();
    let mut device = Device::new(&assembled(text), options).expect("a cubin");
    let buffer = device.buffer(&[before; 128]);
    let launch = Launch {
        kernel: "k".to_owned(),
        grid: [1, 1, 1],
        block: [32, 1, 1],
        cluster: None,
        dynamic_shared: 0,
        cooperative: false,
        arguments: vec![Argument::Buffer(buffer)],
    };
    let report = device.launch(&launch).expect("it runs");
    assert!(report.findings.is_empty(), "{:?}", report.findings);
    let bytes = device.read(buffer);
    let words = bytes.chunks_exact(4);
    words
        .map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]))
        .collect()
}

/// The place of a word, bits that are replaced, their new values.
type Field = (usize, u32, u32);

/// What ptxas 13.4 writes.
#[test]
fn fields_of_tensor_maps() {
    let cases: &[(&str, &[Field])] = &[
        (
            "tensormap.replace.tile.global_addressSPACE.b1024.b64 [MAP], %rd3;",
            &[(0, !0, 0x5678_9ab0), (1, !0, 0x1234)],
        ),
        (
            "tensormap.replace.tile.rankSPACE.b1024.b32 [MAP], %r5;",
            &[(2, 0x70, 0x50)],
        ),
        (
            "tensormap.replace.tile.rankSPACE.b1024.b32 [MAP], 3;",
            &[(2, 0x70, 0x30)],
        ),
        (
            "tensormap.replace.tile.elemtypeSPACE.b1024.b32 [MAP], 5;",
            &[(2, 0x1_0780, 0x280)],
        ),
        (
            "tensormap.replace.tile.elemtypeSPACE.b1024.b32 [MAP], 12;",
            &[(2, 0x1_0780, 0x1_0400)],
        ),
        (
            "tensormap.replace.tile.interleave_layoutSPACE.b1024.b32 [MAP], 2;",
            &[(2, 0x1800, 0x1000)],
        ),
        (
            "tensormap.replace.tile.swizzle_modeSPACE.b1024.b32 [MAP], 3;",
            &[(2, 0x40_6000, 0x6000)],
        ),
        (
            "tensormap.replace.tile.fill_modeSPACE.b1024.b32 [MAP], 1;",
            &[(2, 0x8000, 0x8000)],
        ),
        (
            "tensormap.replace.tile.global_dimSPACE.b1024.b32 [MAP], 4, %r5;",
            &[(12, !0, 0x154)],
        ),
        (
            "tensormap.replace.tile.global_strideSPACE.b1024.b64 [MAP], 0, %rd3;",
            &[(3, !0, 0x4567_89ab), (7, 0xf, 0x3)],
        ),
        (
            "tensormap.replace.tile.global_strideSPACE.b1024.b64 [MAP], 3, %rd3;",
            &[(6, !0, 0x4567_89ab), (7, 0xf000, 0x3000)],
        ),
        (
            "tensormap.replace.tile.box_dimSPACE.b1024.b32 [MAP], 0, %r5;",
            &[(13, 0xff00_0000, 0x5400_0000)],
        ),
        (
            "tensormap.replace.tile.box_dimSPACE.b1024.b32 [MAP], 3, 17;",
            &[(14, 0xff_0000, 0x10_0000)],
        ),
        (
            "tensormap.replace.tile.element_strideSPACE.b1024.b32 [MAP], 4, %r5;",
            &[(13, 0x7000, 0x4000)],
        ),
    ];
    for space in [".global", ".shared::cta", ""] {
        for (instruction, fields) in cases {
            for before in [0u8, 0xff] {
                let after = map_after(space, &[instruction], before);
                let mut expected = vec![u32::from_le_bytes([before; 4]); 32];
                for (word, mask, value) in *fields {
                    expected[*word] = expected[*word] & !mask | value;
                }
                assert_eq!(after, expected, "{instruction} in {space}");
            }
        }
    }
}

/// The words that a kernel of one thread leaves in its only argument.
fn words_after(text: String, count: usize) -> Vec<u32> {
    let options = warpc_sass_sim::Options::default();
    let mut device = Device::new(&assembled(text), options).expect("a cubin");
    let buffer = device.buffer(&vec![0xff; 4 * count]);
    let launch = Launch {
        kernel: "k".to_owned(),
        grid: [1, 1, 1],
        block: [1, 1, 1],
        cluster: None,
        dynamic_shared: 0,
        cooperative: false,
        arguments: vec![Argument::Buffer(buffer)],
    };
    let report = device.launch(&launch).expect("it runs");
    assert!(report.findings.is_empty(), "{:?}", report.findings);
    let bytes = device.read(buffer);
    let words = bytes.chunks_exact(4);
    words
        .map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]))
        .collect()
}

/// A kernel around code that leaves its results in `%r1` and the following registers.
fn kernel_of(variables: &str, code: &str, count: usize) -> String {
    let mut stores = String::new();
    for number in 0..count {
        _ = writeln!(
            stores,
            "st.global.u32 [%rd1+{}], %r{};",
            4 * number,
            number + 1
        );
    }
    format!(
        ".version 9.4\n.target sm_90a\n.address_size 64\n{variables}\n.visible .entry k(.param .u64 out)\n{{\n\
         .reg .b8 %b<2>;\n.reg .b32 %r<20>;\n.reg .b64 %rd<8>;\n.reg .pred %p<4>;\nld.param.u64 %rd1, [out];\n\
         {code}\n{stores}ret;\n}}\n"
    )
}

/// Layouts of barriers, and what waits of PTX 9.4 return beyond the phase.
#[test]
fn barriers_have_layouts_and_no_reports() {
    let code = "mbarrier.init.layout::v0.shared.b64 [first], 1;\nmbarrier.init.layout::v1.shared.b64 [second], 1;\n\
        mbarrier.check_layout.layout::v0.shared.b64 %p1, [first];\nselp.u32 %r1, 1, 0, %p1;\n\
        mbarrier.check_layout.layout::v1.shared.b64 %p1, [first];\nselp.u32 %r2, 1, 0, %p1;\n\
        mbarrier.check_layout.layout::v0.shared.b64 %p1, [second];\nselp.u32 %r3, 1, 0, %p1;\n\
        mbarrier.arrive.shared.b64 %rd2, [second];\n\
        mbarrier.check_layout.layout::v1.shared.b64 %p1, [second];\nselp.u32 %r4, 1, 0, %p1;\n\
        setp.eq.u64 %p2, %rd1, %rd1;\n\
        mbarrier.try_wait.phase_type::primary.shared.b64 %p1|%p2, %b1, [second], %rd2;\n\
        selp.u32 %r5, 1, 0, %p1;\nselp.u32 %r6, 1, 0, %p2;\ncvt.u32.u8 %r7, %b1;\n\
        mbarrier.test_wait.parity.phase_type::conditional.shared.b64 %p1, [first], 0;\nselp.u32 %r8, 1, 0, %p1;";
    let variables = ".shared .align 8 .b64 first;\n.shared .align 8 .b64 second;";
    let words = words_after(kernel_of(variables, code, 8), 8);
    assert_eq!(words, [1, 0, 0, 1, 1, 0, 0, 0]);
}

/// Elements of arrays as operands, branches with a constant index, addresses of 32 bits, a load that only fetches.
#[test]
fn operands_that_are_rare() {
    let code = "ld.global.b32 %r1, numbers[2];\nmov.u64 %rd2, numbers[3];\nld.global.b32 %r2, [%rd2];\n\
        ld.global.b32 %r3, pairs[1];\nprefetch.global.L1::32B.valid_addr [numbers];\nmov.u32 %r4, 9;\n\
        ts: .branchtargets A, B;\nbrx.idx 1, ts;\nA: mov.u32 %r4, 7;\nB: mov.u64 %rd3, k;\n\
        mov.u32 %r5, k;\ncvt.u32.u64 %r6, %rd3;\nsub.u32 %r5, %r5, %r6;";
    let variables = ".global .align 4 .b32 numbers[4] = {10, 11, 12, 13};\n\
        .global .align 8 .v2 .b32 pairs[2] = {{20, 21}, {22, 23}};";
    let text = kernel_of(variables, code, 5);
    let cubin = assembled(text.clone());
    let (_, section) = cubin.section(".text.k").expect("a kernel");
    let code = section.content.to_bytes();
    let mut words = code.chunks_exact(16);
    // `LDG.E.U8 RZ`: the opcode, and the destination in the third byte.
    assert!(words.any(|word| word[0] == 0x81 && word[1] & 0xf == 0x9 && word[2] == 0xff));
    assert_eq!(words_after(text, 5), [12, 13, 21, 9, 0]);
}

/// A variable that another module should define has its own memory in a finished cubin, as ptxas has it; one whose size is not
/// known is refused.
#[test]
fn variables_of_other_modules() {
    let code = "ld.global.b32 %r1, [outside];\nst.global.b32 [outside+4], 7;\nld.global.b32 %r2, [outside+4];\n\
        ld.const.b32 %r3, [constant];";
    let variables =
        ".extern .global .align 4 .b32 outside[2];\n.extern .const .align 4 .b32 constant;";
    assert_eq!(words_after(kernel_of(variables, code, 3), 3), [0, 7, 0]);
    let text = kernel_of(
        ".extern .global .align 4 .b32 outside[];",
        "ld.global.b32 %r1, [outside];",
        1,
    );
    let why = warpc_hw::covered::assembled_cubin(text).expect_err("it has no size");
    assert!(why.contains("other modules"), "{why}");
}
