//! Games with the library's table at each decision, which the page of a game must draw.
//!
//!     cargo run --package view --example positions -- 100 target/page-positions
//!
//! Half of the games are of three players. Each game has a page, `game-NNN.html`, and a file next
//! to it, `game-NNN.json`: a list of `[round, events of the round so far, table]`.

use std::path::Path;
use std::{env, fs, io};

use fastrand::Rng;
use riichi::game::RiichiGame;
use riichi::rules::Length;
use riichi::shanten::shanten;
use riichi::table::{Phase, PlayerState};
use riichi::{
    Action, ConcealedHand, Event, LegalActions, Meld, MeldKind, Rules, Seat, Table, Tile,
};
use serde_json::{Value, json};
use view::page::{Page, Walk};

fn main() -> io::Result<()> {
    let mut args = env::args().skip(1);
    let (games, folder) = match (
        args.next().and_then(|games| games.parse::<u64>().ok()),
        args.next(),
    ) {
        (Some(games), Some(folder)) => (games, folder),
        _ => {
            return Err(io::Error::other(
                "two arguments are needed: how many games, and a folder for them",
            ));
        }
    };
    fs::create_dir_all(&folder)?;
    for number in 0..games {
        let players = if number % 2 == 0 { 4 } else { 3 };
        let rules = Rules::TENHOU_HALF
            .with_length(Length::East)
            .with_players(players);
        let (events, positions) = play(rules, number);
        let mut walk = Walk::riichi(&events, &[], false).expect("a round is dealt");
        events
            .iter()
            .for_each(|event| assert!(walk.hear(event), "{event:?}"));
        let page = Page {
            title: format!("Game {number}"),
            ..walk.into_page()
        };
        let file = Path::new(&folder).join(format!("game-{number:03}"));
        fs::write(file.with_extension("html"), page.html())?;
        fs::write(
            file.with_extension("json"),
            Value::Array(positions).to_string(),
        )?;
    }
    Ok(())
}

/// A game, with its table at each decision.
fn play(rules: Rules, seed: u64) -> (Vec<Event>, Vec<Value>) {
    let mut rng = Rng::with_seed(seed);
    let mut game = RiichiGame::new(rules, seed);
    let mut tables: Vec<Table> = Seat::all(rules.players)
        .map(|seat| Table::new(rules, seat))
        .collect();
    let (mut events, mut positions) = (Vec::new(), Vec::new());
    let (mut rounds, mut step) = (0_usize, 0_usize);
    loop {
        for event in game.events() {
            for table in &mut tables {
                table
                    .apply(&event.masked_for(table.seat()))
                    .expect("the game's own events can happen");
            }
            events.push(*event);
            match event {
                Event::StartKyoku(_) => (rounds, step) = (rounds + 1, 0),
                Event::StartGame { .. } | Event::EndKyoku | Event::EndGame { .. } => {}
                _ => step += 1,
            }
            if tables.iter().any(|table| !table.legal_actions().is_empty()) {
                positions.push(json!([rounds - 1, step, table_json(&tables)]));
            }
        }
        if game.is_over() {
            return (events, positions);
        }
        for seat in game.asked() {
            let legal = game.legal_actions(seat);
            let action = choose(&legal, &tables[seat.index()], &mut rng);
            game.answer(seat, action).expect("a legal action");
        }
    }
}

