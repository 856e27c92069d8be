//! Memory that a thread takes from its stack while it runs.

use super::Draft;
use crate::class::Class;
use crate::program::Step;

impl Draft {
    /// Takes memory, uses it and gives it back, so that a loop around does not take more each time.
    pub(super) fn taken(&mut self) -> Step {
        let mut step = Step::default();
        let [saved, place] = [(); 2].map(|()| self.fresh(Class::D));
        let (word, wide) = (self.read(Class::W), self.read(Class::D));
        let size = match self.random.one_in(2) {
            true => self.random.pick(&["16", "24", "64"]).to_owned(),
            false => {
                let (size, from) = (self.fresh(Class::D), self.read(Class::D));
                step.lines.push(format!("and.b64 {size}, {from}, 48;"));
                step.lines.push(format!("add.u64 {size}, {size}, 16;"));
                size
            }
        };
        let align = self.random.pick(&["", ", 8", ", 16", ", 64"]);
        step.lines.push(format!("stacksave.u64 {saved};"));
        step.lines
            .push(format!("alloca.u64 {place}, {size}{align};"));
        let mut space = ".local";
        if self.random.one_in(2) {
            step.lines.push(format!("cvta.local.u64 {place}, {place};"));
            space = "";
        }
        step.lines.push(format!("st{space}.b64 [{place}], {wide};"));
        step.lines
            .push(format!("st{space}.b32 [{place}+4], {word};"));
        // A second one, which must not be at the same place.
        let second = self.random.one_in(3).then(|| self.fresh(Class::D));
        if let Some(second) = &second {
            step.lines.push(format!("alloca.u64 {second}, 16;"));
            step.lines
                .push(format!("st.local.b64 [{second}], {saved};"));
        }
        let result = self.write(Class::D, &mut step, &mut vec![saved.clone()]);
        step.lines
            .push(format!("ld{space}.b64 {result}, [{place}];"));
        step.lines.push(format!("stackrestore.u64 {saved};"));
        self.publish(&step);
        step
    }
}
