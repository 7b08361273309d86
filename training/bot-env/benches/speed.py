"""Decisions a second and core with observations, of bot-env and of other environments that are installed.

    pip install bot-env riichienv mahjax
    python training/bot-env/benches/speed.py

Each plays drawn legal actions at four-player tables, in a process of its own, and shows every decision as arrays. The time is that
of the processor (user and system), and the best of ten parts counts, so that other work of the machine disturbs little. What a decision is, each environment
says itself: bot-env leaves out those with one legal action, which the others ask too.
"""
import argparse
import json
import resource
import subprocess
import sys


def processor():
    """Seconds of the processor, all threads."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def measured(play, seconds):
    """Runs `play`, which returns how many decisions it made, again and again; the best tenth of the time counts."""
    play()
    began, best = processor(), 0.0
    while (start := processor()) - began < seconds:
        decisions = 0
        while (spent := processor() - start) < seconds / 10:
            decisions += play()
        best = max(best, decisions / spent)
    return best


def drawer(tables, actions, random):
    """A function that draws a legal action of each table, each equally likely, by the mask."""
    import numpy

    edges = numpy.arange(tables + 1) * actions

    def draw(mask):
        legal = mask.ravel().nonzero()[0]
        bounds = legal.searchsorted(edges)
        first = bounds[:-1]
        place = random.random(tables) * (bounds[1:] - first) + first
        return legal[place.astype(int)] - edges[:-1]

    return draw


def bot_env_tables(seconds, tables=128, **arguments):
    import bot_env
    import numpy

    env = bot_env.Env(tables, threads=1, **arguments)
    draw, asked = drawer(tables, bot_env.ACTIONS, numpy.random.default_rng(1)), env.reset()

    def play():
        nonlocal asked
        for _ in range(16):
            asked, _, _ = env.step(draw(asked.mask))
        return 16 * tables

    return measured(play, seconds)


def riichienv_table(seconds, encode="encode", channels=74):
    import random

    import numpy
    from riichienv import RiichiEnv

    env, drawn = RiichiEnv(game_mode="4p-red-half"), random.Random(1)
    asked = env.reset()

    def play():
        nonlocal asked
        decisions = 0
        for _ in range(64):
            actions = {}
            for seat, observation in asked.items():
                numpy.frombuffer(getattr(observation, encode)(), numpy.float32).reshape(channels, 34)
                numpy.frombuffer(observation.mask(), numpy.uint8)
                actions[seat] = drawn.choice(observation.legal_actions())
            decisions += len(actions)
            asked = env.step(actions)
            if env.done():
                asked = env.reset()
        return decisions

    return measured(play, seconds)


def mahjax_tables(seconds, tables=128):
    import jax
    import jax.numpy as jnp
    import mahjax

    jax.config.update("jax_platforms", "cpu")
    from mahjax.wrappers.auto_reset_wrapper import auto_reset

    env = mahjax.make("red_mahjong")
    play_on = auto_reset(env.step, env.init)

    def one(state, key):
        chances = jnp.where(state.legal_action_mask, 0.0, -jnp.inf)
        drawn, dealt = jax.random.split(key)
        after = play_on(state, jax.random.categorical(drawn, chances), dealt)
        return after, env.observe(after)

    def many(states, key):
        def step(states, key):
            states, shown = jax.vmap(one)(states, jax.random.split(key, tables))
            return states, jax.tree.map(jnp.sum, shown)

        return jax.lax.scan(step, states, jax.random.split(key, 16))

    many, key = jax.jit(many), jax.random.PRNGKey(1)
    states = jax.jit(jax.vmap(env.init))(jax.random.split(key, tables))

    def play():
        nonlocal states, key
        key, drawn = jax.random.split(key)
        states, shown = many(states, drawn)
        jax.block_until_ready(shown)
        return 16 * tables

    return measured(play, seconds)


CONTENDERS = {
    "bot-env": bot_env_tables,
    "bot-env, one table": lambda seconds: bot_env_tables(seconds, tables=1),
    "bot-env, acceptance and danger": lambda seconds: bot_env_tables(seconds, planes=70),
    "bot-env, three players": lambda seconds: bot_env_tables(seconds, players=3),
    "RiichiEnv": riichienv_table,
    "RiichiEnv, all 215 channels": lambda seconds: riichienv_table(seconds, "encode_extended", 215),
    "mahjax": mahjax_tables,
}


def main():
    parser = argparse.ArgumentParser(description="Measures decisions a second and core.")
    parser.add_argument("--seconds", type=float, default=5.0, help="of the processor, for each")
    parser.add_argument("--patience", type=float, default=900.0, help="seconds after which one is given up")
    parser.add_argument("--only", choices=CONTENDERS)
    asked = parser.parse_args()
    if asked.only:
        print(json.dumps(CONTENDERS[asked.only](asked.seconds)))
        return
    print("| environment | decisions a second and core | |\n|---|---:|---:|", flush=True)
    first = None
    for name in CONTENDERS:
        command = [sys.executable, __file__, "--only", name, "--seconds", str(asked.seconds)]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=asked.patience)
        except subprocess.TimeoutExpired:
            print(f"| {name} | not ready after {asked.patience:.0f} s | |", flush=True)
            continue
        if done.returncode:
            print(f"| {name} | {done.stderr.strip().splitlines()[-1]} | |", flush=True)
            continue
        speed = json.loads(done.stdout.splitlines()[-1])
        first = first or speed
        print(f"| {name} | {speed:,.0f} | {speed / first:.4f} |", flush=True)


if __name__ == "__main__":
    main()
