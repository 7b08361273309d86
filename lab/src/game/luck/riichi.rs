//! The luck of a game of riichi: deals, draws, dora and ura.
//!
//! Everything that a seat does is decided before the next tile is turned up, and until then each of
//! the tiles that no event has shown is equally likely to be it: those left to draw, the dead wall
//! and the ura indicators alike. The terms of a deal leave the seat wind and the dealer out.
//!
//! Each such term is a change of the expected places by a small model, times a class of the
//! situation: a drawn tile wins, brings nearer to tenpai, or is one that another seat waits for; an
//! ura indicator names tiles of the winner. The sums by class are weighted by figures that were
//! fitted once. Drawn dora, tiles that others could call, and the indicators of kans explain
//! nothing more.

use std::sync::LazyLock;

use policy_host::PolicyTable;
use riichi::acceptance::shanten_and_acceptance;
use riichi::event::{Hora, StartKyoku};
use riichi::game::{RiichiGame, all_tiles};
use riichi::score::Dora;
use riichi::table::PlayerState;
use riichi::yaku::value_kinds;
use riichi::{ConcealedHand, Counts, Event, KindSet, MAX_PLAYERS, Rules, Seat, Table, Tile, Wind};

use super::{BySeat, LuckSums, LuckTerms, LuckWeights};

/// Number of classes of terms. One after the other: wins by riichi, damaten and open hands; draws
/// that bring nearer, by the shanten number (1 to 4 and more), the tiles left and the number of
/// tenpai opponents (0 to 2 and more); draws of a tile that another seat waits for, by the drawer's
/// state and the other's hand; ura; and the deal.
const CLASSES: usize = DEALT + DEALT_FEATURES;
const WIN: usize = 0;
const NEARER: usize = WIN + 3;
const DEAL_IN: usize = NEARER + 4 * 4 * 3;
const URA: usize = DEAL_IN + 9;
const DEALT: usize = URA + 1;
const DEALT_FEATURES: usize = 7;

/// Points of a closed hand of three or four players by han, as the model of a win values them.
const POINTS: [f64; 14] = [
    1_000.0, 1_500.0, 2_600.0, 4_800.0, 7_700.0, 8_400.0, 11_500.0, 13_000.0, 16_000.0, 17_000.0,
    20_000.0, 24_000.0, 26_000.0, 32_000.0,
];

/// Adds up the terms of a game.
#[derive(Debug, Clone)]
pub struct RiichiLuck {
    rules: Rules,
    /// The tiles that no event has shown, by kind.
    unshown: Counts,
    seats: [Option<SeatOutlook>; MAX_PLAYERS],
    sums: LuckSums,
}

/// The version of the terms and classes in this file.
const TERMS: u32 = 2;

static FOUR_PLAYERS: LazyLock<LuckWeights> = LazyLock::new(|| {
    LuckWeights::read("riichi-4", TERMS, CLASSES, include_str!("riichi-four.txt"))
});
static THREE_PLAYERS: LazyLock<LuckWeights> = LazyLock::new(|| {
    LuckWeights::read("riichi-3", TERMS, CLASSES, include_str!("riichi-three.txt"))
});

/// The weights for games by these rules.
pub fn weights(rules: &Rules) -> &'static LuckWeights {
    if rules.players == 3 {
        &THREE_PLAYERS
    } else {
        &FOUR_PLAYERS
    }
}

/// What a seat's hand before a draw promises.
#[derive(Debug, Clone, Copy)]
struct SeatOutlook {
    shanten: i8,
    accepted: KindSet,
    /// Points of a win.
    points: f64,
    /// By how much each seat's place changes with the win.
    win: BySeat,
    /// The same with a han more, less this; 0 without riichi.
    han: BySeat,
}

impl RiichiLuck {
    /// Before the first event.
    pub fn new(rules: &Rules) -> Self {
        Self {
            rules: *rules,
            unshown: Counts::EMPTY,
            seats: [None; MAX_PLAYERS],
            sums: LuckSums::new(CLASSES),
        }
    }

