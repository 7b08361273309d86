//! Work that is divided among machines: shards, and checks that their results are complete.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use foreign_text::shown;
use serde::{Deserialize, Serialize};
use serde_json::Value;

const MAX_SHARDS: u64 = 1_000_000;

/// One of several equal parts of the work: of all items, counted from 1, every `count`th.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Shard {
    number: u64,
    count: u64,
}

impl Shard {
    pub const WHOLE: Self = Self {
        number: 0,
        count: 1,
    };

    /// Whether it is all of the work.
    pub const fn is_whole(self) -> bool {
        self.count == 1
    }

    pub const fn holds(self, item: u64) -> bool {
        item > 0 && (item - 1) % self.count == self.number
    }

    /// Its items among this many in total, in order.
    pub fn items(self, of: u64) -> impl Iterator<Item = u64> {
        (0..).map_while(move |place| self.item(place, of))
    }

    /// The item at this place, from 0, of its items among this many in total.
    pub fn item(self, place: u64, of: u64) -> Option<u64> {
        (place < self.len(of)).then(|| place * self.count + self.number + 1)
    }

    /// Number of its items among this many in total.
    pub const fn len(self, of: u64) -> u64 {
        (of + self.count - 1 - self.number) / self.count
    }
}

impl Default for Shard {
    fn default() -> Self {
        Self::WHOLE
    }
}

/// `K/N`, K from 0 to N-1.
impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.count)
    }
}

/// The reason why a text is not a shard.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadShard {
    /// It does not have the form `K/N`.
    #[error("found {0:?}; a shard is written K/N, for instance 0/4 for the first of four")]
    Form(String),
    /// The number of shards is 0 or too large.
    #[error("found {0} shards; from 1 to {MAX_SHARDS} are allowed")]
    Count(u64),
    /// The shard does not exist.
    #[error("shard {number} of {count} does not exist; shards are numbered from 0 to {}", .count - 1)]
    Beyond {
        /// The number of the shard.
        number: u64,
        /// Number of shards.
        count: u64,
    },
}

impl FromStr for Shard {
    type Err = BadShard;

    fn from_str(text: &str) -> Result<Self, BadShard> {
        let parts = text
            .split_once('/')
            .and_then(|(number, count)| Some((number.parse().ok()?, count.parse().ok()?)));
        match parts {
            None => Err(BadShard::Form(text.to_owned())),
            Some((_, count)) if !(1..=MAX_SHARDS).contains(&count) => Err(BadShard::Count(count)),
            Some((number, count)) if number >= count => Err(BadShard::Beyond { number, count }),
            Some((number, count)) => Ok(Self { number, count }),
        }
    }
}

impl TryFrom<String> for Shard {
    type Error = BadShard;

    fn try_from(text: String) -> Result<Self, BadShard> {
        text.parse()
    }
}

impl From<Shard> for String {
    fn from(shard: Shard) -> Self {
        shard.to_string()
    }
}

/// The data needed to merge a part with others.
#[derive(Debug, Clone)]
pub struct ShardPart {
    /// Its name in messages: its file.
    pub name: String,
    /// All arguments that determine the whole.
    pub arguments: Value,
    pub shard: Shard,
    /// Number of its items that it contains, and the number that it should contain.
    pub done: (u64, u64),
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CannotMerge {
    #[error("there are no parts; name their files")]
    None,
    /// Two parts belong to different work.
    #[error("{one} and {other} do not belong together: {}", .differences.join("; "))]
    Different {
        /// A part.
        one: String,
        /// Another.
        other: String,
        differences: Vec<String>,
    },
    /// Two parts divide the work differently.
    #[error(
        "{one} is shard {one_shard} and {other} is shard {other_shard}: parts of one division belong together"
    )]
    Divided {
        /// A part.
        one: String,
        one_shard: Shard,
        /// Another.
        other: String,
        other_shard: Shard,
    },
    /// Two parts have the same shard.
    #[error("{one} and {other} overlap: both are shard {shard}; leave one of them out")]
    Overlap {
        /// A part.
        one: String,
        /// Another.
        other: String,
        /// The shard of both.
        shard: Shard,
    },
    #[error("parts are missing: {}", .0.join("; "))]
    Missing(Vec<String>),
}

