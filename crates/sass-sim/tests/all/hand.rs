//! Kernels of `tests/kernels/sass`, which a GPU has run: the same results here, and damaged schedules are seen.

use warpc_cubin::Cubin;
use warpc_diag::SourceFile;
use warpc_sass::latency::{File, Hazard};
use warpc_sass_sim::{Argument, Device, Launch, Options, Problem};
use warpc_testkit::project::tests;

fn text(name: &str) -> String {
    let path = tests().join(format!("kernels/sass/{name}.sass"));
    std::fs::read_to_string(path).expect("a kernel of the suite")
}

fn assembled(text: &str) -> Cubin {
    let file = SourceFile::new("kernel.sass", text).expect("a short text");
    warpc_sass_text::assembly::read(&file)
        .value
        .expect("a kernel that assembles")
}

/// Adds two vectors of 100 numbers with the kernel of a text; the sums and what was found.
fn vector_add(text: &str) -> (Vec<f32>, Vec<Problem>) {
    let bytes = |values: &dyn Fn(u32) -> f32| -> Vec<u8> {
        (0..100).flat_map(|i| values(i).to_le_bytes()).collect()
    };
    let mut device = Device::new(&assembled(text), Options::default()).expect("it loads");
    let a = device.buffer(&bytes(&|i| i as f32));
    let b = device.buffer(&bytes(&|i| 0.5 * i as f32));
    let c = device.buffer(&bytes(&|_| -1.0));
    let mut arguments: Vec<Argument> = [a, b, c].into_iter().map(Argument::Buffer).collect();
    arguments.push(Argument::Value(90u32.to_le_bytes().to_vec()));
    let launch = Launch {
        kernel: "vector_add".to_owned(),
        grid: [4, 1, 1],
        block: [32, 1, 1],
        cluster: None,
        dynamic_shared: 0,
        cooperative: false,
        arguments,
    };
    let _ = device.launch(&launch);
    let sums = device
        .read(c)
        .chunks(4)
        .map(|word| f32::from_le_bytes(word.try_into().expect("four bytes")))
        .collect();
    (
        sums,
        device
            .findings()
            .iter()
            .map(|one| one.problem.clone())
            .collect(),
    )
}

#[test]
fn sums_of_vectors() {
    let (sums, found) = vector_add(&text("vector_add"));
    assert_eq!(found, []);
    for (i, sum) in sums.iter().enumerate() {
        let wanted = if i < 90 { 1.5 * i as f32 } else { -1.0 };
        assert_eq!(*sum, wanted, "{i}");
    }
}

#[test]
fn a_missing_wait_is_found_and_the_old_value_read() {
    let text =
        text("vector_add").replace("[B0-----:R-:W-:Y:S06] FADD", "[B------:R-:W-:Y:S06] FADD");
    let (sums, found) = vector_add(&text);
    let early: Vec<_> = found
        .iter()
        .filter_map(|problem| match problem {
            Problem::Early(early) => Some((early.hazard, early.file, early.number)),
            _ => None,
        })
        .collect();
    assert!(
        early.contains(&(Hazard::ReadAfterWrite, File::Register, 8)),
        "{early:?}"
    );
    assert_eq!(sums[10], 0.0);
}

#[test]
fn a_short_stall_is_found() {
    let whole = text("vector_add");
    let text = whole.replace("[B01----:R-:W-:Y:S06] IMAD", "[B01----:R-:W-:Y:S02] IMAD");
    assert_ne!(whole, text);
    let (_, found) = vector_add(&text);
    assert!(
        found
            .iter()
            .any(|one| matches!(one, Problem::Early(early) if early.number == 0)),
        "{found:?}"
    );
}

#[test]
fn an_access_outside_of_a_buffer_ends_the_run() {
    let text = text("vector_add").replace(
        "STG.E desc[UR4][R6.64], R8",
        "STG.E desc[UR4][R6.64+0x1000], R8",
    );
    let (_, found) = vector_add(&text);
    assert!(
        matches!(found[..], [Problem::OutOfBounds { .. }]),
        "{found:?}"
    );
}

