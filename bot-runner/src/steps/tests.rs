//! What a page shows is what the game knows, at every moment at which somebody is asked.

use doudizhu::{Card, CardDeal, CardEvent, CardGame, CardRules, CardSeat, CardSet};
use mcr::event::PLAYERS;
use mcr::game::StandardWalls;
use mcr::{StandardAction, StandardEvent, StandardGame, StandardRules, StandardSeat};
use protocol::game_record::{CardRecordForm, RecordForm};
use riichi::{Kind, Seat, Wind};

use super::cards::ShownCards;
use super::standard::ShownStandard;
use super::*;

/// The page of a game by its record.
fn page<G: ShownGame>(
    deals: &[Option<<G::Table as SeatTable>::Event>],
    events: &[<G::Table as SeatTable>::Event],
) -> StepPage {
    let lines = std::iter::once(G::Form::deal_line(deals)).chain(events.iter().filter_map(G::Form::event_line));
    let text = lines.collect::<Vec<_>>().join("\n");
    let page = page_of::<G>(StepSource { text, ..StepSource::default() }).expect("it can be shown");
    assert!(page.warnings.is_empty(), "{:?}", page.warnings);
    page
}

/// A row of a seat: its groups, and which are gone.
fn row<'p>(seat: &'p StepSeat, label: &str) -> (Vec<&'p str>, &'p [usize]) {
    let row = seat.rows.iter().find(|row| row.label == label);
    row.map_or((Vec::new(), &[]), |row| (row.groups.iter().map(String::as_str).collect(), &row.gone))
}

/// A tile as a page names it.
fn code(kind: Kind) -> String {
    let name = kind.to_string();
    let honour = ["E", "S", "W", "N", "P", "F", "C"].iter().position(|honour| *honour == name);
    honour.map_or(name, |honour| format!("{}z", honour + 1))
}

fn codes(tiles: impl IntoIterator<Item = (Kind, u8)>) -> String {
    tiles.into_iter().map(|(kind, count)| code(kind).repeat(count.into())).collect()
}

/// Something of everything: claims, kongs and wins where there are any.
fn choose(legal: &[StandardAction], rng: &mut fastrand::Rng) -> StandardAction {
    let is_plain = |action: &StandardAction| matches!(action, StandardAction::Pass | StandardAction::Discard(_));
    let (plain, special): (Vec<_>, Vec<_>) = legal.iter().copied().partition(is_plain);
    let chosen = rng.choice(special).filter(|_| rng.u8(..100) < 60).or_else(|| rng.choice(plain));
    chosen.unwrap_or(legal[0])
}

