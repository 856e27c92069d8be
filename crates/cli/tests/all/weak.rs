//! `warpc run --memory weak`: a missing fence shows, a right kernel stays right, and where the flag does not apply it is
//! refused by name.

use std::path::Path;
use std::process::Command;
use warpc_testkit::scratch::Folder;

/// A message through volatile memory: the reader waits for the flag.
const KERNEL: &str =
    "// run: --grid 2 --block 1 --arg u32[2]=0 --arg u32=7 --arg u32[1]=0 --expect 2:=7
.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 message, .param .u32 value, .param .u64 out) {
  .reg .pred %p<2>; .reg .b32 %r<8>; .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [message]; ld.param.u32 %r1, [value]; ld.param.u64 %rd2, [out];
  mov.u32 %r2, %ctaid.x;
  setp.eq.u32 %p1, %r2, 0;
  @%p1 bra READ;
  st.volatile.global.u32 [%rd1], %r1;
  BEFORE
  st.volatile.global.u32 [%rd1+4], 1;
  ret;
READ:
  ld.volatile.global.u32 %r3, [%rd1+4];
  setp.eq.u32 %p1, %r3, 0;
  @%p1 bra READ;
  AFTER
  ld.volatile.global.u32 %r4, [%rd1];
  st.global.u32 [%rd2], %r4;
  ret;
}
";

fn warpc(file: &Path, flags: &[&str]) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_warpc"));
    let output = command.arg("run").arg(file).args(flags).output();
    let output = output.expect("warpc runs");
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    (output.status.code(), text + &printed)
}

#[test]
fn missing_fences_show_in_results() {
    let folder = Folder::new("weak");
    let file = folder.path().join("k.ptx");
    let fence = "fence.acq_rel.gpu;";
    for (before, after, is_right) in [
        (fence, fence, true),
        ("", fence, false),
        (fence, "", false),
        (fence, "fence.acq_rel.cta;", false),
    ] {
        let text = KERNEL.replace("BEFORE", before).replace("AFTER", after);
        std::fs::write(&file, text).expect("it is written");
        for memory in ["strong", "weak"] {
            let (status, text) = warpc(&file, &["--memory", memory, "--seeds", "32"]);
            let is_shown = !is_right && memory == "weak";
            assert_eq!(
                status,
                Some(i32::from(is_shown)),
                "{before}, {after}: {text}"
            );
            assert_eq!(text.contains("W0770"), is_shown, "{text}");
        }
    }
}

#[test]
fn findings_have_the_seed() {
    let folder = Folder::new("weak-seed");
    let file = folder.path().join("k.ptx");
    let trap =
        "AFTER\n  ld.volatile.global.u32 %r4, [%rd1];\n  setp.ne.u32 %p1, %r4, %r1;\n  @%p1 trap;";
    let text = KERNEL.replace("AFTER", trap);
    let text = text.replace("BEFORE", "").replace("AFTER", "");
    std::fs::write(&file, text).expect("it is written");
    let runs = |seed: &u64| warpc(&file, &["--memory", "weak", "--seed", &seed.to_string()]);
    let found = (0..64).map(|seed| (seed, runs(&seed)));
    let (seed, (status, text)) = found
        .into_iter()
        .find(|(_, (_, text))| text.contains("W0714"))
        .expect("a seed shows it");
    assert_eq!(status, Some(1));
    let again = format!("`--memory weak --seed {seed}`");
    assert!(text.contains(&again), "{text}");
    assert_eq!(warpc(&file, &[]).0, Some(0));
}

#[test]
fn what_weak_memory_is_not_for_is_refused() {
    let folder = Folder::new("weak-refused");
    let file = folder.path().join("k.ptx");
    let text = KERNEL.replace("BEFORE", "").replace("AFTER", "");
    std::fs::write(&file, text).expect("it is written");
    let code = folder.path().join("k.cubin");
    let mut command = Command::new(env!("CARGO_BIN_EXE_warpc"));
    let command = command.args(["ptxas", "-arch=sm_90"]).arg(&file);
    let made = command.arg("-o").arg(&code).output();
    assert!(made.expect("warpc runs").status.success());
    let weak = ["--memory", "weak"];
    let launch = [
        "--grid", "2", "--block", "1", "--arg", "u32[2]=0", "--arg", "u32=7", "--arg", "u32[1]=0",
    ];
    for (file, flags, part) in [
        (&file, &["--on", "gpu"][..], "a GPU has its own"),
        (&file, &["--races", "all"][..], "races are not looked for"),
        (&code, &launch[..], "this is machine code"),
    ] {
        let (status, text) = warpc(file, &[&weak[..], flags].concat());
        assert_eq!(status, Some(1), "{text}");
        assert!(
            text.contains("error[W0705]") && text.contains(part),
            "{text}"
        );
    }
}

/// What schedules do not choose is refused by name: what a load of weak memory sees, and operations that are not followed one by one.
#[test]
fn what_is_not_explored_is_refused() {
    let folder = Folder::new("not-explored");
    let weak = folder.path().join("weak.ptx");
    let text = KERNEL.replace("BEFORE", "").replace("AFTER", "");
    std::fs::write(&weak, text).expect("it is written");
    let product = folder.path().join("product.ptx");
    let text = "// run: --grid 1 --block 128\n.version 8.0\n.target sm_90a\n.address_size 64\n\
                .visible .entry k() { wgmma.fence.sync.aligned; ret; }\n";
    std::fs::write(&product, text).expect("it is written");
    for (file, flags, part) in [
        (
            &weak,
            &["--memory", "weak", "--explore"][..],
            "schedules of weak memory",
        ),
        (&product, &["--explore"], "products of warpgroups"),
    ] {
        let (status, text) = warpc(file, flags);
        assert_eq!(status, Some(1), "{text}");
        let is_refused = text.contains("error[W0711]") && text.contains(part);
        assert!(is_refused, "{text}");
    }
}
