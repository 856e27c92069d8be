//! Constant bank 0: what the driver tells a kernel, and its parameters.

use crate::load::{Kernel, error};
use crate::memory::{LOCAL, SHARED};
use warpc_diag::{Diagnostics, codes};
use warpc_launch::{Argument, Launch};

/// Where a generation of chips has what the driver puts into bank 0, found by where it has the parameters.
struct Layout {
    parameters: usize,
    threads: usize,
    blocks: usize,
    stack: usize,
    generic_local: usize,
    /// The upper half of the window of shared memory, on chips without a special register for it.
    generic_shared: Option<usize>,
    /// The address of the module's constants in memory, where it is known.
    constants: Option<usize>,
    /// What is said of clusters, where it is known: see [`clusters`].
    clusters: Option<usize>,
    /// The address of the parameters in memory, where it is known.
    copy: Option<usize>,
    /// How many processors there are, where it is known.
    processors: Option<usize>,
    /// What is said of shared memory, where it is known.
    shared: Option<SharedPlaces>,
}

/// Where bank 0 has sizes of shared memory.
struct SharedPlaces {
    /// The dynamic part.
    dynamic: usize,
    /// Where what the system keeps ends that programs may name (`%reserved_smem_offset_end`).
    reserved_end: usize,
    /// All that the system keeps.
    reserved: usize,
    /// All of a block; the special register has it rounded up.
    all: usize,
}

/// `%reserved_smem_offset_end` on an H200.
const RESERVED_END: u32 = 0x120;

/// Processors of a GPU, as the emulator of PTX has them.
pub(crate) const PROCESSORS: u32 = 132;

/// As ptxas's code reads it on sm_75 to sm_89, sm_90, and sm_100 to sm_121.
static LAYOUTS: [Layout; 3] = [
    Layout {
        parameters: 0x160,
        threads: 0,
        blocks: 0xc,
        stack: 0x28,
        generic_local: 0x20,
        generic_shared: Some(0x18),
        constants: None,
        clusters: None,
        copy: None,
        processors: None,
        shared: None,
    },
    Layout {
        parameters: 0x210,
        threads: 0,
        blocks: 0xc,
        stack: 0x28,
        generic_local: 0x20,
        generic_shared: None,
        constants: Some(0xd0),
        clusters: Some(0x140),
        copy: Some(0x198),
        processors: Some(0x10c),
        shared: Some(SharedPlaces {
            dynamic: 0x2c,
            reserved_end: 0x68,
            reserved: 0x114,
            all: 0x13c,
        }),
    },
    Layout {
        parameters: 0x380,
        threads: 0x360,
        blocks: 0x370,
        stack: 0x37c,
        generic_local: 0x2f8,
        generic_shared: None,
        constants: None,
        clusters: None,
        copy: None,
        processors: None,
        shared: None,
    },
];

