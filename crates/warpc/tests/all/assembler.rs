//! PTX to machine code: large kernels, damaged ones, and the same bytes every time.

use std::fmt::Write;
use warpc::{Options, Source, assemble};
use warpc_diag::codes;
use warpc_testkit::{Random, gzip, project};

/// A way to assemble.
type Way = fn(&mut Options);

const WAYS: [Way; 3] = [
    |_| {},
    |options| options.assembler.serial = true,
    |options| options.assembler.spill = true,
];

/// The cubin of a text, or the first message. Faults of the assembler itself are failures.
fn made(text: &str, way: Way) -> Result<Vec<u8>, String> {
    let mut options = Options::new("sm_90a".parse().expect("a chip"));
    options.assembler.verify = true;
    way(&mut options);
    let source = Source::new("kernel.ptx", text).expect("it is short");
    let made = assemble(&source, &options);
    for one in made.diagnostics.as_slice() {
        assert!(one.code != codes::INTERNAL, "{}\n{text}", one.message);
    }
    made.value.map(|cubin| cubin.write()).ok_or_else(|| {
        let first = made.diagnostics.first_error();
        first.map_or_else(String::new, |one| one.message.clone())
    })
}

/// A kernel with this code.
fn kernel(registers: usize, code: &str) -> String {
    format!(
        ".version 8.0\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 p)\n{{\n\
         .reg .b32 %r<{registers}>;\n.reg .pred %p<{registers}>;\n.reg .b64 %rd<2>;\n\
         ld.param.u64 %rd1, [p];\nmov.u32 %r0, %tid.x;\n{code}st.global.u32 [%rd1], %r0;\nret;\n}}\n"
    )
}

fn large(code: &str, registers: usize) {
    let text = kernel(registers, code);
    for way in WAYS {
        made(&text, way).unwrap_or_else(|why| panic!("{why}"));
    }
}

#[test]
fn a_hundred_thousand_instructions_in_a_block() {
    let mut random = Random::new(1);
    let mut code = String::new();
    for number in 1..100 {
        _ = writeln!(code, "mov.u32 %r{number}, {number};");
    }
    for _ in 0..100_000 {
        let [to, a, b] = [(); 3].map(|()| random.below(100));
        let opcode = ["add.u32", "mul.lo.u32", "xor.b32", "min.s32"][random.below(4)];
        _ = writeln!(code, "{opcode} %r{to}, %r{a}, %r{b};");
    }
    large(&code, 100);
}

#[test]
fn ten_thousand_blocks() {
    let mut code = String::new();
    for number in 0..10_000 {
        _ = writeln!(code, "setp.gt.u32 %p1, %r0, {number};\n@%p1 bra L{number};");
        _ = writeln!(code, "add.u32 %r0, %r0, {number};\nL{number}:");
    }
    large(&code, 2);
}

#[test]
fn ten_thousand_blocks_that_lead_anywhere() {
    let mut random = Random::new(2);
    let mut code = String::new();
    for number in 0..10_000 {
        let to = random.below(10_000);
        _ = writeln!(
            code,
            "L{number}:\nsetp.gt.u32 %p1, %r0, {number};\n@%p1 bra L{to};"
        );
        _ = writeln!(code, "add.u32 %r0, %r0, {number};");
    }
    large(&code, 2);
}

#[test]
fn ten_thousand_values_at_a_time() {
    let mut code = String::new();
    for number in 0..10_000 {
        _ = writeln!(
            code,
            "ld.global.u32 %r{}, [%rd1+{}];",
            number + 1,
            4 * number
        );
    }
    for number in (0..10_000).rev() {
        _ = writeln!(
            code,
            "st.global.u32 [%rd1+{}], %r{};",
            4 * number,
            number + 1
        );
    }
    large(&code, 10_001);
}

#[test]
fn thousands_of_predicates_at_a_time() {
    let mut code = String::new();
    for number in 0..5_000 {
        _ = writeln!(code, "setp.lt.u32 %p{number}, %r0, {number};");
    }
    for number in (0..5_000).rev() {
        _ = writeln!(code, "@%p{number} add.u32 %r0, %r0, {number};");
    }
    large(&code, 5_000);
}

#[test]
fn loops_and_branches_nested_five_hundred_deep() {
    let (mut open, mut close) = (String::new(), String::new());
    for number in 1..=500 {
        _ = writeln!(open, "mov.u32 %r{number}, 0;\nL{number}:");
        let back = 501 - number;
        _ = writeln!(close, "add.u32 %r{back}, %r{back}, 1;");
        _ = writeln!(close, "setp.lt.u32 %p1, %r{back}, %r0;\n@%p1 bra L{back};");
    }
    large(&(open + "add.u32 %r0, %r0, 1;\n" + &close), 502);
    let (mut open, mut close) = (String::new(), String::new());
    for number in 1..=500 {
        _ = writeln!(open, "setp.lt.u32 %p1, %r0, {number};\n@%p1 bra L{number};");
        _ = writeln!(close, "L{}:\nadd.u32 %r0, %r0, 1;", 501 - number);
    }
    large(&(open + &close), 2);
}

/// The kernels of the suite.
fn kernels() -> Vec<String> {
    let files = project::files(&project::tests().join("kernels/ptx"), &[".ptx.gz"]);
    let texts = files.iter().map(gzip::read);
    let texts = texts.map(|bytes| String::from_utf8(bytes).expect("PTX is text"));
    texts.collect()
}

