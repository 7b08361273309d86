//! The rules: everything that names the engine is in this file.

use std::collections::HashMap;

use arrayvec::ArrayVec;
use mahjong::event::{HAND_SIZE, MAX_DORA, Points, StartKyoku, UraMarkers};
use mahjong::rules::{Length, Preset};
use mahjong::{PerSeat, Seat, Tile, Wind};
use protocol::riichilab::observation::tile;
use protocol::{ActionKind, PossibleAction};
use riichienv_core::action::{Action, ActionType, Phase};
use riichienv_core::rule::GameRule;
use riichienv_core::state::GameState;
use riichienv_core::types::MeldType;

use crate::look::Look;
use crate::matching::Offer;

/// Players at the engine's table.
pub(crate) const PLAYERS: u8 = 4;

/// The engine came to a state in which nobody is to act and the game is not over, or refused its own list.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the rules engine is stuck: {0}")]
pub(crate) struct EngineError(String);

/// A game in the engine, from the deal to the end.
pub(crate) struct Engine {
    state: GameState,
}

/// What the engine asks of one seat.
pub(crate) struct Question {
    pub(crate) seat: Seat,
    /// What the seat may do. Its place in the list names an offer.
    pub(crate) offers: Vec<Offer>,
    legal: Vec<Action>,
    observation: riichienv_core::observation::Observation,
}

/// The answer to a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Choice {
    /// The offer at this place of the list.
    Offer(usize),
    /// Something the engine refuses, so that it deals out the chombo itself.
    Illegal,
}

impl Engine {
    /// Deals the first round of a game that tells its events as mjai JSON.
    pub(crate) fn new(length: Length, preset: Preset, seed: u64) -> Self {
        Self::deal(length, preset, seed, false)
    }

    /// Deals the first round of a game whose events are told by nobody: they follow from one look to the next.
    pub(crate) fn silent(length: Length, preset: Preset, seed: u64) -> Self {
        Self::deal(length, preset, seed, true)
    }

    fn deal(length: Length, preset: Preset, seed: u64, silent: bool) -> Self {
        let mode = match length {
            Length::Single => 0,
            Length::East => 1,
            Length::Half => 2,
        };
        let rule = match preset {
            Preset::Tenhou => GameRule::default_tenhou(),
            Preset::MahjongSoul => GameRule::default_mjsoul(),
        };
        const EAST_ROUND: u8 = 0;
        Self { state: GameState::new(mode, silent, Some(seed), EAST_ROUND, rule) }
    }

    pub(crate) fn is_over(&self) -> bool {
        self.state.is_done
    }

    /// How many events there were.
    pub(crate) fn events(&self) -> usize {
        self.state.mjai_log.len()
    }

    /// The event with this number as mjai JSON, with nothing hidden.
    pub(crate) fn event(&self, number: usize) -> &str {
        &self.state.mjai_log[number]
    }

    /// The event with this number as mjai JSON, as the seat may hear of it.
    pub(crate) fn event_for(&self, seat: Seat, number: usize) -> &str {
        &self.state.mjai_log_per_player[seat.index()][number]
    }

    /// Who is asked now, in seat order. Nobody is when the game is over.
    pub(crate) fn asked(&self) -> ArrayVec<Seat, 4> {
        match self.state.phase {
            _ if self.state.is_done => ArrayVec::new(),
            Phase::WaitAct => Seat::new(self.state.current_player).into_iter().collect(),
            Phase::WaitResponse => {
                Seat::all(PLAYERS).filter(|seat| self.state.active_players.contains(&(seat.index() as u8))).collect()
            }
        }
    }

    /// What is asked of whom now, in seat order. Nobody is asked when the game is over.
    pub(crate) fn questions(&mut self) -> Result<Vec<Question>, EngineError> {
        let asked = self.asked();
        let questions: Vec<_> =
            asked.into_iter().map(|seat| self.question(seat)).filter(|question| !question.offers.is_empty()).collect();
        if questions.is_empty() && !self.state.is_done {
            return Err(EngineError(format!("nobody is to act in {:?}", self.state.phase)));
        }
        Ok(questions)
    }

