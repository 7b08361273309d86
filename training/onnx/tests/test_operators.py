"""Each operator that a model may have, compared with the reference implementation of ONNX. Run by .ci/networks.

ONNX_OUTPUTS is the example `outputs` of the library onnx.
"""
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

import numpy
from numpy import array, float16, float32, float64, int32, int64, int8, uint8
from onnx import TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator

OUTPUTS = os.environ.get("ONNX_OUTPUTS")
GUIDE = pathlib.Path(__file__).parents[3] / "docs" / "networks.md"
FLOAT, INT64, BOOL = TensorProto.FLOAT, TensorProto.INT64, TensorProto.BOOL
# The newest set of operators in which all of them exist.
OPSET = 24

RANDOM = numpy.random.default_rng(11)
INPUTS = {
    "planes": RANDOM.uniform(-1, 1, (1, 64, 34)).astype(float32),
    "scalars": RANDOM.uniform(-1, 1, (1, 69)).astype(float32),
}


def drawn(*shape):
    return numpy.random.default_rng(sum(shape)).uniform(-0.5, 0.5, shape).astype(float32)


class Net:
    """A model under construction. Operators are methods; their inputs are names, or arrays that become constants."""

    def __init__(self):
        self.nodes, self.constants, self.count = [], [], 0

    def name(self):
        self.count += 1
        return f"v{self.count}"

    def constant(self, numbers):
        name = self.name()
        self.constants.append(numpy_helper.from_array(numpy.asarray(numbers), name))
        return name

    def __getattr__(self, operator):
        def add(*inputs, outputs=1, **attributes):
            names = [one if isinstance(one, str) else self.constant(one) for one in inputs]
            made = [self.name() for _ in range(outputs)]
            self.nodes.append(helper.make_node(operator, names, made, **attributes))
            return made[0] if outputs == 1 else made

        return add

    def model(self, output, shape, kind=FLOAT):
        value = helper.make_tensor_value_info
        inputs = [value("planes", FLOAT, [1, 64, 34]), value("scalars", FLOAT, [1, 69])]
        graph = helper.make_graph(self.nodes, "net", inputs, [value(output, kind, shape)], self.constants)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=11)
        helper.set_model_props(model, {"encoding": "1"})
        return model


def finished(net, last):
    """The model with 155 outputs that depend on every value of `last`."""
    values = ReferenceEvaluator(net.model(last, None)).run([last], INPUTS)[0]
    flat = net.Reshape(net.Cast(last, to=FLOAT), array([1, values.size]))
    net.nodes.append(helper.make_node("MatMul", [flat, net.constant(drawn(values.size, 155))], ["actions"]))
    return net.model("actions", [1, 155])


def picture(net):
    """The planes as an image with four channels."""
    return net.Reshape("planes", array([1, 4, 16, 34]))


def mask(net):
    return net.Greater("planes", float32(0))


def places(net, most=30):
    """Whole numbers from 0 to `most`, from the planes."""
    return net.Cast(net.Mul(net.Abs("planes"), float32(most)), to=INT64)


def body(nodes, inputs, outputs, constants=()):
    value = helper.make_tensor_value_info
    return helper.make_graph(nodes, "body", [value(*each) for each in inputs], [value(*each) for each in outputs], list(constants))


def branch(operator):
    return body([helper.make_node(operator, ["planes"], [f"{operator} out"])], [], [(f"{operator} out", FLOAT, None)])


def counted(net, times):
    """A loop with a fixed number of repetitions, or with the number that an input holds."""
    steps = [
        helper.make_node("Cast", ["step"], ["number"], to=FLOAT),
        helper.make_node("Add", ["sum", "number"], ["more"]),
        helper.make_node("Sin", ["more"], ["after"]),
        helper.make_node("Identity", ["goes on"], ["still"]),
        helper.make_node("Mul", ["after", "after"], ["seen"]),
    ]
    graph = body(steps, [("step", INT64, []), ("goes on", BOOL, []), ("sum", FLOAT, None)],
                 [("still", BOOL, []), ("after", FLOAT, None), ("seen", FLOAT, None)])
    last, seen = net.Loop(times, array(True), "scalars", outputs=2, body=graph)
    return net.Concat(net.Reshape(last, array([-1])), net.Reshape(seen, array([-1])), axis=0)