#[test]
fn damaged_kernels_give_messages_or_cubins() {
    let mut random = Random::new(3);
    let (mut cubins, mut messages) = (0, 0);
    for text in kernels() {
        let lines: Vec<&str> = text.lines().collect();
        for _ in 0..12 {
            let mut damaged = lines.clone();
            for _ in 0..=random.below(3) {
                let at = random.below(damaged.len());
                let other = random.below(damaged.len());
                match random.below(3) {
                    0 => _ = damaged.remove(at),
                    1 => damaged.swap(at, other),
                    _ => damaged[at] = damaged[other],
                }
            }
            let way = WAYS[random.below(3)];
            match made(&damaged.join("\n"), way) {
                Ok(_) => cubins += 1,
                Err(_) => messages += 1,
            }
        }
    }
    assert!(
        cubins > 10 && messages > 10,
        "{cubins} cubins, {messages} messages"
    );
}

#[test]
fn the_same_bytes_on_every_thread() {
    let texts = kernels();
    let all = || -> Vec<_> { texts.iter().map(|text| made(text, WAYS[0])).collect() };
    let first = all();
    let others = std::thread::scope(|scope| {
        let started = [(); 2].map(|()| scope.spawn(all));
        started.map(|one| one.join().expect("no panic"))
    });
    for other in others {
        assert!(other == first);
    }
}

/// The registers of the kernel of a cubin.
fn registers(bytes: &[u8]) -> u32 {
    use warpc_cubin::attribute::info::REGCOUNT;
    let cubin = warpc_cubin::Cubin::read(bytes).expect("our own cubin");
    let (_, section) = cubin.section(".nv.info").expect("attributes");
    let warpc_cubin::Content::Info(records) = &section.content else {
        panic!("no attributes");
    };
    let record = records.iter().find(|record| record.attribute == REGCOUNT);
    let bytes = &record.expect("it is always there").bytes;
    u32::from_le_bytes(bytes[4..8].try_into().expect("four bytes"))
}

#[test]
fn kernels_keep_the_limits_of_their_registers() {
    let mut code = String::new();
    for number in 1..=120 {
        _ = writeln!(code, "ld.global.u32 %r{number}, [%rd1+{}];", 4 * number);
    }
    for number in (1..=120).rev() {
        _ = writeln!(code, "st.global.u32 [%rd1+{}], %r{number};", 4 * number);
    }
    let text = kernel(121, &code);
    let free = registers(&made(&text, WAYS[0]).expect("a cubin"));
    assert!(free > 120, "{free}");
    for (directives, most) in [
        (".maxnreg 32", 32),
        (".maxnreg 40", 40),
        (".maxntid 1024, 1, 1", 64),
        (".maxntid 512, 2, 1", 64),
        (".maxntid 256, 1, 1 .minnctapersm 8", 32),
        (".reqntid 768, 1, 1", 80),
    ] {
        let limited = text.replace("p)\n{", &format!("p)\n{directives}\n{{"));
        assert_ne!(limited, text);
        let count = registers(&made(&limited, WAYS[0]).expect("a cubin"));
        assert!(count <= most && count + 8 > most, "{directives}: {count}");
    }
}

/// What hardware showed and no table says: see `docs/ptx-to-sass.md`.
#[test]
fn what_hardware_showed_is_kept() {
    let code = "ld.acquire.gpu.global.u32 %r1, [%rd1];\natom.shared.add.u64 %rd0, [%r0], %rd1;\n";
    let bytes = made(&kernel(3, code), WAYS[0]).expect("a cubin");
    let text = warpc::reassemblable(&warpc_cubin::Cubin::read(&bytes).expect("our own cubin"));
    let line = |what: &str| {
        let found = text.lines().find(|line| line.contains(what));
        found.unwrap_or_else(|| panic!("no {what} in\n{text}"))
    };
    // The invalidation of an acquire waits for the scoreboard of its load.
    let load = line("LDG.E.STRONG.GPU");
    let board = load.split(":W").nth(1).and_then(|rest| rest.chars().next());
    let waits = line("CCTL.IVALL").split(':').next().unwrap_or_default();
    assert!(board.is_some_and(|board| waits.contains(board)), "{text}");
    // The result of a spinning swap is not in the register of the compared value.
    let swap = line("CAST.SPIN").split("SPIN").nth(1).unwrap_or_default();
    let operands: Vec<&str> = swap
        .split([' ', ',', ';'])
        .filter(|one| one.starts_with('R'))
        .collect();
    assert_ne!(operands[0], operands[1], "{swap}");
}

#[test]
fn any_number_of_threads_makes_the_same_cubin() {
    let mut text = String::from(".version 8.0\n.target sm_90\n.address_size 64\n");
    for kernel in 0..12 {
        text.push_str(&format!(
            ".visible .entry k{kernel}(.param .u64 p)\n{{\n.reg .b64 %rd<2>;\n.reg .b32 %r<100>;\nld.param.u64 %rd1, [p];\n\
             ld.global.u32 %r0, [%rd1];\n"
        ));
        for one in 1..60 + kernel {
            text.push_str(&format!(
                "mad.lo.s32 %r{one}, %r{}, %r0, {};\n",
                one - 1,
                one * kernel + 3
            ));
        }
        text.push_str(&format!(
            "st.global.u32 [%rd1], %r{};\nret;\n}}\n",
            59 + kernel
        ));
    }
    let source = Source::new("k.ptx", text).expect("it is short");
    let assembled = |more_threads: usize| {
        let mut options = Options::new("sm_90".parse().expect("a chip"));
        options.assembler.more_threads = more_threads;
        let made = warpc::assemble(&source, &options).into_result();
        made.expect("it assembles").write()
    };
    let one = assembled(0);
    for more in [1, 3, 40] {
        assert!(assembled(more) == one, "{more} more threads");
    }
    assert!(one.len() > 12 * 16 * 60);
}
