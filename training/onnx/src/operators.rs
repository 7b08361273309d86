//! Which operators a model may have, and which values they work on.
//!
//! The runtime keeps whole numbers in 32 bits, and numbers with a fraction in `float32`, whatever
//! the model says. A model for which that could make a difference is refused: one with another
//! operator than these, with a whole number that may need more than 32 bits, or that computes with
//! `float16` or `float64`. All other operators are compared with the reference implementation of
//! ONNX, one by one, in `tests/test_operators.py`.

use std::collections::HashMap;

use rten_onnx::onnx::{AttributeProto, DataType, GraphProto, ModelProto, NodeProto, TensorProto};

use Values::{Bools, Bytes, Floats, Stored, Whole};

/// Maximum number of graphs within each other.
const MAX_DEPTH: usize = 32;

/// Maximum size of one dimension of a tensor whose shape a model asks for. A product of two still
/// fits 32 bits.
const MAX_DIMENSION: i64 = 46_340;

/// The operators of [`Rule::Floats`] and so on, by what they do with the kinds of values.
const RULES: [(Rule, &str); 11] = [
    (
        Rule::Floats,
        "Acos Acosh Asin Asinh Atan Atanh Attention AveragePool BatchNormalization Ceil Conv \
         ConvTranspose Cos Cosh CumSum Einsum Elu Erf Exp Floor GRU Gelu Gemm GlobalAveragePool \
         GlobalMaxPool HardSigmoid HardSwish InstanceNormalization LSTM LayerNormalization LeakyRelu Log \
         LogSoftmax LpNormalization MatMul MaxPool Mean Mod PRelu Pow RMSNormalization Reciprocal \
         ReduceL1 ReduceL2 ReduceLogSum ReduceLogSumExp ReduceMean ReduceProd ReduceSum ReduceSumSquare \
         Relu Resize Round Sigmoid Sin Sinh Softmax Softplus Softsign Sqrt Sum Swish Tan Tanh",
    ),
    (
        Rule::First,
        "DepthToSpace Expand Flatten Gather GatherElements GatherND Identity ReduceMax ReduceMin Reshape \
         ReverseSequence Slice Split Squeeze Tile Transpose Trilu Unsqueeze",
    ),
    (Rule::All, "Clip Concat Max Min"),
    (Rule::Union(&[0, 2]), "Pad ScatterElements ScatterND"),
    (Rule::Union(&[1, 2]), "Where"),
    (Rule::Arithmetic, "Abs Add Div Mul Neg Sign Sub"),
    (
        Rule::Compare,
        "And Equal Greater GreaterOrEqual IsInf IsNaN Less LessOrEqual Not Or Xor",
    ),
    (Rule::Positions, "ArgMax ArgMin NonZero Shape"),
    (Rule::Cast, "Cast"),
    (Rule::Quantized, "DequantizeLinear QuantizeLinear"),
    (
        Rule::Special,
        "Constant ConstantOfShape If Loop OneHot Range TopK",
    ),
];

/// What an operator does with the kinds of values.
#[derive(Clone, Copy)]
enum Rule {
    /// Makes floats out of floats. Other inputs, such as axes, may be whole numbers.
    Floats,
    /// Gives values of the first input.
    First,
    /// Gives values of all inputs.
    All,
    /// Gives values of these inputs.
    Union(&'static [usize]),
    /// Computes with floats, or with whole numbers of known bounds.
    Arithmetic,
    /// Answers yes or no.
    Compare,
    /// Gives positions in a tensor, or its dimensions.
    Positions,
    Cast,
    /// To bytes and back.
    Quantized,
    /// Has a rule of its own.
    Special,
}

/// The values of a tensor.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Values {
    Floats,
    Bools,
    /// Whole numbers of 8 bits.
    Bytes,
    /// Whole numbers between these bounds; `None` if they are not known.
    Whole(Option<(i64, i64)>),
    /// Numbers of `float16` or `float64`, which can only be cast to `float32`.
    Stored,
}

impl Values {
    const POSITIONS: Self = Whole(Some((0, MAX_DIMENSION)));

