"""The module with the program next to it, or the one in the variable BOT_RUNNER."""

import math
import tempfile
import unittest
from pathlib import Path

import bot_runner
from bot_runner._program import run


class Module(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def bot(self, name: str, policy: str) -> Path:
        file = self.folder / f"{name}.toml"
        file.write_text(f'name = "{name}"\n[policy]\nid = "{policy}"\nlibrary = "builtin"\n', "utf-8")
        return file

    def test_games_are_records_with_decisions(self) -> None:
        kuma = self.bot("kuma", "greedy-tenpai")
        result = bot_runner.play([kuma], games=2, seed=1)
        self.assertEqual(len(result.games), 2)
        game = result.games[0]
        self.assertEqual((game.game, len(game.names), game.seat), ("riichi", 4, None))
        self.assertIn("kuma", game.names)
        scores = game.scores
        assert scores is not None
        self.assertEqual(sum(scores), 100_000)
        self.assertEqual(game.names[scores.index(max(scores))], game.winner)
        self.assertTrue(game.decisions)
        for decision in game.decisions:
            self.assertEqual((decision.bot, decision.policy), ("kuma", "greedy-tenpai"))
            self.assertIn(decision.action, decision.legal)
        again = bot_runner.read(game.path)
        self.assertEqual(again, game)

    def test_logs_of_other_forms_are_read(self) -> None:
        result = bot_runner.play([self.bot("kuma", "greedy-tenpai")], seed=1)
        (game,) = result.games
        log = self.folder / "tenhou.json"
        run(["records", "convert", game.path, "--to", "tenhou", "--out", log])
        read = bot_runner.read(log)
        self.assertEqual((read.game, read.names), ("riichi", game.names))
        discards = [[e for e in one.events if e["type"] == "dahai"] for one in (game, read)]
        self.assertEqual(discards[0], discards[1])

    def test_other_games_are_played_and_shown_in_a_notebook(self) -> None:
        result = bot_runner.play(game="doudizhu", seed=1, record=self.folder / "games")
        (game,) = result.games
        self.assertEqual((game.game, len(game.names)), ("doudizhu", 3))
        shown = game._repr_html_()
        self.assertTrue(shown.startswith("<iframe ") and "srcdoc=" in shown)
        self.assertNotIn("<script", shown)
        self.assertIn("&lt;script", shown)
        self.assertIn("<script", game.page())

    def test_a_tournament_has_a_conclusion(self) -> None:
        bots = [self.bot("old", "greedy-tenpai"), self.bot("new", "weighted-shape")]
        result = bot_runner.tournament(bots, games=12, seed=1, length="east")
        self.assertEqual((result.games, result.walls, result.ended), (12, 2, "complete"))
        means = [entrant.result.mean for entrant in result.entrants]
        self.assertEqual(means, sorted(means))
        (pair,) = result.pairs
        self.assertEqual((pair.one, pair.other, pair.games), ("old", "new", 12))
        self.assertTrue(result.conclusion.endswith("."))
        self.assertIn(pair.verdict, ("not_shown", "no_interval"))
        self.assertIn("it is not shown which of old and new is better", result.conclusion)
        self.assertEqual([(entrant.illegal, entrant.failed) for entrant in result.entrants], [(0, 0), (0, 0)])
        out = self.folder / "results.json"
        tested = bot_runner.tournament(bots, games=600, seed=1, length="east", sprt=(0, 400), out=out)
        self.assertIn(tested.ended, ("clear", "complete"))
        self.assertTrue(out.is_file())

    def test_a_difference_without_a_limit_is_infinite(self) -> None:
        file = self.folder / "weak.toml"
        policy = 'id = "eight-step"\nlibrary = "builtin"\n[policy.params]\nhandicap = 1.0\n'
        file.write_text(f'name = "weak"\n[policy]\n{policy}', "utf-8")
        bots = [file, self.bot("strong", "defensive-fold")]
        result = bot_runner.tournament(bots, games=24, seed=1, length="east")
        (pair,) = result.pairs
        self.assertLess(pair.elo.difference, -400)
        assert pair.elo.interval is not None
        self.assertEqual(pair.elo.interval[0], -math.inf)
        self.assertLess(pair.elo.interval[0], pair.elo.interval[1])

    def test_what_the_program_refuses_is_an_error_in_its_words(self) -> None:
        with self.assertRaisesRegex(bot_runner.BotRunnerError, "no-such-file.toml"):
            bot_runner.play([self.folder / "no-such-file.toml"])

    def test_the_version_is_that_of_the_program(self) -> None:
        self.assertRegex(bot_runner.version(), r"^\d+\.\d+\.\d+")


if __name__ == "__main__":
    unittest.main()
