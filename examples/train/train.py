"""Trains a small network at bot-env's tables and writes it as an ONNX file for the policy `onnx`. See docs/networks.md.

    pip install jax onnx bot-env
    python train.py --minutes 10 --out model.onnx

The network looks at each kind of tile in the same way: what its planes say, with what the scalars say and what all kinds together
look like. First it imitates a rule of thumb (`by_thumb`), then it learns by PPO from the points of each round.
"""
import argparse
import functools
import time

import jax
import jax.numpy as jnp
import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

import bot_env

PLANES, SCALARS = len(bot_env.PLANES), len(bot_env.SCALARS)
# The parts of the output: for each kind, for the kinds of the red fives, and the others.
KIND_HEADS = ("discard", "red discard", "riichi", "red riichi", "closed kan", "added kan")
RED_KINDS = numpy.array([4, 13, 22])
CALLS, LAST = 9, 4
DISCOUNT, TRACE, CLIP, ENTROPY = 0.97, 0.9, 0.2, 0.01
# The part of the time in which the network imitates, and how often it then learns from a decision.
IMITATION, REPEATS = 0.2, 4
TILES, WIN, PASS = 37, 152, 154


def new_weights(key, width):
    """The weights of a network, by their names."""
    shapes = {
        "planes": (PLANES, width), "scalars": (SCALARS, width), "bias": (width,),
        "kind": (width, width), "all": (width, width), "second bias": (width,),
        "kind heads": (width, len(KIND_HEADS)), "kind heads bias": (len(KIND_HEADS),),
        "other heads": (width, CALLS + LAST), "other heads bias": (CALLS + LAST,),
        "value": (width, 1), "value bias": (1,),
    }
    keys = jax.random.split(key, len(shapes))
    small = {"kind heads": 0.1, "other heads": 0.1, "value": 0.1}
    return {
        name: jnp.zeros(shape) if len(shape) == 1
        else jax.random.normal(key, shape) * small.get(name, 1.0) * (2 / shape[0]) ** 0.5
        for key, (name, shape) in zip(keys, shapes.items())
    }


def network(weights, planes, scalars):
    """The output for each action, and the value: the expected gain, in thousands of points / 4."""
    kinds = jnp.swapaxes(planes, 1, 2) @ weights["planes"]
    kinds = jax.nn.relu(kinds + (scalars @ weights["scalars"] + weights["bias"])[:, None])
    together = kinds.mean(axis=1) @ weights["all"] + weights["second bias"]
    kinds = jax.nn.relu(kinds @ weights["kind"] + together[:, None])
    mean = kinds.mean(axis=1)
    head = kinds @ weights["kind heads"] + weights["kind heads bias"]
    other = mean @ weights["other heads"] + weights["other heads bias"]
    red = head[:, RED_KINDS]
    actions = jnp.concatenate([
        head[:, :, 0], red[:, :, 1], head[:, :, 2], red[:, :, 3], other[:, :CALLS], head[:, :, 4], head[:, :, 5], other[:, CALLS:],
    ], axis=1)
    return actions, (mean @ weights["value"] + weights["value bias"])[:, 0]


def of_legal(outputs, mask):
    return jax.nn.log_softmax(jnp.where(mask, outputs, -1e9))


@jax.jit
def choose(weights, key, planes, scalars, mask):
    """An action of each table, drawn; the logarithm of its chance, and the value."""
    outputs, value = network(weights, planes, scalars)
    chances = of_legal(outputs, mask)
    action = jax.random.categorical(key, chances)
    return action, jnp.take_along_axis(chances, action[:, None], axis=1)[:, 0], value


def by_thumb(planes, mask):
    """The action by a rule of thumb: win; else riichi; else discard what leaves the most tiles that help; call nothing."""
    left = planes[:, bot_env.PLANES.index("acceptance")]
    left = numpy.concatenate([left, left[:, RED_KINDS] - 1e-3], axis=1)
    worth = numpy.full(mask.shape, -1.0)
    worth[:, :TILES], worth[:, TILES : 2 * TILES], worth[:, WIN], worth[:, PASS] = left, 1 + left, 3, 0
    return numpy.where(mask, worth, -numpy.inf).argmax(axis=1)


