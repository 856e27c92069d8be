//! Names, attributes, call sites and other small interned things of the source as those of the result.

use super::transfer::Transfer;
use crate::attribute::{AttrId, AttrList, AttrSet, Attribute};
use crate::index::Id;
use crate::inst::{Bundle, BundleList, CallSite, CallSiteId, SyncScope};
use crate::module::{Asm, AsmId};
use crate::name::Name;
use crate::types::IndexList;
use std::marker::PhantomData;

/// What each number of the source is in the result, as far as it is known.
pub(super) struct Memo<K, V> {
    items: Vec<Option<V>>,
    key: PhantomData<K>,
}

impl<K: Id, V: Copy> Memo<K, V> {
    pub(super) fn new(len: usize) -> Memo<K, V> {
        Memo {
            items: vec![None; len],
            key: PhantomData,
        }
    }

    /// Makes room for so many numbers.
    pub(super) fn grow(&mut self, len: usize) {
        if self.items.len() < len {
            self.items.resize(len, None);
        }
    }

    pub(super) fn get(&self, key: K) -> Option<V> {
        self.items.get(key.index()).copied().flatten()
    }

    pub(super) fn set(&mut self, key: K, value: V) {
        self.grow(key.index() + 1);
        self.items[key.index()] = Some(value);
    }

    pub(super) fn clear(&mut self, key: K) {
        self.items[key.index()] = None;
    }
}

impl Transfer<'_> {
    pub(super) fn name(&mut self, name: Name) -> Name {
        if let Some(mapped) = self.names.get(name) {
            return mapped;
        }
        let bytes = self.source.names.bytes(name);
        let mapped = self.linker.module.names.intern(bytes);
        self.names.set(name, mapped);
        mapped
    }

    pub(super) fn index_list(&mut self, list: IndexList) -> IndexList {
        let numbers = self.source.types.numbers(list);
        self.linker.module.types.intern_numbers(numbers)
    }

    pub(super) fn scope(&mut self, scope: SyncScope) -> SyncScope {
        match scope.resolved() {
            Ok(_) => scope,
            Err(name) => SyncScope::other(self.name(name)),
        }
    }

    pub(super) fn asm(&mut self, asm: AsmId) -> AsmId {
        let Asm {
            ty,
            text,
            constraints,
            flags,
        } = *self.source.asms.get(asm);
        let asm = Asm {
            ty: self.ty(ty),
            text: self.name(text),
            constraints: self.name(constraints),
            flags,
        };
        self.linker.module.asms.intern(asm)
    }

    // ---- attributes ----

    fn attribute(&mut self, attribute: AttrId) -> AttrId {
        let attribute = match self.source.attributes.get(attribute) {
            Attribute::Flag(name) => Attribute::Flag(self.name(name)),
            Attribute::Int(name, value) => Attribute::Int(self.name(name), value),
            Attribute::Type(name, ty) => Attribute::Type(self.name(name), self.ty(ty)),
            Attribute::Words(name, words) => Attribute::Words(self.name(name), self.name(words)),
            Attribute::Range(ty, low, high) => {
                let ty = self.ty(ty);
                // Bounds are integers, which are always there.
                let mut bound = |constant| self.constant(constant).unwrap_or(constant);
                let (low, high) = (bound(low), bound(high));
                Attribute::Range(ty, low, high)
            }
            Attribute::Text(key, value) => {
                Attribute::Text(self.name(key), value.map(|value| self.name(value)))
            }
        };
        self.linker.module.attributes.intern(attribute)
    }

    pub(super) fn attr_set(&mut self, set: AttrSet) -> AttrSet {
        if let Some(&mapped) = self.attr_sets.get(&set) {
            return mapped;
        }
        let attributes = self.source.attributes.set(set).to_vec();
        let attributes: Vec<AttrId> = attributes
            .into_iter()
            .map(|attribute| self.attribute(attribute))
            .collect();
        let mapped = self.linker.module.attributes.intern_set(&attributes);
        self.attr_sets.insert(set, mapped);
        mapped
    }

    /// The set without `nocallback`: after linking, what is called may call back into what was another
    /// module before.
    fn attr_set_for_call(&mut self, set: AttrSet) -> AttrSet {
        let mapped = self.attr_set(set);
        let module = &mut self.linker.module;
        let Some(nocallback) = module.names.find(b"nocallback") else {
            return mapped;
        };
        let attributes = module.attributes.set(mapped);
        let kept: Vec<AttrId> = attributes
            .iter()
            .copied()
            .filter(|&id| module.attributes.get(id) != Attribute::Flag(nocallback))
            .collect();
        module.attributes.intern_set(&kept)
    }

    /// The attributes of a function or call. Only intrinsics keep `nocallback`.
    pub(super) fn attr_list(&mut self, list: AttrList, intrinsic: bool) -> AttrList {
        if let Some(&mapped) = self.attr_lists.get(&(list, intrinsic)) {
            return mapped;
        }
        let attributes = &self.source.attributes;
        let (function, ret) = (attributes.of_function(list), attributes.of_return(list));
        let params: Vec<AttrSet> = (0..attributes.param_count(list))
            .map(|index| attributes.of_param(list, index))
            .collect();
        let function = match intrinsic {
            true => self.attr_set(function),
            false => self.attr_set_for_call(function),
        };
        let ret = self.attr_set(ret);
        let params: Vec<AttrSet> = params.into_iter().map(|set| self.attr_set(set)).collect();
        let attributes = &mut self.linker.module.attributes;
        let mapped = attributes.intern_list(function, ret, &params);
        self.attr_lists.insert((list, intrinsic), mapped);
        mapped
    }

    // ---- calls ----

    pub(super) fn call_site(&mut self, site: CallSiteId) -> CallSiteId {
        if let Some(mapped) = self.call_sites.get(site) {
            return mapped;
        }
        let CallSite {
            ty,
            attrs,
            conv,
            tail,
            args,
            bundles,
        } = *self.source.call_sites.get(site);
        let mapped = CallSite {
            ty: self.ty(ty),
            attrs: self.attr_list(attrs, false),
            conv,
            tail,
            args,
            bundles: self.bundles(bundles),
        };
        let mapped = self.linker.module.call_sites.intern(mapped);
        self.call_sites.set(site, mapped);
        mapped
    }

    fn bundles(&mut self, list: BundleList) -> BundleList {
        let bundles = self.source.bundles.get(list).to_vec();
        let bundles: Vec<Bundle> = bundles
            .into_iter()
            .map(|Bundle { tag, len }| Bundle {
                tag: self.name(tag),
                len,
            })
            .collect();
        self.linker.module.bundles.intern(&bundles)
    }
}
