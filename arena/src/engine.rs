//! The rules: everything that names the engine is in this file.

use std::collections::HashMap;

use arrayvec::ArrayVec;
use mahjong::event::{HAND_SIZE, MAX_DORA, Points, StartKyoku, UraMarkers};
use mahjong::rules::{Length, Preset};
use mahjong::{PerSeat, Rules, Seat, Tile, Wind};
use protocol::riichilab::observation::tile;
use protocol::{ActionKind, PossibleAction};
use riichienv_core::action::{Action, ActionType, Phase};
use riichienv_core::rule::GameRule;
use riichienv_core::state::GameState;
use riichienv_core::state_3p::GameState3P;
use riichienv_core::types::MeldType;

use crate::look::Look;
use crate::matching::Offer;

/// What a game is, as far as the engine lets one choose.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mode {
    /// 4 or 3.
    pub(crate) players: u8,
    pub(crate) length: Length,
    pub(crate) preset: Preset,
}

impl From<Rules> for Mode {
    fn from(Rules { players, length, preset, .. }: Rules) -> Self {
        Self { players, length, preset }
    }
}

/// The engine's two games. They are written alike, field by field, and have no type in common.
enum State {
    Four(Box<GameState>),
    Three(Box<GameState3P>),
}

/// The same of either game.
macro_rules! of_either {
    ($state:expr, $game:ident => $what:expr) => {
        match $state {
            State::Four($game) => $what,
            State::Three($game) => $what,
        }
    };
}

/// The engine came to a state in which nobody is to act and the game is not over, or refused its own list.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the rules engine is stuck: {0}")]
pub(crate) struct EngineError(String);

/// A game in the engine, from the deal to the end.
pub(crate) struct Engine {
    mode: Mode,
    state: State,
}

/// What the engine asks of one seat.
pub(crate) struct Question {
    pub(crate) seat: Seat,
    /// What the seat may do. Its place in the list names an offer.
    pub(crate) offers: Vec<Offer>,
    legal: Vec<Action>,
    observation: Observation,
}

/// What the engine says a seat sees.
enum Observation {
    Four(Box<riichienv_core::observation::Observation>),
    Three(Box<riichienv_core::observation_3p::Observation3P>),
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
    pub(crate) fn new(mode: Mode, seed: u64) -> Self {
        Self::deal(mode, seed, false)
    }

    /// Deals the first round of a game whose events are told by nobody: they follow from one look to the next.
    pub(crate) fn silent(mode: Mode, seed: u64) -> Self {
        Self::deal(mode, seed, true)
    }

    fn deal(mode: Mode, seed: u64, silent: bool) -> Self {
        let length = match mode.length {
            Length::Single => 0,
            Length::East => 1,
            Length::Half => 2,
        };
        let rule = match mode.preset {
            Preset::Tenhou => GameRule::default_tenhou(),
            Preset::MahjongSoul => GameRule::default_mjsoul(),
        };
        const EAST_ROUND: u8 = 0;
        let state = if mode.players == 3 {
            State::Three(Box::new(GameState3P::new(3 + length, silent, Some(seed), EAST_ROUND, rule)))
        } else {
            State::Four(Box::new(GameState::new(length, silent, Some(seed), EAST_ROUND, rule)))
        };
        Self { mode, state }
    }

    pub(crate) const fn players(&self) -> u8 {
        self.mode.players
    }

    pub(crate) fn is_over(&self) -> bool {
        of_either!(&self.state, game => game.is_done)
    }

    /// How many events there were.
    pub(crate) fn events(&self) -> usize {
        of_either!(&self.state, game => game.mjai_log.len())
    }

    /// The event with this number as mjai JSON, with nothing hidden.
    pub(crate) fn event(&self, number: usize) -> &str {
        of_either!(&self.state, game => &game.mjai_log[number])
    }

    /// The event with this number as mjai JSON, as the seat may hear of it.
    pub(crate) fn event_for(&self, seat: Seat, number: usize) -> &str {
        of_either!(&self.state, game => &game.mjai_log_per_player[seat.index()][number])
    }

    /// Who is asked now, in seat order. Nobody is when the game is over.
    pub(crate) fn asked(&self) -> ArrayVec<Seat, 4> {
        if self.is_over() {
            return ArrayVec::new();
        }
        match self.phase() {
            Phase::WaitAct => Some(self.turn()).into_iter().collect(),
            Phase::WaitResponse => {
                let active = of_either!(&self.state, game => &game.active_players);
                Seat::all(self.players()).filter(|seat| active.contains(&(seat.index() as u8))).collect()
            }
        }
    }

    fn phase(&self) -> Phase {
        of_either!(&self.state, game => game.phase)
    }

