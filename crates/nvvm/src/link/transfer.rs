//! Adding one module to the result: the state of it and the order of the steps.

use super::comdat::Chosen;
use super::global::Work;
use super::ids::Memo;
use super::{Linker, Place};
use crate::Module;
use crate::attribute::{AttrList, AttrSet};
use crate::constant::{BlockAddressId, ConstId};
use crate::index::Id;
use crate::inst::CallSiteId;
use crate::metadata::NodeId;
use crate::module::{GlobalId, GlobalKind, Linkage};
use crate::name::Name;
use crate::types::{StructId, TypeId};
use rustc_hash::{FxHashMap, FxHashSet};

/// A module on its way into the result.
pub(super) struct Transfer<'l> {
    pub(super) linker: &'l mut Linker,
    pub(super) source: Module,
    /// Which module it is.
    pub(super) index: usize,
    pub(super) only_needed: bool,
    /// All bodies are there: nothing more is brought.
    pub(super) done: bool,
    // Numbers of the source in the result.
    pub(super) names: Memo<Name, Name>,
    pub(super) types: Memo<TypeId, TypeId>,
    pub(super) constants: Memo<ConstId, ConstId>,
    pub(super) call_sites: Memo<CallSiteId, CallSiteId>,
    pub(super) nodes: Memo<NodeId, NodeId>,
    pub(super) attr_sets: FxHashMap<AttrSet, AttrSet>,
    pub(super) attr_lists: FxHashMap<(AttrList, bool), AttrList>,
    /// Addresses of globals.
    pub(super) globals: Memo<GlobalId, ConstId>,
    /// Addresses of globals as targets of aliases.
    pub(super) alias_globals: Memo<GlobalId, ConstId>,
    /// Structs without fields that got some from this module.
    pub(super) resolved_structs: FxHashSet<StructId>,
    // Globals of the source, by number.
    /// Has a definition.
    pub(super) defined: Vec<bool>,
    /// Its definition is to be taken.
    pub(super) wanted: Vec<bool>,
    /// Its definition was taken.
    pub(super) taken: Vec<bool>,
    /// What was decided about each comdat of the source.
    pub(super) chosen: Vec<Chosen>,
    /// `linkonce` members of each comdat of the source, which come with the others.
    pub(super) lazy_members: Vec<Vec<GlobalId>>,
    /// Globals whose definition is to be taken and that have not been looked at.
    pub(super) queue: Vec<GlobalId>,
    /// Appending variables of the source and the variables of the result they became part of.
    pub(super) joined: FxHashMap<GlobalId, GlobalId>,
    /// Declared in the result; the definition is to follow.
    pub(super) work: Vec<Work>,
    /// Globals of the result that are new or newly defined, in order.
    pub(super) added: Vec<GlobalId>,
    /// Globals of the result that others replace because they lie in another address space.
    pub(super) replaced: Vec<(GlobalId, GlobalId)>,
    /// Addresses of blocks of the result whose function got another body.
    pub(super) stale_blocks: FxHashSet<BlockAddressId>,
    /// Globals of the result that lost their definition with their comdat.
    pub(super) dropped: Vec<GlobalId>,
    /// Types of debug information with an identifier: the node that stands for all of that identifier.
    pub(super) leading_types: FxHashMap<NodeId, NodeId>,
    /// The nodes of the module flags of the source.
    pub(super) flags: Vec<NodeId>,
}

