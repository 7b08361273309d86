//! The page of a game of riichi: it shows exactly the knowledge of the seats' tables.

mod common;

use std::io::{BufRead, BufReader};
use std::path::Path;

use common::check_told;
use flate2::read::GzDecoder;
use protocol::{Parsed, parse_event};
use riichi::game::RiichiGame;
use riichi::rules::Length;
use riichi::{Action, Event, LegalActions, Rules, Seat, Table, Tile};
use view::page::{Page, SeatPosition, Step, Walk};

/// A tile as a page names it.
fn code(tile: Tile) -> String {
    let name = tile.name();
    match (
        name.strip_suffix('r'),
        ["E", "S", "W", "N", "P", "F", "C"]
            .iter()
            .position(|honour| *honour == name),
    ) {
        (Some(red), _) => red.replace('5', "0"),
        (None, Some(honour)) => format!("{}z", honour + 1),
        (None, None) => name.to_owned(),
    }
}

fn codes(tiles: impl IntoIterator<Item = Tile>) -> String {
    tiles.into_iter().map(code).collect()
}

/// All kinds of actions: calls, kans, riichi and wins if there are any.
fn choose(legal: &LegalActions, rng: &mut fastrand::Rng) -> Action {
    let is_plain = |action: &Action| matches!(action, Action::None | Action::Dahai { .. });
    let special = legal
        .iter()
        .find(|action| !is_plain(action) && rng.u8(..100) < 50);
    let plain: Vec<&Action> = legal.iter().filter(|action| is_plain(action)).collect();
    *special.or_else(|| rng.choice(plain)).unwrap_or(&legal[0])
}

fn played(rules: Rules, seed: u64) -> Vec<Event> {
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut game = RiichiGame::new(rules, seed);
    let mut events = game.events().to_vec();
    while !game.is_over() {
        for seat in game.asked() {
            let action = choose(&game.legal_actions(seat), &mut rng);
            game.answer(seat, action).expect("a legal action");
        }
        events.extend_from_slice(game.events());
    }
    events
}

/// The games of a folder of real records, nothing hidden.
fn records() -> Vec<Vec<Event>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/riichi/tests/records");
    let files = std::fs::read_dir(folder)
        .expect("it is there")
        .map(|file| file.expect("a file").path());
    let games = files
        .filter(|file| file.extension().is_some_and(|end| end == "gz"))
        .map(|file| {
            let lines = BufReader::new(GzDecoder::new(
                std::fs::File::open(file).expect("it is there"),
            ))
            .lines();
            let event = |line: std::io::Result<String>| match parse_event(&line.expect("a line"))
                .expect("an event")
            {
                Parsed::Event(event) => Some(event),
                Parsed::Unknown(_) => None,
            };
            lines.filter_map(event).collect()
        });
    games.collect()
}

fn page_of(events: &[Event], names: &[String]) -> Page {
    let mut walk = Walk::riichi(events, names, false).expect("a round is dealt");
    for event in events {
        walk.hear(event);
    }
    walk.into_page()
}

fn compare(told: &SeatPosition, table: &Table, at: &str) {
    let seat = table.seat();
    let player = table.player(seat);
    let mut hand = *table.hand();
    let drawn = table.drawn().filter(|&drawn| hand.remove(drawn).is_ok());
    assert_eq!(
        (told.hand.as_str(), told.drawn.as_str()),
        (&*codes(hand.tiles()), &*codes(drawn)),
        "{at}"
    );
    assert_eq!(told.score, Some(table.scores()[seat].into()), "{at}");
    assert_eq!(told.wind, Some(table.seat_wind(seat) as u8), "{at}");
    let river = player.river.iter().map(|discard| {
        let drawn = if discard.tsumogiri { "d" } else { "" };
        let riichi = if discard.riichi { "r" } else { "" };
        format!(
            "{}{drawn}{riichi}{}",
            code(discard.tile),
            discard.called_by.map_or(String::new(), |by| by.to_string())
        )
    });
    assert_eq!(told.river, river.collect::<Vec<_>>(), "{at}");
    for (shown, meld) in told.melds.iter().zip(&player.melds) {
        assert_eq!(
            shown.from,
            meld.called.map(|called| called.from.index()),
            "{at}"
        );
        let marks = |mark: char| {
            shown
                .tiles
                .match_indices(mark)
                .map(|(end, _)| &shown.tiles[end - 2..end])
        };
        assert_eq!(
            marks('<').collect::<String>(),
            codes(meld.called.map(|called| called.tile)),
            "{at}"
        );
        let mut tiles: Vec<&str> = shown.tiles.split(['<', '^', '_']).flat_map(pairs).collect();
        tiles.sort_unstable();
        let mut expected: Vec<String> = meld.tiles().iter().copied().map(code).collect();
        expected.sort_unstable();
        assert_eq!(tiles, expected, "{at}");
    }
    assert_eq!(
        (told.melds.len(), told.aside.len()),
        (player.melds.len(), 2 * usize::from(player.kita)),
        "{at}"
    );
    let riichi = player.riichi.map_or("", |riichi| {
        if riichi.accepted {
            "accepted"
        } else {
            "declared"
        }
    });
    assert_eq!(told.riichi, riichi, "{at}");
}

