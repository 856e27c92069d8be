//! Comdats, variables, aliases, ifuncs and the heads of functions.

use super::Printer;
use crate::constant::{ConstId, ConstKind};
use crate::function::{Body, GlobalAttachment};
use crate::index::Id;
use crate::inst::{Align, CallConv};
use crate::module::{
    ComdatId, DllStorage, Function, Global, GlobalId, GlobalKind, Linkage, Sanitizer, ThreadLocal,
    UnnamedAddr, Variable, Visibility,
};
use crate::name::Name;
use crate::value::Local;

impl<'m> Printer<'m> {
    pub(super) fn comdats(&mut self) {
        let module = self.module;
        for (_, comdat) in module.comdats.iter() {
            self.out.gap();
            self.out.byte(b'$');
            self.out.name(module.names.bytes(comdat.name));
            self.out.str(" = comdat ");
            self.out.str(comdat.kind.keyword());
            self.out.newline();
        }
    }

    pub(super) fn variables(&mut self) {
        for (i, (id, global, variable)) in self.module.variables().enumerate() {
            if i == 0 {
                self.out.gap();
            }
            self.variable(id, global, variable);
        }
    }

    fn variable(&mut self, id: GlobalId, global: &Global, variable: &Variable) {
        self.global_name(id);
        self.out.str(" = ");
        if variable.init.is_none() && global.linkage == Linkage::External {
            self.out.str("external ");
        }
        self.linkage(global);
        self.thread_local_and_address(global);
        if global.space != 0 {
            self.address_space("", global.space);
            self.out.byte(b' ');
        }
        if variable.externally_initialized {
            self.out.str("externally_initialized ");
        }
        self.out.str(if variable.constant {
            "constant "
        } else {
            "global "
        });
        self.ty(global.value_ty);
        if let Some(init) = variable.init {
            self.out.byte(b' ');
            self.constant(init);
        }
        self.string_part(", section ", global.section);
        self.string_part(", partition ", global.partition);
        if let Some(model) = variable.code_model {
            self.out.str(", code_model ");
            self.out.quoted(model.keyword().as_bytes());
        }
        for (flag, word) in [
            (Sanitizer::NO_ADDRESS, ", no_sanitize_address"),
            (Sanitizer::NO_HWADDRESS, ", no_sanitize_hwaddress"),
            (Sanitizer::MEMTAG, ", sanitize_memtag"),
            (Sanitizer::ADDRESS_DYNINIT, ", sanitize_address_dyninit"),
        ] {
            if variable.sanitizer.contains(flag) {
                self.out.str(word);
            }
        }
        self.comdat_part(", comdat", global.name, global.comdat);
        self.align(", align ", global.align);
        self.global_attachments(", ", &global.metadata);
        self.group(variable.attrs);
        self.out.newline();
    }

    pub(super) fn aliases(&mut self) {
        let module = self.module;
        let of_kind = |is_alias: bool| {
            module.order.iter().filter_map(move |&id| {
                let global = &module.globals[id];
                match global.kind {
                    GlobalKind::Alias(target) if is_alias => Some((id, global, target)),
                    GlobalKind::Ifunc(target) if !is_alias => Some((id, global, target)),
                    _ => None,
                }
            })
        };
        for (is_alias, word) in [(true, "alias "), (false, "ifunc ")] {
            for (i, (id, global, target)) in of_kind(is_alias).enumerate() {
                if i == 0 {
                    self.out.gap();
                }
                self.alias(id, global, word, target);
            }
        }
    }

    fn alias(&mut self, id: GlobalId, global: &Global, word: &str, target: ConstId) {
        self.global_name(id);
        self.out.str(" = ");
        self.linkage(global);
        self.thread_local_and_address(global);
        self.out.str(word);
        self.ty(global.value_ty);
        self.out.str(", ");
        match self.module.constants.get(target).kind {
            ConstKind::Expr(_) => self.constant(target),
            _ => self.typed_constant(target),
        }
        self.string_part(", partition ", global.partition);
        self.global_attachments(", ", &global.metadata);
        self.out.newline();
    }

