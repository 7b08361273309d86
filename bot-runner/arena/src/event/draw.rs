//! The draw of the tables of an event.

use riichi::rng::Rng;

/// Times that the draw of a round begins anew, to find a better one.
const STARTS_OF_FEW: usize = 20;
const STARTS_OF_MANY: usize = 4;
/// The number of tables that is many.
const MANY_TABLES: usize = 5;

/// Draws tables, and knows what was drawn.
#[derive(Debug)]
pub(super) struct TableDraw {
    players: usize,
    /// How often two bots were at the same table.
    meetings: Vec<Vec<u32>>,
    /// How often a bot was drawn.
    drawn: Vec<u32>,
    /// How often a bot got each seat.
    seats: Vec<[u32; 4]>,
    random: Rng,
}

impl TableDraw {
    pub(super) fn new(bots: usize, players: usize, seed: u64) -> Self {
        Self {
            players,
            meetings: vec![vec![0; bots]; bots],
            drawn: vec![0; bots],
            seats: vec![[0; 4]; bots],
            random: Rng::keyed(&[seed]),
        }
    }

    /// Draws tables so that all bots play equally often, and meet each other equally often.
    pub(super) fn balanced(&mut self, tables: usize) -> Vec<Vec<usize>> {
        let seats = tables * self.players;
        let starts = if tables < MANY_TABLES {
            STARTS_OF_FEW
        } else {
            STARTS_OF_MANY
        };
        let mut best: Option<(u64, Vec<usize>)> = None;
        for _ in 0..starts {
            let mut order = self.by_times_drawn();
            self.random.shuffle(&mut order[..seats]);
            let end = order.len();
            let cost = self.improved(&mut order, seats, end, |meetings, _, _| {
                u64::from(meetings).pow(2)
            });
            if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                best = Some((cost, order));
            }
        }
        let order = best.map_or_else(Vec::new, |(_, order)| order);
        self.seated(&order[..seats])
    }

    /// Draws tables of bots that are neighbours in the standing and did not meet often. `places`
    /// has the place of each bot.
    pub(super) fn of_neighbours(&mut self, tables: usize, places: &[usize]) -> Vec<Vec<usize>> {
        let seats = tables * self.players;
        let mut order = self.by_times_drawn();
        order[..seats].sort_by_key(|&bot| places[bot]);
        let players = self.players as u64;
        self.improved(&mut order, seats, seats, |meetings, one, other| {
            let apart = places[one].abs_diff(places[other]) as u64;
            // A meeting more weighs as much as a table of distance.
            apart.pow(2) + u64::from(meetings).pow(2) * players.pow(2)
        });
        self.seated(&order[..seats])
    }

    /// All bots, those first that were drawn least often: the first have seats, the others sit out.
    fn by_times_drawn(&mut self) -> Vec<usize> {
        let mut bots: Vec<usize> = (0..self.drawn.len()).collect();
        self.random.shuffle(&mut bots);
        bots.sort_by_key(|&bot| self.drawn[bot]);
        bots
    }

    /// Exchanges bots of different tables while that lowers the sum of the costs of all pairs at a
    /// table, and bots with a seat for those before `end` that sit out and were drawn as often;
    /// returns the sum.
    fn improved(
        &self,
        order: &mut [usize],
        seats: usize,
        end: usize,
        cost: impl Fn(u32, usize, usize) -> u64,
    ) -> u64 {
        let of_pair = |one: usize, other: usize| cost(self.meetings[one][other], one, other);
        let players = self.players;
        let table_of = |place: usize| place / players * players..(place / players + 1) * players;
        // The cost of a bot at the table of a place, without whoever has that place.
        let at = |order: &[usize], bot: usize, place: usize| -> u64 {
            if place >= seats {
                return 0;
            }
            let others = table_of(place).filter(|&other| other != place);
            others.map(|other| of_pair(bot, order[other])).sum()
        };
        loop {
            let mut is_better = false;
            for one in 0..seats {
                for other in table_of(one).end..end {
                    let (first, second) = (order[one], order[other]);
                    if other >= seats && self.drawn[first] != self.drawn[second] {
                        continue;
                    }
                    let now = at(order, first, one) + at(order, second, other);
                    let then = at(order, second, one) + at(order, first, other);
                    if then < now {
                        order.swap(one, other);
                        is_better = true;
                    }
                }
            }
            if !is_better {
                break;
            }
        }
        let sums = (0..seats).map(|place| at(order, order[place], place));
        sums.sum::<u64>() / 2
    }

    /// Gives the bots of each table seats that they had least often, and notes all.
    fn seated(&mut self, order: &[usize]) -> Vec<Vec<usize>> {
        let tables = order.chunks_exact(self.players);
        let tables: Vec<Vec<usize>> = tables.map(|table| self.seats_of(table)).collect();
        for table in &tables {
            for (seat, &bot) in table.iter().enumerate() {
                self.drawn[bot] += 1;
                self.seats[bot][seat] += 1;
                for &other in table.iter().filter(|&&other| other != bot) {
                    self.meetings[bot][other] += 1;
                }
            }
        }
        tables
    }

    fn seats_of(&self, table: &[usize]) -> Vec<usize> {
        let cost = |seats: &[usize]| -> u32 {
            let had = seats.iter().enumerate();
            had.map(|(seat, &bot)| self.seats[bot][seat].pow(2) + self.seats[bot][seat])
                .sum()
        };
        let mut best = table.to_vec();
        for seats in orders(table) {
            if cost(&seats) < cost(&best) {
                best = seats;
            }
        }
        best
    }
}

