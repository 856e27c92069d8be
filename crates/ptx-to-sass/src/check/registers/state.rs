//! Which values are where: in a block ([`Contents`]) and at its beginning ([`State`]).

use super::location::Location;
use super::wanted::{Bits, Now, Value, Variable, Wanted};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// A value in a location; a predicate can be there as the word 0 or 1.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct Held {
    pub value: Value,
    pub as_word: bool,
}

impl From<Value> for Held {
    fn from(value: Value) -> Held {
        let as_word = false;
        Held { value, as_word }
    }
}

/// The values that are in a location, all of them: a move leaves its value in both places.
pub(super) type Set = SmallVec<[Held; 2]>;

/// What is in the locations at a place in a block.
pub(super) struct Contents {
    all: Vec<Set>,
    used: Vec<Location>,
    /// Values that are there only where a predicate has the value that a guard wants, in this block.
    partly: Vec<Partly>,
    /// What moves under a guard make in this block: where the guard holds it is what they move. They need not be in the
    /// finished code if it is in the same place.
    copied: FxHashMap<(Value, Condition), Value>,
    /// The same moves by what they move, and where: what they make, and what that was before.
    made: FxHashMap<(Value, Condition), SmallVec<[Made; 1]>>,
    /// What will do for what moves under a guard make where nothing was written before: what they move. Not the other way
    /// round: where the guard does not hold, they leave anything.
    enough: FxHashMap<Value, Value>,
}

/// What a move under a guard makes, and what was there before it.
type Made = (Value, Value);

/// A value that is in a location for some lanes only.
pub(super) type Partly = (Location, Value, Condition);

/// The value of a predicate, and whether it must be false.
pub(super) type Condition = (Value, bool);

impl Contents {
    /// With so many words of the frame for spilled values.
    pub fn new(slots: u32) -> Contents {
        Contents {
            all: vec![Set::new(); (Location::FIXED + slots) as usize],
            used: Vec::new(),
            partly: Vec::new(),
            copied: FxHashMap::default(),
            made: FxHashMap::default(),
            enough: FxHashMap::default(),
        }
    }

    /// Whether a value is there wherever a guard holds.
    pub fn has_where(&self, location: Location, value: Value, condition: Condition) -> bool {
        let mut value = value;
        loop {
            if self.has(location, value) || self.partly.contains(&(location, value, condition)) {
                return true;
            }
            // A move makes another value than it moves, and comes after it.
            match self.copied.get(&(value, condition)) {
                Some(moved) => value = *moved,
                None => return false,
            }
        }
    }

    /// A move under a guard makes a value of another one, and of what was there before.
    pub fn copy_where(&mut self, value: Value, condition: Condition, moved: Value, old: Value) {
        self.copied.insert((value, condition), moved);
        let made = self.made.entry((moved, condition)).or_default();
        made.push((value, old));
    }

    /// What a value that is written to a location where a guard holds makes whole there: what a move under the same guard
    /// makes of it, if the location has what that leaves where the guard does not hold.
    pub fn made_whole(
        &self,
        location: Location,
        moved: Value,
        condition: Condition,
    ) -> SmallVec<[Value; 1]> {
        let others = (condition.0, !condition.1);
        let made = self.made.get(&(moved, condition));
        let whole = made.into_iter().flatten();
        let whole = whole.filter(|(_, old)| self.has_where(location, *old, others));
        whole.map(|(value, _)| *value).collect()
    }

    /// Another value will do for one.
    pub fn will_do(&mut self, value: Value, other: Value) {
        self.enough.insert(value, other);
    }

    /// A value, and those that will do for it.
    fn all_for(&self, value: Value) -> impl Iterator<Item = Value> {
        // Each is made of what was there before it.
        std::iter::successors(Some(value), |value| self.enough.get(value).copied())
    }