    /// Whose turn it is.
    fn turn(&self) -> Seat {
        seat_of(of_either!(&self.state, game => game.current_player))
    }

    /// The number of the tile drawn in this turn.
    fn drawn(&self) -> Option<u8> {
        of_either!(&self.state, game => game.drawn_tile)
    }

    /// The numbers of a seat's closed tiles; none of a seat that the table lacks.
    fn hand(&self, seat: Seat) -> &[u8] {
        of_either!(&self.state, game => game.players.get(seat.index()).map_or(&[], |player| &player.hand))
    }

    /// What is asked of whom now, in seat order. Nobody is asked when the game is over.
    pub(crate) fn questions(&mut self) -> Result<Vec<Question>, EngineError> {
        let asked = self.asked();
        let questions: Vec<_> =
            asked.into_iter().map(|seat| self.question(seat)).filter(|question| !question.offers.is_empty()).collect();
        if questions.is_empty() && !self.is_over() {
            return Err(EngineError(format!("nobody is to act in {:?}", self.phase())));
        }
        Ok(questions)
    }

    fn question(&mut self, seat: Seat) -> Question {
        let (observation, legal): (_, Vec<Action>) = match &mut self.state {
            State::Four(game) => {
                let observation = game.get_observation(seat.index() as u8);
                let legal = observation.legal_actions_method();
                (Observation::Four(Box::new(observation)), legal)
            }
            State::Three(game) => {
                let observation = game.get_observation(seat.index() as u8);
                let legal = observation.legal_actions_method().into_iter().map(|action| action.0).collect();
                (Observation::Three(Box::new(observation)), legal)
            }
        };
        let drawn = self.drawn();
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
        if self.asked().is_empty() && !self.is_over() {
            return Err(EngineError(format!("nobody is to act in {:?}", self.phase())));
        }
        Ok(Step(actions))
    }

    fn step(&mut self, actions: &HashMap<u8, Action>, legal: bool) -> Result<(), EngineError> {
        of_either!(&mut self.state, game => {
            game.last_error = None;
            game.step(actions);
            if let Some(error) = game.last_error.take().filter(|_| legal) {
                return Err(EngineError(error));
            }
            while game.needs_initialize_next_round && !game.is_done {
                game.step(&HashMap::new());
            }
        });
        Ok(())
    }

