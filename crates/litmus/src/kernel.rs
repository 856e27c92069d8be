//! Small kernels of PTX.
use crate::read::Test;
use warpc_diag::{Output, SourceFile};
pub(crate) fn is_kernel(_: &SourceFile) -> bool {
    false
}
pub(crate) fn read(file: &SourceFile) -> Output<Test> {
    crate::read::read(file)
}
