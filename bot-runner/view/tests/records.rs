//! Pages of records of games other than riichi: they show exactly the knowledge of the seats.

mod common;

use common::check_told;
use doudizhu::{
    Card, CardSet, DouDizhuDeal, DouDizhuEvent, DouDizhuGame, DouDizhuRules, DouDizhuSeat,
};
use mcr::event::PLAYERS;
use mcr::game::{McrEnd, McrWalls};
use mcr::{McrAction, McrEvent, McrGame, McrRules, McrSeatState};
use policy_host::GameKind;
use protocol::game_record::{
    DouDizhuRecordForm, GameOutcome, McrRecordForm, RecordEnd, RecordForm,
};
use riichi::{Kind, Seat, Wind};
use view::page::{Page, record_page};

const MCR: GameKind = GameKind::Mcr;
const DOUDIZHU: GameKind = GameKind::DouDizhu;

fn lines<F: RecordForm>(deals: &[Option<F::Event>], events: &[F::Event]) -> Vec<String> {
    F::deal_line(deals)
        .into_iter()
        .chain(events.iter().filter_map(F::event_line))
        .collect()
}

/// Read at once or line by line, the page is the same.
fn page(game: GameKind, lines: &[String]) -> Page {
    let read = |line_by_line: bool| {
        let mut record = record_page(game, false);
        for line in lines {
            record.line(line);
            if line_by_line {
                record.show();
            }
        }
        record.show();
        record.into_page().expect("it can be shown")
    };
    let page = read(false);
    assert_eq!(page.json(), read(true).json());
    check_told(&page);
    let mut last = record_page(game, true);
    lines.iter().for_each(|line| last.line(line));
    last.show();
    let shown = |page: &Page| page.rounds[0].steps.last().cloned();
    assert_eq!(last.page().and_then(shown), shown(&page));
    page
}

/// The page of a game without decisions.
fn plain<F: RecordForm>(game: GameKind, deals: &[Option<F::Event>], events: &[F::Event]) -> Page {
    let page = page(game, &lines::<F>(deals, events));
    assert!(page.warnings.is_empty(), "{:?}", page.warnings);
    page
}

/// A tile as a page names it.
fn code(kind: Kind) -> String {
    let name = kind.to_string();
    let honour = ["E", "S", "W", "N", "P", "F", "C"]
        .iter()
        .position(|honour| *honour == name);
    honour.map_or(name, |honour| format!("{}z", honour + 1))
}

fn codes(tiles: impl IntoIterator<Item = (Kind, u8)>) -> String {
    tiles
        .into_iter()
        .map(|(kind, count)| code(kind).repeat(count.into()))
        .collect()
}

/// All kinds of actions: claims, kongs and wins if there are any.
fn choose(legal: &[McrAction], rng: &mut fastrand::Rng) -> McrAction {
    let is_plain = |action: &McrAction| matches!(action, McrAction::Pass | McrAction::Discard(_));
    let (plain, special): (Vec<_>, Vec<_>) = legal.iter().copied().partition(is_plain);
    let chosen = rng
        .choice(special)
        .filter(|_| rng.u8(..100) < 60)
        .or_else(|| rng.choice(plain));
    chosen.unwrap_or(legal[0])
}

/// A game of Chinese Standard mahjong, with its deals and each seat's knowledge at each request.
type PlayedMcr = (
    McrGame,
    Vec<Option<McrEvent>>,
    Vec<(usize, Vec<McrSeatState>)>,
);

fn mcr_game(seed: u64) -> PlayedMcr {
    let mut moments = Vec::new();
    let (game, deals) = mcr_game_with(seed, |game| {
        moments.push((
            game.events().len(),
            Seat::all(PLAYERS)
                .map(|seat| game.seat(seat).clone())
                .collect(),
        ));
    });
    (game, deals, moments)
}

/// A game of Chinese Standard mahjong with its deals, and a call of `requested` at each request.
fn mcr_game_with(
    seed: u64,
    mut requested: impl FnMut(&McrGame),
) -> (McrGame, Vec<Option<McrEvent>>) {
    let rules = McrRules::default();
    let mut game = McrGame::new(McrWalls::shuffled(seed, rules), Wind::South, rules);
    let mut rng = fastrand::Rng::with_seed(seed);
    while game.end().is_none() {
        let legal = Seat::all(PLAYERS).map(|seat| game.seat(seat).legal());
        let choice = |legal: Vec<McrAction>| {
            if legal.is_empty() {
                McrAction::Pass
            } else {
                choose(&legal, &mut rng)
            }
        };
        let answers: Vec<Option<McrAction>> = legal.map(choice).map(Some).collect();
        requested(&game);
        game.answer(answers.try_into().expect("four"));
    }
    let deal = |seat| McrEvent::Dealt {
        prevalent_wind: Wind::South,
        hand: *game.dealt(seat),
        flowers: [0; 4],
    };
    let deals = Seat::all(PLAYERS).map(|seat| Some(deal(seat))).collect();
    (game, deals)
}

