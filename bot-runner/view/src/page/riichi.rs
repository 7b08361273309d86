//! Riichi mahjong on its page.

use client::session::observed::snapshot_table;
use protocol::game_record::{RecordedGame, RiichiLineForm};
use riichi::event::{DrawReason, Hora, Points, StartKyoku};
use riichi::score::Score;
use riichi::shanten::shanten;
use riichi::table::{Contradiction, Phase, PlayerState};
use riichi::{Event, Kind, Meld, MeldKind, Rules, Seat, Table, Tile};

use super::model::{Pieces, Position, SeatPosition, ShownEnd, ShownMeld, StepSort};
use super::outcome::{payment_words, seat_name, standing_words};
use super::walk::{ShownGame, Told, Walk};
use super::words::{tile_code, tile_codes, tile_word, tiles_word};

/// A game of riichi, from the seats whose tiles are known.
#[derive(Debug)]
pub struct ShownRiichi {
    rules: Rules,
    /// A single table without known tiles if all hands are hidden.
    tables: Vec<Table>,
    hidden: bool,
    /// Scores at the start of the round.
    start: Option<Points>,
    holds_drawn: Option<Seat>,
    /// The last tile shown by a kan or discarded, and whether it was a kan's.
    offered: Option<(Tile, bool)>,
    /// Tiles that were added to a pon.
    added: Vec<Tile>,
    ura: Vec<Tile>,
    /// The end of the round: each winner, or the draw.
    ends: Vec<ShownRoundEnd>,
}

#[derive(Debug)]
enum ShownRoundEnd {
    Won {
        by: Seat,
        from: Seat,
        tile: Option<Tile>,
        worth: Option<ShownWorth>,
    },
    Drawn(Option<DrawReason>),
}

/// The value of a winning hand.
#[derive(Debug)]
struct ShownWorth {
    /// Han, fu and the limit.
    total: String,
    /// Each yaku and dora, with its han.
    parts: Vec<(String, String)>,
}

impl Walk<ShownRiichi> {
    /// The page of a game with these events, which may be only its first ones; `None` if no round
    /// is dealt.
    pub fn riichi(events: &[Event], names: &[String], last_only: bool) -> Option<Self> {
        let (game, seats) = ShownRiichi::dealt_in(events)?;
        Some(Self::new(game, names, seats, last_only))
    }

    /// A round that was joined after its deal, as a seat knows its table.
    fn joined(table: &Table, names: &[String]) -> Self {
        let rules = *table.rules();
        let mut game = ShownRiichi::of(rules, vec![table.clone()], false);
        game.holds_drawn = table.drawn().map(|_| table.seat());
        let mut walk = Self::new(game, names, usize::from(rules.players), true);
        walk.join();
        walk
    }
}

impl ShownGame for ShownRiichi {
    type Form = RiichiLineForm;
    const PIECES: Pieces = Pieces::Tiles;

    fn dealt(record: &RecordedGame<RiichiLineForm>) -> Option<(Self, usize)> {
        Self::dealt_in(&record.events)
    }

    fn joined(line: &str, names: &[String]) -> Option<Walk<Self>> {
        snapshot_table(line).map(|table| Walk::joined(&table, names))
    }

    fn take(&mut self, event: &Event) -> Result<Option<String>, String> {
        let won = self.won_by(event);
        let mut odd = None;
        for table in &mut self.tables {
            let Err(why) = table.apply(&event.masked_for(table.seat())) else {
                continue;
            };
            let told = if self.hidden {
                why.to_string()
            } else {
                format!("seen from seat {}: {why}", table.seat())
            };
            if !matches!(
                why,
                Contradiction::RoundNotEnded | Contradiction::Scores { .. }
            ) {
                return Err(told);
            }
            odd.get_or_insert(told);
        }
        match *event {
            Event::StartKyoku(_) => {
                self.start = self.tables.first().map(|table| *table.scores());
                (self.holds_drawn, self.offered) = (None, None);
                (self.added, self.ura, self.ends) = (Vec::new(), Vec::new(), Vec::new());
            }
            Event::Tsumo { actor, .. } => self.holds_drawn = Some(actor),
            Event::Dahai { tile, .. } => {
                (self.holds_drawn, self.offered) = (None, Some((tile, false)))
            }
            Event::Ankan {
                consumed: [tile, ..],
                ..
            } => (self.holds_drawn, self.offered) = (None, Some((tile, true))),
            Event::Kakan { tile, .. } => {
                (self.holds_drawn, self.offered) = (None, Some((tile, true)));
                self.added.push(tile);
            }
            Event::Kita { .. } => {
                (self.holds_drawn, self.offered) = (None, Some((Kind::NORTH.tile(), false)))
            }
            Event::Hora(Hora { ura_markers, .. }) => {
                self.ura = ura_markers.to_vec().to_vec();
                self.ends.extend(won);
            }
            Event::Ryukyoku { reason, .. } => self.ends.push(ShownRoundEnd::Drawn(reason)),
            _ => {}
        }
        Ok(odd)
    }