def recurrent(net, operator, gates, outputs):
    weights = [drawn(1, gates * 8, 34), drawn(1, gates * 8, 8), drawn(1, 2 * gates * 8)]
    sequence = net.Transpose("planes", perm=[1, 0, 2])
    more = {"linear_before_reset": 1} if operator == "GRU" else {}
    every = getattr(net, operator)(sequence, *weights, outputs=outputs, hidden_size=8, **more)
    return net.Concat(*[net.Reshape(each, array([-1])) for each in every], axis=0)


UNARY = "Abs Asin Asinh Acos Atan Atanh Ceil Cos Cosh Elu Erf Exp Floor Gelu HardSigmoid HardSwish Identity LeakyRelu Neg "\
    "Reciprocal Relu Round Sigmoid Sign Sin Sinh Softplus Softsign Swish Tan Tanh Softmax LogSoftmax"
REDUCTIONS = "ReduceL1 ReduceL2 ReduceLogSumExp ReduceMax ReduceMean ReduceMin ReduceProd ReduceSum ReduceSumSquare"
BINARY = "Add Sub Mul Div Max Min Mean Sum"
COMPARISONS = "Equal Greater GreaterOrEqual Less LessOrEqual"

#: For each operator the nets that are compared.
NETS = {operator: [lambda net, of=operator: getattr(net, of)("planes")] for operator in UNARY.split()}
NETS |= {
    operator: [lambda net, of=operator: getattr(net, of)("planes", array([2]), keepdims=0), lambda net, of=operator: getattr(net, of)("scalars")]
    for operator in REDUCTIONS.split()
}
NETS |= {operator: [lambda net, of=operator: getattr(net, of)("planes", drawn(64, 1))] for operator in BINARY.split()}
NETS |= {operator: [lambda net, of=operator: getattr(net, of)("planes", drawn(34))] for operator in COMPARISONS.split()}
NETS["Equal"].append(lambda net: net.Equal(net.Round("planes"), float32(0)))
for whole in ("Add", "Sub", "Mul", "Max", "Min"):
    NETS[whole].append(lambda net, of=whole: getattr(net, of)(net.ArgMax("planes", axis=1), array([-7])))
NETS["Div"].append(lambda net: net.Div(net.ArgMax("planes", axis=1), array([7])))
for whole in ("Abs", "Neg", "Sign"):
    NETS[whole].append(lambda net, of=whole: getattr(net, of)(net.Sub(net.ArgMax("planes", axis=1), array([20]))))
