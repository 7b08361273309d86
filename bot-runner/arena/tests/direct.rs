//! The game without frames: it equals the game in frames.

use std::collections::BTreeMap;

use arena::{ArenaPlayer, FrameGame, GameSetup, TimeControl};
use protocol::reply::reply_json;
use protocol::{Parsed, parse_event};
use riichi::event::Hora;
use riichi::game::{RiichiGame, seed_of_walls};
use riichi::{Action, Event, Kind, PerSeat, Rules, Seat, Table};

/// The weights of each kind of action in a game.
#[derive(Clone, Copy)]
struct Style {
    calls: u32,
    kans: u32,
    passes: u32,
    wins: u32,
    /// This percentage of turns discards to improve the hand.
    sensible: u32,
}

const STYLES: [Style; 4] = [
    Style {
        calls: 20,
        kans: 300,
        passes: 20,
        wins: 30,
        sensible: 0,
    },
    Style {
        calls: 100,
        kans: 300,
        passes: 20,
        wins: 5000,
        sensible: 95,
    },
    Style {
        calls: 2,
        kans: 300,
        passes: 20,
        wins: 5000,
        sensible: 100,
    },
    Style {
        calls: 0,
        kans: 0,
        passes: 20,
        wins: 0,
        sensible: 100,
    },
];

fn choose(table: &Table, random: &mut fastrand::Rng, style: Style) -> Action {
    let legal = table.legal_actions();
    let forward = random.u32(..100) < style.sensible;
    let discards = legal
        .iter()
        .any(|action| matches!(action, Action::Dahai { .. }));
    let best = (forward && discards).then(|| best_discard(table)).flatten();
    let weight = |action: &Action| match action {
        Action::Dahai { tile, .. } if forward => 30 * u32::from(best == Some(tile.kind())),
        Action::Dahai { .. } => 10,
        Action::Reach { .. } => 100,
        Action::Chi { .. } | Action::Pon { .. } => style.calls,
        Action::Daiminkan { .. } | Action::Ankan { .. } | Action::Kakan { .. } => style.kans,
        Action::Hora { .. } => style.wins,
        Action::Kita => style.kans,
        Action::Ryukyoku => 10,
        Action::None => style.passes,
    };
    let total: u32 = legal.iter().map(weight).sum();
    let mut at = random.u32(..total.max(1));
    for action in &legal {
        if at < weight(action) {
            return *action;
        }
        at -= weight(action);
    }
    legal[legal.len() - 1]
}

/// The kind whose discard leaves the fewest steps to tenpai, and then accepts the most kinds.
fn best_discard(table: &Table) -> Option<Kind> {
    riichi::acceptance::discard_options(&table.concealed().expect("a round is being played"))
        .into_iter()
        .min_by_key(|option| (option.shanten, usize::MAX - option.acceptance.len()))
        .map(|option| option.kind)
}

/// A game's events, its moves in order, and its final scores.
type Played = (Vec<Event>, Vec<Vec<(Seat, Action)>>, PerSeat<i32>);

/// Plays a game directly.
fn play(number: u64, rules: Rules, style: Style) -> Played {
    let mut random = fastrand::Rng::with_seed(number);
    let mut game = RiichiGame::new(rules, seed_of_walls(5, number));
    let mut tables = PerSeat::from_fn(rules.players, |seat| Table::new(rules, seat));
    let (mut events, mut all) = (Vec::new(), Vec::new());
    loop {
        for event in game.events() {
            events.push(*event);
            for (seat, table) in tables.iter_mut() {
                table
                    .apply(&event.masked_for(seat))
                    .unwrap_or_else(|error| panic!("{error}: {event:?}"));
            }
        }
        let moves: Vec<_> = game
            .asked()
            .iter()
            .map(|&seat| (seat, choose(&tables[seat], &mut random, style)))
            .collect();
        if moves.is_empty() {
            return (events, all, *game.scores());
        }
        for &(seat, action) in &moves {
            game.answer(seat, action)
                .expect("only legal actions are chosen");
        }
        all.push(moves);
    }
}

