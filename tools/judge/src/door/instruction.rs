//! LLVM's own atomics, as [`crate::matrix`] lists them.

use crate::asked::{Operation, Reach, Space};
use crate::door::{Door, Site, Written};
use crate::{ir, matrix};

/// The cases of the matrix that are kernels here: at every site, with results used and not, not volatile.
pub fn cases() -> Vec<Written> {
    let mut cases = Vec::new();
    for case in matrix::instructions() {
        let weak = matches!(case.operation, Operation::Swap { weak: true, .. });
        if weak || case.volatile || case.reach == Reach::Thread {
            continue;
        }
        let sites: &[Site] = match case.space {
            Space::Generic if case.operation == Operation::Fence => &[Site::Global],
            Space::Generic => &[Site::Unknown, Site::Parameter, Site::ClusterGeneric],
            Space::Global => &[Site::Global],
            Space::Shared => &[Site::Shared],
            Space::SharedCluster => &[Site::Cluster],
            Space::Constant | Space::Local => &[],
        };
        for &site in sites {
            let mut lines = format!("  {}", ir::instruction(&case));
            let ty = case.ty.text();
            let is_swap = matches!(case.operation, Operation::Swap { .. });
            // The flag of a swap is kept beside the value.
            if is_swap && case.used {
                lines = lines.replace("%r = ", "%s = ");
                lines += &format!(
                    "\n  %r = extractvalue {{ {ty}, i1 }} %s, 0\n  %same = extractvalue {{ {ty}, i1 }} %s, 1\n\
                     \x20 %flag = zext i1 %same to i32\n\
                     \x20 %b6 = getelementptr i8, ptr addrspace(1) %b, i64 256\n\
                     \x20 store i32 %flag, ptr addrspace(1) %b6"
                );
            }
            let mut written = Written::new(Door::Instruction, site, case, lines);
            written.result = case.used.then(|| ty.to_owned());
            cases.push(written);
        }
    }
    cases
}
