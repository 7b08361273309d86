//! What a review says: tables, JSON, and the rows of the CSV file.

use builtin::ValueUnit;
use foreign_text::shown;
use lab::review::{KindLoss, KindReview, PlayerReview, Review, ReviewedDecision};
use lab_stats::{Estimate, Verdict};
use say::output::say;
use serde_json::{Value, json};

use super::super::csv::CsvCell;
use super::super::table::{TextTable, amount, number_of};

/// Columns of the CSV file.
pub(super) const COLUMNS: [&str; 18] = [
    "policy",
    "log",
    "game",
    "round",
    "decision",
    "line",
    "seat",
    "player",
    "kind",
    "position",
    "played",
    "policy's choice",
    "value of the played",
    "value of the choice",
    "loss",
    "unit",
    "agrees",
    "reason",
];

pub(super) const PLAYER_HEADS: [&str; 6] = [
    "player",
    "games",
    "decisions",
    "agreed %",
    "loss a round",
    "loss a game",
];
pub(super) const KIND_HEADS: [&str; 8] = [
    "player",
    "kind",
    "decisions",
    "agreed %",
    "loss",
    "loss each",
    "beside",
    "verdict",
];

/// The unit of the losses of a review, unless it has none.
pub(super) fn unit_of(policy: &str, review: &Review) -> &'static str {
    let first = review.costliest.first();
    first.map_or("", |decision| {
        ValueUnit::of_policy(policy, &decision.kind).words()
    })
}

/// Why the policy's choice is better, in one or two sentences: from the values, what distinguishes
/// the actions, and what the policy says.
pub(super) fn reason_of(policy: &str, decision: &ReviewedDecision, with_words: bool) -> String {
    let unit = ValueUnit::of_policy(policy, &decision.kind);
    let mut sentences = Vec::new();
    if let Some(loss) = decision.loss {
        sentences.push(format!(
            "{} is worth {} more than {}.",
            capital(&decision.own),
            amount(unit, loss),
            decision.done
        ));
    }
    if !decision.difference.is_empty() {
        sentences.push(decision.difference.clone());
    } else if with_words && !decision.reason.is_empty() {
        sentences.push(format!(
            "Of its choice the policy says: {}.",
            shown(&decision.reason)
        ));
    }
    sentences.join(" ")
}

fn capital(words: &str) -> String {
    let mut letters = words.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

pub(super) fn csv_cells(policy: &str, decision: &ReviewedDecision) -> Vec<CsvCell> {
    let text = |text: &str| CsvCell::Text(text.to_owned());
    let value = |value: Option<f32>| CsvCell::of(value.map(f64::from));
    vec![
        text(policy),
        text(&decision.log),
        CsvCell::Number(decision.game as f64),
        CsvCell::Number(decision.round as f64),
        CsvCell::Number(decision.decision as f64),
        CsvCell::Number(decision.line as f64),
        CsvCell::Number(decision.seat as f64),
        text(&decision.player),
        text(&decision.kind),
        text(&decision.moment),
        text(&decision.done),
        text(&decision.own),
        value(decision.done_value),
        value(decision.own_value),
        value(decision.loss),
        text(ValueUnit::of_policy(policy, &decision.kind).words()),
        CsvCell::Number(f64::from(u8::from(decision.agrees))),
        text(&decision.reason),
    ]
}

pub(super) fn json_of_estimate(estimate: Option<Estimate>) -> Value {
    estimate.map_or(Value::Null, |estimate| {
        let spread = estimate.spread;
        json!({
            "mean": estimate.mean,
            "low": spread.map(|spread| spread.low),
            "high": spread.map(|spread| spread.high),
        })
    })
}

/// What is known of a review besides the reviews of the players.
pub(super) struct About<'a> {
    /// The policy's name and version.
    pub(super) policy: &'a str,
    pub(super) games: u64,
    /// Logs and games that are left out because they are wrong.
    pub(super) left_out: u64,
    /// Files that were not begun because the time was over.
    pub(super) not_begun: usize,
    pub(super) baseline: Option<&'a PlayerReview>,
}

pub(super) fn json_of(about: &About<'_>, review: &Review) -> Value {
    let player = |(name, player): (&String, &PlayerReview)| {
        let losses = player.kind_losses(about.baseline);
        let kind = |(name, kind): (&_, &KindReview)| {
            let beside = losses.iter().find(|loss| loss.kind == *name);
            let each = kind
                .loss
                .estimate()
                .map(|each| each.over_games(player.games));
            json!({
                "kind": name, "decisions": kind.made, "agreed": kind.agreed,
                "valued": kind.loss.count(), "loss": kind.loss.sum(),
                "loss_each": json_of_estimate(each),
                "beside": json_of_estimate(beside.map(|loss| loss.comparison.advantage.estimate)),
                "verdict": beside.and_then(verdict_word),
            })
        };
        let kinds: Vec<Value> = player.kinds.iter().map(kind).collect();
        json!({
            "player": name, "games": player.games, "rounds": player.rounds,
            "decisions": player.made(), "agreed": player.agreed(),
            "unknown": player.unknown, "undecided": player.faults, "loss": player.loss(),
            "loss_a_round": json_of_estimate(player.loss_of_round()),
            "loss_a_game": json_of_estimate(player.loss_of_game()), "kinds": kinds,
        })
    };
    let costliest: Vec<Value> = review
        .costliest
        .iter()
        .map(|decision| {
            let mut value = serde_json::to_value(decision).unwrap_or_default();
            if let Some(fields) = value.as_object_mut() {
                fields.remove("record");
            }
            value["unit"] = json!(ValueUnit::of_policy(about.policy, &decision.kind).words());
            value["why"] = json!(reason_of(about.policy, decision, true));
            value
        })
        .collect();
    json!({
        "policy": about.policy, "games": about.games, "left_out": about.left_out,
        "not_begun": about.not_begun,
        "players": review.players.iter().map(player).collect::<Vec<_>>(), "costliest": costliest,
    })
}

