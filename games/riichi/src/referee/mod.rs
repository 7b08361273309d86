//! The referee: whether the events of a record can have happened.
//!
//! It follows a record with one public state and the hands that the record shows, by the code that
//! plays whole games: each action is one of the seat's legal actions, each win is scored again,
//! each draw is due, and the next round and the end of the game follow. Of hands that are hidden it
//! checks what all seats know.
//!
//! A record does not say its rules. [`judge`] tries the known ones: both
//! [presets](crate::rules::Preset), with and without open tanyao, red fives as the record shows
//! them, the indicators of open kans before or after the discard, and games of one round, East, or
//! East and South. A record that fits one of them is sound.
//!
//! [Known errors](FindingKind::KnownError) of arenas and programs are found, and the record is read
//! on:
//!
//! * The riichi sticks of the round are once more in the deltas of a draw (RiichiEnv before
//!   0.4.11).
//! * After nagashi mangan the deal passes from a dealer who was tenpai (RiichiLab).
//! * A discard after a call is marked as the drawn tile (the original converter).
//! * A riichi is never paid, neither by an event nor in the scores (a game of Tenhou's).
//! * The fourth riichi, which draws the round, is paid only in the next round (converters of
//!   Tenhou's games).
//! * The last scores leave the sticks on the table (the original converter).

mod acts;
mod claims;
mod draw;
mod ending;
mod house;
mod opening;
mod seen;
mod told;
mod win;

use game_core::{Finding, FindingKind, PerSeat, Seat};

pub use told::{RecordedFacts, ToldYaku};

use crate::event::{DrawReason, Event, Points, UraMarkers};
use crate::game::{RoundId, RoundVerdict};
use crate::rules::{Length, Rules};
use crate::table::{Contradiction, Phase, Public, TableRef};

use arrayvec::ArrayVec;
use house::{HouseRules, Span};
use seen::{KnownHands, UnseenTiles};
use tiles::Tile;

/// Maximum number of reasons that are given why an event is impossible: each known rule set may
/// have its own.
const MAX_REASONS: usize = 3;

/// What is found in a record.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Judgement {
    /// The findings, each with the place of its event, from 0. An impossible event is the last:
    /// what follows is not judged.
    pub findings: Vec<(usize, Finding)>,
    /// The round in which the record ends, if that is before the end of the game.
    pub cut: Option<RoundId>,
    /// The length of the game, if its rounds fit only one.
    pub length: Option<Length>,
}

impl Judgement {
    /// The place of the impossible event.
    fn impossible(&self) -> Option<usize> {
        self.findings
            .last()
            .filter(|(_, found)| found.kind == FindingKind::Impossible)
            .map(|&(place, _)| place)
    }
}

/// Judges the events of one game. `told` are further facts of the record, each with the place of
/// its event, in order.
pub fn judge(events: &[Event], told: &[(usize, RecordedFacts)]) -> Judgement {
    let mut best: Option<Judgement> = None;
    // The impossible events by all rules.
    let mut refused: Vec<(usize, Finding)> = Vec::new();
    for house in HouseRules::candidates(events) {
        let judgement = judge_by(house, events, told);
        let is_sound = judgement.impossible().is_none();
        let is_counted = !is_sound && !house.has_unpaid_riichi;
        refused.extend(judgement.findings.last().filter(|_| is_counted).cloned());
        // Others than the usual count if they explain more rounds.
        let rounds = |judgement: &Judgement| {
            let sound = &events[..judgement.impossible().unwrap_or(events.len())];
            sound
                .iter()
                .filter(|event| matches!(event, Event::StartKyoku(_)))
                .count()
        };
        let further =
            |best: &Judgement| rounds(&judgement) > rounds(best) && !house.has_unpaid_riichi;
        if is_sound || best.as_ref().is_none_or(further) {
            best = Some(judgement);
            if is_sound {
                break;
            }
        }
    }
    let mut best = best.unwrap_or_default();
    if let Some(place) = best.impossible()
        && let Some((_, found)) = best.findings.last_mut()
    {
        // The rules of the record are not known, so neither is which of the reasons holds.
        let mut reasons = vec![found.right.clone()];
        for (_, other) in refused.iter().filter(|(at, _)| *at == place) {
            let is_same_field = (&other.field, &other.found) == (&found.field, &found.found);
            let reason = if is_same_field {
                other.right.clone()
            } else {
                other.to_string()
            };
            if reasons.len() < MAX_REASONS && !reasons.contains(&reason) {
                reasons.push(reason);
            }
        }
        found.right = reasons.join(", or by other rules ");
    }
    best
}