    /// The engine's own form of an action of a seat that is asked; `None` when the seat lacks the tiles.
    fn action_of(&self, seat: Seat, action: &mahjong::Action) -> Option<Action> {
        use mahjong::Action as Ours;
        let hand = self.hand(seat);
        let drawn = self.drawn();
        let held = |wanted: Tile| hand.iter().copied().filter(move |&id| tile_of(id) == Some(wanted));
        let listed = |kind: ActionType, own: &[Tile]| {
            let claims = of_either!(&self.state, game => &game.current_claims).get(&(seat.index() as u8))?;
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
                let melds = of_either!(&self.state, game => &game.players[seat.index()].melds);
                let pon = melds.iter().find(|meld| {
                    meld.meld_type == MeldType::Pon
                        && meld.tiles.iter().all(|&id| usize::from(id / 4) == tile.kind().index())
                })?;
                new(ActionType::Kakan, Some(held(*tile).next()?), pon.tiles.clone())
            }
            Ours::Hora { target, .. } if *target == seat => new(ActionType::Tsumo, drawn, Vec::new()),
            Ours::Hora { .. } => listed(ActionType::Ron, &[]),
            Ours::Ryukyoku => new(ActionType::KyushuKyuhai, None, Vec::new()),
            Ours::None => new(ActionType::Pass, None, Vec::new()),
            // Without a tile the engine takes the North that it allows.
            Ours::Kita => new(ActionType::Kita, None, Vec::new()),
        }
    }

    /// What the table shows now.
    pub(crate) fn look(&self) -> Look {
        let due = of_either!(&self.state, game => game.wall.pending_kan_dora_count);
        of_either!(&self.state, game => Look {
            over: game.is_done,
            bakaze: Wind::ALL[usize::from(game.round_wind) % Wind::ALL.len()],
            oya: seat_of(game.oya),
            honba: game.honba,
            kyotaku: game.riichi_sticks,
            scores: self.scores(),
            dora_markers: game.wall.dora_indicators.iter().filter_map(|&id| tile_of(id)).take(MAX_DORA).collect(),
            due_dora: (0..due).filter_map(|ahead| self.dora_to_come(ahead)).collect(),
            turn: self.turn(),
            drawn: game.drawn_tile.and_then(tile_of),
            claims: game.phase == Phase::WaitResponse,
            offered: game.last_discard.and_then(|(by, id)| Some((seat_of(by), tile_of(id)?))),
            kan_to_stand: game.pending_kan.as_ref().map(|(by, kan)| (seat_of(*by), tiles_of(&kan.consume_tiles))),
            declared: game.players[usize::from(game.current_player)].riichi_stage,
            riichi_to_accept: game.riichi_pending_acceptance.map(seat_of),
            first_discard_from_hand: game.rule.dealer_first_discard_is_tedashi
                && game.is_first_turn
                && game.current_player == game.oya
                && game.players[usize::from(game.oya)].discards.is_empty(),
            triple_ron_is_draw: game.rule.sanchaho_is_draw,
        })
    }

    /// The dora indicator that is turned after so many others, if there is one left.
    fn dora_to_come(&self, ahead: u8) -> Option<Tile> {
        let place = of_either!(&self.state, game => game.wall.dora_indicators.len()) + usize::from(ahead);
        if place < MAX_DORA { self.indicators(place).and_then(|[dora, _]| tile_of(dora)) } else { None }
    }

    /// The numbers of the dora indicator at a place of the dead wall, from 0, and of the ura indicator under it.
    fn indicators(&self, place: usize) -> Option<[u8; 2]> {
        match &self.state {
            State::Four(game) => {
                // Five stacks of two after the four replacement tiles, which are taken from the front.
                let upper = 4 + 2 * place - usize::from(game.wall.rinshan_draw_count);
                Some([*game.wall.tiles.get(upper)?, *game.wall.tiles.get(upper + 1)?])
            }
            State::Three(game) => {
                Some([*game.wall.dora_indicator_tiles.get(place)?, *game.wall.ura_indicator_tiles.get(place)?])
            }
        }
    }

    /// The ura dora indicators that a seat turns if it wins now: none without riichi.
    pub(crate) fn ura_markers(&self, winner: Seat) -> UraMarkers {
        let (riichi, turned) = of_either!(&self.state, game => {
            (game.players[winner.index()].riichi_declared, game.wall.dora_indicators.len())
        });
        if !riichi {
            return UraMarkers::default();
        }
        let ura = (0..turned.min(MAX_DORA)).filter_map(|place| self.indicators(place));
        let markers: ArrayVec<Tile, MAX_DORA> = ura.filter_map(|[_, ura]| tile_of(ura)).collect();
        UraMarkers::from_slice(&markers).unwrap_or_default()
    }

    /// The round as it begins; to be asked for before anybody has done anything in it.
    pub(crate) fn start_kyoku(&self) -> Result<StartKyoku, EngineError> {
        let Look { bakaze, oya, honba, kyotaku, scores, dora_markers, .. } = self.look();
        let dealt = |seat: Seat| -> Option<[Tile; HAND_SIZE]> {
            // The dealer's first draw lies behind the tiles it was dealt.
            let hand = self.hand(seat).get(..HAND_SIZE)?;
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
            tehais: PerSeat::from_fn(self.players(), dealt),
        })
    }

    /// The scores in seat order.
    pub(crate) fn scores(&self) -> Points {
        let score = |seat: Seat| of_either!(&self.state, game => game.players.get(seat.index()).map_or(0, |player| player.score));
        Points::from_fn(self.players(), score)
    }
}

/// What was played at once, in the engine's own form.
pub(crate) struct Step(HashMap<u8, Action>);

/// The steps of a silent game, kept to find out what the engine alone takes for them.
pub struct EngineLog {
    mode: Mode,
    seed: u64,
    steps: Vec<Step>,
}

impl EngineLog {
    pub(crate) const fn new(mode: Mode, seed: u64) -> Self {
        Self { mode, seed, steps: Vec::new() }
    }

    pub(crate) fn push(&mut self, step: Step) {
        self.steps.push(step);
    }

    /// Has the engine play all steps again, and gives the final scores.
    #[must_use]
    pub fn replay(&self) -> Points {
        let mut engine = Engine::silent(self.mode, self.seed);
        for Step(actions) in &self.steps {
            of_either!(&mut engine.state, game => game.step(actions));
        }
        engine.scores()
    }
}

impl Question {
    /// The observation as base64 of the engine's JSON.
    pub(crate) fn observation(&self) -> Result<String, EngineError> {
        let text = match &self.observation {
            Observation::Four(observation) => observation.serialize_to_base64(),
            Observation::Three(observation) => observation.serialize_to_base64(),
        };
        text.map_err(|error| EngineError(error.to_string()))
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
    Seat::new(number).expect("the engine seats four at most")
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
    tiles.sort_unstable();
    tiles
}
