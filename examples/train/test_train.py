"""The training at its smallest: it learns, and what it writes is the network and plays. Run by .ci/networks.

BOT_RUNNER is the program and ONNX_LIBRARY the library onnx.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import jax
import numpy
from onnx.reference import ReferenceEvaluator

import train

FOLDER = pathlib.Path(__file__).parent


def config(name, policy):
    return f'name = "{name}"\n[policy]\n{policy}'


class Training(unittest.TestCase):
    def test_the_model_is_the_network(self):
        weights = train.new_weights(jax.random.PRNGKey(3), 8)
        weights = {name: part + 0.01 for name, part in weights.items()}
        model = ReferenceEvaluator(train.model_of(weights))
        env = train.bot_env.Env(16, planes=train.PLANES)
        asked = env.reset()
        outputs, _ = train.network(weights, asked.planes, asked.scalars)
        for table in range(16):
            shown = {"planes": asked.planes[table : table + 1], "scalars": asked.scalars[table : table + 1]}
            (actions,) = model.run(None, shown)
            numpy.testing.assert_allclose(actions, outputs[table : table + 1], rtol=1e-3, atol=1e-4)

    def test_it_learns_the_rewarded_action(self):
        # One of two actions gets a reward: the network learns to prefer it.
        random = numpy.random.default_rng(1)
        count = 512
        planes = random.random((count, train.PLANES, 34), numpy.float32)
        scalars = random.random((count, train.SCALARS), numpy.float32)
        mask = numpy.zeros((count, 155), bool)
        mask[:, [3, 154]] = True
        start = train.new_weights(jax.random.PRNGKey(1), 8)
        zeros = lambda: {name: numpy.zeros_like(part) for name, part in start.items()}
        state = (start, zeros(), zeros(), numpy.zeros(()))
        for step in range(30):
            action, chance, _ = train.choose(state[0], jax.random.PRNGKey(step), planes, scalars, mask)
            gain = numpy.where(numpy.asarray(action) == 154, 1.0, -1.0).astype(numpy.float32)
            state = train.learn(state, [planes, scalars, mask, action, chance, gain, gain], 1e-2)
        action, _, _ = train.choose(state[0], jax.random.PRNGKey(99), planes, scalars, mask)
        self.assertGreater((numpy.asarray(action) == 154).mean(), 0.8)

    def test_what_it_writes_is_played(self):
        with tempfile.TemporaryDirectory() as folder:
            model = pathlib.Path(folder, "model.onnx")
            smallest = ["--minutes=0", "--tables=8", "--steps=8", "--width=8", f"--out={model}"]
            done = subprocess.run([sys.executable, FOLDER / "train.py", *smallest], capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("points a game", done.stdout)
            runner, library = os.environ.get("BOT_RUNNER"), os.environ.get("ONNX_LIBRARY")
            if not (runner and library):
                self.skipTest("set BOT_RUNNER and ONNX_LIBRARY to the program and the library")
            own, other = pathlib.Path(folder, "own.toml"), pathlib.Path(folder, "other.toml")
            policy = (FOLDER / "model.toml").read_text().partition("[policy]\n")[2]
            policy = re.sub('library = ".*"', f'library = "{library}"', policy)
            own.write_text(config("own", policy))
            other.write_text(config("other", 'id = "greedy-tenpai"\nlibrary = "builtin"\n'))
            played = subprocess.run(
                [runner, "tournament", own, other, "--games=4", "--seed=1", "--length=east"], capture_output=True, text=True,
            )
            self.assertEqual(played.returncode, 0, played.stdout + played.stderr)
            self.assertNotIn("failed", played.stderr)


if __name__ == "__main__":
    unittest.main()
