//! The assembler's routines (`__cuda_sm70_…`, `__cuda_reduxsync_…`), called from PTX: assembled, and run on the emulator of
//! machine code.

use std::process::Command;
use warpc_testkit::scratch::Folder;

/// A declaration of a routine, and a call of it with these words; the result goes to `%r0`.
fn call(name: &str, args: &[(&str, &str)], result: usize) -> (String, String) {
    let params = args.iter().enumerate();
    let params = params.map(|(number, (ty, _))| format!(".param .{ty} a{number}"));
    let params = params.collect::<Vec<_>>().join(", ");
    let returned = match result {
        0 => String::new(),
        4 => "(.param .b32 r) ".to_owned(),
        _ => "(.param .align 4 .b8 r[8]) ".to_owned(),
    };
    let declared = format!(".extern .func {returned}{name}({params});\n");
    let mut code = "{\n".to_owned();
    for (number, (ty, value)) in args.iter().enumerate() {
        code += &format!(".param .{ty} a{number};\nst.param.{ty} [a{number}], {value};\n");
    }
    let names = (0..args.len()).map(|number| format!("a{number}"));
    let names = names.collect::<Vec<_>>().join(", ");
    code += &match result {
        0 => format!("call {name}, ({names});\nmov.u32 %r0, 0;\n"),
        4 => format!(".param .b32 r;\ncall (r), {name}, ({names});\nld.param.b32 %r0, [r];\n"),
        _ => format!(
            ".param .align 4 .b8 r[8];\ncall (r), {name}, ({names});\n\
             ld.param.b32 %r0, [r];\nld.param.b32 %r9, [r+4];\nmad.lo.u32 %r0, %r9, 1000, %r0;\n"
        ),
    };
    (declared, code + "}\n")
}

/// Routine, arguments, bytes of the result, and what lane 3 of the second warp gets.
type Case = (String, Vec<(&'static str, &'static str)>, usize, u64);

fn cases() -> Vec<Case> {
    let mut all: Vec<Case> = Vec::new();
    let mut add = |name: &str, args: &[(&'static str, &'static str)], result, expected| {
        all.push((name.to_owned(), args.to_vec(), result, expected));
    };
    // `%r1` is the thread's number in the block, 35 here; `%r2` whether it is odd; `%r4` minus it, as a float.
    let lanes = 32..64u64;
    let sum = lanes.clone().sum::<u64>();
    for (name, expected) in [
        ("u32_add", sum),
        ("s32_add", sum),
        ("u32_min", 32),
        ("u32_max", 63),
        ("s32_min", 32),
        ("s32_max", 63),
        ("b32_and", 32),
        ("b32_or", 63),
        ("b32_xor", lanes.fold(0, |all, one| all ^ one)),
    ] {
        add(
            &format!("__cuda_reduxsync_{name}"),
            &[("b32", "%r1"), ("b32", "-1")],
            4,
            expected,
        );
    }
    for (name, expected) in [
        ("max", -32.0f32),
        ("min", -63.0),
        ("max_abs", 63.0),
        ("min_abs", 32.0),
        ("max_NaN", -32.0),
        ("min_NaN", -63.0),
        ("max_abs_NaN", 63.0),
        ("min_abs_NaN", 32.0),
    ] {
        let expected = expected.to_bits().into();
        add(
            &format!("__cuda_reduxsync_f32_{name}"),
            &[("b32", "%f4"), ("b32", "-1")],
            4,
            expected,
        );
    }
    for (name, expected) in [("all", 0), ("any", 1), ("uni", 0), ("ballot", 0xaaaa_aaaa)] {
        add(
            &format!("__cuda_sm70_votesync_{name}"),
            &[("b32", "-1"), ("b32", "%r2")],
            4,
            expected,
        );
    }
    for (name, clamp, expected, is_inside) in [
        ("idx", "31", 34, true),
        ("up", "0", 33, true),
        ("down", "31", 37, true),
        ("bfly", "31", 33, true),
    ] {
        let args = [("b32", "-1"), ("b32", "%r1"), ("b32", "2"), ("b32", clamp)];
        add(&format!("__cuda_sm70_shflsync_{name}"), &args, 4, expected);
        let both = expected + 1000 * u64::from(is_inside);
        add(&format!("__cuda_sm70_shflsync_{name}_pred"), &args, 8, both);
    }
    add(
        "__cuda_sm70_matchsync_any_b32",
        &[("b32", "-1"), ("b32", "%r2")],
        4,
        0xaaaa_aaaa,
    );
    add(
        "__cuda_sm70_matchsync_any_b64",
        &[("b32", "-1"), ("b64", "%d2")],
        4,
        0xaaaa_aaaa,
    );
    add(
        "__cuda_sm70_matchsync_all_b32",
        &[("b32", "-1"), ("b32", "7")],
        8,
        (0xffff_ffff + 1000) & 0xffff_ffff,
    );
    add(
        "__cuda_sm70_matchsync_all_b64",
        &[("b32", "-1"), ("b64", "%d2")],
        8,
        0,
    );
    add("__cuda_sm70_warpsync", &[("b32", "-1")], 0, 0);
    for number in 0..16 {
        for (what, result, expected) in [
            ("sync", 0, 0),
            ("red_and", 4, 0),
            ("red_or", 4, 1),
            ("red_popc", 4, 32),
        ] {
            let truth: &[_] = if result == 0 { &[] } else { &[("b32", "%r2")] };
            let counted = [&[("b32", "64")], truth].concat();
            add(
                &format!("__cuda_sm70_barrier_{what}_{number}"),
                truth,
                result,
                expected,
            );
            add(
                &format!("__cuda_sm70_barrier_{what}_{number}_cnt"),
                &counted,
                result,
                expected,
            );
        }
    }
    all
}

