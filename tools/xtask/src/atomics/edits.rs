//! `./x atomics mutants`: mistakes in the source of the compiler that the judge must notice.
//!
//! The order table is weakened in the judge's own process. What is here is everything else that decides about memory
//! order, one mistake at a time, in a copy of the tree: built, judged on a sample of the matrix, taken back. An
//! edit whose text is no longer in the source is an error, so that the list stays true.

use crate::process;
use crate::project::{self, Outcome};
use std::path::Path;
use std::process::Command;

/// One case of so many is judged.
const SAMPLE: &str = "23";

/// A mistake.
struct Edit {
    what: &'static str,
    file: &'static str,
    from: &'static str,
    to: &'static str,
}

const SELECT: &str = "crates/nvvm-to-ptx/src/select/atomic.rs";
const ORDERS: &str = "crates/lower/src/passes/expand_atomics/orders.rs";
const LOOP: &str = "crates/lower/src/passes/expand_atomics/swap_loop.rs";
const WORD: &str = "crates/lower/src/passes/expand_atomics/word.rs";
const PRIVATE: &str = "crates/lower/src/passes/expand_atomics/private.rs";
const BUILTIN: &str = "crates/lower/src/passes/lower_builtins/llvm_atomic.rs";
const LEGALIZE: &str = "crates/nvvm-to-ptx/src/legalize_atomics.rs";
const CLUSTER_LOOP: &str = "crates/nvvm-to-ptx/src/legalize_atomics/swap_loop.rs";

const EDITS: [Edit; 20] = [
    Edit {
        what: "the first load of a loop is plain",
        file: ORDERS,
        from: "            ordering: Ordering::Relaxed,\n            ..self.swap",
        to: "            ordering: Ordering::Weak,\n            ..self.swap",
    },
    Edit {
        what: "a loop has no fence before it",
        file: ORDERS,
        from: "if let Some(order) = self.before {",
        to: "if let Some(order) = self.before.filter(|_| false) {",
    },
    Edit {
        what: "a loop has no fence after it",
        file: ORDERS,
        from: "if let Some(order) = self.after {",
        to: "if let Some(order) = self.after.filter(|_| false) {",
    },
    Edit {
        what: "a swap of a word drops its failure order",
        file: ORDERS,
        from: "let joined = context.options.mapping.cas(access.ordering, failure);",
        to: "let joined = context.options.mapping.cas(access.ordering, [access.ordering, failure][0]);",
    },
    Edit {
        what: "the swap of a loop is relaxed",
        file: LOOP,
        from: "let swap_orders = (orders.swap, orders.failure);",
        to: "let swap_orders = (orders.look(), orders.failure);",
    },
    Edit {
        what: "a loop ends when its swap fails",
        file: LOOP,
        from: "editor.cond_br(success, end, start);",
        to: "editor.cond_br(success, start, end);",
    },
    Edit {
        what: "an operation on the word around a value is relaxed",
        file: WORD,
        from: "        align: word_align(),\n        ..access",
        to: "        align: word_align(),\n        ordering: warpc_model::Ordering::Relaxed,\n        ..access",
    },
    Edit {
        what: "generic memory is taken for the thread's own",
        file: PRIVATE,
        from: "Type::Ptr(0) => {}",
        to: "Type::Ptr(0) => return Step::Is(Memory::Private),",
    },
    Edit {
        what: "a swap drops its failure order",
        file: SELECT,
        from: "let joined = self.unit.options.mapping.cas(success, failure);",
        to: "let joined = self.unit.options.mapping.cas(success, [success, failure][0]);",
    },
    Edit {
        what: "a reduction though the operation acquires",
        file: SELECT,
        from: "if !used && !acquires && ",
        to: "if !used && ",
    },
    Edit {
        what: "no fences",
        file: SELECT,
        from: "Some(fence) => self.emit(&fence.to_string(), &[]),",
        to: "Some(_) => Ok(()),",
    },
    Edit {
        what: "every access has the scope of the block",
        file: SELECT,
        from: "text.push_str(scope.ptx());",
        to: "text.push_str(scope.min(Scope::Cta).ptx());",
    },
    Edit {
        what: "every access is relaxed",
        file: SELECT,
        from: "text.push_str(order.ptx());",
        to: "text.push_str(order.ptx().get(..0).map_or(\"\", |_| \"relaxed\"));",
    },
    Edit {
        what: "acquire and release is acquire",
        file: SELECT,
        from: ".lower(access, order, scope, sm, version)",
        to: ".lower(access, if order == Ordering::AcqRel { Ordering::Acquire } else { order }, scope, sm, version)",
    },
    Edit {
        what: "sequentially consistent is acquire and release",
        file: SELECT,
        from: ".lower(access, order, scope, sm, version)",
        to: ".lower(access, if order == Ordering::SeqCst && access == model::Access::Rmw { Ordering::AcqRel } else { order }, scope, sm, version)",
    },
    Edit {
        what: "a builtin's access is relaxed",
        file: BUILTIN,
        from: "let access = self.llvm_atomic(order, scope, what.bytes);",
        to: "let weak = match scope {\n            Scope::Thread => order,\n            _ => Ordering::Relaxed,\n        };\n        let access = self.llvm_atomic(weak, scope, what.bytes);",
    },
    Edit {
        what: "an order that ptxas would lose has no fence before its access",
        file: LEGALIZE,
        from: "        if plan.release {",
        to: "        if plan.release && plan.relaxed.is_empty() {",
    },
    Edit {
        what: "an order that ptxas would lose has no fence after its access",
        file: LEGALIZE,
        from: "        if plan.acquire {",
        to: "        if plan.acquire && plan.relaxed.is_empty() {",
    },
    Edit {
        what: "a loop in another block's memory has no fence after it",
        file: CLUSTER_LOOP,
        from: "        if plan.acquire {",
        to: "        if plan.acquire && bits == 0 {",
    },
    Edit {
        what: "a loop in another block's memory ends when its swap fails",
        file: CLUSTER_LOOP,
        from: "format!(\"setp.eq.b{bits}\")",
        to: "format!(\"setp.ne.b{bits}\")",
    },
];

