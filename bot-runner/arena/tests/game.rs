//! The game without sockets: what goes out, what replies lead to, how time runs.

use std::collections::{BTreeSet, HashMap, HashSet};

use arena::{ArenaPlayer, FrameGame, GameSetup, Outgoing, SeatAckCounts, TimeControl};
use protocol::riichilab::{
    AckStatus, ActionAck, RequestAction, ServerFrame, parse_frame, parse_observation,
};
use protocol::{ActionKind, Parsed, PossibleAction, parse_event};
use riichi::rules::{Length, Preset};
use riichi::{Event, PerSeat, Seat, Tile};
use riichienv_core::action::{Action, ActionType};
use riichienv_core::observation::Observation;
use riichienv_core::observation_3p::Observation3P;
use riichienv_core::types::{Meld, MeldType};

fn seat(number: u8) -> Seat {
    Seat::new(number).unwrap()
}

fn setup(seed: u64, number: u64, clients: &[u8]) -> GameSetup {
    let players = PerSeat::from_fn(4, |seat| {
        let client = clients.contains(&(seat.index() as u8));
        (
            if client {
                ArenaPlayer::Client
            } else {
                ArenaPlayer::BuiltIn
            },
            format!("player {seat}"),
        )
    });
    let time = TimeControl::default();
    GameSetup {
        seed,
        number,
        length: Length::East,
        preset: Preset::Tenhou,
        time,
        players,
    }
}

/// A game of this many clients.
fn setup_for(players: u8, seed: u64, number: u64) -> GameSetup {
    let players = PerSeat::from_fn(players, |seat| {
        (ArenaPlayer::Client, format!("player {seat}"))
    });
    GameSetup {
        players,
        ..setup(seed, number, &[])
    }
}

fn game(seed: u64, clients: &[u8]) -> FrameGame {
    FrameGame::new(setup(seed, 1, clients)).unwrap()
}

/// Takes what the game sends and plays on until a client is asked or the game is over.
fn until_asked(game: &mut FrameGame) -> Vec<Outgoing> {
    let mut frames = Vec::new();
    loop {
        frames.extend(std::iter::from_fn(|| game.outgoing()));
        if game.waits() || game.is_over() {
            return frames;
        }
        game.step().unwrap();
    }
}

fn request(frame: &Outgoing) -> Option<RequestAction<'_>> {
    match parse_frame(&frame.text).unwrap() {
        ServerFrame::Request(request) => Some(request),
        _ => None,
    }
}

fn event(frame: &Outgoing) -> Option<Event> {
    match parse_frame(&frame.text).unwrap() {
        ServerFrame::Event(event) => Some(event),
        _ => None,
    }
}

/// The request that is open for a seat among the frames just sent.
fn open(frames: &[Outgoing], of: u8) -> RequestAction<'_> {
    frames
        .iter()
        .filter(|frame| frame.seat == seat(of))
        .find_map(request)
        .expect("the seat is asked")
}

/// The acks of one seat among the frames.
fn acks(frames: &[Outgoing], of: u8) -> Vec<ActionAck<'_>> {
    let ours = frames.iter().filter(|frame| frame.seat == seat(of));
    ours.filter_map(|frame| match parse_frame(&frame.text).unwrap() {
        ServerFrame::Ack(ack) => Some(ack),
        _ => None,
    })
    .collect()
}

/// The reply that repeats an entry of the list.
fn repeat(entry: &PossibleAction, request_id: u64) -> String {
    let mut reply = serde_json::to_value(entry).unwrap();
    reply["request_id"] = request_id.into();
    reply.to_string()
}

/// Passes every claim and discards the last tile listed.
fn harmless(request: &RequestAction<'_>) -> String {
    let list = request.possible_actions.as_ref().unwrap();
    let find = |kind| list.iter().rfind(|entry| entry.kind == kind);
    repeat(
        find(ActionKind::None)
            .or_else(|| find(ActionKind::Dahai))
            .unwrap(),
        request.request_id,
    )
}