fn pairs(tiles: &str) -> Vec<&str> {
    (0..tiles.len())
        .step_by(2)
        .map(|at| &tiles[at..at + 2])
        .collect()
}

/// Compares each step of the page of a game with the tables of all seats; how many steps there are.
fn check(events: &[Event], players: u8, name: &str) -> usize {
    let rules = Rules::TENHOU_HALF.with_players(players);
    let open = page_of(events, &[]);
    check_told(&open);
    let mut tables: Vec<Table> = Seat::all(players)
        .map(|seat| Table::new(rules, seat))
        .collect();
    let mut walk = Walk::riichi(events, &[], false).expect("a round is dealt");
    let mut steps = 0;
    for (index, event) in events.iter().enumerate() {
        assert!(walk.hear(event), "{name}: {:?}", walk.page().warnings);
        for table in &mut tables {
            // Scores that differ from ours take effect anyway.
            let _ = table.apply(&event.masked_for(table.seat()));
        }
        let (round, step) = walk.place_after(index).expect("it was applied");
        if matches!(event, Event::StartGame { .. } | Event::EndKyoku) {
            continue;
        }
        let at = format!("{name}, after event {index}, {event:?}");
        let Step { position, .. } = &open.rounds[round].steps[step];
        for (told, table) in position.seats.iter().zip(&tables) {
            compare(told, table, &at);
        }
        let table = &tables[0];
        assert_eq!(position.left, Some(table.tiles_left().into()), "{at}");
        assert_eq!(
            position.dora,
            codes(table.dora_markers().iter().copied()),
            "{at}"
        );
        assert_eq!(position.over, !table.phase().is_running(), "{at}");
        steps += 1;
    }
    // From a single seat, everything but the hidden tiles is the same.
    for own in Seat::all(players) {
        let masked: Vec<Event> = events.iter().map(|event| event.masked_for(own)).collect();
        let hidden = page_of(&masked, &[]);
        let both = hidden
            .rounds
            .iter()
            .zip(&open.rounds)
            .flat_map(|(hidden, open)| hidden.steps.iter().zip(&open.steps));
        for (hidden, open) in both {
            for (seat, (hidden, open)) in hidden
                .position
                .seats
                .iter()
                .zip(&open.position.seats)
                .enumerate()
            {
                if seat == own.index() {
                    assert_eq!(hidden, open, "{name}, {}", own.index());
                    continue;
                }
                let backs = |tiles: &str| "?".repeat(tiles.len());
                let expected = SeatPosition {
                    hand: backs(&open.hand),
                    drawn: backs(&open.drawn),
                    ..open.clone()
                };
                assert_eq!(
                    hidden,
                    &expected,
                    "{name}: seat {seat} as {} sees it",
                    own.index()
                );
            }
        }
    }
    steps
}

#[test]
fn the_page_of_a_real_record_agrees_with_the_tables_at_each_event() {
    let games = records();
    assert!(games.len() >= 3);
    for (number, events) in games.iter().enumerate() {
        assert!(check(events, 4, &format!("record {number}")) > 500);
        let bytes = page_of(events, &[]).html().len();
        assert!(bytes <= 400_000, "{bytes} bytes");
    }
}

