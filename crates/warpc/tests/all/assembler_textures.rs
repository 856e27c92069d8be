//! Textures and surfaces: each form becomes what ptxas makes of it.
//!
//! `tests/oracle/textures.tsv.gz` has whether samplers are apart, an instruction of PTX with what uses its results, the opcode
//! with its modifiers and the geometry in ptxas 13.4's code for sm_90, and the handles of textures that are bound by name.
//! Where the system is called, the function takes the place of the geometry; where a table of the driver is read, it is the
//! symbol of the size of an entry, the place of the word in it, and that of the table's address.

use warpc::{Options, Source, assemble, disassemble};
use warpc_cubin::{Content, Cubin, Relocation, relocation};
use warpc_testkit::{gzip, project};

/// A kernel with the code of a row.
fn kernel(mode: &str, code: &str) -> String {
    let (target, samplers) = match mode {
        "independent" => (
            "sm_90, texmode_independent",
            ".global .samplerref m1, m2 = { addr_mode_0 = mirror, filter_mode = linear, force_unnormalized_coords = 1 };\n",
        ),
        _ => ("sm_90", ""),
    };
    format!(
        ".version 8.5\n.target {target}\n.address_size 64\n\
         .global .texref t1, t2;\n{samplers}.global .surfref s1, s2;\n\
         .visible .entry k(.param .u64 h, .param .u64 s, .param .u64 o)\n{{\n\
         .reg .pred %p<4>;\n.reg .b16 %h<20>;\n.reg .b32 %r<60>;\n.reg .f32 %f<60>;\n.reg .b64 %rd<30>;\n\
         ld.param.u64 %rd1, [h];\nld.param.u64 %rd2, [s];\nld.param.u64 %rd3, [o];\n\
         ld.global.v4.f32 {{%f1,%f2,%f3,%f4}}, [%rd3];\nld.global.v4.f32 {{%f5,%f6,%f7,%f8}}, [%rd3+16];\n\
         ld.global.v4.f32 {{%f9,%f10,%f11,%f12}}, [%rd3+32];\n\
         ld.global.v4.u32 {{%r1,%r2,%r3,%r4}}, [%rd3+48];\nld.global.v4.u32 {{%r5,%r6,%r7,%r8}}, [%rd3+64];\n\
         {code}\nret;\n}}\n"
    )
}

/// The cubin of a row, judged, or why there is none.
fn assembled(mode: &str, code: &str, serial: bool) -> Result<Cubin, String> {
    let mut options = Options::new("sm_90".parse().expect("a chip"));
    options.assembler.verify = true;
    options.assembler.serial = serial;
    let source = Source::new("kernel.ptx", kernel(mode, code)).expect("a short text");
    let made = assemble(&source, &options);
    made.value.ok_or_else(|| {
        let first = made.diagnostics.first_error();
        first.map_or_else(String::new, |one| one.message.clone())
    })
}

/// The lines of a kernel's code.
fn lines(cubin: &Cubin) -> Vec<String> {
    let options = Options::new("sm_90".parse().expect("a chip"));
    let source = Source::new("kernel.cubin", cubin.write()).expect("a cubin");
    let listing = disassemble(&source, &options).value.expect("a listing");
    let lines = listing.lines();
    lines.map(|line| line.replace(" ;", ";")).collect()
}

/// The only line with an instruction of the texture unit.
fn of_unit(lines: &[String], code: &str) -> String {
    let units = ["TEX", "TLD", "TXD", "TXQ", "SULD", "SUST", "SURED"];
    let is_of_unit = |line: &&String| {
        let mut units = units.iter();
        line.contains("/*") && units.any(|unit| line.contains(&format!(" {unit}")))
    };
    let found: Vec<&String> = lines.iter().filter(is_of_unit).collect();
    match found[..] {
        [line] => line.clone(),
        _ => panic!("{code}: {found:?}"),
    }
}

