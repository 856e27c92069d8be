//! From LLVM IR to PTX: ours beside `llc-22 -O2` and libNVVM `-opt=3`, as whole processes.
//!
//! The modules are made here, because libNVVM takes only its own data layout and, for older chips, an old
//! dialect. Kernels are like those of real programs: loops, loads and stores, arithmetic of both kinds,
//! branches. The chip is sm_100, for which libNVVM takes today's dialect.

use crate::oracle::Tools;
use crate::process;
use crate::project::{self, Outcome};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// Names and sizes in instructions of the modules that all three compile.
const SIZES: [(&str, usize); 3] = [("tiny", 60), ("medium", 2_000), ("large", 20_000)];

/// Sizes over which our time must grow in proportion.
const GROWTH: [usize; 3] = [10_000, 100_000, 1_000_000];

/// The layout that LLVM has, and the one that libNVVM insists on.
const LAYOUTS: [&str; 2] = [
    "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64",
    "e-p:64:64:64-p6:32:32:32-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-f32:32:32-f64:64:64-\
     f128:128:128-v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64-a:8:8",
];

/// Seconds and bytes at the peak.
type Cost = (f64, f64);

/// The section of the page.
pub(super) fn section(tools: &Tools, warpc: &Path) -> Outcome<String> {
    let libnvvm = Libnvvm::new(tools)?;
    let mut lines = Vec::new();
    for (name, instructions) in SIZES {
        let [module, for_libnvvm] = modules(name, instructions)?;
        let out = module.with_extension("ptx");
        let runs = if instructions > 10_000 { 5 } else { 15 };
        let ours = cost(runs, || ours(warpc, &module, &out))?;
        let llc = cost(runs.min(5), || llc(&module, &out))?;
        let nvvm = cost(runs.min(5), || libnvvm.command(&for_libnvvm, &out))?;
        let line = format!(
            "| {name} | {instructions} | {:.1} ms | {:.1} ms | {:.1}x | {:.1} ms | {:.1}x | {:.0} MB | {:.0} MB | {:.0} MB |",
            ours.0 * 1e3,
            llc.0 * 1e3,
            llc.0 / ours.0,
            nvvm.0 * 1e3,
            nvvm.0 / ours.0,
            ours.1 / 1e6,
            llc.1 / 1e6,
            nvvm.1 / 1e6
        );
        println!("{line}");
        lines.push(line);
    }
    let by_size = super::compile_sizes::table(warpc)?;
    let mut growth = Vec::new();
    for instructions in GROWTH {
        let [module, _] = modules("growth", instructions)?;
        let out = module.with_extension("ptx");
        let ours = cost(1, || ours(warpc, &module, &out))?;
        let llc = cost(1, || llc(&module, &out))?;
        let line = format!(
            "| {instructions} | {:.2} s | {:.2} us | {:.2} s | {:.0} MB | {:.0} MB |",
            ours.0,
            ours.0 * 1e6 / instructions as f64,
            llc.0,
            ours.1 / 1e6,
            llc.1 / 1e6
        );
        println!("{line}");
        growth.push(line);
    }
    Ok(format!(
        "
## From LLVM IR to PTX

| module | instructions | our time | llc-22 -O2 | ratio | libNVVM -opt=3 | ratio | our memory | llc's | libNVVM's |
|---|---|---|---|---|---|---|---|---|---|
{}

{by_size}
| instructions | our time | for each | llc-22 -O2 | our memory | llc's |
|---|---|---|---|---|---|
{}

The first and the last table: whole processes from start to end, reading text and writing text, for sm_100, by the clock (medians).
The modules are kernels of about 60 instructions each.
",
        lines.join("\n"),
        growth.join("\n")
    ))
}

fn ours(warpc: &Path, module: &Path, out: &Path) -> Command {
    let mut command = Command::new(warpc);
    command
        .args(["compile", "--arch", "sm_100"])
        .arg(module)
        .arg("-o")
        .arg(out);
    command
}

fn llc(module: &Path, out: &Path) -> Command {
    let mut command = Command::new("llc-22");
    command
        .args(["-O2", "-mcpu=sm_100"])
        .arg(module)
        .arg("-o")
        .arg(out);
    command
}

/// The median time of a few runs, and the memory at the peak of another.
fn cost(runs: usize, command: impl Fn() -> Command) -> Outcome<Cost> {
    let mut times = Vec::new();
    for _ in 0..runs {
        let mut command = command();
        let name = command.get_program().to_string_lossy().into_owned();
        let start = Instant::now();
        process::must(&name, &mut command)?;
        times.push(start.elapsed().as_secs_f64());
    }
    times.sort_by(f64::total_cmp);
    Ok((times[times.len() / 2], peak(&command())?))
}

/// The memory a program takes at its peak.
pub(super) fn peak(command: &Command) -> Outcome<f64> {
    let mut timed = Command::new("/usr/bin/time");
    timed
        .args(["-f", "peak %M"])
        .arg(command.get_program())
        .args(command.get_args());
    let said = process::must(&command.get_program().to_string_lossy(), &mut timed)?;
    let mut lines = said.lines();
    let found = lines.find_map(|l| l.strip_prefix("peak ")?.trim().parse::<f64>().ok());
    Ok(found.ok_or("`time` gives no peak")? * 1024.0)
}

/// libNVVM after a small program.
pub(crate) struct Libnvvm {
    program: PathBuf,
    library: PathBuf,
}

