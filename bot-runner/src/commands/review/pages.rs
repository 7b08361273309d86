//! The pages of a review: one for each game, and an index.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, bail};
use builtin::ValueUnit;
use foreign_text::shown_path;
use lab::review::{KnownDecision, PlayerReview, Review};
use view::page::{ListCell, ListPage, ListTable, PageLanguage, PageLoss};

use super::super::table::number_of;
use super::super::view::{ReviewedPoint, ViewedGame, review_page};
use super::report::{KIND_HEADS, PLAYER_HEADS, kind_rows, player_rows, reason_of, unit_of};
use super::state::{PageRow, PolicyReview, ReviewState};
use super::walk::WalkedGame;
use lab::whole_file::replace;

const INDEX: &str = "index.html";
/// Maximum length, in bytes, of a log's name in the name of its page.
const MAX_STEM: usize = 100;

/// Prepares the folder of pages.
pub(super) fn prepare(folder: &Path) -> anyhow::Result<()> {
    if folder.exists() && !folder.is_dir() {
        bail!(
            "--pages {}: it is a file; name a folder for the pages",
            shown_path(folder)
        );
    }
    fs::create_dir_all(folder).with_context(|| format!("{} cannot be made", shown_path(folder)))
}

/// Where the pages are written, and their language.
#[derive(Clone, Copy)]
pub(super) struct ReviewFolder<'a> {
    pub(super) folder: &'a Path,
    pub(super) language: Option<PageLanguage>,
}

/// The decisions of a game for its page.
pub(super) struct GamePage<G: ViewedGame> {
    points: Vec<ReviewedPoint<G>>,
    /// The seat, round and decision of each.
    numbers: Vec<(usize, u64, u64)>,
    losses: Vec<(String, f64)>,
}

impl<G: ViewedGame> GamePage<G> {
    pub(super) fn of(game: &WalkedGame<'_, G>) -> Self {
        let players = game.seats.iter().map(|&seat| game.players[seat].clone());
        Self {
            points: Vec::new(),
            numbers: Vec::new(),
            losses: players.map(|player| (player, 0.0)).collect(),
        }
    }

    pub(super) fn add(
        &mut self,
        game: &WalkedGame<'_, G>,
        policy: &str,
        known: &KnownDecision<'_, '_, G>,
    ) {
        let decision = known.compared.decision;
        let loss = known.loss.unwrap_or(0.0);
        if let Some(place) = game.seats.iter().position(|&seat| seat == decision.seat) {
            self.losses[place].1 += f64::from(loss);
        }
        let why = if loss > 0.0 {
            reason_of(policy, &known.reviewed(), false)
        } else {
            String::new()
        };
        let page_loss = PageLoss {
            loss,
            unit: ValueUnit::of_policy(policy, known.kind),
            kind: known.kind.to_owned(),
            why,
        };
        self.numbers
            .push((decision.seat, decision.round, decision.number));
        self.points.push(ReviewedPoint::of(
            decision,
            game.course.events.len(),
            known.decided.clone(),
            page_loss,
        ));
    }

    /// Writes the page, and enters its address at the decisions of the review that are on it.
    pub(super) fn write(
        self,
        game: &WalkedGame<'_, G>,
        policy: &str,
        ReviewFolder { folder, language }: ReviewFolder<'_>,
        review: &mut Review,
    ) -> anyhow::Result<PageRow> {
        let file = file_name(game);
        let (mut page, places) = review_page(game.log, &game.record, policy, self.points)?;
        page.language = language;
        let path = folder.join(&file);
        replace(&path, page.html().as_bytes())
            .with_context(|| format!("{} cannot be written", shown_path(&path)))?;
        let places: HashMap<_, _> = self.numbers.into_iter().zip(places).collect();
        for decision in &mut review.costliest {
            let number = (decision.seat, decision.round, decision.decision);
            if (&*decision.log, decision.game) == (game.log, game.number)
                && let Some(Some((round, step))) = places.get(&number)
            {
                decision.page = Some(format!("{file}#round={}&step={step}", round + 1));
            }
        }
        Ok(PageRow {
            file,
            log: game.log.to_owned(),
            losses: self.losses,
        })
    }
}

/// The name of a game's page, which no other game has.
fn file_name<G: ViewedGame>(game: &WalkedGame<'_, G>) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "-_.".contains(letter);
    let stem: String = game
        .stem
        .chars()
        .map(|letter| if plain(letter) { letter } else { '-' })
        .take(MAX_STEM)
        .collect();
    let of_game = match game.number {
        1 => String::new(),
        number => format!("-{number}"),
    };
    format!("{:05}-{stem}{of_game}.html", game.log_number)
}

fn texts<const COLUMNS: usize>(rows: Vec<[String; COLUMNS]>) -> Vec<Vec<ListCell>> {
    let cells = |row: [String; COLUMNS]| row.into_iter().map(ListCell::text).collect();
    rows.into_iter().map(cells).collect()
}

/// Writes the index of the pages.
pub(super) fn write_index(
    ReviewFolder { folder, language }: ReviewFolder<'_>,
    state: &ReviewState,
    baseline: Option<&PlayerReview>,
) -> anyhow::Result<()> {
    let Some(PolicyReview { name, review }) = state.policies.first() else {
        return Ok(());
    };
    let costliest = review.costliest.iter().map(|decision| {
        let loss = format!("{:.4}", decision.loss.unwrap_or(0.0));
        let place = format!("{} {}.{}", decision.log, decision.round, decision.decision);
        let place = match &decision.page {
            Some(page) => ListCell::link(place, format!("./{page}")),
            None => ListCell::text(place),
        };
        vec![
            ListCell::text(loss),
            place,
            ListCell::text(decision.player.clone()),
            ListCell::text(format!("{}: {}", decision.kind, decision.moment)),
            ListCell::text(decision.done.clone()),
            ListCell::text(reason_of(name, decision, true)),
        ]
    });
    let games = state.pages.iter().map(|game| {
        let losses: Vec<String> = game
            .losses
            .iter()
            .map(|(player, loss)| format!("{player} {loss:.3}"))
            .collect();
        vec![
            ListCell::link(game.log.clone(), format!("./{}", game.file)),
            ListCell::text(losses.join(", ")),
        ]
    });
    let unit = unit_of(name, review);
    let of_unit = match unit.is_empty() {
        true => String::new(),
        false => format!(", in {unit}"),
    };
    let page = ListPage {
        title: format!("{} reviewed by {name}", number_of(state.games, "game")),
        home: false,
        tables: vec![
            ListTable {
                title: format!("Loss of the players{of_unit}"),
                heads: PLAYER_HEADS.to_vec(),
                rows: texts(player_rows(review)),
            },
            ListTable {
                title: "The costliest decisions".to_owned(),
                heads: vec!["loss", "where", "player", "position", "played", "why"],
                rows: costliest.collect(),
            },
            ListTable {
                title: "By the kind of decision".to_owned(),
                heads: KIND_HEADS.to_vec(),
                rows: texts(kind_rows(review, baseline)),
            },
            ListTable {
                title: "Games".to_owned(),
                heads: vec!["game", "loss of each player"],
                rows: games.collect(),
            },
        ],
    };
    let path = folder.join(INDEX);
    replace(&path, page.html_in(language).as_bytes())
        .with_context(|| format!("{} cannot be written", shown_path(&path)))
}