#[test]
fn every_routine_does_what_its_name_says() {
    let folder = Folder::new("routines");
    let cases = cases();
    let (mut declared, mut code) = (String::new(), String::new());
    for (number, (name, args, result, _)) in cases.iter().enumerate() {
        let (head, call) = call(name, args, *result);
        declared += &head;
        code += &call;
        code += &format!("@%p3 st.global.u32 [%d1+{}], %r0;\n", 4 * number);
    }
    // Who arrives does not wait, and the other warp does: a barrier of another number, or one that counts otherwise, is
    // waited at for ever.
    for number in 0..16 {
        for (count, args) in [("", &[][..]), ("_cnt", &[("b32", "64")])] {
            let name = format!("__cuda_sm70_barrier_arrive_{number}{count}");
            let (head, arrive) = call(&name, args, 0);
            declared += &head;
            // Both meet at another one, or who arrived would arrive again before the other has waited.
            let next = (number + 1) % 16;
            code += &format!(
                "@%p4 bra WAIT{number}{count};\n{arrive}bra DONE{number}{count};\n\
                 WAIT{number}{count}:\nbarrier.sync {number}, 64;\nDONE{number}{count}:\nbarrier.sync {next}, 64;\n"
            );
        }
    }
    let text = format!(
        ".version 8.0\n.target sm_90\n.address_size 64\n{declared}.visible .entry k(.param .u64 p)\n{{\n\
         .reg .b32 %r<10>;\n.reg .f32 %f<5>;\n.reg .b64 %d<3>;\n.reg .pred %p<5>;\nld.param.u64 %d1, [p];\n\
         mov.u32 %r1, %tid.x;\nand.b32 %r2, %r1, 1;\ncvt.u64.u32 %d2, %r2;\ncvt.rn.f32.u32 %f4, %r1;\nneg.f32 %f4, %f4;\n\
         setp.eq.u32 %p3, %r1, 35;\nsetp.lt.u32 %p4, %r1, 32;\n{code}ret;\n}}\n"
    );
    let file = folder.file("k.ptx", text.as_bytes());
    let cubin = folder.path().join("k.cubin");
    let made = Command::new(env!("CARGO_BIN_EXE_warpc"))
        .args(["compile", "--verify", "-o"])
        .args([&cubin, &file])
        .output()
        .expect("warpc runs");
    assert!(
        made.status.success(),
        "{}",
        String::from_utf8_lossy(&made.stderr)
    );
    let expected: Vec<String> = cases.iter().map(|case| case.3.to_string()).collect();
    let count = cases.len();
    let ran = Command::new(env!("CARGO_BIN_EXE_warpc"))
        .arg("run")
        .arg(&cubin)
        .args([
            "--grid",
            "1",
            "--block",
            "64",
            "--arg",
            &format!("u32[{count}]=0"),
        ])
        .args(["--expect", &format!("0:u32[]={}", expected.join(","))])
        .output()
        .expect("warpc runs");
    let said =
        String::from_utf8_lossy(&ran.stderr).into_owned() + &String::from_utf8_lossy(&ran.stdout);
    assert!(ran.status.success(), "{said}");
    assert_eq!(count, 17 + 4 + 8 + 4 + 1 + 128);
}

#[test]
fn a_routine_that_is_declared_otherwise_is_refused() {
    let folder = Folder::new("routines");
    let text = ".version 8.0\n.target sm_90\n.address_size 64\n.extern .func __cuda_sm70_warpsync(.param .b64 m);\n\
                .visible .entry k() { ret; }\n";
    let file = folder.file("k.ptx", text.as_bytes());
    let made = Command::new(env!("CARGO_BIN_EXE_warpc"))
        .arg("compile")
        .arg(&file)
        .output()
        .expect("warpc runs");
    let said = String::from_utf8_lossy(&made.stderr).into_owned();
    assert_eq!(made.status.code(), Some(1), "{said}");
    assert!(said.contains("__cuda_sm70_warpsync"), "{said}");
}