#[test]
fn a_page_of_chinese_standard_has_what_each_seat_knows_at_every_question() {
    let (mut questions, mut kongs) = (0, 0);
    for seed in 0..30 {
        let rules = StandardRules::default();
        let mut game = StandardGame::new(StandardWalls::shuffled(seed, rules), Wind::South, rules);
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut moments: Vec<(usize, Vec<StandardSeat>)> = Vec::new();
        while game.end().is_none() {
            let seats: Vec<StandardSeat> = Seat::all(PLAYERS).map(|seat| game.seat(seat).clone()).collect();
            let answer = |seat: &StandardSeat| Some(seat.legal()).filter(|legal| !legal.is_empty());
            let answers =
                seats.iter().map(|seat| answer(seat).map_or(StandardAction::Pass, |legal| choose(&legal, &mut rng)));
            let answers: Vec<Option<StandardAction>> = answers.map(Some).collect();
            moments.push((game.events().len(), seats));
            game.answer(answers.try_into().expect("four"));
        }
        let deal =
            |seat| StandardEvent::Dealt { prevalent_wind: Wind::South, hand: *game.dealt(seat), flowers: [0; 4] };
        let deals: Vec<_> = Seat::all(PLAYERS).map(|seat| Some(deal(seat))).collect();
        let open = page::<ShownStandard>(&deals, game.events());
        for (heard, seats) in &moments {
            for own in seats {
                let (index, at) = (own.seat().index(), format!("game {seed}, after {heard} events"));
                let shown = &open.steps[*heard].seats[index];
                let public = own.public(own.seat());
                let concealed = own.hand().concealed();
                assert_eq!(row(shown, "hand").0, [codes(Kind::all().map(|kind| (kind, concealed[kind])))], "{at}");
                let sets: Vec<String> = own.hand().sets().iter().map(|set| codes(set.tiles())).collect();
                assert_eq!(row(shown, "sets").0, sets, "{at}");
                kongs += own.hand().sets().iter().filter(|set| set.is_kong()).count();
                let river: Vec<String> = public.river.iter().map(|discard| code(discard.tile)).collect();
                let gone: Vec<usize> = (0..public.river.len()).filter(|&at| public.river[at].claimed).collect();
                assert_eq!(row(shown, "discards"), (river.iter().map(String::as_str).collect(), &gone[..]), "{at}");
                assert!(shown.note.contains(&format!(", {} tiles in its wall", public.wall)), "{at}: {}", shown.note);
            }
            questions += 1;
        }
        for own in Seat::all(PLAYERS).map(Seat::index) {
            let known: Vec<_> = (0..deals.len()).map(|seat| deals[seat].clone().filter(|_| seat == own)).collect();
            let heard: Vec<_> = game.events().iter().map(|event| ShownStandard::heard(event, own)).collect();
            let hidden = page::<ShownStandard>(&known, &heard);
            for (hidden, open) in hidden.steps.iter().zip(&open.steps) {
                for (seat, (hidden, open)) in hidden.seats.iter().zip(&open.seats).enumerate() {
                    let hand = row(open, "hand").0.concat();
                    let expected = if seat == own { hand } else { "??".repeat(hand.len() / 2) };
                    assert_eq!(
                        row(hidden, "hand").0.concat(),
                        expected,
                        "game {seed}, seat {seat} of a record of {own}"
                    );
                    assert_eq!(row(hidden, "discards"), row(open, "discards"), "game {seed}");
                    assert_eq!(hidden.note, open.note, "game {seed}");
                }
            }
        }
    }
    assert!(questions > 1_000 && kongs > 0, "{questions} questions, {kongs} kongs");
}

#[test]
fn a_page_of_doudizhu_has_what_each_seat_knows_at_every_question() {
    let mut questions = 0;
    for seed in 0..60 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut order: [Card; Card::COUNT] = std::array::from_fn(|number| Card::new(number as u8).expect("a card"));
        rng.shuffle(&mut order);
        let rules = if seed % 2 == 0 { CardRules::BIDDING } else { CardRules::FIXED };
        let mut game = CardGame::new(CardDeal::of_order(&order), rules);
        let deals: Vec<_> = CardSeat::all().map(|seat| Some(game.deal_event(seat))).collect();
        let mut moments = Vec::new();
        while game.asked().is_some() {
            let hands: Vec<CardSet> = CardSeat::all().map(|seat| game.hand(seat)).collect();
            moments.push((game.events().len(), hands, game.round().clone()));
            game.act(*rng.choice(&game.legal_actions()).expect("an action")).expect("it is legal");
        }
        let ranks = |cards: CardSet| cards.iter().map(|card| card.rank().letter()).collect::<String>();
        let open = page::<ShownCards>(&deals, game.events());
        for (heard, hands, round) in moments {
            for seat in CardSeat::all() {
                let at = format!("game {seed}, after {heard} events");
                let (shown, hand) = (&open.steps[heard].seats[seat.index()], hands[seat.index()]);
                assert_eq!(row(shown, "hand").0.concat(), ranks(hand), "{at}");
                let plays = round.trail().iter().filter(|played| played.seat == seat && played.play.is_some());
                assert_eq!(row(shown, "plays").0, plays.map(|played| ranks(played.cards)).collect::<Vec<_>>(), "{at}");
                let role = round.landlord().map(|landlord| if landlord == seat { "landlord" } else { "peasant" });
                assert_eq!(shown.note, format!("{}, {} cards", role.unwrap_or("bidding"), hand.len()), "{at}");
            }
            questions += 1;
        }
        for own in 0..deals.len() {
            let known: Vec<_> = (0..deals.len()).map(|seat| deals[seat].filter(|_| seat == own)).collect();
            let hidden = page::<ShownCards>(&known, game.events());
            for (hidden, open) in hidden.steps.iter().zip(&open.steps) {
                for (seat, (hidden, open)) in hidden.seats.iter().zip(&open.seats).enumerate() {
                    let hand = row(open, "hand").0.concat();
                    let expected = if seat == own { hand } else { "?".repeat(hand.len()) };
                    assert_eq!(
                        row(hidden, "hand").0.concat(),
                        expected,
                        "game {seed}, seat {seat} of a record of {own}"
                    );
                    assert_eq!((row(hidden, "plays"), &hidden.note), (row(open, "plays"), &open.note), "game {seed}");
                }
            }
        }
    }
    assert!(questions > 1_000, "{questions} questions");
}

