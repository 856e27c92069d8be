//! The builtins against recorded answers in `tests/oracle`.

mod calls;
mod reference;
