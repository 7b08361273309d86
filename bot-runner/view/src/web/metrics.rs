//! The figures for Prometheus, in the OpenMetrics text format.

use std::fmt;

use client::bot::BotFigures;
use client::latency::REPLY_BOUNDS;
use prometheus_client::collector::Collector;
use prometheus_client::encoding::text::encode;
use prometheus_client::encoding::{DescriptorEncoder, MetricEncoder, NoLabelSet};
use prometheus_client::metrics::MetricType;
use prometheus_client::registry::{Registry, Unit};

use super::subject::PageSubject;
use client::board::{BotActivity, BotStatus, TroubleKind};

pub(super) const METRICS_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

pub(super) fn metrics(subject: &PageSubject, open_pages: usize) -> String {
    let mut registry = Registry::with_prefix("bot_runner");
    registry.register_collector(Box::new(Now {
        subject: subject.clone(),
        open_pages,
    }));
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = encode(&mut text, &registry);
    text
}

#[derive(Debug)]
struct Now {
    subject: PageSubject,
    open_pages: usize,
}

/// A family's figures, each with its labels.
struct FamilyEncoder<'a>(MetricEncoder<'a>);

/// Labels in the format's syntax, with escaped values, because the library does not escape them.
struct Labels<const N: usize>([(&'static str, String); N]);

impl<const N: usize> Labels<N> {
    fn new(labels: [(&'static str, &str); N]) -> Self {
        let escape = |value: &str| {
            value
                .replace('\\', "\\\\")
                .replace('"', "\\\"")
                .replace('\n', "\\n")
        };
        Self(labels.map(|(name, value)| (name, escape(value))))
    }
}

impl FamilyEncoder<'_> {
    fn counter<const N: usize>(
        &mut self,
        labels: [(&'static str, &str); N],
        value: u64,
    ) -> fmt::Result {
        if N == 0 {
            return self.0.encode_counter::<NoLabelSet, _, f64>(&value, None);
        }
        self.0
            .encode_family(&Labels::new(labels).0)?
            .encode_counter::<NoLabelSet, _, f64>(&value, None)
    }

    fn gauge<const N: usize>(
        &mut self,
        labels: [(&'static str, &str); N],
        value: f64,
    ) -> fmt::Result {
        if N == 0 {
            return self.0.encode_gauge(&value);
        }
        self.0
            .encode_family(&Labels::new(labels).0)?
            .encode_gauge(&value)
    }
}

fn family<'a>(
    encoder: &'a mut DescriptorEncoder<'_>,
    kind: MetricType,
    name: &'a str,
    help: &str,
) -> Result<FamilyEncoder<'a>, fmt::Error> {
    encoder
        .encode_descriptor(name, help, None, kind)
        .map(FamilyEncoder)
}

impl Collector for Now {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let encoder = &mut encoder;
        let version = env!("CARGO_PKG_VERSION");
        family(
            encoder,
            MetricType::Gauge,
            "build_info",
            "The version of this program",
        )?
        .gauge([("version", version)], 1.0)?;
        family(
            encoder,
            MetricType::Gauge,
            "open_pages",
            "Pages that are open",
        )?
        .gauge([], self.open_pages as f64)?;
        match &self.subject {
            PageSubject::Bots { board, .. } => {
                bots(encoder, &self.subject.bots())?;
                replies(encoder, &board.figures())
            }
            PageSubject::Tournament(tournament) => standing(encoder, &tournament.standing()),
        }
    }
}

/// A figure of a bot: its name, its description, and the function that reads it.
type BotFigure<T> = (&'static str, &'static str, fn(&BotStatus) -> T);

fn bots(encoder: &mut DescriptorEncoder<'_>, bots: &[BotStatus]) -> fmt::Result {
    let mut states = family(encoder, MetricType::Gauge, "bots", "Bots by state")?;
    for word in BotActivity::WORDS {
        let count = bots.iter().filter(|bot| bot.state.word() == word).count();
        states.gauge([("state", word)], count as f64)?;
    }
    let help = "1 while the bot does not play, or plays without its policy, for this reason";
    let mut troubles = family(encoder, MetricType::Gauge, "trouble", help)?;
    for bot in bots {
        for kind in TroubleKind::ALL {
            let is_so = bot
                .trouble
                .as_ref()
                .is_some_and(|trouble| trouble.kind == kind);
            troubles.gauge(
                [("bot", &bot.bot), ("reason", kind.word())],
                f64::from(u8::from(is_so)),
            )?;
        }
    }
    // A config that no bot plays by has no figures.
    let bots: Vec<&BotStatus> = bots.iter().filter(|bot| bot.is_bot()).collect();
    let counters: [BotFigure<u32>; 6] = [
        ("games_begun", "Games begun", |bot| bot.game),
        ("games_finished", "Games played to their end", |bot| {
            bot.finished
        }),
        ("decisions", "Decisions that policies made", |bot| {
            bot.decisions
        }),
        (
            "safe_answers",
            "Requests answered with the safe answer",
            |bot| bot.safe_answers,
        ),
        ("policy_faults", "Faults of policies", |bot| bot.faults),
        (
            "desyncs",
            "Differences between the bot's table and the arena's",
            |bot| bot.desyncs,
        ),
    ];
    for (name, help, figure) in counters {
        let mut counts = family(encoder, MetricType::Counter, name, help)?;
        for bot in &bots {
            counts.counter(
                [("bot", &bot.bot), ("arena", &bot.arena)],
                figure(bot).into(),
            )?;
        }
    }
    let mut places = family(encoder, MetricType::Counter, "places", "Games by place")?;
    for bot in &bots {
        for (place, times) in ["1", "2", "3", "4"].into_iter().zip(bot.places) {
            places.counter(
                [("bot", &bot.bot), ("arena", &bot.arena), ("place", place)],
                times.into(),
            )?;
        }
    }
    let gauges: [BotFigure<Option<f64>>; 10] = [
        (
            "recent_place_average",
            "Average place over the last hundred games",
            |bot| Some(bot.recent?.average_place),
        ),
        (
            "recent_place_low",
            "Lower end of its 95 % interval",
            |bot| Some(bot.recent?.interval?[0]),
        ),
        (
            "recent_place_high",
            "Upper end of its 95 % interval",
            |bot| Some(bot.recent?.interval?[1]),
        ),
        (
            "recent_points_average",
            "Average points over the last hundred games",
            |bot| bot.recent?.average_points,
        ),
        (
            "recent_points_low",
            "Lower end of its 95 % interval",
            |bot| Some(bot.recent?.points_interval?[0]),
        ),
        (
            "recent_points_high",
            "Upper end of its 95 % interval",
            |bot| Some(bot.recent?.points_interval?[1]),
        ),
        (
            "change_refused",
            "Whether the last change of the bot's files was refused",
            |bot| Some(f64::from(u8::from(bot.refused_change.is_some()))),
        ),
        (
            "reply_limit_seconds",
            "Time limit of the arena for a reply",
            |bot| Some(bot.limit_ms? as f64 / 1000.0),
        ),
        (
            "rating",
            "Rating on the arena's ladder after the newest game that it has told",
            |bot| Some(bot.rating?.now),
        ),
        (
            "rating_change",
            "What that game changed of the rating",
            |bot| Some(bot.rating?.change),
        ),
    ];
    for (name, help, figure) in gauges {
        let mut values = family(encoder, MetricType::Gauge, name, help)?;
        for bot in &bots {
            if let Some(value) = figure(bot) {
                values.gauge([("bot", &bot.bot), ("arena", &bot.arena)], value)?;
            }
        }
    }
    let mut policies = family(
        encoder,
        MetricType::Gauge,
        "policy_info",
        "The policy that decided last",
    )?;
    for bot in &bots {
        if let Some(policy) = &bot.policy {
            policies.gauge(
                [
                    ("bot", &bot.bot),
                    ("policy", &policy.id),
                    ("version", &policy.version),
                ],
                1.0,
            )?;
        }
    }
    Ok(())
}

fn replies(encoder: &mut DescriptorEncoder<'_>, bots: &[(String, BotFigures)]) -> fmt::Result {
    let help = "Reply times, from the request's arrival";
    let unit = Unit::Seconds;
    let mut times = encoder.encode_descriptor("reply", help, Some(&unit), MetricType::Histogram)?;
    for (bot, figures) in bots {
        let times_of = figures.latency.times();
        let beyond = times_of.count - times_of.groups.iter().sum::<u64>();
        let mut groups: Vec<(f64, u64)> = REPLY_BOUNDS.into_iter().zip(times_of.groups).collect();
        groups.push((f64::MAX, beyond));
        times
            .encode_family(&Labels::new([("bot", bot)]).0)?
            .encode_histogram::<NoLabelSet>(times_of.sum, times_of.count, &groups, None)?;
    }
    Ok(())
}

fn standing(encoder: &mut DescriptorEncoder<'_>, standing: &serde_json::Value) -> fmt::Result {
    let number = |value: &serde_json::Value| value.as_f64().unwrap_or(f64::NAN);
    let games = standing["games"].as_u64().unwrap_or(0);
    family(
        encoder,
        MetricType::Counter,
        "tournament_games",
        "Games played",
    )?
    .counter([], games)?;
    family(
        encoder,
        MetricType::Gauge,
        "tournament_games_planned",
        "Games to be played in all",
    )?
    .gauge([], number(&standing["of"]))?;
    let (what, help) = if standing["unit"] == "points" {
        ("points", "Average points a game")
    } else {
        ("place", "Average place")
    };
    let gauges = [
        ("average", help, "mean"),
        ("low", "Lower end of its 95 % interval", "low"),
        ("high", "Upper end of its 95 % interval", "high"),
    ];
    for (end, help, key) in gauges {
        let name = &format!("tournament_{what}_{end}");
        let mut values = family(encoder, MetricType::Gauge, name, help)?;
        for config in standing["configs"]
            .as_array()
            .into_iter()
            .flatten()
            .filter(|config| config[key].is_number())
        {
            values.gauge(
                [("bot", config["name"].as_str().unwrap_or_default())],
                number(&config[key]),
            )?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::Arc;

    use serde_json::{Value, json};

    use super::*;
    use crate::person::PersonSeats;
    use crate::web::subject::TournamentPage;
    use client::board::{Board, BotRating};
    use client::bot::LiveFigures;

    /// A tournament before its first game.
    #[derive(Debug)]
    struct NoGames;

    impl TournamentPage for NoGames {
        fn standing(&self) -> Value {
            json!({"games": 0, "of": 6, "configs": []})
        }
    }

    /// The texts of a JSON document under this key.
    fn texts_under<'a>(value: &'a Value, key: &str, found: &mut Vec<&'a str>) {
        match value {
            Value::Array(values) => values
                .iter()
                .for_each(|value| texts_under(value, key, found)),
            Value::Object(entries) => {
                found.extend(entries.get(key).and_then(Value::as_str));
                entries
                    .values()
                    .for_each(|value| texts_under(value, key, found));
            }
            _ => {}
        }
    }

    #[test]
    fn the_dashboard_for_grafana_asks_for_figures_that_there_are() {
        let dashboard = include_str!("../../../../packaging/grafana.json");
        let dashboard: Value = serde_json::from_str(dashboard).expect("JSON");
        let mut asked = Vec::new();
        texts_under(&dashboard, "expr", &mut asked);
        let bots = PageSubject::Bots {
            board: Board::default(),
            people: PersonSeats::default(),
        };
        let told = metrics(&bots, 0) + &metrics(&PageSubject::Tournament(Arc::new(NoGames)), 0);
        let families: Vec<&str> = told
            .lines()
            .filter_map(|line| line.strip_prefix("# TYPE ")?.split(' ').next())
            .collect();
        let names = asked
            .iter()
            .flat_map(|expr| expr.split(|c: char| !c.is_ascii_alphanumeric() && c != '_'));
        let names: Vec<&str> = names
            .filter(|name| name.starts_with("bot_runner_"))
            .collect();
        assert!(names.len() > 10, "{names:?}");
        for name in names {
            let family = ["_total", "_bucket"]
                .iter()
                .find_map(|ending| name.strip_suffix(ending))
                .unwrap_or(name);
            assert!(
                families.contains(&family),
                "{name} is not among {families:?}"
            );
        }
    }

    #[test]
    fn a_config_that_no_bot_plays_by_is_a_trouble_and_has_no_other_figures() {
        let board = Board::default();
        board.enter(
            "kuma",
            "ws://127.0.0.1:1".to_owned(),
            LiveFigures::default(),
        );
        board.refuse(
            Path::new("/bots/b4.toml"),
            "b4.toml",
            "name: the key is missing",
        );
        let text = metrics(
            &PageSubject::Bots {
                board,
                people: PersonSeats::default(),
            },
            0,
        );
        for line in [
            r#"bot_runner_bots{state="does not play"} 1.0"#,
            r#"bot_runner_trouble{bot="b4.toml",reason="config"} 1.0"#,
            r#"bot_runner_trouble{bot="kuma",reason="config"} 0.0"#,
        ] {
            assert!(text.lines().any(|found| found == line), "{text}");
        }
        assert_eq!(
            text.matches("b4.toml").count(),
            TroubleKind::ALL.len(),
            "{text}"
        );
    }

    #[test]
    fn a_rating_is_a_figure_once_the_ladder_has_told_it() {
        let board = Board::default();
        for bot in ["kuma", "neko"] {
            board.enter(bot, "ws://127.0.0.1:1".to_owned(), LiveFigures::default());
        }
        board.note_rating(
            "kuma",
            BotRating {
                now: 1512.5,
                change: -3.5,
            },
        );
        let bots = PageSubject::Bots {
            board,
            people: PersonSeats::default(),
        };
        let text = metrics(&bots, 0);
        for line in [
            r#"bot_runner_rating{bot="kuma",arena="ws://127.0.0.1:1"} 1512.5"#,
            r#"bot_runner_rating_change{bot="kuma",arena="ws://127.0.0.1:1"} -3.5"#,
        ] {
            assert!(text.lines().any(|found| found == line), "{text}");
        }
        assert!(!text.contains(r#"bot_runner_rating{bot="neko""#), "{text}");
    }

    #[test]
    fn names_are_escaped_as_the_format_wants() {
        let board = Board::default();
        board.enter(
            "ku\"ma\\\nneko",
            "ws://127.0.0.1:1".to_owned(),
            LiveFigures::default(),
        );
        let text = metrics(
            &PageSubject::Bots {
                board,
                people: PersonSeats::default(),
            },
            3,
        );
        let line =
            r#"bot_runner_games_finished_total{bot="ku\"ma\\\nneko",arena="ws://127.0.0.1:1"} 0"#;
        assert!(text.lines().any(|found| found == line), "{text}");
        assert!(
            text.contains("bot_runner_open_pages 3.0\n") && text.ends_with("# EOF\n"),
            "{text}"
        );
    }
}
