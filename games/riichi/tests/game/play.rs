//! A game with assertions for tests.

use riichi::game::RiichiGame;
use riichi::{Event, Rules, Seat, Tile, safe_answer};

use crate::deal::{Deal, tiles};

/// Without red fives, so that hands can be written down freely.
pub(crate) const TENHOU: Rules = Rules {
    red_fives: 0,
    ..Rules::TENHOU_HALF
};
pub(crate) const SOUL: Rules = Rules {
    red_fives: 0,
    ..Rules::MAHJONG_SOUL_HALF
};

pub(crate) fn seat(number: u8) -> Seat {
    Seat::new(number).expect("a seat")
}

pub(crate) fn tile(name: &str) -> Tile {
    name.parse().expect("a tile")
}

/// A game with the names of the events of its last step.
pub(crate) struct Play {
    pub(crate) game: RiichiGame,
}

impl Deal {
    /// The hand of a seat by names.
    pub(crate) fn holds(self, number: u8, names: &str) -> Self {
        self.hand(seat(number), &tiles(names))
    }

    /// The tiles drawn in order, by whichever seat.
    pub(crate) fn draws(self, names: &str) -> Self {
        tiles(names).into_iter().fold(self, Self::draw)
    }

    pub(crate) fn replacements(self, names: &str) -> Self {
        tiles(names).into_iter().fold(self, Self::replacement)
    }

    pub(crate) fn doras(self, names: &str) -> Self {
        tiles(names).into_iter().fold(self, Self::dora)
    }

    pub(crate) fn begin(self, rules: Rules) -> Play {
        Play {
            game: RiichiGame::with_wall(rules, &self.wall()).expect("the tiles are a wall"),
        }
    }
}

impl Play {
    /// A seat does the legal action whose name begins so.
    #[track_caller]
    pub(crate) fn act(&mut self, number: u8, begins: &str) -> &mut Self {
        let legal = self.game.legal_actions(seat(number));
        let action = legal
            .iter()
            .find(|action| format!("{action:?}").starts_with(begins));
        let action =
            *action.unwrap_or_else(|| panic!("seat {number}: {begins} is not in {legal:?}"));
        self.game.answer(seat(number), action).expect("it is legal");
        self
    }

    /// Whether a seat may do something whose name begins so.
    pub(crate) fn may(&self, number: u8, begins: &str) -> bool {
        self.game
            .legal_actions(seat(number))
            .iter()
            .any(|action| format!("{action:?}").starts_with(begins))
    }

    /// All asked seats pass.
    pub(crate) fn pass(&mut self) -> &mut Self {
        for asked in self.game.asked() {
            if self.may(asked.index() as u8, "none") {
                self.act(asked.index() as u8, "none");
            }
        }
        self
    }

    /// All asked seats but this one pass.
    pub(crate) fn pass_but(&mut self, but: u8) -> &mut Self {
        for asked in self.game.asked() {
            let number = asked.index() as u8;
            if number != but {
                self.act(number, "none");
            }
        }
        self
    }

    /// Until the end of the round all seats discard the drawn tile, and none claims or wins.
    pub(crate) fn draw_out(&mut self) -> &mut Self {
        self.idle_until(|_| false)
    }

    /// The same until something holds, or the round is over.
    pub(crate) fn idle_until(&mut self, mut holds: impl FnMut(&Self) -> bool) -> &mut Self {
        while !holds(self) && !self.game.is_over() && !self.game.awaits_wall() {
            for asked in self.game.asked() {
                let legal = self.game.legal_actions(asked);
                let quiet =
                    |action: &&riichi::Action| !matches!(action, riichi::Action::Hora { .. });
                let legal: Vec<_> = legal.iter().filter(quiet).copied().collect();
                self.game
                    .answer(asked, safe_answer(&legal).expect("a discard or a pass"))
                    .expect("it is legal");
            }
        }
        self
    }

    /// The events of the last step by their names, with their tiles.
    pub(crate) fn told(&self) -> Vec<String> {
        self.game.events().iter().map(name).collect()
    }

    /// The changes of scores in the last step, in order.
    pub(crate) fn deltas(&self) -> Vec<Vec<i32>> {
        let deltas = self.game.events().iter().filter_map(|event| match event {
            Event::Hora(hora) => hora.deltas,
            Event::Ryukyoku { deltas, .. } => *deltas,
            _ => None,
        });
        deltas.map(|deltas| deltas.as_slice().to_vec()).collect()
    }

    pub(crate) fn scores(&self) -> Vec<i32> {
        self.game.scores().as_slice().to_vec()
    }
}

fn name(event: &Event) -> String {
    match event {
        Event::StartGame { .. } => "start_game".to_owned(),
        Event::StartKyoku(_) => "start_kyoku".to_owned(),
        Event::Tsumo {
            actor,
            tile: Some(tile),
        } => format!("tsumo {actor} {tile}"),
        Event::Tsumo { actor, tile: None } => format!("tsumo {actor}"),
        Event::Dahai {
            actor,
            tile,
            tsumogiri: true,
        } => format!("dahai {actor} {tile} tsumogiri"),
        Event::Dahai { actor, tile, .. } => format!("dahai {actor} {tile}"),
        Event::Chi { actor, tile, .. } => format!("chi {actor} {tile}"),
        Event::Pon { actor, tile, .. } => format!("pon {actor} {tile}"),
        Event::Daiminkan { actor, tile, .. } => format!("daiminkan {actor} {tile}"),
        Event::Ankan { actor, consumed } => format!("ankan {actor} {}", consumed[0]),
        Event::Kakan { actor, tile, .. } => format!("kakan {actor} {tile}"),
        Event::Kita { actor } => format!("kita {actor}"),
        Event::Dora { marker } => format!("dora {marker}"),
        Event::Reach { actor } => format!("reach {actor}"),
        Event::ReachAccepted { actor, .. } => format!("reach_accepted {actor}"),
        Event::Hora(hora) => format!("hora {} from {}", hora.actor, hora.target),
        Event::Ryukyoku { .. } => "ryukyoku".to_owned(),
        Event::EndKyoku => "end_kyoku".to_owned(),
        Event::EndGame { .. } => "end_game".to_owned(),
    }
}
