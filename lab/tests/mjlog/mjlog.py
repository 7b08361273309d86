#!/usr/bin/env python3
"""Writes games in Tenhou's mjlog form as mjai records: mjlog.py FOLDER GAME.mjlog.gz...

Each record has what the game says: the scores at the start of each round, the deltas, han and fu of each win, the ura
indicators, who was tenpai, and the scores at the end. The tests read them; nothing else does.
"""

import gzip
import json
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

HONOURS = "ESWNPFC"
REASONS = {
    "yao9": "kyushu_kyuhai",
    "reach4": "suucha_riichi",
    "ron3": "sanchaho",
    "kan4": "suukansansen",
    "kaze4": "sufuurenta",
    "nm": "nagashimangan",
}


class Game:
    def __init__(self, root):
        self.events = []
        self.sorts = int(root.find("GO").get("type"))
        self.has_reds = not self.sorts & 0x2
        self.players = 3 if self.sorts & 0x10 else 4
        self.drawn = [None] * self.players
        self.last = None
        self.offered = None
        self.over = False
        self.emit({"type": "start_game", "names": self.names(root)})
        for tag in root:
            self.take(tag)

    def names(self, root):
        players = root.find("UN")
        return [players.get(f"n{seat}", "") for seat in range(self.players)]

    def emit(self, event):
        self.events.append(event)

    def name(self, tile):
        kind = tile // 4
        if kind >= 27:
            return HONOURS[kind - 27]
        red = "r" if self.has_reds and tile in (16, 52, 88) else ""
        return f"{kind % 9 + 1}{'mps'[kind // 9]}{red}"

    def tiles(self, text):
        return [self.name(int(tile)) for tile in text.split(",")] if text else []

    def points(self, text, scale=100):
        return [int(float(value)) * scale for value in text.split(",")][: self.players]

    def take(self, tag):
        kind, rest = tag.tag[0], tag.tag[1:]
        if rest.isdigit():
            seat, tile = ("TUVW".find(kind), int(rest))
            if seat >= 0:
                self.drawn[seat] = tile
                return self.emit({"type": "tsumo", "actor": seat, "pai": self.name(tile)})
            seat = "DEFG".index(kind)
            tsumogiri = self.drawn[seat] == tile
            self.drawn[seat] = None
            self.offered = tile
            return self.emit({"type": "dahai", "actor": seat, "pai": self.name(tile), "tsumogiri": tsumogiri})
        read = {
            "INIT": self.init,
            "N": self.call,
            "REACH": self.reach,
            "DORA": lambda tag: self.emit({"type": "dora", "dora_marker": self.name(int(tag.get("hai")))}),
            "AGARI": self.won,
            "RYUUKYOKU": self.drawn_round,
        }.get(tag.tag)
        if read:
            read(tag)

    def init(self, tag):
        self.end_kyoku()
        number, honba, sticks, _, _, dora = [int(part) for part in tag.get("seed").split(",")]
        self.drawn = [None] * self.players
        self.emit(
            {
                "type": "start_kyoku",
                "bakaze": "ESWN"[number // 4],
                "kyoku": number % 4 + 1,
                "honba": honba,
                "kyotaku": sticks,
                "oya": int(tag.get("oya")),
                "dora_marker": self.name(dora),
                "scores": self.points(tag.get("ten")),
                "tehais": [self.tiles(tag.get(f"hai{seat}")) for seat in range(self.players)],
            }
        )

    def end_kyoku(self):
        if self.over:
            self.emit({"type": "end_kyoku"})
            self.over = False

    def call(self, tag):
        seat, meld = int(tag.get("who")), int(tag.get("m"))
        target = (seat + (meld & 3)) % 4
        self.drawn[seat] = None
        if meld & 0x4:
            shape = meld >> 10
            called, shape = shape % 3, shape // 3
            first = shape // 7 * 9 + shape % 7
            tiles = [(first + place) * 4 + (meld >> (3 + 2 * place) & 3) for place in range(3)]
            return self.claim("chi", seat, target, tiles[called], tiles)
        if meld & 0x18:
            shape = meld >> 9
            called, kind = shape % 3, shape // 3
            fourth = kind * 4 + (meld >> 5 & 3)
            tiles = [tile for tile in range(kind * 4, kind * 4 + 4) if tile != fourth]
            if meld & 0x8:
                return self.claim("pon", seat, target, tiles[called], tiles)
            self.offered = fourth
            consumed = [self.name(tile) for tile in tiles]
            return self.emit({"type": "kakan", "actor": seat, "pai": self.name(fourth), "consumed": consumed})
        if meld & 0x20:
            self.offered = 30 * 4
            return self.emit({"type": "kita", "actor": seat, "pai": "N"})
        tile = meld >> 8
        tiles = list(range(tile // 4 * 4, tile // 4 * 4 + 4))
        if target != seat:
            return self.claim("daiminkan", seat, target, tile, tiles)
        self.offered = tile
        return self.emit({"type": "ankan", "actor": seat, "consumed": [self.name(tile) for tile in tiles]})

    def claim(self, kind, seat, target, tile, tiles):
        consumed = [self.name(own) for own in tiles if own != tile]
        self.emit({"type": kind, "actor": seat, "target": target, "pai": self.name(tile), "consumed": consumed})

    def reach(self, tag):
        accepted = tag.get("step") == "2"
        self.emit({"type": "reach_accepted" if accepted else "reach", "actor": int(tag.get("who"))})

    def won(self, tag):
        actor, target = int(tag.get("who")), int(tag.get("fromWho"))
        yaku = [int(part) for part in (tag.get("yaku") or "").split(",") if part]
        yakuman = [int(part) for part in (tag.get("yakuman") or "").split(",") if part]
        fu, points, _ = [int(part) for part in tag.get("ten").split(",")]
        han = 13 * len(yakuman) if yakuman else sum(yaku[1::2])
        ura = self.tiles(tag.get("doraHaiUra"))
        event = {
            "type": "hora",
            "actor": actor,
            "target": target,
            "pai": self.name(int(tag.get("machi"))),
            "deltas": self.deltas(tag),
            "ura_markers": ura,
            "han": han,
            "hora_points": points,
        }
        if not yakuman:
            event["fu"] = fu
        self.emit(event)
        self.finish(tag)

    def deltas(self, tag):
        return [int(delta) * 100 for delta in tag.get("sc").split(",")[1::2]][: self.players]

    def drawn_round(self, tag):
        if not tag.get("type") and not tag.get("sc"):
            # All players have left: the game has no end.
            self.over = True
            return
        reason = REASONS.get(tag.get("type"), "exhaustive_draw")
        event = {"type": "ryukyoku", "reason": reason}
        if tag.get("sc"):
            event["deltas"] = self.deltas(tag)
        if not tag.get("type"):
            event["tenpais"] = [tag.get(f"hai{seat}") is not None for seat in range(self.players)]
        self.emit(event)
        self.finish(tag)

    def finish(self, tag):
        self.over = True
        if tag.get("owari"):
            self.end_kyoku()
            scores = self.points(",".join(tag.get("owari").split(",")[0::2]))
            self.emit({"type": "end_game", "scores": scores})


def main(folder, *games):
    Path(folder).mkdir(parents=True, exist_ok=True)
    for path in map(Path, games):
        with gzip.open(path) as text:
            game = Game(ElementTree.parse(text).getroot())
        record = Path(folder) / (path.name.removesuffix(".mjlog.gz") + ".jsonl")
        record.write_text("".join(json.dumps(event) + "\n" for event in game.events))


if __name__ == "__main__":
    main(*sys.argv[1:])