    /// Where a value is there for some lanes only: the guards that hold there.
    pub fn conditions(&self, location: Location, value: Value) -> SmallVec<[Condition; 2]> {
        let own = self
            .partly
            .iter()
            .filter(|one| (one.0, one.1) == (location, value));
        own.map(|one| one.2).collect()
    }

    /// Says of a value that it is there for where another guard holds, too.
    pub fn also_where(&mut self, location: Location, value: Value, condition: Condition) {
        self.partly.push((location, value, condition));
    }

    /// Puts a value there for where a guard holds.
    pub fn put_where(&mut self, location: Location, value: Value, condition: Condition) {
        self.clear(location);
        self.partly.push((location, value, condition));
    }

    pub fn of(&self, location: Location) -> &[Held] {
        self.all.get(location.0 as usize).map_or(&[], |set| set)
    }

    /// Whether a value is there; whatever is there will do for one that was never written.
    pub fn has(&self, location: Location, value: Value) -> bool {
        self.all_for(value)
            .any(|one| one == Value::Undefined || self.of(location).contains(&one.into()))
    }

    pub fn set(&mut self, location: Location, set: Set) {
        self.partly.retain(|one| one.0 != location);
        if let Some(own) = self.all.get_mut(location.0 as usize) {
            if own.is_empty() {
                self.used.push(location);
            }
            *own = set;
        }
    }

    /// Says of a value that it is there, too.
    pub fn also(&mut self, location: Location, value: Value) {
        let mut set = Set::from_slice(self.of(location));
        if !set.contains(&value.into()) {
            set.push(value.into());
        }
        self.set(location, set);
    }

    /// The same, and what is there for some lanes only stays, too.
    pub fn also_whole(&mut self, location: Location, value: Value) {
        if let Some(own) = self.all.get_mut(location.0 as usize)
            && !own.contains(&value.into())
        {
            if own.is_empty() {
                self.used.push(location);
            }
            own.push(value.into());
        }
    }

    pub fn put(&mut self, location: Location, value: impl Into<Held>) {
        self.set(location, Set::from_slice(&[value.into()]));
    }

    pub fn clear(&mut self, location: Location) {
        self.partly.retain(|one| one.0 != location);
        if let Some(own) = self.all.get_mut(location.0 as usize) {
            own.clear();
        }
    }

    /// What is there at the beginning of a block.
    pub fn load(&mut self, state: &State, now: &Now) {
        self.partly.clear();
        self.copied.clear();
        self.made.clear();
        self.enough.clear();
        for location in std::mem::take(&mut self.used) {
            self.clear(location);
        }
        for (location, set) in &state.held {
            let mut own: Set = set
                .iter()
                .map(|held| Held {
                    value: match held.value {
                        Value::Entry(variable) => now.at_entry(variable),
                        value => value,
                    },
                    as_word: held.as_word,
                })
                .filter(|held| held.value != Value::Undefined)
                .collect();
            own.sort_unstable();
            own.dedup();
            self.set(*location, own);
        }
    }