/// All orders of a few.
fn orders(of: &[usize]) -> Vec<Vec<usize>> {
    if of.len() <= 1 {
        return vec![of.to_vec()];
    }
    let mut all = Vec::new();
    for first in 0..of.len() {
        let mut rest = of.to_vec();
        let head = rest.remove(first);
        all.extend(orders(&rest).into_iter().map(|mut order| {
            order.insert(0, head);
            order
        }));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spread(values: impl Iterator<Item = u32> + Clone) -> u32 {
        values.clone().max().unwrap_or(0) - values.min().unwrap_or(0)
    }

    #[test]
    fn all_bots_play_and_meet_and_get_each_seat_about_equally_often() {
        for (bots, players, rounds) in [(16, 4, 60), (9, 3, 40), (7, 4, 70), (5, 3, 50)] {
            let mut draw = TableDraw::new(bots, players, 1);
            for _ in 0..rounds {
                let tables = draw.balanced(bots / players);
                assert_eq!(tables.len(), bots / players);
                let mut seated: Vec<usize> = tables.concat();
                seated.sort_unstable();
                seated.dedup();
                assert_eq!(seated.len(), bots / players * players, "no bot twice");
            }
            let pairs = (0..bots).flat_map(|one| (one + 1..bots).map(move |other| (one, other)));
            let meetings = pairs.map(|(one, other)| draw.meetings[one][other]);
            assert!(spread(draw.drawn.iter().copied()) <= 1, "{bots}: {draw:?}");
            assert!(spread(meetings) <= 3, "{bots}: {:?}", draw.meetings);
            for seats in &draw.seats {
                assert!(
                    spread(seats[..players].iter().copied()) <= 3,
                    "{bots}: {seats:?}"
                );
            }
        }
    }

    #[test]
    fn neighbours_in_the_standing_meet_and_not_always_the_same() {
        let mut draw = TableDraw::new(16, 4, 1);
        let places: Vec<usize> = (0..16).collect();
        let first = draw.of_neighbours(4, &places);
        for table in &first {
            let (least, greatest) = (table.iter().min(), table.iter().max());
            assert!(
                greatest
                    .zip(least)
                    .is_some_and(|(high, low)| high - low == 3)
            );
        }
        assert_ne!(draw.of_neighbours(4, &places), first);
        for _ in 0..20 {
            draw.of_neighbours(4, &places);
        }
        let meetings = &draw.meetings[0];
        assert!(meetings[1] > meetings[15], "{meetings:?}");
        assert!(
            meetings[1..8].iter().all(|&times| times > 0),
            "{meetings:?}"
        );
    }

    #[test]
    fn a_draw_depends_only_on_its_seed() {
        let drawn = |seed| TableDraw::new(9, 4, seed).balanced(2);
        assert_eq!(drawn(1), drawn(1));
        assert_ne!(drawn(1), drawn(2));
    }
}
