//! Races: for each rule of the memory model a kernel that keeps it and one that does not.

mod copies;
mod life;
pub mod oracle;
mod rules;
mod shape;
mod undefined;

use warpc_diag::{Diagnostics, SourceFile};
use warpc_ptx::Module;
use warpc_sim::{Argument, Device, Launch, Options, Races};

/// What all kernels begin with: `%rd1` is the buffer, `%r1` the thread, `%r2` the block, `%r5` the thread's own word
/// of `s`, `%rd3` its own word of the buffer.
const HEAD: &str = ".version 8.6\n.target sm_90a\n.address_size 64\n";
const PROLOGUE: &str = "
    .reg .b16 %h<4>; .reg .b32 %r<16>; .reg .b64 %rd<16>; .reg .pred %p<8>;
    .shared .align 128 .b8 s[2048];
    .shared .align 8 .b64 bar;
    .shared .align 8 .b64 bar2;
    ld.param.u64 %rd1, [data];
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, %ctaid.x;
    shl.b32 %r3, %r1, 2;
    mov.u32 %r4, s;
    add.u32 %r5, %r4, %r3;
    cvt.u64.u32 %rd2, %r3;
    add.u64 %rd3, %rd1, %rd2;
";

/// Words of the buffer.
const WORDS: usize = 1024;

fn module(text: &str) -> Module {
    let file = SourceFile::new("k.ptx", text).expect("a short text");
    let checked = warpc_ptx::check(&file);
    assert!(
        !checked.diagnostics.has_errors(),
        "{text}\n{}",
        warpc_diag::render_human(&file, &checked.diagnostics, false)
    );
    checked.value.expect("no errors")
}

fn kernel(body: &str) -> String {
    format!("{HEAD}.visible .entry k(.param .u64 data) {{ {PROLOGUE} {body}\n ret; }}")
}

/// Runs a kernel; gives what was found, warnings included.
fn found_in(text: &str, shape: (u32, u32, u32), seed: u64, races: Races) -> Diagnostics {
    let module = module(text);
    let (grid, block, cluster) = shape;
    let options = Options {
        seed,
        races,
        ..Options::default()
    };
    let mut device = Device::new(&module, options);
    let buffer = device.named_buffer("data", &[0; 4 * WORDS]);
    let outcome = device.launch(&Launch {
        kernel: "k".to_owned(),
        grid: [grid, 1, 1],
        block: [block, 1, 1],
        cluster: (cluster > 1).then_some([cluster, 1, 1]),
        dynamic_shared: 0,
        cooperative: false,
        arguments: vec![Argument::Buffer(buffer)],
    });
    let found = match outcome {
        Ok(report) => report.warnings,
        Err(found) => found,
    };
    without_exits(&found)
}

/// Threads of these kernels exit before barriers on purpose.
fn without_exits(found: &Diagnostics) -> Diagnostics {
    let mut rest = Diagnostics::default();
    let others = found.as_slice().iter().filter(|one| one.code.0 != "W0739");
    others.for_each(|one| rest.push(one.clone()));
    rest
}

/// A rule: a kernel with a place, and what stands there if it is kept or not.
struct Rule {
    name: &'static str,
    /// Blocks, threads of a block, blocks of a cluster.
    shape: (u32, u32, u32),
    body: &'static str,
    right: &'static str,
    racy: &'static str,
    /// The code of the finding, and what its message or help says.
    code: &'static str,
    says: &'static str,
}

fn show(found: &Diagnostics) -> String {
    let list = found.as_slice().iter();
    list.map(|one| format!("{}: {} ({:?})\n", one.code.0, one.message, one.help))
        .collect()
}

/// Both sides of a rule, with several seeds.
fn hold(rules: &[Rule]) {
    for rule in rules {
        let text = |inside: &str| kernel(&rule.body.replace("@@", inside));
        for seed in 0..4 {
            let right = found_in(&text(rule.right), rule.shape, seed, Races::All);
            let nothing = right.as_slice().is_empty();
            assert!(nothing, "{}, seed {seed}:\n{}", rule.name, show(&right));
            let racy = found_in(&text(rule.racy), rule.shape, seed, Races::All);
            let told = racy.as_slice().iter().any(|one| {
                let help = one.help.as_deref().unwrap_or("");
                // Not waited for by anybody: that is told instead of the race, and ends the run.
                let instead = match rule.code {
                    "W0742" => "W0737",
                    "W0743" => "W0738",
                    code => code,
                };
                (instead != rule.code && one.code.0 == instead)
                    || one.code.0 == rule.code
                        && (one.message.contains(rule.says) || help.contains(rule.says))
            });
            assert!(told, "{}, seed {seed}:\n{}", rule.name, show(&racy));
        }
    }
}
