//! Botzone: a bot at the site, and as a program under its own judge.

mod site;
mod turns;
