//! The rounds of a game as the script plays them.

use riichi::event::{Hora, StartKyoku};
use riichi::score::{Dora, Win};
use riichi::shanten::shanten;
use riichi::table::Contradiction;
use riichi::yaku::{Declared, WinBy};
use riichi::{Event, Rules, Seat, Table, Tile};
use serde::Serialize;
use serde_json::Value;

use crate::codes;

/// A round.
#[derive(Debug, Serialize)]
pub(crate) struct RoundData {
    /// 0 for East.
    wind: u8,
    kyoku: u8,
    honba: u8,
    /// Riichi sticks on the table.
    sticks: u8,
    dealer: usize,
    dora: String,
    /// At its beginning.
    scores: Vec<i32>,
    /// The dealt tiles of each seat, where they are known.
    hands: Vec<Option<String>>,
    events: Vec<Value>,
    /// For each seat whose tiles are known: after which event its hand was how many tiles from tenpai, where that changed.
    shanten: Vec<Vec<(usize, i8)>>,
}

/// The rounds of a game.
#[derive(Debug, Default)]
pub(crate) struct ShownRounds {
    pub(crate) rounds: Vec<RoundData>,
    /// For each event that is shown: the round, and how many of its events have happened then.
    pub(crate) places: Vec<(usize, usize)>,
    /// Scores at the end, where the game says so.
    pub(crate) end: Option<Vec<i32>>,
    pub(crate) players: u8,
    /// Tiles that can be drawn in a round.
    pub(crate) wall: u8,
    /// What is wrong with the events.
    pub(crate) warnings: Vec<String>,
}

impl ShownRounds {
    /// The rounds of these events, up to the first that cannot have happened.
    pub(crate) fn of(events: &[Event]) -> Self {
        let players = events.iter().find_map(|event| match event {
            Event::StartKyoku(start) => Some(start.tehais.players()),
            _ => None,
        });
        let rules = Rules::TENHOU_HALF.with_players(players.unwrap_or(4));
        let mut builder = Builder {
            rules,
            tables: Vec::new(),
            begun: false,
            kan: None,
            found: Self { players: rules.players, wall: rules.drawable_tiles(), ..Self::default() },
        };
        for (index, event) in events.iter().enumerate() {
            if !builder.add(index, event) {
                break;
            }
        }
        builder.found
    }
}

struct Builder {
    rules: Rules,
    /// Of the seats whose tiles are known.
    tables: Vec<Table>,
    begun: bool,
    /// The tile last shown by a kan or thrown, and whether it was a kan's.
    kan: Option<(Tile, bool)>,
    found: ShownRounds,
}

impl Builder {
    /// Whether the event can have happened.
    fn add(&mut self, index: usize, event: &Event) -> bool {
        if let Event::StartKyoku(start) = event
            && !self.begun
        {
            self.begun = true;
            let open =
                Seat::all(self.rules.players).filter(|&seat| start.tehais.get(seat).is_some_and(Option::is_some));
            self.tables = open.map(|seat| Table::new(self.rules, seat)).collect();
        }
        let wins = self.win(event);
        for table in &mut self.tables {
            let Err(why) = table.apply(&event.masked_for(table.seat())) else { continue };
            let takes_effect = matches!(why, Contradiction::RoundNotEnded | Contradiction::Scores { .. });
            let seat = table.seat();
            let how = if takes_effect { "it is shown as the record has it" } else { "the page ends before it" };
            let warning = format!("Event {} cannot have happened, seen from seat {seat}: {why}; {how}.", index + 1);
            if self.found.warnings.len() < 3 {
                self.found.warnings.push(warning);
            }
            if !takes_effect {
                return false;
            }
            break;
        }
        self.take(event, wins);
        let rounds = &self.found.rounds;
        self.found.places.push((rounds.len().saturating_sub(1), rounds.last().map_or(0, |round| round.events.len())));
        true
    }