/// Lanes 8 to 11 leave a barrier, at which two groups of lanes wait that become one; lanes 12 to 15, which come after them in the list
/// of groups, still execute each of their instructions.
#[test]
fn who_leaves_a_barrier_moves_nobody_else_on() {
    let body = "\
.target sm_90

.kernel parts
.registers 12
.param u64 out

    [B------:R-:W0:-:S02] S2R R0, SR_LANEID ;
    [B------:R-:W-:Y:S08] ULDC.64 UR4, c[0x0][0x208] ;
    [B------:R-:W1:-:S02] LDC.64 R2, c[0x0][out] ;
    [B01----:R-:W-:Y:S06] IMAD.WIDE.U32 R2, R0, 0x4, R2 ;
    [B------:R-:W-:Y:S06] MOV R4, RZ ;
    [B------:R-:W-:Y:S06] MOV R5, 0x3e8 ;
    [B------:R-:W-:Y:S13] ISETP.LT.U32.AND P0, PT, R0, 0x4, PT ;
    [B------:R-:W-:Y:S13] ISETP.LT.U32.AND P1, PT, R0, 0x8, PT ;
    [B------:R-:W-:Y:S13] ISETP.LT.U32.AND P2, PT, R0, 0x10, PT ;
    [B------:R-:W-:Y:S13] ISETP.GE.U32.AND P4, PT, R0, 0xc, PT ;
    [B------:R-:W-:Y:S05] BSSY B0, `(.MET) ;
    [B------:R-:W-:Y:S05] @P4 BREAK B0 ;
    [B------:R-:W-:Y:S05] @P0 BRA `(.WAIT) ;
    [B------:R-:W-:Y:S05] @P1 BRA `(.WAIT) ;
    [B------:R-:W-:Y:S05] @P2 BRA `(.LEAVE) ;
    [B------:R-:W-:Y:S05] BRA `(.COUNT) ;
.LEAVE:
    [B------:R-:W-:Y:S05] @P4 BRA `(.COUNT) ;
    [B------:R-:W-:Y:S05] BREAK B0 ;
    [B------:R-:W-:Y:S05] BRA `(.COUNT) ;
.WAIT:
    [B------:R-:W-:Y:S05] BSYNC B0 ;
.MET:
    [B------:R-:W-:Y:S05] BRA `(.COUNT) ;
.COUNT:
    [B------:R-:W-:Y:S06] VIADD R4, R4, 0x1 ;
    [B------:R-:W-:Y:S06] VIADD R5, R5, 0xffffffff ;
    [B------:R-:W-:Y:S13] ISETP.NE.U32.AND P3, PT, R5, RZ, PT ;
    [B------:R-:W-:Y:S05] @P3 BRA `(.COUNT) ;
    [B------:R-:W-:-:S02] STG.E desc[UR4][R2.64], R4 ;
    [B------:R-:W-:-:S05] EXIT ;
";
    let mut device = Device::new(&assembled(body), Options::default()).expect("it loads");
    let out = device.buffer(&[0; 128]);
    let launch = Launch {
        kernel: "parts".to_owned(),
        grid: [1, 1, 1],
        block: [32, 1, 1],
        cluster: None,
        dynamic_shared: 0,
        cooperative: false,
        arguments: vec![Argument::Buffer(out)],
    };
    let _ = device.launch(&launch);
    assert_eq!(
        device.findings().first().map(|one| one.problem.clone()),
        None
    );
    let words = device.read(out);
    let counts: Vec<u32> = words
        .chunks(4)
        .map(|word| u32::from_le_bytes(word.try_into().expect("four bytes")))
        .collect();
    assert_eq!(counts, [1000; 32]);
}
