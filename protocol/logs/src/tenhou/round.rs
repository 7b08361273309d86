//! The order of draws, calls and discards of a round, which Tenhou's form lists by seat.

use riichi::{Event, PerSeat, Seat, Tile};
use serde_json::Value;

use super::{DRAWN, NO_DISCARD, SEATS};
use crate::game::{EventList, ReadResult, malformed};
use crate::names::tile_of;

/// Maximum number of places that are tried again because a call may belong to a later discard.
const MAX_TRIES: usize = 1_000;
/// Maximum number of draws and discards of a seat: a wall has fewer tiles.
const MAX_LIST: usize = 136;

/// What each seat drew, called and discarded.
pub(super) struct RoundTiles {
    drawn: PerSeat<Vec<Taken>>,
    discarded: PerSeat<Vec<Given>>,
}

/// What the seats declared in a round.
pub(super) struct DeclaredInRound {
    /// Who is in riichi, and has paid for it.
    pub(super) riichi: PerSeat<bool>,
    pub(super) has_norths: bool,
}

/// A tile that a seat takes.
#[derive(Debug, Clone, PartialEq)]
enum Taken {
    Drawn(Tile),
    Called(TenhouCall),
}

/// A call, or a kan in the own turn.
#[derive(Debug, Clone, PartialEq)]
struct TenhouCall {
    letter: char,
    tile: Tile,
    own: Vec<Tile>,
    /// Number of own tiles before the letter.
    before: usize,
}

/// What a seat gives away in its turn.
#[derive(Debug, Clone, PartialEq)]
enum Given {
    Discard {
        /// `None`: the drawn tile.
        tile: Option<Tile>,
        riichi: bool,
    },
    /// Nothing, after an open kan.
    Nothing,
    Kan(TenhouCall),
    North,
}

pub(super) fn tile_by_number(number: u64) -> Option<Tile> {
    let (tens, ones) = (number / 10, number % 10);
    match (tens, ones) {
        (1..=3, 1..=9) | (4, 1..=7) => tile_of(tens as u8 - 1, ones as u8),
        (5, 1..=3) => Tile::red_five(ones as u8 - 1),
        _ => None,
    }
}

impl TenhouCall {
    fn read(text: &str) -> Option<Self> {
        let place = text.find(|letter: char| letter.is_ascii_alphabetic())?;
        let letter = text[place..].chars().next()?;
        let digits = format!("{}{}", &text[..place], &text[place + 1..]);
        if !digits.is_ascii() || !digits.len().is_multiple_of(2) || !place.is_multiple_of(2) {
            return None;
        }
        let tile = |index: usize| tile_by_number(digits.get(index..index + 2)?.parse().ok()?);
        let mut tiles = (0..digits.len() / 2)
            .map(|index| tile(2 * index))
            .collect::<Option<Vec<Tile>>>()?;
        let before = place / 2;
        let wanted = match letter {
            'c' | 'p' => 3,
            'm' | 'a' | 'k' => 4,
            _ => return None,
        };
        if tiles.len() != wanted || before >= tiles.len() {
            return None;
        }
        let tile = tiles.remove(before);
        Some(Self {
            letter,
            tile,
            own: tiles,
            before,
        })
    }

    /// The seat whose discard is called: the previous one, the one opposite, or the next.
    fn target(&self, actor: Seat) -> Option<Seat> {
        let steps = match self.before {
            0 => 3,
            1 => 2,
            _ => 1,
        };
        Seat::at((actor.index() + steps) % SEATS)
    }

    fn event(&self, actor: Seat, target: Seat) -> Option<Event> {
        let tile = self.tile;
        Some(match self.letter {
            'c' => Event::Chi {
                actor,
                target,
                tile,
                consumed: self.own.as_slice().try_into().ok()?,
            },
            'p' => Event::Pon {
                actor,
                target,
                tile,
                consumed: self.own.as_slice().try_into().ok()?,
            },
            'm' => Event::Daiminkan {
                actor,
                target,
                tile,
                consumed: self.own.as_slice().try_into().ok()?,
            },
            'k' => Event::Kakan {
                actor,
                tile,
                consumed: self.own.as_slice().try_into().ok()?,
            },
            'a' => {
                let [first, second, third] = self.own.as_slice().try_into().ok()?;
                Event::Ankan {
                    actor,
                    consumed: [first, second, third, tile],
                }
            }
            _ => return None,
        })
    }
}