NETS["Softmax"].append(lambda net: net.Softmax("planes", axis=1))
NETS["Gelu"].append(lambda net: net.Gelu("planes", approximate="tanh"))
NETS |= {
    "Acosh": [lambda net: net.Acosh(net.Add(net.Abs("planes"), float32(1)))],
    "And": [lambda net: net.And(mask(net), net.Less("planes", drawn(34)))],
    "ArgMax": [lambda net: net.ArgMax("planes", axis=2), lambda net: net.ArgMax("planes", axis=1, keepdims=0)],
    "ArgMin": [lambda net: net.ArgMin("planes", axis=2)],
    "Attention": [lambda net: net.Attention("planes", drawn(1, 20, 34), drawn(1, 20, 34), q_num_heads=2, kv_num_heads=2)],
    "AveragePool": [lambda net: net.AveragePool(picture(net), kernel_shape=[3, 2], strides=[2, 1], pads=[1, 0, 1, 1])],
    "BatchNormalization": [
        lambda net: net.BatchNormalization("planes", drawn(64), drawn(64), drawn(64), numpy.abs(drawn(64)), epsilon=1e-3)],
    "Cast": [
        lambda net: net.Cast(mask(net), to=FLOAT), lambda net: net.Cast(mask(net), to=INT64),
        lambda net: net.Mul("planes", net.Cast(drawn(64, 34).astype(float16), to=FLOAT)),
        lambda net: net.Mul("planes", net.Cast(drawn(64, 34).astype(float64), to=FLOAT)),
    ],
    "Clip": [lambda net: net.Clip("planes", float32(-0.2), float32(0.3)), lambda net: net.Clip("planes", "", float32(0.3)),
             lambda net: net.Clip(net.ArgMax("planes", axis=1), array(5), array(20))],
    "Concat": [lambda net: net.Concat("planes", drawn(1, 3, 34), axis=1),
               lambda net: net.Expand("scalars", net.Concat(array([3]), net.Shape("scalars"), axis=0))],
    "Constant": [
        lambda net: net.Add("scalars", net.Constant(value=numpy_helper.from_array(drawn(1, 69)))),
        lambda net: net.Add("scalars", net.Constant(value_float=0.25)),
        lambda net: net.Reshape("planes", net.Constant(value_ints=[34, 64])),
    ],
    "ConstantOfShape": [lambda net: net.ConstantOfShape(array([2, 3]), value=helper.make_tensor("v", FLOAT, [1], [2.5]))],
    "Conv": [
        lambda net: net.Conv("planes", drawn(8, 64, 3), drawn(8), kernel_shape=[3], pads=[1, 1]),
        lambda net: net.Conv(picture(net), drawn(4, 2, 3, 3), group=2, dilations=[2, 1], strides=[1, 2], pads=[0, 0, 0, 0]),
    ],
    "ConvTranspose": [lambda net: net.ConvTranspose("planes", drawn(64, 5, 3), strides=[2], pads=[1, 1], dilations=[1])],
    "CumSum": [lambda net: net.CumSum("planes", array(1)), lambda net: net.CumSum("planes", array(2), exclusive=1, reverse=1)],
    "DepthToSpace": [lambda net: net.DepthToSpace(picture(net), blocksize=2)],
    "DequantizeLinear": [lambda net: net.Mul("planes", net.DequantizeLinear(
        RANDOM.integers(-128, 127, (64, 34)).astype(int8), float32(0.05), int8(3)))],
    "Einsum": [lambda net: net.Einsum("planes", drawn(34, 7), equation="bij,jk->bik")],
    "Expand": [lambda net: net.Expand("scalars", array([3, 69]))],
    "Flatten": [lambda net: net.Flatten("planes", axis=2)],
    "GRU": [lambda net: recurrent(net, "GRU", 3, 2)],
    "Gather": [
        lambda net: net.Gather("planes", array([3, -1, 0]), axis=1),
        lambda net: net.Gather(drawn(40, 5), places(net), axis=0),
    ],
    "GatherElements": [lambda net: net.GatherElements(drawn(1, 40, 34), net.ArgMax(net.Slice("planes", array([0]), array([40]), array([1])), axis=1), axis=1)],
    "GatherND": [lambda net: net.GatherND("planes", array([[0, 3, 1], [0, 60, 33]]))],
    "Gemm": [lambda net: net.Gemm("scalars", drawn(20, 69), drawn(20), transB=1, alpha=0.5, beta=2.0)],
    "GlobalAveragePool": [lambda net: net.GlobalAveragePool(picture(net))],
    "GlobalMaxPool": [lambda net: net.GlobalMaxPool(picture(net))],
    "If": [lambda net: net.If(net.Greater(net.ReduceSum("planes", keepdims=0), float32(limit)),
                              then_branch=branch("Sin"), else_branch=branch("Cos")) for limit in (-1e6, 1e6)],
    "InstanceNormalization": [lambda net: net.InstanceNormalization("planes", drawn(64), drawn(64))],
    "IsInf": [lambda net: net.IsInf(net.Div(float32(1), net.Round("planes")))],
    "IsNaN": [lambda net: net.IsNaN(net.Sqrt("planes"))],
    "LSTM": [lambda net: recurrent(net, "LSTM", 4, 3)],
    "LayerNormalization": [lambda net: net.LayerNormalization("planes", drawn(34), drawn(34))],
    "Log": [lambda net: net.Log(net.Add(net.Abs("planes"), float32(0.1)))],
    "Loop": [lambda net: counted(net, array(5)), lambda net: counted(net, array(1)),
             lambda net: counted(net, net.Div(net.Gather(net.Shape("scalars"), array(1)), array(10)))],
    "LpNormalization": [lambda net: net.LpNormalization("planes", axis=1, p=2)],
    "MatMul": [lambda net: net.MatMul("planes", drawn(1, 34, 6))],
    "MaxPool": [lambda net: net.MaxPool(picture(net), kernel_shape=[2, 3], strides=[2, 2], pads=[0, 1, 0, 1])],
    "Mod": [lambda net: net.Mod("planes", numpy.abs(drawn(34)) + float32(0.1), fmod=1)],
    "NonZero": [lambda net: net.NonZero(RANDOM.integers(0, 2, (4, 5))), lambda net: net.NonZero(net.Greater(net.Shape("planes"), array(40)))],
    "Not": [lambda net: net.Not(mask(net))],
    "OneHot": [lambda net: net.OneHot(places(net, 9), array(10), array([-0.5, 2.0], float32), axis=1)],
    "Or": [lambda net: net.Or(mask(net), net.Less("planes", drawn(34)))],
    "PRelu": [lambda net: net.PRelu("planes", drawn(64, 1))],
    "Pad": [lambda net: net.Pad("planes", array([0, 1, 2, 0, 0, 3]), float32(0.5)),
            lambda net: net.Pad("planes", array([0, 1, 2, 0, 0, 3]), mode="reflect")],
    "Pow": [lambda net: net.Pow(net.Abs("planes"), float32(1.5)), lambda net: net.Pow("planes", float32(3))],
    "QuantizeLinear": [lambda net: net.QuantizeLinear("planes", float32(0.004), uint8(120)),
                       lambda net: net.DequantizeLinear(net.QuantizeLinear("planes", float32(0.01), int8(-5)), float32(0.01), int8(-5))],
    "RMSNormalization": [lambda net: net.RMSNormalization("planes", drawn(34))],
    "Range": [lambda net: net.Range(array(3), array(40), array(4)), lambda net: net.Range(float32(0), float32(1), float32(0.125))],
    "ReduceLogSum": [lambda net: net.ReduceLogSum(net.Abs("planes"), array([2]))],
    "Reshape": [lambda net: net.Reshape("planes", array([0, -1, 17]))],
    "Resize": [lambda net: net.Resize(picture(net), "", array([1, 1, 2, 3], float32), mode="nearest"),
               lambda net: net.Resize(picture(net), "", "", array([1, 4, 8, 50]), mode="linear")],
    "ReverseSequence": [lambda net: net.ReverseSequence("planes", array([5]), batch_axis=0, time_axis=1)],
    "ScatterElements": [lambda net: net.ScatterElements("planes", net.ArgMax("planes", axis=1), drawn(1, 1, 34), axis=1)],
    "ScatterND": [lambda net: net.ScatterND("planes", array([[0, 3], [0, 60]]), drawn(2, 34))],
    "Shape": [lambda net: net.Shape("planes")],
    "Slice": [lambda net: net.Slice("planes", array([2, 33]), array([2**63 - 1, -2**63]), array([1, 2]), array([3, -2]))],
    "Split": [lambda net: net.Concat(*net.Split("planes", array([10, 54]), axis=1, outputs=2)[::-1], axis=1)],
    "Sqrt": [lambda net: net.Sqrt(net.Abs("planes"))],
    "Squeeze": [lambda net: net.Squeeze("planes", array([0]))],
    "Tile": [lambda net: net.Tile("scalars", array([2, 3]))],
    "TopK": [lambda net: net.TopK("planes", array([3]), outputs=2)[0], lambda net: net.TopK("planes", array([3]), outputs=2)[1]],
    "Transpose": [lambda net: net.Transpose("planes", perm=[2, 0, 1])],
    "Trilu": [lambda net: net.Trilu("planes", array(2)), lambda net: net.Trilu("planes", array(-1), upper=0)],
    "Unsqueeze": [lambda net: net.Unsqueeze("planes", array([0, 3]))],
    "Where": [lambda net: net.Where(mask(net), "planes", drawn(34))],
    "Xor": [lambda net: net.Xor(mask(net), net.Less("planes", drawn(34)))],
}