#[test]
fn what_happens_and_what_may_be_done_is_said_in_the_words_of_the_game() {
    let kind = |text: &str| Kind::all().find(|kind| kind.to_string() == text).expect("a tile");
    let names = ["panda".to_owned()];
    let seat = Seat::FIRST;
    let standard = |event: StandardEvent| ShownStandard::words(&event, &names);
    assert_eq!(standard(StandardEvent::Discarded { seat, tile: kind("C") }), "panda discards red dragon.");
    let (middle, discard) = (kind("5s"), kind("E"));
    let claimed = "panda claims a chow, 4 5 6 of bamboo, and discards east wind.";
    assert_eq!(standard(StandardEvent::ChowClaimed { seat, middle, discard }), claimed);
    let action = StandardAction::ClaimChow { middle: kind("2m"), discard: kind("9p") };
    assert_eq!(ShownStandard::action_words(&action), "chow, 1 2 3 of characters, then discard 9 of dots");
    let cards: CardSet = [0, 28, 52, 53].into_iter().filter_map(Card::new).collect();
    let event = CardEvent::Play { seat: CardSeat::FIRST, cards };
    assert_eq!(ShownCards::words(&event, &names), "panda plays 3 10 small joker big joker.");
    assert_eq!(ShownCards::words(&CardEvent::Bid { seat: CardSeat::FIRST, bid: 0 }, &names), "panda does not bid.");
}

/// A game of Dou Dizhu between seats that do what comes first, and what the one after the landlord decided.
fn noted() -> (Vec<Option<CardEvent>>, Vec<CardEvent>, Vec<RecordedDecision<Value>>) {
    let order: [Card; Card::COUNT] = std::array::from_fn(|number| Card::new(number as u8).expect("a card"));
    let mut game = CardGame::new(CardDeal::of_order(&order), CardRules::FIXED);
    let deals: Vec<_> = CardSeat::all().map(|seat| Some(game.deal_event(seat))).collect();
    let mut notes = Vec::new();
    while let Some(asked) = game.asked() {
        let legal = game.legal_actions();
        if asked == CardSeat::FIRST.after(1) {
            notes.push(RecordedDecision {
                seat: Seat::new(1).expect("a seat"),
                decision: Some(notes.len() as u64),
                legal: legal.iter().map(<ShownCards as ShownGame>::Form::action).collect(),
                chosen: Some(0),
                policy: String::new(),
                took_us: None,
                values: Vec::new(),
                reason: String::new(),
                safe_answer: None,
            });
        }
        game.act(legal[0]).expect("it is legal");
    }
    (deals, game.events().to_vec(), notes)
}

fn page_with(notes: Vec<RecordedDecision<Value>>) -> StepPage {
    let (deals, events, _) = noted();
    let lines =
        std::iter::once(CardRecordForm::deal_line(&deals)).chain(events.iter().filter_map(CardRecordForm::event_line));
    let text = lines.collect::<Vec<_>>().join("\n");
    step_page(GameKind::DouDizhu, StepSource { text, notes, ..StepSource::default() }).expect("it can be shown")
}

#[test]
fn a_decision_that_fits_nowhere_hides_no_other() {
    let (_, _, notes) = noted();
    let whole = page_with(notes.clone());
    assert_eq!((whole.decisions.len(), whole.warnings.len()), (notes.len(), 0));
    let mut broken = notes.clone();
    broken[2].legal.push(Value::Null);
    let shown = page_with(broken);
    assert_eq!(shown.decisions.len(), notes.len() - 1);
    assert!(shown.warnings[0].starts_with("1 decisions of the record fit no moment"), "{:?}", shown.warnings);
}

