//! Functions of the system, functions by their addresses, variables of special kinds, and tables of lines in cubins.

use warpc::{Options, Source, assemble};
use warpc_cubin::attribute::info;
use warpc_cubin::{Content, Cubin, Record, Symbol, Value};

const HEAD: &str = ".version 8.5\n.target sm_90\n.address_size 64\n";

fn try_with(text: &str, how: impl Fn(&mut Options)) -> Result<Cubin, String> {
    let mut options = Options::new("sm_90".parse().expect("a chip"));
    options.assembler.verify = true;
    how(&mut options);
    let source = Source::new("kernel.ptx", format!("{HEAD}{text}")).expect("a short text");
    let made = assemble(&source, &options);
    made.value.ok_or_else(|| {
        let first = made.diagnostics.first_error();
        first.map_or_else(String::new, |one| one.message.clone())
    })
}

fn made(text: &str) -> Cubin {
    try_with(text, |_| {}).unwrap_or_else(|why| panic!("{why}\n{text}"))
}

fn symbol<'a>(cubin: &'a Cubin, name: &str) -> (u32, &'a Symbol) {
    let (_, symbols) = cubin.symbols();
    let all = (0u32..).zip(symbols);
    let mut all = all.filter(|(_, one)| cubin.symbol_name(one) == name);
    all.next().unwrap_or_else(|| panic!("no symbol {name}"))
}

fn records(cubin: &Cubin, section: &str) -> Vec<Record> {
    let (_, section) = cubin.section(section).expect("a section");
    match &section.content {
        Content::Info(records) => records.clone(),
        _ => panic!("no records"),
    }
}

fn record(cubin: &Cubin, attribute: u8) -> Option<Value> {
    let all = records(cubin, ".nv.info.k");
    let found = all.iter().find(|one| one.attribute == attribute);
    found.map(Record::value)
}

fn bytes(cubin: &Cubin, section: &str) -> Vec<u8> {
    let (_, section) = cubin
        .section(section)
        .unwrap_or_else(|| panic!("no {section}"));
    match &section.content {
        Content::Bytes(bytes) => bytes.clone(),
        _ => panic!("no bytes"),
    }
}

const PRINTS: &str = "
.extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);
.extern .func free (.param .b64 a);
.global .align 1 .b8 text[4] = {104, 105, 10, 0};
.visible .entry k(.param .u64 p)
{
 .reg .b32 %r<4>;
 .reg .b64 %rd<4>;
 ld.param.u64 %rd1, [p];
 mov.u64 %rd2, text;
 cvta.global.u64 %rd3, %rd2;
 { .param .b64 p0; .param .b64 p1; .param .b32 r0;
   st.param.b64 [p0], %rd3; st.param.b64 [p1], 0;
   call.uni (r0), vprintf, (p0, p1);
   ld.param.b32 %r1, [r0]; }
 st.global.u32 [%rd1], %r1;
 ret;
}";

#[test]
fn a_function_of_the_system_is_an_undefined_symbol() {
    let cubin = made(PRINTS);
    let (number, function) = symbol(&cubin, "vprintf");
    assert_eq!((function.section, function.binding()), (0, 1));
    assert_eq!(
        record(&cubin, info::EXTERNS),
        Some(Value::Symbols(vec![number]))
    );
    let Some(Value::Offsets(calls)) = record(&cubin, info::SYSCALL_OFFSETS) else {
        panic!("no calls");
    };
    assert_eq!(calls.len(), 1);
    let (_, graph) = cubin.section(".nv.callgraph").expect("calls");
    let Content::CallGraph(edges) = &graph.content else {
        panic!("no edges");
    };
    let kernel = symbol(&cubin, "k").0;
    assert!(
        edges
            .iter()
            .any(|one| (one.caller, one.callee) == (kernel, number))
    );
    // Only what is called is wanted of the driver; the address of the variable comes after the function's.
    let (_, symbols) = cubin.symbols();
    assert!(symbols.iter().all(|one| cubin.symbol_name(one) != "free"));
    assert_eq!(bytes(&cubin, ".nv.constant4").len(), 16);
}

#[test]
fn functions_that_nobody_has_are_refused() {
    let text = PRINTS.replace("vprintf", "printf_of_mine");
    let why = try_with(&text, |_| {}).expect_err("a refusal");
    assert!(why.contains("printf_of_mine"), "{why}");
}

const TABLE: &str = "
.func (.param .b32 r) f (.param .b32 a)
{ .reg .b32 %r<3>; ld.param.u32 %r1, [a]; add.u32 %r2, %r1, 17; st.param.b32 [r], %r2; ret; }
.func (.param .b32 r) g (.param .b32 a)
{ .reg .b32 %r<3>; ld.param.u32 %r1, [a]; mul.lo.u32 %r2, %r1, 17; st.param.b32 [r], %r2; ret; }
.global .align 8 .u64 table[3] = {g, 0, f};
.visible .entry k(.param .u64 p)
{
 .reg .b32 %r<4>;
 .reg .b64 %rd<4>;
 ld.param.u64 %rd1, [p];
 ld.global.u64 %rd2, [%rd1];
 { .param .b32 p0; .param .b32 r0;
   st.param.b32 [p0], 3;
   P: .callprototype (.param .b32 _) _ (.param .b32 _);
   call (r0), %rd2, (p0), P;
   ld.param.b32 %r1, [r0]; }
 st.global.u32 [%rd1], %r1;
 ret;
}
.visible .entry other(.param .u64 p) { ret; }";

