//! Chinese Standard mahjong.

use mcr::game::{McrWalls, WallTile};
use mcr::{McrAction, McrEvent, McrGame, McrRules};
use protocol::game_record::{GameOutcome, McrRecordForm, RecordEnd, RecordedGame};
use riichi::rng::Rng;
use riichi::{Counts, Kind, Seat, WholeGame, Wind};

use super::changes::all_found;
use super::{PlayedGame, are_sound, ends_with_its_end};

/// A game of random choices, in which seats win if they can.
fn played(rules: McrRules, number: u64) -> PlayedGame<McrGame> {
    let mut game = McrGame::new(
        McrWalls::shuffled(number, rules),
        Wind::ALL[number as usize % 4],
        rules,
    );
    let mut rng = Rng::keyed(&[number]);
    while game.end().is_none() {
        let choose = |seat: Seat| {
            let legal = game.seat(seat).legal();
            let plain =
                |action: &McrAction| matches!(action, McrAction::Pass | McrAction::Discard(_));
            let (plain, special): (Vec<_>, Vec<_>) = legal.into_iter().partition(plain);
            let wins = special.iter().find(|action| **action == McrAction::Win);
            // Some games with many claims, some with few.
            let special = rng
                .pick(&special)
                .filter(|_| number.is_multiple_of(3) || rng.below(4) == 0);
            wins.or(special).or(rng.pick(&plain)).copied()
        };
        let answers: Vec<_> = Seat::all(4).map(choose).collect();
        game.answer(answers.try_into().expect("four seats"));
    }
    let end = game.end().expect("it is over");
    PlayedGame {
        deals: (0..4).map(|seat| game.deal_for(seat)).collect(),
        events: game
            .events()
            .iter()
            .filter(|event| **event != McrEvent::Over)
            .cloned()
            .collect(),
        end: RecordEnd {
            scores: end.scores().map(f64::from).to_vec(),
            outcome: Some(end.into()),
        },
    }
}

#[test]
fn games_are_sound() {
    are_sound(|number| {
        played(
            McrRules {
                flowers: number % 4 == 3,
                ..McrRules::default()
            },
            number,
        )
    });
}

/// Whether the game plays the record: from its deal and draws, and the choices that it shows, come
/// its events and end.
fn is_played(lines: &[String]) -> bool {
    let record = RecordedGame::<McrRecordForm>::read(&lines.join("\n"));
    let (Some(end), None) = (&record.end, &record.broken) else {
        return record.broken.is_none();
    };
    if !ends_with_its_end(lines) {
        return false;
    }
    let Some(walls) = walls(&record) else {
        return false;
    };
    let Some(Some(McrEvent::Dealt { prevalent_wind, .. })) = record.deals.first() else {
        return false;
    };
    let mut game = McrGame::new(walls, *prevalent_wind, McrRules::default());
    loop {
        let at = game.events().len();
        let told: Vec<_> = game
            .events()
            .iter()
            .filter(|event| **event != McrEvent::Over)
            .collect();
        if told.len() > record.events.len()
            || told
                .iter()
                .zip(&record.events)
                .any(|(ours, theirs)| **ours != *theirs)
        {
            return false;
        }
        if let Some(ended) = game.end() {
            let scores: Vec<f64> = ended.scores().map(f64::from).to_vec();
            return told.len() == record.events.len()
                && scores == end.scores
                && end
                    .outcome
                    .as_ref()
                    .is_none_or(|outcome| *outcome == GameOutcome::from(ended));
        }
        let next = record.events.get(told.len());
        game.answer(std::array::from_fn(|seat| {
            answer(&game, Seat::at(seat)?, next, end.outcome.as_ref())
        }));
        if game.events().len() == at && game.end().is_none() {
            return false;
        }
    }
}

/// What a seat answered, by the event that came next or the outcome.
fn answer(
    game: &McrGame,
    seat: Seat,
    next: Option<&McrEvent>,
    outcome: Option<&GameOutcome>,
) -> Option<McrAction> {
    let action = match next {
        Some(McrEvent::Discarded { seat: who, tile }) if *who == seat => McrAction::Discard(*tile),
        Some(McrEvent::PungClaimed { seat: who, discard }) if *who == seat => {
            McrAction::ClaimPung { discard: *discard }
        }
        Some(McrEvent::ChowClaimed {
            seat: who,
            middle,
            discard,
        }) if *who == seat => McrAction::ClaimChow {
            middle: *middle,
            discard: *discard,
        },
        Some(McrEvent::KongClaimed { seat: who }) if *who == seat => McrAction::ClaimKong,
        Some(McrEvent::ConcealedKong {
            seat: who,
            tile: Some(tile),
        }) if *who == seat => McrAction::ConcealedKong(*tile),
        Some(McrEvent::KongAdded { seat: who, tile }) if *who == seat => McrAction::AddKong(*tile),
        None => match outcome {
            Some(GameOutcome::Win { winner, .. }) if *winner == seat.index() => McrAction::Win,
            Some(GameOutcome::Fault { seat: who }) if *who == seat.index() => return None,
            _ => McrAction::Pass,
        },
        _ => McrAction::Pass,
    };
    game.seat(seat).legal().contains(&action).then_some(action)
}

/// Walls with the tiles of a record; the others come last.
fn walls(record: &RecordedGame<McrRecordForm>) -> Option<McrWalls> {
    let mut left = Counts::EMPTY;
    Kind::all().for_each(|kind| left[kind] = 4);
    let mut take = |kind: Kind| {
        left[kind] = left[kind].checked_sub(1)?;
        Some(WallTile::Tile(kind))
    };
    let mut walls: [Vec<WallTile>; 4] = Default::default();
    for (deal, wall) in record.deals.iter().zip(&mut walls) {
        let Some(McrEvent::Dealt { hand, .. }) = deal else {
            return None;
        };
        for kind in Kind::all().flat_map(|kind| std::iter::repeat_n(kind, hand[kind].into())) {
            wall.push(take(kind)?);
        }
    }
    for event in &record.events {
        if let McrEvent::Drawn { seat, tile } = event {
            walls[seat.index()].push(take((*tile)?)?);
        }
    }
    let mut rest =
        Kind::all().flat_map(|kind| std::iter::repeat_n(WallTile::Tile(kind), left[kind].into()));
    for wall in &mut walls {
        while wall.len() < usize::from(McrRules::default().wall()) {
            wall.push(rest.next()?);
        }
        wall.reverse();
    }
    McrWalls::new(walls, McrRules::default()).ok()
}

#[test]
fn random_changes_are_found() {
    let records: Vec<_> = (0..120)
        .map(|number| played(McrRules::default(), number).lines())
        .collect();
    all_found::<McrGame>(
        &records,
        4,
        &["1m", "5p", "9s", "E", "C", "3s", "7m", "2p", "N", "F"],
        is_played,
    );
}
