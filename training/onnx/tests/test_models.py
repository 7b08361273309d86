"""Hostile models: none ends the program or another bot. Run by .ci/networks.

BOT_RUNNER is the program and ONNX_LIBRARY the library onnx. What the library says of models that do not fit, its own tests say.
"""
import os
import pathlib
import subprocess
import tempfile
import time
import unittest

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

RUNNER, LIBRARY = os.environ.get("BOT_RUNNER"), os.environ.get("ONNX_LIBRARY")
# More than any network here needs, and less than would exhaust a machine.
MEMORY_MIB = 2048

FLOAT, INT64, BOOL = TensorProto.FLOAT, TensorProto.INT64, TensorProto.BOOL


def value(name, kind, *shape):
    return helper.make_tensor_value_info(name, kind, shape)


def constant(name, *numbers, kind=numpy.int64):
    return numpy_helper.from_array(numpy.array(numbers, kind), name)


def model(nodes, constants=(), functions=()):
    """A model of these nodes, which make `actions` out of `planes` and `scalars`."""
    graph = helper.make_graph(
        nodes, "hostile", [value("planes", FLOAT, 1, 64, 34), value("scalars", FLOAT, 1, 69)], [value("actions", FLOAT, 1, 155)],
        list(constants),
    )
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid("mine", 1)]
    made = helper.make_model(graph, opset_imports=opsets, ir_version=9, functions=list(functions))
    helper.set_model_props(made, {"encoding": "1"})
    return made.SerializeToString()


def zeros():
    """A node for 155 zeros, with its inputs."""
    return helper.make_node("ConstantOfShape", ["shape"], ["actions"]), constant("shape", 1, 155)


def endless(condition):
    """A loop that takes its number of iterations from its input."""
    body = helper.make_graph(
        [helper.make_node("Identity", ["goes on"], ["goes on still"]), helper.make_node("Identity", ["in"], ["out"])],
        "body", [value("step", INT64), value("goes on", BOOL), value("in", FLOAT, 1, 155)],
        [value("goes on still", BOOL), value("out", FLOAT, 1, 155)],
    )
    _, shape = zeros()
    return model(
        [
            *condition,
            helper.make_node("ConstantOfShape", ["shape"], ["nothing"]),
            helper.make_node("Loop", ["", "begins", "nothing"], ["actions"], body=body),
        ],
        [shape, constant("begins at once", True, kind=bool), constant("zero", 0, kind=numpy.float32),
         constant("south round", 37)],
    )


def nested(depth):
    """A choice in a choice, and so on; written by hand, since the package itself gives up on it."""
    inner = helper.make_graph([helper.make_node("Identity", ["scalars"], ["out"])], "inner", [], [value("out", FLOAT)])
    body = inner.SerializeToString()

    def field(number, content):
        length, size = b"", len(content)
        while size > 0x7F:
            length, size = length + bytes([size & 0x7F | 0x80]), size >> 7
        return bytes([number << 3 | 2]) + length + bytes([size]) + content

    for _ in range(depth):
        branch = b"".join(
            field(5, field(1, name) + field(6, body if name == b"then_branch" else b"") + bytes([20 << 3 & 0x7F | 0x80, 1, 5]))
            for name in (b"then_branch",)
        )
        body = field(1, field(1, b"condition") + field(2, b"actions") + field(4, b"If") + branch) + field(2, b"nested")
    whole = onnx.ModelProto.FromString(model([zeros()[0]], [zeros()[1]]))
    rest = whole.graph.SerializeToString()
    whole.ClearField("graph")
    return whole.SerializeToString() + field(7, rest + body)


def huge_tensor(*shape, data=b"\0\0\0\0"):
    """A constant that says it is far larger than it is."""
    tensor = TensorProto(name="huge", data_type=FLOAT, dims=shape, raw_data=data)
    return model([helper.make_node("ReduceSum", ["huge"], ["actions"])], [tensor])


def allocates(*shape):
    """A model that is small, and wants much when it runs."""
    node = helper.make_node
    return model(
        [node("ConstantOfShape", ["shape"], ["much"]), node("Add", ["much", "one"], ["more"]), node("ReduceSum", ["more"], ["actions"])],
        [constant("shape", *shape), constant("one", 1, kind=numpy.float32)],
    )


def external(path):
    """A constant that lies in another file."""
    tensor = TensorProto(name="secret", data_type=FLOAT, dims=[1, 155], data_location=TensorProto.EXTERNAL)
    for key, text in (("location", path), ("offset", "0"), ("length", "620")):
        tensor.external_data.add(key=key, value=text)
    return model([helper.make_node("Identity", ["secret"], ["actions"])], [tensor])


