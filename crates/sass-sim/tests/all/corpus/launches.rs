//! Launches that are made up for a kernel: small grids, buffers that are large enough for most, numbers that are small.
//!
//! Nothing says what a kernel expects. Several guesses are made; those that the emulator of PTX takes to their end are
//! good ones.

use warpc_ptx::Module;
use warpc_ptx::module::{Function, FunctionDirective};
use warpc_ptx::types::ScalarType;
use warpc_sass_sim::{Argument, Launch};

/// Bytes of a buffer.
const BUFFER: usize = 1 << 18;
/// Dynamic shared memory of kernels that have some.
const SHARED: u32 = 48 << 10;

/// What a buffer begins with.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Fill {
    /// Numbers of single precision around 1.
    Singles,
    /// Small integers.
    Integers,
    Zeros,
}

/// What eight bytes of a parameter are.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Long {
    /// An address where the code uses it as one, else a number.
    Guess,
    Address,
    Number,
}

/// A guess.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Guess {
    fill: Fill,
    number: u32,
    long: Long,
    /// Whether structures are full of addresses, or of numbers.
    pointers: bool,
}

/// The guesses, from the most to the least that a kernel does with them.
pub(crate) const GUESSES: [Guess; 6] = [
    guess(Fill::Singles, 64, Long::Guess, false),
    guess(Fill::Integers, 64, Long::Guess, true),
    guess(Fill::Integers, 8, Long::Guess, false),
    guess(Fill::Singles, 16, Long::Address, true),
    guess(Fill::Zeros, 1, Long::Address, false),
    guess(Fill::Zeros, 0, Long::Number, false),
];

const fn guess(fill: Fill, number: u32, long: Long, pointers: bool) -> Guess {
    Guess {
        fill,
        number,
        long,
        pointers,
    }
}

impl Guess {
    /// Whether there is no other one after it.
    pub(crate) fn is_last(&self) -> bool {
        self.long == Long::Number
    }
}

/// A launch and its buffers.
#[derive(Clone)]
pub(crate) struct Made {
    pub(crate) launch: Launch,
    pub(crate) buffers: Vec<Vec<u8>>,
}

/// The launch of a kernel by a guess; `text` is that of the module.
pub(crate) fn made(module: &Module, kernel: &Function, text: &str, guess: Guess) -> Made {
    let name = module.name(kernel.name);
    let body = body(text, name);
    let directive = |name: &str| kernel.directives.iter().find(|one| one.name == name);
    let block = match (directive(".reqntid"), directive(".maxntid")) {
        (Some(exact), _) => numbers(exact),
        (None, Some(most)) => {
            let most: u32 = numbers(most).iter().product();
            [most.min(64), 1, 1]
        }
        _ => [64, 1, 1],
    };
    let cluster = directive(".reqnctapercluster").map(numbers);
    let is_dynamic = text.contains(".extern .shared");
    let mut buffers: Vec<Vec<u8>> = Vec::new();
    let mut arguments = Vec::new();
    let mut address = |number: usize| {
        buffers.push(filled(guess.fill, number));
        buffers.len() - 1
    };
    for (number, param) in kernel.params.iter().enumerate() {
        let bytes = param.bytes().unwrap_or(0) as usize;
        let is_plain = param.dims.is_empty() && param.vector == 1;
        arguments.push(match bytes {
            8 if param.ty == ScalarType::F64 => {
                Argument::Value(f64::from(guess.number).to_le_bytes().to_vec())
            }
            8 => {
                let is_address = match guess.long {
                    Long::Guess => is_used_as_address(body, module.name(param.name)),
                    Long::Address => true,
                    Long::Number => false,
                };
                match is_address {
                    true => Argument::Buffer(address(number)),
                    false => Argument::Value(u64::from(guess.number).to_le_bytes().to_vec()),
                }
            }
            _ if is_plain && param.ty == ScalarType::F32 => {
                Argument::Value(1.5f32.to_le_bytes().to_vec())
            }
            0..8 => {
                let number = u64::from(guess.number).to_le_bytes();
                Argument::Value(number[..bytes].to_vec())
            }
            _ if guess.pointers => {
                let buffer = address(number);
                let addresses = (0..bytes / 8).map(|at| (8 * at, buffer)).collect();
                Argument::Struct {
                    bytes: vec![0; bytes],
                    addresses,
                    maps: Vec::new(),
                }
            }
            _ => {
                let words = guess.number.to_le_bytes().into_iter().cycle();
                Argument::Value(words.take(bytes).collect())
            }
        });
    }
    Made {
        launch: Launch {
            kernel: name.to_owned(),
            grid: cluster.unwrap_or([2, 1, 1]),
            block,
            cluster: None,
            dynamic_shared: if is_dynamic { SHARED } else { 0 },
            cooperative: false,
            arguments,
        },
        buffers,
    }
}

fn numbers(directive: &FunctionDirective) -> [u32; 3] {
    std::array::from_fn(|at| {
        let value = directive.values.get(at).map_or(1, |one| one.value());
        u32::try_from(value).unwrap_or(1)
    })
}

fn filled(fill: Fill, number: usize) -> Vec<u8> {
    let word = |at: usize| -> u32 {
        match fill {
            Fill::Singles => (0.5 + ((at + number) % 13) as f32 * 0.25).to_bits(),
            Fill::Integers => ((at + number) % 7) as u32,
            Fill::Zeros => 0,
        }
    };
    (0..BUFFER / 4)
        .flat_map(|at| word(at).to_le_bytes())
        .collect()
}

/// The text of a kernel, from its name to the end of its body.
fn body<'t>(text: &'t str, kernel: &str) -> &'t str {
    let start = text.find(&format!(".entry {kernel}")).unwrap_or(0);
    let rest = &text[start..];
    &rest[..rest.find("\n}").unwrap_or(rest.len())]
}

/// Whether a parameter is loaded to a register that becomes an address.
fn is_used_as_address(body: &str, param: &str) -> bool {
    let loaded = body
        .lines()
        .filter(|line| line.contains("ld.param") && line.contains(&format!("[{param}]")));
    let registers =
        loaded.filter_map(|line| line.split_whitespace().find(|one| one.starts_with('%')));
    let mut known = false;
    for register in registers {
        known = true;
        let register = register.trim_end_matches(',');
        let is_address = |line: &str| {
            let uses = |mark: &str| {
                line.split_once(mark).is_some_and(|(_, rest)| {
                    rest.split([' ', ',', ';', ']', '+'])
                        .any(|one| one == register)
                })
            };
            line.contains("cvta.") && uses("cvta.") || uses("[") && !line.contains("ld.param")
        };
        if body.lines().any(is_address) {
            return true;
        }
    }
    // What is not loaded plainly is an address more often than not.
    !known
}