def loss(weights, batch, imitate):
    planes, scalars, mask, action, chance, gain, aim = batch
    outputs, value = network(weights, planes, scalars)
    chances = of_legal(outputs, mask)
    chosen = jnp.take_along_axis(chances, action[:, None], axis=1)[:, 0]
    ratio = jnp.exp(chosen - chance)
    gained = jnp.where(imitate, chosen, jnp.minimum(ratio * gain, jnp.clip(ratio, 1 - CLIP, 1 + CLIP) * gain)).mean()
    entropy = -(jnp.exp(chances) * jnp.where(mask, chances, 0)).sum(axis=1).mean()
    return 0.5 * ((value - aim) ** 2).mean() - gained - ENTROPY * entropy


@functools.partial(jax.jit, donate_argnums=0)
def learn(state, batch, rate, imitate=False):
    """A step of Adam."""
    weights, first, second, step = state
    slope = jax.grad(loss)(weights, batch, imitate)
    size = jnp.sqrt(sum((part ** 2).sum() for part in slope.values()))
    slope = {name: part / jnp.maximum(1.0, size) for name, part in slope.items()}
    step += 1
    first = {name: 0.9 * first[name] + 0.1 * slope[name] for name in slope}
    second = {name: 0.99 * second[name] + 0.01 * slope[name] ** 2 for name in slope}
    moved = lambda name: rate * first[name] / (1 - 0.9 ** step) / (jnp.sqrt(second[name] / (1 - 0.99 ** step)) + 1e-5)
    return {name: weights[name] - moved(name) for name in weights}, first, second, step


