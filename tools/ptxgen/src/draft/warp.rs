//! What the lanes of a warp do together, where it is known which lanes there are, and special registers.

use super::{Context, Draft};
use crate::class::Class;
use crate::program::Step;

impl Draft {
    /// A vote, match, reduction, shuffle or barrier of the lanes that are here.
    pub(super) fn collective(&mut self, context: &Context) -> Step {
        let Some(mask) = context.mask.clone() else {
            return self.instruction();
        };
        let mut step = Step::default();
        let mut taken = Vec::new();
        match self.random.below(10) {
            0 | 1 => {
                let how = self.random.pick(&["all", "any", "uni"]);
                let not = self.random.pick(&["", "!"]);
                let source = self.read(Class::P);
                let result = self.write(Class::P, &mut step, &mut taken);
                let line = format!("vote.sync.{how}.pred {result}, {not}{source}, {mask};");
                step.lines.push(line);
            }
            2 => {
                let not = self.random.pick(&["", "!"]);
                let source = self.read(Class::P);
                let result = self.write(Class::W, &mut step, &mut taken);
                let line = format!("vote.sync.ballot.b32 {result}, {not}{source}, {mask};");
                step.lines.push(line);
            }
            3 => {
                let class = self.random.pick(&[Class::W, Class::D]);
                let bits = 8 * class.bytes();
                let (cut, from) = (self.fresh(class), self.read(class));
                // Few bits, so that lanes match.
                step.lines.push(format!("and.b{bits} {cut}, {from}, 3;"));
                let result = self.write(Class::W, &mut step, &mut taken);
                if self.random.one_in(2) {
                    let line = format!("match.any.sync.b{bits} {result}, {cut}, {mask};");
                    step.lines.push(line);
                } else {
                    let same = self.write(Class::P, &mut step, &mut taken);
                    let line = format!("match.all.sync.b{bits} {result}|{same}, {cut}, {mask};");
                    step.lines.push(line);
                }
            }
            4 => {
                let how = self.random.pick(&[
                    "add.u32", "add.s32", "min.u32", "max.u32", "min.s32", "max.s32", "and.b32",
                    "or.b32", "xor.b32",
                ]);
                let source = self.read(Class::W);
                let result = self.write(Class::W, &mut step, &mut taken);
                let line = format!("redux.sync.{how} {result}, {source}, {mask};");
                step.lines.push(line);
            }
            5 => step.lines.push(format!("bar.warp.sync {mask};")),
            6 if self.regions.iter().any(|one| one.space == "shared") => {
                self.swap(&mask, &mut step)
            }
            _ => self.shuffle(&mask, &mut step),
        }
        self.publish(&step);
        step
    }

    /// A lane of the mask: one at some distance if it is there, else the lane itself.
    fn partner(&mut self, mask: &str, step: &mut Step) -> String {
        let lane = self.lane.clone();
        let (other, bit, found) = (
            self.fresh(Class::W),
            self.fresh(Class::W),
            self.fresh(Class::P),
        );
        let distance = 1 + self.random.below(31);
        step.lines
            .push(format!("xor.b32 {other}, {lane}, {distance};"));
        step.lines.push(format!("shr.u32 {bit}, {mask}, {other};"));
        step.lines.push(format!("and.b32 {bit}, {bit}, 1;"));
        step.lines.push(format!("setp.ne.u32 {found}, {bit}, 0;"));
        step.lines
            .push(format!("selp.b32 {other}, {other}, {lane}, {found};"));
        other
    }

    fn shuffle(&mut self, mask: &str, step: &mut Step) {
        let mut taken = Vec::new();
        let class = self.random.pick(&[Class::W, Class::W, Class::F, Class::U]);
        let source = self.read(class);
        let is_whole = self.whole_warps && mask.starts_with("0x");
        if is_whole && self.random.chance(60) {
            let how = self.random.pick(&["up", "down", "bfly", "idx"]);
            let bound = match how {
                "up" => self.random.pick(&["0", "0x1800", "0x1c00"]),
                _ => self.random.pick(&["0x1f", "0x181f", "0x1c1f", "0x101f"]),
            };
            let lane = match self.random.one_in(2) {
                true => self.random.below(32).to_string(),
                false => {
                    let cut = self.fresh(Class::W);
                    let from = self.read(Class::W);
                    step.lines.push(format!("and.b32 {cut}, {from}, 31;"));
                    cut
                }
            };
            // With different distances, `up`, `down` and `bfly` still read lanes of the warp.
            let result = self.write(class, step, &mut taken);
            let also = match self.random.one_in(3) {
                true => format!("|{}", self.write(Class::P, step, &mut taken)),
                false => String::new(),
            };
            let line =
                format!("shfl.sync.{how}.b32 {result}{also}, {source}, {lane}, {bound}, {mask};");
            step.lines.push(line);
            return;
        }
        let lane = self.partner(mask, step);
        let result = self.write(class, step, &mut taken);
        let also = match self.random.one_in(3) {
            true => format!("|{}", self.write(Class::P, step, &mut taken)),
            false => String::new(),
        };
        let line = format!("shfl.sync.idx.b32 {result}{also}, {source}, {lane}, 0x1f, {mask};");
        step.lines.push(line);
    }

    /// Lanes exchange values through shared memory.
    fn swap(&mut self, mask: &str, step: &mut Step) {
        let Some(slot) = self.regions.iter().find(|one| one.space == "shared") else {
            return;
        };
        let base = slot.base.clone();
        let (source, other) = (self.read(Class::W), self.partner(mask, step));
        let (apart, lane) = (self.fresh(Class::W), self.lane.clone());
        let mut taken = Vec::new();
        step.lines.push(format!("bar.warp.sync {mask};"));
        step.lines
            .push(format!("st.shared.b32 [{base}], {source};"));
        step.lines.push(format!("bar.warp.sync {mask};"));
        step.lines
            .push(format!("sub.s32 {apart}, {other}, {lane};"));
        let slot = super::memory::SLOT;
        step.lines
            .push(format!("mad.lo.s32 {apart}, {apart}, {slot}, {base};"));
        let result = self.write(Class::W, step, &mut taken);
        step.lines
            .push(format!("ld.shared.b32 {result}, [{apart}];"));
        step.lines.push(format!("bar.warp.sync {mask};"));
    }

    /// A special register, or a parameter.
    pub(super) fn special(&mut self) -> Step {
        let mut step = Step::default();
        let mut taken = Vec::new();
        let name = self.random.pick(&[
            "%tid.x",
            "%tid.y",
            "%tid.z",
            "%ntid.x",
            "%ntid.y",
            "%ntid.z",
            "%ctaid.x",
            "%ctaid.y",
            "%ctaid.z",
            "%nctaid.x",
            "%nctaid.y",
            "%nctaid.z",
            "%laneid",
            "%lanemask_lt",
            "%lanemask_le",
            "%lanemask_gt",
            "%lanemask_ge",
            "%lanemask_eq",
        ]);
        let result = self.write(Class::W, &mut step, &mut taken);
        step.lines.push(format!("mov.u32 {result}, {name};"));
        self.publish(&step);
        step
    }
}