    fn told(&self, event: &Event, names: &[String]) -> Told {
        let name = |seat: Seat| names.get(seat.index()).map_or("", String::as_str);
        let call = |actor, what: &str, tile, target, with: &str| {
            format!(
                "{} calls {what} on {}'s {}{with}.",
                name(actor),
                name(target),
                tile_word(tile)
            )
        };
        let end = || {
            self.ends
                .last()
                .map_or_else(String::new, |end| end.words(names))
        };
        let (words, sort) = match *event {
            Event::StartGame { .. } | Event::EndKyoku => return Told::Nothing,
            Event::EndGame { .. } => return Told::Result(self.standing(names)),
            Event::StartKyoku(start) => return round_name(&start),
            Event::Tsumo { actor, tile } => {
                let tile = tile.map_or_else(String::new, |tile| format!(" {}", tile_word(tile)));
                (format!("{} draws{tile}.", name(actor)), StepSort::Turn)
            }
            Event::Dahai {
                actor,
                tile,
                tsumogiri,
            } => {
                let drawn = if tsumogiri { ", the tile drawn" } else { "" };
                (
                    format!("{} discards {}{drawn}.", name(actor), tile_word(tile)),
                    StepSort::Plain,
                )
            }
            Event::Chi {
                actor,
                target,
                tile,
                consumed,
            } => (
                call(
                    actor,
                    "chi",
                    tile,
                    target,
                    &format!(", with {}", tiles_word(consumed)),
                ),
                StepSort::Chow,
            ),
            Event::Pon {
                actor,
                target,
                tile,
                ..
            } => (call(actor, "pon", tile, target, ""), StepSort::Pung),
            Event::Daiminkan {
                actor,
                target,
                tile,
                ..
            } => (call(actor, "kan", tile, target, ""), StepSort::Kong),
            Event::Ankan { actor, consumed } => (
                format!(
                    "{} shows a closed kan, {}.",
                    name(actor),
                    tiles_word(consumed)
                ),
                StepSort::Kong,
            ),
            Event::Kakan { actor, tile, .. } => (
                format!("{} adds {} to a pon.", name(actor), tile_word(tile)),
                StepSort::Kong,
            ),
            Event::Kita { actor } => (
                format!("{} sets a north aside.", name(actor)),
                StepSort::Plain,
            ),
            Event::Dora { marker } => (
                format!("A further dora indicator is turned: {}.", tile_word(marker)),
                StepSort::Plain,
            ),
            Event::Reach { actor } => (
                format!("{} declares riichi.", name(actor)),
                StepSort::Riichi,
            ),
            Event::ReachAccepted { actor, .. } => (
                format!("{} pays the riichi stick.", name(actor)),
                StepSort::Plain,
            ),
            Event::Hora(Hora { deltas, .. }) => {
                (format!("{}.{}", end(), paid(deltas, names)), StepSort::Win)
            }
            Event::Ryukyoku { deltas, .. } => (
                format!("The round ends: {}.{}", end(), paid(deltas, names)),
                StepSort::Draw,
            ),
        };
        Told::Step(words, sort)
    }