impl RoundTiles {
    /// Reads the lists of a round: 0 is what a seat takes, 1 what it gives.
    pub(super) fn read<'a>(
        list: impl Fn(Seat, usize) -> &'a Value,
        players: u8,
    ) -> ReadResult<Self> {
        let (mut drawn, mut discarded) = (
            PerSeat::from_fn(players, |_| Vec::new()),
            PerSeat::from_fn(players, |_| Vec::new()),
        );
        for seat in Seat::all(players) {
            drawn[seat] = entries(list(seat, 0), seat, "draw", taken)?;
            discarded[seat] = entries(list(seat, 1), seat, "discard", given)?;
        }
        Ok(Self { drawn, discarded })
    }

    /// The events between the deal and the result, which may be wins on the last tile.
    ///
    /// A call belongs to the first discard that it fits. Where that leads to no end, it belongs to
    /// a later one.
    pub(super) fn played(
        &self,
        oya: Seat,
        doras: &[Tile],
        last_is_won_on: bool,
    ) -> ReadResult<(EventList, DeclaredInRound)> {
        let players = self.drawn.players();
        let mut events = EventList::default();
        let mut walk = RoundWalk {
            tiles: self,
            place: WalkPlace {
                taken: PerSeat::from_fn(players, |_| 0),
                given: PerSeat::from_fn(players, |_| 0),
                next: NextStep::Draw(oya),
                doras: 0,
                owed_doras: 0,
                riichi: PerSeat::from_fn(players, |_| false),
                owes_stick: None,
                events: 0,
            },
            doras,
            events: &mut events,
            later: Vec::new(),
        };
        let mut furthest = (0, String::new());
        for _ in 0..MAX_TRIES {
            match walk.follow_to_end(last_is_won_on) {
                Ok(()) => {
                    let declared = DeclaredInRound {
                        riichi: walk.place.riichi,
                        has_norths: self
                            .discarded
                            .iter()
                            .any(|(_, given)| given.contains(&Given::North)),
                    };
                    return Ok((events, declared));
                }
                Err(why) => {
                    let reached = walk.place.events;
                    if reached >= furthest.0 {
                        furthest = (reached, why);
                    }
                    let Some(earlier) = walk.later.pop() else {
                        break;
                    };
                    walk.place = earlier;
                    walk.events.truncate(walk.place.events);
                }
            }
        }
        malformed("draws and discards", furthest.1)
    }
}

/// What happens next.
#[derive(Debug, Clone, Copy)]
enum NextStep {
    Draw(Seat),
    Give(Seat),
    /// The discard of this seat may be called, unless that has been tried.
    Offered(Seat, Tile, bool),
    Over,
}

/// How far the lists have been followed.
#[derive(Debug, Clone)]
struct WalkPlace {
    taken: PerSeat<usize>,
    given: PerSeat<usize>,
    next: NextStep,
    /// Further dora indicators so far.
    doras: usize,
    /// Indicators of open and added kans, which are turned with the next discard or kan.
    owed_doras: usize,
    /// Who is in riichi.
    riichi: PerSeat<bool>,
    /// Who has just declared riichi.
    owes_stick: Option<Seat>,
    /// Number of events so far.
    events: usize,
}

struct RoundWalk<'a> {
    tiles: &'a RoundTiles,
    place: WalkPlace,
    doras: &'a [Tile],
    events: &'a mut EventList,
    /// Places at which a call was taken, and may belong to a later discard.
    later: Vec<WalkPlace>,
}

