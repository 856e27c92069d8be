//! Counted loops.

use super::Editor;
use warpc_nvvm::inst::{BinaryOp, Flags, IcmpPredicate};
use warpc_nvvm::value::Value;

impl<'m> Editor<'m> {
    /// `for i in 0..count { body(i) }`. A constant count needs no check for zero, and one turn no loop.
    pub fn count_up(&mut self, count: Value, body: impl FnOnce(&mut Editor<'m>, Value)) {
        let ty = self.type_of(count);
        let (zero, one) = (self.int(ty, 0), self.int(ty, 1));
        match self.as_u64(count) {
            Some(0) => return,
            Some(1) => return body(self, zero),
            _ => {}
        }
        let (head, after) = (self.new_block(), self.new_block());
        self.enter_loop(count, head, after);
        let before = self.block();
        self.start(head);
        let (phi, index) = self.phi(ty);
        body(self, index);
        let next = self.binary_with(BinaryOp::Add, Flags::NUW, index, one);
        let more = self.icmp(IcmpPredicate::Ult, next, count);
        let last = self.block();
        self.cond_br(more, head, after);
        self.set_phi(phi, &[(zero, before), (next, last)]);
        self.start(after);
    }

    /// `for i in (0..count).rev() { body(i) }`
    pub fn count_down(&mut self, count: Value, body: impl FnOnce(&mut Editor<'m>, Value)) {
        let ty = self.type_of(count);
        let (zero, one) = (self.int(ty, 0), self.int(ty, 1));
        match self.as_u64(count) {
            Some(0) => return,
            Some(1) => return body(self, zero),
            _ => {}
        }
        let (head, after) = (self.new_block(), self.new_block());
        self.enter_loop(count, head, after);
        let before = self.block();
        self.start(head);
        let (phi, left) = self.phi(ty);
        let index = self.binary_with(BinaryOp::Sub, Flags::NUW, left, one);
        body(self, index);
        let more = self.icmp(IcmpPredicate::Ne, index, zero);
        let last = self.block();
        self.cond_br(more, head, after);
        self.set_phi(phi, &[(count, before), (index, last)]);
        self.start(after);
    }

    fn enter_loop(
        &mut self,
        count: Value,
        head: warpc_nvvm::value::Block,
        after: warpc_nvvm::value::Block,
    ) {
        if self.as_u64(count).is_some() {
            return self.br(head);
        }
        let zero = self.int(self.type_of(count), 0);
        let some = self.icmp(IcmpPredicate::Ne, count, zero);
        self.cond_br(some, head, after);
    }

    /// `if condition { then } else { otherwise }`, without values.
    pub fn branch(
        &mut self,
        condition: Value,
        then: impl FnOnce(&mut Editor<'m>),
        otherwise: impl FnOnce(&mut Editor<'m>),
    ) {
        let (yes, no, after) = (self.new_block(), self.new_block(), self.new_block());
        self.cond_br(condition, yes, no);
        self.start(yes);
        then(self);
        self.br(after);
        self.start(no);
        otherwise(self);
        self.br(after);
        self.start(after);
    }
}