#[test]
fn a_page_of_chinese_standard_has_each_seats_knowledge_at_every_question() {
    let (mut questions, mut kongs) = (0, 0);
    for seed in 0..30 {
        let (game, deals, moments) = mcr_game(seed);
        let open = plain::<McrRecordForm>(MCR, &deals, game.events());
        for (heard, seats) in &moments {
            for own in seats {
                let at = format!("game {seed}, after {heard} events");
                let shown = &open.rounds[0].steps[*heard].position.seats[own.seat().index()];
                let public = own.public(own.seat());
                let mut concealed = *own.hand().concealed();
                if let Some(drawn) = own.drawn() {
                    concealed[drawn] -= 1;
                }
                assert_eq!(
                    shown.hand,
                    codes(Kind::all().map(|kind| (kind, concealed[kind]))),
                    "{at}"
                );
                assert_eq!(shown.drawn, own.drawn().map_or(String::new(), code), "{at}");
                let sets = own.hand().sets();
                let told: Vec<String> = shown
                    .melds
                    .iter()
                    .map(|meld| meld.tiles.replace('_', ""))
                    .collect();
                assert_eq!(
                    told,
                    sets.iter()
                        .map(|set| codes(set.tiles()))
                        .collect::<Vec<_>>(),
                    "{at}"
                );
                kongs += sets.iter().filter(|set| set.is_kong()).count();
                let discard = |discard: &mcr::seat::RiverDiscard| {
                    format!(
                        "{}{}",
                        code(discard.tile),
                        if discard.claimed { "-" } else { "" }
                    )
                };
                assert_eq!(
                    shown.river,
                    public.river.iter().map(discard).collect::<Vec<_>>(),
                    "{at}"
                );
                assert!(
                    shown
                        .note
                        .contains(&format!("{} tiles in its wall", public.wall)),
                    "{at}: {}",
                    shown.note
                );
            }
            questions += 1;
        }
        for own in Seat::all(PLAYERS) {
            let known: Vec<_> = deals
                .iter()
                .enumerate()
                .map(|(seat, deal)| deal.clone().filter(|_| seat == own.index()))
                .collect();
            let heard: Vec<_> = game
                .events()
                .iter()
                .map(|event| event.hidden_from(own))
                .collect();
            hidden_but_for(
                own.index(),
                &plain::<McrRecordForm>(MCR, &known, &heard),
                &open,
            );
        }
    }
    assert!(
        questions > 1_000 && kongs > 0,
        "{questions} questions, {kongs} kongs"
    );
}

/// Compares the page of one seat's record with that of all seats: the others' hands are backs, one
/// for each piece.
fn hidden_but_for(own: usize, hidden: &Page, open: &Page) {
    for (hidden, open) in hidden.rounds[0].steps.iter().zip(&open.rounds[0].steps) {
        for (seat, (hidden, open)) in hidden
            .position
            .seats
            .iter()
            .zip(&open.position.seats)
            .enumerate()
        {
            let seen = |pieces: &str| {
                if seat == own {
                    pieces.to_owned()
                } else {
                    "?".repeat(pieces.len())
                }
            };
            assert_eq!(
                (&hidden.hand, &hidden.drawn),
                (&seen(&open.hand), &seen(&open.drawn)),
                "seat {seat} from {own}"
            );
            assert_eq!((&hidden.river, &hidden.note), (&open.river, &open.note));
            assert_eq!(hidden.melds.len(), open.melds.len());
        }
    }
}

