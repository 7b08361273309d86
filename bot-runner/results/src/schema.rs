//! The schema: one text for both databases, and its migrations.

use foreign_text::shown;

use crate::error::ResultsError;
use crate::kept::{GameTrouble, ResultKind, ResultRow, SeatLuck};
use crate::ladder::{LadderPart, LadderRow};
use crate::store::{BadRow, ReadLadderRow, ReadRow};

/// The newest version of the schema.
pub(crate) const VERSION: i64 = MIGRATIONS.len() as i64;

/// The steps from each version to the next, the first from an empty database. A step must never be
/// changed, because existing databases have applied it.
const MIGRATIONS: &[&str] = &[
    "
    CREATE TABLE games (
        key TEXT PRIMARY KEY,
        kind TEXT NOT NULL,
        arena TEXT NOT NULL,
        shared TEXT NOT NULL,
        shard TEXT,
        ended_ms BIGINT NOT NULL,
        bot TEXT NOT NULL,
        policy TEXT NOT NULL,
        version TEXT NOT NULL,
        content TEXT,
        mixed BIGINT NOT NULL,
        players BIGINT NOT NULL,
        seat BIGINT NOT NULL,
        place BIGINT NOT NULL,
        scores TEXT NOT NULL,
        rounds BIGINT NOT NULL,
        wins BIGINT NOT NULL,
        deal_ins BIGINT NOT NULL,
        riichi BIGINT NOT NULL,
        called BIGINT NOT NULL,
        won BIGINT NOT NULL,
        lost BIGINT NOT NULL,
        opponents TEXT NOT NULL
    );
    CREATE INDEX games_by_time ON games (ended_ms);
    ",
    "ALTER TABLE games ADD COLUMN game TEXT NOT NULL DEFAULT 'riichi'",
    "
    ALTER TABLE games ADD COLUMN faults BIGINT;
    ALTER TABLE games ADD COLUMN safe_answers BIGINT;
    ALTER TABLE games ADD COLUMN late_replies BIGINT;
    CREATE TABLE ladder_games (
        key TEXT PRIMARY KEY,
        bot_id BIGINT NOT NULL,
        game_id TEXT,
        played_ms BIGINT,
        rating_before DOUBLE PRECISION,
        rating_change DOUBLE PRECISION,
        disconnected BIGINT,
        penalized BIGINT,
        opponents TEXT NOT NULL,
        players TEXT NOT NULL,
        log TEXT NOT NULL,
        confirmed BIGINT NOT NULL,
        contradiction TEXT
    );
    ",
    "
    ALTER TABLE games ADD COLUMN luck BIGINT;
    ALTER TABLE games ADD COLUMN luck_version TEXT;
    ",
];

/// The migrations that a database with this version lacks; an error if this runner does not know
/// the version.
pub(crate) fn missing_migrations(found: i64) -> Result<&'static [&'static str], ResultsError> {
    let missing = usize::try_from(found)
        .ok()
        .and_then(|found| MIGRATIONS.get(found..));
    missing.ok_or_else(|| match found {
        found if found > VERSION => ResultsError::Database(format!(
            "the database has schema {found}, and this version of bot-runner knows schemas up to {VERSION}; use the newer \
             version that wrote to it, or name another database"
        )),
        _ => ResultsError::Database(format!(
            "the database has the version {found} of the schema, and versions begin with 0: it is not a database of \
             results of this program; name another database"
        )),
    })
}

pub(crate) const VERSION_TABLE: &str =
    "CREATE TABLE IF NOT EXISTS bot_runner_schema (version BIGINT NOT NULL)";
pub(crate) const READ_VERSION: &str = "SELECT version FROM bot_runner_schema";

/// Writes a result unless it exists already.
pub(crate) const INSERT: &str = "INSERT INTO games (key, kind, arena, shared, shard, ended_ms, bot, policy, version, content, \
     mixed, players, seat, place, scores, rounds, wins, deal_ins, riichi, called, won, lost, opponents, game, \
     faults, safe_answers, late_replies, luck, luck_version) \
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, \
     $25, $26, $27, $28, $29) \
     ON CONFLICT (key) DO NOTHING";

/// Writes the luck of a result, in place of one of another version. SQLite numbers parameters in
/// the order in which they first appear.
pub(crate) const UPDATE_LUCK: &str = "UPDATE games SET luck = $1, luck_version = $2 \
     WHERE key = $3 AND (luck_version IS NULL OR luck_version <> $2)";

/// Reads results, oldest first: of a kind, since a time, and optionally of a bot, a policy, an
/// arena and a game.
pub(crate) const SELECT: &str = "SELECT key, kind, arena, shared, shard, ended_ms, bot, policy, version, content, \
     mixed, players, seat, place, scores, rounds, wins, deal_ins, riichi, called, won, lost, opponents, game, \
     faults, safe_answers, late_replies, luck, luck_version FROM games \
     WHERE kind = $1 AND (CAST($2 AS TEXT) IS NULL OR bot = $2) AND (CAST($3 AS TEXT) IS NULL OR policy = $3) \
     AND (CAST($4 AS TEXT) IS NULL OR arena = $4) AND ended_ms >= $5 \
     AND (CAST($6 AS TEXT) IS NULL OR game = $6) ORDER BY ended_ms, key";