impl RoundWalk<'_> {
    fn follow_to_end(&mut self, last_is_won_on: bool) -> Result<(), String> {
        loop {
            match self.place.next {
                NextStep::Draw(seat) => self.draw(seat)?,
                NextStep::Give(seat) => self.give(seat)?,
                NextStep::Offered(seat, tile, tried) => self.offer(seat, tile, tried)?,
                NextStep::Over => break,
            }
        }
        for seat in Seat::all(self.tiles.drawn.players()) {
            let (taken, given) = (self.place.taken[seat], self.place.given[seat]);
            if taken < self.tiles.drawn[seat].len() {
                return Err(format!(
                    "draw {} of seat {seat} follows no event",
                    taken + 1
                ));
            }
            if given < self.tiles.discarded[seat].len() {
                return Err(format!(
                    "discard {} of seat {seat} follows no draw",
                    given + 1
                ));
            }
        }
        // A riichi whose tile is won on is not paid.
        if let Some(seat) = self.place.owes_stick.take_if(|_| last_is_won_on) {
            self.place.riichi[seat] = false;
        }
        self.pay_stick();
        // A house may turn an indicator before the discard.
        self.turn_doras();
        if self.place.doras < self.doras.len() {
            return Err(format!(
                "there are {} dora indicators, and kans for {}",
                self.doras.len() + 1,
                self.place.doras + 1
            ));
        }
        Ok(())
    }

    fn say(&mut self, event: Event) {
        self.events.push(event);
        self.place.events = self.events.len();
    }

    fn pay_stick(&mut self) {
        if let Some(actor) = self.place.owes_stick.take() {
            self.say(Event::ReachAccepted {
                actor,
                scores: None,
            });
        }
    }

    fn turn_doras(&mut self) {
        while self.place.owed_doras > 0 {
            self.place.owed_doras -= 1;
            if let Some(&marker) = self.doras.get(self.place.doras) {
                self.place.doras += 1;
                self.say(Event::Dora { marker });
            }
        }
    }

    fn draw(&mut self, seat: Seat) -> Result<(), String> {
        let index = self.place.taken[seat];
        match self.tiles.drawn[seat].get(index) {
            Some(&Taken::Drawn(tile)) => {
                self.pay_stick();
                self.place.taken[seat] += 1;
                self.say(Event::Tsumo {
                    actor: seat,
                    tile: Some(tile),
                });
                self.place.next = NextStep::Give(seat);
                Ok(())
            }
            Some(Taken::Called(_)) => Err(format!(
                "draw {} of seat {seat} is a call, and nothing that it fits is discarded",
                index + 1
            )),
            None => {
                self.place.next = NextStep::Over;
                Ok(())
            }
        }
    }

    fn drawn_tile(&self, seat: Seat) -> Option<Tile> {
        match self.tiles.drawn[seat].get(self.place.taken[seat].checked_sub(1)?)? {
            Taken::Drawn(tile) => Some(*tile),
            Taken::Called(_) => None,
        }
    }

    fn give(&mut self, seat: Seat) -> Result<(), String> {
        let index = self.place.given[seat];
        let Some(given) = self.tiles.discarded[seat].get(index) else {
            self.place.next = NextStep::Over;
            return Ok(());
        };
        self.place.given[seat] += 1;
        match *given {
            Given::Discard { tile, riichi } => {
                let drawn = self.drawn_tile(seat);
                let Some(tile) = tile.or(drawn) else {
                    return Err(format!(
                        "discard {} of seat {seat} is the drawn tile, and it has drawn none",
                        index + 1
                    ));
                };
                self.turn_doras();
                if riichi {
                    self.place.riichi[seat] = true;
                    self.place.owes_stick = Some(seat);
                    self.say(Event::Reach { actor: seat });
                }
                self.say(Event::Dahai {
                    actor: seat,
                    tile,
                    tsumogiri: matches!(given, Given::Discard { tile: None, .. }),
                });
                self.place.next = NextStep::Offered(seat, tile, false);
            }
            Given::Nothing => {
                return Err(format!(
                    "discard {} of seat {seat} is 0, which follows only an open kan",
                    index + 1
                ));
            }
            Given::Kan(ref call) => {
                let event = call.event(seat, seat).ok_or("a kan has four tiles")?;
                self.say(event);
                self.turn_doras();
                self.place.owed_doras = 1;
                if call.letter == 'a' {
                    self.turn_doras();
                }
                self.place.next = NextStep::Draw(seat);
            }
            Given::North => {
                self.say(Event::Kita { actor: seat });
                self.turn_doras();
                self.place.next = NextStep::Draw(seat);
            }
        }
        Ok(())
    }

    /// The calls that fit a discard: triplets and kans first.
    fn callers(&self, by: Seat, tile: Tile) -> Option<(Seat, TenhouCall)> {
        let players = self.tiles.drawn.players();
        let callers = Seat::all(players).filter_map(|seat| {
            match self.tiles.drawn[seat].get(self.place.taken[seat])? {
                Taken::Called(call)
                    if seat != by && call.tile == tile && call.target(seat) == Some(by) =>
                {
                    Some((seat, call.clone()))
                }
                _ => None,
            }
        });
        callers.min_by_key(|(_, call)| call.letter == 'c')
    }

    fn offer(&mut self, by: Seat, tile: Tile, tried: bool) -> Result<(), String> {
        let caller = if tried { None } else { self.callers(by, tile) };
        let Some((seat, call)) = caller else {
            self.place.next = NextStep::Draw(by.next(self.tiles.drawn.players()));
            return Ok(());
        };
        self.later.push(WalkPlace {
            next: NextStep::Offered(by, tile, true),
            ..self.place.clone()
        });
        self.pay_stick();
        self.place.taken[seat] += 1;
        let event = call
            .event(seat, by)
            .ok_or("a call has two or three own tiles")?;
        self.say(event);
        self.place.next = NextStep::Give(seat);
        if call.letter == 'm' {
            self.place.owed_doras += 1;
            // Some converters leave it out.
            let given = self.tiles.discarded[seat].get(self.place.given[seat]);
            self.place.given[seat] += usize::from(given == Some(&Given::Nothing));
            self.place.next = NextStep::Draw(seat);
        }
        Ok(())
    }
}