    fn question(&mut self, seat: Seat) -> Question {
        let observation = self.state.get_observation(seat.index() as u8);
        let legal = observation.legal_actions_method();
        let drawn = self.state.drawn_tile;
        let offers = legal.iter().map(|action| offer(action, drawn)).collect();
        Question { seat, offers, legal, observation }
    }

    /// Plays on from the answers to all questions until somebody is asked again or the game is over.
    pub(crate) fn answer(&mut self, answers: &[(Question, Choice)]) -> Result<(), EngineError> {
        let legal_before = answers.iter().all(|(_, choice)| *choice != Choice::Illegal);
        let actions =
            answers.iter().map(|(question, choice)| (question.seat.index() as u8, question.action(*choice))).collect();
        self.step(&actions, legal_before)
    }

    /// Plays on from what all asked seats do, as [`answer`](Self::answer) does; a riichi without its discard.
    pub(crate) fn act(&mut self, moves: &[(Seat, mahjong::Action)]) -> Result<Step, EngineError> {
        let actions: HashMap<u8, Action> = moves
            .iter()
            .map(|(seat, action)| {
                let theirs = self.action_of(*seat, action);
                theirs
                    .map(|theirs| (seat.index() as u8, theirs))
                    .ok_or_else(|| EngineError(format!("seat {seat} cannot play {action:?}")))
            })
            .collect::<Result<_, _>>()?;
        self.step(&actions, true)?;
        if self.asked().is_empty() && !self.state.is_done {
            return Err(EngineError(format!("nobody is to act in {:?}", self.state.phase)));
        }
        Ok(Step(actions))
    }

    fn step(&mut self, actions: &HashMap<u8, Action>, legal: bool) -> Result<(), EngineError> {
        self.state.last_error = None;
        self.state.step(actions);
        if let Some(error) = self.state.last_error.take().filter(|_| legal) {
            return Err(EngineError(error));
        }
        while self.state.needs_initialize_next_round && !self.state.is_done {
            self.state.step(&HashMap::new());
        }
        Ok(())
    }

    /// The engine's own form of an action of a seat that is asked; `None` when the seat lacks the tiles.
    fn action_of(&self, seat: Seat, action: &mahjong::Action) -> Option<Action> {
        use mahjong::Action as Ours;
        let hand = &self.state.players[seat.index()].hand;
        let drawn = self.state.drawn_tile;
        let held = |wanted: Tile| hand.iter().copied().filter(move |&id| tile_of(id) == Some(wanted));
        let listed = |kind: ActionType, own: &[Tile]| {
            let claims = self.state.current_claims.get(&(seat.index() as u8))?;
            claims.iter().find(|claim| claim.action_type == kind && same_tiles(&claim.consume_tiles, own)).cloned()
        };
        let new = |kind, tile, own| Some(Action::new(kind, tile, own, Some(seat.index() as u8)));
        match action {
            Ours::Dahai { tile, tsumogiri: true } if drawn.and_then(tile_of) == Some(*tile) => {
                new(ActionType::Discard, drawn, Vec::new())
            }
            Ours::Dahai { tile, .. } => {
                let other = held(*tile).find(|&id| Some(id) != drawn);
                new(ActionType::Discard, Some(other.or_else(|| held(*tile).next())?), Vec::new())
            }
            Ours::Reach { .. } => new(ActionType::Riichi, None, Vec::new()),
            Ours::Chi { consumed, .. } => listed(ActionType::Chi, consumed),
            Ours::Pon { consumed, .. } => listed(ActionType::Pon, consumed),
            Ours::Daiminkan { consumed, .. } => listed(ActionType::Daiminkan, consumed),
            Ours::Ankan { consumed } => {
                let first = consumed[0].kind().index() as u8 * 4;
                new(ActionType::Ankan, Some(first), (first..first + 4).collect())
            }
            Ours::Kakan { tile, .. } => {
                let pon = self.state.players[seat.index()].melds.iter().find(|meld| {
                    meld.meld_type == MeldType::Pon
                        && meld.tiles.iter().all(|&id| usize::from(id / 4) == tile.kind().index())
                })?;
                new(ActionType::Kakan, Some(held(*tile).next()?), pon.tiles.clone())
            }
            Ours::Hora { target, .. } if *target == seat => new(ActionType::Tsumo, drawn, Vec::new()),
            Ours::Hora { .. } => listed(ActionType::Ron, &[]),
            Ours::Ryukyoku => new(ActionType::KyushuKyuhai, None, Vec::new()),
            Ours::None => new(ActionType::Pass, None, Vec::new()),
            Ours::Kita => None,
        }
    }

