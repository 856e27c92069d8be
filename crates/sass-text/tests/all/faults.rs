//! Faults in assembly texts: one message each, at the line that has the fault, with help.

use warpc_diag::SourceFile;
use warpc_sass_text::assembly;

const SCALE: &str = "\
.target sm_90
.kernel scale
.registers 12
.param u64 x
.param 12 align 4 three
loop:
    [B------:R-:W0:-:S02] LDC.64 R2, c[0x0][x] ;
    [B0-----:R-:W1:-:S02] LDC R4, c[0x0][three] ;
    [B-1----:R-:W-:-:S05] BRA `(loop) ;
    [B------:R-:W-:-:S05] EXIT ;
";

/// What is said about a text: line and message.
fn said(text: &str) -> Vec<(usize, String)> {
    let file = SourceFile::new("k.sass", text).expect("a short text");
    let read = assembly::read(&file);
    assert_eq!(read.value.is_none(), read.diagnostics.has_errors());
    let all = read.diagnostics.as_slice().iter();
    all.map(|one| {
        assert!(one.help.is_some(), "{} has no help", one.message);
        (file.position(one.span.start).line, one.message.clone())
    })
    .collect()
}

#[test]
fn each_fault_is_named_once_where_it_is() {
    assert_eq!(said(SCALE), []);
    let cases: [(&str, &str, usize, &str); 17] = [
        (
            ".registers 12",
            ".registers 300",
            3,
            "0x12c does not fit 8 bits",
        ),
        (
            ".registers 12",
            ".registers 12\n.barriers 17",
            4,
            "at most 16 barriers",
        ),
        (
            ".registers 12",
            ".registers 12\n.maxntid 8, 0",
            4,
            "each dimension is at least 1",
        ),
        (
            ".registers 12",
            ".registers 12\n.shared 0xfffffffff",
            4,
            "does not fit 32 bits",
        ),
        (
            "[x]",
            "[x+8]",
            7,
            "`x+8` is not inside the parameter, which has 8 bytes",
        ),
        ("[x]", "[x-0x4]", 7, "`x-0x4` is not inside the parameter"),
        (
            "[x]",
            "[x+0x1000000]",
            7,
            "`x+0x1000000` is not inside the parameter",
        ),
        (
            "[three]",
            "[three+q]",
            8,
            "`three+q` is not inside the parameter",
        ),
        ("BRA `(loop)", "BRA `(pool)", 9, "there is no label `pool`"),
        (
            "    [B------:R-:W-:-:S05] EXIT",
            "loop:\n    [B------:R-:W-:-:S05] EXIT",
            10,
            "the label `loop` is there twice",
        ),
        (
            "sm_90",
            "sm_107",
            7,
            "the machine code of sm_107 is not described",
        ),
        (
            "LDC.64 R2, c[0x0][x]",
            ".unknown 0x1",
            7,
            "the name of an instruction is missing",
        ),
        (
            "EXIT ;\n",
            "EXIT ;\n.global v\n.u8 300\n",
            12,
            "0x12c does not fit 8 bits",
        ),
        (
            "EXIT ;\n",
            "EXIT ;\n.global v\n.u8 3\n.global v\n.u8 4\n",
            13,
            "there are two things called `v`",
        ),
        (
            "EXIT ;\n",
            "EXIT ;\n.global scale\n.u8 3\n",
            11,
            "there are two things called `scale`",
        ),
        (
            "EXIT ;\n",
            "EXIT ;\n.global v\n.u8 3\n.address w\n",
            13,
            "`w`, whose address is wanted, is not there",
        ),
        (
            ".registers 12",
            ".registers 12\n.reloc loop, R_CUDA_ABS32_LO_32, w",
            4,
            "`w`, whose address is wanted, is not there",
        ),
    ];
    for (from, to, line, message) in cases {
        let text = SCALE.replacen(from, to, 1);
        assert_ne!(text, SCALE, "{from}");
        let said = said(&text);
        // Every instruction of a chip that is not described is refused.
        assert!(said.len() == 1 || to == "sm_107", "{to}: {said:?}");
        assert_eq!(said[0].0, line, "{to}: {said:?}");
        assert!(said[0].1.contains(message), "{to}: {said:?}");
    }
}

#[test]
fn offsets_in_parameters_are_decimal_or_hexadecimal() {
    let made = |offset: &str| {
        let text = SCALE.replace("[three]", &format!("[three{offset}]"));
        let file = SourceFile::new("k.sass", text).expect("a short text");
        assembly::read(&file).unwrap().write()
    };
    assert_eq!(made("+10"), made("+0xa"));
    assert_ne!(made("+10"), made("+0x8"));
    assert_eq!(made("+0"), made(""));
}