    fn position(&self) -> Position {
        let Some(any) = self.tables.first() else {
            return Position::default();
        };
        let won = match self.ends.last() {
            Some(ShownRoundEnd::Won { by, from, .. }) => Some((*by, *from)),
            _ => None,
        };
        let turn = match any.phase() {
            Phase::Draw(seat) | Phase::Turn(seat) | Phase::Called(seat) | Phase::Declared(seat) => {
                Some(seat)
            }
            Phase::Discarded { by, .. }
            | Phase::Accepted { by, .. }
            | Phase::Kan { by, .. }
            | Phase::Kita { by } => Some(by),
            Phase::Won { .. } => won.map(|(by, _)| by),
            Phase::Between | Phase::Drawn => None,
        };
        let latest = match any.phase() {
            Phase::Discarded { by, .. } | Phase::Accepted { by, .. } => Some(by),
            _ => won.and_then(|(by, from)| (by != from).then_some(from)),
        };
        Position {
            round: format!("{:?} {}", any.bakaze(), any.kyoku()),
            counters: format!("repeat {} · sticks {}", any.honba(), any.kyotaku()),
            left: Some(any.tiles_left().into()),
            dora: tile_codes(any.dora_markers().iter().copied()),
            ura: tile_codes(self.ura.iter().copied()),
            turn: turn.map(Seat::index),
            latest: latest.map(Seat::index),
            over: !any.phase().is_running(),
            seats: Seat::all(self.rules.players)
                .map(|seat| self.seat(any, seat))
                .collect(),
            ..Position::default()
        }
    }

    fn shanten(&self, event: &Event) -> Vec<(usize, i8)> {
        let changed = |table: &&Table| match *event {
            Event::StartKyoku(_) => true,
            Event::Dahai { actor, .. }
            | Event::Ankan { actor, .. }
            | Event::Kakan { actor, .. } => table.seat() == actor,
            _ => false,
        };
        let now = |table: &Table| Some((table.seat().index(), shanten(&table.concealed()?)));
        self.tables.iter().filter(changed).filter_map(now).collect()
    }

    fn end(&self, names: &[String]) -> Option<ShownEnd> {
        let name = |seat: &Seat| seat_name(names, seat.index());
        let about = |tile: &Option<Tile>, by, from| {
            tile.map(tile_word)
                .into_iter()
                .chain([how(by, from, names)])
        };
        Some(match &self.ends[..] {
            [] => return None,
            [ShownRoundEnd::Drawn(reason), ..] => {
                let about = reason.map(draw_words).into_iter().collect();
                ShownEnd {
                    title: "Draw".to_owned(),
                    about,
                    ..ShownEnd::default()
                }
            }
            [
                ShownRoundEnd::Won {
                    by,
                    from,
                    tile,
                    worth,
                },
            ] => {
                let total = worth.iter().map(|worth| worth.total.clone());
                let parts = worth
                    .as_ref()
                    .map_or_else(Vec::new, |worth| worth.parts.clone());
                let about = total.chain(about(tile, *by, *from)).collect();
                ShownEnd {
                    title: format!("{} wins", name(by)),
                    about,
                    parts,
                }
            }
            [ShownRoundEnd::Won { by, from, tile, .. }, ..] => {
                let parts_of = |end: &ShownRoundEnd| match end {
                    ShownRoundEnd::Won { by, worth, .. } => {
                        let worth = worth.as_ref();
                        let total = (
                            name(by),
                            worth.map_or_else(String::new, |worth| worth.total.clone()),
                        );
                        [
                            vec![total],
                            worth.map_or_else(Vec::new, |worth| worth.parts.clone()),
                        ]
                        .concat()
                    }
                    ShownRoundEnd::Drawn(_) => Vec::new(),
                };
                let parts = self.ends.iter().flat_map(parts_of).collect();
                ShownEnd {
                    title: format!("{} players win", self.ends.len()),
                    about: about(tile, *by, *from).collect(),
                    parts,
                }
            }
        })
    }

    fn outcome(&self, names: &[String]) -> String {
        self.ends
            .iter()
            .map(|end| end.words(names))
            .collect::<Vec<_>>()
            .join("; ")
    }
}

impl ShownRoundEnd {
    /// A draw, or the winner, the way of winning, and the value of the hand.
    fn words(&self, names: &[String]) -> String {
        match self {
            Self::Drawn(reason) => reason.map_or_else(|| "drawn".to_owned(), draw_words),
            Self::Won {
                by, from, worth, ..
            } => {
                let worth =
                    worth
                        .as_ref()
                        .map_or_else(String::new, |ShownWorth { total, parts }| {
                            let each: Vec<String> = parts
                                .iter()
                                .map(|(name, han)| format!("{name} {han}").trim_end().to_owned())
                                .collect();
                            format!(": {total}: {}", each.join(", "))
                        });
                let by_name = names.get(by.index()).map_or("", String::as_str);
                format!("{by_name} wins {}{worth}", how(*by, *from, names))
            }
        }
    }
}

