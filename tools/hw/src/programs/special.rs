//! Special registers that say the same every time.

use super::kernel::Kernel;
use warpc_ptx::sreg::{ROWS, SpecialRegister};
use warpc_ptx::types::ScalarType;

/// Registers that differ from run to run or from chip to chip (places, clocks, counters, sizes), or
/// hold what the driver likes.
const OTHER_EACH_TIME: &[&str] = &[
    "%smid",
    "%nsmid",
    "%warpid",
    "%gridid",
    "%clock",
    "%clock_hi",
    "%clock64",
    "%pm",
    "%envreg",
    "%globaltimer",
    "%globaltimer_lo",
    "%globaltimer_hi",
];

/// A kernel for each register.
pub fn kernels() -> Vec<Kernel> {
    let steady = |row: &&SpecialRegister| !OTHER_EACH_TIME.contains(&row.name);
    let mut list = Vec::new();
    for row in ROWS.iter().filter(steady) {
        for &ty in row.types {
            list.push(kernel(row, ty));
        }
    }
    list
}

fn kernel(row: &SpecialRegister, ty: ScalarType) -> Kernel {
    let mut kernel = Kernel::new(&format!("mov{ty} d, {}{}", row.name, row.suffix), 0);
    let names: Vec<String> = match (row.series, row.elements) {
        (0, 1) => vec![row.name.into()],
        (0, _) => ["x", "y", "z", "w"]
            .map(|element| format!("{}.{element}", row.name))
            .to_vec(),
        (n, _) => (0..n)
            .map(|i| format!("{}{i}{}", row.name, row.suffix))
            .collect(),
    };
    let bits = ty.bits();
    let fits = if ty == ScalarType::Pred { 1 } else { bits };
    kernel.register(fits, "%d");
    for name in names {
        kernel.line(format!("mov{ty} %d, {name};"));
        kernel.output(fits, "%d");
    }
    kernel.launch([3, 1, 1], [40, 1, 1], "", "");
    kernel.launch([2, 3, 2], [5, 4, 3], "--shared 1000", "");
    kernel.launch([4, 2, 1], [16, 2, 1], "--cluster 2,1,1 --shared 2048", "");
    kernel.launch([2, 4, 2], [7, 1, 2], "--cluster 2,2,2", "");
    kernel
}
