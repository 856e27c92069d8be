//! Addresses: to generic and back, which space they lie in, and in another block of a cluster.

use super::kernel::Kernel;
use super::place::{CELL, PLACES, Place};

/// What can be asked about an address.
const SPACES: [&str; 8] = [
    "const",
    "global",
    "local",
    "shared",
    "shared::cta",
    "shared::cluster",
    "param",
    "param::entry",
];

/// All kernels.
pub fn kernels() -> Vec<Kernel> {
    let mut list = Vec::new();
    for place in PLACES {
        list.push(there_and_back(place));
        list.extend(SPACES.iter().map(|space| is_in(place, space)));
        list.push(offsets(place));
    }
    for ty in ["u32", "s32", "u64", "s64"] {
        list.push(other_block(".shared::cluster", ty));
    }
    for ty in ["u64", "s64"] {
        list.push(other_block("", ty));
    }
    list
}

/// The cell through its generic address, and through the address made from that.
fn there_and_back(place: Place) -> Kernel {
    let word = place.word();
    let mut kernel = Kernel::new(&format!("cvta.{word}"), CELL);
    place.cell(&mut kernel);
    kernel.register(64, "%generic");
    kernel.register(64, "%back");
    kernel.register(1, "%same");
    kernel.line(format!("cvta.{word}.u64 %generic, %cell;"));
    kernel.line("ld.v2.u64 {%low, %high}, [%generic];");
    kernel.output(64, "%low");
    kernel.output(64, "%high");
    kernel.line(format!("cvta.to.{word}.u64 %back, %generic;"));
    kernel.line("setp.eq.u64 %same, %back, %cell;");
    kernel.output(1, "%same");
    kernel.line(format!("ld.{word}.v2.u64 {{%low, %high}}, [%back];"));
    kernel.output(64, "%low");
    kernel.output(64, "%high");
    kernel.launch([2, 1, 1], [32, 1, 1], "", &place.arguments());
    kernel
}

fn is_in(place: Place, space: &str) -> Kernel {
    let mut kernel = Kernel::new(&format!("isspacep.{space} of {}", place.word()), CELL);
    place.cell(&mut kernel);
    kernel.register(64, "%generic");
    kernel.register(1, "%p");
    kernel.line(format!("cvta.{}.u64 %generic, %cell;", place.word()));
    kernel.line(format!("isspacep.{space} %p, %generic;"));
    kernel.output(1, "%p");
    kernel.launch([2, 1, 1], [32, 1, 1], "", &place.arguments());
    kernel
}

/// Accesses before and after an address, and at constant places of a variable.
fn offsets(place: Place) -> Kernel {
    let word = place.word();
    let mut kernel = Kernel::new(&format!("ld.{word} offsets"), CELL);
    place.cell(&mut kernel);
    kernel.register(32, "%d");
    for offset in [0, 4, 8, 12] {
        kernel.line(format!("add.u64 %low, %cell, {};", offset + 64));
        kernel.line(format!("ld.{word}.u32 %d, [%low+-64];"));
        kernel.output(32, "%d");
    }
    let variable = match place {
        Place::Global | Place::Local | Place::Shared => None,
        Place::Const => Some("table"),
        Place::Param => Some("p_data"),
    };
    if let Some(variable) = variable {
        kernel.line(format!("ld.{word}.u32 %d, [{variable}+60];"));
        kernel.output(32, "%d");
        kernel.line(format!("mov.u64 %low, {variable}+36;"));
        kernel.line(format!("ld.{word}.u32 %d, [%low+8];"));
        kernel.output(32, "%d");
    }
    kernel.launch([2, 1, 1], [32, 1, 1], "", &place.arguments());
    kernel
}

/// `mapa` and `getctarank`: each thread reads its cell in every block of its cluster.
fn other_block(space: &str, ty: &str) -> Kernel {
    let mut kernel = Kernel::new(&format!("mapa{space}.{ty}"), CELL);
    Place::Shared.cell(&mut kernel);
    let bits: u32 = if ty.ends_with("64") { 64 } else { 32 };
    kernel.register(bits, "%own");
    kernel.register(bits, "%other");
    kernel.register(32, "%rank");
    if space.is_empty() {
        kernel.line("cvta.shared.u64 %own, %cell;");
    } else if bits == 64 {
        kernel.line("mov.b64 %own, %cell;");
    } else {
        kernel.line("cvt.u32.u64 %own, %cell;");
    }
    kernel.line("barrier.cluster.arrive;");
    kernel.line("barrier.cluster.wait;");
    for block in 0..4 {
        kernel.line(format!("mapa{space}.{ty} %other, %own, {block};"));
        kernel.line(format!("ld{space}.v2.u64 {{%low, %high}}, [%other];"));
        kernel.output(64, "%low");
        kernel.output(64, "%high");
        kernel.line(format!("getctarank{space}.{ty} %rank, %other;"));
        kernel.output(32, "%rank");
    }
    kernel.line("barrier.cluster.arrive;");
    kernel.line("barrier.cluster.wait;");
    kernel.launch([8, 1, 1], [32, 1, 1], "--cluster 4,1,1", "");
    kernel.launch([4, 4, 1], [32, 1, 1], "--cluster 2,2,1", "");
    kernel
}