impl Libnvvm {
    /// Builds the program.
    pub(crate) fn new(tools: &Tools) -> Outcome<Libnvvm> {
        let toolkit = tools.cuda13.as_ref().ok_or("there is no CUDA 13")?;
        let places = [
            "lib/libnvvm.so.4",
            "nvvm/lib64/libnvvm.so.4",
            "nvvm/lib64/libnvvm.so",
        ];
        let library = places
            .iter()
            .map(|place| toolkit.join(place))
            .find(|path| path.exists());
        let folder = project::root().join("target/bench");
        project::make_dir(&folder)?;
        let program = folder.join("nvvm_driver");
        let source = project::root().join("tools/xtask/src/bench/nvvm_driver.c");
        let mut cc = Command::new("cc");
        cc.arg("-O1")
            .arg(source)
            .arg("-o")
            .arg(&program)
            .arg("-ldl");
        process::must("cc", &mut cc)?;
        Ok(Libnvvm {
            program,
            library: library.ok_or("CUDA 13 has no libnvvm")?,
        })
    }

    /// The PTX that it makes of a module for compute_90, where it reads IR of LLVM 7.
    pub(crate) fn ptx(&self, module: &Path, out: &Path) -> Outcome<String> {
        let mut command = Command::new(&self.program);
        command.arg(&self.library).arg(module).arg(out);
        process::must("libNVVM", command.arg("-arch=compute_90"))?;
        project::read(out)
    }

    fn command(&self, module: &Path, out: &Path) -> Command {
        let mut command = Command::new(&self.program);
        command
            .arg(&self.library)
            .arg(module)
            .arg(out)
            .args(["-arch=compute_100", "-opt=3"]);
        command
    }
}

/// A module of about so many instructions, once for each layout.
fn modules(name: &str, instructions: usize) -> Outcome<[PathBuf; 2]> {
    let mut paths = Vec::new();
    for (layout, ending) in LAYOUTS.iter().zip(["ll", "nvvm.ll"]) {
        let path = project::root().join(format!("target/bench/{name}.{ending}"));
        project::write(&path, module(layout, instructions))?;
        paths.push(path);
    }
    let [a, b] = paths.try_into().map_err(|_| "there are two layouts")?;
    Ok([a, b])
}

fn module(layout: &str, instructions: usize) -> String {
    let mut out =
        format!("target datalayout = \"{layout}\"\ntarget triple = \"nvptx64-nvidia-cuda\"\n");
    let mut count = 0;
    for number in 0.. {
        if count >= instructions {
            break;
        }
        count += kernel(&mut out, number);
    }
    out.push_str(
        "
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
!nvvmir.version = !{!0}
!0 = !{i32 2, i32 0}
",
    );
    out
}

/// Writes a kernel; the number makes each a little different. Gives its instructions.
fn kernel(out: &mut String, number: usize) -> usize {
    let before = out.len();
    let (shift, factor, mask) = (number % 7 + 1, number * 12 + 5, number % 255 + 1);
    let _ = write!(
        out,
        "
define ptx_kernel void @k{number}(ptr addrspace(1) %a, ptr addrspace(1) %b, i32 %n, float %scale) {{
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %width = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %base = mul i32 %block, %width
  %index = add i32 %base, %tid
  %inside = icmp slt i32 %index, %n
  br i1 %inside, label %work, label %done
work:
  %wide = sext i32 %index to i64
  %from = getelementptr inbounds float, ptr addrspace(1) %a, i64 %wide
  %to = getelementptr inbounds i32, ptr addrspace(1) %b, i64 %wide
  br label %turn
turn:
  %i = phi i32 [ 0, %work ], [ %i.next, %join ]
  %sum = phi float [ 0.0, %work ], [ %sum.next, %join ]
  %bits = phi i32 [ {factor}, %work ], [ %bits.next, %join ]
"
    );
    for step in 0..4 {
        let sum = if step == 0 {
            "%sum".into()
        } else {
            format!("%s{}", step - 1)
        };
        let bits = if step == 0 {
            "%bits".into()
        } else {
            format!("%x{}", step - 1)
        };
        let _ = write!(
            out,
            "  %o{step} = add i32 %i, {step}
  %w{step} = sext i32 %o{step} to i64
  %p{step} = getelementptr inbounds float, ptr addrspace(1) %from, i64 %w{step}
  %v{step} = load float, ptr addrspace(1) %p{step}, align 4
  %m{step} = fmul float %v{step}, %scale
  %s{step} = fadd float {sum}, %m{step}
  %h{step} = shl i32 {bits}, {shift}
  %x{step} = xor i32 %h{step}, %o{step}
"
        );
    }
    let _ = write!(
        out,
        "  %low = and i32 %x3, {mask}
  %odd = icmp eq i32 %low, 0
  br i1 %odd, label %then, label %join
then:
  %q = getelementptr inbounds i32, ptr addrspace(1) %to, i64 %w3
  %old = load i32, ptr addrspace(1) %q, align 4
  %new = add i32 %old, %x3
  store i32 %new, ptr addrspace(1) %q, align 4
  br label %join
join:
  %bits.next = phi i32 [ %x3, %turn ], [ %new, %then ]
  %more = fcmp ogt float %s3, 1.0e3
  %half = fmul float %s3, 5.0e-1
  %sum.next = select i1 %more, float %half, float %s3
  %i.next = add nuw nsw i32 %i, 4
  %again = icmp slt i32 %i.next, %n
  br i1 %again, label %turn, label %end
end:
  store float %sum.next, ptr addrspace(1) %from, align 4
  store i32 %bits.next, ptr addrspace(1) %to, align 4
  br label %done
done:
  ret void
}}
"
    );
    out[before..]
        .lines()
        .filter(|line| line.starts_with("  "))
        .count()
}
