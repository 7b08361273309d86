//! A model: loaded, checked against the encoding, and run.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use encoding::{ACTIONS, PlaneSet, SCALARS, VERSION};
use policy_sdk::MAX_FILE_BYTES;
use policy_sdk::mahjong::tile::KINDS;
use rten::{Dimension, ModelOptions, NodeId, RunOptions, ThreadPool, Value};
use rten_onnx::onnx::ModelProto;
use rten_tensor::NdTensorView;
use rten_tensor::prelude::*;

use crate::operators;

/// Why a file cannot be played by.
#[derive(Debug)]
pub enum ModelError {
    Unreadable(io::Error),
    /// It is no model that the runtime knows, in its words.
    NoModel(String),
    /// It does not fit the encoding: the value found, and the allowed one.
    Unfit(String),
}

impl std::error::Error for ModelError {}

impl std::fmt::Display for ModelError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Unreadable(error) => write!(f, "it cannot be read: {error}"),
            Self::NoModel(why) => write!(f, "it is no ONNX model that can be run: {why}"),
            Self::Unfit(what) => f.write_str(what),
        }
    }
}

/// A model that fits the encoding.
pub struct Model {
    model: rten::Model,
    planes: PlaneSet,
    inputs: [NodeId; 2],
    output: NodeId,
    /// Where it runs; `None`: on as many threads as there are cores.
    threads: Option<Arc<ThreadPool>>,
}

impl Model {
    /// Reads a file, checks it against the encoding, and runs it once.
    ///
    /// # Errors
    ///
    /// If it cannot be read or run, or does not fit.
    pub fn load(path: &Path) -> Result<Self, ModelError> {
        // Before it is opened: a pipe would wait for its writer.
        let size = fs::metadata(path).and_then(|found| match found.is_file() {
            true => Ok(found.len()),
            false => Err(io::Error::other("it is not a regular file")),
        });
        let mut size = size.map_err(ModelError::Unreadable)?;
        let mut bytes = Vec::new();
        if size <= MAX_FILE_BYTES {
            let file = File::open(path).map_err(ModelError::Unreadable)?;
            // It may grow while it is read.
            file.take(MAX_FILE_BYTES + 1)
                .read_to_end(&mut bytes)
                .map_err(ModelError::Unreadable)?;
            size = bytes.len() as u64;
        }
        if size > MAX_FILE_BYTES {
            let most = MAX_FILE_BYTES >> 20;
            return Err(ModelError::Unfit(format!(
                "the file is larger than {most} MiB, the most that is read"
            )));
        }
        let no_model = |error: &dyn std::fmt::Display| ModelError::NoModel(error.to_string());
        // The runtime itself does not tell what it would compute otherwise.
        let described = ModelProto::parse_buf(&bytes).map_err(|error| no_model(&error))?;
        operators::check(&described).map_err(ModelError::Unfit)?;
        drop(described);
        let model = ModelOptions::with_all_ops()
            .load(bytes)
            .map_err(|error| no_model(&error))?;
        Self::check(model)
    }

    fn check(model: rten::Model) -> Result<Self, ModelError> {
        let unfit = |what: String| Err(ModelError::Unfit(what));
        let version = VERSION.to_string();
        match model.metadata().get("encoding") {
            Some(found) if found == version => {}
            Some(found) => {
                return unfit(format!(
                    "it is made for encoding {found:?}, and this is encoding {version}"
                ));
            }
            None => {
                return unfit(format!(
                    "its metadata lack `encoding`; a model for this encoding says \"{version}\""
                ));
            }
        }
        let planes = PlaneSet::ALL
            .into_iter()
            .find(|set| fits(&model, "planes", &[1, set.planes(), KINDS]));
        let Some(planes) = planes else {
            let [base, all] = PlaneSet::ALL.map(PlaneSet::planes);
            let wanted = format!("1, {base} or {all}, {KINDS}");
            return unfit(format!(
                "input `planes` is {}, and should be {wanted}",
                shape_of(&model, "planes")
            ));
        };
        if !fits(&model, "scalars", &[1, SCALARS.len()]) {
            let wanted = format!("1, {}", SCALARS.len());
            return unfit(format!(
                "input `scalars` is {}, and should be {wanted}",
                shape_of(&model, "scalars")
            ));
        }
        if let Some(other) = model.input_ids().iter().find_map(|&id| {
            let name = model.node_info(id)?.name()?.to_owned();
            (name != "planes" && name != "scalars").then_some(name)
        }) {
            return unfit(format!(
                "it has an input `{other}`; allowed are `planes` and `scalars`"
            ));
        }
        let inputs = ["planes", "scalars"]
            .map(|name| model.find_node(name).expect("its shape was looked at"));
        let Some(output) = model.output_ids().iter().copied().find(|&id| {
            model
                .node_info(id)
                .is_some_and(|info| info.name() == Some("actions"))
        }) else {
            return unfit("it has no output `actions`".to_owned());
        };
        let this = Self {
            model,
            planes,
            inputs,
            output,
            threads: None,
        };
        // The shape of the output is known for certain once it was run.
        let planes = vec![0.0; this.planes.numbers()];
        this.run(&planes, &[0.0; SCALARS.len()])?;
        Ok(this)
    }

