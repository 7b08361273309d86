"""Policies of mahjong and Dou Dizhu in Python for bot-runner.

A policy is a function that gets a view, which is all that its seat may know, and returns what it chooses::

    from bot_policy import View, policy

    @policy
    def decide(view: View):
        return view.find("hora") or min(view.legal, key=lambda action: action.after.shanten if action.after else 9)

Run as a program (``command = "python3 policy.py"`` in a bot's config), it is asked by the runner until that ends it. In Chinese
Standard mahjong the view is a :class:`ChineseStandardView`, in Dou Dizhu a :class:`DouDizhuView`.
"""
from ._chinese_standard import (
    ChineseStandardView,
    StandardAction,
    StandardAfter,
    StandardEvent,
    StandardPlayer,
    StandardRequest,
    StandardRiverTile,
    StandardSet,
)
from ._doudizhu import RANKS, CardAction, CardPlay, DouDizhuView, rank
from ._games import AnyAction, AnyView
from ._line import Acceptance, Time
from ._run import Choice, Policy, Unavailable, policy
from ._view import (
    Action,
    After,
    CannotRon,
    Event,
    Furiten,
    Meld,
    Player,
    Request,
    Riichi,
    RiverTile,
    RoundEnd,
    Rules,
    View,
)

__all__ = [
    "Acceptance",
    "Action",
    "After",
    "AnyAction",
    "AnyView",
    "CannotRon",
    "CardAction",
    "CardPlay",
    "ChineseStandardView",
    "Choice",
    "DouDizhuView",
    "Event",
    "Furiten",
    "Meld",
    "Player",
    "Policy",
    "RANKS",
    "Request",
    "Riichi",
    "RiverTile",
    "RoundEnd",
    "Rules",
    "StandardAction",
    "StandardAfter",
    "StandardEvent",
    "StandardPlayer",
    "StandardRequest",
    "StandardRiverTile",
    "StandardSet",
    "Time",
    "Unavailable",
    "View",
    "policy",
    "rank",
]