    fn hear(&mut self, event: &Event, tables: &[Option<PolicyTable<Table>>]) {
        match *event {
            Event::StartKyoku(start) => self.dealt(&start, tables),
            Event::Tsumo {
                actor,
                tile: Some(tile),
            } => {
                self.drawn(actor, tile, tables);
                self.show(tile);
            }
            Event::Dora { marker } => {
                self.show(marker);
                self.seats = [None; MAX_PLAYERS];
            }
            Event::Hora(hora) => self.won(&hora, tables),
            // The hand is as it was.
            Event::Dahai {
                tsumogiri: true, ..
            } => {}
            Event::ReachAccepted { .. } => self.seats = [None; MAX_PLAYERS],
            _ => {
                if let Some(actor) = event.actor() {
                    self.seats[actor.index()] = None;
                }
            }
        }
    }

    fn show(&mut self, tile: Tile) {
        let kind = tile.kind();
        self.unshown[kind] = self.unshown[kind].saturating_sub(1);
    }

    fn dealt(&mut self, start: &StartKyoku, tables: &[Option<PolicyTable<Table>>]) {
        self.unshown = Counts::EMPTY;
        for tile in all_tiles(&self.rules) {
            self.unshown[tile.kind()] += 1;
        }
        self.show(start.dora_marker);
        for (_, hand) in start.tehais.iter() {
            hand.iter().flatten().for_each(|&tile| self.show(tile));
        }
        self.seats = [None; MAX_PLAYERS];
        let (mut hands, mut stakes) = (Vec::new(), Vec::new());
        for (seat, table) in tables.iter().enumerate() {
            let Some(table) = table else { return };
            let Some(outlook) = self.outlook(seat, tables) else {
                return;
            };
            let ukeire = f64::from(self.unshown.total_of(outlook.accepted));
            // Those of the round and the dragons, which are the same for all seats.
            let values = value_kinds(start.bakaze, start.bakaze);
            let pairs = values & table.hand().counts().at_least(2);
            let is = |shanten: i8| f64::from(u8::from(outlook.shanten == shanten));
            hands.push([
                is(0) + is(1),
                is(2),
                is(3),
                is(4),
                f64::from(dora_in_hand(table)),
                ukeire / 40.0,
                pairs.len() as f64,
            ]);
            let points = if table.seat() == start.oya {
                9_000.0
            } else {
                6_000.0
            };
            stakes.push(PlaceModel::new(table).win(seat, points));
        }
        self.sums.add_deal(DEALT, &hands, &stakes);
    }

    /// The outlook of a seat's hand without the tile it has just drawn.
    fn outlook(
        &mut self,
        seat: usize,
        tables: &[Option<PolicyTable<Table>>],
    ) -> Option<SeatOutlook> {
        if self.seats[seat].is_none() {
            let table = tables[seat].as_ref()?;
            let hand = before_draw(table)?;
            let (shanten, accepted) = shanten_and_acceptance(&hand);
            let han = han_of(table);
            let dealer = if table.seat() == table.oya() {
                1.5
            } else {
                1.0
            };
            let points = dealer * points_of(han);
            let model = PlaceModel::new(table);
            let win = model.win(seat, points);
            // Only ura count by it.
            let mut more = [0.0; MAX_PLAYERS];
            if table.player(table.seat()).riichi.is_some() {
                more = model.win(seat, dealer * points_of(han + 1.0));
                more.iter_mut()
                    .zip(win)
                    .for_each(|(more, win)| *more -= win);
            }
            self.seats[seat] = Some(SeatOutlook {
                shanten,
                accepted,
                points,
                win,
                han: more,
            });
        }
        self.seats[seat]
    }

    fn drawn(&mut self, actor: Seat, tile: Tile, tables: &[Option<PolicyTable<Table>>]) {
        let drawer = actor.index();
        let all = f64::from(self.unshown.total());
        let kind = tile.kind();
        let unshown = self.unshown;
        let excess = |kinds: KindSet| {
            f64::from(u8::from(kinds.contains(kind))) - f64::from(unshown.total_of(kinds)) / all
        };
        let outlooks: Vec<SeatOutlook> = (0..tables.len())
            .map_while(|seat| self.outlook(seat, tables))
            .collect();
        let (Some(Some(table)), true) = (tables.get(drawer), outlooks.len() == tables.len()) else {
            return;
        };
        let own = outlooks[drawer];
        let player = table.player(actor);
        let threats = (0..tables.len())
            .filter(|&seat| seat != drawer && outlooks[seat].shanten == 0)
            .count();
        let nearer = excess(own.accepted);
        let model = PlaceModel::new(table);
        if own.shanten <= 0 {
            let hand = by_hand(player, [0, 1, 2]);
            let tsumo = model.tsumo(drawer, own.points, table);
            self.sums.add(WIN + hand, nearer, &tsumo);
        } else {
            let distance = (own.shanten as usize).min(4) - 1;
            let turns = usize::from(table.tiles_left() / 18).min(3);
            let class = NEARER + (distance * 4 + turns) * 3 + threats.min(2);
            self.sums.add(class, nearer, &own.win);
        }
        let state = match player.riichi {
            Some(_) => 0,
            None if own.shanten <= 0 => 1,
            None => 2,
        };
        for (seat, other) in outlooks.iter().enumerate() {
            let Some(theirs) = tables[seat].as_ref().filter(|_| seat != drawer) else {
                continue;
            };
            if other.shanten > 0 || theirs.furiten().any() {
                continue;
            }
            let hand = by_hand(theirs.player(theirs.seat()), [0, 2, 1]);
            let times = excess(other.accepted);
            let ron = model.ron(seat, drawer, other.points);
            self.sums.add(DEAL_IN + state * 3 + hand, times, &ron);
        }
    }

