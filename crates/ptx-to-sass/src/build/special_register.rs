//! Reads of special registers: by an instruction, from the constant bank, or worked out as ptxas does.

use super::names::Meaning;
use super::operand::Given;
use super::{Builder, Outcome, special};
use crate::compute;
use crate::ir::{File, Guard, Op, Reg};
use crate::wired::{Operand as WiredOperand, Wired};
use smallvec::SmallVec;
use warpc_ptx::inst::{Inst, Operand, Sign};
use warpc_sass::Value;

/// Registers that are vectors: their elements have these names, and the fourth is zero.
const VECTORS: [&str; 8] = [
    "tid",
    "ntid",
    "ctaid",
    "nctaid",
    "clusterid",
    "nclusterid",
    "cluster_ctaid",
    "cluster_nctaid",
];

impl Builder<'_> {
    /// A move of a special register.
    pub(super) fn special_register(
        &mut self,
        inst: &Inst,
        name: &str,
        guard: Option<Guard>,
    ) -> Outcome<()> {
        let first = self.body.operands(inst.operands).first().copied();
        let given = match first {
            Some(operand @ Operand::Vector(_)) => self.resolve(operand, None)?,
            _ => self.given_register(inst)?,
        };
        let (reg, lane, lanes) = match given {
            Given::Vector(items) if VECTORS.contains(&name) => {
                // Narrow elements take the low half of a register, which is where it is.
                for (item, axis) in items.iter().zip(["x", "y", "z", "w"]) {
                    if let Given::Reg { reg, lane, .. } = item {
                        let element = format!("{name}.{axis}");
                        self.read_special(&element, (*reg, *lane, 1), guard)?;
                    }
                }
                return Ok(());
            }
            Given::Vector(items) if items.len() == 2 => {
                // The halves of one of 64 bits.
                let pair = self.ir.reg(File::Register, 2);
                self.read_special(name, (pair, 0, 2), guard)?;
                for (item, half) in items.iter().zip(0..) {
                    if let Given::Reg { reg, lane, .. } = item {
                        self.copy(Op::Reg(*reg, *lane), Op::Reg(pair, half), guard)?;
                    }
                }
                return Ok(());
            }
            Given::Reg {
                reg, lane, lanes, ..
            } => (reg, lane, lanes),
            _ => return Err(self.refuse("this register")),
        };
        if VECTORS.contains(&name) && lanes == 4 {
            for (number, axis) in (0u8..).zip(["x", "y", "z"]) {
                let to = (reg, lane + number, 1);
                self.read_special(&format!("{name}.{axis}"), to, guard)?;
            }
            return self.step("MOV R0, RZ", guard, &[Op::Reg(reg, lane + 3)]);
        }
        self.read_special(name, (reg, lane, lanes), guard)
    }

    /// A special register in a register of its own; nothing if there is none of this name.
    pub(super) fn special_operand(
        &mut self,
        name: &str,
        part: warpc_ptx::inst::Part,
    ) -> Option<Outcome<Given>> {
        let types = warpc_ptx::sreg::find(name, "")?.row.types;
        let ty = *types.iter().max_by_key(|ty| ty.bits())?;
        let name = name.strip_prefix('%').unwrap_or(name);
        let name = format!("{name}{}", part.element_text());
        let register = Builder::new_register(&mut self.ir, ty, 1);
        let lanes = self.ir.data(register.reg).lanes;
        let read = self.read_special(&name, (register.reg, 0, lanes), None);
        Some(read.map(|()| Given::Reg {
            reg: register.reg,
            lane: 0,
            lanes,
            not: false,
        }))
    }

    /// Reads a register into these lanes.
    fn read_special(
        &mut self,
        name: &str,
        (reg, lane, lanes): (Reg, u8, u8),
        guard: Option<Guard>,
    ) -> Outcome<()> {
        let to = Op::Reg(reg, lane);
        if self.ir.data(reg).file == File::Predicate {
            return self.special_predicate(name, to, guard);
        }
        if let Some((place, wide)) = special::constant(name, self.sm) {
            let load = special::load(self.sm);
            let size = if wide && lanes == 2 { ".64" } else { "" };
            let from = special::place(0, place.into());
            self.step(&format!("{load}{size} R0, {from}"), guard, &[to])?;
            if wide && lanes == 2 {
                return Ok(());
            }
        } else if name.ends_with(".w") {
            self.step("MOV R0, RZ", guard, &[to])?;
        } else if let Some(value) = self.worked_out(name)? {
            self.copy(to, value, guard)?;
        } else if self.read_register(name, (reg, lane, lanes), guard)? == lanes {
            return Ok(());
        }
        if lanes == 2 {
            self.extend(reg, lane, false, guard)?;
        }
        Ok(())
    }

    /// A register that an instruction reads, and the registers that it fills.
    fn read_register(
        &mut self,
        name: &str,
        (reg, lane, lanes): (Reg, u8, u8),
        guard: Option<Guard>,
    ) -> Outcome<u8> {
        // One element of a vector is read by its own name.
        if name.starts_with("tid.") || name.starts_with("ctaid.") {
            let text = format!("S2R R0, SR_{}", name.to_uppercase());
            self.step(&text, guard, &[Op::Reg(reg, lane)])?;
            return Ok(1);
        }
        let wired = self.special_steps(name)?;
        let [step] = &wired.steps[..] else {
            return Err(self.refuse(format_args!("`%{name}`")));
        };
        let mut operands: SmallVec<[crate::ir::Operand; 6]> = SmallVec::new();
        for (slot, one) in step.shape.slots().iter().zip(&step.operands) {
            let op = match one.operand {
                WiredOperand::Value(value) => Op::Value(value),
                _ if slot.is_written() => Op::Reg(reg, lane),
                _ => return Err(self.refuse(format_args!("`%{name}`"))),
            };
            operands.push(crate::ir::Operand::plain(op));
        }
        let slots = step.shape.slots();
        let width = slots.first().map_or(1, |slot| slot.width.registers(0));
        if width > lanes {
            return Err(self.refuse(format_args!("`%{name}` here")));
        }
        self.push(crate::ir::Inst {
            shape: step.shape,
            guard,
            operands,
            span: self.span,
            origin: None,
            acquires: false,
            contracts: false,
            weak: false,
        });
        Ok(width)
    }

    /// A word of the constant bank.
    fn bank_word(&mut self, place: u32) -> Outcome<Op> {
        let to = Op::Reg(self.ir.reg(File::Register, 1), 0);
        let text = format!("LDC R0, {}", special::place(0, place.into()));
        self.step(&text, None, &[to])?;
        Ok(to)
    }

    /// A register of the machine.
    fn machine_register(&mut self, name: &str) -> Outcome<Op> {
        let to = Op::Reg(self.ir.reg(File::Register, 1), 0);
        self.step(&format!("S2R R0, {name}"), None, &[to])?;
        Ok(to)
    }

    /// A register that is worked out of others; nothing if it is not one of these. Source: what ptxas emits for sm_90.
    fn worked_out(&mut self, name: &str) -> Outcome<Option<Op>> {
        let value = Op::Reg(self.ir.reg(File::Register, 1), 0);
        match name {
            "warpid" | "nwarpid" => {
                let (from, bits) = match name {
                    "warpid" => ("SR_VIRTID", "0x7"),
                    _ => ("SR_VIRTCFG", "0x8"),
                };
                let from = self.machine_register(from)?;
                self.step("SHF.R.U32.HI R0, RZ, 0x8, R0", None, &[value, from])?;
                let text = format!("SGXT.U32 R0, R0, {bits}");
                self.step(&text, None, &[value, value])?;
            }
            "total_smem_size" => {
                let all = self.machine_register("SR_SMEMSZ")?;
                let uncounted = self.bank_word(special::SHARED_UNCOUNTED)?;
                let operands = [value, all, uncounted];
                self.step("IADD3 R0, R0, -R0, RZ", None, &operands)?;
            }
            "aggr_smem_size" => {
                let all = self.machine_register("SR_SMEMSZ")?;
                let most = self.bank_word(special::SHARED_LIMIT)?;
                let text = format!("{}.U32 R0, R0, R0, PT", self.chip().min_max());
                self.step(&text, None, &[value, all, most])?;
            }
            "reserved_smem_offset_begin" | "reserved_smem_offset_0" => {
                return Ok(Some(Op::Value(Value::ZERO)));
            }
            // What the chip keeps of a block's shared memory.
            "reserved_smem_offset_cap" => {
                let bytes = warpc_launch::shared::shared_begin(self.sm);
                self.step(&format!("MOV R0, {bytes:#x}"), None, &[value])?;
            }
            _ => match name.split_once('.') {
                Some(("clusterid", axis)) => return self.cluster(axis).map(Some),
                Some(("cluster_ctaid", axis)) => return self.block_in_cluster(axis).map(Some),
                _ => return Ok(None),
            },
        }
        Ok(Some(value))
    }

    /// The number of the cluster: that of the block divided by the cluster's size. Grids are large in x only, so that a
    /// product with the driver's reciprocal is enough in y and z.
    fn cluster(&mut self, axis: &str) -> Outcome<Op> {
        let block = self.machine_register(&format!("SR_CTAID.{}", axis.to_uppercase()))?;
        let value = Op::Reg(self.ir.reg(File::Register, 1), 0);
        let reciprocal = match axis {
            "x" => {
                let size = self.cluster_size(axis)?;
                let given = [("d", value), ("a", block), ("b", size)];
                let given = given.map(|(name, op)| (name, one_register(op)));
                let wired = compute::quotient_of_words(self.sm);
                let wired = wired.map_err(|_| self.refuse("`%clusterid.x`"))?;
                self.straight(&wired, given.into_iter().collect())?;
                return Ok(value);
            }
            "y" => special::CLUSTER_Y,
            _ => special::CLUSTER_Z,
        };
        let factor = self.bank_word(reciprocal)?;
        self.step("I2FP.F32.U32 R0, R0", None, &[value, block])?;
        self.step("FMUL R0, R0, R0", None, &[value, value, factor])?;
        self.step("F2I.U32.TRUNC.NTZ R0, R0", None, &[value, value])?;
        Ok(value)
    }

    fn cluster_size(&mut self, axis: &str) -> Outcome<Op> {
        let name = format!("cluster_nctaid.{axis}");
        match special::constant(&name, self.sm) {
            Some((place, _)) => self.bank_word(place),
            None => Err(self.refuse(format_args!("`%{name}`"))),
        }
    }

    /// The number of the block in its cluster: what the division leaves.
    fn block_in_cluster(&mut self, axis: &str) -> Outcome<Op> {
        let (cluster, size) = (self.cluster(axis)?, self.cluster_size(axis)?);
        let block = self.machine_register(&format!("SR_CTAID.{}", axis.to_uppercase()))?;
        let (less, value) = (
            self.ir.reg(File::Register, 1),
            self.ir.reg(File::Register, 1),
        );
        let (less, value) = (Op::Reg(less, 0), Op::Reg(value, 0));
        self.step("IADD3 R0, RZ, -R0, RZ", None, &[less, cluster])?;
        self.step("IMAD R0, R0, R0, R0", None, &[value, size, less, block])?;
        Ok(value)
    }

    /// The one register that is a predicate: whether the kernel was started with clusters.
    fn special_predicate(&mut self, name: &str, to: Op, guard: Option<Guard>) -> Outcome<()> {
        if name != "is_explicit_cluster" {
            return Err(self.refuse(format_args!("`%{name}`")));
        }
        let said = self.bank_word(special::CLUSTERS)?;
        self.step("ISETP.EQ.U32.AND P0, PT, R0, 0x1, PT", guard, &[to, said])
    }

    /// The first operand of an instruction, which is a register.
    pub(super) fn given_register(&mut self, inst: &Inst) -> Outcome<Given> {
        let operands = self.body.operands(inst.operands);
        match operands.first() {
            Some(Operand::Name { symbol, part, .. }) => match self.find(*symbol) {
                Some(Meaning::Register(register)) => self.register(register, *part, Sign::Plain),
                _ => Err(self.refuse("this register")),
            },
            _ => Err(self.refuse("this register")),
        }
    }

    fn special_steps(&mut self, name: &str) -> Outcome<Wired> {
        let refusal = self.refuse(format_args!("`%{name}`"));
        let special = crate::lower::special::Special {
            name: name.to_owned(),
        };
        let description = crate::Description::Special(special);
        match description.sequence(crate::Context::Straight, self.sm) {
            Ok(sequence) => sequence.wired.map_err(|_| refusal),
            Err(_) => Err(refusal),
        }
    }
}

fn one_register(op: Op) -> Given {
    match op {
        Op::Reg(reg, lane) => Given::Reg {
            reg,
            lane,
            lanes: 1,
            not: false,
        },
        _ => Given::Number(0),
    }
}