/// A mean with its interval, in so many digits.
pub(super) fn mean_words(estimate: Option<Estimate>) -> String {
    match estimate {
        None => "-".to_owned(),
        Some(Estimate { mean, spread }) => match spread {
            None => format!("{mean:.4}"),
            Some(spread) => format!("{mean:.4} ({:.4} to {:.4})", spread.low, spread.high),
        },
    }
}

pub(super) fn share(part: u64, whole: u64) -> String {
    format!("{:.1}", part as f64 / (whole.max(1)) as f64 * 100.0)
}

/// Whether a kind is a weakness or a strength; `None` if neither is shown.
fn verdict_word(loss: &KindLoss) -> Option<&'static str> {
    match loss.comparison.verdict {
        Verdict::Better => Some("weakness"),
        Verdict::Worse => Some("strength"),
        Verdict::NotShown | Verdict::NoInterval => None,
    }
}

pub(super) fn player_rows(review: &Review) -> Vec<[String; PLAYER_HEADS.len()]> {
    let row = |(name, player): (&String, &PlayerReview)| {
        [
            name.clone(),
            player.games.to_string(),
            player.made().to_string(),
            share(player.agreed(), player.made()),
            mean_words(player.loss_of_round()),
            mean_words(player.loss_of_game()),
        ]
    };
    review.players.iter().map(row).collect()
}

pub(super) fn kind_rows(
    review: &Review,
    baseline: Option<&PlayerReview>,
) -> Vec<[String; KIND_HEADS.len()]> {
    let mut rows = Vec::new();
    for (name, player) in &review.players {
        let losses = player.kind_losses(baseline);
        for (kind, sums) in &player.kinds {
            let beside = losses.iter().find(|loss| loss.kind == *kind);
            let (loss, each) = match sums.loss.count() {
                0 => ("-".to_owned(), "-".to_owned()),
                valued => (
                    format!("{:.3}", sums.loss.sum()),
                    format!("{:.4}", sums.loss.sum() / valued as f64),
                ),
            };
            rows.push([
                name.clone(),
                kind.to_string(),
                sums.made.to_string(),
                share(sums.agreed, sums.made),
                loss,
                each,
                mean_words(beside.map(|loss| loss.comparison.advantage.estimate)),
                beside.and_then(verdict_word).unwrap_or("-").to_owned(),
            ]);
        }
    }
    rows
}

/// The kinds that are shown to be weaknesses or strengths of a player, the clearest first.
fn kinds_with(player: &PlayerReview, baseline: Option<&PlayerReview>, word: &str) -> Vec<String> {
    let mut losses = player.kind_losses(baseline);
    losses.retain(|loss| verdict_word(loss) == Some(word));
    losses.sort_by(|one, other| {
        let size = |loss: &KindLoss| loss.comparison.advantage.estimate.mean.abs();
        size(other).total_cmp(&size(one))
    });
    losses
        .into_iter()
        .map(|loss| loss.kind.into_owned())
        .collect()
}

pub(super) fn say_review(about: &About<'_>, review: &Review) {
    let mut left_out = match about.left_out {
        0 => String::new(),
        some => format!(", {} left out", number_of(some, "log or game")),
    };
    if about.not_begun > 0 {
        left_out += &format!(
            ", {} not begun because the time was over",
            number_of(about.not_begun as u64, "file")
        );
    }
    say(format!(
        "{} reviewed by {}{left_out}",
        number_of(about.games, "game"),
        shown(about.policy)
    ));
    let of_unit = match unit_of(about.policy, review) {
        "" => String::new(),
        unit => format!(" ({unit})"),
    };
    let mut players = TextTable::new(PLAYER_HEADS, [true, false, false, false, false, false]);
    player_rows(review)
        .into_iter()
        .for_each(|row| players.row(row));
    say(format!(
        "\nThe players; losses{of_unit} with 95 % intervals from 10 games on"
    ));
    say(players.for_output());
    let mut kinds = TextTable::new(
        KIND_HEADS,
        [true, true, false, false, false, false, false, true],
    )
    .keyed_by(2);
    kind_rows(review, about.baseline)
        .into_iter()
        .for_each(|row| kinds.row(row));
    let beside = match about.baseline {
        Some(_) => "the baseline's loss in the same kind",
        None => "the loss in the player's other decisions",
    };
    say(format!(
        "\nBy the kind of decision{of_unit}; beside: the loss each, less {beside}"
    ));
    say(kinds.for_output());
    for (name, player) in &review.players {
        for (what, word) in [("Weaknesses", "weakness"), ("Strengths", "strength")] {
            let kinds = kinds_with(player, about.baseline, word);
            if !kinds.is_empty() {
                say(format!("{what} of {name}: {}", kinds.join(", ")));
            }
        }
    }
    if review.costliest.is_empty() {
        return;
    }
    say(format!("\nThe costliest decisions{of_unit}"));
    for decision in &review.costliest {
        say(decision_line(about.policy, decision));
    }
}

/// A costly decision, with where `analyze --at` finds it.
fn decision_line(policy: &str, decision: &ReviewedDecision) -> String {
    format!(
        "{:.4}  {} --at {}.{} --seat {}: {}, {}: {}: {}",
        decision.loss.unwrap_or(0.0),
        decision.log,
        decision.round,
        decision.decision,
        decision.seat,
        decision.player,
        decision.kind,
        decision.moment,
        reason_of(policy, decision, true)
    )
}