    fn won(&mut self, hora: &Hora, tables: &[Option<PolicyTable<Table>>]) {
        let winner = hora.actor.index();
        let markers = hora.ura_markers.to_vec();
        let (Some(Some(table)), Some(outlook)) = (tables.get(winner), self.seats[winner]) else {
            return;
        };
        if markers.is_empty() {
            return;
        }
        let all = f64::from(self.unshown.total());
        let tiles = own_tiles(table);
        let named = |kind| f64::from(tiles[self.rules.dora_of(kind)]);
        let mean = self
            .unshown
            .kinds()
            .iter()
            .map(|kind| named(kind) * f64::from(self.unshown[kind]))
            .sum::<f64>()
            / all;
        let found: f64 = markers.iter().map(|marker| named(marker.kind())).sum();
        self.sums
            .add(URA, found - mean * markers.len() as f64, &outlook.han);
    }
}

impl LuckTerms<RiichiGame> for RiichiLuck {
    fn heard(&mut self, event: &Event, tables: &[Option<PolicyTable<Table>>]) {
        self.hear(event, tables);
    }

    fn sums(&self) -> &LuckSums {
        &self.sums
    }
}

/// One of these for a hand in riichi, another closed hand, and an open one.
fn by_hand(player: &PlayerState, [riichi, closed, open]: [usize; 3]) -> usize {
    match player.riichi {
        Some(_) => riichi,
        None if player.is_closed() => closed,
        None => open,
    }
}

/// The concealed tiles of a table's seat without the tile it has just drawn.
fn before_draw(table: &Table) -> Option<ConcealedHand> {
    let hand = table.concealed()?;
    match table.drawn() {
        Some(tile) => hand.without(tile.kind()),
        None => Some(hand),
    }
}

/// The tiles of a seat's hand and melds.
fn own_tiles(table: &Table) -> Counts {
    let mut tiles = *table.hand().counts();
    for meld in &table.player(table.seat()).melds {
        meld.count_into(&mut tiles);
    }
    tiles
}

/// The same without the tile it has just drawn.
fn own_tiles_before_draw(table: &Table) -> Counts {
    let mut tiles = own_tiles(table);
    if let Some(tile) = table.drawn() {
        tiles[tile.kind()] = tiles[tile.kind()].saturating_sub(1);
    }
    tiles
}

/// Dora and red fives of a seat's hand and melds, without the tile it has just drawn.
fn dora_in_hand(table: &Table) -> u8 {
    let dora = Dora::named_by(table.rules(), table.dora_markers().iter().copied());
    let drawn = table.drawn().is_some_and(Tile::is_red);
    let player = table.player(table.seat());
    let in_melds = player.melds.iter().flat_map(|meld| meld.tiles());
    let reds = table
        .hand()
        .reds()
        .iter()
        .sum::<u8>()
        .saturating_sub(u8::from(drawn))
        + in_melds.filter(|tile| tile.is_red()).count() as u8;
    dora.among(&own_tiles_before_draw(table))
        + reds
        + player.kita * (1 + dora.of(Wind::North.kind()))
}