/// What relocations write into a section: place, name of the kind, symbol.
fn relocated(cubin: &Cubin, section: &str) -> Vec<(u64, &'static str, String)> {
    let Some((_, section)) = cubin.section(section) else {
        return Vec::new();
    };
    let Content::Relocations(all) = &section.content else {
        panic!("these are not relocations");
    };
    let (_, symbols) = cubin.symbols();
    let one = |one: &Relocation| {
        let name = cubin.symbol_name(&symbols[one.symbol as usize]);
        let kind = relocation::name(one.kind).expect("a known kind");
        (one.offset, kind, name.into_owned())
    };
    all.iter().map(one).collect()
}

/// The handles of a kernel as the record has them.
fn handles(cubin: &Cubin) -> String {
    let mut all = relocated(cubin, ".rela.nv.constant0.k");
    all.reverse();
    let mut texts = Vec::new();
    for (at, kind, name) in all {
        let wanted = match name.as_bytes()[0] {
            b't' => "R_CUDA_TEX_HEADER_INDEX",
            b'm' => "R_CUDA_SAMP_HEADER_INDEX_0",
            _ => "R_CUDA_SURF_HEADER_INDEX",
        };
        assert_eq!(kind, wanted, "{name}");
        texts.push(format!("{at:04x}:{name}"));
    }
    match texts.is_empty() {
        true => "-".to_owned(),
        false => texts.join(" "),
    }
}

/// Compares the code of a row with the record.
fn compare(cubin: &Cubin, code: &str, opcode: &str, shape: &str) {
    let lines = lines(cubin);
    let has = |text: &str| lines.iter().any(|line| line.contains(text));
    match opcode {
        "CALL.ABS.NOINC" => {
            assert!(has(opcode), "{code}");
            let (_, symbols) = cubin.symbols();
            let mut names = symbols.iter().map(|one| cubin.symbol_name(one));
            assert!(names.any(|name| name == shape), "{code}: {shape}");
        }
        "LDG.E.CONSTANT" => {
            let [symbol, word, table] = shape.split(' ').collect::<Vec<_>>()[..] else {
                panic!("{shape}");
            };
            let sizes = relocated(cubin, ".rela.text.k");
            let [(_, "R_CUDA_ABS32_32", name)] = &sizes[..] else {
                panic!("{code}: {sizes:?}");
            };
            assert_eq!(name, symbol, "{code}");
            assert!(has(opcode) && has(&format!("c[0x0][{table}]")), "{code}");
            let last = match word {
                "0x0" | "URZ" => "RZ",
                word => word,
            };
            let is_product =
                |line: &String| line.contains("IMAD ") && line.contains(&format!(", {last};"));
            assert!(lines.iter().any(is_product), "{code}: {word} in {lines:?}");
        }
        "LOP3.LUT" => assert!(has(&format!(", {shape}, RZ, 0xc0")), "{code}"),
        opcode => {
            let line = of_unit(&lines, code);
            let words: Vec<&str> = line.split([' ', ',', ';']).collect();
            assert!(words.contains(&opcode), "{code}: {opcode}, not {line}");
            assert!(
                shape == "-" || words.contains(&shape),
                "{code}: {shape}, not {line}"
            );
        }
    }
}

#[test]
fn each_form_is_what_ptxas_makes_of_it() {
    let text = gzip::read_text(project::oracle("textures.tsv.gz"));
    let (mut calls, mut tables, mut named, mut others) = (0, 0, 0, 0);
    for row in text.lines() {
        let [mode, code, opcode, shape, bound] = row.split('\t').collect::<Vec<_>>()[..] else {
            panic!("{row}");
        };
        for serial in [false, true] {
            let cubin = assembled(mode, code, serial);
            let cubin = cubin.unwrap_or_else(|why| panic!("{code}: {why}"));
            compare(&cubin, code, opcode, shape);
            assert_eq!(handles(&cubin), bound, "{code}");
            assert_eq!(warpc_cubin::verify(&cubin), [], "{code}");
        }
        match opcode {
            "CALL.ABS.NOINC" => calls += 1,
            "LDG.E.CONSTANT" => tables += 1,
            _ => others += 1,
        }
        named += usize::from(bound != "-");
    }
    let counts = (calls, tables, named, others);
    assert!(
        calls > 50 && tables > 50 && named > 50 && others > 250,
        "{counts:?}"
    );
}

