//! Whether a launch can be: the kernel, its arguments, the shape, the memory.
//!
//! Rules (as the driver has them, but each with its reason):
//! - the kernel is there and has a body; a module with one kernel needs no name;
//! - as many arguments as parameters, each of its parameter's size;
//! - grid, block and cluster are neither empty nor beyond the chip's limits;
//! - a grid is a whole number of clusters in each dimension;
//! - `.maxntid` bounds the number of threads, `.reqntid` fixes the block, `.reqnctapercluster` the
//!   cluster, `.maxclusterrank` bounds the cluster, `.explicitcluster` wants one to be given;
//! - with `.blocksareclusters` the grid counts clusters;
//! - static and dynamic shared memory fit into a block's share.

use crate::{Argument, Launch, static_shared_bytes};
use warpc_diag::{Diagnostic, Diagnostics, Span, codes};
use warpc_ptx::Module;
use warpc_ptx::module::{Function, FunctionDirective, FunctionKind, Variable};
use warpc_ptx::suggest;
use warpc_target::{Limits, Sm};

/// A launch that can be: what runs, and in which shape.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Shape<'m> {
    /// The kernel.
    pub kernel: &'m Function,
    /// Blocks in x, y and z.
    pub grid: [u32; 3],
    /// Threads of a block in x, y and z.
    pub block: [u32; 3],
    /// Blocks of a cluster in x, y and z; all 1 where there are no clusters.
    pub cluster: [u32; 3],
    /// Bytes of the `.shared` variables that the kernel can reach.
    pub static_shared: u64,
}

/// The kernels of a module that can be launched, in order.
pub fn kernels(module: &Module) -> impl Iterator<Item = &Function> {
    module
        .functions()
        .filter(|function| function.kind == FunctionKind::Entry && function.body.is_some())
}

/// The kernel with this name, or the only one.
pub fn kernel<'m>(module: &'m Module, name: Option<&str>) -> Result<&'m Function, Diagnostics> {
    let all: Vec<&Function> = kernels(module).collect();
    let names: Vec<&str> = all.iter().map(|kernel| module.name(kernel.name)).collect();
    let error = |span, message: String, help: String| {
        let mut diagnostics = Diagnostics::new();
        diagnostics.push(Diagnostic::error(codes::NO_KERNEL, span, message).help(help));
        Err(diagnostics)
    };
    let Some(name) = name else {
        return match all[..] {
            [] => error(
                Span::default(),
                "the module has no kernel".to_owned(),
                "a kernel is a function declared with `.entry` that has a body".to_owned(),
            ),
            [one] => Ok(one),
            [first, ..] => error(
                first.name_at.0,
                format!("the module has {} kernels, and none was chosen", all.len()),
                format!("add `--kernel` with {}", suggest::one_of(&names)),
            ),
        };
    };
    if let Some(index) = names.iter().position(|other| *other == name) {
        return Ok(all[index]);
    }
    let same = module.functions().find(|f| module.name(f.name) == name);
    let (span, message) = match same {
        Some(function) if function.kind == FunctionKind::Func => (
            function.name_at.0,
            format!("`{name}` is a device function, not a kernel"),
        ),
        Some(function) => (
            function.name_at.0,
            format!("the kernel `{name}` is declared here, but has no body"),
        ),
        None => (
            Span::default(),
            format!("there is no kernel `{name}` in the module"),
        ),
    };
    let help = match suggest::nearest(name, names.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None if names.is_empty() => "the module has no kernel at all".to_owned(),
        None => format!("the module has {}", suggest::one_of(&names)),
    };
    error(span, message, help)
}

/// A kernel's parameters as text: number, name, type and size.
pub fn parameters_text(module: &Module, kernel: &Function) -> String {
    if kernel.params.is_empty() {
        return format!("`{}` takes no arguments", module.name(kernel.name));
    }
    let rows: Vec<String> = kernel
        .params
        .iter()
        .enumerate()
        .map(|(number, param)| format!("  {number}: {}", parameter_text(module, param)))
        .collect();
    format!(
        "the parameters of `{}` are\n{}",
        module.name(kernel.name),
        rows.join("\n")
    )
}

