"""Compares wins, as the example `wins` writes them, with the Python package `mahjong`.

    cargo run --release -p bot-runner-riichi --example wins -- 1000 | python games/riichi/tests/pypi/compare.py

Yaku, han, fu and payment must be the same. Where they are not, one of the CHOICES below must say why, and it says so only
for wins that it can concern.
"""

import json
import sys
from collections import Counter

from mahjong.constants import EAST, NORTH, SOUTH, WEST
from mahjong.hand_calculating.hand import HandCalculator
from mahjong.hand_calculating.hand_config import HandConfig, OptionalRules
from mahjong.meld import Meld

WINDS = [EAST, SOUTH, WEST, NORTH]
MELDS = {"Chi": Meld.CHI, "Pon": Meld.PON, "Daiminkan": Meld.KAN, "Ankan": Meld.KAN, "Kakan": Meld.SHOUMINKAN}
DORA = {"Dora", "Aka Dora", "Ura Dora"}
NAMES = {
    "Riichi": "riichi",
    "Double Riichi": "double riichi",
    "Ippatsu": "ippatsu",
    "Menzen Tsumo": "menzen tsumo",
    "Haitei Raoyue": "haitei",
    "Houtei Raoyui": "houtei",
    "Rinshan Kaihou": "rinshan",
    "Chankan": "chankan",
    "Pinfu": "pinfu",
    "Tanyao": "tanyao",
    "Iipeiko": "iipeikou",
    "Yakuhai (haku)": "haku",
    "Yakuhai (hatsu)": "hatsu",
    "Yakuhai (chun)": "chun",
    "Sanshoku Doujun": "sanshoku doujun",
    "Ittsu": "ittsuu",
    "Chantai": "chanta",
    "Chiitoitsu": "chiitoitsu",
    "Toitoi": "toitoi",
    "San Ankou": "sanankou",
    "Sanshoku Doukou": "sanshoku doukou",
    "San Kantsu": "sankantsu",
    "Shou Sangen": "shousangen",
    "Honroutou": "honroutou",
    "Honitsu": "honitsu",
    "Junchan": "junchan",
    "Ryanpeikou": "ryanpeikou",
    "Chinitsu": "chinitsu",
    "Tenhou": "tenhou",
    "Chiihou": "chiihou",
    "Daisangen": "daisangen",
    "Suu Ankou": "suuankou",
    "Suu Ankou Tanki": "suuankou tanki",
    "Tsuu Iisou": "tsuuiisou",
    "Ryuuiisou": "ryuuiisou",
    "Chinroutou": "chinroutou",
    "Kokushi Musou": "kokushi musou",
    "Kokushi Musou Juusanmen Matchi": "kokushi musou, thirteen waits",
    "Shousuushii": "shousuushii",
    "Dai Suushii": "daisuushii",
    "Suu Kantsu": "suukantsu",
    "Chuuren Poutou": "chuuren poutou",
    "Daburu Chuuren Poutou": "chuuren poutou, nine waits",
}


def name(yaku):
    if "wind" in yaku:
        return "seat wind" if "seat" in yaku else "round wind"
    return NAMES[yaku]


def asked(win):
    """The package's result: yaku, han, fu, payment, or None for a hand without yaku."""
    melds = [Meld(MELDS[meld["kind"]], sorted(meld["tiles"]), opened=meld["open"]) for meld in win["melds"]]
    tiles = win["closed"] + [tile for meld in win["melds"] for tile in meld["tiles"]]
    config = HandConfig(
        is_tsumo=win["tsumo"],
        is_riichi=win["riichi"],
        is_daburu_riichi=win["double"],
        is_ippatsu=win["ippatsu"],
        is_haitei=win["by"] == "LastDraw",
        is_houtei=win["by"] == "LastDiscard",
        is_rinshan=win["by"] == "Replacement",
        is_chankan=win["by"] == "Kan",
        is_tenhou=win["by"] == "Tenhou",
        is_chiihou=win["by"] == "Chiihou",
        player_wind=WINDS[win["seat_wind"]],
        round_wind=WINDS[win["round_wind"]],
        num_nuki_dora=win["kita"],
        options=OptionalRules(
            has_open_tanyao=True,
            has_aka_dora=True,
            has_double_yakuman=win["double_yakuman"],
            is_three_player=win["players"] == 3,
        ),
    )
    result = HandCalculator.estimate_hand_value(
        tiles,
        win["closed"][-1],
        melds=melds,
        dora_indicators=win["dora_markers"],
        ura_dora_indicators=win["ura_markers"] if win["riichi"] else [],
        config=config,
    )
    if result.error == HandCalculator.ERR_NO_YAKU:
        return None
    if result.error:
        raise SystemExit(f"the package does not take this win: {result.error}\n{win}")
    yakuman = any(yaku.is_yakuman for yaku in result.yaku)
    return {
        "yaku": sorted(name(yaku.name) for yaku in result.yaku if yaku.name not in DORA),
        "han": result.han,
        "fu": 0 if yakuman else result.fu,
        "main": result.cost["main"],
        "additional": result.cost["additional"],
    }


def tenhou_orphans(win, ours, theirs):
    """By tenhou we count thirteen orphans as won with thirteen waits, as RiichiEnv does; the package looks at the last tile."""
    thirteen, usual = "kokushi musou, thirteen waits", "kokushi musou"
    yaku = sorted(usual if yaku == thirteen else yaku for yaku in ours["yaku"])
    one_less = 13 if win["double_yakuman"] else 0
    return win["by"] == "Tenhou" and thirteen in ours["yaku"] and (yaku, ours["han"] - one_less) == (theirs["yaku"], theirs["han"])


# By name of a rule on which the two decide differently: whether it explains the difference of this win.
CHOICES = {"tenhou orphans": tenhou_orphans}


def main():
    wins, answered, explained = 0, Counter(), Counter()
    for line in sys.stdin:
        win = json.loads(line)
        ours, theirs = win.pop("ours"), asked(win)
        if ours:
            ours["yaku"].sort()
            answered.update(ours["yaku"])
        if ours != theirs:
            reasons = [choice for choice, explains in CHOICES.items() if explains(win, ours, theirs)]
            if not reasons:
                raise SystemExit(f"a difference that no choice explains:\n{win}\nours   {ours}\ntheirs {theirs}")
            explained[reasons[0]] += 1
        wins += 1
    missing = set(NAMES.values()) - set(answered)
    if missing:
        raise SystemExit(f"no win among {wins} has {', '.join(sorted(missing))}")
    print(f"{wins} wins compared with the Python package, differences by choice: {dict(explained)}")


main()
