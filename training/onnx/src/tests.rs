//! Hand-made models, good and bad, and the policy's behaviour with them.

use std::fs;
use std::path::PathBuf;

use encoding::{ACTIONS, ActionCode, BASE_PLANES, PLANES, SCALARS, VERSION};
use policy_sdk::abi::params::{VALUE_PATH, Value};
use policy_sdk::mahjong::Action;
use policy_sdk::testing::{Answered, Refused, Situation, TestInstance, tile};
use tempfile::TempDir;

use crate::ENTRY;

/// A message of protocol buffers, field by field.
#[derive(Default, Clone)]
struct Message(Vec<u8>);

impl Message {
    fn varint(&mut self, mut value: u64) {
        while value > 0x7f {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }

    fn number(mut self, field: u64, value: u64) -> Self {
        self.varint(field << 3);
        self.varint(value);
        self
    }

    fn bytes(mut self, field: u64, bytes: &[u8]) -> Self {
        self.varint(field << 3 | 2);
        self.varint(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
        self
    }

    fn message(self, field: u64, message: &Self) -> Self {
        self.bytes(field, &message.0)
    }
}

/// A model with these outputs for any input.
#[derive(Clone)]
struct TestModel {
    planes: usize,
    encoding: Option<String>,
    outputs: Vec<f32>,
    input: &'static str,
    node: &'static str,
}

impl Default for TestModel {
    fn default() -> Self {
        // The first of the legal actions in the order of the encoding has the highest output.
        let outputs = (0..ACTIONS).map(|code| -(code as f32)).collect();
        Self {
            planes: BASE_PLANES,
            encoding: Some(VERSION.to_string()),
            outputs,
            input: "scalars",
            node: "Gemm",
        }
    }
}

impl TestModel {
    fn floats(name: &str, shape: &[usize], values: &[f32]) -> Message {
        let tensor = shape.iter().fold(Message::default(), |tensor, &size| {
            tensor.number(1, size as u64)
        });
        let raw: Vec<u8> = values
            .iter()
            .flat_map(|value| value.to_le_bytes())
            .collect();
        tensor.number(2, 1).bytes(8, name.as_bytes()).bytes(9, &raw)
    }

    fn value(name: &str, shape: &[usize]) -> Message {
        let dimensions = shape.iter().fold(Message::default(), |dimensions, &size| {
            dimensions.message(1, &Message::default().number(1, size as u64))
        });
        let tensor = Message::default().number(1, 1).message(2, &dimensions);
        Message::default()
            .bytes(1, name.as_bytes())
            .message(2, &Message::default().message(1, &tensor))
    }

    /// The file: `actions` = `scalars` x 0 + outputs.
    fn bytes(&self) -> Vec<u8> {
        let node =
            ["scalars", "zeros", "outputs"]
                .into_iter()
                .fold(Message::default(), |node, input| {
                    node.bytes(
                        1,
                        if input == "scalars" {
                            self.input
                        } else {
                            input
                        }
                        .as_bytes(),
                    )
                });
        let node = node.bytes(2, b"actions").bytes(4, self.node.as_bytes());
        let zeros = vec![0.0; SCALARS.len() * self.outputs.len()];
        let graph = Message::default()
            .message(1, &node)
            .bytes(2, b"test")
            .message(
                5,
                &Self::floats("zeros", &[SCALARS.len(), self.outputs.len()], &zeros),
            )
            .message(
                5,
                &Self::floats("outputs", &[self.outputs.len()], &self.outputs),
            )
            .message(11, &Self::value("planes", &[1, self.planes, 34]))
            .message(11, &Self::value(self.input, &[1, SCALARS.len()]))
            .message(12, &Self::value("actions", &[1, self.outputs.len()]));
        let opset = Message::default().number(2, 17);
        let model = Message::default()
            .number(1, 8)
            .message(7, &graph)
            .message(8, &opset);
        let entry = |value: &str| {
            Message::default()
                .bytes(1, b"encoding")
                .bytes(2, value.as_bytes())
        };
        self.encoding
            .iter()
            .fold(model, |model, version| model.message(14, &entry(version)))
            .0
    }
}

fn file(bytes: &[u8]) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("model.onnx");
    fs::write(&path, bytes).expect("it is written");
    (folder, path)
}

fn created(bytes: &[u8], temperature: f64) -> Result<TestInstance, Refused> {
    let (_folder, path) = file(bytes);
    let path = path.to_str().expect("a name in UTF-8");
    TestInstance::create(
        &ENTRY,
        "onnx",
        &[
            ("model", Value::text(VALUE_PATH, path)),
            ("temperature", Value::number(temperature)),
        ],
    )
}

fn decided(model: &TestModel) -> Result<Answered, Refused> {
    let scene = Situation::drew("19m 19p 19s 1234567z", "5m").build();
    created(&model.bytes(), 0.0)
        .expect("the model fits")
        .decide(&scene)
}

fn refusal(bytes: &[u8]) -> String {
    created(bytes, 0.0).expect_err("it does not fit").text
}

#[test]
fn it_plays_the_legal_action_with_the_highest_output() {
    let answered = decided(&TestModel::default()).unwrap();
    assert_eq!(
        answered.action,
        Action::Dahai {
            tile: tile("1m"),
            tsumogiri: false
        }
    );
    let mut outputs = vec![0.0; ACTIONS];
    outputs[ActionCode::Discard(tile("5z")).index()] = 2.5;
    outputs[ActionCode::Win.index()] = 9.0;
    let answered = decided(&TestModel {
        outputs,
        ..TestModel::default()
    })
    .unwrap();
    assert_eq!(
        answered.action,
        Action::Dahai {
            tile: tile("5z"),
            tsumogiri: false
        }
    );
    assert_eq!(
        answered
            .values
            .iter()
            .copied()
            .fold(f32::NEG_INFINITY, f32::max),
        2.5,
        "a win is not legal"
    );
    assert_eq!(answered.reason, "output 2.500, the best other 0.000");
}

#[test]
fn a_model_of_all_planes_is_played_too() {
    let model = TestModel {
        planes: PLANES.len(),
        ..TestModel::default()
    };
    assert_eq!(
        decided(&model).unwrap().action,
        Action::Dahai {
            tile: tile("1m"),
            tsumogiri: false
        }
    );
}

#[test]
fn at_a_high_temperature_other_actions_are_drawn_too() {
    let mut instance = created(&TestModel::default().bytes(), 1000.0).unwrap();
    let mut seen: Vec<Action> = Vec::new();
    for decision in 0..40 {
        let scene = Situation::drew("19m 19p 19s 1234567z", "5m")
            .keys(1, 0, decision)
            .build();
        let action = instance.decide(&scene).unwrap().action;
        if !seen.contains(&action) {
            seen.push(action);
        }
    }
    assert!(seen.len() > 5, "{seen:?}");
}

#[test]
fn an_output_that_is_no_number_fails_the_decision() {
    let mut outputs = vec![0.0; ACTIONS];
    outputs[ActionCode::Discard(tile("1m")).index()] = f32::NAN;
    let refused = decided(&TestModel {
        outputs,
        ..TestModel::default()
    })
    .unwrap_err();
    assert_eq!(refused.text, "the model's output for action 0 is NaN");
}

#[test]
fn a_model_that_does_not_fit_is_reported_with_the_allowed_values() {
    let wrong = |model: TestModel| refusal(&model.bytes());
    let told = wrong(TestModel {
        planes: 3,
        ..TestModel::default()
    });
    assert!(
        told.ends_with("input `planes` is 1, 3, 34, and should be 1, 64 or 70, 34"),
        "{told}"
    );
    let told = wrong(TestModel {
        encoding: None,
        ..TestModel::default()
    });
    assert!(
        told.ends_with("its metadata lack `encoding`; a model for this encoding says \"1\""),
        "{told}"
    );
    let told = wrong(TestModel {
        encoding: Some("2".to_owned()),
        ..TestModel::default()
    });
    assert!(
        told.ends_with("it is made for encoding \"2\", and this is encoding 1"),
        "{told}"
    );
    let told = wrong(TestModel {
        input: "numbers",
        ..TestModel::default()
    });
    assert!(
        told.ends_with("input `scalars` is missing, and should be 1, 69"),
        "{told}"
    );
    let told = wrong(TestModel {
        outputs: vec![0.0; 7],
        ..TestModel::default()
    });
    assert!(
        told.ends_with("output `actions` is [1, 7], and should be 1, 155"),
        "{told}"
    );
    let told = wrong(TestModel {
        node: "MyOperator",
        ..TestModel::default()
    });
    assert!(
        told.ends_with(
            "operator MyOperator: it is not in the list of operators in docs/networks.md"
        ),
        "{told}"
    );
}

#[test]
fn a_cut_file_and_one_without_a_model_are_refused() {
    let whole = TestModel::default().bytes();
    for length in [0, 1, 10, 1_000, whole.len() / 2, whole.len() - 1] {
        assert!(refusal(&whole[..length]).contains("model.onnx: "));
    }
    assert!(refusal(b"a text").contains("it is no ONNX model"));
}

#[test]
fn a_model_must_be_named_and_be_there() {
    let unnamed = TestInstance::create(&ENTRY, "onnx", &[]).unwrap_err();
    assert!(
        unnamed.text.contains("`model` is missing"),
        "{}",
        unnamed.text
    );
    let absent = TestInstance::create(
        &ENTRY,
        "onnx",
        &[("model", Value::text(VALUE_PATH, "no-such.onnx"))],
    )
    .unwrap_err();
    assert!(
        absent
            .text
            .starts_with("model no-such.onnx: it cannot be read: "),
        "{}",
        absent.text
    );
}