#[test]
fn the_page_of_a_game_with_calls_kans_and_riichi_agrees_with_the_tables_at_each_event() {
    let mut melds = std::collections::BTreeSet::new();
    for seed in 0..16 {
        let players = if seed % 2 == 0 { 4 } else { 3 };
        let rules = Rules::TENHOU_HALF
            .with_length(Length::East)
            .with_players(players);
        let events = played(rules, seed);
        check(&events, players, &format!("game {seed}"));
        let page = page_of(&events, &[]);
        let steps = page.rounds.iter().flat_map(|round| &round.steps);
        melds.extend(
            steps
                .flat_map(|step| &step.position.seats)
                .flat_map(|seat| &seat.melds)
                .map(|meld| meld.name),
        );
    }
    assert_eq!(
        melds.into_iter().collect::<Vec<_>>(),
        ["added kan", "chi", "closed kan", "open kan", "pon"]
    );
}

#[test]
fn the_end_of_a_round_says_by_name_who_won_with_which_yaku_and_who_paid_what() {
    let names = ["kuma", "neko", "tora", "usagi"].map(str::to_owned);
    let (mut wins, mut yaku) = (0, 0);
    for events in records() {
        let page = page_of(&events, &names);
        for (index, event) in events.iter().enumerate() {
            let Event::Hora(hora) = event else { continue };
            let mut walk = Walk::riichi(&events, &names, true).expect("a round is dealt");
            events[..=index]
                .iter()
                .for_each(|event| assert!(walk.hear(event)));
            let round = walk.page().rounds.last().expect("a round");
            let said = &round.steps.last().expect("a step").words;
            assert!(
                said.starts_with(&format!("{} wins ", names[hora.actor.index()])),
                "{said}"
            );
            let how = if hora.actor == hora.target {
                "by self-draw".to_owned()
            } else {
                names[hora.target.index()].clone()
            };
            assert!(said.contains(&how) && said.contains(" han"), "{said}");
            let paid = said.replace(',', "");
            for (seat, &points) in hora.deltas.expect("the record has them").iter() {
                assert!(
                    paid.contains(&format!("{} {points:+}", names[seat.index()])),
                    "{said}"
                );
            }
            assert!(
                round.outcome.starts_with(&names[hora.actor.index()]),
                "{}",
                round.outcome
            );
            // The middle of the table says it too.
            let position = &round.steps.last().expect("a step").position;
            let end = position.end.as_ref().expect("the round is over");
            assert_eq!(end.title, format!("{} wins", names[hora.actor.index()]));
            assert!(
                end.about[0].contains(" han") && end.about[2].contains(&how),
                "{end:?}"
            );
            assert!(
                !end.parts.is_empty()
                    && end
                        .parts
                        .iter()
                        .all(|(yaku, han)| said.contains(&format!("{yaku} {han}")))
            );
            let paid: f64 = position
                .seats
                .iter()
                .map(|seat| seat.change.expect("a payment"))
                .sum();
            assert!(
                paid.abs() <= 4_000.0,
                "all but riichi sticks are paid by another seat: {paid}"
            );
            wins += 1;
            yaku += usize::from(said.contains("riichi 1"));
        }
        let (what, result) = page.facts.last().expect("a result");
        assert!(
            what == "result" && names.iter().all(|name| result.contains(name.as_str())),
            "{result}"
        );
    }
    assert!(wins > 20 && yaku > 5, "{wins} wins, {yaku} with riichi");
}

#[test]
fn only_the_end_of_a_round_is_shown_over_the_table() {
    let mut draws = 0;
    for seed in 0..20 {
        let events = played(Rules::TENHOU_HALF.with_length(Length::East), seed);
        for round in page_of(&events, &[]).rounds {
            let mut positions = round.steps.iter().map(|step| &step.position);
            assert!(
                positions
                    .clone()
                    .all(|position| position.end.is_some() == position.over),
                "{}",
                round.name
            );
            let end = positions
                .next_back()
                .and_then(|position| position.end.clone())
                .expect("the round is over");
            if round.outcome.contains(" wins ") {
                assert!(round.outcome.starts_with(&end.title), "{end:?}");
                continue;
            }
            assert_eq!(
                (end.title.as_str(), &end.about, end.parts.len()),
                ("Draw", &vec![round.outcome], 0)
            );
            draws += 1;
        }
    }
    assert!(draws > 20, "{draws} draws");
}

