//! Items of one module in another: names and mnemonics are numbers of their module, so both are translated.
//!
//! ```text
//!   Module (symbols, mnemonics) ── item ──► Transfer ──► the same item, in the numbers of another Module
//! ```

use crate::inst::{MnemonicId, Operand};
use crate::module::{Body, Function, Item, SectionLine, Statement, Variable};
use crate::symbol::Symbol;
use crate::{Mnemonics, Module};

/// The numbers that names and mnemonics of one module have in another.
#[derive(Debug)]
pub struct Transfer {
    symbols: Vec<Symbol>,
    mnemonics: Vec<MnemonicId>,
}

impl Transfer {
    /// Enters all names and mnemonics of a module in another one, whose mnemonics are `known`.
    pub fn new(from: &Module, to: &mut Module, known: &mut Mnemonics) -> Transfer {
        let names = from.symbols.iter();
        let symbols = names.map(|symbol| to.symbols.intern(from.name(symbol)));
        let symbols = symbols.collect();
        let mnemonics = from.mnemonics.iter().map(|mnemonic| {
            let text = crate::mnemonic_text(&mnemonic.choices[0]);
            match known.intern(to, &text) {
                Some(id) if to.mnemonics[id.0 as usize] == *mnemonic => id,
                _ => {
                    to.mnemonics.push(mnemonic.clone());
                    MnemonicId(to.mnemonics.len() as u32 - 1)
                }
            }
        });
        Transfer {
            symbols,
            mnemonics: mnemonics.collect(),
        }
    }

    /// Lets a name be another one in the other module.
    pub fn rename(&mut self, from: Symbol, to: Symbol) {
        if let Some(symbol) = self.symbols.get_mut(from.index()) {
            *symbol = to;
        }
    }

    /// Translates an item.
    pub fn item(&self, item: &mut Item) {
        match item {
            Item::Variable(variable) => self.variable(variable),
            Item::Function(function) => self.function(function),
            Item::Alias(alias) => {
                self.symbol(&mut alias.name);
                self.symbol(&mut alias.aliasee);
            }
            Item::Section(section) => {
                for line in &mut section.lines {
                    match line {
                        SectionLine::Label(name, _) | SectionLine::Address(_, name, ..) => {
                            self.symbol(name);
                        }
                        SectionLine::Difference(_, names, _) => {
                            names.iter_mut().for_each(|name| self.symbol(name));
                        }
                        SectionLine::Numbers(..) => {}
                    }
                }
            }
            Item::File(_) | Item::Pragma(..) => {}
        }
    }

    fn symbol(&self, symbol: &mut Symbol) {
        *symbol = self.symbols[symbol.index()];
    }

    fn variable(&self, variable: &mut Variable) {
        self.symbol(&mut variable.name);
        let init = variable
            .extra
            .as_mut()
            .and_then(|extra| extra.init.as_mut());
        for address in init.into_iter().flat_map(|init| init.items.addresses_mut()) {
            self.symbol(&mut address.symbol);
        }
    }

    fn variables(&self, variables: &mut [Variable]) {
        variables.iter_mut().for_each(|one| self.variable(one));
    }

    fn function(&self, function: &mut Function) {
        self.symbol(&mut function.name);
        self.variables(&mut function.returns);
        self.variables(&mut function.params);
        if let Some(body) = &mut function.body {
            self.body(body);
        }
    }

    fn body(&self, body: &mut Body) {
        for operand in &mut body.operands {
            if let Operand::Name { symbol, .. } = operand {
                self.symbol(symbol);
            }
        }
        for statement in &mut body.statements {
            self.statement(statement);
        }
    }

    fn statement(&self, statement: &mut Statement) {
        match statement {
            Statement::Inst(inst) => {
                inst.mnemonic = self.mnemonics[inst.mnemonic.0 as usize];
                if let Some(guard) = &mut inst.guard {
                    self.symbol(&mut guard.register);
                }
            }
            Statement::Label(name, _) => self.symbol(name),
            Statement::Open(_) | Statement::Close(_) | Statement::Pragma(..) => {}
            Statement::Variable(variable) => self.variable(variable),
            Statement::Function(function) => self.function(function),
            Statement::Alias(alias) => {
                self.symbol(&mut alias.name);
                self.symbol(&mut alias.aliasee);
            }
            Statement::Loc(loc) => {
                if let Some(inlined) = &mut loc.inlined {
                    self.symbol(&mut inlined.function);
                }
            }
            Statement::BranchTargets(names, _) | Statement::CallTargets(names, _) => {
                names.iter_mut().for_each(|(name, _)| self.symbol(name));
            }
            Statement::CallPrototype(prototype, _) => {
                self.variables(&mut prototype.returns);
                self.variables(&mut prototype.params);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = ".version 8.0\n.target sm_90\n.address_size 64\n\
        .global .align 8 .u64 table[2] = {generic(x), k};\n\
        .visible .entry k(.param .u64 k_param_0) {\n.reg .pred %p<2>;\n.reg .b64 %rd<3>;\n.reg .b32 %r<4>;\n\
        ld.param.u64 %rd1, [k_param_0];\nmov.u32 %r1, %tid.x;\nsetp.eq.s32 %p1, %r1, 0;\n\
        @%p1 bra $L1;\nadd.s32 %r2, %r1, 5;\nst.global.u32 [%rd1+4], %r2;\n$L1:\nret;\n}\n";

    #[test]
    fn items_print_the_same_in_another_module() {
        let text = TEXT.replace("generic(x), k", "generic(x)");
        let text = text.replace(
            ".global .align 8 .u64 table",
            ".global .b32 x;\n.global .align 8 .u64 table",
        );
        let file = warpc_diag::SourceFile::new("a.ptx", text).unwrap();
        let from = crate::check(&file).unwrap();
        let mut to = Module::new(from.sm, from.version);
        // Other numbers than in the first module.
        to.symbols.intern("other");
        let mut known = Mnemonics::default();
        known.intern(&mut to, "ret").unwrap();
        let transfer = Transfer::new(&from, &mut to, &mut known);
        let mut items = from.items.clone();
        items.iter_mut().for_each(|item| transfer.item(item));
        to.items = items;
        to.address_size = from.address_size;
        assert_eq!(crate::print(&to), crate::print(&from));
    }
}
