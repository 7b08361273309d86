//! Whole games on the local arena by seats that try everything: at every request, the session's
//! list of legal actions equals the arena's and its table equals the arena's observation; a request
//! comes whenever a session has a claim.
//!
//! `EXPLORE_GAMES` sets how many hanchan (20 by default): `EXPLORE_GAMES=1000 cargo test --release
//! -p client --test client explore -- --nocapture`.

use arena::{ArenaPlayer, FrameGame, GameSetup, TimeControl};
use client::session::Dialect;
use client::session::SessionStep;
use client::session::riichilab::{ConnectionGoal, RiichilabSession};
use riichi::{Action, PerSeat, Rules, Seat};

/// A small generator of repeatable numbers (splitmix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn weighted(&mut self, weights: &[u32]) -> usize {
        let total: u64 = weights.iter().map(|&weight| u64::from(weight)).sum();
        let mut at = self.next() % total.max(1);
        for (index, &weight) in weights.iter().enumerate() {
            if at < u64::from(weight) {
                return index;
            }
            at -= u64::from(weight);
        }
        weights.len() - 1
    }
}

/// The weight of an action; rare ones have a higher weight. `style` varies between games, so that
/// closed hands, open hands and long rounds all come up.
fn weight(action: &Action, style: Style) -> u32 {
    match action {
        Action::Dahai {
            tsumogiri: false, ..
        } => 10,
        Action::Dahai {
            tsumogiri: true, ..
        } => style.tsumogiri,
        Action::Reach { .. } => 60,
        Action::Chi { .. } | Action::Pon { .. } => style.calls,
        Action::Daiminkan { .. } | Action::Ankan { .. } | Action::Kakan { .. } => 300,
        Action::Kita => 100,
        Action::Hora { .. } => style.wins,
        Action::Ryukyoku => 10,
        Action::None => 20,
    }
}

#[derive(Clone, Copy)]
struct Style {
    tsumogiri: u32,
    calls: u32,
    wins: u32,
    /// This percentage of discards improves the hand instead of being random.
    sensible: u64,
}

impl Style {
    /// A different mixture for each game.
    fn of_game(game: u64) -> Self {
        [
            Self {
                tsumogiri: 10,
                calls: 40,
                wins: 30,
                sensible: 0,
            },
            Self {
                tsumogiri: 200,
                calls: 5,
                wins: 10,
                sensible: 90,
            },
            Self {
                tsumogiri: 10,
                calls: 30,
                wins: 10,
                sensible: 95,
            },
            Self {
                tsumogiri: 10,
                calls: 2,
                wins: 5,
                sensible: 100,
            },
            Self {
                tsumogiri: 30,
                calls: 100,
                wins: 20,
                sensible: 80,
            },
        ][(game % 5) as usize]
    }
}

fn choose(session: &RiichilabSession, random: &mut Random, style: Style) -> Option<usize> {
    let question = session.game.question()?;
    let table = session.game.table()?;
    let legal = &question.legal;
    let rare = legal.iter().any(|action| {
        !matches!(
            action,
            Action::Dahai { .. } | Action::Reach { .. } | Action::None
        )
    });
    if random.next() % 100 < style.sensible && !rare {
        let options = riichi::acceptance::discard_options(&table.concealed()?);
        let best = options
            .iter()
            .min_by_key(|option| (option.shanten, usize::MAX - option.acceptance.len()));
        let reach = legal
            .iter()
            .position(|action| matches!(action, Action::Reach { .. }));
        let throws = |action: &Action| matches!((action, best), (Action::Dahai { tile, .. }, Some(best)) if tile.kind() == best.kind);
        if let Some(index) = reach.or_else(|| legal.iter().position(throws)) {
            return Some(index);
        }
    }
    let weights: Vec<u32> = legal.iter().map(|action| weight(action, style)).collect();
    Some(random.weighted(&weights))
}

#[derive(Default, Debug)]
struct Seen {
    requests: u64,
    actions: std::collections::BTreeMap<&'static str, u64>,
    desyncs: Vec<String>,
}

fn name(action: &Action) -> &'static str {
    protocol::ActionKind::of(action).name()
}