/// Maximum number of missing shards that are listed.
const NAMED: usize = 20;

/// Checks that parts make up one whole, with each item in it once.
///
/// # Errors
///
/// If they do not belong together, overlap, or are incomplete.
pub fn check_parts(parts: &[ShardPart]) -> Result<(), CannotMerge> {
    let Some(first) = parts.first() else {
        return Err(CannotMerge::None);
    };
    let mut found: BTreeMap<u64, &ShardPart> = BTreeMap::new();
    for part in parts {
        let (one, other) = (first.name.clone(), part.name.clone());
        let differences = differences(&first.arguments, &part.arguments);
        if !differences.is_empty() {
            return Err(CannotMerge::Different {
                one,
                other,
                differences,
            });
        }
        if part.shard.count != first.shard.count {
            return Err(CannotMerge::Divided {
                one,
                one_shard: first.shard,
                other,
                other_shard: part.shard,
            });
        }
        if let Some(same) = found.insert(part.shard.number, part) {
            return Err(CannotMerge::Overlap {
                one: same.name.clone(),
                other,
                shard: part.shard,
            });
        }
    }
    let count = first.shard.count;
    let absent: Vec<u64> = (0..count)
        .filter(|number| !found.contains_key(number))
        .collect();
    let mut missing: Vec<String> = absent
        .iter()
        .take(NAMED)
        .map(|number| format!("shard {number}/{count}"))
        .collect();
    if absent.len() > NAMED {
        missing.push(format!("and {} more shards", absent.len() - NAMED));
    }
    missing.extend(
        parts
            .iter()
            .filter(|part| part.done.0 < part.done.1)
            .map(|part| {
                let (done, of) = part.done;
                format!(
                    "{} holds {done} of its {of}: run the command that wrote it again to resume",
                    part.name
                )
            }),
    );
    if missing.is_empty() {
        Ok(())
    } else {
        Err(CannotMerge::Missing(missing))
    }
}

/// The differences between the arguments of two pieces of work, each as `key is … and …`.
pub fn differences(one: &Value, other: &Value) -> Vec<String> {
    let mut found = Vec::new();
    compare("", one, other, &mut found);
    found
}

