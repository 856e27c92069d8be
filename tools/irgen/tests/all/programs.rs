//! Random programs through our compiler: their code must write what LLVM's code writes.

use warpc_irgen::judge::Verdict;
use warpc_irgen::record;
use warpc_testkit::project;

#[test]
fn recorded_programs_write_what_llvms_code_writes() {
    let path = project::oracle("ll_programs.tsv.gz");
    let bytes = std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let all = record::read(&bytes).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    assert!(all.len() >= 1000, "{} programs", all.len());
    let (mut wrong, mut refused) = (Vec::new(), Vec::new());
    for one in &all {
        match one.verdict() {
            Verdict::Same => {}
            Verdict::Refused(message) => refused.push(format!("seed {}: {message}", one.seed)),
            Verdict::Failed(message) | Verdict::Different(message) | Verdict::Unclear(message) => {
                wrong.push(format!("seed {}: {message}", one.seed));
            }
        }
    }
    println!("{} programs, {} refused", all.len(), refused.len());
    assert!(
        wrong.is_empty(),
        "{} wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert!(refused.is_empty(), "refused:\n{}", refused.join("\n"));
}
