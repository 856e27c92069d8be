//! Requests from flags: what fits, and what is refused with its columns.

use super::*;
use warpc_launch::Argument;

const TEXT: &str = ".version 8.0\n.target sm_90\n.address_size 64\n\
    .entry k(.param .u64 data, .param .f32 scale, .param .align 8 .b8 pair[16], .param .u32 count)\n\
    { ret; }\n";

fn request(arguments: &[&str], flags: &[&str]) -> Result<Request, String> {
    let file = SourceFile::new("k.ptx", TEXT).expect("a short text");
    let module = warpc_ptx::check(&file).unwrap();
    let of = |flag: &str| {
        flags
            .iter()
            .filter_map(|text| text.strip_prefix(flag))
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let options = Options {
        grid: Some([1; 3]),
        block: Some([1; 3]),
        arg: arguments.iter().map(|text| (*text).to_owned()).collect(),
        print: of("print "),
        expect: of("expect "),
        ..Options::default()
    };
    Request::new(&module, &options).map_err(|refused| {
        let all = refused.as_slice().iter();
        all.map(|d| format!("{}: {}\n", d.code.0, d.message))
            .collect()
    })
}

#[test]
fn arguments_that_fit() {
    let flags = [
        "print 0:3",
        "print data",
        "expect 0:u32[2]=0,0",
        "expect data:=1",
    ];
    let request =
        request(&["u32[4]=iota", "f32=1.5", "{u32=1,&0}", "s32=-1"], &flags).expect("all is right");
    assert_eq!(request.launch().arguments[0], Argument::Buffer(0));
    assert_eq!(
        request.launch().arguments[1],
        Argument::Value(1.5f32.to_le_bytes().to_vec())
    );
    let Argument::Struct {
        bytes, addresses, ..
    } = &request.launch().arguments[2]
    else {
        panic!("it holds an address");
    };
    assert_eq!((bytes.len(), &addresses[..]), (16, &[(8, 0)][..]));
    assert_eq!(
        request.launch().arguments[3],
        Argument::Value(vec![0xff; 4])
    );
    assert_eq!(request.steps[0].shown[0].count, Some(3));
    assert_eq!(request.steps[0].shown[1].memory, Memory::Buffer(0));
    assert_eq!(request.steps[0].expected[0].bytes, [0; 8]);
    assert_eq!(request.steps[0].expected[1].bytes.len(), 16);
    // Bits fit any number of their size, arrays of the right size lie in array parameters.
    super::tests::request(&["u64=0", "b32=0", "u32[4]=1", "b32=1"], &[]).expect("they fit");
    super::tests::request(
        &[
            "null",
            "f32=0",
            "hex:00_00_00_00_00_00_00_00_00_00_00_00_00_00_00_00",
            "u32=1",
        ],
        &[],
    )
    .expect("they fit");
}

#[test]
fn arguments_that_do_not_fit() {
    let good = ["u32[4]=0", "f32=0", "{u64=0,u64=0}", "u32=0"];
    for (number, text, message) in [
        (
            0,
            "u32=7",
            "W0702: argument 0 is a u32 of 4 bytes, its parameter is `data`, .u64, 8 bytes",
        ),
        (0, "f64=7", "argument 0 is an f64 of 8 bytes"),
        (
            1,
            "u32=1",
            "argument 1 is a u32 of 4 bytes, its parameter is `scale`, .f32",
        ),
        (1, "null", "argument 1 is an address of 8 bytes"),
        (
            2,
            "{u32=1}",
            "argument 2 is a value of 4 bytes, its parameter is `pair`, .b8[16], 16 bytes",
        ),
        (2, "&1", "argument 2 is an address"),
        (
            2,
            "{&1,u64=0}",
            "argument 2 points at argument 1, which is not a buffer",
        ),
        (3, "f32=1", "argument 3 is an f32"),
        (
            3,
            "u32[4]=0",
            "argument 3 is a buffer of u32 elements, its parameter is `count`, .u32",
        ),
        (3, "u16=1", "argument 3 is a u16 of 2 bytes"),
        (3, "u33=1", "W0705: `u33` is not a type"),
        (0, "u32[9999999999999]=0", "more than the 16 GB"),
    ] {
        let mut arguments = good;
        arguments[number] = text;
        let errors = request(&arguments, &[]).expect_err(text);
        assert!(errors.contains(message), "{text}: {errors}");
    }
    let errors = request(&["x", "y", "z", "u32=1"], &[]).expect_err("three are wrong");
    assert_eq!(errors.lines().count(), 3, "{errors}");
    let errors = request(&good[..3], &[]).expect_err("one is missing");
    assert!(
        errors.contains("takes 4 arguments, 3 were given"),
        "{errors}"
    );
}

#[test]
fn flags_that_do_not_fit() {
    let good = ["u32[4]=0", "f32=0", "{u64=0,u64=0}", "u32=0"];
    for (flag, message) in [
        ("print 1", "argument 1 is not a buffer"),
        ("print 9", "there is no argument `9`"),
        ("print date", "there is no argument `date`"),
        ("print 0:x", "the count is not a number"),
        ("expect 0", "the `:` is missing"),
        ("expect 3:u32=1", "argument 3 is not a buffer"),
        (
            "expect 0:u32[5]=0",
            "20 bytes are expected, the buffer has 16",
        ),
        (
            "expect 0:=1,2",
            "the buffer has 4 elements, 2 values are given",
        ),
        ("expect 0:null", "only elements can be expected"),
    ] {
        let errors = request(&good, &[flag]).expect_err(flag);
        assert!(errors.contains(message), "{flag}: {errors}");
    }
}

const SEQUENCE: &str = ".version 8.0\n.target sm_90\n.address_size 64\n\
    .const .align 4 .b8 _ZN4math5scaleE[16];\n.global .u32 total;\n\
    .entry _Z4fillIfEvPT_i(.param .u64 out, .param .u32 n) { ret; }\n\
    .entry _Z4fillIdEvPT_i(.param .u64 out, .param .u32 n) { ret; }\n\
    .entry sum(.param .u64 out, .param .align 8 .b8 s[16]) { ret; }\n";

/// The request of a `run:` line, or its messages with flag and columns.
fn fitted(line: &str) -> Result<Request, String> {
    let file = SourceFile::new("k.ptx", SEQUENCE).expect("a short text");
    let module = warpc_ptx::check(&file).unwrap();
    let words = crate::cases::words(line)?;
    let options = Options::parse(words)?;
    Request::new(&module, &options).map_err(|refused| {
        let all = refused.as_slice().iter();
        let one = |d: &Diagnostic| {
            let file = d.file.as_ref().map_or("k.ptx", |file| file.name());
            let Span { start, end } = d.span;
            let help = d.help.as_deref().unwrap_or("");
            format!("{file} {start}..{end}: {}\n{help}\n", d.message)
        };
        all.map(one).collect()
    })
}

const SHAPE: &str = "--grid 1 --block 32";

#[test]
fn launches_share_buffers() {
    let line = format!(
        "--kernel fill<float> {SHAPE} --buffer x:f32[4]=iota --arg &x --arg u32=4 --set scale:f32[2]=1,2 \
         --print x:2 --then '--kernel sum --cooperative --arg u32[1]=0 --arg {{&x,u32=4}} --expect out:=6 \
         --print @total --expect math::scale:f32=1' \
         --then '--arg &x --arg {{&u32[2]=7,8,ptr[1]=&x}} --print 1.0 --expect x:=0' --save x:x.npy"
    );
    let request = fitted(&line).expect("it is right");
    let names: Vec<&str> = request.buffers.iter().map(|b| b.name.as_str()).collect();
    assert_eq!(names, ["x", "out", "1.0"]);
    let [first, second, third] = &request.steps[..] else {
        panic!("three launches");
    };
    assert_eq!(first.launch.kernel, "_Z4fillIfEvPT_i");
    assert_eq!(first.assigned[0].variable, "_ZN4math5scaleE");
    assert_eq!(first.assigned[0].bytes.len(), 8);
    assert_eq!(
        (&first.shown[0].memory, first.shown[0].count),
        (&Memory::Buffer(0), Some(2))
    );
    assert!(!first.launch.cooperative && second.launch.cooperative);
    let of = |step: &Step| {
        let each = step.launch.arguments.iter();
        each.map(|one| one.buffers().collect::<Vec<_>>())
            .collect::<Vec<_>>()
    };
    assert_eq!(of(first), [vec![0], vec![]]);
    assert_eq!(of(second), [vec![1], vec![0]]);
    assert_eq!(of(third), [vec![0], vec![2, 0]]);
    assert_eq!(second.variables(), ["_ZN4math5scaleE", "total"]);
    assert_eq!(third.launch.kernel, "sum");
    assert_eq!(third.launch.block, [32, 1, 1]);
    assert_eq!(third.saved[0].memory, Memory::Buffer(0));
    assert!(first.saved.is_empty());
    assert_eq!(request.buffers[2].bytes, [7, 0, 0, 0, 8, 0, 0, 0]);
}

/// Buffers may have addresses of each other, whichever comes first.
#[test]
fn buffers_point_at_buffers() {
    let line = format!(
        "--kernel sum {SHAPE} --buffer a:{{u32=1,&b}} --buffer b:ptr[]=&a,null,&out,&u8=5 \
         --arg u32[1]=0 --arg {{&a,&b}}"
    );
    let request = fitted(&line).expect("it is right");
    let names: Vec<&str> = request.buffers.iter().map(|b| b.name.as_str()).collect();
    assert_eq!(names, ["a", "b", "out", "b.0"]);
    assert_eq!(request.buffers[0].addresses, [(8, 1)]);
    assert_eq!(request.buffers[1].addresses, [(0, 0), (16, 2), (24, 3)]);
    assert_eq!(request.buffers[1].bytes.len(), 32);
}

/// One name for a parameter, a buffer and a variable; numbers for arguments only.
#[test]
fn names_that_several_things_have() {
    let shown = |line: &str| {
        let request = fitted(line).unwrap_or_else(|errors| panic!("{line}\n{errors}"));
        let last = request.steps.last().expect("a launch");
        let each = last.shown.iter();
        each.map(|one| (one.memory.clone(), one.argument))
            .collect::<Vec<_>>()
    };
    let rest = "--arg u32=4";
    let fill = format!("--kernel fill<float> {SHAPE}");
    // The argument is the address of the buffer that has the parameter's name: both are the same memory.
    let line = format!("{fill} --buffer out:u32[4]=0 --arg &out {rest} --print out --print 0");
    let both = (Memory::Buffer(0), Some(0));
    assert_eq!(shown(&line), [both.clone(), both]);
    // The parameter's argument has no buffer, so the name is that of the buffer.
    let line = format!("{fill} --buffer out:u32[4]=0 --arg null {rest} --print out");
    assert_eq!(shown(&line), [(Memory::Buffer(0), None)]);
    let line = format!("{fill} --buffer n:u32[4]=0 --arg &n {rest} --print n --print 0");
    let first = (Memory::Buffer(0), Some(0));
    assert_eq!(shown(&line), [(Memory::Buffer(0), None), first]);
    // Addresses of other buffers, and of new ones.
    let line = format!("{fill} --buffer x:u32[4]=0 --arg &x {rest} --print out");
    assert_eq!(shown(&line), [(Memory::Buffer(0), Some(0))]);
    let line = format!("{fill} --arg &u32[4]=0 {rest} --print out --print 0.0");
    let new = Memory::Buffer(0);
    assert_eq!(shown(&line), [(new.clone(), Some(0)), (new, None)]);
    // New buffers of a later launch are numbered from 0 again.
    let line = format!(
        "{fill} --arg &u32[4]=0 {rest} --then '--arg &u32[4]=1 {rest} --print 0.0 --print 0'"
    );
    let second = Memory::Buffer(1);
    assert_eq!(shown(&line), [(second.clone(), None), (second, Some(0))]);
    // A variable, a parameter and a buffer.
    let line =
        format!("{fill} --buffer total:u32[4]=0 --arg &total {rest} --print total --print @total");
    let variable = Memory::Variable("total".to_owned());
    assert_eq!(shown(&line), [(Memory::Buffer(0), None), (variable, None)]);
    for (line, message) in [
        (
            format!("{fill} --buffer out:u32[4]=0 --arg u32[4]=1 {rest} --print out"),
            "`out` is a buffer and the parameter of argument 0, which is another buffer\nwrite `0`",
        ),
        (
            format!(
                "{fill} --buffer out:u32[4]=0 --buffer x:u32=1 --arg &x {rest} --expect out:=1"
            ),
            "--expect 0..3: `out` is a buffer and the parameter of argument 0",
        ),
        (
            format!("{fill} --buffer out:u32[4]=0 --buffer p:ptr[]=&out --arg u32[4]=1 {rest}"),
            "`out` is a buffer and the parameter of argument 0",
        ),
        (
            format!("{fill} --arg null {rest} --print out"),
            "argument 0 is not a buffer",
        ),
        (
            format!("{fill} --arg null {rest} --print +0"),
            "there is no argument `+0`",
        ),
        (
            format!("{fill} --arg null {rest} --print 99999999999999999999999"),
            "there is no argument `99999999999999999999999`",
        ),
    ] {
        let errors = fitted(&line).expect_err(&line);
        assert!(errors.contains(message), "{line}\n{errors}");
    }
}

#[test]
fn mistakes_of_names_have_their_columns() {
    let sum = format!(
        "--kernel sum {SHAPE} --arg u32[1]=0 --arg hex:{}",
        "00".repeat(16)
    );
    for (line, message) in [
        (
            format!("{SHAPE} --kernel fill"),
            "k.ptx 112..127: 2 kernels are called `fill`\nwrite one of them in full:\n  fill<float>(float*, int): _Z4fillIfEvPT_i\n  fill<double>(double*, int): _Z4fillIdEvPT_i",
        ),
        (format!("{SHAPE} --kernel fil"), "there is no kernel `fil`"),
        (
            format!("{sum} --buffer x"),
            "--buffer 0..1: the `:` is missing",
        ),
        (
            format!("{sum} --buffer 1x:u32=1"),
            "--buffer 0..2: `1x` is not a name",
        ),
        (
            format!("{sum} --buffer x:u33[4]=0"),
            "--buffer 2..5: `u33` is not a type",
        ),
        (
            format!("{sum} --buffer x:u32[4]=0 --buffer x:u32=1"),
            "--buffer 0..1: there is already a buffer `x`",
        ),
        (
            format!("{sum} --buffer x:null"),
            "--buffer 2..6: an address is not a buffer's contents",
        ),
        (
            format!("{sum} --buffer x:ptr[]=&y"),
            "buffer `x` points at `y`, and there is no such buffer\nthe buffers are 0 (`out`), `x`;",
        ),
        (
            format!("{sum} --set total"),
            "--set 0..5: the `:` is missing",
        ),
        (
            format!("{sum} --set totel:=1"),
            "--set 0..5: there is no variable `totel`",
        ),
        (
            format!("{sum} --set total:u64=1"),
            "--set 6..11: 8 bytes are given, the variable has 4",
        ),
        (
            format!("{sum} --set total:=x"),
            "--set 7..8: `x` is not an integer",
        ),
        (
            format!("{sum} --print nothing"),
            "--print 0..7: there is no argument `nothing`\nthe buffers are 0 (`out`); the module's variables are",
        ),
        (format!("{sum} --print @out"), "there is no variable `out`"),
        (
            format!("{sum} --print total:f99"),
            "--print 6..9: the count is not a number",
        ),
        (
            format!("{sum} --expect scale:f32[5]=0"),
            "--expect 6..14: 20 bytes are expected, the variable has 16",
        ),
        (
            format!("{sum} --save 0:"),
            "--save 0..2: the file is missing",
        ),
        (
            format!("{sum} --then '--arg u32[1]=0'"),
            "takes 2 arguments, 1 was given",
        ),
        (
            format!("{sum} --then '--seed 1'"),
            "--then 0..0: `--seed` in `--then`",
        ),
        (
            format!("{sum} --then '--gird 1'"),
            "unexpected argument '--gird'",
        ),
    ] {
        let errors = fitted(&line).expect_err(&line);
        assert!(errors.contains(message), "{line}\n{errors}");
    }
}