fn compare(key: &str, one: &Value, other: &Value, found: &mut Vec<String>) {
    let below = |name: &str| {
        if key.is_empty() {
            name.to_owned()
        } else {
            format!("{key}.{name}")
        }
    };
    match (one, other) {
        (Value::Object(one), Value::Object(other)) => {
            let added = other.keys().filter(|name| !one.contains_key(*name));
            for name in one.keys().chain(added) {
                let value = |of: &serde_json::Map<String, Value>| {
                    of.get(name).cloned().unwrap_or(Value::Null)
                };
                compare(&below(name), &value(one), &value(other), found);
            }
        }
        (Value::Array(one), Value::Array(other)) if one.len() == other.len() => {
            for (index, (one, other)) in one.iter().zip(other).enumerate() {
                compare(&format!("{key}[{index}]"), one, other, found);
            }
        }
        (Value::Array(one), Value::Array(other))
            if one.iter().chain(other).any(Value::is_object) =>
        {
            found.push(format!("{key} are {} and {}", one.len(), other.len()));
        }
        _ if one == other => {}
        _ => found.push(format!(
            "{} is {} and {}",
            shown(key),
            shown(&one.to_string()),
            shown(&other.to_string())
        )),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn shard(text: &str) -> Shard {
        text.parse().expect("a shard")
    }

    fn part(name: &str, text: &str) -> ShardPart {
        ShardPart {
            name: name.to_owned(),
            arguments: json!({ "seed": 1 }),
            shard: shard(text),
            done: (3, 3),
        }
    }

    #[test]
    fn shards_share_out_every_item_once() {
        for count in 1..6 {
            for of in 0..12 {
                let shards = || (0..count).map(|number| shard(&format!("{number}/{count}")));
                let mut items: Vec<u64> = shards().flat_map(|shard| shard.items(of)).collect();
                items.sort_unstable();
                assert_eq!(
                    items,
                    (1..=of).collect::<Vec<_>>(),
                    "{count} shards of {of} items"
                );
                for shard in shards() {
                    assert_eq!(shard.len(of), shard.items(of).count() as u64);
                    assert!(shard.items(of).all(|item| shard.holds(item)));
                }
            }
        }
    }

    #[test]
    fn a_shard_beyond_its_count_and_other_texts_are_refused() {
        let refused = |text: &str| {
            text.parse::<Shard>()
                .expect_err("it is no shard")
                .to_string()
        };
        assert!(
            refused("4/4").contains("numbered from 0 to 3"),
            "{}",
            refused("4/4")
        );
        assert!(refused("0/0").contains("from 1 to"));
        for text in ["", "1", "1/", "a/b", "-1/4", "1/4/5"] {
            assert!(refused(text).contains("K/N"), "{text}");
        }
    }

    #[test]
    fn parts_that_make_up_the_whole_pass_in_any_order() {
        assert_eq!(
            check_parts(&[part("c", "2/3"), part("a", "0/3"), part("b", "1/3")]),
            Ok(())
        );
    }

    #[test]
    fn missing_parts_are_named() {
        let mut cut = part("b", "1/3");
        cut.done.0 = 2;
        let message = check_parts(&[part("a", "0/3"), cut])
            .expect_err("they are not all")
            .to_string();
        assert!(
            message.contains("shard 2/3") && message.contains("b holds 2 of its 3"),
            "{message}"
        );
        let message = check_parts(&[part("a", "0/100")])
            .expect_err("they are not all")
            .to_string();
        assert!(
            message.contains("shard 20/100") && message.contains("and 79 more"),
            "{message}"
        );
    }

    #[test]
    fn parts_that_overlap_or_do_not_belong_together_are_refused_with_their_names() {
        let message = |parts: &[ShardPart]| {
            check_parts(parts)
                .expect_err("they cannot be merged")
                .to_string()
        };
        let overlap = message(&[part("a", "0/2"), part("b", "1/2"), part("c", "0/2")]);
        assert!(
            overlap.contains("a and c overlap: both are shard 0/2"),
            "{overlap}"
        );
        let other = ShardPart {
            arguments: json!({ "seed": 2 }),
            ..part("b", "1/2")
        };
        let different = message(&[part("a", "0/2"), other]);
        assert_eq!(different, "a and b do not belong together: seed is 1 and 2");
        let divided = message(&[part("a", "0/2"), part("b", "1/3")]);
        assert!(
            divided.contains("a is shard 0/2 and b is shard 1/3"),
            "{divided}"
        );
        assert_eq!(check_parts(&[]), Err(CannotMerge::None));
    }

    #[test]
    fn differences_are_named_by_their_place() {
        let one = json!({ "seed": 1, "configs": [{ "name": "a", "params": { "gap": 0.1 } }], "uma": null });
        let other = json!({ "seed": 1, "configs": [{ "name": "a", "params": { "gap": 0.2 } }], "uma": [1.0] });
        assert_eq!(
            differences(&one, &other),
            [
                "configs[0].params.gap is 0.1 and 0.2",
                "uma is null and [1.0]"
            ]
        );
        let fewer = json!({ "seed": 1, "configs": [], "uma": null });
        assert_eq!(differences(&one, &fewer), ["configs are 1 and 0"]);
    }
}
