//! Textures and surfaces: each form becomes the instruction that ptxas makes of it, or is refused.
//!
//! `tests/oracle/textures.tsv.gz` has an instruction of PTX with what uses its results, the opcode with its modifiers and the
//! geometry in ptxas 13.4's code for sm_90, or `-` where ptxas calls the system or reads tables of the driver.

use warpc::{Options, Source, assemble, disassemble};
use warpc_testkit::{gzip, project};

/// A kernel with the code of a row.
fn kernel(code: &str) -> String {
    format!(
        ".version 8.5\n.target sm_90\n.address_size 64\n\
         .visible .entry k(.param .u64 h, .param .u64 s, .param .u64 o)\n{{\n\
         .reg .pred %p<4>;\n.reg .b16 %h<20>;\n.reg .b32 %r<60>;\n.reg .f32 %f<60>;\n.reg .b64 %rd<30>;\n\
         ld.param.u64 %rd1, [h];\nld.param.u64 %rd2, [s];\nld.param.u64 %rd3, [o];\n\
         ld.global.v4.f32 {{%f1,%f2,%f3,%f4}}, [%rd3];\nld.global.v4.f32 {{%f5,%f6,%f7,%f8}}, [%rd3+16];\n\
         ld.global.v4.f32 {{%f9,%f10,%f11,%f12}}, [%rd3+32];\n\
         ld.global.v4.u32 {{%r1,%r2,%r3,%r4}}, [%rd3+48];\nld.global.v4.u32 {{%r5,%r6,%r7,%r8}}, [%rd3+64];\n\
         {code}\nret;\n}}\n"
    )
}

/// The lines of our code with instructions of the texture unit, or why there is none.
fn lines(code: &str, serial: bool) -> Result<Vec<String>, String> {
    let mut options = Options::new("sm_90".parse().expect("a chip"));
    options.assembler.verify = true;
    options.assembler.serial = serial;
    let source = Source::new("kernel.ptx", kernel(code)).expect("a short text");
    let made = assemble(&source, &options);
    let cubin = made.value.ok_or_else(|| {
        let first = made.diagnostics.first_error();
        first.map_or_else(String::new, |one| one.message.clone())
    })?;
    let source = Source::new("kernel.cubin", cubin.write()).expect("a cubin");
    let listing = disassemble(&source, &options).value.expect("a listing");
    let units = ["TEX", "TLD", "TXD", "TXQ", "SULD", "SUST", "SURED"];
    let is_of_unit = |line: &&str| units.iter().any(|unit| line.contains(&format!(" {unit}")));
    Ok(listing
        .lines()
        .filter(is_of_unit)
        .map(str::to_owned)
        .collect())
}

#[test]
fn each_form_is_the_instruction_of_ptxas() {
    let text = gzip::read_text(project::oracle("textures.tsv.gz"));
    let (mut same, mut refused) = (0, 0);
    for row in text.lines() {
        let [code, opcode, shape] = row.split('\t').collect::<Vec<_>>()[..] else {
            panic!("{row}");
        };
        if opcode == "-" {
            let why = lines(code, false).expect_err(code);
            assert!(why.contains("does not support"), "{code}: {why}");
            refused += 1;
            continue;
        }
        for serial in [false, true] {
            let found = lines(code, serial).unwrap_or_else(|why| panic!("{code}: {why}"));
            let [line] = &found[..] else {
                panic!("{code}: {found:?}");
            };
            let words: Vec<&str> = line.split([' ', ',', ';']).collect();
            assert!(words.contains(&opcode), "{code}: {opcode}, not {line}");
            assert!(
                shape == "-" || words.contains(&shape),
                "{code}: {shape}, not {line}"
            );
        }
        same += 1;
    }
    assert!(
        same > 200 && refused > 5,
        "{same} the same, {refused} refused"
    );
}

#[test]
fn what_surfaces_give_does_not_go_to_wider_registers() {
    let code = "suld.b.2d.b32.trap {%rd5}, [%rd1, {%r1,%r2}]; st.global.b64 [%rd3], %rd5;";
    let why = lines(code, false).expect_err(code);
    assert!(why.contains("wider"), "{why}");
}
