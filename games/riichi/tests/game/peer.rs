//! `riichienv-core` in this crate's terms: its requests, lists and events.

use std::collections::HashMap;

use protocol::riichilab::observation::tile;
use protocol::{Parsed, parse_event};
use riichi::event::HAND_SIZE;
use riichi::rules::{Length, Preset};
use riichi::{Action, Event, Rules, Seat, Tile};
use riichienv_core::action::{Action as TheirAction, ActionType, Phase};
use riichienv_core::rule::GameRule;
use riichienv_core::state::GameState;
use riichienv_core::state::legal_actions::GameStateLegalActions;
use riichienv_core::state_3p::GameState3P;
use riichienv_core::state_3p::legal_actions::GameState3PLegalActions;

/// The engine's two games. They are written alike, field by field, and have no type in common.
enum State {
    Four(Box<GameState>),
    Three(Box<GameState3P>),
}

macro_rules! of_either {
    ($state:expr, $game:ident => $what:expr) => {
        match $state {
            State::Four($game) => $what,
            State::Three($game) => $what,
        }
    };
}

/// A game in the engine.
pub(crate) struct Peer {
    state: State,
    players: u8,
    told: usize,
}

/// The options of the engine besides the number of players and the length of the game.
fn rule(rules: &Rules) -> GameRule {
    let preset = match rules.preset {
        Preset::Tenhou => GameRule::default_tenhou(),
        Preset::MahjongSoul => GameRule::default_mjsoul(),
    };
    GameRule {
        allows_ron_on_ankan_for_kokushi_musou: rules.ron_on_ankan_by_kokushi,
        sanchaho_is_draw: rules.triple_ron_is_draw,
        kuikae_forbidden: rules.kuikae_forbidden,
        ..preset
    }
}

fn seat_of(number: u8) -> Seat {
    Seat::new(number).expect("a seat")
}

fn tile_of(id: u8) -> Tile {
    tile(u64::from(id)).expect("a tile")
}

/// In order of kind, plain before red.
fn in_order<const N: usize>(ids: &[u8]) -> [Tile; N] {
    let mut tiles: Vec<Tile> = ids.iter().map(|&id| tile_of(id)).collect();
    tiles.sort_unstable();
    tiles
        .try_into()
        .expect("one tile for each place in the meld")
}

impl Peer {
    /// Deals the first round.
    pub(crate) fn new(rules: &Rules, seed: u64, silent: bool) -> Self {
        let length = match rules.length {
            Length::Single => 0,
            Length::East => 1,
            Length::Half => 2,
        };
        let rule = rule(rules);
        let state = if rules.players == 3 {
            State::Three(Box::new(GameState3P::new(
                3 + length,
                silent,
                Some(seed),
                0,
                rule,
            )))
        } else {
            State::Four(Box::new(GameState::new(
                length,
                silent,
                Some(seed),
                0,
                rule,
            )))
        };
        Self {
            state,
            players: rules.players,
            told: 0,
        }
    }

    /// The first round on this wall.
    pub(crate) fn with_wall(rules: &Rules, wall: &[Tile]) -> Self {
        let mut peer = Self::new(rules, 0, false);
        let mut copies = [0; 37];
        let ids = wall.iter().map(|tile| {
            let first = tile.kind().index() as u8 * 4;
            let of_five = tile.kind().number() == Some(5);
            let id = if tile.is_red() {
                first
            } else {
                first + u8::from(of_five) + copies[tile.index()]
            };
            copies[tile.index()] += 1;
            id
        });
        let ids = Some(ids.collect());
        of_either!(&mut peer.state, game => game._initialize_round(0, 0, 0, 0, ids, None));
        peer.events();
        peer
    }

    pub(crate) fn is_over(&self) -> bool {
        of_either!(&self.state, game => game.is_done)
    }

    pub(crate) fn scores(&self) -> Vec<i32> {
        of_either!(&self.state, game => game.players.iter().map(|player| player.score).collect())
    }

    /// The wall of a round in which only the dealer has drawn; within a hand the order of the deal
    /// is lost.
    pub(crate) fn wall(&self) -> Vec<Tile> {
        let oya = seat_of(of_either!(&self.state, game => game.oya));
        let drawn = of_either!(&self.state, game => game.drawn_tile).expect("the dealer has drawn");
        let hand = |seat: Seat| -> &[u8] {
            let hand = of_either!(&self.state, game => &game.players[seat.index()].hand);
            &hand[..HAND_SIZE]
        };
        let mut seats: Vec<Seat> = Seat::all(self.players).collect();
        seats.sort_by_key(|seat| seat.turns_after(oya, self.players));
        let mut ids: Vec<u8> = Vec::new();
        for place in [0..4, 4..8, 8..12, 12..13] {
            for &seat in &seats {
                ids.extend(&hand(seat)[place.clone()]);
            }
        }
        ids.push(drawn);
        ids.extend(
            of_either!(&self.state, game => &game.wall.tiles)
                .iter()
                .rev(),
        );
        ids.into_iter().map(tile_of).collect()
    }