/// The han of a win with a seat's hand, roughly.
fn han_of(table: &Table) -> f64 {
    let player = table.player(table.seat());
    let tiles = own_tiles_before_draw(table);
    let values = value_kinds(table.seat_wind(table.seat()), table.bakaze());
    let triplets = (values & tiles.at_least(3)).len() as f64;
    let pairs = (values & tiles.at_least(2)).len() as f64 - triplets;
    let simple = tiles
        .kinds()
        .iter()
        .filter(|kind| kind.is_terminal_or_honour())
        .map(|kind| tiles[kind])
        .sum::<u8>();
    let simples = [0.9, 0.6, 0.3]
        .get(usize::from(simple))
        .copied()
        .unwrap_or(0.0);
    let closed = if player.is_closed() { 1.8 } else { 0.0 };
    f64::from(dora_in_hand(table)) + triplets + 0.4 * pairs + simples + closed
}

fn points_of(han: f64) -> f64 {
    let (whole, rest) = (han.clamp(0.0, 12.9) as usize, han.clamp(0.0, 12.9).fract());
    POINTS[whole] + rest * (POINTS[whole + 1] - POINTS[whole])
}

/// The expected places by points and rounds left.
struct PlaceModel {
    players: usize,
    scores: BySeat,
    /// The difference in points that counts.
    scale: f64,
    now: BySeat,
}

/// The difference in points of one round, and the rounds that the present one counts as.
const SCALE: f64 = 6_500.0;
const PRESENT: f64 = 0.25;

impl PlaceModel {
    fn new(table: &Table) -> Self {
        let players = usize::from(table.rules().players);
        let mut scores = [0.0; MAX_PLAYERS];
        for (seat, &points) in table.scores().iter() {
            // The first to sit is ahead of equals.
            scores[seat.index()] = f64::from(points) - seat.index() as f64;
        }
        let winds = match table.rules().length {
            riichi::rules::Length::Single => 0,
            riichi::rules::Length::East => 1,
            riichi::rules::Length::Half => 2,
        };
        let number = usize::from(table.bakaze() as u8) * players + table.oya().index() + 1;
        let left = (winds * players).saturating_sub(number) as f64;
        let mut model = Self {
            players,
            scores,
            scale: SCALE * (left + PRESENT).sqrt(),
            now: [0.0; MAX_PLAYERS],
        };
        model.now = model.places(&scores);
        model
    }

    fn places(&self, scores: &BySeat) -> BySeat {
        let mut places = [0.0; MAX_PLAYERS];
        for one in 0..self.players {
            for other in 0..one {
                let by = (scores[one] - scores[other]) / self.scale;
                let ahead = 0.5 * by / (1.0 + by * by).sqrt();
                places[one] -= ahead;
                places[other] += ahead;
            }
        }
        places
    }

    fn changed(&self, change: impl Fn(usize) -> f64) -> BySeat {
        let mut scores = self.scores;
        for (seat, points) in scores.iter_mut().enumerate().take(self.players) {
            *points += change(seat);
        }
        let mut places = self.places(&scores);
        places
            .iter_mut()
            .zip(self.now)
            .for_each(|(place, now)| *place -= now);
        places
    }

    /// The change if a seat wins and all others pay alike.
    fn win(&self, seat: usize, points: f64) -> BySeat {
        let share = points / (self.players - 1) as f64;
        self.changed(|other| if other == seat { points } else { -share })
    }

    /// The change if a seat wins by self-draw.
    fn tsumo(&self, seat: usize, points: f64, table: &Table) -> BySeat {
        let dealer = table.oya().index();
        let shares = if seat == dealer {
            (self.players - 1) as f64
        } else {
            self.players as f64
        };
        self.changed(|other| {
            if other == seat {
                points
            } else if other == dealer {
                -2.0 * points / shares
            } else {
                -points / shares
            }
        })
    }