    /// What the table shows now.
    pub(crate) fn look(&self) -> Look {
        let state = &self.state;
        Look {
            over: state.is_done,
            bakaze: Wind::ALL[usize::from(state.round_wind) % Wind::ALL.len()],
            oya: seat_of(state.oya),
            honba: state.honba,
            kyotaku: state.riichi_sticks,
            scores: self.scores(),
            dora_markers: state.wall.dora_indicators.iter().filter_map(|&id| tile_of(id)).take(MAX_DORA).collect(),
            due_dora: (0..state.wall.pending_kan_dora_count).filter_map(|ahead| self.dora_to_come(ahead)).collect(),
            turn: seat_of(state.current_player),
            drawn: state.drawn_tile.and_then(tile_of),
            claims: state.phase == Phase::WaitResponse,
            offered: state.last_discard.and_then(|(by, id)| Some((seat_of(by), tile_of(id)?))),
            kan_to_stand: state.pending_kan.as_ref().map(|(by, kan)| (seat_of(*by), tiles_of(&kan.consume_tiles))),
            declared: state.players[usize::from(state.current_player)].riichi_stage,
            riichi_to_accept: state.riichi_pending_acceptance.map(seat_of),
            first_discard_from_hand: state.rule.dealer_first_discard_is_tedashi
                && state.is_first_turn
                && state.current_player == state.oya
                && state.players[usize::from(state.oya)].discards.is_empty(),
            triple_ron_is_draw: state.rule.sanchaho_is_draw,
        }
    }

    /// The dora indicator that is turned after so many others, if there is one left.
    fn dora_to_come(&self, ahead: u8) -> Option<Tile> {
        let wall = &self.state.wall;
        let turned = wall.dora_indicators.len() + usize::from(ahead);
        // Five stacks of two after the four replacement tiles, which are taken from the front.
        let place = 4 + 2 * turned - usize::from(wall.rinshan_draw_count);
        if turned < MAX_DORA { tile_of(*wall.tiles.get(place)?) } else { None }
    }

    /// The ura dora indicators that a seat turns if it wins now: none without riichi.
    pub(crate) fn ura_markers(&self, winner: Seat) -> UraMarkers {
        let wall = &self.state.wall;
        if !self.state.players[winner.index()].riichi_declared {
            return UraMarkers::default();
        }
        let markers: ArrayVec<Tile, MAX_DORA> = (0..wall.dora_indicators.len().min(MAX_DORA))
            .filter_map(|place| wall.tiles.get(5 + 2 * place - usize::from(wall.rinshan_draw_count)))
            .filter_map(|&id| tile_of(id))
            .collect();
        UraMarkers::from_slice(&markers).unwrap_or_default()
    }

    /// The round as it begins; to be asked for before anybody has done anything in it.
    pub(crate) fn start_kyoku(&self) -> Result<StartKyoku, EngineError> {
        let Look { bakaze, oya, honba, kyotaku, scores, dora_markers, .. } = self.look();
        let dealt = |seat: Seat| -> Option<[Tile; HAND_SIZE]> {
            // The dealer's first draw lies behind the tiles it was dealt.
            let hand = self.state.players[seat.index()].hand.get(..HAND_SIZE)?;
            let tiles: ArrayVec<Tile, HAND_SIZE> = hand.iter().filter_map(|&id| tile_of(id)).collect();
            tiles.into_inner().ok()
        };
        Ok(StartKyoku {
            bakaze,
            kyoku: oya.index() as u8 + 1,
            honba,
            kyotaku: u8::try_from(kyotaku).unwrap_or(u8::MAX),
            oya,
            dora_marker: *dora_markers.first().ok_or_else(|| EngineError("no dora indicator is turned".to_owned()))?,
            scores: Some(scores),
            tehais: PerSeat::from_fn(PLAYERS, dealt),
        })
    }

