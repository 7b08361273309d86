"""The view of any game."""
from __future__ import annotations

from typing import Any, Callable, Dict, Union

from ._chinese_standard import ChineseStandardView, StandardAction, _chinese_standard_view
from ._doudizhu import CardAction, DouDizhuView, _doudizhu_view
from ._line import _checked
from ._view import Action, View, _view

AnyView = Union[View, ChineseStandardView, DouDizhuView]
"""The view of a game."""

AnyAction = Union[Action, StandardAction, CardAction]
"""A legal action of a game."""

_VIEWS: Dict[str, Callable[[Dict[str, Any]], AnyView]] = {
    "riichi": _view,
    "chinese-standard": _chinese_standard_view,
    "doudizhu": _doudizhu_view,
}


def _any_view(line: Any) -> AnyView:
    """The view of a parsed line of any game, which is used up by that."""
    checked = _checked(line, *_VIEWS)
    return _VIEWS[checked["game"]](checked)