def train(minutes, tables, steps, width, opponents, seed):
    """The weights, and the curve: minutes, decisions and points per game."""
    players = 4
    env = bot_env.Env(tables, players, seed=seed, opponents=opponents, planes=PLANES, length="east")
    key, start = jax.random.PRNGKey(seed), new_weights(jax.random.PRNGKey(seed), width)
    zeros = lambda: {name: jnp.zeros_like(part) for name, part in start.items()}
    state, order = (start, zeros(), zeros(), jnp.zeros(())), numpy.random.default_rng(seed)
    shapes = dict(planes=(PLANES, bot_env.KINDS), scalars=(SCALARS,), mask=(bot_env.ACTIONS,))
    kept = {name: numpy.empty((steps, tables, *shape), bool if name == "mask" else numpy.float32) for name, shape in shapes.items()}
    action, chance = numpy.empty((steps, tables), numpy.int32), numpy.empty((steps, tables), numpy.float32)
    value, reward = numpy.empty((steps + 1, tables), numpy.float32), numpy.empty((steps, tables), numpy.float32)
    asked, curve, won, ended, decisions = env.reset(), [], 0.0, 0, 0
    points, began = numpy.zeros(tables), time.monotonic()
    passed = 0.0
    while True:
        imitate = passed < IMITATION * minutes
        for step in range(steps):
            for name in kept:
                kept[name][step] = getattr(asked, name)
            key, drawn = jax.random.split(key)
            action[step], chance[step], value[step] = choose(state[0], drawn, asked.planes, asked.scalars, asked.mask)
            if imitate:
                action[step] = by_thumb(asked.planes, asked.mask)
            asked, rewards, done = env.step(action[step])
            # The learner is player 0. A game's own points are of no use as a number to learn by: they are too large.
            reward[step] = rewards[:, 0] / 4
            points += rewards[:, 0]
            won, ended = won + points[done].sum(), ended + int(done.sum())
            points[done] = 0
        value[steps] = choose(state[0], key, asked.planes, asked.scalars, asked.mask)[2]
        # The gain of each decision over the expectation, computed backwards. A round's reward ends it.
        gain, later = numpy.empty_like(reward), numpy.zeros(tables, numpy.float32)
        for step in reversed(range(steps)):
            goes_on = DISCOUNT * (reward[step] == 0)
            later = reward[step] + goes_on * value[step + 1] - value[step] + goes_on * TRACE * later
            gain[step] = later
        aim, flat = gain + value[:-1], lambda array: array.reshape(-1, *array.shape[2:])
        gain = (gain - gain.mean()) / (gain.std() + 1e-6)
        whole = [flat(array) for array in (*kept.values(), action, chance, gain, aim)]
        passed = (time.monotonic() - began) / 60
        rate = 3e-3 if imitate else 5e-4 * max(0.1, 1 - passed / max(minutes, 1e-9))
        for _ in range(REPEATS if imitate else 1):
            for part in numpy.array_split(order.permutation(steps * tables), max(1, steps * tables // 2048)):
                state = learn(state, [array[part] for array in whole], rate, imitate)
        decisions += steps * tables
        if ended >= 2 * tables or passed >= minutes:
            mean = won / max(ended, 1)
            curve.append((passed, decisions, mean))
            print(f"{passed:5.1f} min {decisions:9,} decisions {1000 * mean:+8,.0f} points a game", flush=True)
            won, ended = 0.0, 0
        if passed >= minutes:
            return state[0], curve


def model_of(weights):
    """The network as an ONNX model: the same steps, one node for each."""
    tensor = lambda name, value: numpy_helper.from_array(numpy.asarray(value), name)
    kept = [tensor(name, numpy.asarray(part, numpy.float32)) for name, part in weights.items() if not name.startswith("value")]
    kept += [tensor("red kinds", RED_KINDS), tensor("first", numpy.array([1]))]
    names = iter(f"step {number}" for number in range(99))
    nodes = []

    def node(operator, *inputs, **attributes):
        nodes.append(helper.make_node(operator, list(inputs), [next(names)], **attributes))
        return nodes[-1].output[0]

    def cut(whole, start, end, axis):
        kept.extend([tensor(f"{whole} {start}", numpy.array([start])), tensor(f"{whole} {start} end", numpy.array([end]))])
        axes = f"axis {axis}"
        if axes not in [one.name for one in kept]:
            kept.append(tensor(axes, numpy.array([axis])))
        return node("Slice", whole, f"{whole} {start}", f"{whole} {start} end", axes)

    kinds = node("MatMul", node("Transpose", "planes", perm=[0, 2, 1]), "planes weights")
    table = node("Add", node("MatMul", "scalars", "scalars weights"), "bias")
    kinds = node("Relu", node("Add", kinds, node("Unsqueeze", table, "first")))
    mean = node("ReduceMean", kinds, axes=[1], keepdims=0)
    together = node("Unsqueeze", node("Add", node("MatMul", mean, "all"), "second bias"), "first")
    kinds = node("Relu", node("Add", node("MatMul", kinds, "kind"), together))
    mean = node("ReduceMean", kinds, axes=[1], keepdims=0)
    head = node("Add", node("MatMul", kinds, "kind heads"), "kind heads bias")
    other = node("Add", node("MatMul", mean, "other heads"), "other heads bias")
    heads = [node("Squeeze", cut(head, number, number + 1, 2), "axis 2") for number in range(len(KIND_HEADS))]
    for red in (1, 3):
        heads[red] = node("Gather", heads[red], "red kinds", axis=1)
    calls, last = cut(other, 0, CALLS, 1), cut(other, CALLS, CALLS + LAST, 1)
    nodes.append(helper.make_node("Concat", [*heads[:4], calls, *heads[4:], last], ["actions"], axis=1))
    # The weights of the inputs may not have the inputs' names.
    for one in kept:
        one.name = {"planes": "planes weights", "scalars": "scalars weights"}.get(one.name, one.name)
    shape = lambda name, *sizes: helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, *sizes])
    graph = helper.make_graph(
        nodes, "riichi", [shape("planes", PLANES, bot_env.KINDS), shape("scalars", SCALARS)], [shape("actions", bot_env.ACTIONS)], kept,
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    helper.set_model_props(model, {"encoding": str(bot_env.ENCODING)})
    onnx.checker.check_model(model)
    return model


def show(curve, lines=20):
    """The curve as a picture of text."""
    shown = curve[:: max(1, len(curve) // lines)]
    low, high = min(point[2] for point in shown), max(point[2] for point in shown)
    for passed, _, points in shown:
        print(f"{passed:5.1f} min {'#' * (1 + round(49 * (points - low) / (high - low or 1))):50} {1000 * points:+8,.0f}")


def main():
    parser = argparse.ArgumentParser(description="Trains a small network and writes it as an ONNX file.")
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--out", default="model.onnx")
    parser.add_argument("--tables", type=int, default=256)
    parser.add_argument("--steps", type=int, default=64, help="decisions of each table before the network learns from them")
    parser.add_argument("--width", type=int, default=64)
    parser.add_argument("--opponent", default="greedy-tenpai", help="a policy, or the path of a config")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    weights, curve = train(asked.minutes, asked.tables, asked.steps, asked.width, [asked.opponent] * 3, asked.seed)
    show(curve)
    onnx.save(model_of(weights), asked.out)
    print(f"written: {asked.out}")


if __name__ == "__main__":
    main()
