"""Mahjong policies in Python for bot-runner.

A policy is a function that gets a view, which is all that its seat may know, and returns what it chooses::

    from bot_policy import View, policy

    @policy
    def decide(view: View):
        return view.find("hora") or min(view.legal, key=lambda action: action.after.shanten if action.after else 9)

Run as a program (``command = "python3 policy.py"`` in a bot's config), it is asked by the runner until that ends it.
"""
from ._run import Choice, Policy, policy
from ._view import (
    Acceptance,
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
    Time,
    View,
)

__all__ = [
    "Acceptance",
    "Action",
    "After",
    "CannotRon",
    "Choice",
    "Event",
    "Furiten",
    "Meld",
    "Player",
    "Policy",
    "Request",
    "Riichi",
    "RiverTile",
    "RoundEnd",
    "Rules",
    "Time",
    "View",
    "policy",
]
