//! Parameters of kernels after the buffers: how they are declared, passed and read.

use super::Draft;
use crate::class::{Class, integer};
use crate::program::Step;

/// A parameter after the buffers.
#[derive(Clone, Debug)]
pub(super) struct Parameter {
    pub(super) name: String,
    /// The type of one that is a number.
    pub(super) ty: Option<&'static str>,
    pub(super) bytes: Vec<u8>,
    align: u32,
}

impl Parameter {
    fn declaration(&self) -> String {
        match self.ty {
            Some(ty) => format!(".param .{ty} {}", self.name),
            None => format!(
                ".param .align {} .b8 {}[{}]",
                self.align,
                self.name,
                self.bytes.len()
            ),
        }
    }

    /// As `warpc run` takes it.
    pub(super) fn argument(&self) -> String {
        let value = self.bytes.iter().rev();
        let value: String = value.map(|byte| format!("{byte:02x}")).collect();
        match self.ty {
            Some(ty) if ty.starts_with('f') => format!("{ty}=0x{value}"),
            Some(ty) => format!("b{}=0x{value}", &ty[1..]),
            None => {
                let bytes = self.bytes.iter().map(|byte| format!("{byte:02x}"));
                format!("hex:{}", bytes.collect::<String>())
            }
        }
    }
}

impl Draft {
    /// Parameters of all sizes, and structures.
    pub(super) fn parameters(&mut self) -> Vec<Parameter> {
        let count = self.random.below(6);
        let mut all = Vec::new();
        for number in 0..count {
            let name = format!("p_{number}");
            if self.random.chance(30) {
                let align = 1u32 << self.random.below(5);
                let length = 1 + self.random.below(40);
                let bytes = (0..length).map(|_| self.random.bits() as u8).collect();
                all.push(Parameter {
                    name,
                    ty: None,
                    bytes,
                    align,
                });
                continue;
            }
            let ty = self.random.pick(&[
                "u8", "s8", "u16", "s16", "u32", "u32", "s32", "u64", "s64", "f32", "f64",
            ]);
            let bytes: usize = ty[1..].parse().unwrap_or(32) / 8;
            let value = match ty {
                "f32" => Class::F.input(&mut self.random),
                "f64" => Class::G.input(&mut self.random),
                "u32" => self.random.number_below(7),
                _ => integer(&mut self.random, 8 * bytes as u32),
            };
            all.push(Parameter {
                name,
                ty: Some(ty),
                bytes: value.to_le_bytes()[..bytes].to_vec(),
                align: bytes as u32,
            });
        }
        all
    }

    /// From the linkage of a kernel to the limits of its launches.
    pub(super) fn header(
        &mut self,
        name: &str,
        parameters: &[Parameter],
        block: [u32; 3],
    ) -> String {
        let mut all: Vec<String> = ["p_in", "p_out", "p_cells"]
            .map(|name| format!(".param .u64 {name}"))
            .to_vec();
        all.extend(parameters.iter().map(Parameter::declaration));
        let [x, y, z] = block;
        let limits = match self.random.below(12) {
            0 => format!("\n.reqntid {x}, {y}, {z}"),
            1 => format!("\n.maxntid {x}, {y}, {z}"),
            2 => "\n.maxnreg 64".to_owned(),
            _ => String::new(),
        };
        format!(
            ".visible .entry {name}(\n\t{}\n){limits}",
            all.join(",\n\t")
        )
    }

    /// A read of a parameter.
    pub(super) fn parameter(&mut self, parameter: &Parameter) -> Step {
        let mut step = Step::default();
        let mut taken = Vec::new();
        let name = &parameter.name;
        if let Some(ty) = parameter.ty {
            let class = match ty {
                "f32" => Class::F,
                "f64" => Class::G,
                _ => match parameter.bytes.len() {
                    1 | 2 => self.random.pick(&[Class::H, Class::W, Class::D]),
                    4 => Class::W,
                    _ => Class::D,
                },
            };
            let result = self.write(class, &mut step, &mut taken);
            step.lines
                .push(format!("ld.param.{ty} {result}, [{name}];"));
        } else {
            // Part of a structure; vectors where the alignment allows them.
            let length = parameter.bytes.len() as u32;
            let most = parameter.align.min(8);
            let widths: Vec<u32> = [1, 2, 4, 8]
                .into_iter()
                .filter(|&n| n <= most && n <= length)
                .collect();
            let bytes = self.random.pick(&widths);
            let mut count = 1;
            while count < 4
                && 2 * count * bytes <= parameter.align.min(length)
                && self.random.one_in(2)
            {
                count *= 2;
            }
            let offset = self
                .random
                .number_below(u64::from(length / (bytes * count))) as u32
                * bytes
                * count;
            let (ty, class) = match bytes {
                1 => (
                    self.random.pick(&["u8", "s8"]),
                    self.random.pick(&[Class::H, Class::W]),
                ),
                2 => (
                    self.random.pick(&["u16", "s16"]),
                    self.random.pick(&[Class::H, Class::W]),
                ),
                4 => ("b32", Class::W),
                _ => ("b64", Class::D),
            };
            let results: Vec<String> = (0..count)
                .map(|_| self.write(class, &mut step, &mut taken))
                .collect();
            step.lines.push(match count {
                1 => format!("ld.param.{ty} {}, [{name}+{offset}];", results[0]),
                many => format!(
                    "ld.param.v{many}.{ty} {{{}}}, [{name}+{offset}];",
                    results.join(", ")
                ),
            });
        }
        self.publish(&step);
        step
    }
}
