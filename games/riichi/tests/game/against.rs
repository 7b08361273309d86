//! Game by game against `riichienv-core`, on its walls: the same requests, legal lists, events and
//! scores.
//!
//! There are two differences, faults of the engine with their own cases in
//! [`faults`](crate::faults):
//!
//! * **A closed kan is announced too late.** By Mahjong Soul's rules thirteen orphans may rob it.
//!   The engine asks those seats before it announces the kan to any player; it announces it when
//!   they have passed, and never when they win. In mjai the event comes before the question, as
//!   with every other tile that can be won on, so here the kan is announced first.
//! * **Kuikae cannot be allowed.** The engine has a rule for it, lists calls by that rule, and
//!   accepts discards from records by it; in its own game it forbids the discards anyway. So games
//!   are compared with kuikae forbidden, as both houses have it.

use std::collections::BTreeMap;

use riichi::game::RiichiGame;
use riichi::rng::Rng;
use riichi::rules::Length;
use riichi::{Action, Event, Rules, Seat, Tile};

use crate::choice::Style;
use crate::games;
use crate::peer::Peer;

/// Counts of situations in the games.
pub(crate) type Seen = BTreeMap<String, u64>;

fn name(of: &impl std::fmt::Debug) -> String {
    let name = format!("{of:?}");
    name.split([' ', '(', '{'])
        .next()
        .unwrap_or_default()
        .to_owned()
}

/// The sort of an event, draws distinguished.
fn sort(event: &Event) -> String {
    match event {
        Event::Ryukyoku {
            reason: Some(reason),
            ..
        } => name(reason),
        _ => name(event),
    }
}

/// An event in a form without the order of the own tiles of a seat.
pub(crate) fn in_order(mut event: Event) -> Event {
    match &mut event {
        Event::StartKyoku(start) => {
            start
                .tehais
                .iter_mut()
                .for_each(|(_, hand)| hand.iter_mut().for_each(|hand| hand.sort_unstable()));
        }
        Event::Chi { consumed, .. } | Event::Pon { consumed, .. } => consumed.sort_unstable(),
        Event::Daiminkan { consumed, .. } | Event::Kakan { consumed, .. } => {
            consumed.sort_unstable()
        }
        Event::Ankan { consumed, .. } => consumed.sort_unstable(),
        // RiichiLab sends no scores at the end.
        Event::EndGame { scores } => *scores = None,
        _ => {}
    }
    event
}

fn sorted(mut actions: Vec<Action>) -> Vec<String> {
    let mut names: Vec<String> = actions
        .drain(..)
        .map(|action| format!("{action:?}"))
        .collect();
    names.sort_unstable();
    names
}

/// A game on both sides.
pub(crate) struct EngineComparison {
    /// Which, for messages.
    name: String,
    ours: RiichiGame,
    theirs: Peer,
    events: usize,
    /// A closed kan that the engine has not announced yet.
    untold: Option<Event>,
}

impl EngineComparison {
    /// A whole game on the engine's walls.
    fn of_game(rules: Rules, number: u64) -> Self {
        let seed = Rng::keyed(&[number, u64::from(rules.players), rules.preset as u64]).next_u64();
        let theirs = Peer::new(&rules, seed, false);
        let ours = RiichiGame::with_wall(rules, &theirs.wall()).expect("the engine's wall is one");
        Self {
            name: format!("{rules:?}, game {number}"),
            ours,
            theirs,
            events: 0,
            untold: None,
        }
    }

    /// A first round on this wall; its deal is not compared.
    pub(crate) fn of_round(name: &str, rules: Rules, wall: &[Tile]) -> Self {
        let ours = RiichiGame::with_wall(rules, wall).expect("a wall");
        let theirs = Peer::with_wall(&rules, wall);
        Self {
            name: format!("{name}, {:?}", rules.preset),
            ours,
            theirs,
            events: 0,
            untold: None,
        }
    }

    fn at(&self) -> String {
        format!("{}, event {}", self.name, self.events)
    }

    /// Compares the events of the last step.
    fn events(&mut self, seen: &mut Seen) {
        let mut ours = self.ours.events().to_vec();
        if self.ours.awaits_wall() {
            self.ours
                .deal(&self.theirs.wall())
                .expect("the engine's wall is one");
            ours.extend(self.ours.events());
        }
        let theirs: Vec<Event> = self.theirs.events().into_iter().map(in_order).collect();
        let mut ours: Vec<Event> = ours.into_iter().map(in_order).collect();
        // A robbed kan is never announced.
        if let Some(kan) = self.untold.take().filter(|kan| theirs.first() == Some(kan)) {
            ours.insert(0, kan);
        }
        if let (&[kan @ Event::Ankan { .. }], []) = (ours.as_slice(), theirs.as_slice()) {
            *seen
                .entry("closed kan announced too late".to_owned())
                .or_default() += 1;
            self.untold = Some(kan);
            return;
        }
        assert_eq!(ours, theirs, "{}", self.at());
        for event in &ours {
            *seen.entry(sort(event)).or_default() += 1;
        }
        self.events += ours.len();
    }