    /// What is there at the end of a block, in the words of its successors: which variables each location has.
    pub fn store(&self, wanted: &Wanted, block: usize, now: &Now, before: &State) -> State {
        let mut variables: FxHashMap<Value, SmallVec<[Variable; 2]>> = FxHashMap::default();
        let mut constants: Vec<(Variable, Value)> = Vec::new();
        let known = now.known.keys().filter(|one| !now.is_changed(**one));
        let mut is_defined = before.is_defined.clone();
        for variable in now.changed.iter().chain(known).copied() {
            let value = now.of(variable);
            if !wanted.is_live_after(block, variable) {
                continue;
            }
            if value == Value::Undefined {
                // A move of what was never written.
                wanted
                    .crossing(variable)
                    .into_iter()
                    .for_each(|one| is_defined.clear(one));
                continue;
            }
            for one in self.all_for(value) {
                variables.entry(one).or_default().push(variable);
            }
            if let Some(number) = wanted.crossing(variable) {
                is_defined.set(number);
            }
            if matches!(value, Value::Constant(..)) {
                constants.push((variable, value));
            }
        }
        is_defined.keep(wanted.live_out(block));
        constants.sort_unstable();
        let mut used = self.used.clone();
        used.sort_unstable();
        used.dedup();
        let mut held: Vec<(Location, Set)> = Vec::new();
        for location in used {
            let mut set = Set::new();
            for one in self.of(location) {
                let as_word = one.as_word;
                let mut add = |value: Value| set.push(Held { value, as_word });
                match one.value {
                    Value::Entry(variable)
                        if now.of(variable) == one.value
                            && wanted.is_live_after(block, variable) =>
                    {
                        add(one.value);
                    }
                    Value::Constant(..) | Value::Stack(_) => add(one.value),
                    _ => {}
                }
                let own = variables.get(&one.value).into_iter().flatten();
                own.for_each(|variable| add(Value::Entry(*variable)));
            }
            set.sort_unstable();
            set.dedup();
            if !set.is_empty() {
                held.push((location, set));
            }
        }
        State {
            held,
            is_defined,
            constants,
        }
    }
}

/// What is known at the beginning of a block, on all ways to it.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct State {
    /// What is in the locations, in their order: variables ([`Value::Entry`]), constants, the stack.
    held: Vec<(Location, Set)>,
    /// The variables that are written on some way, among those that are live across blocks.
    is_defined: Bits,
    /// Those that have the same constant on all ways.
    constants: Vec<(Variable, Value)>,
}

impl State {
    /// Where a function begins.
    pub fn entry(wanted: &Wanted, held: Vec<(Location, Set)>) -> State {
        State {
            held,
            is_defined: Bits::new(wanted.crossing_count()),
            constants: Vec::new(),
        }
    }

    /// Begins a block with it.
    pub fn begin(&self, now: &mut Now) {
        let known = self.constants.iter().copied().collect();
        now.begin(known, self.is_defined.clone());
    }

    fn is_undefined(&self, wanted: &Wanted, value: Value) -> bool {
        match value {
            Value::Entry(variable) => wanted
                .crossing(variable)
                .is_some_and(|number| !self.is_defined.has(number)),
            _ => false,
        }
    }

    fn of(&self, location: Location) -> &[Held] {
        let found = self.held.binary_search_by_key(&location, |one| one.0);
        found.map_or(&[], |at| &self.held[at].1)
    }

    /// Leaves what holds on another way, too; whether that is less. What a variable has is where it is on both ways; where
    /// it was never written on one of them, anything there is as good.
    pub fn join(&mut self, wanted: &Wanted, other: &State) -> bool {
        let mut locations: Vec<Location> = self.held.iter().map(|one| one.0).collect();
        locations.extend(other.held.iter().map(|one| one.0));
        locations.sort_unstable();
        locations.dedup();
        let mut held = Vec::with_capacity(self.held.len());
        for location in locations {
            let (own, others) = (self.of(location), other.of(location));
            let mut both: Set = own.iter().chain(others).copied().collect();
            both.sort_unstable();
            both.dedup();
            both.retain(|one| {
                (own.contains(one) || self.is_undefined(wanted, one.value))
                    && (others.contains(one) || other.is_undefined(wanted, one.value))
            });
            if !both.is_empty() {
                held.push((location, both));
            }
        }
        let is_either = |one: &(Variable, Value), state: &State| {
            state.constants.binary_search(one).is_ok()
                || state.is_undefined(wanted, Value::Entry(one.0))
        };
        let constants = self.constants.iter().chain(&other.constants);
        let mut constants: Vec<(Variable, Value)> = constants
            .filter(|one| is_either(one, self) && is_either(one, other))
            .copied()
            .collect();
        constants.sort_unstable();
        constants.dedup();
        let mut changed = self.is_defined.add(&other.is_defined);
        changed |= held != self.held || constants != self.constants;
        self.held = held;
        self.constants = constants;
        changed
    }
}