#[test]
fn addresses_of_functions_are_places_in_a_table() {
    let cubin = made(TABLE);
    // The table of a kernel has where its functions begin; the addresses in variables are places in it.
    let table = bytes(&cubin, ".nv.constant2.k");
    let entry = |at: usize| {
        let bytes: [u8; 8] = table[at..at + 8].try_into().expect("eight bytes");
        u64::from_le_bytes(bytes)
    };
    let place = |name: &str| symbol(&cubin, name).1.value;
    assert_eq!(table.len(), 24);
    assert_eq!((entry(8), entry(16)), (place("$k$f"), place("$k$g")));
    let variable = bytes(&cubin, ".nv.global.init");
    assert_eq!(variable[0], 16);
    assert_eq!((variable[8], variable[16]), (0, 8));
    // Who calls nothing has neither functions nor a table.
    assert!(cubin.section(".nv.constant2.other").is_none());
}

#[test]
fn variables_are_weak_and_managed_where_they_say_so() {
    let cubin = made(
        ".weak .global .align 4 .u32 w;\n.visible .global .attribute(.managed) .align 4 .u32 m;\n\
         .visible .entry k() { .reg .b32 %r<3>; ld.global.u32 %r1, [w]; st.global.u32 [m], %r1; ret; }",
    );
    assert_eq!(symbol(&cubin, "w").1.binding(), 2);
    assert_eq!(symbol(&cubin, "m").1.other, Symbol::MANAGED);
    let text =
        ".visible .global .attribute(.unified(1,2)) .align 4 .u32 u;\n.visible .entry k() { ret; }";
    let why = try_with(text, |_| {}).expect_err("a refusal");
    assert!(why.contains("unified"), "{why}");
}

#[test]
fn attributes_follow_directives_and_code() {
    let most = |directives: &str| {
        let cubin = made(&format!(".visible .entry k() {directives} {{ ret; }}"));
        match record(&cubin, info::MAXREG_COUNT) {
            Some(Value::Number(most)) => most,
            other => panic!("{other:?}"),
        }
    };
    // What ptxas 13.4 writes.
    let known = [
        ("", 0xff),
        (".maxntid 128 .minnctapersm 4", 0x80),
        (".maxntid 100 .minnctapersm 3", 0xa8),
        (".maxntid 1024", 0x40),
        (".maxntid 128 .minnctapersm 1", 0xff),
        (".reqntid 256 .minnctapersm 4", 0x40),
        (".minnctapersm 4", 0xff),
        (".maxntid 128 .minnctapersm 4 .maxnreg 40", 0x28),
        (".maxntid 96 .minnctapersm 5", 0x80),
        (".maxntid 64, 4, 2 .minnctapersm 3", 0x28),
    ];
    for (directives, registers) in known {
        assert_eq!(most(directives), registers, "{directives}");
    }
    let cubin = made(".visible .entry k() { griddepcontrol.launch_dependents; ret; }");
    assert_eq!(record(&cubin, info::PREEXIT_USED), Some(Value::Number(1)));
    let cubin = made(
        ".visible .entry k(.param .u64 .ptr .global .align 16 a, .param .u64 .ptr b,\n\
         .param .align 4 .b8 c[4], .param .align 32 .b8 d[32]) { ret; }",
    );
    let parameters = records(&cubin, ".nv.info.k");
    let parameters = parameters.iter().filter_map(|one| match one.value() {
        Value::Parameter(one) => Some((one.offset, one.space, one.log_alignment)),
        _ => None,
    });
    // The last one is a multiple of 32 in the bank, in which they begin at 0x210.
    let wanted = [(0x30, 0, 0), (0x10, 0, 0), (8, 5, 0), (0, 4, 4)];
    assert!(parameters.eq(wanted));
    let cubin = made(".visible .entry k(.param .u32 a, .param .align 4 .b8 c[5000]) { ret; }");
    let is_wide = |one: &Record| one.attribute == info::KPARAM_INFO_V2;
    assert_eq!(
        records(&cubin, ".nv.info.k")
            .iter()
            .filter(|one| is_wide(one))
            .count(),
        2
    );
}

#[test]
fn lines_are_said_if_they_are_asked_for() {
    let text = "
.file 1 \"/src/a.cu\"
.file 2 \"/src/b.h\"
.visible .entry k(.param .u64 p)
{
 .reg .b32 %r<3>;
 .reg .b64 %rd<2>;
 .loc 1 10 0
 ld.param.u64 %rd1, [p];
 ld.global.u32 %r1, [%rd1];
 .loc 2 20 3, function_name $name, inlined_at 1 10 0
 add.u32 %r1, %r1, 7;
 .loc 1 11 0
 st.global.u32 [%rd1], %r1;
 ret;
}
.section .debug_str { $name: .b8 102, 0 }";
    let cubin = try_with(text, |options| options.lineinfo = true).expect("a cubin");
    let table = bytes(&cubin, ".debug_line");
    let has = |wanted: &[u8]| table.windows(wanted.len()).any(|bytes| bytes == wanted);
    assert!(has(b"/src\0\0a.cu\0\x01\0\0b.h\0"));
    // The second row is of inlined code: the first one of it stands for the call, and the name is at the beginning.
    assert!(has(&[0, 3, 0x90, 2, 0]), "{table:x?}");
    assert_eq!(bytes(&cubin, ".debug_str"), b"f\0");
    let ptx = bytes(&cubin, ".nv_debug_ptx_txt");
    let lines: Vec<&[u8]> = ptx.split(|byte| *byte == 0).collect();
    assert_eq!(lines[0], b".version 8.5");
    assert_eq!(lines[10], b"");
    assert_eq!(lines[11], b"ld.param.u64 %rd1, [p];");
    assert!(cubin.section(".rela.nv_debug_line_sass").is_some());
    assert_eq!(warpc_cubin::verify(&cubin), []);
    assert!(made(text).section(".debug_line").is_none());
}