/// The task.
pub fn mutants() -> Outcome {
    let folder = project::root().join("target/atomics-mutants");
    let tree = folder.join("tree");
    copy(&tree)?;
    if !passes(&tree, &folder)? {
        return Err("the judge finds something in the right source".into());
    }
    let mut alive = Vec::new();
    for edit in &EDITS {
        let file = tree.join(edit.file);
        let right = project::read(&file)?;
        if right.matches(edit.from).count() != 1 {
            let (what, path) = (edit.what, edit.file);
            return Err(format!("{what}: its text is not once in {path}"));
        }
        project::write(&file, right.replace(edit.from, edit.to))?;
        let unnoticed = passes(&tree, &folder);
        project::write(&file, right)?;
        match unnoticed? {
            true => alive.push(edit.what),
            false => println!("noticed: {}", edit.what),
        }
    }
    println!(
        "{} of {} mistakes in the source noticed",
        EDITS.len() - alive.len(),
        EDITS.len()
    );
    match alive.is_empty() {
        true => Ok(()),
        false => Err(format!("not noticed: {}", alive.join("; "))),
    }
}

/// A copy of what the judge is built from.
fn copy(tree: &Path) -> Outcome {
    if tree.exists() {
        std::fs::remove_dir_all(tree)
            .map_err(|e| format!("cannot empty {}: {e}", tree.display()))?;
    }
    project::make_dir(tree)?;
    let mut command = Command::new("cp");
    command.arg("-r");
    for file in ["crates", "tools", "Cargo.toml", "Cargo.lock", "examples"] {
        command.arg(project::root().join(file));
    }
    process::must("copying the tree", command.arg(tree)).map(|_| ())
}

/// Whether the judge finds nothing. Code that does not compile is an error: such an edit says nothing.
fn passes(tree: &Path, folder: &Path) -> Outcome<bool> {
    let build = folder.join("build");
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo
        .current_dir(tree)
        .env("CARGO_TARGET_DIR", &build)
        .env("CARGO_PROFILE_RELEASE_LTO", "off")
        .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16")
        .args(["build", "--release", "--quiet", "--package", "warpc-judge"]);
    process::must("building a mutant", &mut cargo)?;
    let mut judge = Command::new(build.join("release/warpc-judge"));
    let done = process::capture(judge.args(["matrix", "--every", SAMPLE]))?;
    Ok(done.ok)
}
