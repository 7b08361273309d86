//! Generates the tables for `src/shanten/tables.rs`, which explains their use.
//!
//! For each suit, and for the honours, every combination of counts (0 to 4 of each kind) has a
//! *vector*: how many tiles are missing to hold at least n sets, for n = 0..4, without and with a
//! pair, when no kind may be held more than four times. A walk over the kinds in index order
//! computes the vectors and merges states with the same future, so all of it takes a fraction of a
//! second even without optimisation.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::hash::Hash;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// The low bits of a sum, which hold the key; the bits above hold the tallies.
const KEY_BITS: usize = 18;
/// Counts of one kind run from 0 to 4.
const BASE: usize = 5;
/// Maximum number of sets in a hand.
const SETS: usize = 4;
/// No hand has more tiles.
const HAND: usize = 14;
/// Missing tiles for 0..=4 sets without a pair, then with one.
type Vector = [u8; 2 * (SETS + 1)];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR for build scripts"));
    let suit = SuitStates::new(
        &[true, false, false, false, false, false, false, false, true],
        4,
        2,
    );
    let honours = SuitStates::new(&[true; 7], 4, 0);
    let two_suits = Merged::new(&suit, &suit);
    let suit_and_honours = Merged::new(&suit, &honours);

    let mut source =
        format!("const KEY_BITS: u32 = {KEY_BITS};\nconst KEY_MASK: u32 = (1 << KEY_BITS) - 1;\n");
    suit.emit("SUIT", &out, &mut source);
    honours.emit("HONOUR", &out, &mut source);
    emit_halves(
        "TWO_SUITS",
        &two_suits.numbers,
        suit_and_honours.vectors.len(),
        &mut source,
    );
    emit_halves(
        "HONOURS_AND_SUIT",
        &suit_and_honours.numbers,
        1,
        &mut source,
    );
    emit_halves(
        "SUIT_AND_HONOURS",
        &transposed(&suit_and_honours.numbers),
        1,
        &mut source,
    );
    emit_missing(&two_suits, &suit_and_honours, &out, &mut source);
    emit_terminals(&suit, &honours, &mut source);
    write(&out.join("tables.rs"), source.as_bytes());
}

fn write(path: &Path, bytes: &[u8]) {
    fs::write(path, bytes)
        .unwrap_or_else(|error| panic!("cannot write {}: {error}", path.display()));
}

/// Numbers values in the order of their first appearance.
struct Numbered<T> {
    numbers: HashMap<T, usize>,
    values: Vec<T>,
}

impl<T: Clone + Eq + Hash> Numbered<T> {
    fn new() -> Self {
        Self {
            numbers: HashMap::new(),
            values: Vec::new(),
        }
    }

    fn number(&mut self, value: T) -> usize {
        *self.numbers.entry(value).or_insert_with_key(|value| {
            self.values.push(value.clone());
            self.values.len() - 1
        })
    }
}

/// The state after the kinds so far: the fewest missing tiles for each way of having used them.
#[derive(Clone, PartialEq, Eq, Hash)]
struct TableWalk([u8; (SETS + 1) * 2 * 9]);

impl TableWalk {
    const IMPOSSIBLE: u8 = u8::MAX;

    fn start() -> Self {
        let mut walk = Self([Self::IMPOSSIBLE; 90]);
        walk.0[0] = 0;
        walk
    }

    /// `one_old` and `two_old`: runs begun one and two kinds ago, which need the next kind too. At
    /// most two each, since three equal runs are three triplets.
    fn index(sets: usize, pairs: usize, one_old: usize, two_old: usize) -> usize {
        ((sets * 2 + pairs) * 3 + one_old) * 3 + two_old
    }

    /// Passes a kind that is held `count` times and in which up to `max_runs` runs may begin.
    fn pass(&self, count: usize, max_runs: usize) -> Self {
        let mut next = Self([Self::IMPOSSIBLE; 90]);
        for index in 0..self.0.len() {
            let (two_old, one_old, pairs, sets) =
                (index % 3, index / 3 % 3, index / 9 % 2, index / 18);
            if self.0[index] == Self::IMPOSSIBLE {
                continue;
            }
            for runs in 0..=max_runs {
                for triplets in 0..=1 {
                    for new_pairs in 0..=1 - pairs {
                        let used = one_old + two_old + runs + 3 * triplets + 2 * new_pairs;
                        if used > 4 || sets + runs + triplets > SETS {
                            continue;
                        }
                        let missing = self.0[index] + used.saturating_sub(count) as u8;
                        let slot = &mut next.0
                            [Self::index(sets + runs + triplets, pairs + new_pairs, runs, one_old)];
                        *slot = missing.min(*slot);
                    }
                }
            }
        }
        next
    }

    fn vector(&self) -> Vector {
        std::array::from_fn(|index| {
            self.0[Self::index(index % (SETS + 1), index / (SETS + 1), 0, 0)]
        })
    }
}