/// Writes what a ladder publishes about a game, in place of what was known before.
pub(crate) const UPSERT_LADDER: &str = "INSERT INTO ladder_games (key, bot_id, game_id, played_ms, rating_before, \
     rating_change, disconnected, penalized, opponents, players, log, confirmed, contradiction) \
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) ON CONFLICT (key) DO UPDATE SET \
     bot_id = excluded.bot_id, game_id = excluded.game_id, played_ms = excluded.played_ms, \
     rating_before = excluded.rating_before, rating_change = excluded.rating_change, \
     disconnected = excluded.disconnected, penalized = excluded.penalized, opponents = excluded.opponents, \
     players = excluded.players, log = excluded.log, confirmed = excluded.confirmed, \
     contradiction = excluded.contradiction";

/// Reads what ladders publish about results, by the same conditions as [`SELECT`].
pub(crate) const SELECT_LADDER: &str = "SELECT l.key, l.bot_id, l.game_id, l.played_ms, l.rating_before, \
     l.rating_change, l.disconnected, l.penalized, l.opponents, l.players, l.log, l.confirmed, l.contradiction \
     FROM ladder_games l JOIN games g ON g.key = l.key \
     WHERE g.kind = $1 AND (CAST($2 AS TEXT) IS NULL OR g.bot = $2) AND (CAST($3 AS TEXT) IS NULL OR g.policy = $3) \
     AND (CAST($4 AS TEXT) IS NULL OR g.arena = $4) AND g.ended_ms >= $5 \
     AND (CAST($6 AS TEXT) IS NULL OR g.game = $6) ORDER BY g.ended_ms, g.key";

#[derive(Debug)]
pub(crate) enum ColumnValue {
    Text(String),
    OptionalText(Option<String>),
    Number(i64),
    OptionalNumber(Option<i64>),
    OptionalReal(Option<f64>),
}

/// The values of a row, in the order of [`INSERT`].
pub(crate) fn row_of(result: &ResultRow) -> [ColumnValue; 29] {
    use ColumnValue::{Number, OptionalNumber, OptionalText};
    let trouble = |count: fn(&GameTrouble) -> u32| {
        OptionalNumber(result.trouble.as_ref().map(|trouble| count(trouble).into()))
    };
    let ResultRow {
        key,
        kind,
        arena,
        shared,
        shard,
        ended_ms,
        bot,
        policy,
        version,
        content,
        ..
    } = result;
    [
        text(key),
        text(kind.word()),
        text(arena),
        text(shared),
        OptionalText(shard.clone()),
        Number(*ended_ms),
        text(bot),
        text(policy),
        text(version),
        OptionalText(content.clone()),
        Number(result.mixed.into()),
        Number(result.players.into()),
        Number(result.seat.into()),
        Number(result.place.into()),
        json(serde_json::to_string(&result.scores)),
        Number(result.rounds.into()),
        Number(result.wins.into()),
        Number(result.deal_ins.into()),
        Number(result.riichi.into()),
        Number(result.called.into()),
        Number(result.won),
        Number(result.lost),
        // Names come from outside: JSON escapes characters that a text of PostgreSQL cannot hold.
        json(serde_json::to_string(&result.opponents)),
        text(&result.game),
        trouble(|trouble| trouble.faults),
        trouble(|trouble| trouble.safe_answers),
        trouble(|trouble| trouble.late_replies),
        OptionalNumber(result.luck.as_ref().map(|luck| luck.thousandths.into())),
        OptionalText(result.luck.as_ref().map(|luck| storable(&luck.version))),
    ]
}

/// The values for the luck of the result with this key, in the order of [`UPDATE_LUCK`].
pub(crate) fn luck_row_of((key, luck): &(String, SeatLuck)) -> [ColumnValue; 3] {
    [
        ColumnValue::Number(luck.thousandths.into()),
        text(&luck.version),
        text(key),
    ]
}

/// The values of a row about a game on a ladder, in the order of [`UPSERT_LADDER`].
pub(crate) fn ladder_row_of(row: &LadderRow) -> [ColumnValue; 13] {
    use ColumnValue::{Number, OptionalNumber, OptionalReal, OptionalText};
    let optional = |told: &Option<String>| OptionalText(told.as_deref().map(storable));
    [
        text(&row.key),
        Number(row.bot_id as i64),
        optional(&row.game_id),
        OptionalNumber(row.played_ms),
        OptionalReal(row.rating_before),
        OptionalReal(row.rating_change),
        OptionalNumber(row.disconnected.map(i64::from)),
        OptionalNumber(row.penalized.map(i64::from)),
        json(serde_json::to_string(&row.opponents)),
        text(row.players.word()),
        text(row.log.word()),
        Number(row.confirmed.into()),
        optional(&row.contradiction),
    ]
}

/// PostgreSQL takes no NUL in a text.
fn storable(text: &str) -> String {
    text.replace('\0', "\u{fffd}")
}

