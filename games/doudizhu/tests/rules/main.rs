//! Legal plays: examples of every rule, and every play of random hands against brute force.

mod beating;
mod brute_force;
mod combinations;
mod most_plays;

use doudizhu::RankCounts;

fn cards(text: &str) -> RankCounts {
    text.parse().expect("cards")
}