/// The tables of one suit or of the honours.
struct SuitStates {
    outer_kinds: &'static [bool],
    /// The number of kinds that make the row.
    first_kinds: usize,
    /// For the counts of the first kinds, as digits with the first kind lowest: row of `keys`.
    rows: Vec<usize>,
    /// For the counts of the other kinds: column of `keys`.
    columns: Vec<usize>,
    /// Number of the vector, by row and column.
    keys: Vec<Vec<usize>>,
    vectors: Vec<Vector>,
    /// The fewest tiles that have the vector.
    fewest_tiles: Vec<usize>,
}

impl SuitStates {
    /// `outer_kinds`: for each kind, whether it is a one, nine or honour.
    fn new(outer_kinds: &'static [bool], first_kinds: usize, max_runs: usize) -> Self {
        let kinds = outer_kinds.len();
        // Forwards: the states that can come up after each kind, and where each count leads.
        let mut layer = vec![TableWalk::start()];
        let mut steps: Vec<Vec<[usize; BASE]>> = Vec::new();
        for kind in 0..kinds {
            let runs = if kind + 2 < kinds { max_runs } else { 0 };
            let mut next = Numbered::new();
            steps.push(
                layer
                    .iter()
                    .map(|walk| std::array::from_fn(|count| next.number(walk.pass(count, runs))))
                    .collect(),
            );
            layer = next.values;
        }
        // Backwards: states with the same future become one.
        let mut vectors = Numbered::new();
        let mut classes: Vec<usize> = layer
            .iter()
            .map(|walk| vectors.number(walk.vector()))
            .collect();
        for layer in steps.iter_mut().rev() {
            let mut merged = Numbered::new();
            classes = layer
                .iter()
                .map(|step| merged.number(step.map(|state| classes[state])))
                .collect();
            *layer = merged.values;
        }

        let vectors = vectors.values;
        let walk = |from: usize, steps: &[Vec<[usize; BASE]>], digits: usize| {
            steps
                .iter()
                .fold((from, digits), |(state, digits), step| {
                    (step[state][digits % BASE], digits / BASE)
                })
                .0
        };
        let (first, rest) = steps.split_at(first_kinds);
        let rows: Vec<usize> = (0..BASE.pow(first.len() as u32))
            .map(|digits| walk(0, first, digits))
            .collect();
        let mut distinct = Numbered::new();
        let columns: Vec<usize> = (0..BASE.pow(rest.len() as u32))
            .map(|digits| {
                distinct.number(
                    (0..rest[0].len())
                        .map(|state| walk(state, rest, digits))
                        .collect::<Vec<_>>(),
                )
            })
            .collect();
        let keys: Vec<Vec<usize>> = (0..rest[0].len())
            .map(|row| distinct.values.iter().map(|column| column[row]).collect())
            .collect();
        let mut fewest_tiles = vec![usize::MAX; vectors.len()];
        let fewest = |numbers: &[usize], len: usize| {
            let mut fewest = vec![usize::MAX; len];
            for (digits, &number) in numbers.iter().enumerate() {
                fewest[number] = fewest[number].min(digit_sum(digits));
            }
            fewest
        };
        let fewest_in_columns = fewest(&columns, distinct.values.len());
        for (in_row, keys) in fewest(&rows, keys.len()).into_iter().zip(&keys) {
            for (in_column, &key) in fewest_in_columns.iter().zip(keys) {
                fewest_tiles[key] = fewest_tiles[key].min(in_row + in_column);
            }
        }
        Self {
            outer_kinds,
            first_kinds,
            rows,
            columns,
            keys,
            vectors,
            fewest_tiles,
        }
    }

    /// The number of the vector of no tiles.
    fn empty(&self) -> usize {
        self.keys[self.rows[0]][self.columns[0]]
    }

    fn emit(&self, name: &str, out: &Path, source: &mut String) {
        let (row_kinds, column_kinds) = self.outer_kinds.split_at(self.first_kinds);
        let with_tallies = |numbers: &[usize], unit: usize, outer: &[bool]| -> Vec<usize> {
            let entry = |(digits, number)| number * unit + (tallies(digits, outer) << KEY_BITS);
            numbers.iter().copied().enumerate().map(entry).collect()
        };
        emit_numbers(
            source,
            &format!("{name}_ROWS"),
            &with_tallies(&self.rows, self.keys[0].len(), row_kinds),
        );
        emit_numbers(
            source,
            &format!("{name}_COLUMNS"),
            &with_tallies(&self.columns, 1, column_kinds),
        );
        let bytes: Vec<u8> = self
            .keys
            .iter()
            .flatten()
            .map(|&key| u8::try_from(key).expect("keys are bytes"))
            .collect();
        assert!(
            bytes.len() <= 1 << KEY_BITS,
            "a sum has room for the place of a key"
        );
        let file = format!("{}_keys.bin", name.to_lowercase());
        write(&out.join(&file), &bytes);
        let _ = writeln!(
            source,
            "static {name}_KEYS: [u8; {}] = *include_bytes!(concat!(env!(\"OUT_DIR\"), \"/{file}\"));",
            bytes.len()
        );
    }
}

