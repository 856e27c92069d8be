//! Listings and facts of recorded cubins against what nvdisasm and ptxas say, and damaged files.

mod damage;
mod faults;
mod kernel_facts;
mod listings;
