//! Belief: worlds that agree with everything seen, drawn with the odds that it names.

mod games;
mod nothing_hidden;
mod odds;
mod worlds;