/// Bank 0 for a launch.
pub(crate) fn fill(
    kernel: &Kernel,
    launch: &Launch,
    grid: [u32; 3],
    cluster: Option<[u32; 3]>,
    copy: u64,
    address: impl Fn(usize) -> u64,
) -> Result<Vec<u8>, Diagnostics> {
    let base = kernel.parameter_base;
    let mut bank = kernel.banks[0].clone();
    let layout = LAYOUTS.iter().find(|layout| layout.parameters == base);
    let Some(layout) = layout.or_else(|| LAYOUTS.iter().find(|_| kernel.parameters.is_empty()))
    else {
        let message =
            format!("parameters at {base:#x} of bank 0 are of no chip that is known here");
        return Err(error(codes::NOT_EMULATED, message));
    };
    if kernel.parameters.len() != launch.arguments.len() {
        let (wanted, given) = (kernel.parameters.len(), launch.arguments.len());
        let message = format!(
            "`{}` has {wanted} parameters, and {given} arguments were given",
            kernel.name
        );
        return Err(error(codes::BAD_ARGUMENTS, message));
    }
    // Code reads whole words of a last parameter that is not one.
    let size = bank.len().max(layout.parameters);
    bank.resize(size.next_multiple_of(8), 0);
    let mut put = |at: usize, bytes: &[u8]| {
        if let Some(place) = bank.get_mut(at..at + bytes.len()) {
            place.copy_from_slice(bytes);
        }
    };
    for (at, (threads, blocks)) in launch.block.iter().zip(grid).enumerate() {
        put(layout.threads + 4 * at, &threads.to_le_bytes());
        put(layout.blocks + 4 * at, &blocks.to_le_bytes());
    }
    put(layout.stack, &(kernel.local_bytes as u32).to_le_bytes());
    put(layout.generic_local, &LOCAL.to_le_bytes());
    if let Some(at) = layout.generic_shared {
        put(at, &SHARED.to_le_bytes());
    }
    if let Some(at) = layout.copy {
        put(at, &copy.to_le_bytes());
        // Their end follows.
        let size = kernel.banks[0].len().saturating_sub(kernel.parameter_base);
        put(at + 8, &(copy + size as u64).to_le_bytes());
    }
    if let Some(places) = &layout.shared {
        let own = kernel.shared_bytes as u32;
        let reserved = own.saturating_sub(kernel.static_shared as u32);
        put(places.dynamic, &launch.dynamic_shared.to_le_bytes());
        put(places.reserved_end, &RESERVED_END.to_le_bytes());
        put(places.reserved, &reserved.to_le_bytes());
        let all = own.saturating_add(launch.dynamic_shared);
        put(places.all, &all.to_le_bytes());
    }
    if let Some(at) = layout.processors {
        put(at, &PROCESSORS.to_le_bytes());
    }
    if let Some(at) = layout.constants {
        put(at, &kernel.constants.to_le_bytes());
    }
    if let Some(at) = layout.clusters {
        put(at, &clusters(grid, cluster));
        let blocks: u32 = cluster.unwrap_or([1; 3]).iter().product();
        put(at + CLUSTER_BLOCKS, &blocks.to_le_bytes());
    }
    for (parameter, argument) in kernel.parameters.iter().zip(&launch.arguments) {
        if let Argument::Struct {
            bytes, addresses, ..
        } = argument
        {
            let fits = |offset: usize| offset.checked_add(8).is_some_and(|end| end <= bytes.len());
            if let Some((offset, _)) = addresses.iter().find(|one| !fits(one.0)) {
                let (number, size) = (parameter.ordinal, bytes.len());
                let message = format!(
                    "argument {number} has an address at offset {offset}, and it has {size} bytes"
                );
                return Err(error(codes::BAD_ARGUMENTS, message));
            }
        }
        let bytes = argument.bytes(8, &address);
        if bytes.len() != parameter.size as usize {
            let message = format!(
                "argument {} has {} bytes, its parameter has {}",
                parameter.ordinal,
                bytes.len(),
                parameter.size
            );
            return Err(error(codes::BAD_ARGUMENTS, message));
        }
        put(base + usize::from(parameter.offset), &bytes);
    }
    Ok(bank)
}

/// Where the number of blocks in a cluster is, from the start of what is said of clusters.
const CLUSTER_BLOCKS: usize = 0x48;

/// What bank 0 says of clusters: whether there are some, the blocks in one, the reciprocals of these, how many clusters
/// there are. A product with a reciprocal is cut off, so that it must not be below the true one.
fn clusters(grid: [u32; 3], cluster: Option<[u32; 3]>) -> Vec<u8> {
    let size = cluster.unwrap_or([1; 3]);
    let mut words = vec![u32::from(cluster.is_some())];
    words.extend(size);
    words.extend(size.map(|blocks| {
        let exact = (blocks as f32).recip();
        let is_below = f64::from(exact) * f64::from(blocks) < 1.0;
        exact.to_bits() + u32::from(is_below)
    }));
    words.extend((0..3).map(|at| grid[at] / size[at].max(1)));
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}
