//! Uses of generic code, so that instances of it are in the module, and language features that leave traces in it.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering, fence};
use std::sync::{Arc, Mutex};

/// A closed set of shapes.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// By its radius.
    Circle(f64),
    /// By its sides.
    Rectangle { width: f32, height: f32 },
    /// By its corners.
    Polygon(Vec<(i32, i32)>),
}

/// Something with an area.
pub trait Area {
    /// The area.
    fn area(&self) -> f64;
    /// The area of two.
    fn twice(&self) -> f64 {
        2.0 * self.area()
    }
}

impl Area for Shape {
    fn area(&self) -> f64 {
        match self {
            Shape::Circle(r) => std::f64::consts::PI * r * r,
            Shape::Rectangle { width, height } => f64::from(width * height),
            Shape::Polygon(corners) => {
                let next = corners.iter().cycle().skip(1);
                let sum: i64 = corners
                    .iter()
                    .zip(next)
                    .map(|(a, b)| i64::from(a.0) * i64::from(b.1) - i64::from(b.0) * i64::from(a.1))
                    .sum();
                sum.abs() as f64 / 2.0
            }
        }
    }
}

/// Through a table of functions.
pub fn total(shapes: &[Box<dyn Area + Send>]) -> f64 {
    shapes.iter().map(|s| s.twice()).sum()
}

/// Through a hash table.
pub fn count(text: &str) -> HashMap<&str, usize> {
    let mut words = HashMap::new();
    for word in text.split_whitespace() {
        *words.entry(word).or_insert(0) += 1;
    }
    words
}

/// Through a tree, with an error that carries a text.
pub fn parse(lines: &[String]) -> Result<BTreeMap<u64, Vec<i32>>, String> {
    let mut table = BTreeMap::new();
    for line in lines {
        let (key, rest) = line.split_once('=').ok_or_else(|| format!("no `=` in {line:?}"))?;
        let key = key.trim().parse::<u64>().map_err(|e| e.to_string())?;
        let values: Result<Vec<i32>, _> = rest.split(',').map(|v| v.trim().parse()).collect();
        table.insert(key, values.map_err(|e| e.to_string())?);
    }
    Ok(table)
}

static TICKETS: AtomicU64 = AtomicU64::new(7);
thread_local! {
    static DEPTH: std::cell::Cell<u32> = const { std::cell::Cell::new(0) };
}

/// All orders.
pub fn atomics(a: &AtomicU32) -> u64 {
    a.store(1, Ordering::Release);
    let old = a.fetch_max(9, Ordering::AcqRel);
    fence(Ordering::SeqCst);
    let _ = a.compare_exchange_weak(old, 4, Ordering::Acquire, Ordering::Relaxed);
    DEPTH.with(|d| d.set(d.get() + 1));
    TICKETS.fetch_add(u64::from(a.swap(3, Ordering::SeqCst)), Ordering::Relaxed)
}

/// Unwinding through destructors.
pub fn threads(n: usize) -> u64 {
    let sum = Arc::new(Mutex::new(0u64));
    let workers: Vec<_> = (0..n)
        .map(|i| {
            let sum = Arc::clone(&sum);
            std::thread::spawn(move || *sum.lock().unwrap_or_else(|e| e.into_inner()) += i as u64)
        })
        .collect();
    for worker in workers {
        worker.join().unwrap_or_default();
    }
    let sum = sum.lock().unwrap_or_else(|e| e.into_inner());
    *sum
}

/// Wide and narrow integers.
pub fn mix(a: u128, b: i8, c: char) -> Option<u128> {
    a.checked_mul(u128::from(c as u32))?
        .checked_add(b.unsigned_abs().into())
        .map(|v| v.rotate_left(17) ^ u128::MAX)
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Shape::Circle(r) => write!(f, "circle {r:8.3}"),
            Shape::Rectangle { width, height } => write!(f, "{width}x{height:e}"),
            Shape::Polygon(p) => f.debug_list().entries(p).finish(),
        }
    }
}

/// Lists that start on the stack, and sorting.
pub fn sorted(items: &[u16]) -> smallvec::SmallVec<[u16; 8]> {
    let mut list: smallvec::SmallVec<[u16; 8]> = items.iter().copied().filter(|v| v % 3 != 0).collect();
    list.sort_unstable_by_key(|v| std::cmp::Reverse(v.count_ones()));
    list
}
