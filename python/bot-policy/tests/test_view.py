"""The dataclasses have what the runner's schema has, and read what it writes."""
import dataclasses
import json
import pathlib
import typing
import unittest

import bot_policy
from bot_policy import ChineseStandardView, DouDizhuView, View, rank
from bot_policy.testing import decisions

HERE = pathlib.Path(__file__).parent
DECISIONS = HERE / "decisions.jsonl"
SCHEMA = json.loads((HERE / "../../../policies/program/schema/view-1.json").resolve().read_text(encoding="utf-8"))

# The types of the schema by the names of the dataclasses.
TYPES = {
    "View": "RiichiView",
    "Time": "Time",
    "Request": "Asked",
    "Action": "LegalAction",
    "After": "Outlook",
    "Furiten": "Furiten",
    "Player": "Player",
    "Meld": "Meld",
    "RiverTile": "RiverTile",
    "Riichi": "Riichi",
    "CannotRon": "CannotRon",
    "Rules": "Rules",
    "ChineseStandardView": "ChineseStandardView",
    "StandardRequest": "StandardRequest",
    "StandardAction": "StandardLegalAction",
    "StandardAfter": "StandardAfter",
    "StandardPlayer": "StandardShown",
    "StandardSet": "StandardSetLine",
    "StandardRiverTile": "StandardRiverLine",
    "StandardEvent": "StandardEventLine",
    "DouDizhuView": "DouDizhuView",
    "CardAction": "CardLegalAction",
    "CardPlay": "PlayLine",
}


def views(file=DECISIONS):
    return [decision.view for decision in decisions(file)]


def check(value, kind):
    """Checks that a value matches an annotation, all the way down."""
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if kind is typing.Any:
        return
    if origin is typing.Union:
        if value is None:
            assert type(None) in inner
        else:
            check(value, inner[0])
    elif origin is dict:
        assert isinstance(value, dict)
        for key, entry in value.items():
            check(key, inner[0])
            check(entry, inner[1])
    elif origin is not None:
        assert isinstance(value, (list, tuple)), (value, kind)
        for entry in value:
            check(entry, inner[0])
    elif dataclasses.is_dataclass(kind):
        assert type(value) is kind
        for name, hint in typing.get_type_hints(kind).items():
            check(getattr(value, name), hint)
    else:
        assert type(value) is kind, (value, kind)


class ViewTest(unittest.TestCase):
    def test_every_type_has_the_keys_of_the_schema(self):
        for name, defined in TYPES.items():
            fields = [field.name.rstrip("_") for field in dataclasses.fields(getattr(bot_policy, name))]
            self.assertEqual(sorted(fields), sorted(SCHEMA["$defs"][defined]["properties"]), name)

    def test_the_end_of_a_round_has_the_keys_of_a_win_and_of_a_draw(self):
        fields = {field.name for field in dataclasses.fields(bot_policy.RoundEnd)}
        win, draw = (set(one["properties"]) for one in SCHEMA["$defs"]["RoundEnd"]["oneOf"])
        self.assertEqual(fields, win | draw)

    def test_a_view_of_a_runner_that_does_not_say_how_rounds_end_is_read(self):
        line = json.loads(DECISIONS.read_text(encoding="utf-8").splitlines()[0])["view"]
        del line["ended_round"]
        self.assertEqual(View.from_json(json.dumps(line)).ended_round, [])

    def test_a_view_matches_its_types(self):
        seen = set()
        for view in views():
            check(view, View)
            seen.update(action.type for action in view.legal)
        self.assertEqual(len(seen), 11, seen)

    def test_views_of_the_other_games_match_their_types(self):
        for game, kind, types in [("chinese-standard", ChineseStandardView, 8), ("doudizhu", DouDizhuView, 3)]:
            seen = set()
            for view in views(HERE / f"{game}.jsonl"):
                check(view, kind)
                self.assertEqual(view.game, game)
                seen.update(action.type for action in view.legal)
                self.assertEqual(view.find(view.legal[-1].type).type, view.legal[-1].type)
                self.assertEqual(view.rng().random(), view.rng().random())
            self.assertEqual(len(seen), types, seen)
        with self.assertRaisesRegex(ValueError, "the game is 'doudizhu'; allowed: 'chinese-standard'"):
            ChineseStandardView.from_json((HERE / "doudizhu.jsonl").read_text(encoding="utf-8").splitlines()[0])

    def test_cards_of_four_numbers_have_a_rank_and_each_joker_its_own(self):
        self.assertEqual([rank(card) for card in (0, 3, 4, 51, 52, 53)], [0, 0, 1, 12, 13, 14])
        self.assertEqual([bot_policy.RANKS[rank(card)] for card in (0, 48, 53)], ["3", "2", "big joker"])

    def test_those_who_play_against_the_landlord_are_partners(self):
        view = next(view for view in views(HERE / "doudizhu.jsonl") if view.landlord is not None)
        partners = [seat for seat in range(3) if view.is_partner(seat)]
        expected = [] if view.landlord == view.seat else [3 - view.landlord - view.seat]
        self.assertEqual(partners, expected)

    def test_a_view_matches_its_line(self):
        text = DECISIONS.read_text(encoding="utf-8").splitlines()[0]
        line = json.loads(text)["view"]
        view = View.from_json(json.dumps(line))
        self.assertEqual((view.hand, view.rules.start_points), (line["hand"], line["rules"]["start_points"]))
        self.assertEqual(view.legal[0].after.acceptance, line["legal"][0]["after"]["acceptance"])
        self.assertEqual(view, View.from_json(json.dumps(line)))
        self.assertIn("View(schema=1", repr(view))

    def test_the_own_seat_and_the_others_are_distinguished(self):
        for view in views():
            self.assertEqual(view.me.seat, view.seat)
            self.assertEqual([player.seat for player in view.opponents][0], (view.seat + 1) % view.rules.players)
            self.assertNotIn(view.me, view.opponents)

    def test_an_action_is_found_by_its_type_and_tile(self):
        view = next(view for view in views() if view.find("reach"))
        self.assertEqual(view.find("reach").type, "reach")
        discard = view.legal[0]
        self.assertEqual(view.find("dahai", discard.pai).pai, discard.pai)
        self.assertIsNone(view.find("dahai", "no tile"))

    def test_randomness_is_the_same_for_the_same_view_only(self):
        first, second = views()[:2]
        self.assertEqual(first.random().random(), first.random().random())
        self.assertNotEqual(first.random().random(), second.random().random())

    def test_a_line_of_another_version_or_game_is_refused_with_the_allowed_ones(self):
        for line, says in [
            ({"schema": 2, "game": "riichi"}, "the schema is 2; allowed: 1"),
            ({"schema": 1, "game": "go"}, "the game is 'go'; allowed: 'riichi'"),
            ([], "found list; allowed: an object"),
        ]:
            with self.assertRaisesRegex(ValueError, says):
                View.from_json(json.dumps(line))


if __name__ == "__main__":
    unittest.main()