/// Plays a whole game with the replies of `answer`; returns all frames.
fn play(
    game: &mut FrameGame,
    mut answer: impl FnMut(Seat, &RequestAction<'_>) -> String,
) -> Vec<Outgoing> {
    let mut all = Vec::new();
    while !game.is_over() {
        let frames = until_asked(game);
        for frame in &frames {
            if let Some(request) = request(frame) {
                game.receive(frame.seat, &answer(frame.seat, &request), 0);
            }
        }
        all.extend(frames);
    }
    all
}

/// Chooses at random, and calls, kans and riichi more often than not.
fn explore(rng: &mut fastrand::Rng, request: &RequestAction<'_>) -> String {
    let list = request.possible_actions.as_ref().unwrap();
    let rare: Vec<_> = list
        .iter()
        .filter(|e| !matches!(e.kind, ActionKind::Dahai | ActionKind::None))
        .collect();
    let entry = if !rare.is_empty() && rng.u8(..) < 180 {
        rare[rng.usize(..rare.len())]
    } else {
        &list[rng.usize(..list.len())]
    };
    repeat(entry, request.request_id)
}

fn events(record: &[String]) -> Vec<Event> {
    let event = |line: &String| match parse_event(line) {
        Ok(Parsed::Event(event)) => event,
        other => panic!("{line}: {other:?}"),
    };
    record.iter().map(event).collect()
}

/// The hands dealt in all rounds of a record.
fn dealt(record: &[String]) -> HashSet<Vec<Tile>> {
    let mut hands = HashSet::new();
    for event in events(record) {
        if let Event::StartKyoku(start) = event {
            hands.extend(start.tehais.iter().map(|(_, hand)| hand.unwrap().to_vec()));
        }
    }
    hands
}

#[test]
fn a_game_of_built_in_bots_runs_to_its_end() {
    let mut game = game(1, &[]);
    let frames = until_asked(&mut game);
    assert!(game.is_over() && frames.is_empty());
    let events = events(game.record());
    assert_eq!(events.first(), Some(&Event::StartGame { seat: None }));
    let final_scores: Vec<i32> = game.results().iter().map(|seat| seat.score).collect();
    assert_eq!(
        events.last(),
        Some(&Event::EndGame {
            scores: PerSeat::from_slice(&final_scores)
        })
    );
    assert!(
        events
            .iter()
            .filter(|event| matches!(event, Event::StartKyoku(_)))
            .count()
            >= 4
    );
    let results = game.results();
    assert_eq!(results.iter().map(|seat| seat.score).sum::<i32>(), 100_000);
    assert_eq!(
        results
            .iter()
            .map(|seat| seat.rank)
            .collect::<BTreeSet<_>>(),
        BTreeSet::from([1, 2, 3, 4])
    );
    assert_eq!(results[0].name, "player 0");
    assert!(game.record()[0].contains(r#""names":["player 0","player 1","player 2","player 3"]"#));
}

#[test]
fn the_same_seed_and_number_give_the_same_game_and_other_numbers_other_walls() {
    let record = |seed, number| {
        let mut game = FrameGame::new(setup(seed, number, &[])).unwrap();
        until_asked(&mut game);
        game.record().to_vec()
    };
    assert_eq!(record(5, 1), record(5, 1));
    let all = [
        record(5, 1),
        record(6, 1),
        record(5, 2),
        record(6, 2),
        record(4, 1),
    ];
    let hands: Vec<_> = all.iter().map(|record| dealt(record)).collect();
    for (number, one) in hands.iter().enumerate() {
        for other in &hands[number + 1..] {
            assert!(one.is_disjoint(other), "neighbouring seeds share no wall");
        }
    }
}

#[test]
fn a_seat_sees_its_own_tiles_alone_and_hears_its_seat_at_the_start() {
    let mut game = game(2, &[0, 2]);
    let frames = play(&mut game, |_, request| harmless(request));
    for us in [seat(0), seat(2)] {
        let ours: Vec<Event> = frames
            .iter()
            .filter(|frame| frame.seat == us)
            .filter_map(event)
            .collect();
        let all = events(game.record());
        assert_eq!(ours.len(), all.len(), "every event reaches every seat");
        assert_eq!(ours[0], Event::StartGame { seat: Some(us) });
        let last = all.len() - 1;
        for (ours, all) in ours[1..last].iter().zip(&all[1..last]) {
            assert_eq!(*ours, all.masked_for(us));
        }
        assert_eq!(ours[last], Event::EndGame { scores: None });
    }
    let start = frames.iter().find(|frame| frame.seat == seat(2)).unwrap();
    assert_eq!(start.text, r#"{"id":2,"type":"start_game"}"#);
    assert!(
        frames
            .iter()
            .any(|frame| frame.text == r#"{"type":"end_game"}"#),
        "the end has no scores"
    );
}

#[test]
fn whatever_is_listed_is_accepted_when_it_is_repeated() {
    let mut rng = fastrand::Rng::with_seed(7);
    let mut seen = HashSet::new();
    for (number, preset) in (1..=30).zip([Preset::Tenhou, Preset::MahjongSoul].into_iter().cycle())
    {
        let mut game = FrameGame::new(GameSetup {
            preset,
            ..setup(3, number, &[0, 1, 2, 3])
        })
        .unwrap();
        play(&mut game, |_, request| explore(&mut rng, request));
        for result in game.results() {
            let accepted = SeatAckCounts {
                accepted: result.requests,
                ..SeatAckCounts::default()
            };
            assert_eq!(
                (result.acks, result.chombo, result.dropped),
                (accepted, 0, false)
            );
        }
        seen.extend(events(game.record()).iter().map(std::mem::discriminant));
    }
    // All but kita, which belongs to three players.
    assert_eq!(seen.len(), 16);
}

#[test]
fn every_request_and_its_observation_can_be_read_in_full() {
    let mut rng = fastrand::Rng::with_seed(8);
    let mut game = game(3, &[0, 1, 2, 3]);
    play(&mut game, |asked, request| {
        assert_eq!(request.warnings, []);
        let read = parse_observation(request.observation.as_ref().unwrap()).unwrap();
        let listed = request
            .possible_actions
            .as_ref()
            .unwrap()
            .iter()
            .map(|entry| entry.kind);
        assert!(
            listed.eq(read
                .legal_actions
                .as_ref()
                .unwrap()
                .iter()
                .map(|action| action.kind))
        );
        assert_eq!(read.seat, Some(asked));
        assert!(
            read.hands.is_some()
                && read.melds.is_some()
                && read.discards.is_some()
                && read.scores.is_some()
        );
        assert!(
            read.dora_indicators.is_some()
                && read.riichi_declared.is_some()
                && read.events.is_some()
        );
        assert!(read.riichi_tiles.is_some());
        assert!(read.honba.is_some() && read.riichi_sticks.is_some() && read.round_wind.is_some());
        assert!(read.oya.is_some() && read.kyoku_index.is_some() && read.waits.is_some());
        assert!(
            read.is_tenpai.is_some()
                && read.tsumogiri_flags.is_some()
                && read.forced_tedashi.is_some()
        );
        explore(&mut rng, request)
    });
}

/// What RiichiEnv, the engine of the public arena, reads in an observation; bots written for it
/// read it so too.
struct EngineView {
    seat: usize,
    hands: Vec<Vec<u32>>,
    melds: Vec<Vec<Meld>>,
    rivers: Vec<Vec<u32>>,
    dora_indicators: Vec<u32>,
    /// Whether the seat declared riichi in an earlier turn.
    in_riichi: bool,
    actions: Vec<Action>,
    last_discard: Option<u32>,
    drawn: Option<u8>,
}

impl EngineView {
    fn read(base64: &str, players: u8) -> Self {
        macro_rules! view {
            ($kind:ty, $action:expr) => {{
                let read = <$kind>::deserialize_from_base64(base64).unwrap();
                Self {
                    seat: read.player_id.into(),
                    actions: read
                        .legal_actions_method()
                        .into_iter()
                        .map($action)
                        .collect(),
                    hands: read.hands.to_vec(),
                    melds: read.melds.to_vec(),
                    rivers: read.discards.to_vec(),
                    dora_indicators: read.dora_indicators,
                    in_riichi: read.riichi_sutehais[usize::from(read.player_id)].is_some(),
                    last_discard: read.last_discard,
                    drawn: read.drawn_tile,
                }
            }};
        }
        if players == 3 {
            view!(Observation3P, |action| action.0)
        } else {
            view!(Observation, |action| action)
        }
    }

    /// Asserts that a number stands for one tile: only a called tile is in two places, its river
    /// and its meld.
    fn assert_tiles(&self) {
        let melded = self.melds.iter().flatten().flat_map(|meld| {
            let called = meld.called_tile;
            assert_eq!(
                called.is_some(),
                meld.meld_type != MeldType::Ankan,
                "{meld:?}"
            );
            let river = meld
                .from_who
                .try_into()
                .ok()
                .map(|from: usize| &self.rivers[from]);
            assert!(
                called.is_none_or(|tile| river.unwrap().contains(&tile.into())),
                "{meld:?}"
            );
            meld.tiles
                .iter()
                .copied()
                .filter(move |&tile| Some(tile) != called)
                .map(u32::from)
        });
        let lists = [&self.hands[self.seat], &self.dora_indicators];
        let mut seen: Vec<u32> = lists
            .into_iter()
            .chain(&self.rivers)
            .flatten()
            .copied()
            .chain(melded)
            .collect();
        seen.sort_unstable();
        assert!(
            seen.windows(2).all(|pair| pair[0] < pair[1]),
            "each number once: {seen:?}"
        );
    }

    /// Asserts that the actions use the tiles that the engine's own actions use.
    fn assert_actions(&self) {
        let hand = &self.hands[self.seat];
        let own = |tile: u8| hand.contains(&tile.into());
        let count = |wanted| {
            self.actions
                .iter()
                .filter(|action| action.action_type == wanted)
                .count()
        };
        let mut discards: Vec<u8> = Vec::new();
        for action in &self.actions {
            assert_eq!(action.actor.map(usize::from), Some(self.seat));
            let (tile, consumed) = (action.tile, &action.consume_tiles);
            assert!(
                consumed.windows(2).all(|pair| pair[0] < pair[1]),
                "in order, each once: {action:?}"
            );
            match action.action_type {
                ActionType::Discard => discards.push(tile.unwrap()),
                ActionType::Tsumo => assert_eq!(tile, self.drawn),
                ActionType::Chi | ActionType::Pon | ActionType::Daiminkan => {
                    assert!(consumed.iter().all(|&tile| own(tile)), "{action:?}");
                    assert_eq!(tile.map(u32::from), self.last_discard);
                }
                ActionType::Ankan => {
                    let lowest = consumed[0] / 4 * 4;
                    assert_eq!(
                        (tile, consumed),
                        (Some(lowest), &(lowest..lowest + 4).collect())
                    );
                    assert!(consumed.iter().all(|&tile| own(tile)), "{action:?}");
                }
                ActionType::Kakan => {
                    assert!(own(tile.unwrap()), "{action:?}");
                    let mut pons = self.melds[self.seat]
                        .iter()
                        .filter(|meld| meld.meld_type == MeldType::Pon);
                    let pon = pons.find(|meld| meld.tiles[0] / 4 == tile.unwrap() / 4);
                    assert_eq!(consumed, &pon.unwrap().tiles, "{action:?}");
                }
                ActionType::Kita if self.in_riichi => assert_eq!(tile, self.drawn),
                ActionType::Kita => assert!(own(tile.unwrap()), "{action:?}"),
                ActionType::Ron => assert!(!own(tile.unwrap()), "{action:?}"),
                ActionType::Riichi | ActionType::KyushuKyuhai | ActionType::Pass => {
                    assert_eq!(tile, None)
                }
            }
            if !matches!(
                action.action_type,
                ActionType::Chi
                    | ActionType::Pon
                    | ActionType::Daiminkan
                    | ActionType::Ankan
                    | ActionType::Kakan
            ) {
                assert_eq!(consumed, &[0; 0], "{action:?}");
            }
        }
        match discards.as_slice() {
            [tile] if self.in_riichi => assert_eq!(Some(*tile), self.drawn),
            _ => assert!(!self.in_riichi || discards.is_empty(), "{discards:?}"),
        }
        assert!(discards.iter().all(|&tile| own(tile)), "{discards:?}");
        discards.sort_unstable();
        discards.dedup();
        assert_eq!(
            discards.len(),
            count(ActionType::Discard),
            "a tile is listed once"
        );
    }
}

#[test]
fn every_observation_is_one_of_the_engine_of_the_public_arena() {
    for players in [4, 3] {
        let mut rng = fastrand::Rng::with_seed(9);
        let mut listed = HashMap::new();
        for number in 1..=20 {
            let mut game = FrameGame::new(setup_for(players, 3, number)).unwrap();
            play(&mut game, |asked, request| {
                let view = EngineView::read(request.observation.as_ref().unwrap(), players);
                assert_eq!(view.seat, asked.index());
                assert_eq!(
                    view.actions.len(),
                    request.possible_actions.as_ref().unwrap().len()
                );
                view.assert_tiles();
                view.assert_actions();
                for action in &view.actions {
                    *listed.entry(action.action_type).or_insert(0) += 1;
                }
                explore(&mut rng, request)
            });
        }
        // Everything but chi, which three players do not have, and kita, which four do not have.
        assert_eq!(listed.len(), 11, "{players}: {listed:?}");
        assert!(listed[&ActionType::Kakan] > 20, "{players}: {listed:?}");
    }
}

#[test]
fn request_ids_start_at_one_and_grow_with_gaps_because_all_seats_share_them() {
    let mut game = game(4, &[1]);
    let frames = play(&mut game, |_, request| harmless(request));
    let ids: Vec<u64> = frames
        .iter()
        .filter_map(request)
        .map(|request| request.request_id)
        .collect();
    assert!(ids.windows(2).all(|pair| pair[0] < pair[1]));
    assert!(ids.windows(2).any(|pair| pair[1] > pair[0] + 1));
    let mut dealer = self::game(4, &[0]);
    assert_eq!(open(&until_asked(&mut dealer), 0).request_id, 1);
}

#[test]
fn a_request_lists_the_hand_and_carries_the_observation_of_its_seat() {
    let mut game = game(5, &[0]);
    let frames = until_asked(&mut game);
    let request = open(&frames, 0);
    assert_eq!(request.warnings, []);
    let discards = request.possible_actions.unwrap();
    assert_eq!(
        discards
            .iter()
            .filter(|entry| entry.kind == ActionKind::Dahai)
            .count(),
        14,
        "one for each tile"
    );
    let observation = parse_observation(&request.observation.unwrap()).unwrap();
    assert_eq!(observation.seat, Some(seat(0)));
    assert_eq!(observation.legal_actions.unwrap().len(), discards.len());
    let hand = &observation.hands.unwrap()[0];
    let Some(Event::StartKyoku(start)) = event(&frames[1]) else {
        panic!("{}", frames[1].text)
    };
    assert!(
        start.tehais[seat(0)]
            .unwrap()
            .iter()
            .all(|tile| hand.contains(tile))
    );
}

#[test]
fn time_beyond_the_grace_is_taken_from_the_bank() {
    for (elapsed, consumed, left) in [
        (850, 0, 15_000),
        (3_000, 0, 15_000),
        (4_000, 1_000, 14_000),
        (99_000, 15_000, 0),
    ] {
        let mut game = game(6, &[0]);
        let frames = until_asked(&mut game);
        let first = open(&frames, 0);
        let time = first.time.unwrap();
        assert_eq!(
            (time.grace_ms, time.bank_ms, time.deadline_ms),
            (Some(3_000), Some(15_000), Some(18_000))
        );
        game.receive(seat(0), &harmless(&first), elapsed);
        let next = until_asked(&mut game);
        let ack = &acks(&next, 0)[0];
        assert_eq!(ack.status, AckStatus::Accepted);
        assert_eq!(
            (ack.request_id, ack.elapsed_ms),
            (Some(first.request_id), Some(elapsed))
        );
        assert_eq!(
            (ack.bank_consumed_ms, ack.bank_ms),
            (Some(consumed), Some(left))
        );
        assert_eq!(open(&next, 0).time.unwrap().deadline_ms, Some(3_000 + left));
    }
}

#[test]
fn the_bank_is_full_again_in_every_round() {
    let mut game = game(6, &[0]);
    let mut banks = Vec::new();
    while !game.is_over() {
        let frames = until_asked(&mut game);
        for frame in &frames {
            match parse_frame(&frame.text).unwrap() {
                ServerFrame::Event(Event::StartKyoku(_)) => banks.push(Vec::new()),
                ServerFrame::Request(request) => {
                    banks
                        .last_mut()
                        .unwrap()
                        .push(request.time.unwrap().bank_ms.unwrap());
                    game.receive(seat(0), &harmless(&request), 4_000);
                }
                _ => {}
            }
        }
    }
    assert!(banks.len() >= 4);
    for bank in banks {
        assert!(
            bank.iter()
                .zip(
                    (0..=15_000)
                        .rev()
                        .step_by(1_000)
                        .chain(std::iter::repeat(0))
                )
                .all(|(a, b)| *a == b)
        );
    }
}

#[test]
fn when_the_time_is_up_the_drawn_tile_goes_and_the_late_answer_is_stale() {
    let mut game = game(8, &[0]);
    let frames = until_asked(&mut game);
    let first = open(&frames, 0);
    let Some(Event::Tsumo {
        tile: Some(drawn), ..
    }) = frames.iter().filter_map(event).next_back()
    else {
        panic!()
    };
    game.time_out(seat(0), 18_001);
    game.receive(seat(0), &harmless(&first), 18_002);
    let next = until_asked(&mut game);
    let acks = acks(&next, 0);
    assert_eq!(
        acks.iter().map(|ack| &ack.status).collect::<Vec<_>>(),
        [&AckStatus::Defaulted, &AckStatus::Stale]
    );
    assert!(
        acks.iter()
            .all(|ack| ack.request_id == Some(first.request_id))
    );
    assert_eq!(
        (
            acks[0].bank_consumed_ms,
            acks[0].bank_ms,
            acks[0].elapsed_ms
        ),
        (Some(15_000), Some(0), Some(18_001))
    );
    let played = acks[0].action.as_ref().unwrap();
    assert_eq!(
        (played.kind, played.pai, played.tsumogiri),
        (ActionKind::Dahai, Some(drawn), Some(true))
    );
    assert!(next.iter().filter_map(event).any(|e| e
        == Event::Dahai {
            actor: seat(0),
            tile: drawn,
            tsumogiri: true
        }));
    assert_eq!(open(&next, 0).time.unwrap().deadline_ms, Some(3_000));
    assert_eq!(game.results()[0].chombo, 0, "time costs no points");
}

#[test]
fn when_the_time_is_up_a_claim_is_passed() {
    let mut game = game(9, &[0, 1, 2, 3]);
    loop {
        let frames = until_asked(&mut game);
        assert!(!game.is_over(), "a seat could have called");
        let claim = frames.iter().find(|f| {
            request(f).is_some_and(|r| {
                r.possible_actions.unwrap().last().unwrap().kind == ActionKind::None
            })
        });
        if let Some(claim) = claim {
            game.time_out(claim.seat, 18_000);
            let ack = game.outgoing().unwrap();
            let ServerFrame::Ack(ack) = parse_frame(&ack.text).unwrap() else {
                panic!()
            };
            assert_eq!(ack.action.unwrap().kind, ActionKind::None);
            return;
        }
        for frame in &frames {
            if let Some(request) = request(frame) {
                game.receive(frame.seat, &harmless(&request), 0);
            }
        }
    }
}

/// Plays a game in which one seat's first reply is replaced; returns the frames up to the next
/// round.
fn with_first_reply(
    us: u8,
    reply: impl Fn(&RequestAction<'_>) -> String,
) -> (FrameGame, Vec<Outgoing>) {
    let mut game = game(10, &[us]);
    let frames = until_asked(&mut game);
    let first = open(&frames, us);
    game.receive(seat(us), &reply(&first), 10);
    let next = until_asked(&mut game);
    (game, next)
}

fn deltas(frames: &[Outgoing]) -> Vec<i32> {
    let end = frames
        .iter()
        .filter_map(event)
        .find_map(|event| match event {
            Event::Ryukyoku { deltas, .. } => deltas,
            _ => None,
        });
    end.map(|deltas| deltas.as_slice().to_vec())
        .unwrap_or_default()
}

#[test]
fn an_illegal_action_is_rejected_and_costs_the_dealer_a_mangan_and_the_round_is_repeated() {
    let (game, frames) = with_first_reply(0, |first| {
        format!(r#"{{"request_id":{},"type":"hora"}}"#, first.request_id)
    });
    let ack = &acks(&frames, 0)[0];
    assert_eq!(
        (&ack.status, ack.reason.as_deref()),
        (&AckStatus::Rejected, Some("illegal action: hora"))
    );
    assert_eq!(ack.legal_types, ["dahai"]);
    assert_eq!(ack.attempted, Some(r#"{"request_id":1,"type":"hora"}"#));
    assert_eq!(deltas(&frames), [-12_000, 4_000, 4_000, 4_000]);
    assert!(
        frames
            .iter()
            .any(|frame| frame.text.contains("Error: Illegal Action by Player 0"))
    );
    let next = frames
        .iter()
        .filter_map(event)
        .find_map(|event| match event {
            Event::StartKyoku(start) => Some(start),
            _ => None,
        });
    let next = next.expect("the game goes on");
    assert_eq!((next.oya, next.kyoku, next.honba), (seat(0), 1, 1));
    assert_eq!(
        next.scores.unwrap().as_slice(),
        [13_000, 29_000, 29_000, 29_000]
    );
    assert_eq!(
        (game.results()[0].chombo, game.results()[0].acks.rejected),
        (1, 1)
    );
}

#[test]
fn an_illegal_action_of_another_seat_pays_the_dealer_twice() {
    let (game, frames) = with_first_reply(2, |first| {
        format!(r#"{{"request_id":{},"type":"kita"}}"#, first.request_id)
    });
    assert_eq!(acks(&frames, 2)[0].status, AckStatus::Rejected);
    assert_eq!(deltas(&frames), [4_000, 2_000, -8_000, 2_000]);
    assert_eq!(game.results()[2].chombo, 1);
}

#[test]
fn a_message_that_is_no_action_costs_as_much() {
    for message in [
        "{",
        "hora",
        r#"{"type":"start_game"}"#,
        r#"{"type":"dahai","pai":5}"#,
        "",
    ] {
        let (game, frames) = with_first_reply(0, |_| message.to_owned());
        assert_eq!(
            acks(&frames, 0)[0].status,
            AckStatus::Unparseable,
            "{message}"
        );
        assert_eq!(deltas(&frames), [-12_000, 4_000, 4_000, 4_000]);
        assert_eq!(
            (game.results()[0].chombo, game.results()[0].acks.unparseable),
            (1, 1)
        );
    }
}

#[test]
fn a_message_that_is_no_action_costs_nothing_while_no_reply_is_awaited() {
    let mut game = game(10, &[0, 1]);
    let frames = until_asked(&mut game);
    game.receive(seat(1), "nonsense", 0);
    game.receive_unreadable(seat(1), "binary message", 0);
    game.receive(seat(0), &harmless(&open(&frames, 0)), 0);
    let next = until_asked(&mut game);
    assert_eq!(acks(&next, 1).len(), 2);
    assert!(deltas(&next).is_empty());
    assert_eq!(game.results()[1].chombo, 0);
}

#[test]
fn a_reply_to_another_request_is_stale_and_changes_nothing() {
    let mut game = game(11, &[0]);
    let frames = until_asked(&mut game);
    game.receive(seat(0), &harmless(&open(&frames, 0)), 0);
    let frames = until_asked(&mut game);
    let second = open(&frames, 0);
    for (id, reason) in [
        (1, None),
        (0, None),
        (9_999, Some("unknown request_id")),
        (-1, Some("unknown request_id")),
    ] {
        game.receive(
            seat(0),
            &format!(r#"{{"request_id":{id},"type":"hora"}}"#),
            0,
        );
        let sent = [game.outgoing().unwrap()];
        let ack = &acks(&sent, 0)[0];
        assert_eq!(
            (&ack.status, ack.reason.as_deref()),
            (&AckStatus::Stale, reason)
        );
        assert!(game.waits_for(seat(0)));
    }
    game.receive(seat(0), &harmless(&second), 0);
    assert_eq!(
        acks(&until_asked(&mut game), 0)[0].status,
        AckStatus::Accepted
    );
    assert_eq!(game.results()[0].acks.stale, 4);
}

#[test]
fn a_reply_without_an_id_answers_the_open_request_or_the_next_one() {
    let mut game = game(12, &[0]);
    let without_id = |reply: String| {
        let mut reply: serde_json::Value = serde_json::from_str(&reply).unwrap();
        reply.as_object_mut().unwrap().remove("request_id");
        reply.to_string()
    };
    let frames = until_asked(&mut game);
    game.receive(seat(0), &without_id(harmless(&open(&frames, 0))), 0);
    game.receive(seat(0), r#"{"type":"dahai"}"#, 0);
    let next = until_asked(&mut game);
    let statuses: Vec<_> = acks(&next, 0)
        .into_iter()
        .map(|ack| (ack.request_id, ack.status))
        .collect();
    let second = next.iter().filter_map(request).next().unwrap().request_id;
    assert_eq!(
        statuses,
        [
            (Some(1), AckStatus::Accepted),
            (Some(second), AckStatus::Accepted)
        ]
    );
}

#[test]
fn a_dropped_seat_is_played_by_defaults_and_hears_nothing_more() {
    let mut game = game(13, &[0, 1]);
    let frames = until_asked(&mut game);
    assert!(game.waits_for(seat(0)));
    let before = frames.len();
    game.drop_seat(seat(0));
    let frames = play(&mut game, |asked, request| {
        assert_eq!(asked, seat(1));
        harmless(request)
    });
    assert!(before > 0 && frames.iter().all(|frame| frame.seat == seat(1)));
    let result = &game.results()[0];
    assert!(result.dropped && result.chombo == 0 && result.acks == SeatAckCounts::default());
    let players: Vec<_> = game.results().iter().map(|seat| seat.player).collect();
    assert_eq!(
        players,
        [
            ArenaPlayer::Client,
            ArenaPlayer::Client,
            ArenaPlayer::BuiltIn,
            ArenaPlayer::BuiltIn
        ],
        "a client stays one"
    );
    let discards = events(game.record())
        .into_iter()
        .filter_map(|event| match event {
            Event::Dahai {
                actor, tsumogiri, ..
            } if actor == seat(0) => Some(tsumogiri),
            _ => None,
        });
    assert!(discards.into_iter().all(|tsumogiri| tsumogiri));
}

#[test]
fn nothing_counts_after_the_end() {
    let mut game = game(14, &[0]);
    play(&mut game, |_, request| harmless(request));
    let before = game.results();
    game.receive(seat(0), "nonsense", 0);
    game.receive(seat(0), r#"{"type":"none","request_id":1}"#, 0);
    game.time_out(seat(0), 0);
    game.drop_seat(seat(0));
    game.step().unwrap();
    assert_eq!(game.results(), before);
    assert_eq!(game.outgoing(), None);
}