    /// The scores in seat order.
    pub(crate) fn scores(&self) -> Points {
        Points::from_fn(PLAYERS, |seat| self.state.players[seat.index()].score)
    }
}

/// What was played at once, in the engine's own form.
pub(crate) struct Step(HashMap<u8, Action>);

/// The steps of a silent game, kept to find out what the engine alone takes for them.
pub struct EngineLog {
    length: Length,
    preset: Preset,
    seed: u64,
    steps: Vec<Step>,
}

impl EngineLog {
    pub(crate) const fn new(length: Length, preset: Preset, seed: u64) -> Self {
        Self { length, preset, seed, steps: Vec::new() }
    }

    pub(crate) fn push(&mut self, step: Step) {
        self.steps.push(step);
    }

    /// Has the engine play all steps again, and gives the final scores.
    #[must_use]
    pub fn replay(&self) -> Points {
        let mut engine = Engine::silent(self.length, self.preset, self.seed);
        for Step(actions) in &self.steps {
            engine.state.step(actions);
        }
        engine.scores()
    }
}

impl Question {
    /// The observation as base64 of the engine's JSON.
    pub(crate) fn observation(&self) -> Result<String, EngineError> {
        self.observation.serialize_to_base64().map_err(|error| EngineError(error.to_string()))
    }

    fn action(&self, choice: Choice) -> Action {
        match choice {
            Choice::Offer(place) => self.legal[place].clone(),
            // Passing on one's own turn and nine terminals in a claim window are never legal.
            Choice::Illegal => {
                let claim = self.legal.iter().any(|action| action.action_type == ActionType::Pass);
                let kind = if claim { ActionType::KyushuKyuhai } else { ActionType::Pass };
                Action::new(kind, None, Vec::new(), Some(self.seat.index() as u8))
            }
        }
    }
}

fn seat_of(number: u8) -> Seat {
    Seat::new(number).expect("the engine seats four")
}

fn tile_of(id: u8) -> Option<Tile> {
    tile(u64::from(id))
}

fn tiles_of(ids: &[u8]) -> ArrayVec<Tile, 4> {
    in_order(ids.iter().filter_map(|&id| tile_of(id)))
}

/// Whether these are the tiles, which are sorted as everywhere: by kind, plain before red.
fn same_tiles(ids: &[u8], sorted: &[Tile]) -> bool {
    tiles_of(ids).as_slice() == sorted
}

fn offer(action: &Action, drawn: Option<u8>) -> Offer {
    let kind = match action.action_type {
        ActionType::Discard => ActionKind::Dahai,
        ActionType::Chi => ActionKind::Chi,
        ActionType::Pon => ActionKind::Pon,
        ActionType::Daiminkan => ActionKind::Daiminkan,
        ActionType::Ankan => ActionKind::Ankan,
        ActionType::Kakan => ActionKind::Kakan,
        ActionType::Kita => ActionKind::Kita,
        ActionType::Riichi => ActionKind::Reach,
        ActionType::Tsumo | ActionType::Ron => ActionKind::Hora,
        ActionType::KyushuKyuhai => ActionKind::Ryukyoku,
        ActionType::Pass => ActionKind::None,
    };
    // The public arena names no tile for a win and for a riichi.
    let names_tile = !matches!(kind, ActionKind::Hora | ActionKind::Reach);
    let consumed = action.consume_tiles.iter().filter_map(|&id| tile_of(id));
    let entry = PossibleAction {
        kind,
        pai: action.tile.filter(|_| names_tile).and_then(tile_of),
        consumed: in_order(consumed),
        tsumogiri: None,
        target: None,
    };
    Offer { entry, drawn: kind == ActionKind::Dahai && action.tile == drawn }
}

fn in_order<const N: usize>(tiles: impl Iterator<Item = Tile>) -> ArrayVec<Tile, N> {
    let mut tiles: ArrayVec<Tile, N> = tiles.take(N).collect();
    tiles.sort_unstable_by_key(|tile| (tile.kind(), tile.index()));
    tiles
}