#[test]
fn all_winners_of_one_tile_are_named_at_the_end_of_a_round() {
    let mut events = records().swap_remove(0);
    let ron = events
        .iter()
        .enumerate()
        .find_map(|(at, event)| match event {
            Event::Hora(hora) if hora.actor != hora.target => Some((at, *hora)),
            _ => None,
        });
    let (at, first) = ron.expect("a ron");
    let second = Seat::all(4)
        .find(|&seat| seat != first.actor && seat != first.target)
        .expect("another seat");
    events.insert(
        at + 1,
        Event::Hora(riichi::event::Hora {
            actor: second,
            deltas: None,
            scores: None,
            ..first
        }),
    );
    let names = ["kuma", "neko", "tora", "usagi"].map(str::to_owned);
    let mut walk = Walk::riichi(&events, &names, true).expect("a round is dealt");
    events[..=at + 1]
        .iter()
        .for_each(|event| assert!(walk.hear(event), "{:?}", walk.page().warnings));
    let step = walk.page().rounds[0].steps.last().expect("a step").clone();
    let end = step.position.end.expect("the round is over");
    let [from, first, second] =
        [first.target, first.actor, second].map(|seat| names[seat.index()].clone());
    assert_eq!(
        (end.title.as_str(), &end.about[1]),
        ("2 players win", &format!("on the tile of {from}"))
    );
    let [(one, total), yaku @ .., (other, _)] = &end.parts[..] else {
        panic!("{end:?}")
    };
    assert_eq!([one, other], [&first, &second]);
    assert!(total.contains(" han"), "{total}");
    let said = &walk.page().rounds[0].outcome;
    assert!(
        !yaku.is_empty()
            && yaku
                .iter()
                .all(|(name, han)| said.contains(&format!("{name} {han}"))),
        "{said} {end:?}"
    );
}

#[test]
fn the_page_ends_before_what_cannot_have_happened_and_says_so() {
    let mut events = records().swap_remove(0);
    let third = events
        .iter()
        .enumerate()
        .filter(|(_, event)| matches!(event, Event::Dahai { .. }))
        .nth(2);
    let (at, event) = third.map(|(at, event)| (at, *event)).expect("a discard");
    events.insert(at + 1, event);
    let page = page_of(&events, &[]);
    let end = format!("Event {} cannot have happened, seen from seat ", at + 2);
    assert!(
        page.warnings[0].starts_with(&end)
            && page.warnings[0].ends_with("the page ends before it.")
    );
    assert_eq!((page.warnings.len(), page.rounds.len()), (1, 1));
}

#[test]
fn a_game_of_which_no_hand_is_known_is_shown_with_backs() {
    let events = records().swap_remove(0);
    let hide = |event: &Event| match event {
        Event::StartKyoku(start) => {
            let mut start = *start;
            start.tehais.iter_mut().for_each(|(_, hand)| *hand = None);
            Event::StartKyoku(start)
        }
        Event::Tsumo { actor, .. } => Event::Tsumo {
            actor: *actor,
            tile: None,
        },
        event => *event,
    };
    let hidden: Vec<Event> = events.iter().map(hide).collect();
    let (hidden, open) = (page_of(&hidden, &[]), page_of(&events, &[]));
    assert_eq!(
        (&hidden.warnings, hidden.known_seats()),
        (&open.warnings, Vec::new())
    );
    for (hidden, open) in hidden
        .rounds
        .iter()
        .zip(&open.rounds)
        .flat_map(|(hidden, open)| hidden.steps.iter().zip(&open.steps))
    {
        for (hidden, open) in hidden.position.seats.iter().zip(&open.position.seats) {
            let backs = |tiles: &str| "?".repeat(tiles.len());
            let expected = SeatPosition {
                hand: backs(&open.hand),
                drawn: backs(&open.drawn),
                ..open.clone()
            };
            assert_eq!(hidden, &expected);
        }
    }
}