/// How a seat got the winning tile.
fn how(by: Seat, from: Seat, names: &[String]) -> String {
    match names.get(from.index()) {
        _ if by == from => "by self-draw".to_owned(),
        name => format!("on the tile of {}", name.map_or("", String::as_str)),
    }
}

fn round_name(start: &StartKyoku) -> Told {
    let (long, short) = match start.honba {
        0 => (String::new(), String::new()),
        honba => (format!(", repeat {honba}"), format!("·{honba}")),
    };
    let wind = format!("{:?}", start.bakaze);
    Told::Round {
        short: format!("{}{}{short}", &wind[..1], start.kyoku),
        name: format!("{wind} {}{long}", start.kyoku),
    }
}

/// The payments, if the record has them.
fn paid(deltas: Option<Points>, names: &[String]) -> String {
    let Some(deltas) = deltas else {
        return String::new();
    };
    let deltas: Vec<f64> = deltas
        .as_slice()
        .iter()
        .map(|&points| points.into())
        .collect();
    format!(" {}.", payment_words(&deltas, names))
}

impl ShownRiichi {
    /// A game before these events, with its number of seats; `None` if no round is dealt in them.
    fn dealt_in(events: &[Event]) -> Option<(Self, usize)> {
        let tehais = events.iter().find_map(|event| match event {
            Event::StartKyoku(start) => Some(start.tehais),
            _ => None,
        })?;
        let rules = Rules::TENHOU_HALF.with_players(tehais.players());
        let open =
            Seat::all(rules.players).filter(|&seat| tehais.get(seat).is_some_and(Option::is_some));
        let mut tables: Vec<Table> = open.map(|seat| Table::new(rules, seat)).collect();
        let hidden = tables.is_empty();
        tables.extend(hidden.then(|| Table::hidden(rules)));
        Some((Self::of(rules, tables, hidden), usize::from(rules.players)))
    }

    const fn of(rules: Rules, tables: Vec<Table>, hidden: bool) -> Self {
        Self {
            rules,
            start: None,
            holds_drawn: None,
            offered: None,
            added: Vec::new(),
            ura: Vec::new(),
            ends: Vec::new(),
            tables,
            hidden,
        }
    }

    /// The seats by their places, with their points.
    fn standing(&self, names: &[String]) -> String {
        let Some(scores) = self.tables.first().map(Table::scores) else {
            return String::new();
        };
        let points: Vec<f64> = scores
            .as_slice()
            .iter()
            .map(|&points| points.into())
            .collect();
        standing_words(&points, names)
    }

    fn seat(&self, any: &Table, seat: Seat) -> SeatPosition {
        let own = self
            .tables
            .iter()
            .find(|table| table.seat() == seat && !self.hidden);
        let player = any.player(seat);
        let holds_drawn = self.holds_drawn == Some(seat);
        let (hand, drawn) = match own {
            Some(table) => {
                let mut hand = *table.hand();
                let drawn = table.drawn().filter(|&drawn| hand.remove(drawn).is_ok());
                (
                    tile_codes(hand.tiles()),
                    drawn.map_or_else(String::new, tile_code),
                )
            }
            None => {
                let called = any.phase() == Phase::Called(seat);
                let tiles = 13 - 3 * player.melds.len() + usize::from(called);
                (
                    "??".repeat(tiles),
                    if holds_drawn {
                        "??".to_owned()
                    } else {
                        String::new()
                    },
                )
            }
        };
        let score = any.scores()[seat];
        let added = |meld: &Meld| {
            self.added
                .iter()
                .copied()
                .find(|tile| tile.kind() == meld.first() && meld.kind() == MeldKind::Kakan)
        };
        SeatPosition {
            wind: Some(any.seat_wind(seat) as u8),
            score: Some(score.into()),
            change: self.start.map(|start| (score - start[seat]).into()),
            hand,
            drawn,
            melds: player
                .melds
                .iter()
                .map(|meld| shown_meld(meld, added(meld), seat, self.rules.players))
                .collect(),
            river: river(player),
            aside: tile_code(Kind::NORTH.tile()).repeat(player.kita.into()),
            riichi: player.riichi.map_or("", |riichi| {
                if riichi.accepted {
                    "accepted"
                } else {
                    "declared"
                }
            }),
            ..SeatPosition::default()
        }
    }