def grows(net):
    """A loop that multiplies a whole number each time."""
    steps = [helper.make_node("Mul", ["product", "product"], ["after"]), helper.make_node("Identity", ["goes on"], ["still"])]
    graph = body(steps, [("step", INT64, []), ("goes on", BOOL, []), ("product", INT64, [])], [("still", BOOL, []), ("after", INT64, [])])
    return net.Loop(array(6), array(True), array(3), body=graph)


#: Nets that the runtime would compute otherwise than they say, with a part of the refusal.
REFUSED = {
    "a loop of 2^60 + 1 repetitions": (lambda net: counted(net, array(2**60 + 1)), "1152921504606846977"),
    "a whole number beyond 32 bits": (lambda net: net.Add(net.ArgMax("planes", axis=1), array([2**40])), "1099511627776"),
    "a product beyond 32 bits": (lambda net: net.Mul(net.ArgMax("planes", axis=1), array([100_000])), "4634000000"),
    "a product of three dimensions": (lambda net: net.Mul(net.Mul(net.Shape("planes"), net.Shape("planes")), net.Shape("planes")), "32 bits"),
    "a whole number that grows in a loop": (grows, "can only be indices"),
    "a whole number from floats": (lambda net: net.Mul(places(net), array([3])), "can only be indices"),
    "float16": (lambda net: net.Cast(net.Cast("planes", to=TensorProto.FLOAT16), to=FLOAT), "casts to FLOAT16"),
    "a constant of float16": (lambda net: net.Add(drawn(34).astype(float16), drawn(34).astype(float16)), "Cast float16 and float64"),
    "float64": (lambda net: net.Cast(net.Cast("planes", to=TensorProto.DOUBLE), to=FLOAT), "casts to DOUBLE"),
    "negative whole numbers divided": (lambda net: net.Div(net.Sub(net.ArgMax("planes", axis=1), array([7])), array([2])), "cannot be negative"),
    "a cast to 8 bits": (lambda net: net.Cast("planes", to=TensorProto.UINT8), "casts to UINT8"),
    "a cast from floats to truth values": (lambda net: net.Cast("planes", to=BOOL), "compare with 0"),
    "a cast from whole numbers to truth values": (lambda net: net.Cast(net.ArgMax("planes", axis=1), to=BOOL), "compare with 0"),
    "places of floats": (lambda net: net.NonZero("planes"), "compare with 0"),
    "another operator": (lambda net: net.Hardmax("planes"), "not in the list"),
    "a random number": (lambda net: net.RandomUniformLike("planes"), "not in the list"),
}