@unittest.skipUnless(RUNNER and LIBRARY, "set BOT_RUNNER and ONNX_LIBRARY to the program and the library")
class Models(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def bot(self, content, think_ms=200):
        """A config that plays by a model."""
        if isinstance(content, bytes):
            (self.folder / "model.onnx").write_bytes(content)
        config = self.folder / "hostile.toml"
        config.write_text(
            f'name = "hostile"\n[policy]\nlibrary = "{LIBRARY}"\nisolation = "process"\nthink_ms = {think_ms}\n'
            f'[policy.params]\nmodel = "model.onnx"\n[policy.limits]\nread = ["."]\nmemory_mib = {MEMORY_MIB}\n'
        )
        return config

    def run_program(self, *arguments, limit=150):
        done = subprocess.run([RUNNER, *arguments], capture_output=True, text=True, timeout=limit, cwd=self.folder)
        return done.returncode, done.stdout + done.stderr

    def test_they_are_refused_before_they_play(self):
        (self.folder / "model.onnx").mkdir()
        hostile = {
            "a folder": (None, "it is not a regular file"),
            "a pipe": (lambda path: os.mkfifo(path), "it is not a regular file"),
            "10 GB": (lambda path: (path.touch(), os.truncate(path, 10 << 30)), "the file is larger than 1024 MiB"),
            "cut": (model([zeros()[0]], [zeros()[1]])[:-40], ""),
            "nested deeply": (nested(20_000), ""),
            "nested": (nested(200), ""),
            "a tensor of 10 GB": (huge_tensor(10 << 28), ""),
            "a tensor without a size": (huge_tensor(-1, -1), ""),
            "a tensor of more than there is": (huge_tensor(1 << 40, 1 << 40), ""),
            "40 GB when it runs": (allocates(10 << 30), ""),
            "more than there is when it runs": (allocates(1 << 40, 1 << 40), ""),
            "its own operator": (model([helper.make_node("Mine", ["scalars"], ["actions"], domain="mine")]), "Mine"),
            "a tensor in another file": (external("/etc/passwd"), ""),
            "the output of one that is none": (model([helper.make_node("Identity", ["nothing"], ["actions"])]), ""),
            "itself": (model([helper.make_node("Identity", ["actions"], ["actions"])]), ""),
        }
        for name, (content, words) in hostile.items():
            with self.subTest(name):
                path = self.folder / "model.onnx"
                if content is not None:
                    path.rmdir() if path.is_dir() else path.unlink()
                if callable(content):
                    content(path)
                began = time.monotonic()
                code, said = self.run_program("check", self.bot(content))
                self.assertEqual(code, 1, said)
                self.assertIn(words, said)
                self.assertIn("hostile.toml", said)
                self.assertNotIn("panicked at", said)
                self.assertLess(time.monotonic() - began, 60)

    def test_one_that_loops_from_the_start_is_given_up(self):
        begins = [helper.make_node("Identity", ["begins at once"], ["begins"])]
        # Only its own time counts: beside others it takes longer.
        code, said = self.run_program("check", self.bot(endless(begins)), limit=660)
        self.assertEqual(code, 1, said)
        self.assertIn("within 70000 ms and was killed", said)

    def test_one_that_loops_in_a_game_costs_safe_answers_only(self):
        # The check asks it in the East rounds.
        begins = [
            helper.make_node("Gather", ["scalars", "south round"], ["in the South"], axis=1),
            helper.make_node("ReduceMax", ["in the South"], ["most"], keepdims=0),
            helper.make_node("Greater", ["most", "zero"], ["begins"]),
        ]
        other = self.folder / "other.toml"
        other.write_text('name = "other"\n[policy]\nid = "greedy-tenpai"\nlibrary = "builtin"\n')
        code, said = self.run_program(
            "play", self.bot(endless(begins)), other, "--games=1", "--seed=1", limit=300
        )
        print(said)
        self.assertEqual(code, 0, said)

    def test_a_changed_file_is_a_swap_and_a_cut_one_is_not(self):
        node, shape = zeros()
        config = self.bot(model([node], [shape]))
        config.write_text(config.read_text().replace("[policy.params]", 'watch = ["model.onnx"]\n[policy.params]'))
        path, new = self.folder / "model.onnx", self.folder / "new.onnx"
        said = self.folder / "said.txt"
        with said.open("w") as output:
            command = [RUNNER, "play", config, "--games=100", "--seed=1", "--pace-ms=5", "--watch-ms=50"]
            play = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT, cwd=self.folder)
        try:
            # Wherever the first game begins, the file changes during it.
            time.sleep(2)
            new.write_bytes(model([helper.make_node("Identity", ["zeros"], ["actions"])],
                                  [numpy_helper.from_array(numpy.zeros((1, 155), numpy.float32), "zeros")]))
            new.rename(path)
            self.wait_for(said, "now decides: onnx")
            new.write_bytes(path.read_bytes()[:100])
            new.rename(path)
            self.wait_for(said, "the policy stays as it is")
            self.assertIsNone(play.poll(), "it plays on")
        finally:
            play.kill()
            play.wait()

    def wait_for(self, said, words):
        until = time.monotonic() + 60
        while words not in said.read_text():
            self.assertLess(time.monotonic(), until, said.read_text())
            time.sleep(0.1)


if __name__ == "__main__":
    unittest.main()