    /// Values of both kinds.
    fn or(self, other: Self) -> Option<Self> {
        match (self, other) {
            (Whole(Some((low, high))), Whole(Some((other_low, other_high)))) => {
                Some(Whole(Some((low.min(other_low), high.max(other_high)))))
            }
            (Whole(_), Whole(_)) => Some(Whole(None)),
            _ => (self == other).then_some(self),
        }
    }

    /// What the runtime would compute otherwise than the model says.
    fn trouble(self) -> Option<String> {
        match self {
            Whole(Some((low, high))) if low < i32::MIN.into() || high > i32::MAX.into() => {
                let far = if high > i32::MAX.into() { high } else { low };
                Some(format!("a whole number may be {far}, and the runtime computes with 32 bits"))
            }
            Whole(None) => {
                Some("whole numbers that are cast from floats, or that a loop changes, can only be indices".to_owned())
            }
            Stored => Some("the runtime computes with float32; Cast float16 and float64 to it first".to_owned()),
            _ => None,
        }
    }
}

/// The names of all operators that a model may have, in order.
pub fn operators() -> Vec<&'static str> {
    let mut names: Vec<_> = RULES
        .iter()
        .flat_map(|(_, names)| names.split(' '))
        .collect();
    names.sort_unstable();
    names
}

/// Checks that the runtime computes what a model says, whose inputs are of `float32`.
///
/// # Errors
///
/// The first operator or value for which that is not certain.
pub(crate) fn check(model: &ModelProto) -> Result<(), String> {
    let graph = model.graph.as_ref().ok_or("it has no graph")?;
    let mut scope = Scope::new();
    for input in &graph.input {
        let name = input.name.as_deref().unwrap_or_default();
        let kind = input
            .r#type
            .as_ref()
            .and_then(|kind| kind.tensor_type.as_ref()?.elem_type);
        match kind {
            Some(DataType::FLOAT) => scope.insert(name.to_owned(), Floats),
            Some(other) => {
                return Err(format!(
                    "input `{name}` is of {other}, and should be of FLOAT (float32)"
                ));
            }
            None => {
                return Err(format!(
                    "input `{name}` does not say its type, and should be of FLOAT (float32)"
                ));
            }
        };
    }
    walk(graph, &mut scope, 0)
}

type Scope = HashMap<String, Values>;

/// Goes through a graph in order and adds its values to the scope.
fn walk(graph: &GraphProto, scope: &mut Scope, depth: usize) -> Result<(), String> {
    if depth > MAX_DEPTH {
        return Err(format!(
            "there are more than {MAX_DEPTH} graphs within each other"
        ));
    }
    for tensor in &graph.initializer {
        let name = tensor.name.clone().unwrap_or_default();
        let values = constant(tensor).map_err(|why| format!("the constant `{name}`: {why}"))?;
        scope.insert(name, values);
    }
    for node in &graph.node {
        let operator = node.op_type.as_deref().unwrap_or_default();
        let at = |why: String| match node.name.as_deref().filter(|name| !name.is_empty()) {
            Some(name) => format!("operator {operator} (`{name}`): {why}"),
            None => format!("operator {operator}: {why}"),
        };
        let outputs = NodeCheck {
            node,
            operator,
            scope,
            depth,
        }
        .outputs()
        .map_err(at)?;
        for (name, values) in node.output.iter().zip(outputs) {
            scope.insert(name.clone(), values);
        }
    }
    Ok(())
}

struct NodeCheck<'n> {
    node: &'n NodeProto,
    operator: &'n str,
    scope: &'n Scope,
    depth: usize,
}