fn judge_by(house: HouseRules, events: &[Event], told: &[(usize, RecordedFacts)]) -> Judgement {
    let mut referee = Referee::new(house);
    let mut findings = Vec::new();
    let (mut told, nothing) = (told.iter().peekable(), RecordedFacts::default());
    for (place, event) in events.iter().enumerate() {
        while told.next_if(|(at, _)| *at < place).is_some() {}
        let told = told
            .next_if(|(at, _)| *at == place)
            .map_or(&nothing, |(_, told)| told);
        let heard = referee.hear(event, told, &events[place + 1..]);
        findings.extend(referee.known_errors.drain(..).map(|found| (place, found)));
        if let Err(found) = heard {
            findings.push((place, found));
            return Judgement {
                findings,
                ..Judgement::default()
            };
        }
    }
    let cut = (referee.stage == RefereeStage::Rounds).then(|| referee.round());
    Judgement {
        findings,
        cut,
        length: referee.length(),
    }
}

type Ruling = Result<(), Finding>;

/// Follows a game by the rules of one house.
struct Referee {
    house: HouseRules,
    public: Public,
    hands: KnownHands,
    unseen: UnseenTiles,
    /// How long the game may last, by the rounds so far.
    spans: ArrayVec<Span, 9>,
    stage: RefereeStage,
    /// The public state before the first win of the round, and its winners.
    won: Option<RoundWins>,
    /// The end of the round.
    end: Option<PossibleRoundEnd>,
    /// The last tile drawn, if the record shows it.
    shown_draw: Option<Tile>,
    /// The indicator of an open kan was turned in this turn, before its discard.
    turned_in_turn: bool,
    /// The public state before the last riichi was accepted.
    before_riichi: Option<Box<Public>>,
    /// The errors in the last event that arenas are known to make.
    known_errors: Vec<Finding>,
}

/// Where the game is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RefereeStage {
    Before,
    /// The game has begun, and no round of it.
    Begun,
    Rounds,
    /// The game has ended.
    Over,
}

/// The wins of a round so far.
struct RoundWins {
    before: Box<Public>,
    winners: ArrayVec<Seat, 4>,
    /// The ura dora indicators, once a winner has shown them.
    ura: Option<UraMarkers>,
}

/// The end of a round, as far as the record shows it.
#[derive(Debug, Clone, Default)]
struct PossibleRoundEnd {
    /// The verdicts that fit.
    verdicts: ArrayVec<RoundVerdict, 5>,
    /// Whether a player was paid for nagashi mangan.
    nagashi: bool,
    /// The scores by the record, if an arena's error in it is mended in ours.
    mistaken: Option<Points>,
}

impl Referee {
    fn new(house: HouseRules) -> Self {
        Self {
            house,
            public: Public::new(house.rules),
            hands: KnownHands(PerSeat::from_fn(house.rules.players, |_| None)),
            unseen: UnseenTiles::all(&house.rules),
            spans: ArrayVec::new(),
            stage: RefereeStage::Before,
            won: None,
            end: None,
            shown_draw: None,
            turned_in_turn: false,
            before_riichi: None,
            known_errors: Vec::new(),
        }
    }

    fn rules(&self) -> &Rules {
        &self.public.rules
    }