fn text(text: &str) -> ColumnValue {
    ColumnValue::Text(storable(text))
}

fn json(json: serde_json::Result<String>) -> ColumnValue {
    ColumnValue::Text(json.unwrap_or_else(|_| "[]".to_owned()))
}

/// Gets the columns of a row in the order of [`SELECT`].
pub(crate) trait RowReader {
    fn text(&self, column: usize) -> Option<String>;
    fn number(&self, column: usize) -> Option<i64>;
    fn real(&self, column: usize) -> Option<f64>;
}

/// The result in a row, or why no runner can have written it.
pub(crate) fn result_of(row: &impl RowReader) -> ReadRow {
    let read = || {
        let text = |column, name: &str| {
            row.text(column)
                .ok_or_else(|| format!("`{name}` is not a text"))
        };
        let whole = |column, name: &str| {
            row.number(column)
                .ok_or_else(|| format!("`{name}` is not a whole number"))
        };
        let count = |column, name: &str| {
            let number = whole(column, name)?;
            u32::try_from(number).map_err(|_| format!("`{name}` is {number}, and cannot be"))
        };
        let small = |column, name: &str| {
            let number = whole(column, name)?;
            u8::try_from(number).map_err(|_| format!("`{name}` is {number}, and cannot be"))
        };
        let kind = text(1, "kind")?;
        let list = |name: &str, error: &serde_json::Error| {
            format!(
                "`{name}` is not a list in JSON: {}",
                shown(&error.to_string())
            )
        };
        let result = ResultRow {
            key: text(0, "key")?,
            kind: ResultKind::of(&kind).ok_or_else(|| format!("`kind` is {:?}", shown(&kind)))?,
            arena: text(2, "arena")?,
            shared: text(3, "shared")?,
            shard: row.text(4),
            ended_ms: whole(5, "ended_ms")?,
            bot: text(6, "bot")?,
            policy: text(7, "policy")?,
            version: text(8, "version")?,
            content: row.text(9),
            mixed: whole(10, "mixed")? != 0,
            players: small(11, "players")?,
            seat: small(12, "seat")?,
            place: small(13, "place")?,
            scores: serde_json::from_str(&text(14, "scores")?)
                .map_err(|error| list("scores", &error))?,
            rounds: count(15, "rounds")?,
            wins: count(16, "wins")?,
            deal_ins: count(17, "deal_ins")?,
            riichi: count(18, "riichi")?,
            called: count(19, "called")?,
            won: whole(20, "won")?,
            lost: whole(21, "lost")?,
            opponents: serde_json::from_str(&text(22, "opponents")?)
                .map_err(|error| list("opponents", &error))?,
            game: text(23, "game")?,
            trouble: match [24, 25, 26].map(|column| row.number(column)) {
                [Some(_), Some(_), Some(_)] => Some(GameTrouble {
                    faults: count(24, "faults")?,
                    safe_answers: count(25, "safe_answers")?,
                    late_replies: count(26, "late_replies")?,
                }),
                _ => None,
            },
            luck: match row.text(28) {
                None => None,
                Some(version) => {
                    let luck = whole(27, "luck")?;
                    Some(SeatLuck {
                        thousandths: i32::try_from(luck)
                            .map_err(|_| format!("`luck` is {luck}, and cannot be"))?,
                        version,
                    })
                }
            },
        };
        result.check().map(|()| result)
    };
    read().map_err(|why| bad(row, why))
}

/// What a row says about a game on a ladder, or why no runner can have written it.
pub(crate) fn ladder_result_of(row: &impl RowReader) -> ReadLadderRow {
    let read = || {
        let text = |column, name: &str| {
            row.text(column)
                .ok_or_else(|| format!("`{name}` is not a text"))
        };
        let whole = |column, name: &str| {
            row.number(column)
                .ok_or_else(|| format!("`{name}` is not a whole number"))
        };
        let part = |column, name: &str| {
            let word = text(column, name)?;
            LadderPart::of(&word).ok_or_else(|| format!("`{name}` is {:?}", shown(&word)))
        };
        let id = whole(1, "bot_id")?;
        let read = LadderRow {
            key: text(0, "key")?,
            bot_id: u64::try_from(id).map_err(|_| format!("`bot_id` is {id}, and cannot be"))?,
            game_id: row.text(2),
            played_ms: row.number(3),
            rating_before: row.real(4),
            rating_change: row.real(5),
            disconnected: row.number(6).map(|is| is != 0),
            penalized: row.number(7).map(|is| is != 0),
            opponents: serde_json::from_str(&text(8, "opponents")?).map_err(|error| {
                format!(
                    "`opponents` is not a list in JSON: {}",
                    shown(&error.to_string())
                )
            })?,
            players: part(9, "players")?,
            log: part(10, "log")?,
            confirmed: whole(11, "confirmed")? != 0,
            contradiction: row.text(12),
        };
        read.check().map(|()| read)
    };
    read().map_err(|why| bad(row, why))
}

fn bad(row: &impl RowReader, why: String) -> BadRow {
    BadRow {
        key: row.text(0).unwrap_or_default(),
        why,
    }
}