/// A parameter as text: `count`, .u32, 4 bytes.
pub fn parameter_text(module: &Module, param: &Variable) -> String {
    let bytes = param.bytes().unwrap_or(0);
    let plural = if bytes == 1 { "" } else { "s" };
    let dims: String = param
        .dims
        .iter()
        .map(|dim| dim.map_or("[]".to_owned(), |n| format!("[{n}]")))
        .collect();
    format!(
        "`{}`, {}{dims}, {bytes} byte{plural}",
        module.name(param.name),
        param.ty
    )
}

/// Whether a kernel takes so many arguments.
pub fn check_count(module: &Module, kernel: &Function, given: usize) -> Result<(), Diagnostics> {
    let wanted = kernel.params.len();
    if given == wanted {
        return Ok(());
    }
    let message = format!(
        "the kernel `{}` takes {}, {given} {} given",
        module.name(kernel.name),
        counted(wanted, "argument"),
        if given == 1 { "was" } else { "were" },
    );
    let mut diagnostics = Diagnostics::new();
    diagnostics.push(
        Diagnostic::error(codes::BAD_ARGUMENTS, kernel.name_at.0, message)
            .help(parameters_text(module, kernel)),
    );
    Err(diagnostics)
}

impl Launch {
    /// Whether the launch can be on a chip, and in which shape the kernel runs then.
    ///
    /// ```
    /// use warpc_launch::Launch;
    /// let text = ".version 8.0\n.target sm_90\n.address_size 64\n.entry k() .reqntid 32 { ret; }";
    /// let file = warpc_diag::SourceFile::new("k.ptx", text).unwrap();
    /// let module = warpc_ptx::check(&file).unwrap();
    /// let mut launch = Launch {
    ///     kernel: "k".to_owned(),
    ///     grid: [4, 1, 1],
    ///     block: [32, 1, 1],
    ///     cluster: None,
    ///     dynamic_shared: 0,
    ///     cooperative: false,
    ///     arguments: vec![],
    /// };
    /// assert_eq!(launch.check(&module, module.sm).unwrap().cluster, [1, 1, 1]);
    /// launch.block = [64, 1, 1];
    /// assert!(launch.check(&module, module.sm).is_err());
    /// ```
    pub fn check<'m>(&self, module: &'m Module, chip: Sm) -> Result<Shape<'m>, Diagnostics> {
        let kernel = kernel(module, Some(&self.kernel))?;
        let mut diagnostics = Diagnostics::new();
        self.check_arguments(module, kernel, &mut diagnostics);
        let mut check = Check {
            launch: self,
            kernel,
            limits: chip.limits(),
            chip,
            diagnostics,
        };
        check.block();
        let cluster = check.cluster();
        let grid = check.grid(cluster);
        let static_shared = static_shared_bytes(module, kernel);
        check.shared(static_shared);
        if check.diagnostics.has_errors() {
            return Err(check.diagnostics);
        }
        Ok(Shape {
            kernel,
            grid,
            block: self.block,
            cluster,
            static_shared,
        })
    }

    fn check_arguments(&self, module: &Module, kernel: &Function, diagnostics: &mut Diagnostics) {
        if let Err(wrong) = check_count(module, kernel, self.arguments.len()) {
            diagnostics.append(wrong);
            return;
        }
        let address_bytes = usize::from(module.address_size.unwrap_or(32) / 8);
        for (number, (argument, param)) in self.arguments.iter().zip(&kernel.params).enumerate() {
            let bytes = argument.len(address_bytes) as u64;
            if param.bytes() != Some(bytes) {
                let what = match argument {
                    Argument::Buffer(_) => "an address",
                    Argument::Value(_) | Argument::Struct { .. } => "a value",
                };
                let message = format!(
                    "argument {number} is {what} of {}, its parameter is {}",
                    counted(bytes as usize, "byte"),
                    parameter_text(module, param)
                );
                let error = Diagnostic::error(codes::BAD_ARGUMENTS, param.name_at.0, message);
                diagnostics.push(error.help(parameters_text(module, kernel)));
            }
            let addresses = match argument {
                Argument::Struct { addresses, .. } => addresses.as_slice(),
                Argument::Value(_) | Argument::Buffer(_) => &[],
            };
            for &(offset, buffer) in addresses {
                let end = (offset as u64).saturating_add(address_bytes as u64);
                if end > bytes {
                    let message = format!(
                        "argument {number} has the address of buffer {buffer} at offset {offset}, and it has {}",
                        counted(bytes as usize, "byte")
                    );
                    let error = Diagnostic::error(codes::BAD_ARGUMENTS, param.name_at.0, message);
                    let help = format!("an address takes {}", counted(address_bytes, "byte"));
                    diagnostics.push(error.help(help));
                }
            }
        }
    }

    /// Whether the launch takes addresses only of the buffers that there are, numbered from 0.
    pub fn check_buffers(&self, buffers: usize) -> Result<(), Diagnostics> {
        let mut diagnostics = Diagnostics::new();
        for (number, argument) in self.arguments.iter().enumerate() {
            for buffer in argument.buffers().filter(|&buffer| buffer >= buffers) {
                let message = format!(
                    "argument {number} is the address of buffer {buffer}, and there {}",
                    match buffers {
                        0 => "are no buffers".to_owned(),
                        1 => "is 1 buffer".to_owned(),
                        many => format!("are {many} buffers"),
                    }
                );
                let error = Diagnostic::error(codes::BAD_ARGUMENTS, Span::NOWHERE, message);
                diagnostics.push(error.help("buffers are counted from 0"));
            }
        }
        match diagnostics.has_errors() {
            true => Err(diagnostics),
            false => Ok(()),
        }
    }
}