impl<'l> Transfer<'l> {
    pub(super) fn new(
        linker: &'l mut Linker,
        source: Module,
        index: usize,
        only_needed: bool,
    ) -> Transfer<'l> {
        let count = source.globals.len();
        Transfer {
            linker,
            index,
            only_needed,
            done: false,
            names: Memo::new(source.names.len()),
            types: Memo::new(source.types.len()),
            constants: Memo::new(source.constants.len()),
            call_sites: Memo::new(source.call_sites.len()),
            nodes: Memo::new(source.metadata.len()),
            attr_sets: FxHashMap::default(),
            attr_lists: FxHashMap::default(),
            globals: Memo::new(count),
            alias_globals: Memo::new(count),
            resolved_structs: FxHashSet::default(),
            defined: source
                .globals
                .iter()
                .map(|(_, global)| super::choose::is_defined(global))
                .collect(),
            wanted: vec![false; count],
            taken: vec![false; count],
            chosen: Vec::new(),
            lazy_members: Vec::new(),
            queue: Vec::new(),
            joined: FxHashMap::default(),
            work: Vec::new(),
            added: Vec::new(),
            replaced: Vec::new(),
            stale_blocks: FxHashSet::default(),
            dropped: Vec::new(),
            leading_types: FxHashMap::default(),
            flags: Vec::new(),
            source,
        }
    }

    /// Where a global of the source stands.
    pub(super) fn place(&self, global: GlobalId) -> Place {
        Place {
            module: self.index,
            pos: self.source.globals[global].pos,
        }
    }

    /// Adds the module and gives the names of what was taken from it.
    pub(super) fn run(mut self) -> Vec<Name> {
        self.choose_comdats();
        if !self.linker.failed {
            self.choose_globals();
        }
        if self.linker.failed {
            return Vec::new();
        }
        self.header();
        self.match_structs();
        self.find_leading_types();
        self.queue.reverse();
        while let Some(global) = self.queue.pop() {
            if self.globals.get(global).is_none() && self.alias_globals.get(global).is_none() {
                self.take(global);
            }
            while let Some(work) = self.work.pop() {
                self.define(work);
            }
        }
        self.done = true;
        self.named_metadata();
        self.keep_leading_types();
        self.module_asm();
        self.order();
        self.settle_replaced();
        self.settle_dropped();
        self.module_flags();
        let ids: Vec<GlobalId> = self.source.globals.ids().collect();
        let wanted = ids.into_iter().filter(|&id| self.wanted[at(id)]);
        let names: Vec<Name> = wanted
            .filter_map(|id| self.source.globals[id].name)
            .collect();
        names.into_iter().map(|name| self.name(name)).collect()
    }

    /// Data layout and triple.
    fn header(&mut self) {
        let text = |module: &Module, name: Option<Name>| {
            name.map(|name| module.names.text(name).into_owned())
                .unwrap_or_default()
        };
        let target = &self.linker.module;
        let (from_layout, from_triple) = (
            text(&self.source, self.source.data_layout),
            text(&self.source, self.source.triple),
        );
        let (to_layout, to_triple) = (
            text(target, target.data_layout),
            text(target, target.triple),
        );
        let first = self.index == 0;
        if first && let Some(name) = self.source.source_filename {
            self.linker.module.source_filename = Some(self.name(name));
        }
        if to_layout.is_empty() {
            self.linker.module.data_layout = self.source.data_layout.map(|name| self.name(name));
        }
        if to_triple.is_empty() {
            self.linker.module.triple = self.source.triple.map(|name| self.name(name));
        }
        if first {
            return;
        }
        // Libraries of device functions carry a layout and a triple for all GPUs; that is not a mistake.
        let gpu = |triple: &str| triple.starts_with("nvptx");
        let both_gpu = gpu(&from_triple) && gpu(&to_triple);
        let library_triple = both_gpu
            && (from_triple.ends_with("-nvidia-gpulibs")
                || from_triple.ends_with("-unknown-unknown"));
        const LIBRARY_LAYOUT: &str = "e-i64:64-v16:16-v32:32-n16:32:64";
        let library_layout =
            library_triple && (from_layout.is_empty() || from_layout == LIBRARY_LAYOUT);
        if !to_layout.is_empty() && from_layout != to_layout && !library_layout {
            self.linker.warning(
                self.index,
                format!("the data layout `{from_layout}` differs from `{to_layout}` before"),
                "compile all modules for one target; the first layout is kept",
            );
        }
        if !from_triple.is_empty()
            && !to_triple.is_empty()
            && from_triple != to_triple
            && !library_triple
        {
            self.linker.warning(
                self.index,
                format!("the target `{from_triple}` differs from `{to_triple}` before"),
                "compile all modules for one target; the first triple is kept",
            );
        }
    }

    fn module_asm(&mut self) {
        for line in std::mem::take(&mut self.source.module_asm) {
            let line = self.name(line);
            self.linker.module.module_asm.push(line);
        }
    }

    /// New globals stand at the end; variables in the order of the source.
    fn order(&mut self) {
        let mut last = std::mem::take(&mut self.added);
        let variables: Vec<GlobalId> = self
            .source
            .order
            .iter()
            .filter(|&&id| {
                let global = &self.source.globals[id];
                matches!(global.kind, GlobalKind::Variable(_))
                    && global.linkage != Linkage::Appending
            })
            .filter_map(|&id| self.linker.module.global_of(self.globals.get(id)?))
            .collect();
        let moved: FxHashSet<GlobalId> = variables.iter().copied().collect();
        last.retain(|id| !moved.contains(id));
        last.extend(variables);
        let mut seen = FxHashSet::default();
        last.retain(|&id| seen.insert(id));
        let gone: FxHashSet<GlobalId> = self.replaced.iter().map(|pair| pair.0).collect();
        let order = &mut self.linker.module.order;
        order.retain(|id| !seen.contains(id));
        order.extend(last);
        order.retain(|id| !gone.contains(id));
    }
}

/// The position of a global in a table of flags.
pub(super) fn at(id: GlobalId) -> usize {
    id.index()
}