@unittest.skipUnless(OUTPUTS, "the example outputs of the library onnx is not there")
class Operators(unittest.TestCase):
    def outputs(self, models):
        """What the runtime makes of models: a line for each."""
        with tempfile.TemporaryDirectory() as folder:
            files = []
            for number, model in enumerate(models):
                files.append(pathlib.Path(folder, f"{number}.onnx"))
                files[-1].write_bytes(model.SerializeToString())
            numbers = b"".join(INPUTS[name].astype("<f4").tobytes() for name in ("planes", "scalars"))
            done = subprocess.run([OUTPUTS, *files], input=numbers, stdout=subprocess.PIPE, check=True)
        return done.stdout.decode().splitlines()

    def test_the_guide_lists_the_operators_that_are_compared(self):
        known = subprocess.run([OUTPUTS, "--operators"], stdout=subprocess.PIPE, check=True, text=True).stdout.split()
        listed = re.search(r"^## Operators$.*?```text\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
        self.assertEqual(sorted(listed[1].split()), sorted(known))
        self.assertEqual(sorted(NETS), sorted(known))

    def test_each_operator_computes_what_the_reference_computes(self):
        cases = []
        for operator, nets in NETS.items():
            for number, make in enumerate(nets):
                with self.subTest(operator, number=number):
                    net = Net()
                    cases.append((operator, number, finished(net, make(net))))
        for (operator, number, model), line in zip(cases, self.outputs([model for _, _, model in cases])):
            with self.subTest(operator, number=number):
                self.assertNotIn("refused", line)
                wanted = ReferenceEvaluator(model).run(["actions"], INPUTS)[0][0]
                found = array([float(text) for text in line.strip("[]").split(", ")])
                numpy.testing.assert_allclose(found, wanted, rtol=2e-4, atol=2e-4 * max(1.0, numpy.nanmax(numpy.abs(wanted))))

    def test_what_would_be_computed_otherwise_is_refused(self):
        models = []
        for make, _ in REFUSED.values():
            net = Net()
            last = net.Cast(make(net), to=FLOAT)
            net.nodes.append(helper.make_node("Reshape", [last, net.constant(array([1, 155]))], ["actions"]))
            models.append(net.model("actions", [1, 155]))
        for (what, (_, words)), line in zip(REFUSED.items(), self.outputs(models)):
            with self.subTest(what):
                self.assertTrue(line.startswith("refused: ") and words in line, line)

    def test_an_input_of_float16_is_refused(self):
        model = finished(net := Net(), net.Sin("planes"))
        model.graph.input[0].type.tensor_type.elem_type = TensorProto.FLOAT16
        [line] = self.outputs([model])
        self.assertIn("input `planes` is of FLOAT16, and should be of FLOAT (float32)", line)


if __name__ == "__main__":
    unittest.main()