/// The events of the game with frames in which the same moves are made.
fn played_in_frames(
    number: u64,
    rules: Rules,
    moves: &[Vec<(Seat, Action)>],
) -> (Vec<Event>, Vec<i32>) {
    let Rules {
        players,
        length,
        preset,
        ..
    } = rules;
    let players = PerSeat::from_fn(players, |_| (ArenaPlayer::Client, String::new()));
    let time = TimeControl::default();
    let mut game = FrameGame::new(GameSetup {
        seed: 5,
        number,
        length,
        preset,
        time,
        players,
    })
    .expect("it is dealt");
    let mut request = 0;
    let mut reply = |game: &mut FrameGame, moves: &[(Seat, Action)]| {
        while game.outgoing().is_some() {}
        for (seat, action) in moves {
            request += 1;
            assert!(game.waits_for(*seat), "seat {seat} is asked");
            game.receive(*seat, &reply_json(action, *seat, request), 0);
        }
        assert!(!game.waits(), "all seats asked have answered");
        game.step().expect("it goes on");
    };
    for moves in moves {
        reply(&mut game, moves);
        if let &[(seat, Action::Reach { tile, tsumogiri })] = moves.as_slice() {
            reply(&mut game, &[(seat, Action::Dahai { tile, tsumogiri })]);
        }
    }
    assert!(game.is_over());
    game.record().iter().for_each(|line| check_win(line));
    let events = game.record().iter().map(|line| match parse_event(line) {
        Ok(Parsed::Event(event)) => event,
        other => panic!("{other:?}"),
    });
    (
        events.collect(),
        game.results().iter().map(|result| result.score).collect(),
    )
}

/// The record of a win has its yaku and dora, whose han add up.
fn check_win(line: &str) {
    let win: serde_json::Value = serde_json::from_str(line).expect("JSON");
    if win["type"] == "hora" {
        let yaku = win["yaku"].as_array().expect("a list");
        let han: u64 = yaku
            .iter()
            .map(|yaku| yaku["han"].as_u64().expect("a number"))
            .sum();
        assert!(
            !yaku.is_empty() && yaku.iter().all(|yaku| yaku["name"].is_string()),
            "{line}"
        );
        assert!(
            win["han"] == han && (win["fu"].as_u64() >= Some(20) || han >= 13),
            "{line}"
        );
    }
}

fn name(event: &Event) -> String {
    let name = format!("{event:?}");
    name.split([' ', '(', '{'])
        .next()
        .unwrap_or_default()
        .to_owned()
}

/// Plays games both ways, which must give the same events and scores; returns the counts of
/// situations in them.
fn played_both_ways(rules: Rules) -> BTreeMap<String, u32> {
    let mut seen = BTreeMap::<String, u32>::new();
    for number in 1..=12_u64 {
        let style = STYLES[number as usize % STYLES.len()];
        // Of the style that never wins one game is enough: its rounds are long, and few situations
        // come up in them.
        if style.wins == 0 && number > STYLES.len() as u64 {
            continue;
        }
        let (direct, moves, scores) = play(number, rules, style);
        let (framed, framed_scores) = played_in_frames(number, rules, &moves);
        for (index, (ours, theirs)) in direct.iter().zip(&framed).enumerate() {
            assert_eq!(ours, theirs, "{rules:?} game {number}, event {index}");
        }
        assert_eq!(direct.len(), framed.len(), "{rules:?} game {number}");
        assert_eq!(scores.as_slice(), framed_scores, "{rules:?} game {number}");
        let pairs = direct.windows(2);
        let several = pairs
            .filter(|pair| matches!(pair, [Event::Hora(_), Event::Hora(_)]))
            .count();
        *seen.entry("several winners".to_owned()).or_default() += several as u32;
        for event in &direct {
            *seen.entry(name(event)).or_default() += 1;
            if let Event::Hora(Hora { ura_markers, .. }) = event {
                *seen
                    .entry(format!("{} ura", ura_markers.to_vec().len()))
                    .or_default() += 1;
            }
        }
    }
    seen
}

#[test]
fn the_same_moves_lead_to_the_same_events_and_scores_as_in_frames() {
    for players in [4, 3] {
        let mut seen = played_both_ways(Rules::TENHOU_HALF.with_players(players));
        for (what, times) in played_both_ways(Rules::MAHJONG_SOUL_HALF.with_players(players)) {
            *seen.entry(what).or_default() += times;
        }
        let common = [
            "Kakan",
            "Ankan",
            "Daiminkan",
            "Dora",
            "ReachAccepted",
            "Hora",
            "Ryukyoku",
            "1 ura",
            "2 ura",
        ];
        // Of three players two seldom win at once.
        let own = if players == 3 {
            &["Kita"][..]
        } else {
            &["Chi", "several winners"]
        };
        for what in common.iter().chain(own) {
            assert!(
                seen.get(*what).is_some_and(|&times| times > 0),
                "no {what} among {seen:?} of {players} players"
            );
        }
    }
}