    /// The events since the last time, nothing hidden.
    pub(crate) fn events(&mut self) -> Vec<Event> {
        let log = of_either!(&self.state, game => &game.mjai_log);
        let events = log[self.told..].iter().map(|line| match parse_event(line) {
            Ok(Parsed::Event(event)) => event,
            other => panic!("{line}: {other:?}"),
        });
        let events = events.collect();
        self.told = log.len();
        events
    }

    /// The asked seats, in order.
    pub(crate) fn asked(&self) -> Vec<Seat> {
        if self.is_over() {
            return Vec::new();
        }
        let (phase, turn) = of_either!(&self.state, game => (game.phase, game.current_player));
        match phase {
            Phase::WaitAct => vec![seat_of(turn)],
            Phase::WaitResponse => {
                let active = of_either!(&self.state, game => &game.active_players);
                Seat::all(self.players)
                    .filter(|seat| active.contains(&(seat.index() as u8)))
                    .collect()
            }
        }
    }

    fn their_list(&self, seat: Seat) -> Vec<TheirAction> {
        of_either!(&self.state, game => game._get_legal_actions_internal(seat.index() as u8))
    }

    /// The engine's list for a seat, each action once; riichi without its discards, which follow
    /// when it is declared.
    pub(crate) fn legal(&self, seat: Seat) -> (Vec<Action>, bool) {
        let theirs = self.their_list(seat);
        let riichi = theirs
            .iter()
            .any(|action| action.action_type == ActionType::Riichi);
        let mut ours: Vec<Action> = Vec::new();
        for action in &theirs {
            let action = self.ours(seat, action);
            ours.extend(action.filter(|action| !ours.contains(action)));
        }
        (ours, riichi)
    }

    fn ours(&self, seat: Seat, action: &TheirAction) -> Option<Action> {
        let (offered, drawn) =
            of_either!(&self.state, game => (game.last_discard, game.drawn_tile));
        let own = &action.consume_tiles;
        let offer = || {
            offered
                .map(|(by, id)| (seat_of(by), tile_of(id)))
                .expect("a tile is offered")
        };
        Some(match action.action_type {
            ActionType::Discard => {
                let id = action.tile.expect("a discard names its tile");
                // A from-hand discard of a tile that is there twice is listed once for each copy.
                Action::Dahai {
                    tile: tile_of(id),
                    tsumogiri: Some(id) == drawn,
                }
            }
            ActionType::Chi => Action::Chi {
                target: offer().0,
                tile: offer().1,
                consumed: in_order(own),
            },
            ActionType::Pon => Action::Pon {
                target: offer().0,
                tile: offer().1,
                consumed: in_order(own),
            },
            ActionType::Daiminkan => Action::Daiminkan {
                target: offer().0,
                tile: offer().1,
                consumed: in_order(own),
            },
            ActionType::Ankan => Action::Ankan {
                consumed: in_order(own),
            },
            ActionType::Kakan => Action::Kakan {
                tile: tile_of(action.tile.expect("the added tile")),
                consumed: in_order(own),
            },
            ActionType::Kita => Action::Kita,
            ActionType::Tsumo => Action::Hora {
                target: seat,
                tile: tile_of(drawn.expect("a drawn tile")),
            },
            ActionType::Ron => Action::Hora {
                target: offer().0,
                tile: offer().1,
            },
            ActionType::KyushuKyuhai => Action::Ryukyoku,
            ActionType::Pass => Action::None,
            ActionType::Riichi => return None,
        })
    }

    /// Has the seats make their moves. A riichi is declared alone; its discard is the next move.
    pub(crate) fn step(&mut self, moves: &[(Seat, Action)]) {
        let actions: HashMap<u8, TheirAction> = moves
            .iter()
            .map(|(seat, action)| {
                let number = seat.index() as u8;
                let theirs = self.their_list(*seat);
                let fits = |theirs: &&TheirAction| match action {
                    Action::Reach { .. } => theirs.action_type == ActionType::Riichi,
                    _ => self.ours(*seat, theirs) == Some(*action),
                };
                let action = theirs
                    .iter()
                    .find(fits)
                    .unwrap_or_else(|| panic!("{action:?} is not in {theirs:?}"));
                (number, action.clone())
            })
            .collect();
        of_either!(&mut self.state, game => {
            game.step(&actions);
            assert_eq!(game.last_error, None);
        });
    }
}