/// Something of everything: hands that get near to tenpai, calls, riichi, kans, Norths, wins.
fn choose(legal: &LegalActions, table: &Table, rng: &mut Rng) -> Action {
    let chance = |action: &Action| match action {
        Action::Hora { .. } => 100,
        Action::Reach { .. } => 80,
        Action::Ankan { .. } | Action::Kakan { .. } | Action::Kita => 70,
        Action::Chi { .. } | Action::Pon { .. } | Action::Daiminkan { .. } => 30,
        Action::Ryukyoku => 50,
        Action::Dahai { .. } | Action::None => 0,
    };
    if let Some(action) = legal.iter().find(|action| rng.u8(..100) < chance(action)) {
        return *action;
    }
    let melds = table.player(table.seat()).melds.len();
    let after = |action: &Action| {
        let Action::Dahai { tile, .. } = action else {
            return 0;
        };
        let mut hand = *table.hand();
        let left = hand.remove(*tile).is_ok();
        let rest = ConcealedHand::new(*hand.counts(), melds, table.rules().players);
        rest.ok()
            .filter(|_| left)
            .map_or(i8::MAX, |rest| shanten(&rest))
    };
    let plain = legal
        .iter()
        .filter(|action| matches!(action, Action::Dahai { .. } | Action::None));
    let best = plain.min_by_key(|action| (after(action), rng.u8(..)));
    *best.unwrap_or(&legal[0])
}

/// A tile as the page names it.
fn code(tile: Tile) -> String {
    match tile.name() {
        "5mr" => "0m".to_owned(),
        "5pr" => "0p".to_owned(),
        "5sr" => "0s".to_owned(),
        name => match ["E", "S", "W", "N", "P", "F", "C"]
            .iter()
            .position(|honour| *honour == name)
        {
            Some(index) => format!("{}z", index + 1),
            None => name.to_owned(),
        },
    }
}

fn codes(tiles: impl IntoIterator<Item = Tile>) -> Vec<String> {
    tiles.into_iter().map(code).collect()
}

/// The combined knowledge of all seats.
fn table_json(tables: &[Table]) -> Value {
    let table = &tables[0];
    let turn = match table.phase() {
        Phase::Draw(seat) | Phase::Turn(seat) | Phase::Called(seat) | Phase::Declared(seat) => {
            Some(seat)
        }
        Phase::Discarded { by, .. }
        | Phase::Accepted { by, .. }
        | Phase::Kan { by, .. }
        | Phase::Kita { by } => Some(by),
        Phase::Won { .. } | Phase::Between | Phase::Drawn => None,
    };
    json!({
        "round": format!("{:?} {}", table.bakaze(), table.kyoku()),
        "counters": format!("repeat {} · sticks {}", table.honba(), table.kyotaku()),
        "left": table.tiles_left(),
        "dora": codes(table.dora_markers().iter().copied()),
        "turn": turn.map(Seat::index),
        "players": tables.iter().map(player_json).collect::<Vec<_>>(),
    })
}

fn player_json(table: &Table) -> Value {
    let seat = table.seat();
    let player = table.player(seat);
    let mut hand = *table.hand();
    let drawn = table.drawn().filter(|&drawn| hand.remove(drawn).is_ok());
    json!({
        "wind": format!("{:?}", table.seat_wind(seat)),
        "score": table.scores()[seat],
        "hand": codes(hand.tiles()),
        "drawn": drawn.map(code),
        "melds": player.melds.iter().map(meld_json).collect::<Vec<_>>(),
        "river": river_json(player),
        "riichi": player.riichi.map_or("", |riichi| if riichi.accepted { "accepted" } else { "declared" }),
        "norths": player.kita,
    })
}

fn meld_json(meld: &Meld) -> Value {
    let tiles = codes(meld.tiles().iter().copied());
    let called = meld
        .called
        .map(|called| (code(called.tile), called.from.index()));
    match meld.kind() {
        // Two of its tiles lie on their faces; a red one is shown.
        MeldKind::Ankan => json!(["closed kan", [tiles[1], tiles[3]], null]),
        MeldKind::Chi => json!(["chi", tiles, called]),
        MeldKind::Pon => json!(["pon", tiles, called]),
        MeldKind::Daiminkan => json!(["open kan", tiles, called]),
        MeldKind::Kakan => json!(["added kan", tiles, called]),
    }
}

fn river_json(player: &PlayerState) -> Vec<Value> {
    let tile = |discard: &riichi::table::Discard| {
        json!([
            code(discard.tile),
            discard.tsumogiri,
            discard.riichi,
            discard.called_by.map(Seat::index)
        ])
    };
    player.river.iter().map(tile).collect()
}