#[test]
fn what_is_narrower_than_its_register_is_extended() {
    let code = "suld.b.2d.v2.b32.trap {%rd5,%rd6}, [%rd1, {%r1,%r2}]; st.global.v2.b64 [%rd3], {%rd5,%rd6};";
    let cubin = assembled("unified", code, false).expect("a cubin");
    let lines = lines(&cubin);
    let zeros = lines.iter().filter(|line| line.contains(", RZ;"));
    assert!(zeros.count() >= 1, "{lines:?}");
}

/// The records of `.nv.info` as attribute and words, with symbols by name where the first word is one.
fn records(cubin: &Cubin, section: &str) -> Vec<(u8, String, Vec<u8>)> {
    let (_, section) = cubin.section(section).expect("a section");
    let Content::Info(records) = &section.content else {
        panic!("these are not records");
    };
    let (_, symbols) = cubin.symbols();
    let one = |record: &warpc_cubin::Record| {
        let payload = record.bytes.clone();
        let number = payload.first_chunk::<4>().copied().map(u32::from_le_bytes);
        let symbol = number.and_then(|number| symbols.get(number as usize));
        let name = symbol.map(|symbol| cubin.symbol_name(symbol).into_owned());
        (record.attribute, name.unwrap_or_default(), payload)
    };
    records.iter().map(one).collect()
}

#[test]
fn samplers_start_as_they_are_initialised() {
    let code = "tex.2d.v4.f32.f32 {%f20,%f21,%f22,%f23}, [t1, m2, {%f1,%f2}]; st.global.v4.f32 [%rd3], {%f20,%f21,%f22,%f23};";
    let cubin = assembled("independent", code, false).expect("a cubin");
    let file = records(&cubin, ".nv.info");
    let of = |attribute: u8| {
        let all = file.iter().filter(|one| one.0 == attribute);
        all.map(|(_, name, payload)| (name.as_str(), payload[4..].to_vec()))
            .collect::<Vec<_>>()
    };
    // SAMPLER_INIT: three ways to address and a filter; 0xff is not said. SAMPLER_FORCE_UNNORMALIZED.
    let first = [("m1", vec![0xff; 4]), ("m2", vec![1, 0xff, 0xff, 1])];
    assert_eq!(of(0x09), first);
    assert_eq!(of(0x13), [("m2", vec![1, 0, 0, 0])]);
    // TEXMODE_INDEPENDENT, and in the kernel's section the banks of textures and surfaces.
    assert!(file.iter().any(|one| one.0 == 0x4d));
    let kernel = records(&cubin, ".nv.info.k");
    assert!(
        [0x15, 0x16]
            .iter()
            .all(|bank| kernel.iter().any(|one| one.0 == *bank))
    );
    let plain = assembled("unified", "st.global.u32 [%rd3], 1;", false).expect("a cubin");
    assert!(records(&plain, ".nv.info").iter().all(|one| one.0 != 0x4d));
    assert!(
        records(&plain, ".nv.info.k")
            .iter()
            .all(|one| one.0 != 0x15)
    );
    assert!(plain.section(".rela.nv.constant0.k").is_none());
}

#[test]
fn what_is_not_a_handle_is_refused() {
    let array = "\n.version 8.5\n.target sm_90\n.address_size 64\n\
                 .visible .entry k(.param .texref p) { ret; }\n";
    let source = Source::new("kernel.ptx", array).expect("a short text");
    let options = Options::new("sm_90".parse().expect("a chip"));
    let made = assemble(&source, &options);
    let first = made.diagnostics.first_error().expect("an error");
    assert!(first.message.contains("as parameters"), "{}", first.message);
}
