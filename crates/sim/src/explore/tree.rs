//! The search through schedules: source sets and sleep sets.
//!
//! ```text
//!   Search ──batch──► Task: a path and who sleeps ──a run under its Guide──► Trace ──finish──► reversals ► new branches
//! ```
//!
//! A node is what a prefix of choices leads to. Of the actors that could come next at a node not all are tried: one is, and others
//! when a race of some run shows that they must be ([`super::order`]): at the node before the earlier event, unless one of the
//! initials is tried there already. The actors that are tried so make a *source set*: every run from there is equivalent to one that
//! begins with one of them. An actor that was tried *sleeps* in the branches that were begun after its own, until an event comes that
//! its next one depends on: what begins with it is explored there.
//!
//! This is the algorithm of Abdulla, Aronis, Jonsson and Sagonas (POPL 2014), with runs for its recursive calls. Branches are taken in
//! batches of the same size whatever the number of workers, at most one of each node, so that the same runs come in the same order.

use super::footprint::{self, Footprint};
use super::order;
use super::schedule::Actor;
use super::trace::{End, Guide, Trace};
use std::cmp::Reverse;
use std::collections::{BTreeSet, VecDeque};

/// A prefix of choices.
#[derive(Debug)]
struct Node {
    parent: Option<usize>,
    depth: u32,
    /// Who was chosen at the parent.
    by: Option<Actor>,
    asleep: Vec<(Actor, Footprint)>,
    /// Who was chosen here, in order, with what the event touched once that is known.
    tried: Vec<(Actor, Option<Footprint>)>,
    /// Who is yet to be chosen.
    pending: VecDeque<Actor>,
    /// Nodes after this one that are kept, and runs under way.
    kept: u32,
}

/// A run that is to be made.
#[derive(Debug)]
pub struct Task {
    /// The nodes of its path; a new branch begins at the last.
    path: Vec<usize>,
    guide: Guide,
}

impl Task {
    /// The guide of the run.
    pub fn guide(&self) -> Guide {
        self.guide.clone()
    }
}

/// Which schedules are to be run.
#[derive(Debug, Default)]
pub struct Search {
    nodes: Vec<Option<Node>>,
    free: Vec<usize>,
    /// Nodes with somebody to choose and without a run under way, the deepest first.
    open: BTreeSet<(Reverse<u32>, usize)>,
    has_begun: bool,
}

impl Search {
    /// At most so many runs that can be made at the same time; none when all are made.
    pub fn batch(&mut self, most: usize) -> Vec<Task> {
        if !self.has_begun {
            self.has_begun = true;
            let guide = Guide::along(Vec::new(), Vec::new());
            let path = Vec::new();
            return vec![Task { path, guide }];
        }
        let mut tasks = Vec::new();
        while tasks.len() < most
            && let Some((_, at)) = self.open.pop_first()
        {
            let mut path = vec![at];
            let mut actors = Vec::new();
            let mut above = self.node(at);
            while let (Some(parent), Some(by)) = (above.parent, above.by) {
                path.push(parent);
                actors.push(by);
                above = self.node(parent);
            }
            path.reverse();
            actors.reverse();
            let node = self.node_mut(at);
            let Some(actor) = node.pending.pop_front() else {
                continue;
            };
            let tried = node.tried.iter();
            let tried = tried.filter_map(|(actor, touches)| Some((*actor, touches.clone()?)));
            let asleep = node.asleep.iter().cloned().chain(tried).collect();
            node.tried.push((actor, None));
            node.kept += 1;
            actors.push(actor);
            let guide = Guide::along(actors, asleep);
            tasks.push(Task { path, guide });
        }
        tasks
    }

    /// A run of a batch was made. The runs of a batch are given in its order.
    pub fn finish(&mut self, task: Task, trace: &Trace) {
        if trace.end == End::Limit {
            // What would come after is not known, and nothing is proved any more.
            return;
        }
        let Task { mut path, .. } = task;
        let branch = path.len().saturating_sub(1);
        if path.is_empty() {
            path.push(self.insert(Node {
                parent: None,
                depth: 0,
                by: None,
                asleep: Vec::new(),
                tried: Vec::new(),
                pending: VecDeque::new(),
                // The root is never given back.
                kept: 1,
            }));
        } else {
            self.node_mut(path[branch]).kept -= 1;
        }
        for (depth, event) in trace.events.iter().enumerate().skip(branch) {
            let at = path[depth];
            let node = self.node_mut(at);
            match node
                .tried
                .iter_mut()
                .rfind(|(actor, _)| *actor == event.actor)
            {
                Some((_, touches)) => *touches = Some(event.touches.clone()),
                None => node.tried.push((event.actor, Some(event.touches.clone()))),
            }
            let before = node
                .tried
                .iter()
                .take_while(|(actor, _)| *actor != event.actor);
            let before = before.filter_map(|(actor, touches)| Some((*actor, touches.as_ref()?)));
            let asleep = node.asleep.iter().map(|(actor, touches)| (*actor, touches));
            let asleep = asleep.chain(before);
            let asleep = asleep.filter(|(actor, touches)| {
                *actor != event.actor && !footprint::depend(touches, &event.touches)
            });
            let asleep = asleep
                .map(|(actor, touches)| (actor, touches.clone()))
                .collect();
            node.kept += 1;
            let next = self.insert(Node {
                parent: Some(at),
                depth: depth as u32 + 1,
                by: Some(event.actor),
                asleep,
                tried: Vec::new(),
                pending: VecDeque::new(),
                kept: 0,
            });
            path.push(next);
        }
        for reversal in order::reversals(trace, branch) {
            let node = self.node_mut(path[reversal.at]);
            let is_known = |actor: &Actor| {
                node.asleep.iter().any(|(one, _)| one == actor)
                    || node.tried.iter().any(|(one, _)| one == actor)
                    || node.pending.contains(actor)
            };
            if !reversal.initials.iter().any(is_known)
                && let Some(first) = reversal.initials.first()
            {
                node.pending.push_back(*first);
            }
        }
        for &at in &path {
            let node = self.node(at);
            if !node.pending.is_empty() && node.tried.iter().all(|(_, touches)| touches.is_some()) {
                self.open.insert((Reverse(node.depth), at));
            }
        }
        self.give_back(path.pop());
    }

    /// How many choices are known that were not tried.
    pub fn left(&self) -> u64 {
        let open = self.nodes.iter().flatten();
        open.map(|node| node.pending.len() as u64).sum()
    }

    fn node(&self, at: usize) -> &Node {
        self.nodes[at].as_ref().expect("nodes of a path are kept")
    }

    fn node_mut(&mut self, at: usize) -> &mut Node {
        self.nodes[at].as_mut().expect("nodes of a path are kept")
    }

    fn insert(&mut self, node: Node) -> usize {
        match self.free.pop() {
            Some(at) => {
                self.nodes[at] = Some(node);
                at
            }
            None => {
                self.nodes.push(Some(node));
                self.nodes.len() - 1
            }
        }
    }

    /// Forgets nodes from which nothing is left to do, upwards.
    fn give_back(&mut self, mut at: Option<usize>) {
        while let Some(index) = at {
            let node = self.node(index);
            if node.kept > 0 || !node.pending.is_empty() {
                break;
            }
            let parent = node.parent;
            self.nodes[index] = None;
            self.free.push(index);
            if let Some(parent) = parent {
                self.node_mut(parent).kept -= 1;
            }
            at = parent;
        }
    }
}
