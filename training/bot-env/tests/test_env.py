"""The tables from Python. Run by .ci/networks with the wheel installed."""
import pathlib
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import numpy

import bot_env
from bot_env import Env


def first_legal(observation):
    """The first legal action of each table."""
    return observation.mask.argmax(axis=1)


def random_legal(observation, random):
    """A legal action of each table, drawn."""
    return (random.random(observation.mask.shape) * observation.mask).argmax(axis=1)


def played(steps, **arguments):
    """All outputs of an environment in this many steps of random actions."""
    env, random, seen = Env(**arguments), numpy.random.default_rng(7), []
    observation = env.reset()
    for _ in range(steps):
        actions = random_legal(observation, random)
        observation, rewards, done = env.step(actions)
        seen.append([array.copy() for array in (*observation, rewards, done)])
    return seen


class Tables(unittest.TestCase):
    def assert_same(self, one, other):
        for step, (arrays, others) in enumerate(zip(one, other)):
            for array, another in zip(arrays, others):
                numpy.testing.assert_array_equal(array, another, f"step {step}")

    def test_shapes_types_and_names(self):
        for planes, players in ((64, 4), (70, 3)):
            env = Env(tables=5, players=players, planes=planes)
            observation = env.reset()
            self.assertEqual(observation.planes.shape, (5, planes, 34))
            self.assertEqual(observation.scalars.shape, (5, 69))
            self.assertEqual(observation.mask.shape, (5, 155))
            self.assertEqual([array.dtype for array in observation], ["float32", "float32", "bool", "int8", "int8"])
            _, rewards, done = env.step(first_legal(observation))
            self.assertEqual((rewards.shape, done.shape), ((5, players), (5,)))
        self.assertEqual((len(bot_env.PLANES), len(bot_env.SCALARS), bot_env.ACTIONS, bot_env.ENCODING), (70, 69, 155, 1))

    def test_a_step_fills_the_same_arrays(self):
        env = Env(tables=3)
        observation = env.reset()
        after, _, _ = env.step(first_legal(observation))
        for array, another in zip(observation, after):
            self.assertIs(array, another)
        self.assertTrue(observation.planes.flags.c_contiguous)
        self.assertTrue(numpy.shares_memory(numpy.from_dlpack(observation.planes), observation.planes), "without a copy")

    def test_observations_show_the_table(self):
        observation = Env(tables=64).reset()
        hand = observation.planes[:, :4].sum(axis=(1, 2))
        own_turn = observation.scalars[:, bot_env.SCALARS.index("own-turn")]
        numpy.testing.assert_array_equal(hand, 13 + own_turn)
        self.assertTrue(observation.mask.sum(axis=1).min() >= 2, "what leaves no choice is played")
        discards = observation.mask[:, :34] & (observation.planes[:, 0] == 0)
        self.assertFalse(discards.any(), "only tiles of the hand are discarded")

    def test_a_pair_with_the_tile_just_drawn_is_no_choice(self):
        env, random = Env(tables=512, length="east"), numpy.random.default_rng(5)
        observation = env.reset()
        # Seen in 44 of 1,280,000 decisions before such decisions were played by the table.
        for _ in range(400):
            self.assertTrue(observation.mask.sum(axis=1).min() >= 2)
            observation, _, _ = env.step(random_legal(observation, random))

    def test_a_seed_of_a_reset_has_the_range_of_the_arguments(self):
        env = Env(tables=1)
        with self.assertRaisesRegex(ValueError, "`seed` is -1; allowed are 0 to"):
            env.reset(seed=-1)
        with self.assertRaisesRegex(TypeError, "`seed` is 1.5; allowed are whole numbers"):
            env.reset(seed=1.5)

    def test_the_same_seed_gives_the_same_games_on_any_number_of_threads(self):
        common = dict(tables=6, opponents=["greedy-tenpai"] * 2, length="east")
        one = played(300, seed=3, threads=1, **common)
        self.assert_same(one, played(300, seed=3, threads=4, **common))
        other = played(1, seed=4, threads=1, **common)
        self.assertFalse(numpy.array_equal(one[0][0], other[0][0]))

    def test_a_reset_deals_the_first_games_of_a_seed(self):
        env = Env(tables=4, seed=9)
        first = env.reset().planes.copy()
        observation = env.reset(seed=10)
        self.assertFalse(numpy.array_equal(first, observation.planes))
        env.step(first_legal(observation))
        numpy.testing.assert_array_equal(env.reset(seed=9).planes, first)

    def games(self, steps=3000, **arguments):
        """The sums of rewards of whole games, table by table."""
        env, random = Env(tables=8, **arguments), numpy.random.default_rng(1)
        observation = env.reset()
        sums, ended = numpy.zeros((8, env.players)), []
        for _ in range(steps):
            observation, rewards, done = env.step(random_legal(observation, random))
            sums += rewards
            ended += list(sums[done])
            sums[done] = 0
        self.assertGreater(len(ended), 5)
        return numpy.array(ended), env

    def test_rewards_of_rounds_and_of_the_game_add_up_to_the_same(self):
        for players in (4, 3):
            rounds, _ = self.games(players=players, length="east", rewards="round")
            game, _ = self.games(players=players, length="east", rewards="game")
            numpy.testing.assert_allclose(rounds, game, atol=1e-3)
            numpy.testing.assert_allclose(game.sum(axis=1), 0, atol=1e-3)

    def test_rewards_by_places_are_those_of_the_table(self):
        worth, _ = self.games(length="east", rewards=[90, 45, 0, -135])
        self.assertEqual(sorted(worth[0]), [-135, 0, 45, 90])

    def test_only_the_learner_is_asked_beside_opponents(self):
        env, random = Env(tables=8, opponents=["greedy-tenpai"] * 3, length="single"), numpy.random.default_rng(1)
        observation, seats = env.reset(), set()
        for _ in range(200):
            self.assertFalse(observation.player.any())
            seats |= set(observation.seat.tolist())
            observation, _, _ = env.step(random_legal(observation, random))
        self.assertEqual(seats, {0, 1, 2, 3}, "the learner moves on by a seat")
        self.assertEqual(env.faults(), (0, None))

    def test_an_opponent_comes_by_its_config(self):
        with tempfile.TemporaryDirectory() as folder:
            config = pathlib.Path(folder, "kuma.toml")
            config.write_text('name = "kuma"\n[policy]\nid = "greedy-tenpai"\nlibrary = "builtin"\n[policy.params]\ncalls = "yaku"\n')
            rewards, env = self.games(opponents=[config] * 3, length="single", rewards="game")
            self.assertLess(rewards[:, 0].mean(), 0, "who plays at random loses")
            config.write_text('[policy]\nid = "greedy-tenpai"\nlibrary = "builtin"\n[policy.params]\ncall = "yaku"\n')
            with self.assertRaisesRegex(ValueError, "kuma.toml.*policy.params.call"):
                Env(opponents=[config])
            config.write_text("[policy\n")
            with self.assertRaisesRegex(ValueError, "kuma.toml"):
                Env(opponents=[config])

    def test_errors_name_the_argument_and_the_allowed_values(self):
        for arguments, text in (
            (dict(tables=0), "`tables` is 0; allowed are 1 to 1048576"),
            (dict(players=2), "`players` is 2; allowed are 3 and 4"),
            (dict(rules="bamboo"), '`rules` is "bamboo"; allowed are "tenhou" and "mahjong-soul"'),
            (dict(length="long"), "`length`"),
            (dict(planes=3), "`planes` is 3; allowed are 64 and 70"),
            (dict(rewards="points"), "`rewards`"),
            (dict(rewards=[1, 2]), "`rewards` is 2 numbers; allowed are .* 4 numbers, one for each place"),
            (dict(opponents=["greedy-tenpai"] * 4), "`opponents` is 4; allowed are at most 3"),
            (dict(opponents=["greedy-tenpei"]), "greedy-tenpei.*did you mean `greedy-tenpai`"),
            (dict(opponents=["no-such.toml"]), "no-such.toml"),
            (dict(threads=0), "`threads` is 0; allowed are 1 to 1024"),
            (dict(threads=100_000), "`threads` is 100000"),
            (dict(threads=-1), "`threads` is -1"),
            (dict(tables=-3), "`tables` is -3"),
            (dict(tables=2**200), "`tables` is a number of more than 128 bits"),
            (dict(seed=-1), "`seed` is -1"),
            (dict(seed=2**64), "`seed` is 18446744073709551616"),
            (dict(players=300), "`players` is 300"),
            (dict(planes=-64), "`planes` is -64"),
            (dict(rewards=[1, 2, 3, float("nan")]), "`rewards` is a list with NaN"),
            (dict(rewards=[1, 2, 3, 1e39]), "`rewards` is a list with inf"),
        ):
            with self.subTest(arguments), self.assertRaisesRegex(ValueError, text):
                Env(**arguments)
        with self.assertRaises(TypeError):
            Env(opponents="greedy-tenpai")

    def test_errors_name_the_table_and_the_action(self):
        env = Env(tables=3)
        with self.assertRaisesRegex(ValueError, r"call reset\(\) first"):
            env.step([0, 0, 0])
        observation = env.reset()
        before, good = [array.copy() for array in observation], first_legal(observation)
        legal = ", ".join(map(str, numpy.flatnonzero(observation.mask[2])))
        for action in (153, -1, 155, 2**40):
            bad = [good[0], good[1], action]
            with self.assertRaisesRegex(ValueError, f"table 2: action {action} is not legal; legal are {legal}"):
                env.step(bad)
        for wrong in ([0, 0], [0] * 4):
            with self.assertRaisesRegex(ValueError, f"there are {len(wrong)} actions for 3 tables"):
                env.step(wrong)
        for wrong in ([0.5, 1, 1], [[0], [0], [0]], ["a", "b", "c"]):
            with self.assertRaises(TypeError):
                env.step(wrong)
        for array, then in zip(observation, before):
            numpy.testing.assert_array_equal(array, then, "no table has played")
        env.step(good)

    def test_other_threads_of_python_run_during_a_step(self):
        env, random = Env(tables=2000, threads=1, planes=70), numpy.random.default_rng(1)
        observation, counted, stop = env.reset(), [0], threading.Event()

        def count():
            while not stop.is_set():
                counted[0] += 1
                time.sleep(0)  # lets the lock go

        thread = threading.Thread(target=count)
        actions = random_legal(observation, random)
        switch = sys.getswitchinterval()
        sys.setswitchinterval(1000)
        try:
            # Without a switch of the interpreter's own the other thread runs only while a step has let the lock go.
            thread.start()
            before = counted[0]
            env.step(actions)
            during = counted[0] - before
        finally:
            stop.set()
            sys.setswitchinterval(switch)
            thread.join()
        self.assertGreater(during, 0)

    def test_a_forked_process_must_make_its_own(self):
        code = """
import os, bot_env
env = bot_env.Env(tables=1)
env.reset()
if os.fork() == 0:
    try:
        env.reset()
    except RuntimeError as error:
        os._exit(7 if "another process" in str(error) else 1)
_, status = os.wait()
raise SystemExit(os.waitstatus_to_exitcode(status))
"""
        self.assertEqual(subprocess.run([sys.executable, "-c", code], timeout=60).returncode, 7)


class PettingZoo(unittest.TestCase):
    def setUp(self):
        try:
            import pettingzoo  # noqa: F401
        except ModuleNotFoundError:
            self.skipTest("pettingzoo is not installed")

    def test_its_own_tests_pass(self):
        from pettingzoo.test import api_test, seed_test

        import bot_env.pettingzoo

        for arguments in (dict(length="single"), dict(length="single", players=3, opponents=["greedy-tenpai"])):
            api_test(bot_env.pettingzoo.env(**arguments), num_cycles=300)
            seed_test(lambda: bot_env.pettingzoo.env(**arguments), num_cycles=60)

    def test_a_game_is_played_to_its_end(self):
        import bot_env.pettingzoo

        table, total = bot_env.pettingzoo.env(length="single", rewards="game"), 0.0
        table.reset(seed=5)
        for agent in table.agent_iter():
            observation, reward, termination, truncation, _ = table.last()
            total += reward
            action = None if termination or truncation else int(observation["action_mask"].argmax())
            table.step(action)
        self.assertEqual((table.agents, round(total, 3)), ([], 0.0))


if __name__ == "__main__":
    unittest.main()
