//! Converts RiichiLab's observation to a snapshot of the table.

use std::borrow::Cow;

use arrayvec::ArrayVec;
use protocol::ActionKind;
use protocol::riichilab::Observation;
use protocol::riichilab::observation::{ObservedMeld, parse_observation};
use riichi::table::{PlayerSnapshot, Snapshot};
use riichi::{
    Called, Hand, Kind, KindSet, Meld, MeldKind, PerSeat, Rules, Seat, Table, Tile, Wind,
};
use serde::{Deserialize, Serialize};

/// The table as the observation describes it to `seat`; `None` if it lacks something that a
/// snapshot needs, or contradicts itself there.
pub fn snapshot(observation: &Observation, seat: Seat, rules: &Rules) -> Option<Snapshot> {
    if observation.seat != Some(seat) {
        return None;
    }
    let players = rules.players;
    let hand = Hand::from_tiles(
        observation
            .hands
            .as_ref()?
            .get(seat.index())?
            .iter()
            .copied(),
    )
    .ok()?;
    let own_turn = hand.counts().total() % 3 == 2;
    let rivers = observation.discards.as_ref()?;
    let melds = observation.melds.as_ref()?;
    let riichi = observation.riichi_declared.as_ref()?;
    let mut snapshots = PerSeat::from_fn(players, |_| PlayerSnapshot::default());
    for (seat, snapshot) in snapshots.iter_mut() {
        *snapshot = PlayerSnapshot {
            melds: melds
                .get(seat.index())?
                .iter()
                .map(meld)
                .collect::<Option<ArrayVec<_, 4>>>()?,
            river: ArrayVec::try_from(rivers.get(seat.index())?.as_slice()).ok()?,
            riichi: *riichi.get(seat.index())?,
            riichi_tile: observation
                .riichi_tiles
                .as_ref()
                .and_then(|tiles| *tiles.get(seat.index())?),
        };
    }
    Some(Snapshot {
        bakaze: *Wind::ALL.get(usize::from(observation.round_wind?))?,
        kyoku: observation.kyoku_index?.checked_add(1)?,
        honba: observation.honba?,
        kyotaku: u8::try_from(observation.riichi_sticks?).ok()?,
        oya: observation.oya?,
        scores: observation
            .scores
            .filter(|scores| scores.players() == players)?,
        dora_markers: ArrayVec::try_from(observation.dora_indicators.as_ref()?.as_slice()).ok()?,
        hand,
        // In a chankan window older engines put the added tile here, which does not belong to this
        // hand.
        drawn: observation.drawn_tile.filter(|_| own_turn),
        offered: if own_turn { None } else { offered(observation) },
        waits: observation
            .waits
            .as_ref()
            .filter(|_| !own_turn)
            .and_then(|waits| kinds(waits)),
        players: snapshots,
    })
}

/// A line for pages that shows a round from its middle on. Records have none.
#[derive(Serialize, Deserialize)]
#[serde(tag = "type", rename = "snapshot")]
struct SnapshotLine<'a> {
    players: u8,
    observation: Cow<'a, str>,
}

/// The line of a snapshot, with an observation in base64.
pub fn snapshot_line(observation: &str, players: u8) -> String {
    let line = SnapshotLine {
        players,
        observation: observation.into(),
    };
    serde_json::to_string(&line).expect("texts and numbers always have a JSON form")
}

/// The table in the line of a snapshot; `None` for any other line.
pub fn snapshot_table(line: &str) -> Option<Table> {
    let SnapshotLine {
        players,
        observation,
    } = serde_json::from_str(line).ok()?;
    let observation = parse_observation(&observation).ok()?;
    let rules = Rules::TENHOU_HALF.with_players(players);
    let mut table = Table::new(rules, observation.seat?);
    let theirs = snapshot(&observation, table.seat(), &rules)?;
    table.rebuild(&theirs).ok()?;
    Some(table)
}

fn kinds(indices: &[u8]) -> Option<KindSet> {
    indices.iter().map(|&index| Kind::new(index)).collect()
}

/// The tile that the listed claims are for.
fn offered(observation: &Observation) -> Option<Tile> {
    let claims = [
        ActionKind::Hora,
        ActionKind::Pon,
        ActionKind::Chi,
        ActionKind::Daiminkan,
    ];
    let actions = observation.legal_actions.as_ref()?;
    actions
        .iter()
        .find(|action| claims.contains(&action.kind))
        .and_then(|action| action.tile)
}

fn meld(observed: &ObservedMeld) -> Option<Meld> {
    let called = match (observed.kind, observed.called, observed.from) {
        (MeldKind::Ankan, _, _) => None,
        (_, Some(tile), Some(from)) => Some(Called { tile, from }),
        _ => return None,
    };
    Meld::new(observed.kind, &observed.tiles, called, 0)
}
