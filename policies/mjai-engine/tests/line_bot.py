#!/usr/bin/env python3
"""A small mjai bot: for tests, and to try out how an engine is seated.

It reads mjai events on its standard input and answers on its standard output. It keeps the table as its seat may know
it, and ends with an error at the first event that cannot follow in a game, and at a question where there is nothing to
decide.

  --strict      ends with an error as well when it is told to have done something else than it has answered, as happens
                where the runner had to answer for it, and in the scripted round of a trial
  --replies     when-asked, every-line or every-batch
  --closed      never calls, and ends with an error when it is told that it has
  --whenever    answers whenever it could act, also where the line says that it cannot, and at no other line
  --players     4 or 3
  --slots       three or four: how many slots a game of three has
  --north       kita or nukidora: the name under which a North is set aside
  --start-s     seconds until it reads its first line
  --think-s     seconds before each answer that is an action
  --both        a riichi or a call and the discard after it in one answer, as akochan does (only when-asked)
  --journal     a file to which it adds a word for each thing that happens: start, game, round, end, decision, and the
                types of its answers
  --name        a name and version that it gives in its first answer
  --version
  --die-at      numbers of decisions, counted in the journal, at which it kills itself instead of answering
"""

import argparse
import functools
import json
import os
import signal
import sys
import time

KINDS = [number + suit for suit in "mps" for number in "123456789"] + list("ESWNPFC")
INDEX = {kind: index for index, kind in enumerate(KINDS)}
REDS = {"5mr": "5m", "5pr": "5p", "5sr": "5s"}
FIELDS = {
    "start_game": ["id", "names"],
    "start_kyoku": ["bakaze", "kyoku", "honba", "kyotaku", "oya", "dora_marker", "scores", "tehais"],
    "tsumo": ["actor", "pai"],
    "dahai": ["actor", "pai", "tsumogiri"],
    "chi": ["actor", "target", "pai", "consumed"],
    "pon": ["actor", "target", "pai", "consumed"],
    "daiminkan": ["actor", "target", "pai", "consumed"],
    "ankan": ["actor", "consumed"],
    "kakan": ["actor", "pai", "consumed"],
    "dora": ["dora_marker"],
    "kita": ["actor", "pai"],
    "reach": ["actor"],
    "reach_accepted": ["actor"],
    "hora": ["actor", "target", "deltas"],
    "ryukyoku": ["deltas"],
    "end_kyoku": [],
}


class Wrong(Exception):
    """Something that cannot be."""


def check(holds, message):
    if not holds:
        raise Wrong(message)


def kind_of(tile):
    kind = REDS.get(tile, tile)
    check(kind in INDEX, f"{tile!r} is not a tile")
    return kind


@functools.lru_cache(maxsize=None)
def suit_forms(counts, honours):
    """Whether the tiles of a suit are sets only, and whether they are sets and a pair."""
    first = next((place for place, count in enumerate(counts) if count), None)
    if first is None:
        return True, False

    def without(*places):
        left = list(counts)
        for place in places:
            left[place] -= 1
        return suit_forms(tuple(left), honours)

    sets, paired = False, False
    if counts[first] >= 3:
        inner = without(first, first, first)
        sets, paired = sets or inner[0], paired or inner[1]
    if not honours and first + 2 < 9 and counts[first + 1] and counts[first + 2]:
        inner = without(first, first + 1, first + 2)
        sets, paired = sets or inner[0], paired or inner[1]
    if counts[first] >= 2:
        paired = paired or without(first, first)[0]
    return sets, paired


def is_complete(counts):
    """Whether a closed part of 3n+2 tiles is sets and a pair, or seven pairs."""
    if sum(counts) == 14 and sum(count == 2 for count in counts) == 7:
        return True
    forms = [suit_forms(tuple(counts[at : at + 9]), at == 27) for at in (0, 9, 18, 27)]
    if not all(sets or paired for sets, paired in forms):
        return False
    pairs = [place for place, (sets, _) in enumerate(forms) if not sets]
    return len(pairs) == 1 and forms[pairs[0]][1]