    /// The change if a seat wins on a tile of another, which pays alone.
    fn ron(&self, seat: usize, payer: usize, points: f64) -> BySeat {
        self.changed(|other| {
            if other == seat {
                points
            } else if other == payer {
                -points
            } else {
                0.0
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use greedy_tenpai::GreedyTenpai;
    use policy_host::{DirectThread, GameKind};
    use riichi::Kind;

    use super::*;
    use crate::game::luck::tests::entrant;
    use crate::game::luck::{PARTS, WeightedLuck};
    use crate::game::{GameId, GameNews, SeatPlayer, play};

    /// Plays games of a policy and shows each event, with the tables that have applied it.
    fn each_event(
        games: u64,
        mut told: impl FnMut(u64, &Event, &[Option<PolicyTable<Table>>]) + Send,
    ) {
        let entrant = entrant::<GreedyTenpai>(GameKind::Riichi, 4, "");
        DirectThread::run("test", |thread| {
            for wall in 1..=games {
                let id = GameId {
                    seed: 11,
                    wall,
                    seating: 0,
                };
                let players = (0..4).map(|_| SeatPlayer::Bot(thread, &entrant));
                play::<RiichiGame>(Rules::TENHOU_HALF, id, players, |news| {
                    if let GameNews::Happened(event, after) = news {
                        told(wall, event, after.tables);
                    }
                })
                .expect("it can be played");
            }
        })
        .expect("a thread");
    }

    #[test]
    fn over_all_tiles_that_may_come_each_term_of_a_draw_is_0_on_average() {
        let mut luck = RiichiLuck::new(&Rules::TENHOU_HALF);
        let (mut draws, mut moved) = (0, 0);
        each_event(1, |_, event, tables| {
            if let Event::Tsumo { actor, .. } = *event {
                let before = luck.sums().classes().to_vec();
                let mut mean = vec![[0.0; MAX_PLAYERS]; CLASSES];
                for kind in Kind::all() {
                    let mut other = luck.clone();
                    other.drawn(actor, kind.tile(), tables);
                    for (mean, (sums, before)) in mean
                        .iter_mut()
                        .zip(other.sums().classes().iter().zip(&before))
                    {
                        for seat in 0..MAX_PLAYERS {
                            let term = sums[seat] - before[seat];
                            mean[seat] += term * f64::from(luck.unshown[kind]);
                            moved += u32::from(term != 0.0);
                        }
                    }
                }
                draws += 1;
                assert!(
                    mean.iter().flatten().all(|mean| mean.abs() < 1e-9),
                    "{mean:?}"
                );
            }
            luck.heard(event, tables);
        });
        assert!(draws > 300 && moved > 10_000, "{draws} {moved}");
    }

    #[test]
    fn what_a_term_is_worth_is_known_before_the_tile_is_drawn() {
        let mut late = RiichiLuck::new(&Rules::TENHOU_HALF);
        let mut early = late.clone();
        each_event(2, |_, event, tables| {
            if matches!(event, Event::StartGame { .. }) {
                late = RiichiLuck::new(&Rules::TENHOU_HALF);
                early = late.clone();
            }
            late.heard(event, tables);
            early.heard(event, tables);
            // All hands are judged now, and not when the tile has been drawn.
            for seat in 0..tables.len() {
                early.outlook(seat, tables);
            }
            assert_eq!(late.sums(), early.sums(), "{event:?}");
        });
    }

    #[test]
    fn the_tiles_that_may_come_are_those_of_the_wall() {
        let mut luck = RiichiLuck::new(&Rules::TENHOU_HALF);
        each_event(2, |_, event, tables| {
            luck.heard(event, tables);
            if let (Event::Tsumo { .. }, Some(Some(table))) = (event, tables.first()) {
                // The wall, and of the dead wall all but the turned indicators; a replacement
                // shortens the wall that is left to draw.
                let turned = table.dora_markers().len() as u32;
                let kans: usize = Seat::all(4).map(|seat| table.player(seat).kans()).sum();
                let hidden = u32::from(table.tiles_left()) + 14 - turned;
                assert_eq!(luck.unshown.total(), hidden, "{kans} kans");
            }
        });
    }

    #[test]
    fn the_luck_of_all_seats_adds_up_to_nothing_and_explains_a_part_of_the_places() {
        let (mut luck, mut seats) = (None::<WeightedLuck<RiichiGame>>, Vec::new());
        let (mut before, mut after) = (0.0, 0.0);
        each_event(60, |_, event, tables| {
            if matches!(event, Event::StartGame { .. }) {
                luck = WeightedLuck::new(&Rules::TENHOU_HALF);
            }
            let Some(luck) = &mut luck else { return };
            luck.heard(event, tables);
            if matches!(event, Event::EndGame { .. })
                && let Some(Some(table)) = tables.first()
            {
                let found = luck.of_seats();
                assert!(found.iter().sum::<i32>().abs() <= 2, "{found:?}");
                for (seat, luck) in Seat::all(4).zip(&found) {
                    let place = f64::from(table.place(seat)) - 2.5;
                    before += place.powi(2);
                    after += (place - f64::from(*luck) / f64::from(PARTS)).powi(2);
                }
                seats.push(found);
            }
        });
        assert_eq!(seats.len(), 60);
        assert!(after < 0.85 * before, "{after} of {before}");
    }
}