    /// From now on runs on one thread. For games that are played at once, one on each core.
    #[must_use]
    pub fn on_one_thread(self) -> Self {
        Self {
            threads: Some(Arc::new(ThreadPool::with_num_threads(1))),
            ..self
        }
    }

    pub const fn planes(&self) -> PlaneSet {
        self.planes
    }

    /// Its outputs, one for each action of the encoding.
    ///
    /// # Errors
    ///
    /// If it cannot be run, or its output has another shape.
    ///
    /// # Panics
    ///
    /// If the number of values differs from that of its inputs.
    pub fn run(
        &self,
        planes: &[f32],
        scalars: &[f32; SCALARS.len()],
    ) -> Result<[f32; ACTIONS], ModelError> {
        let planes = NdTensorView::from_data([1, self.planes.planes(), KINDS], planes);
        let scalars = NdTensorView::from_data([1, SCALARS.len()], &scalars[..]);
        let inputs = vec![
            (self.inputs[0], planes.into()),
            (self.inputs[1], scalars.into()),
        ];
        let options = RunOptions::default().with_thread_pool(self.threads.clone());
        let outputs = self.model.run(inputs, &[self.output], Some(options));
        let outputs = outputs.map_err(|error| ModelError::NoModel(error.to_string()))?;
        let numbers = outputs
            .into_iter()
            .next()
            .and_then(Value::into_tensor::<f32>);
        let numbers = numbers
            .ok_or_else(|| ModelError::Unfit("output `actions` is not of float32".to_owned()))?;
        let shape: Vec<usize> = numbers.shape().to_vec();
        if shape != [1, ACTIONS] {
            return Err(ModelError::Unfit(format!(
                "output `actions` is {shape:?}, and should be 1, {ACTIONS}"
            )));
        }
        let mut actions = [0.0; ACTIONS];
        actions
            .iter_mut()
            .zip(numbers.iter())
            .for_each(|(action, &number)| *action = number);
        Ok(actions)
    }
}

/// Whether this shape is allowed for an input of this name. Open dimensions of the model fit.
fn fits(model: &rten::Model, name: &str, wanted: &[usize]) -> bool {
    let Some(shape) = dimensions(model, name) else {
        return false;
    };
    shape.len() == wanted.len()
        && shape.iter().zip(wanted).all(|(found, wanted)| match found {
            Dimension::Fixed(found) => found == wanted,
            Dimension::Symbolic(_) => *wanted == 1,
        })
}

fn dimensions(model: &rten::Model, name: &str) -> Option<Vec<Dimension>> {
    let input = model.input_ids().iter().find(|&&id| {
        model
            .node_info(id)
            .is_some_and(|info| info.name() == Some(name))
    });
    model.node_info(*input?)?.shape()
}

/// The shape of an input, for users.
fn shape_of(model: &rten::Model, name: &str) -> String {
    let Some(shape) = dimensions(model, name) else {
        return "missing".to_owned();
    };
    let words: Vec<String> = shape
        .iter()
        .map(|dimension| match dimension {
            Dimension::Fixed(number) => number.to_string(),
            Dimension::Symbolic(name) => name.clone(),
        })
        .collect();
    words.join(", ")
}