#[test]
fn a_page_of_doudizhu_has_each_seats_knowledge_at_every_question() {
    let mut questions = 0;
    for seed in 0..60 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut order: [Card; Card::COUNT] =
            std::array::from_fn(|number| Card::new(number as u8).expect("a card"));
        rng.shuffle(&mut order);
        let rules = if seed % 2 == 0 {
            DouDizhuRules::BIDDING
        } else {
            DouDizhuRules::FIXED
        };
        let mut game = DouDizhuGame::new(DouDizhuDeal::of_order(&order), rules);
        let deals: Vec<_> = DouDizhuSeat::all()
            .map(|seat| Some(game.deal_event(seat)))
            .collect();
        let mut moments = Vec::new();
        while game.asked().is_some() {
            let hands: Vec<CardSet> = DouDizhuSeat::all().map(|seat| game.hand(seat)).collect();
            moments.push((game.events().len(), hands, game.round().clone()));
            game.act(*rng.choice(&game.legal_actions()).expect("an action"))
                .expect("it is legal");
        }
        let ranks = |cards: CardSet| {
            cards
                .iter()
                .map(|card| card.rank().letter())
                .collect::<String>()
        };
        let open = plain::<DouDizhuRecordForm>(DOUDIZHU, &deals, game.events());
        for (heard, hands, round) in moments {
            for seat in DouDizhuSeat::all() {
                let at = format!("game {seed}, after {heard} events");
                let position = &open.rounds[0].steps[heard].position;
                let (shown, hand) = (&position.seats[seat.index()], hands[seat.index()]);
                assert_eq!(shown.hand, ranks(hand), "{at}");
                // A pass is an empty play.
                let plays = round.trail().iter().filter(|played| played.seat == seat);
                assert_eq!(
                    shown.river,
                    plays.map(|played| ranks(played.cards)).collect::<Vec<_>>(),
                    "{at}"
                );
                assert_eq!(shown.bid, round.bids().get(seat.index()).copied(), "{at}");
                let bottom = if round.landlord().is_some() {
                    ranks(round.public())
                } else {
                    "???".to_owned()
                };
                assert_eq!(position.bottom, bottom, "{at}");
                let role = round.landlord().map(|landlord| {
                    if landlord == seat {
                        "landlord"
                    } else {
                        "peasant"
                    }
                });
                let cards = if hand.len() == 1 { "card" } else { "cards" };
                assert_eq!(
                    shown.note,
                    format!("{}, {} {cards}", role.unwrap_or("bidding"), hand.len()),
                    "{at}"
                );
                assert_eq!(position.turn, round.turn().map(DouDizhuSeat::index), "{at}");
            }
            questions += 1;
        }
        for own in 0..deals.len() {
            let known: Vec<_> = (0..deals.len())
                .map(|seat| deals[seat].filter(|_| seat == own))
                .collect();
            hidden_but_for(
                own,
                &plain::<DouDizhuRecordForm>(DOUDIZHU, &known, game.events()),
                &open,
            );
        }
    }
    assert!(questions > 1_000, "{questions} questions");
}

fn words(game: GameKind, lines: &[String]) -> Vec<String> {
    page(game, lines).rounds[0]
        .steps
        .iter()
        .map(|step| step.words.clone())
        .collect()
}