#[test]
fn a_decision_that_is_out_of_order_is_refused() {
    let (_, _, notes) = noted();
    let (first, second) = (notes[0].clone(), notes[1].clone());
    assert_eq!(first.legal, second.legal, "by its actions alone it would fit");
    let shown = page_with(vec![second, first]);
    assert_eq!((shown.decisions.len(), shown.warnings.len()), (1, 1));
}

/// The page of a record whose last line is this.
fn page_with_end<G: ShownGame>(game: &str, lines: &[String], end: &str) -> StepPage {
    let start = format!(r#"{{"type":"start_game","game":"{game}","id":null,"names":["kuma","neko","safe","safe"]}}"#);
    let text = [&[start], lines, &[end.to_owned()]].concat().join("\n");
    page_of::<G>(StepSource { text, ..StepSource::default() }).expect("it can be shown")
}

#[test]
fn the_last_step_says_by_name_who_won_with_what_and_who_paid_what() {
    let hand = r#"["1m","2m","3m","4m","5m","6m","7m","8m","9m","E","E","S","S"]"#;
    let deal = format!(r#"{{"type":"deal","prevalent_wind":"E","hands":[{hand},null,null,null],"flowers":[0,0,0,0]}}"#);
    let end = |outcome: &str| format!(r#"{{"type":"end_game","scores":[-40,64,-8,-16]{outcome}}}"#);
    let fan = r#"[{"name":"All Chows","value":2,"times":1},{"name":"Four Plain","value":1,"times":3}]"#;
    let won = format!(
        r#","outcome":{{"type":"win","winner":1,"from":3,"with":"discard","tile":"5p","total":5,"fan":{fan}}}"#
    );
    let page = page_with_end::<ShownStandard>("chinese-standard", std::slice::from_ref(&deal), &end(&won));
    let last = page.steps.last().expect("a step");
    assert_eq!(
        last.event,
        "neko wins with 5 fan on 5 of dots, discarded by safe (seat 3): All Chows 2, Four Plain 1 × 3. \
         kuma -40, neko +64, safe (seat 2) -8, safe (seat 3) -16."
    );
    assert_eq!(last.seats, page.steps[0].seats, "the position stays");
    assert_eq!(page.facts[0].0, "result");
    // A record of before, or of an arena that tells no more.
    let page = page_with_end::<ShownStandard>("chinese-standard", &[deal], &end(""));
    let last = &page.steps.last().expect("a step").event;
    assert_eq!(last, "The game is over. kuma -40, neko +64, safe (seat 2) -8, safe (seat 3) -16.");
}

#[test]
fn an_old_record_of_doudizhu_shows_who_won_with_which_bombs_by_its_plays() {
    let order: [Card; Card::COUNT] = std::array::from_fn(|number| Card::new(number as u8).expect("a card"));
    let mut game = CardGame::new(CardDeal::of_order(&order), CardRules::FIXED);
    while let Some(action) = game.legal_actions().pop() {
        game.act(action).expect("it is legal");
    }
    let deals: Vec<_> = CardSeat::all().map(|seat| Some(game.deal_event(seat))).collect();
    let mut lines = vec![CardRecordForm::deal_line(&deals)];
    lines.extend(game.events().iter().filter_map(CardRecordForm::event_line));
    let page = page_with_end::<ShownCards>("doudizhu", &lines, r#"{"type":"end_game","scores":[1,2,2]}"#);
    let bombs = game.round().trail().iter().filter_map(|played| played.play).filter(|play| play.combination.is_bomb());
    let bombs = match bombs.count() {
        0 => String::new(),
        1 => "1 bomb".to_owned(),
        bombs => format!("{bombs} bombs"),
    };
    let landlord_won = game.round().winner() == Some(CardSeat::FIRST);
    let last = &page.steps.last().expect("a step").event;
    let ends = if landlord_won { "wins" } else { "loses" };
    assert!(last.starts_with(&format!("the landlord, kuma, {ends}")) && last.contains(&bombs), "{last}");
    assert!(last.ends_with(". kuma +1, neko +2, safe +2.") && !last.contains("bid"), "{last}");
}