/// The values for seven pairs and thirteen orphans, for kinds with these counts: how many are held
/// (four bits) and held twice (three bits), and the same for ones, nines and honours.
fn tallies(mut digits: usize, outer: &[bool]) -> usize {
    let mut tallies = 0;
    for &outer in outer {
        let count = digits % BASE;
        digits /= BASE;
        let tally = usize::from(count >= 1) | usize::from(count >= 2) << 4;
        tallies += if outer { tally | tally << 7 } else { tally };
    }
    tallies
}

fn digit_sum(mut digits: usize) -> usize {
    let mut sum = 0;
    while digits > 0 {
        sum += digits % BASE;
        digits /= BASE;
    }
    sum
}

/// Two parts taken together.
struct Merged {
    numbers: Vec<Vec<usize>>,
    vectors: Vec<Vector>,
}

impl Merged {
    fn new(a: &SuitStates, b: &SuitStates) -> Self {
        let mut vectors = Numbered::new();
        let numbers = a
            .vectors
            .iter()
            .zip(&a.fewest_tiles)
            .map(|(a, a_tiles)| {
                b.vectors
                    .iter()
                    .zip(&b.fewest_tiles)
                    // No hand comes here with more; any number will do.
                    .map(|(b, b_tiles)| {
                        if a_tiles + b_tiles > HAND {
                            0
                        } else {
                            vectors.number(merge(a, b))
                        }
                    })
                    .collect()
            })
            .collect();
        Self {
            numbers,
            vectors: vectors.values,
        }
    }
}

fn transposed(table: &[Vec<usize>]) -> Vec<Vec<usize>> {
    (0..table[0].len())
        .map(|column| table.iter().map(|row| row[column]).collect())
        .collect()
}

/// Half hands by the keys of their two parts. `unit`: what each number is multiplied with.
fn emit_halves(name: &str, table: &[Vec<usize>], unit: usize, source: &mut String) {
    let rows: Vec<Vec<usize>> = table
        .iter()
        .map(|row| row.iter().map(|number| number * unit).collect())
        .collect();
    let _ = writeln!(
        source,
        "static {name}: [[u16; {}]; {}] = {rows:?};",
        table[0].len(),
        table.len()
    );
}

/// For each number of melds and each two halves of a hand: how many tiles are missing to the
/// remaining sets and a pair.
fn emit_missing(a: &Merged, b: &Merged, out: &Path, source: &mut String) {
    let mut bytes = Vec::new();
    for melds in 0..=SETS {
        for a in &a.vectors {
            bytes.extend(
                b.vectors
                    .iter()
                    .map(|b| merge(a, b)[SETS + 1 + SETS - melds]),
            );
        }
    }
    write(&out.join("missing.bin"), &bytes);
    let _ = writeln!(
        source,
        "const MISSING_SIZE: usize = {};",
        a.vectors.len() * b.vectors.len()
    );
    let _ = writeln!(
        source,
        "static MISSING: [u8; {}] = *include_bytes!(concat!(env!(\"OUT_DIR\"), \"/missing.bin\"));",
        bytes.len()
    );
}

/// The fewest missing tiles over all ways to share sets and pair between two parts.
fn merge(a: &Vector, b: &Vector) -> Vector {
    let (a_pair, b_pair) = (&a[SETS + 1..], &b[SETS + 1..]);
    std::array::from_fn(|index| {
        let (sets, pair) = (index % (SETS + 1), index / (SETS + 1));
        (0..=sets)
            .flat_map(|k| {
                // An impossible part makes the sum impossible.
                let sum = |a: u8, b: u8| a.saturating_add(b);
                if pair == 0 {
                    [sum(a[k], b[sets - k]); 2]
                } else {
                    [sum(a_pair[k], b[sets - k]), sum(a[k], b_pair[sets - k])]
                }
            })
            .min()
            .expect("zero sets are a way")
    })
}

/// For three players: the key of honours with 1m and 9m, by the key of the honours alone and how
/// many 1m and 9m there are, 0 to 3. The fourth makes no difference to sets without runs and a
/// pair.
fn emit_terminals(suit: &SuitStates, honours: &SuitStates, source: &mut String) {
    let key = |honour: &Vector, ones, nines| {
        let terminals = TableWalk::start().pass(ones, 0).pass(nines, 0).vector();
        let all = merge(honour, &terminals);
        honours
            .vectors
            .iter()
            .position(|vector| *vector == all)
            .expect("nine kinds without runs are like seven")
    };
    let by_nines = |honour, ones| std::array::from_fn::<_, 4, _>(|nines| key(honour, ones, nines));
    let by_ones = |honour| std::array::from_fn::<_, 4, _>(|ones| by_nines(honour, ones));
    let keys: Vec<[[usize; 4]; 4]> = honours.vectors.iter().map(by_ones).collect();
    let _ = writeln!(
        source,
        "static HONOURS_WITH_TERMINALS: [[[u8; 4]; 4]; {}] = {keys:?};",
        keys.len()
    );
    let _ = writeln!(source, "const EMPTY_SUIT: usize = {};", suit.empty());
}

fn emit_numbers(source: &mut String, name: &str, numbers: &[usize]) {
    let _ = writeln!(
        source,
        "static {name}: [u32; {}] = {numbers:?};",
        numbers.len()
    );
}