    /// The length of the game, if all spans that are left have the same.
    fn length(&self) -> Option<Length> {
        let first = self.spans.first()?.length;
        let is_only = self.spans.iter().all(|span| span.length == first);
        is_only.then_some(first)
    }

    /// The round being played, or the last one.
    fn round(&self) -> RoundId {
        let &Public {
            bakaze, oya, honba, ..
        } = &self.public;
        RoundId { bakaze, oya, honba }
    }

    /// The game from a seat whose hand is known.
    fn view(&self, seat: Seat) -> Option<TableRef<'_>> {
        self.hands.0[seat]
            .as_ref()
            .map(|own| TableRef::new(&self.public, seat, own))
    }

    /// Takes in the next event; `rest` are those that follow.
    ///
    /// # Errors
    ///
    /// If it cannot have happened; then the referee must not be used further.
    fn hear(&mut self, event: &Event, told: &RecordedFacts, rest: &[Event]) -> Ruling {
        self.expect_seats(event)?;
        if self.stage == RefereeStage::Over {
            return Err(not_now(
                event,
                "the game is over, and only another `start_game` may follow",
            ));
        }
        match *event {
            Event::StartGame { .. } if self.stage != RefereeStage::Before => {
                Err(not_now(event, "the game has begun already"))
            }
            Event::StartGame { .. } => {
                self.stage = RefereeStage::Begun;
                self.apply(event)
            }
            Event::StartKyoku(ref start) => self.start_kyoku(event, start),
            Event::Tsumo { actor, tile } => self.tsumo(event, actor, tile),
            Event::Dahai {
                actor,
                tile,
                tsumogiri,
            } => self.dahai(event, told, (actor, tile, tsumogiri)),
            Event::Chi { .. } | Event::Pon { .. } | Event::Daiminkan { .. } => self.call(event),
            Event::Ankan { .. } | Event::Kakan { .. } | Event::Kita { .. } => self.kan(event),
            Event::Dora { marker } => self.dora(event, marker),
            Event::Reach { actor } => self.reach(event, actor),
            Event::ReachAccepted { actor, scores } => {
                self.reach_accepted(event, told, actor, scores)
            }
            Event::Hora(ref hora) => self.hora(event, told, hora, rest),
            Event::Ryukyoku {
                deltas,
                scores,
                reason,
            } => {
                self.pay_fourth_riichi(event, rest)?;
                self.ryukyoku(event, told, deltas, scores, reason)
            }
            Event::EndKyoku => self.end_kyoku(event),
            Event::EndGame { scores } => self.end_game(event, scores),
        }
    }

    /// Takes the event over, which has been judged.
    fn apply(&mut self, event: &Event) -> Ruling {
        self.public
            .apply(event, &mut self.hands)
            .map_err(|why| refused(event, &why))
    }

    /// Refuses a seat that the table does not have, and points for another number of seats.
    fn expect_seats(&self, event: &Event) -> Ruling {
        let players = self.rules().players;
        let target = match *event {
            Event::Chi { target, .. }
            | Event::Pon { target, .. }
            | Event::Daiminkan { target, .. } => Some(target),
            Event::Hora(ref hora) => Some(hora.target),
            _ => None,
        };
        for (field, seat) in [("actor", event.actor()), ("target", target)] {
            if let Some(seat) = seat.filter(|seat| seat.index() >= usize::from(players)) {
                return Err(Finding::because(
                    field,
                    seat,
                    format!("the game has {players} players"),
                ));
            }
        }
        let points: [(&'static str, Option<Points>); 2] = match *event {
            Event::StartKyoku(ref start) => [("deltas", None), ("scores", start.scores)],
            Event::ReachAccepted { scores, .. } | Event::EndGame { scores } => {
                [("deltas", None), ("scores", scores)]
            }
            Event::Hora(ref hora) => [("deltas", hora.deltas), ("scores", hora.scores)],
            Event::Ryukyoku { deltas, scores, .. } => [("deltas", deltas), ("scores", scores)],
            _ => return Ok(()),
        };
        for (field, points) in points {
            if let Some(points) = points.filter(|points| points.players() != players) {
                return Err(Finding::because(
                    field,
                    list(&points),
                    format!("the game has {players} players"),
                ));
            }
        }
        Ok(())
    }

    /// Refuses an event while no round is played.
    fn expect_round(&self, event: &Event) -> Ruling {
        match self.public.phase {
            Phase::Won { .. } | Phase::Drawn => Err(not_now(event, "the round is over")),
            Phase::Between => Err(not_now(event, "no round is being played")),
            _ => Ok(()),
        }
    }

    /// Refuses an event while the seat that has discarded owes its riichi stick.
    fn expect_paid(&mut self, event: &Event, by: Seat) -> Ruling {
        let just_declared = self.public.players[by]
            .river
            .last()
            .is_some_and(|discard| discard.riichi);
        if !self.public.owes_stick(by) || !just_declared {
            return Ok(());
        }
        let unpaid = unpaid(event, by);
        if self.house.has_unpaid_riichi {
            self.known_errors
                .push(unpaid.known("the record never pays this riichi"));
            return Ok(());
        }
        Err(unpaid)
    }

    /// Pays the stick of the fourth riichi, which ends the round, if only the next round shows that
    /// it was paid.
    fn pay_fourth_riichi(&mut self, event: &Event, rest: &[Event]) -> Ruling {
        let Phase::Discarded { by, .. } = self.public.phase else {
            return Ok(());
        };
        let next = rest.iter().find_map(|event| {
            if let Event::StartKyoku(start) = event {
                Some(start)
            } else {
                None
            }
        });
        let is_shown =
            next.is_some_and(|next| next.kyotaku == self.public.kyotaku.saturating_add(1));
        let is_due = self.public.abortive_draw() == Some(DrawReason::FourRiichi)
            && self.public.owes_stick(by);
        let is_named = matches!(
            event,
            Event::Ryukyoku {
                reason: None | Some(DrawReason::FourRiichi),
                ..
            }
        );
        if is_due && is_named && is_shown {
            self.known_errors
                .push(unpaid(event, by).known("the next round shows that it is paid"));
            self.accept_riichi(&Event::ReachAccepted {
                actor: by,
                scores: None,
            })?;
        }
        Ok(())
    }

    /// Refuses an event while the seat that has discarded owes its riichi stick, or while the round
    /// has to end.
    fn expect_passed(&mut self, event: &Event, by: Seat) -> Ruling {
        self.expect_paid(event, by)?;
        match self.public.abortive_draw() {
            Some(reason) => Err(not_now(
                event,
                format!("the round is drawn, because of {}", draw::words(reason)),
            )),
            None => Ok(()),
        }
    }

    /// Refuses an event before an indicator is turned; `later` may still wait.
    fn expect_dora(&self, event: &Event, later: usize) -> Ruling {
        if self.public.due_dora() > later {
            return Err(not_now(
                event,
                "`dora` comes first: a kan has earned an indicator",
            ));
        }
        Ok(())
    }
}

fn unpaid(event: &Event, by: Seat) -> Finding {
    not_now(
        event,
        format!("`reach_accepted` of seat {by} comes first: its discard was not won on"),
    )
}

/// An event at a moment at which another one is due.
fn not_now(event: &Event, reason: impl Into<String>) -> Finding {
    Finding::because("type", event.name(), reason)
}

/// What the table refuses, if nothing else was found before.
fn refused(event: &Event, why: &Contradiction) -> Finding {
    match why {
        Contradiction::Scores { given, expected } => {
            Finding::value("scores", list(given), list(expected))
        }
        why => not_now(event, why.to_string()),
    }
}

/// Points as a record has them.
fn list(points: &Points) -> String {
    let all: Vec<String> = points.as_slice().iter().map(ToString::to_string).collect();
    format!("[{}]", all.join(","))
}