impl NodeCheck<'_> {
    /// The values of its outputs; the last kind is that of all further ones.
    fn outputs(&self) -> Result<Vec<Values>, String> {
        let domain = self.node.domain.as_deref().unwrap_or_default();
        let known = RULES
            .iter()
            .find(|(_, names)| names.split(' ').any(|name| name == self.operator));
        let Some((rule, _)) = known.filter(|_| matches!(domain, "" | "ai.onnx")) else {
            return Err("it is not in the list of operators in docs/networks.md".to_owned());
        };
        self.check_inputs(*rule)?;
        let values = match rule {
            Rule::Floats => {
                self.expect(0, Floats)?;
                Floats
            }
            Rule::First => self.input(0)?,
            Rule::All => self.union(0..self.node.input.len())?,
            Rule::Union(places) => self.union(places.iter().copied())?,
            Rule::Arithmetic => self.arithmetic()?,
            Rule::Compare => Bools,
            Rule::Positions if self.operator == "NonZero" && self.input(0)? == Floats => {
                return Err("it takes numbers for truth values; compare with 0 instead".to_owned());
            }
            Rule::Positions => Values::POSITIONS,
            Rule::Cast => self.cast()?,
            Rule::Quantized if self.operator == "QuantizeLinear" => Bytes,
            Rule::Quantized => {
                self.expect(0, Bytes)?;
                Floats
            }
            Rule::Special => return self.special(),
        };
        Ok(vec![values; self.node.output.len()])
    }

    /// Refuses inputs that the runtime takes otherwise than the model means them.
    fn check_inputs(&self, rule: Rule) -> Result<(), String> {
        for place in 0..self.node.input.len() {
            if self.node.input[place].is_empty() {
                continue;
            }
            let values = self.input(place)?;
            // The bounds of a slice beyond all tensors mean its end, with 32 bits as with 64.
            let is_end = self.operator == "Slice" && place > 0 && matches!(values, Whole(Some(_)));
            let is_index = values == Whole(None)
                && match self.operator {
                    "Gather" | "GatherElements" | "GatherND" => true,
                    "ScatterElements" | "ScatterND" => place == 1,
                    "OneHot" => place == 0,
                    _ => matches!(rule, Rule::First) && place == 0,
                };
            let is_cast = matches!(rule, Rule::Cast) && values == Stored;
            if let Some(why) = values
                .trouble()
                .filter(|_| !is_end && !is_index && !is_cast)
            {
                return Err(why);
            }
        }
        Ok(())
    }

    fn input(&self, place: usize) -> Result<Values, String> {
        let name = self
            .node
            .input
            .get(place)
            .ok_or_else(|| format!("it has no input {place}"))?;
        self.scope
            .get(name)
            .copied()
            .ok_or_else(|| format!("its input `{name}` is not computed before it"))
    }

    /// Whether it has this input.
    fn has(&self, place: usize) -> bool {
        self.node
            .input
            .get(place)
            .is_some_and(|name| !name.is_empty())
    }

    fn expect(&self, place: usize, wanted: Values) -> Result<(), String> {
        match self.input(place)? {
            found if found == wanted => Ok(()),
            found => Err(format!(
                "input {place} has {}; allowed are {}",
                words(found),
                words(wanted)
            )),
        }
    }

    fn union(&self, places: impl Iterator<Item = usize>) -> Result<Values, String> {
        let mut union: Option<Values> = None;
        for place in places.filter(|&place| self.has(place)) {
            let values = self.input(place)?;
            let both = union.map_or(Some(values), |union| union.or(values));
            union = Some(both.ok_or("its inputs are of several types")?);
        }
        union.ok_or_else(|| "it has no inputs".to_owned())
    }

    fn arithmetic(&self) -> Result<Values, String> {
        let one = self.input(0)?;
        let other = if self.node.input.len() > 1 {
            self.input(1)?
        } else {
            one
        };
        let (Whole(Some((low, high))), Whole(Some((other_low, other_high)))) = (one, other) else {
            return if one == Floats && other == Floats {
                Ok(Floats)
            } else {
                Err(two(one, other))
            };
        };
        let corners = |of: fn(i64, i64) -> i64| {
            let all = [
                of(low, other_low),
                of(low, other_high),
                of(high, other_low),
                of(high, other_high),
            ];
            (
                *all.iter().min().expect("four"),
                *all.iter().max().expect("four"),
            )
        };
        let largest = low.saturating_abs().max(high.saturating_abs());
        let bounds =
            match self.operator {
                "Add" => corners(i64::saturating_add),
                "Sub" => corners(i64::saturating_sub),
                "Mul" => corners(i64::saturating_mul),
                "Neg" => (high.saturating_neg(), low.saturating_neg()),
                "Abs" => (0, largest),
                "Sign" => (-1, 1),
                // Implementations round negative quotients differently.
                _ if low >= 0 && other_low > 0 => (0, high),
                _ => return Err(
                    "whole numbers are only divided if they cannot be negative, nor the divisor 0"
                        .to_owned(),
                ),
            };
        let result = Whole(Some(bounds));
        result.trouble().map_or(Ok(result), Err)
    }

    fn cast(&self) -> Result<Values, String> {
        let from = self.input(0)?;
        let to = DataType(
            self.attribute("to")
                .and_then(|to| to.i)
                .unwrap_or_default()
                .try_into()
                .unwrap_or_default(),
        );
        match (from, to) {
            (_, DataType::FLOAT) => Ok(Floats),
            (Stored, _) => Err(Stored.trouble().unwrap_or_default()),
            (Bools, DataType::BOOL) => Ok(Bools),
            // The runtime cuts off a fraction, and keeps whole numbers as they are.
            (_, DataType::BOOL) => {
                Err("it takes numbers for truth values; compare with 0 instead".to_owned())
            }
            (Floats, DataType::INT32 | DataType::INT64) => Ok(Whole(None)),
            (Bools, DataType::INT32 | DataType::INT64) => Ok(Whole(Some((0, 1)))),
            (Bytes, DataType::INT32 | DataType::INT64) => {
                Ok(Whole(Some((i8::MIN.into(), u8::MAX.into()))))
            }
            (Whole(_), DataType::INT32 | DataType::INT64) => Ok(from),
            _ => Err(format!(
                "it casts to {to}; allowed are FLOAT, INT32 and INT64"
            )),
        }
    }

    fn special(&self) -> Result<Vec<Values>, String> {
        let one = match self.operator {
            "Constant" => self.constant()?,
            "ConstantOfShape" => match self.attribute("value").and_then(|value| value.t.as_ref()) {
                Some(tensor) => constant(tensor)?,
                None => Floats,
            },
            "OneHot" => self.input(2)?,
            "Range" => self.union(0..2)?,
            "TopK" => return Ok(vec![self.input(0)?, Values::POSITIONS]),
            "If" => return self.branches(),
            _ => return self.repeated(),
        };
        Ok(vec![one])
    }

    fn constant(&self) -> Result<Values, String> {
        let [attribute] = &self.node.attribute[..] else {
            return Err("it has several values, or none".to_owned());
        };
        let AttributeProto { t, i, ints, .. } = attribute;
        match attribute.name.as_deref() {
            Some("value") => constant(t.as_ref().ok_or("its value is missing")?),
            Some("value_float" | "value_floats") => Ok(Floats),
            Some("value_int") => Ok(bounds_of(i.iter().copied())),
            Some("value_ints") => Ok(bounds_of(ints.iter().copied())),
            other => Err(format!(
                "its value is `{}`, which is not supported",
                other.unwrap_or_default()
            )),
        }
    }

    fn attribute(&self, name: &str) -> Option<&AttributeProto> {
        self.node
            .attribute
            .iter()
            .find(|attribute| attribute.name.as_deref() == Some(name))
    }

    /// The outputs of a graph within this operator, whose inputs have these values.
    fn inner(&self, name: &str, inputs: &[Values]) -> Result<Vec<Values>, String> {
        let graph = self.attribute(name).and_then(|graph| graph.g.as_ref());
        let graph = graph.ok_or_else(|| format!("it has no `{name}`"))?;
        let mut scope = self.scope.clone();
        for (input, values) in graph.input.iter().zip(inputs) {
            scope.insert(input.name.clone().unwrap_or_default(), *values);
        }
        walk(graph, &mut scope, self.depth + 1)?;
        let output = |name: &str| {
            scope
                .get(name)
                .copied()
                .ok_or_else(|| format!("no operator computes `{name}`"))
        };
        graph
            .output
            .iter()
            .map(|value| output(value.name.as_deref().unwrap_or_default()))
            .collect()
    }

    fn branches(&self) -> Result<Vec<Values>, String> {
        let (then, otherwise) = (
            self.inner("then_branch", &[])?,
            self.inner("else_branch", &[])?,
        );
        let both = then
            .iter()
            .zip(&otherwise)
            .map(|(one, other)| one.or(*other));
        both.collect::<Option<_>>()
            .ok_or_else(|| "its branches give values of several types".to_owned())
    }

    fn repeated(&self) -> Result<Vec<Values>, String> {
        let first = (2..self.node.input.len()).map(|place| self.input(place));
        let mut carried = first.collect::<Result<Vec<_>, _>>()?;
        let times = match self.has(0).then(|| self.input(0)).transpose()? {
            Some(Whole(Some((_, high)))) => high,
            _ => i32::MAX.into(),
        };
        // The second time, values that a repetition changes have no bounds.
        for _ in 0..2 {
            let inputs: Vec<_> = [Whole(Some((0, times))), Bools]
                .into_iter()
                .chain(carried.iter().copied())
                .collect();
            let outputs = self.inner("body", &inputs)?;
            let (after, scanned) = outputs
                .get(1..)
                .and_then(|outputs| outputs.split_at_checked(carried.len()))
                .ok_or("its body has too few outputs")?;
            let both = carried
                .iter()
                .zip(after)
                .map(|(before, after)| before.or(*after));
            let both = both
                .collect::<Option<Vec<_>>>()
                .ok_or("its body gives values of another type than it gets")?;
            if both == carried {
                return Ok([carried, scanned.to_vec()].concat());
            }
            let unbound = |values| {
                if matches!(values, Whole(_)) {
                    Whole(None)
                } else {
                    values
                }
            };
            carried = both.into_iter().map(unbound).collect();
        }
        Err(
            "whole numbers grow with each repetition, so that they may need more than 32 bits"
                .to_owned(),
        )
    }
}