fn play(number: u64, rules: Rules, seen: &mut Seen) {
    let setup = GameSetup {
        seed: 20_261_121 + rules.preset as u64,
        number,
        length: rules.length,
        preset: rules.preset,
        time: TimeControl::default(),
        players: PerSeat::from_fn(rules.players, |seat| {
            (ArenaPlayer::Client, format!("bot {seat}"))
        }),
    };
    let mut game = FrameGame::new(setup).expect("the engine deals");
    let mut sessions: Vec<RiichilabSession> = Seat::all(rules.players)
        .map(|_| RiichilabSession::new(ConnectionGoal::Ranked, rules))
        .collect();
    let mut random = Random(number);
    let style = Style::of_game(number);
    loop {
        while let Some(frame) = game.outgoing() {
            let session = &mut sessions[frame.seat.index()];
            let reply = match session.hear(&frame.text).pop() {
                Some(SessionStep::Reply(reply)) => Some(reply),
                Some(SessionStep::Ask) => {
                    let choice = choose(session, &mut random, style);
                    let question = session.game.question().expect("it is asked");
                    if let Some(action) = choice.and_then(|index| question.legal.get(index)) {
                        *seen.actions.entry(name(action)).or_default() += 1;
                    }
                    session.answer(choice)
                }
                _ => None,
            };
            if let Some(reply) = reply {
                game.receive(frame.seat, &reply, 1);
                session.review();
            }
        }
        if game.is_over() {
            break;
        }
        game.step().expect("the engine goes on");
    }
    for (seat, session) in Seat::all(rules.players).zip(&sessions) {
        let result = &game.results()[seat.index()];
        seen.requests += u64::from(session.game.acks.requests);
        assert_eq!(
            session.game.acks.requests, session.game.acks.accepted,
            "game {number}, seat {seat}: {:?}",
            session.game.acks
        );
        assert_eq!(result.chombo, 0, "game {number}, seat {seat}");
        let scores = session.game.final_scores().expect("the game is over");
        assert_eq!(
            scores[seat], result.score,
            "game {number}, seat {seat}: final score"
        );
        for (kind, details) in session.game.desyncs.first_of_each() {
            seen.desyncs
                .push(format!("game {number}, seat {seat}, {kind}: {details}"));
        }
    }
}

/// Plays games; `rare` are the kinds of action that must occur in them besides those of every game.
fn explore(rules: Rules, rare: &[&str]) {
    let games: u64 = std::env::var("EXPLORE_GAMES")
        .ok()
        .and_then(|games| games.parse().ok())
        .unwrap_or(20);
    let mut seen = Seen::default();
    for number in 1..=games {
        play(number, rules, &mut seen);
    }
    let Rules {
        players, preset, ..
    } = rules;
    eprintln!(
        "{preset:?}, {players} players: {games} hanchan, {} requests compared, decisions {:?}",
        seen.requests, seen.actions
    );
    for desync in seen.desyncs.iter().take(20) {
        eprintln!("{desync}");
    }
    assert!(
        seen.desyncs.is_empty(),
        "{} differences, the first: {}",
        seen.desyncs.len(),
        seen.desyncs[0]
    );
    for kind in [
        "pon",
        "daiminkan",
        "ankan",
        "kakan",
        "reach",
        "hora",
        "none",
        "dahai",
    ]
    .iter()
    .chain(rare)
    {
        assert!(
            seen.actions.contains_key(kind),
            "{kind} never came up in {games} games"
        );
    }
}

#[test]
fn by_tenhous_rules_our_lists_and_tables_are_the_arenas() {
    explore(Rules::TENHOU_HALF, &["chi"]);
}

#[test]
fn by_mahjong_souls_rules_our_lists_and_tables_are_the_arenas() {
    explore(Rules::MAHJONG_SOUL_HALF, &["chi"]);
}

#[test]
fn with_three_players_by_tenhous_rules_our_lists_and_tables_are_the_arenas() {
    explore(Rules::TENHOU_HALF.with_players(3), &["kita"]);
}

#[test]
fn with_three_players_by_mahjong_souls_rules_our_lists_and_tables_are_the_arenas() {
    explore(Rules::MAHJONG_SOUL_HALF.with_players(3), &["kita"]);
}