/// One check of one launch.
struct Check<'l, 'm> {
    launch: &'l Launch,
    kernel: &'m Function,
    chip: Sm,
    limits: Limits,
    diagnostics: Diagnostics,
}

impl<'m> Check<'_, 'm> {
    fn directive(&self, name: &str) -> Option<&'m FunctionDirective> {
        self.kernel.directives.iter().find(|d| d.name == name)
    }

    fn push(&mut self, span: Span, message: String, help: impl Into<String>) {
        let diagnostic = Diagnostic::error(codes::BAD_SHAPE, span, message);
        self.diagnostics.push(diagnostic.help(help));
    }

    fn block(&mut self) {
        let block = self.launch.block;
        let limits = self.limits;
        self.dimensions("block", "threads", block, limits.block);
        let at = self.kernel.name_at.0;
        let threads = product(block);
        let most = u64::from(limits.block_threads);
        // A block that is too long in one dimension was reported already.
        if threads > most && block.iter().zip(limits.block).all(|(n, most)| *n <= most) {
            let message = format!("a block of {} has {threads} threads", shape_text(block));
            self.push(at, message, format!("it may have up to {most}"));
        }
        if let Some(directive) = self.directive(".maxntid") {
            let most = numbers(directive);
            if threads > product(most) {
                let message = format!(
                    "a block of {} has {threads} threads, more than `.maxntid` allows",
                    shape_text(block)
                );
                let help = format!("the kernel takes up to {} threads a block", product(most));
                self.push(directive.at.0, message, help);
            }
        }
        if let Some(directive) = self.directive(".reqntid") {
            let wanted = numbers(directive);
            if block != wanted {
                let message = format!(
                    "the block is {}, but `.reqntid` of the kernel wants {}",
                    shape_text(block),
                    shape_text(wanted)
                );
                let help = format!("use `--block {}`", flag_text(wanted));
                self.push(directive.at.0, message, help);
            }
        }
    }

    /// The cluster the kernel runs with.
    fn cluster(&mut self) -> [u32; 3] {
        let at = self.kernel.name_at.0;
        let required = self.directive(".reqnctapercluster");
        let fixed = required.map(numbers);
        let cluster = match (self.launch.cluster, fixed) {
            (Some(given), Some(wanted)) if given != wanted => {
                let message = format!(
                    "the cluster is {}, but `.reqnctapercluster` of the kernel wants {}",
                    shape_text(given),
                    shape_text(wanted)
                );
                let help = format!("use `--cluster {}`, or leave it out", flag_text(wanted));
                self.push(required.map_or(at, |d| d.at.0), message, help);
                given
            }
            (Some(given), _) => given,
            (None, Some(wanted)) => wanted,
            (None, None) => {
                if let Some(directive) = self.directive(".explicitcluster") {
                    self.push(
                        directive.at.0,
                        "the kernel has `.explicitcluster`, but the launch has no cluster"
                            .to_owned(),
                        "add `--cluster X[,Y,Z]`",
                    );
                }
                return [1; 3];
            }
        };
        if cluster.contains(&0) {
            let message = format!("a cluster of {} has no blocks", shape_text(cluster));
            self.push(at, message, "each dimension is at least 1");
            return [1; 3];
        }
        let blocks = product(cluster);
        let most = u64::from(self.limits.cluster_blocks);
        if blocks > most {
            let chip = self.chip;
            let (message, help) = if most == 1 {
                let message = format!("{chip} has no clusters of blocks");
                (message, "they need sm_90 or later".to_owned())
            } else {
                let message = format!("a cluster of {} has {blocks} blocks", shape_text(cluster));
                (message, format!("{chip} can have up to {most}"))
            };
            self.push(at, message, help);
        }
        if let Some(directive) = self.directive(".maxclusterrank") {
            let most = product(numbers(directive));
            if blocks > most {
                let message =
                    format!("a cluster of {blocks} blocks is larger than `.maxclusterrank` allows");
                let help = format!("the kernel takes clusters of up to {most} blocks");
                self.push(directive.at.0, message, help);
            }
        }
        cluster
    }

    /// The grid in blocks.
    fn grid(&mut self, cluster: [u32; 3]) -> [u32; 3] {
        let given = self.launch.grid;
        let limits = self.limits.grid;
        let in_clusters = self.directive(".blocksareclusters").is_some();
        let grid = if in_clusters {
            std::array::from_fn(|i| given[i].saturating_mul(cluster[i]))
        } else {
            given
        };
        self.dimensions("grid", "blocks", grid, limits);
        if !in_clusters && (0..3).any(|i| !grid[i].is_multiple_of(cluster[i])) {
            let message = format!(
                "a grid of {} cannot be divided into clusters of {}",
                shape_text(grid),
                shape_text(cluster)
            );
            let up: [u32; 3] = std::array::from_fn(|i| {
                grid[i]
                    .checked_next_multiple_of(cluster[i])
                    .unwrap_or(cluster[i])
            });
            let help = format!("the next larger grid is `--grid {}`", flag_text(up));
            self.push(self.kernel.name_at.0, message, help);
        }
        grid
    }

    /// None of the dimensions is zero or too large.
    fn dimensions(&mut self, what: &str, of: &str, shape: [u32; 3], most: [u32; 3]) {
        let at = self.kernel.name_at.0;
        if shape.contains(&0) {
            let message = format!("a {what} of {} has no {of}", shape_text(shape));
            self.push(at, message, "each dimension is at least 1");
        }
        for (i, name) in ["x", "y", "z"].iter().enumerate() {
            if shape[i] > most[i] {
                let message = format!("the {what} has {} {of} in {name}", shape[i]);
                self.push(at, message, format!("it may have up to {} there", most[i]));
            }
        }
    }

    fn shared(&mut self, static_shared: u64) {
        let dynamic = u64::from(self.launch.dynamic_shared);
        let most = u64::from(self.limits.shared_bytes);
        if static_shared + dynamic > most {
            let message = format!(
                "a block takes {} bytes of shared memory ({static_shared} static, {dynamic} dynamic)",
                static_shared + dynamic
            );
            let help = format!(
                "a block on {} has up to {most} bytes ({} KB)",
                self.chip,
                most / 1024
            );
            let diagnostic =
                Diagnostic::error(codes::TOO_MUCH_SHARED, self.kernel.name_at.0, message);
            self.diagnostics.push(diagnostic.help(help));
        }
    }
}

/// The numbers of a directive for x, y and z; those left out are 1.
fn numbers(directive: &FunctionDirective) -> [u32; 3] {
    std::array::from_fn(|i| {
        let value = directive.values.get(i).map_or(1, |int| int.value());
        u32::try_from(value).unwrap_or(u32::MAX)
    })
}

fn product(shape: [u32; 3]) -> u64 {
    shape
        .iter()
        .fold(1u64, |all, n| all.saturating_mul(u64::from(*n)))
}

/// `16 x 8`, without trailing ones.
fn shape_text(shape: [u32; 3]) -> String {
    trimmed(shape).join(" x ")
}

/// `16,8`, as the command line takes it.
fn flag_text(shape: [u32; 3]) -> String {
    trimmed(shape).join(",")
}

fn trimmed(shape: [u32; 3]) -> Vec<String> {
    let len = shape.iter().rposition(|n| *n != 1).map_or(1, |i| i + 1);
    shape[..len].iter().map(u32::to_string).collect()
}

fn counted(count: usize, what: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {what}{plural}")
}