fn entries<T>(
    list: &Value,
    seat: Seat,
    what: &str,
    read: fn(&Value) -> Option<T>,
) -> ReadResult<Vec<T>> {
    let list = list.as_array().map_or(&[][..], Vec::as_slice);
    if list.len() > MAX_LIST {
        return malformed(
            format!("seat {seat}"),
            format!(
                "there are {} entries of sort {what}, and no wall has as many tiles",
                list.len()
            ),
        );
    }
    let entry = |(index, value): (usize, &Value)| {
        let place = format!("seat {seat}, {what} {}", index + 1);
        read(value)
            .ok_or(())
            .or_else(|()| malformed(place, format!("{value} is neither a tile nor a call")))
    };
    list.iter().enumerate().map(entry).collect()
}

fn taken(value: &Value) -> Option<Taken> {
    match value {
        Value::String(text) => TenhouCall::read(text)
            .filter(|call| matches!(call.letter, 'c' | 'p' | 'm'))
            .map(Taken::Called),
        number => tile_by_number(number.as_u64()?).map(Taken::Drawn),
    }
}

fn given(value: &Value) -> Option<Given> {
    let discard = |number: u64, riichi| {
        if number == u64::from(DRAWN) {
            return Some(Given::Discard { tile: None, riichi });
        }
        let tile = Some(tile_by_number(number)?);
        Some(Given::Discard { tile, riichi })
    };
    match value {
        Value::String(text) => match text.strip_prefix('r') {
            Some(number) => discard(number.parse().ok()?, true),
            None if text == "f44" => Some(Given::North),
            None => TenhouCall::read(text)
                .filter(|call| matches!(call.letter, 'a' | 'k'))
                .map(Given::Kan),
        },
        number => match number.as_u64()? {
            number if number == u64::from(NO_DISCARD) => Some(Given::Nothing),
            number => discard(number, false),
        },
    }
}