    pub(super) fn function(&mut self, id: GlobalId, global: &'m Global, function: &'m Function) {
        let module = self.module;
        let attributes = &module.attributes;
        let set = attributes.of_function(function.attrs);
        self.attribute_comment(set);
        match &function.body {
            None => {
                self.out.str("declare");
                self.global_attachments(" ", &global.metadata);
                self.out.byte(b' ');
            }
            Some(body) => {
                self.number_function(id, body);
                self.out.str("define ");
            }
        }
        self.linkage(global);
        self.calling_convention(function.conv);
        let of_return = attributes.of_return(function.attrs);
        for &attribute in attributes.set(of_return) {
            self.attribute(attributes.get(attribute), false);
            self.out.byte(b' ');
        }
        self.signature(id, global, function);
        match global.unnamed_addr {
            UnnamedAddr::None => {}
            other => {
                self.out.byte(b' ');
                self.out.str(other.keyword());
            }
        }
        if global.space != 0 || self.program_space != 0 {
            self.address_space(" ", global.space);
        }
        self.group(set);
        self.string_part(" section ", global.section);
        self.string_part(" partition ", global.partition);
        self.comdat_part(" comdat", global.name, global.comdat);
        self.align(" align ", global.align);
        self.string_part(" gc ", function.gc);
        for (word, constant) in [
            (" prefix ", function.prefix),
            (" prologue ", function.prologue),
            (" personality ", function.personality),
        ] {
            if let Some(constant) = constant {
                self.out.str(word);
                self.typed_constant(constant);
            }
        }
        if let Some(body) = &function.body {
            self.global_attachments(" ", &global.metadata);
            self.out.str(" {");
            self.body(body);
            self.out.byte(b'}');
        }
        self.out.newline();
    }

    /// Return type, name and parameters.
    fn signature(&mut self, id: GlobalId, global: &Global, function: &Function) {
        let module = self.module;
        let Some((ret, params, variadic)) = module.types.signature(global.value_ty) else {
            return;
        };
        self.numbers.variadic = variadic;
        self.ty(ret);
        self.out.byte(b' ');
        self.global_name(id);
        self.out.byte(b'(');
        for (i, &param) in params.iter().enumerate() {
            self.out.comma(i);
            self.ty(param);
            let set = module.attributes.of_param(function.attrs, i);
            self.attributes(set);
            if let Some(body) = &function.body {
                self.out.byte(b' ');
                self.parameter(body, i);
            }
        }
        if variadic {
            self.out.comma(params.len());
            self.out.str("...");
        }
        self.out.byte(b')');
    }

    fn parameter(&mut self, body: &Body, index: usize) {
        if index < body.locals.len() {
            self.local(body, Local::new(index));
        }
    }

    /// Linkage, `dso_local`, visibility and DLL storage, each with a blank after.
    fn linkage(&mut self, global: &Global) {
        let local = matches!(global.linkage, Linkage::Private | Linkage::Internal);
        if global.linkage != Linkage::External {
            self.word(global.linkage.keyword());
        }
        // Where it follows from the rest, it is not written.
        let implied = local
            || (global.visibility != Visibility::Default && global.linkage != Linkage::ExternWeak);
        if global.dso_local && !implied {
            self.word("dso_local");
        }
        if global.visibility != Visibility::Default {
            self.word(global.visibility.keyword());
        }
        if global.dll_storage != DllStorage::Default {
            self.word(global.dll_storage.keyword());
        }
    }

    fn thread_local_and_address(&mut self, global: &Global) {
        match global.thread_local {
            ThreadLocal::None => {}
            ThreadLocal::GeneralDynamic => self.word("thread_local"),
            other => {
                self.out.str("thread_local(");
                self.out.str(other.keyword());
                self.out.str(") ");
            }
        }
        if global.unnamed_addr != UnnamedAddr::None {
            self.word(global.unnamed_addr.keyword());
        }
    }

    fn word(&mut self, word: &str) {
        self.out.str(word);
        self.out.byte(b' ');
    }

    /// The convention with a blank after, if it is not that of C.
    pub(super) fn calling_convention(&mut self, conv: CallConv) {
        if conv == CallConv::C {
            return;
        }
        match conv.keyword() {
            Some(word) => self.word(word),
            None => {
                self.out.str("cc");
                self.out.number(u64::from(conv.0));
                self.out.byte(b' ');
            }
        }
    }

    fn string_part(&mut self, word: &str, value: Option<Name>) {
        if let Some(value) = value {
            self.out.str(word);
            self.out.quoted(self.module.names.bytes(value));
        }
    }

    fn comdat_part(&mut self, word: &str, name: Option<Name>, comdat: Option<ComdatId>) {
        let Some(comdat) = comdat else { return };
        let comdat = self.module.comdats[comdat].name;
        self.out.str(word);
        if name != Some(comdat) {
            self.out.str("($");
            self.out.name(self.module.names.bytes(comdat));
            self.out.byte(b')');
        }
    }

    #[inline]
    pub(super) fn align(&mut self, word: &str, align: Align) {
        if let Some(bytes) = align.bytes() {
            self.out.str(word);
            self.out.number(bytes);
        }
    }

    fn global_attachments(&mut self, before: &str, attachments: &[GlobalAttachment]) {
        for attachment in attachments {
            self.out.str(before);
            self.metadata_kind(attachment.kind);
            self.metadata(attachment.node);
        }
    }
}