#[test]
fn events_and_actions_are_described_in_the_words_of_the_game() {
    let (game, deals) = mcr_game_with(1, |_| ());
    let told = words(MCR, &lines::<McrRecordForm>(&deals, game.events()));
    assert_eq!(told[0], "The deal.");
    assert!(told[1].starts_with("seat 0 draws "), "{}", told[1]);
    assert!(
        told.iter()
            .any(|words| words.contains("claims a chow, ") && words.contains(", and discards "))
    );
    let start = r#"{"type":"start_game","game":"doudizhu","id":0,"names":["panda"]}"#.to_owned();
    let deal = r#"{"type":"deal","hands":[[0,1,28,3,4,5,6,7,8,9,10,11,12,13,14,15,16],null,null]}"#
        .to_owned();
    let bid = |actor: u8, bid: u8| format!(r#"{{"type":"bid","actor":{actor},"bid":{bid}}}"#);
    let landlord = r#"{"type":"landlord","actor":1,"public":[50,52,53]}"#.to_owned();
    let play = r#"{"type":"play","actor":1,"cards":[52,53]}"#.to_owned();
    let pass = r#"{"type":"play","actor":2,"cards":[]}"#.to_owned();
    let told = words(
        DOUDIZHU,
        &[start, deal, bid(0, 0), bid(1, 3), landlord, play, pass],
    );
    let expected = [
        "The deal.",
        "panda does not bid.",
        "seat 1 bids 3.",
        "seat 1 is the landlord and takes 2 small joker big joker.",
        "seat 1 plays small joker big joker.",
        "seat 2 passes.",
    ];
    assert_eq!(told, expected);
}

/// The record of a game of Dou Dizhu in which seats take the first action.
fn doudizhu_lines() -> Vec<String> {
    let order: [Card; Card::COUNT] =
        std::array::from_fn(|number| Card::new(number as u8).expect("a card"));
    let mut game = DouDizhuGame::new(DouDizhuDeal::of_order(&order), DouDizhuRules::FIXED);
    let deals: Vec<Option<DouDizhuEvent>> = DouDizhuSeat::all()
        .map(|seat| Some(game.deal_event(seat)))
        .collect();
    while let Some(&action) = game.legal_actions().first() {
        game.act(action).expect("it is legal");
    }
    lines::<DouDizhuRecordForm>(&deals, game.events())
}

/// A record with names, whose last line is this.
fn with_end(game: GameKind, lines: &[String], end: &RecordEnd) -> Page {
    let start = format!(
        r#"{{"type":"start_game","game":"{}","id":null,"names":["kuma","neko","safe","safe"]}}"#,
        game.name()
    );
    page(game, &[&[start], lines, &[end.line()]].concat())
}

fn end_words(page: &Page) -> &str {
    &page.rounds[0].steps.last().expect("a step").words
}

#[test]
fn the_last_step_says_by_name_who_won_with_which_fan_and_who_paid_what() {
    let (mut wins, mut robbed) = (0, 0);
    for seed in 0..300 {
        let (game, deals) = mcr_game_with(seed, |_| ());
        let end = game.end().expect("it is over");
        if seed > 5 && !matches!(end, McrEnd::Won { .. }) {
            continue;
        }
        let scores = end.scores().map(f64::from).to_vec();
        let lines = lines::<McrRecordForm>(&deals, game.events());
        let outcome = GameOutcome::from(end);
        let told = with_end(
            MCR,
            &lines,
            &RecordEnd {
                scores: scores.clone(),
                outcome: Some(outcome.clone()),
            },
        );
        // An old record, or one of an arena that sends only scores: the fan are counted again.
        let found = with_end(
            MCR,
            &lines,
            &RecordEnd {
                scores: scores.clone(),
                outcome: None,
            },
        );
        assert_eq!(end_words(&found), end_words(&told), "game {seed}");
        let [_, .., last] = &told.rounds[0].steps[..] else {
            panic!("no steps")
        };
        let changes: Vec<Option<f64>> =
            last.position.seats.iter().map(|seat| seat.change).collect();
        assert_eq!(
            changes,
            scores.iter().copied().map(Some).collect::<Vec<_>>(),
            "game {seed}"
        );
        let GameOutcome::Win {
            winner, total, fan, ..
        } = &outcome
        else {
            continue;
        };
        let name = ["kuma", "neko", "safe (seat 2)", "safe (seat 3)"][*winner];
        assert!(
            last.words
                .starts_with(&format!("{name} wins with {total} fan on ")),
            "{}",
            last.words
        );
        assert!(
            fan.iter()
                .all(|fan| last.words.contains(&format!("{} {}", fan.name, fan.value))),
            "{}",
            last.words
        );
        assert!(
            last.words
                .ends_with(&format!("safe (seat 3) {:+}.", scores[3])),
            "{}",
            last.words
        );
        assert_eq!(
            told.facts.last().map(|(what, _)| what.as_str()),
            Some("result")
        );
        // If the winner's hand is hidden, the scores still show the number of fan.
        let other = (winner + 1) % 4;
        let known: Vec<_> = (0..4)
            .map(|seat| deals[seat].clone().filter(|_| seat == other))
            .collect();
        let own = Seat::new(other as u8).expect("a seat");
        let heard: Vec<_> = game
            .events()
            .iter()
            .map(|event| event.hidden_from(own))
            .collect();
        let lines = self::lines::<McrRecordForm>(&known, &heard);
        let hidden = with_end(
            MCR,
            &lines,
            &RecordEnd {
                scores,
                outcome: None,
            },
        );
        assert!(
            end_words(&hidden).starts_with(&format!("{name} wins with {total} fan on ")),
            "{}",
            end_words(&hidden)
        );
        wins += 1;
        robbed += usize::from(last.words.contains("discarded by"));
    }
    assert!(wins > 3 && robbed > 0, "{wins} wins, {robbed} on a discard");
}

#[test]
fn an_old_record_of_doudizhu_shows_who_won_with_which_bombs_by_its_plays() {
    let order: [Card; Card::COUNT] =
        std::array::from_fn(|number| Card::new(number as u8).expect("a card"));
    let mut game = DouDizhuGame::new(DouDizhuDeal::of_order(&order), DouDizhuRules::FIXED);
    while let Some(action) = game.legal_actions().pop() {
        game.act(action).expect("it is legal");
    }
    let deals: Vec<_> = DouDizhuSeat::all()
        .map(|seat| Some(game.deal_event(seat)))
        .collect();
    let lines = lines::<DouDizhuRecordForm>(&deals, game.events());
    let page = with_end(
        DOUDIZHU,
        &lines,
        &RecordEnd {
            scores: vec![1.0, 2.0, 2.0],
            outcome: None,
        },
    );
    let bombs = game
        .round()
        .trail()
        .iter()
        .filter_map(|played| played.play)
        .filter(|play| play.combination.is_bomb());
    let bombs = match bombs.count() {
        0 => String::new(),
        1 => "1 bomb".to_owned(),
        bombs => format!("{bombs} bombs"),
    };
    let landlord_won = game.round().winner() == Some(DouDizhuSeat::FIRST);
    let last = end_words(&page);
    let ends = if landlord_won { "wins" } else { "loses" };
    assert!(
        last.starts_with(&format!("the landlord, kuma, {ends}")) && last.contains(&bombs),
        "{last}"
    );
    assert!(
        last.ends_with(". kuma +1, neko +2, safe +2.") && !last.contains("bid"),
        "{last}"
    );
}

#[test]
fn without_its_last_play_a_game_of_doudizhu_still_shows_who_won_by_the_scores() {
    let mut lines = doudizhu_lines();
    lines.pop();
    for (scores, winner) in [
        ([0.3, 2.1, 2.1], "The peasants win"),
        ([2.3, 0.1, 0.1], "The landlord wins"),
    ] {
        let page = with_end(
            DOUDIZHU,
            &lines,
            &RecordEnd {
                scores: scores.to_vec(),
                outcome: None,
            },
        );
        let end = page.rounds[0]
            .steps
            .last()
            .and_then(|step| step.position.end.as_ref());
        assert_eq!(end.map(|end| end.title.as_str()), Some(winner));
    }
}

#[test]
fn an_end_that_contradicts_the_events_is_shown_with_a_warning() {
    let (game, deals, _) = mcr_game(1);
    let lines = lines::<McrRecordForm>(&deals, game.events());
    let end = game.end().expect("it is over");
    let end = RecordEnd {
        scores: end.scores().map(f64::from).to_vec(),
        outcome: Some(end.into()),
    };
    assert!(with_end(MCR, &lines, &end).warnings.is_empty());
    let wrong = RecordEnd {
        scores: vec![1.0, 2.0, 3.0, 4.0],
        ..end
    };
    let shown = with_end(MCR, &lines, &wrong);
    let said = format!(
        "Line {} cannot have happened, `scores` is given as [1.0,2.0,3.0,4.0], ",
        lines.len() + 2
    );
    assert!(shown.warnings[0].starts_with(&said), "{:?}", shown.warnings);
    assert!(
        shown.warnings[0].ends_with("; it is shown as the record has it."),
        "{:?}",
        shown.warnings
    );
    assert!(
        end_words(&shown).contains("kuma +1"),
        "{}",
        end_words(&shown)
    );
}

#[test]
fn a_record_that_cannot_be_read_on_is_shown_up_to_there() {
    let mut lines = doudizhu_lines();
    lines[4] = r#"{"type":"play","actor":0,"cards":[99]}"#.to_owned();
    let shown = page(DOUDIZHU, &lines);
    assert_eq!(shown.rounds[0].steps.len(), 4);
    assert!(
        shown.warnings[0].starts_with("The rest of the record cannot be read: line 5: card 99"),
        "{:?}",
        shown.warnings
    );
    lines[4] = lines[3].clone();
    let shown = page(DOUDIZHU, &lines);
    assert_eq!(shown.rounds[0].steps.len(), 4);
    assert!(
        shown.warnings[0].starts_with("Line 5 cannot have happened, seen from seat 0: "),
        "{:?}",
        shown.warnings
    );
    let mut nothing = record_page(DOUDIZHU, false);
    nothing.show();
    assert_eq!(
        nothing.into_page().map(|_| ()),
        Err("no hand of the deal is known".to_owned())
    );
}