    /// Compares the asked seats and their legal actions; returns the answers.
    fn requests(
        &self,
        mut choose: impl FnMut(&RiichiGame, Seat, &[Action]) -> Action,
    ) -> Vec<(Seat, Action)> {
        let asked = self.ours.asked();
        assert_eq!(asked.as_slice(), self.theirs.asked(), "{}", self.at());
        let mut moves = Vec::new();
        for seat in asked {
            let legal = self.ours.legal_actions(seat);
            let (theirs, riichi) = self.theirs.legal(seat);
            let is_riichi = |action: &Action| matches!(action, Action::Reach { .. });
            assert_eq!(legal.iter().any(is_riichi), riichi, "{}", self.at());
            let ours = legal
                .iter()
                .copied()
                .filter(|action| !is_riichi(action))
                .collect();
            assert_eq!(sorted(ours), sorted(theirs), "seat {seat} of {}", self.at());
            moves.push((seat, choose(&self.ours, seat, &legal)));
        }
        moves
    }

    /// Has the seats that are asked choose, and compares what follows.
    pub(crate) fn play_on(
        &mut self,
        choose: impl FnMut(&RiichiGame, Seat, &[Action]) -> Action,
        seen: &mut Seen,
    ) {
        let moves = self.requests(choose);
        for (_, action) in &moves {
            *seen.entry(format!("to {}", name(action))).or_default() += 1;
        }
        self.step(&moves);
        self.events(seen);
        assert_eq!(
            self.ours.scores().as_slice(),
            self.theirs.scores(),
            "{}",
            self.at()
        );
    }

    fn step(&mut self, moves: &[(Seat, Action)]) {
        self.theirs.step(moves);
        if let &[(seat, Action::Reach { tile, tsumogiri })] = moves {
            let legal = self.ours.legal_actions(seat);
            let discards = legal.iter().filter_map(|action| match *action {
                Action::Reach { tile, tsumogiri } => Some(Action::Dahai { tile, tsumogiri }),
                _ => None,
            });
            assert_eq!(
                sorted(discards.collect()),
                sorted(self.theirs.legal(seat).0),
                "riichi in {}",
                self.at()
            );
            self.theirs
                .step(&[(seat, Action::Dahai { tile, tsumogiri })]);
        }
        for &(seat, action) in moves {
            self.ours.answer(seat, action).expect("it is legal");
        }
    }
}

fn play(rules: Rules, number: u64, seen: &mut Seen) {
    let mut comparison = EngineComparison::of_game(rules, number);
    let style = Style::of_game(number);
    let mut rng = Rng::keyed(&[number, 1]);
    comparison.events(seen);
    while !comparison.ours.is_over() {
        comparison.play_on(
            |game, seat, legal| style.choose(game, seat, legal, &mut rng),
            seen,
        );
    }
    assert!(comparison.theirs.is_over(), "{}", comparison.at());
}

fn compare(rules: Rules, default: u64) {
    let mut seen = Seen::new();
    let games = games(default);
    for number in games.clone() {
        play(rules, number, &mut seen);
    }
    eprintln!(
        "{:?}, {:?}, {} players, games {games:?}: {seen:?}",
        rules.preset, rules.length, rules.players
    );
}

#[test]
fn against_the_engine_by_tenhous_rules() {
    compare(Rules::TENHOU_HALF, 70);
}

#[test]
fn against_the_engine_by_mahjong_souls_rules() {
    compare(Rules::MAHJONG_SOUL_HALF, 70);
}

#[test]
fn against_the_engine_with_three_players() {
    compare(Rules::TENHOU_HALF.with_players(3), 30);
    compare(Rules::MAHJONG_SOUL_HALF.with_players(3), 30);
}

/// Every other rule that the engine supports as well, except kuikae.
#[test]
fn other_choices_against_the_engine() {
    let (tenhou, soul) = (Rules::TENHOU_HALF, Rules::MAHJONG_SOUL_HALF);
    for rules in [
        Rules {
            triple_ron_is_draw: false,
            ron_on_ankan_by_kokushi: true,
            ..tenhou
        },
        Rules {
            triple_ron_is_draw: true,
            ron_on_ankan_by_kokushi: false,
            ..soul
        },
        tenhou.with_length(Length::East),
        soul.with_length(Length::Single),
        tenhou.with_players(3).with_length(Length::East),
        soul.with_players(3).with_length(Length::Single),
    ] {
        compare(rules, 4);
    }
}