def counted(tiles):
    counts = [0] * 34
    for tile in tiles:
        counts[INDEX[kind_of(tile)]] += 1
    return counts


def is_tenpai(tiles):
    counts = counted(tiles)
    for kind in range(34):
        if counts[kind] < 4:
            counts[kind] += 1
            complete = is_complete(counts)
            counts[kind] -= 1
            if complete:
                return True
    return False


class Table:
    """The game as the own seat may know it, checked event by event."""

    def __init__(self, options):
        self.strict, self.closed = options.strict, options.closed
        self.players, self.north = options.players, options.north
        # Lists of one event have an empty slot more than there are players.
        self.slots = 4 if options.slots == "four" else options.players
        self.wall = 70 if options.players == 4 else 55
        self.seat = None
        self.in_round = False
        self.answered = None
        # The end of the round, and the points at its beginning.
        self.ends, self.started = [], None

    def apply(self, event):
        kind = event.get("type")
        if kind in ("kita", "nukidora"):
            check(kind == self.north and self.players == 3, f"unknown event {kind!r}")
            kind = "kita"
        check(kind in FIELDS, f"unknown event {kind!r}")
        for field in FIELDS[kind]:
            check(field in event, f"{kind} without {field}")
        check(kind in ("start_game", "start_kyoku") or self.in_round, f"{kind} outside of a round")
        if kind in ("start_game", "start_kyoku"):
            check(not self.in_round, f"{kind} within a round")
        after_end = ("hora", "end_kyoku", "start_game", "start_kyoku")
        check(not self.ends or kind in after_end, f"{kind} after the end of the round")
        if kind not in ("start_game", "start_kyoku", "end_kyoku", "ryukyoku", "dora"):
            check(event["actor"] in range(self.players), f"actor {event['actor']!r}")
        own = event.get("actor") == self.seat and kind not in ("tsumo", "reach_accepted", "hora")
        if own or kind in ("tsumo", "dahai", "chi", "pon", "daiminkan"):
            self.check_answer(event, own)
        getattr(self, kind)(event)

    def check_answer(self, event, own):
        """An answer becomes the next event, unless another seat takes precedence."""
        answer, self.answered = self.answered, None
        if answer is None or not self.strict:
            return
        if answer["type"] == "none":
            check(not own, f"passed, and then {event}")
        elif own:
            for field in {"type", "pai", "tsumogiri", "consumed"} & answer.keys():
                # The order of the tiles used says nothing.
                as_it_is = sorted if field == "consumed" else str
                check(as_it_is(answer[field]) == as_it_is(event.get(field)), f"answered {answer}, and then {event}")
        else:
            check(self.turn != self.seat, f"answered {answer} in turn, and then {event}")
            outranked = answer["type"] == "chi" and event["type"] in ("pon", "daiminkan")
            check(outranked, f"answered {answer}, and then {event}")

    def start_game(self, event):
        check(event["id"] in range(self.players) and len(event["names"]) == self.slots, f"start_game {event}")
        self.seat = event["id"]
        self.answered = None
        self.ends = []

    def check_points(self, start):
        """The announced end of the round leads to the points of the next."""
        for seat in range(self.players) if self.ends else ():
            paid = self.started[seat] + sum(end["deltas"][seat] for end in self.ends) - start["scores"][seat]
            check(paid in (0, 1000), f"{self.started} and {self.ends}, and then {start}")
        self.ends, self.started = [], start["scores"]

    def end(self, event):
        check(len(event["deltas"]) == self.slots and not any(event["deltas"][self.players:]), f"points {event}")
        self.ends.append(event)

    hora = ryukyoku = end

    def start_kyoku(self, event):
        check(self.seat is not None, "start_kyoku before start_game")
        check([len(hand) for hand in event["tehais"]] == [13] * self.slots, "hands of 13 tiles")
        check(len(event["scores"]) == self.slots and not any(event["scores"][self.players:]), f"points {event}")
        for owner, hand in enumerate(event["tehais"]):
            check(all((tile == "?") == (owner != self.seat) for tile in hand), f"the hand of seat {owner}: {hand}")
        total = {4: 100_000, 3: 105_000}[self.players]
        check(sum(event["scores"]) + 1000 * event["kyotaku"] == total, f"points {event}")
        self.check_points(event)
        check(event["kyoku"] == event["oya"] + 1, f"dealer {event}")
        kind_of(event["dora_marker"])
        self.in_round = True
        self.answered = None
        self.hand = list(event["tehais"][self.seat])
        check(max(counted(self.hand)) <= 4, f"hand {self.hand}")
        self.scores = list(event["scores"])
        self.style = event["kyoku"] + event["honba"]
        self.melds = [[] for _ in range(self.players)]
        self.riichi = [None] * self.players
        self.draws = self.kans = self.doras = 0
        self.calls = False
        self.first = True
        # The seat in turn, and the expected events: draw, act (14 tiles), reached, claim (a discard is offered), kan.
        self.turn, self.state = event["oya"], "draw"
        self.drawn = self.last = None
        self.forbidden = []

    def tsumo(self, event):
        actor = event["actor"]
        if self.state == "claim":
            after = (self.turn + 1) % self.players
            check(actor == after, f"turn of {after}: {event}")
            check(self.riichi[self.turn] != "declared", "a riichi that was neither accepted nor ronned")
        else:
            check(self.state in ("draw", "kan") and actor == self.turn, f"{self.state} of {self.turn}: {event}")
        check((event["pai"] == "?") == (actor != self.seat), f"hidden {event}")
        self.draws += 1
        check(self.draws <= self.wall, f"more than {self.wall} draws")
        self.turn, self.state, self.drawn, self.forbidden = actor, "act", event["pai"], []
        if actor == self.seat:
            kind_of(event["pai"])
            self.hand.append(event["pai"])
            check(len(self.hand) + 3 * len(self.melds[actor]) == 14, f"hand {self.hand}")

    def in_turn(self, event, *states):
        check(event["actor"] == self.turn and self.state in states, f"{self.state} of {self.turn}: {event}")

    def take(self, tiles):
        for tile in tiles:
            check(tile in self.hand, f"{tile} is not in {self.hand}")
            self.hand.remove(tile)

    def dahai(self, event):
        self.in_turn(event, "act", "reached")
        actor = event["actor"]
        check(not event["tsumogiri"] or self.drawn in ("?", event["pai"]), f"drawn {self.drawn}: {event}")
        check(kind_of(event["pai"]) not in self.forbidden or actor != self.seat, f"kuikae {event}")
        if self.riichi[actor] == "accepted":
            check(event["tsumogiri"], f"in riichi {event}")
        if self.state == "reached":
            self.riichi[actor] = "declared"
        if actor == self.seat:
            self.take([event["pai"]])
            self.first = False
        self.state, self.last, self.drawn = "claim", event["pai"], None

    def call(self, event, used):
        actor = event["actor"]
        check(self.state == "claim" and event["target"] == self.turn != actor, f"{self.state} of {self.turn}: {event}")
        check(event["pai"] == self.last and len(event["consumed"]) == used, f"offered {self.last}: {event}")
        check(self.riichi[actor] is None and self.riichi[self.turn] != "declared", f"riichi and {event}")
        check(self.draws < self.wall, f"a call on the last discard: {event}")
        if actor == self.seat:
            check(not self.closed, f"it never calls: {event}")
            self.take(event["consumed"])
        self.melds[actor].append((event["type"], [event["pai"]] + event["consumed"]))
        self.turn, self.state, self.drawn, self.calls = actor, "act", None, True

    def chi(self, event):
        check(self.players == 4 and event["actor"] == (event["target"] + 1) % 4, f"chi from {event['target']}")
        kinds = sorted(INDEX[kind_of(tile)] for tile in [event["pai"]] + event["consumed"])
        check(kinds[2] < 27 and kinds == list(range(kinds[0], kinds[0] + 3)), f"no run: {event}")
        check(kinds[0] // 9 == kinds[2] // 9, f"no run: {event}")
        self.call(event, 2)
        self.forbidden = forbidden_after(event["pai"], event["consumed"])

    def same(self, event):
        tiles = event["consumed"] + ([event["pai"]] if "pai" in event else [])
        check(len({kind_of(tile) for tile in tiles}) == 1, f"not one kind: {event}")

    def pon(self, event):
        self.same(event)
        self.call(event, 2)
        self.forbidden = [kind_of(event["pai"])]

    def kan(self):
        self.kans += 1
        check(self.kans <= 4, "a fifth kan")
        self.state, self.calls = "kan", True

    def daiminkan(self, event):
        self.same(event)
        self.call(event, 3)
        self.kan()

    def ankan(self, event):
        self.in_turn(event, "act")
        self.same(event)
        check(len(event["consumed"]) == 4 and self.drawn is not None, f"no closed kan: {event}")
        if event["actor"] == self.seat:
            self.take(event["consumed"])
        self.melds[event["actor"]].append(("ankan", event["consumed"]))
        self.kan()

    def kakan(self, event):
        self.in_turn(event, "act")
        self.same(event)
        actor = event["actor"]
        pons = [meld for meld in self.melds[actor] if meld[0] == "pon" and sorted(meld[1]) == sorted(event["consumed"])]
        check(len(pons) == 1 and self.drawn is not None, f"no pon for {event}")
        if actor == self.seat:
            self.take([event["pai"]])
        self.melds[actor][self.melds[actor].index(pons[0])] = ("kakan", event["consumed"] + [event["pai"]])
        self.kan()

    def kita(self, event):
        self.in_turn(event, "act")
        check(self.drawn is not None and event["pai"] == "N", f"no North to set aside: {event}")
        if event["actor"] == self.seat:
            self.take(["N"])
        self.state, self.calls = "kan", True

    def dora(self, event):
        kind_of(event["dora_marker"])
        self.doras += 1
        check(self.doras <= self.kans, "more dora indicators than kans")

    def is_closed(self, seat):
        return all(kind == "ankan" for kind, _ in self.melds[seat])

    def reach(self, event):
        self.in_turn(event, "act")
        actor = event["actor"]
        check(self.drawn is not None and self.riichi[actor] is None and self.is_closed(actor), f"riichi: {event}")
        check(self.scores[actor] >= 1000 and self.draws <= self.wall - self.players, f"riichi: {event}")
        self.state = "reached"

    def reach_accepted(self, event):
        check(self.state == "claim" and event["actor"] == self.turn, f"{self.state} of {self.turn}: {event}")
        check(self.riichi[self.turn] == "declared", f"no riichi: {event}")
        self.riichi[self.turn] = "accepted"
        self.scores[self.turn] -= 1000

    def end_kyoku(self, _):
        self.in_round = False
        self.answered = None

    def may_act(self, event):
        """Whether there may be something to decide after an event."""
        own = event.get("actor") == self.seat
        of_others = ("dahai", "kakan", "ankan", self.north)
        return event["type"] in (("tsumo", "chi", "pon", "reach") if own else of_others)

    def could_act(self, event):
        """Whether the tiles allow something, as far as they alone decide."""
        if not self.may_act(event) or event.get("actor") == self.seat:
            return self.may_act(event)
        if event["type"] != "dahai":
            return event["type"] != "ankan" and is_complete(counted(self.hand + [event["pai"]]))
        kind = kind_of(event["pai"])
        if is_complete(counted(self.hand + [event["pai"]])):
            return True
        if self.riichi[self.seat] or self.draws >= self.wall:
            return False
        if counted(self.hand)[INDEX[kind]] >= 2:
            return True
        return bool(list(self.runs(event)))

    def runs(self, event):
        """The own tiles of each run that a discard completes."""
        kind = kind_of(event["pai"])
        at = INDEX[kind]
        if self.players == 3 or event["actor"] != (self.seat - 1) % 4 or at >= 27:
            return
        held = {INDEX[kind_of(tile)]: tile for tile in self.hand}
        for low in (at - 2, at - 1, at):
            if low < 0 or low // 9 != (low + 2) // 9 or at // 9 != low // 9:
                continue
            used = [held.get(one) for one in (low, low + 1, low + 2) if one != at]
            if all(used):
                yield used


def forbidden_after(called, consumed):
    """The kinds that may not be discarded after a run was called: the called one, and the far end of the run."""
    at = INDEX[kind_of(called)]
    used = sorted(INDEX[kind_of(tile)] for tile in consumed)
    far = at + 3 if at < used[0] else at - 3 if at > used[1] else at
    return [KINDS[kind] for kind in {at, far} if kind // 9 == at // 9]


class Player:
    """Decides: plain, but every kind of action comes up."""

    def __init__(self, table):
        self.table = table

    def act(self, kind, **fields):
        return {"type": kind, "actor": self.table.seat, **fields}

    def decide(self, event):
        """The answer to an event, and the discard that is to follow it, if any."""
        table = self.table
        if event["type"] in ("kakan", "ankan", table.north):
            pai = event["pai"] if "pai" in event else event["consumed"][0]
            return self.act("hora", target=event["actor"], pai=pai), None
        if event["type"] == "reach":
            return self.discard(riichi=True), None
        return self.claim(event) if event["type"] == "dahai" else self.own_turn(event)

    def own_turn(self, event):
        table = self.table
        if table.drawn is None:
            return self.discard(), None
        counts = counted(table.hand)
        if table.is_closed(table.seat) and is_complete(counts):
            return self.act("hora", target=table.seat, pai=table.drawn), None
        kinds = sorted({kind_of(tile) for tile in table.hand})
        terminals = [kind for kind in kinds if INDEX[kind] >= 27 or kind[0] in "19"]
        if table.first and not table.calls and len(terminals) >= 9:
            return self.act("ryukyoku"), None
        if table.players == 3 and table.draws < table.wall:
            norths = [table.drawn] if table.riichi[table.seat] else table.hand
            if "N" in norths:
                return self.act(table.north, pai="N"), None
        if table.riichi[table.seat]:
            return self.throw(table.drawn), None
        if table.kans < 4 and table.draws < table.wall:
            for kind in kinds:
                if counts[INDEX[kind]] == 4:
                    four = [tile for tile in table.hand if kind_of(tile) == kind]
                    return self.act("ankan", consumed=four), None
            for meld, tiles in table.melds[table.seat]:
                added = [tile for tile in table.hand if meld == "pon" and kind_of(tile) == kind_of(tiles[0])]
                if added:
                    return self.act("kakan", pai=added[0], consumed=tiles), None
        may_riichi = table.is_closed(table.seat) and table.scores[table.seat] >= 1000 and table.draws <= table.wall - table.players
        if may_riichi and self.tenpai_discards():
            return self.act("reach"), self.discard(riichi=True)
        return self.discard(), None

    def tenpai_discards(self):
        hand = self.table.hand

        def without(tile):
            place = hand.index(tile)
            return hand[:place] + hand[place + 1 :]

        return [tile for tile in sorted(set(hand)) if is_tenpai(without(tile))]

    def discard(self, riichi=False, hand=None, forbidden=None):
        """The loneliest tile."""
        hand = self.table.hand if hand is None else hand
        forbidden = self.table.forbidden if forbidden is None else forbidden
        counts = counted(hand)

        def company(tile):
            at = INDEX[kind_of(tile)]
            near = [at + step for step in (-2, -1, 1, 2) if at < 27 and (at + step) // 9 == at // 9]
            return 4 * (counts[at] - 1) + sum(counts[other] for other in near), tile

        choices = self.tenpai_discards() if riichi else [tile for tile in hand if kind_of(tile) not in forbidden]
        return self.throw(min(choices, key=company))

    def throw(self, tile):
        """Discards a tile, the drawn one if it is equal."""
        return self.act("dahai", pai=tile, tsumogiri=tile == self.table.drawn)

    def claim(self, event):
        table = self.table
        passing = ({"type": "none"}, None)
        if table.riichi[table.seat]:
            # Nothing else can be asked for then.
            return self.act("hora", target=event["actor"], pai=event["pai"]), None
        # Every other round is played closed, so that there are riichi.
        if table.closed or table.style % 2 == 0 or table.draws >= table.wall:
            return passing
        kind = kind_of(event["pai"])
        same = sorted((tile for tile in table.hand if kind_of(tile) == kind), reverse=table.style % 4 == 1)
        if len(same) == 3 and table.kans < 4:
            return self.act("daiminkan", target=event["actor"], pai=event["pai"], consumed=same), None
        if len(same) == 2:
            return self.call("pon", event, same, [kind])
        for used in table.runs(event):
            return self.call("chi", event, used, forbidden_after(event["pai"], used))
        return passing

    def call(self, kind, event, used, forbidden):
        left = list(self.table.hand)
        for tile in used:
            left.remove(tile)
        # A call after which no tile may be discarded is invalid.
        if all(kind_of(tile) in forbidden for tile in left):
            return {"type": "none"}, None
        discard = self.discard(hand=left, forbidden=forbidden)
        discard["tsumogiri"] = False
        return self.act(kind, target=event["actor"], pai=event["pai"], consumed=used), discard


class Bot:
    def __init__(self, options):
        self.options = options
        self.table = Table(options)
        self.player = Player(self.table)
        names = {"name": options.name, "version": options.version}
        self.introduction = {key: text for key, text in names.items() if text}
        self.deaths = [int(number) for number in options.die_at.split(",") if number]
        self.note("start")

    def note(self, word):
        if self.options.journal:
            with open(self.options.journal, "a", encoding="utf-8") as journal:
                journal.write(word + "\n")

    def hear(self, event):
        self.table.apply(event)
        notes = {"start_game": "game", "start_kyoku": "round", "hora": "end", "ryukyoku": "end"}
        if event["type"] in notes:
            self.note(notes[event["type"]])

    def answer(self, event):
        check(self.table.may_act(event), f"asked at {event}")
        self.note("decision")
        if self.deaths:
            with open(self.options.journal, encoding="utf-8") as journal:
                if journal.read().split().count("decision") in self.deaths:
                    os.kill(os.getpid(), signal.SIGKILL)
        answer, discard = self.player.decide(event)
        if answer["type"] != "none":
            time.sleep(self.options.think_s)
        self.note(answer["type"])
        self.table.answered = answer
        if self.options.both and discard:
            self.table.answered = None
            return [answer, discard]
        return answer

    def line(self, text):
        """The answer to a line, or None."""
        message = json.loads(text)
        if self.options.replies == "every-batch":
            check(isinstance(message, list) and message, "a batch is a list of events")
            for event in message:
                self.hear(event)
            alone = message[-1]["type"] in ("start_game", "end_kyoku")
            check(not alone or len(message) == 1, "the bounds of games and rounds are separate")
            return {"type": "none"} if alone else self.answer(message[-1])
        self.hear(message)
        if self.options.whenever:
            return self.answer(message) if self.table.could_act(message) else None
        if message.get("can_act", True):
            return self.answer(message)
        return {"type": "none"} if self.options.replies == "every-line" else None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--replies", choices=["when-asked", "every-line", "every-batch"], default="when-asked")
    parser.add_argument("--strict", action="store_true")
    parser.add_argument("--closed", action="store_true")
    parser.add_argument("--whenever", action="store_true")
    parser.add_argument("--players", type=int, choices=[3, 4], default=4)
    parser.add_argument("--slots", choices=["three", "four"])
    parser.add_argument("--north", choices=["kita", "nukidora"], default="kita")
    parser.add_argument("--start-s", type=float, default=0)
    parser.add_argument("--think-s", type=float, default=0)
    parser.add_argument("--both", action="store_true")
    parser.add_argument("--journal")
    parser.add_argument("--name")
    parser.add_argument("--version")
    parser.add_argument("--die-at", default="")
    bot = Bot(parser.parse_args())
    time.sleep(bot.options.start_s)
    print("line_bot is ready", file=sys.stderr, flush=True)
    for text in sys.stdin:
        try:
            answer = bot.line(text)
        except Wrong as wrong:
            sys.exit(f"line_bot: {wrong}")
        if answer is not None:
            if bot.introduction:
                answer, bot.introduction = {**answer, **bot.introduction}, {}
            print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
