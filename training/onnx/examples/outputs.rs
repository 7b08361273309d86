//! What models compute, for a comparison with the reference implementation:
//! `tests/test_operators.py`.
//!
//! With `--operators` prints the operators that a model may have. Otherwise each argument is a
//! model. Standard input has the values of `planes` and then of `scalars`, as little-endian
//! `float32`; for each model there is one line, its outputs or why it is refused.
#![allow(clippy::print_stdout, reason = "a test reads what it prints")]

use std::io::{Read, stdin};
use std::path::Path;

use encoding::SCALARS;
use onnx::{Model, operators};
use policy_sdk::mahjong::tile::KINDS;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments == ["--operators"] {
        println!("{}", operators().join("\n"));
        return;
    }
    let mut bytes = Vec::new();
    stdin().read_to_end(&mut bytes).expect("it can be read");
    let numbers: Vec<f32> = bytes
        .as_chunks()
        .0
        .iter()
        .map(|&bytes| f32::from_le_bytes(bytes))
        .collect();
    let (planes, scalars) = numbers.split_at(64 * KINDS);
    let scalars: [f32; SCALARS.len()] = scalars.try_into().expect("planes and scalars");
    for argument in &arguments {
        let outputs =
            Model::load(Path::new(argument)).and_then(|model| model.run(planes, &scalars));
        match outputs {
            Ok(outputs) => println!("{outputs:?}"),
            Err(error) => println!("refused: {}", error.to_string().replace('\n', " ")),
        }
    }
}