    fn take(&mut self, event: &Event, win: Option<String>) {
        match *event {
            Event::StartKyoku(ref start) => self.begin(start),
            Event::Dahai { tile, .. } => self.kan = Some((tile, false)),
            Event::Ankan { consumed: [tile, ..], .. } | Event::Kakan { tile, .. } => self.kan = Some((tile, true)),
            Event::Kita { .. } => self.kan = Some((riichi::Kind::NORTH.tile(), false)),
            Event::EndGame { scores: Some(scores) } => self.found.end = Some(scores.as_slice().to_vec()),
            _ => {}
        }
        let Some(round) = self.found.rounds.last_mut() else { return };
        let Some(code) = codes::event(event, win) else { return };
        round.events.push(code);
        let step = round.events.len();
        if let Event::Dahai { actor, .. } | Event::Ankan { actor, .. } | Event::Kakan { actor, .. } = *event
            && let Some(table) = self.tables.iter().find(|table| table.seat() == actor)
            && let Some(hand) = table.concealed()
        {
            let (known, now) = (&mut round.shanten[actor.index()], shanten(&hand));
            if known.last().is_none_or(|&(_, before)| before != now) {
                known.push((step, now));
            }
        }
    }

    fn begin(&mut self, start: &StartKyoku) {
        let players = self.rules.players;
        let before = self.found.rounds.last().map(|round| round.scores.clone());
        let start_points = || vec![self.rules.start_points; usize::from(players)];
        let scores = match (start.scores, self.tables.first()) {
            (Some(scores), _) => scores.as_slice().to_vec(),
            (None, Some(table)) => table.scores().as_slice().to_vec(),
            (None, None) => before.unwrap_or_else(start_points),
        };
        let dealt = |seat: Seat| {
            let table = self.tables.iter().find(|table| table.seat() == seat)?;
            Some((0, shanten(&table.concealed()?)))
        };
        let round = RoundData {
            wind: start.bakaze as u8,
            kyoku: start.kyoku,
            honba: start.honba,
            sticks: start.kyotaku,
            dealer: start.oya.index(),
            dora: codes::tiles([start.dora_marker]),
            scores,
            hands: start.tehais.as_slice().iter().map(|hand| hand.map(codes::tiles)).collect(),
            events: Vec::new(),
            shanten: Seat::all(players).map(|seat| dealt(seat).into_iter().collect()).collect(),
        };
        self.found.rounds.push(round);
    }

    /// What a win is worth, in words, where the winner's tiles are known. To be asked before it happens.
    fn win(&self, event: &Event) -> Option<String> {
        let Event::Hora(Hora { actor, target, ura_markers, .. }) = event else { return None };
        let table = self.tables.iter().find(|table| table.seat() == *actor)?;
        let (hand, by, tile) = if actor == target {
            let by = WinBy::own_draw(table.is_rinshan(), table.tiles_left(), table.is_first_turn());
            (*table.hand(), by, table.drawn()?)
        } else {
            // A second winner on the same tile comes after the round is won.
            let (tile, of_kan) = self.kan?;
            let by = if of_kan { WinBy::Kan } else { WinBy::others_discard(table.tiles_left()) };
            (table.hand().with(tile).ok()?, by, tile)
        };
        let player = table.player(*actor);
        let situation = riichi::score::WinSituation {
            rules: self.rules,
            seat: *actor,
            oya: table.oya(),
            bakaze: table.bakaze(),
            honba: table.honba(),
            dora: Dora::named_by(&self.rules, table.dora_markers().iter().copied()),
            kita: player.kita,
        };
        let riichi = player.riichi.map(|riichi| Declared { double: riichi.double, ippatsu: riichi.ippatsu });
        let ura = Dora::named_by(&self.rules, ura_markers.to_vec());
        let win = Win { riichi, ura, ..Win::of(&hand, &player.melds, tile.kind(), by) };
        let score = situation.score(&win).ok()?;
        let mut parts: Vec<String> = score.yaku_with_han().map(|(yaku, han)| format!("{yaku} {han}")).collect();
        let dora = score.dora;
        let more = [("dora", dora.dora), ("red fives", dora.red), ("ura dora", dora.ura), ("north", dora.kita)];
        parts.extend(more.into_iter().filter(|&(_, han)| han > 0).map(|(name, han)| format!("{name} {han}")));
        let fu = if score.fu > 0 { format!(" {} fu", score.fu) } else { String::new() };
        let limit = score.limit.map_or_else(String::new, |limit| format!(", {limit}"));
        Some(format!("{} han{fu}{limit}: {}", score.han, parts.join(", ")))
    }
}
