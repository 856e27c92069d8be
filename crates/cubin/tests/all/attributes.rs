//! Which attributes a kernel gets for what it uses: `tests/oracle/eiattr.tsv` says it for each chip, as cuobjdump prints
//! it of ptxas's cubins; here our reader says it of the same cubins, recorded in `eiattr.cubins.gz`.
//!
//! With `WARPC_ORACLE_DIR` (`./x test`) ptxas makes the cubins anew; with `WARPC_BLESS` too (`./x bless`), they are
//! recorded.

use std::collections::BTreeMap;
use std::process::Command;
use warpc_cubin::attribute::document;
use warpc_cubin::{Content, Cubin, Format, Value};
use warpc_testkit::scratch::Folder;
use warpc_testkit::{gzip, project};

struct Case {
    feature: String,
    chip: String,
    ptx: String,
    /// The attributes beyond those of an empty kernel, or all of them for that one.
    wanted: String,
}

/// The rows of the table, chip by chip.
fn cases() -> Vec<Case> {
    let text = gzip::read_text(project::oracle("eiattr.tsv"));
    let mut lines = text
        .lines()
        .map(|line| line.split('\t').collect::<Vec<_>>());
    let chips = lines.next().expect("there is a head")[2..].to_vec();
    let mut cases = Vec::new();
    for row in lines {
        for (chip, wanted) in chips.iter().zip(&row[2..]) {
            if *wanted != "-" {
                cases.push(Case {
                    feature: row[0].to_owned(),
                    chip: (*chip).to_owned(),
                    ptx: ptx(chip, row[1]),
                    wanted: (*wanted).to_owned(),
                });
            }
        }
    }
    assert!(cases.len() > 120, "only {} cases", cases.len());
    cases
}

fn ptx(chip: &str, body: &str) -> String {
    format!(
        ".version 9.0\n.target {chip}\n.address_size 64\n.visible .entry k(.param .u64 p)\n{{\n \
         .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p<4>; ld.param.u64 %rd1,[p]; ld.global.u32 %r1,[%rd1+64]; \
         setp.ne.u32 %p1,%r1,0;\n {body}\n ret;\n}}\n"
    )
}

/// The attributes of the kernel that carry a value, with the values that the table has.
fn attributes(cubin: &Cubin) -> BTreeMap<&'static str, String> {
    let (_, section) = cubin.section(".nv.info.k").expect("the kernel has it");
    let Content::Info(records) = &section.content else {
        panic!("attributes stayed bytes");
    };
    let mut all = BTreeMap::new();
    for record in records.iter().filter(|one| one.format != Format::None) {
        let Some(row) = record.row() else {
            continue;
        };
        assert_eq!(row.format(), Some(record.format), "{}", row.name);
        assert!(!row.purpose.is_empty(), "{} is seen", row.name);
        let value = match record.value() {
            Value::Number(number)
                if ["EIATTR_NUM_BARRIERS", "EIATTR_NUM_MBARRIERS"].contains(&row.name) =>
            {
                format!("{number:#x}")
            }
            Value::Raw(_) => panic!("{} has no typed value", row.name),
            _ => String::new(),
        };
        all.entry(row.name).or_insert(value);
    }
    all
}

fn recorded() -> Vec<Vec<u8>> {
    let bytes = gzip::read(project::oracle("eiattr.cubins.gz"));
    let mut rest = &bytes[..];
    let mut all = Vec::new();
    while let Some((size, after)) = rest.split_first_chunk() {
        let (cubin, after) = after.split_at(u32::from_le_bytes(*size) as usize);
        all.push(cubin.to_vec());
        rest = after;
    }
    all
}

/// What ptxas makes of the cases; nothing without it.
fn made(cases: &[Case]) -> Option<Vec<Vec<u8>>> {
    let ptxas = project::ptxas("sm_90")?;
    let folder = Folder::new("eiattr");
    let output = folder.join("k.cubin");
    let cubins = cases.iter().map(|case| {
        let input = folder.file("k.ptx", &case.ptx);
        let run = Command::new(&ptxas)
            .args(["-arch", &case.chip, "-o"])
            .args([&output, &input])
            .output()
            .expect("ptxas runs");
        let message = String::from_utf8_lossy(&run.stderr).into_owned();
        assert!(run.status.success(), "{}: {message}", case.feature);
        std::fs::read(&output).expect("ptxas wrote it")
    });
    Some(cubins.collect())
}

fn compare(cases: &[Case], cubins: &[Vec<u8>]) {
    assert_eq!(cases.len(), cubins.len());
    let mut empty: BTreeMap<&str, BTreeMap<&str, String>> = BTreeMap::new();
    for (case, bytes) in cases.iter().zip(cubins) {
        let cubin = Cubin::read(bytes).expect("ptxas made it");
        let mut all = attributes(&cubin);
        if case.feature == "empty" {
            empty.insert(&case.chip, all.clone());
        } else {
            let known = &empty[case.chip.as_str()];
            all.retain(|name, _| !known.contains_key(name));
        }
        let shown = all.iter().map(|(name, value)| match value.as_str() {
            "" => (*name).to_owned(),
            value => format!("{name}={value}"),
        });
        let shown = match shown.collect::<Vec<_>>().join(" ") {
            none if none.is_empty() => "(no more)".to_owned(),
            some => some,
        };
        assert_eq!(shown, case.wanted, "{} on {}", case.feature, case.chip);
    }
}

#[test]
fn features_have_the_attributes_that_cuobjdump_names() {
    let cases = cases();
    if let Some(made) = made(&cases) {
        compare(&cases, &made);
        if project::blesses() {
            let mut out = Vec::new();
            for cubin in &made {
                let size = u32::try_from(cubin.len()).expect("cubins are small");
                out.extend(size.to_le_bytes());
                out.extend(cubin);
            }
            let path = project::oracle("eiattr.cubins.gz");
            std::fs::write(path, gzip::pack(out)).expect("there is room");
        }
    }
    compare(&cases, &recorded());
}

/// The table in the manual is made from the rows.
#[test]
fn the_manual_has_every_attribute() {
    const START: &str = "<!-- attributes -->\n";
    const END: &str = "\n<!-- end of attributes -->";
    let path = project::root().join("docs/cubin.md");
    let text = std::fs::read_to_string(&path).expect("the manual is there");
    let start = text.find(START).expect("there is a start") + START.len();
    let end = text.find(END).expect("there is an end");
    if project::blesses() {
        let text = format!("{}{}{}", &text[..start], document(), &text[end..]);
        std::fs::write(&path, text).expect("the manual can be written");
    } else {
        let hint = "`./x bless` writes the table again";
        assert_eq!(text[start..end], document(), "{hint}");
    }
}