    /// A win, with its value if the winner's tiles are known. Call this before the win is applied.
    fn won_by(&self, event: &Event) -> Option<ShownRoundEnd> {
        let &Event::Hora(Hora {
            actor: by,
            target: from,
            ura_markers,
            ..
        }) = event
        else {
            return None;
        };
        let table = self.tables.iter().find(|table| table.seat() == by);
        // A second winner on the same tile comes after the round is won.
        let won = if by == from {
            table.and_then(Table::drawn).map(|tile| (tile, false))
        } else {
            self.offered
        };
        let score = table
            .zip(won)
            .and_then(|(table, won)| table.score_of_win(from, won, ura_markers).ok());
        Some(ShownRoundEnd::Won {
            by,
            from,
            tile: won.map(|(tile, _)| tile),
            worth: score.as_ref().map(ShownWorth::of),
        })
    }
}

impl ShownWorth {
    fn of(score: &Score) -> Self {
        let limit = score.limit.map(|limit| limit.to_string());
        // A yakuman has neither han nor fu.
        if let Some(limit) = limit.as_ref().filter(|_| score.fu == 0) {
            let parts = score
                .yaku_with_han()
                .map(|(yaku, _)| (yaku.name().to_owned(), String::new()))
                .collect();
            return Self {
                total: limit.clone(),
                parts,
            };
        }
        let limit = limit.map_or_else(String::new, |limit| format!(", {limit}"));
        let parts = score
            .parts()
            .map(|(name, han)| (name.to_owned(), han.to_string()))
            .collect();
        Self {
            total: format!("{} han {} fu{limit}", score.han, score.fu),
            parts,
        }
    }
}

fn river(player: &PlayerState) -> Vec<String> {
    let tile = |discard: &riichi::table::Discard| {
        let drawn = if discard.tsumogiri { "d" } else { "" };
        let riichi = if discard.riichi { "r" } else { "" };
        let by = discard
            .called_by
            .map_or_else(String::new, |seat| seat.to_string());
        format!("{}{drawn}{riichi}{by}", tile_code(discard.tile))
    };
    player.river.iter().map(tile).collect()
}

/// The tile that lies sideways points to the seat that it came from.
fn shown_meld(meld: &Meld, added: Option<Tile>, seat: Seat, players: u8) -> ShownMeld {
    let name = match meld.kind() {
        MeldKind::Chi => "chi",
        MeldKind::Pon => "pon",
        MeldKind::Daiminkan => "open kan",
        MeldKind::Ankan => "closed kan",
        MeldKind::Kakan => "added kan",
    };
    let mut tiles: Vec<String> = meld.tiles().iter().map(|&tile| tile_code(tile)).collect();
    let Some(called) = meld.called else {
        // A red five, the last of its kind in order, is one of the two that are open.
        let closed = format!("{}_{}{}{}_", tiles[0], tiles[1], tiles[3], tiles[2]);
        return ShownMeld {
            name,
            from: None,
            tiles: closed,
        };
    };
    let mut take = |tile: Tile| {
        let code = tile_code(tile);
        tiles
            .iter()
            .position(|other| *other == code)
            .map(|at| tiles.remove(at))
            .unwrap_or(code)
    };
    let above = added.map_or_else(String::new, |tile| format!("{}^", take(tile)));
    let aside = format!("{}<{above}", take(called.tile));
    let at = match called.from.turns_after(seat, players) {
        1 => tiles.len(),
        turns if turns + 1 == players => 0,
        _ => 1,
    };
    tiles.insert(at, aside);
    ShownMeld {
        name,
        from: Some(called.from.index()),
        tiles: tiles.concat(),
    }
}

fn draw_words(reason: DrawReason) -> String {
    match reason {
        DrawReason::Exhaustive => "exhaustive draw".to_owned(),
        DrawReason::NagashiMangan => "nagashi mangan".to_owned(),
        DrawReason::NineTerminals => "draw by nine terminals".to_owned(),
        DrawReason::FourWinds => "draw by four equal winds".to_owned(),
        DrawReason::FourKans => "draw by four kans".to_owned(),
        DrawReason::FourRiichi => "draw by four riichi".to_owned(),
        DrawReason::ThreeWinners => "draw by three winners".to_owned(),
        DrawReason::IllegalAction(seat) => {
            format!("ended by an action of seat {seat} that was not legal")
        }
    }
}