/// The values of a constant.
fn constant(tensor: &TensorProto) -> Result<Values, String> {
    let raw = tensor.raw_data.as_ref().map(|raw| raw.borrow());
    let raw = raw.as_ref().map_or(&[][..], |raw| &raw[..]);
    match tensor.data_type {
        Some(DataType::FLOAT) => Ok(Floats),
        Some(DataType::BOOL) => Ok(Bools),
        Some(DataType::INT8 | DataType::UINT8) => Ok(Bytes),
        Some(DataType::INT32) => {
            let packed = raw
                .as_chunks()
                .0
                .iter()
                .map(|&bytes| i32::from_le_bytes(bytes));
            Ok(bounds_of(
                packed
                    .chain(tensor.int32_data.iter().copied())
                    .map(Into::into),
            ))
        }
        Some(DataType::INT64) => {
            let packed = raw
                .as_chunks()
                .0
                .iter()
                .map(|&bytes| i64::from_le_bytes(bytes));
            Ok(bounds_of(packed.chain(tensor.int64_data.iter().copied())))
        }
        Some(DataType::FLOAT16 | DataType::DOUBLE) => Ok(Stored),
        Some(other) => Err(format!(
            "its numbers are of {other}, which is not supported"
        )),
        None => Err("it does not say its type".to_owned()),
    }
}

fn bounds_of(numbers: impl Iterator<Item = i64>) -> Values {
    let bounds = numbers.map(|number| (number, number));
    let bounds = bounds.reduce(|(low, high), (number, _)| (low.min(number), high.max(number)));
    // An empty list holds no number.
    Whole(Some(bounds.unwrap_or((0, 0))))
}

fn words(values: Values) -> &'static str {
    match values {
        Floats => "floats",
        Bools => "truth values",
        Bytes => "whole numbers of 8 bits",
        Whole(_) => "whole numbers",
        Stored => "numbers of float16 or float64",
    }
}

fn two(one: Values, other: Values) -> String {
    format!(
        "it computes with {} and {}; allowed are floats, and whole numbers with bounds",
        words(one),
        words(other)
    )
}
