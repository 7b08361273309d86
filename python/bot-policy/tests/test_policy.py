"""The possible choices of a policy, its run as a program, and the replay of recorded decisions."""
import io
import json
import math
import pathlib
import subprocess
import sys
import tempfile
import unittest

from bot_policy import Choice, Unavailable, policy
from bot_policy.testing import decisions, replay

DECISIONS = pathlib.Path(__file__).parent / "decisions.jsonl"


def lines():
    return [json.dumps(json.loads(line)["view"]) + "\n" for line in DECISIONS.read_text(encoding="utf-8").splitlines()]


@policy
def first(view):
    """Takes the first action."""
    return view.legal[0]


class PolicyTest(unittest.TestCase):
    def test_an_action_its_index_and_a_choice_of_either_are_answers(self):
        line = lines()[0]
        for chosen in [lambda view: view.legal[1], lambda view: 1, lambda view: Choice(1), lambda view: Choice(view.legal[1])]:
            self.assertEqual(policy(chosen).answer(line), {"index": 1})

    def test_values_that_json_does_not_know_are_null(self):
        def valued(view):
            return Choice(0, "why", [math.nan, math.inf, None] + [1] * (len(view.legal) - 3))

        answer = policy(valued).answer(lines()[0])
        self.assertEqual((answer["reason"], answer["values"][:4]), ("why", [None, None, None, 1.0]))

    def test_an_invalid_answer_is_reported_with_the_allowed_values(self):
        line = lines()[0]
        last = len(json.loads(line)["legal"]) - 1
        for chosen, error, says in [
            (99, ValueError, f"the policy chose the action 99; allowed: 0 to {last}"),
            (-1, ValueError, "the policy chose the action -1"),
            (None, TypeError, "the policy chose None; allowed: an action of view.legal"),
            (True, TypeError, "the policy chose True"),
            (Choice(0, values=[1.0]), ValueError, f"the policy gave 1 values; allowed: {last + 1}"),
        ]:
            with self.assertRaisesRegex(error, says):
                policy(lambda view, chosen=chosen: chosen).answer(line)

    def test_a_program_answers_each_line_and_printed_text_is_no_answer(self):
        with tempfile.TemporaryDirectory() as folder:
            program, record = pathlib.Path(folder, "policy.py"), pathlib.Path(folder, "decisions.jsonl")
            program.write_text(
                "from bot_policy import policy\n@policy\ndef decide(view):\n    print('thinking')\n    return view.legal[-1]\n"
            )
            done = subprocess.run(
                [sys.executable, program, "--record", record], input="".join(lines()), capture_output=True, text=True, timeout=60
            )
            self.assertEqual(done.returncode, 0, done.stderr)
            answers = [json.loads(line) for line in done.stdout.splitlines()]
            self.assertEqual([answer["index"] for answer in answers], [len(json.loads(line)["legal"]) - 1 for line in lines()])
            self.assertEqual(done.stderr.count("thinking"), len(lines()))
            self.assertEqual([decision.answer.index for decision in decisions(record)], [answer["index"] for answer in answers])

    def test_run_writes_down_each_decision(self):
        out, record = io.StringIO(), io.StringIO()
        first.run(lines(), out, record)
        recorded = [json.loads(line) for line in record.getvalue().splitlines()]
        self.assertEqual([line["view"] for line in recorded], [json.loads(line) for line in lines()])
        self.assertEqual([line["answer"] for line in recorded], [json.loads(line) for line in out.getvalue().splitlines()])


    def test_the_first_answer_alone_gives_name_and_version(self):
        named = policy(name="kuma", version="2.1")(lambda view: 0)
        out, record = io.StringIO(), io.StringIO()
        named.run(lines()[:2], out, record)
        self.assertEqual([json.loads(line) for line in out.getvalue().splitlines()], [{"index": 0, "name": "kuma", "version": "2.1"}, {"index": 0}])
        self.assertEqual([json.loads(line)["answer"] for line in record.getvalue().splitlines()], [{"index": 0}] * 2)

    def test_a_policy_that_takes_batches_answers_lists_in_their_order_and_says_so_first(self):
        asked = []

        @policy(batch=8, name="kuma")
        def last(views):
            asked.append(len(views))
            return [view.legal[-1] for view in views]

        views = [json.loads(line) for line in lines()[:3]]
        indices = [len(view["legal"]) - 1 for view in views]
        out, record = io.StringIO(), io.StringIO()
        last.run([lines()[0], json.dumps(views) + "\n"], out, record)
        one, several = (json.loads(line) for line in out.getvalue().splitlines())
        self.assertEqual(one, {"index": indices[0], "name": "kuma", "batch": 8})
        self.assertEqual((asked, several), ([1, 3], [{"index": index} for index in indices]))
        self.assertEqual([json.loads(line)["view"] for line in record.getvalue().splitlines()], [views[0], *views])
        with self.assertRaisesRegex(ValueError, "the policy chose 0 actions; allowed: 1, one for each view"):
            policy(batch=8)(lambda views: []).answer(lines()[0])

    def test_views_of_every_game_are_answered(self):
        for game in ["chinese-standard", "doudizhu"]:
            for line in (DECISIONS.parent / f"{game}.jsonl").read_text(encoding="utf-8").splitlines():
                last = policy(lambda view: Choice(view.legal[-1], values=[0.5 for _ in view.legal]))
                self.assertEqual(last.answer(line)["index"], len(json.loads(line)["legal"]) - 1)

    def test_a_missing_resource_is_reported_instead_of_an_index_and_is_no_recorded_decision(self):
        @policy
        def asks(view):
            if view.decision == 0:
                raise Unavailable("the server is away")
            return 0

        out, record = io.StringIO(), io.StringIO()
        asks.run(lines()[:2], out, record)
        self.assertEqual([json.loads(line) for line in out.getvalue().splitlines()], [{"unavailable": "the server is away"}, {"index": 0}])
        self.assertEqual([json.loads(line)["answer"] for line in record.getvalue().splitlines()], [{"index": 0}])


class ReplayTest(unittest.TestCase):
    def test_recorded_decisions_are_decided_again(self):
        replayed = replay(first, DECISIONS)
        self.assertEqual(len(replayed), len(lines()))
        for decision in replayed:
            self.assertEqual(decision.now, decision.view.legal[0])
            self.assertEqual(decision.same, decision.before == decision.view.legal[0])
        self.assertTrue(any(not decision.same for decision in replayed))

    def test_a_plain_function_and_lines_without_answers_will_do(self):
        with tempfile.TemporaryDirectory() as folder:
            views = pathlib.Path(folder, "views.jsonl")
            views.write_text("".join(lines()), encoding="utf-8")
            self.assertTrue(all(decision.before is None for decision in replay(lambda view: 0, views)))

    def test_a_file_with_other_content_is_reported_with_its_line(self):
        with tempfile.TemporaryDirectory() as folder:
            other = pathlib.Path(folder, "other.jsonl")
            other.write_text(lines()[0] + '{"view": 5}\n', encoding="utf-8")
            with self.assertRaisesRegex(ValueError, "other.jsonl, line 2: it is not a recorded decision"):
                replay(first, other)


if __name__ == "__main__":
    unittest.main()
