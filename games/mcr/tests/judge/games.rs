//! Writes whole games as JSON lines, with each seat's legal actions and answers and the end: `cargo
//! run --release -p bot-runner-mcr --example games -- 300 | python compare.py FOLDER`.
//!
//! `compare.py` next to this file plays the same walls and answers on an independent judge. In half
//! of the games a seat is dealt a hand that waits, so that many are won; in some a seat gives an
//! illegal answer.

#[path = "../pypi/random.rs"]
#[allow(dead_code, reason = "the comparison of fan uses the rest")]
mod random;

use std::io::{self, BufWriter, Write};

use game_core::Seat;
use game_core::rng::Rng;
use mcr::event::{Flower, PLAYERS};
use mcr::game::{McrEnd, McrWalls, WallTile, WonWith};
use mcr::{Fan, FanCount, McrAction, McrGame, McrRules};
use protocol::botzone::{flower_name, mcr_response, tile_name};
use tiles::{Kind, Wind};

use random::RandomWin;

fn main() -> io::Result<()> {
    let games = match std::env::args().nth(1).map(|number| number.parse::<u64>()) {
        Some(Ok(games)) => games,
        _ => {
            return Err(io::Error::other(
                "usage: games NUMBER, for instance: games 300",
            ));
        }
    };
    let mut out = BufWriter::new(io::stdout().lock());
    for number in 0..games {
        let mut random = Rng::keyed(&[34, number]);
        let rules = McrRules {
            flowers: random.below(4) == 0,
            ..McrRules::default()
        };
        let waiting = (number % 2 == 0).then(|| Seat::new(random.below(4) as u8).expect("a seat"));
        let walls = match waiting {
            Some(seat) => stacked(&mut random, rules, seat),
            None => McrWalls::shuffled(number, rules),
        };
        let errs = random.below(4) == 0;
        write_game(&mut out, &mut random, &walls, rules, waiting, errs)?;
    }
    out.flush()
}

/// Walls by which a seat is dealt a concealed hand that waits.
fn stacked(random: &mut Rng, rules: McrRules, seat: Seat) -> McrWalls {
    let win = loop {
        let aim = (random.below(3) > 0).then(|| Fan::ALL[random.below(Fan::ALL.len())]);
        // Some fan need declared sets.
        if matches!(
            aim,
            Some(Fan::MeldedHand | Fan::FourKongs | Fan::ThreeKongs)
        ) {
            continue;
        }
        let win = RandomWin::new(random, aim);
        if win.hand.sets().is_empty() {
            break win;
        }
    };
    let mut rest: Vec<WallTile> = Kind::all()
        .flat_map(|kind| {
            std::iter::repeat_n(
                WallTile::Tile(kind),
                usize::from(4 - win.hand.concealed()[kind]),
            )
        })
        .collect();
    if rules.flowers {
        rest.extend((1..=8).filter_map(Flower::new).map(WallTile::Flower));
    }
    random.shuffle(&mut rest);
    let length = usize::from(rules.wall());
    let mut walls: [Vec<WallTile>; 4] = Default::default();
    for (index, wall) in walls.iter_mut().enumerate() {
        let dealt = if index == seat.index() { 13 } else { 0 };
        wall.extend(rest.drain(..length - dealt));
    }
    let hand = Kind::all().flat_map(|kind| {
        std::iter::repeat_n(
            WallTile::Tile(kind),
            usize::from(win.hand.concealed()[kind]),
        )
    });
    walls[seat.index()].extend(hand);
    McrWalls::new(walls, rules).expect("all tiles")
}

fn write_game(
    out: &mut impl Write,
    random: &mut Rng,
    walls: &McrWalls,
    rules: McrRules,
    waiting: Option<Seat>,
    errs: bool,
) -> io::Result<()> {
    let prevalent_wind = Wind::ALL[random.below(4)];
    let mut game = McrGame::new(walls.clone(), prevalent_wind, rules);
    let mut turns = Vec::new();
    // How ready the seats are to claim, and which answer is wrong.
    let claims = random.unit();
    let patient = random.below(2) == 0;
    let mut wrong_in = if errs { random.below(60) } else { usize::MAX };
    while game.end().is_none() {
        let legal = Seat::all(PLAYERS).map(|seat| game.seat(seat).legal());
        let legal: Vec<Vec<McrAction>> = legal.collect();
        let mut answers: [McrAction; 4] = std::array::from_fn(|index| {
            answer(
                random,
                &game,
                index,
                &legal[index],
                waiting.map(|seat| (seat, patient)),
                claims,
            )
        });
        if wrong_in == 0 {
            answers[random.below(4)] = any_action(random);
        }
        wrong_in = wrong_in.wrapping_sub(1);
        let texts = |actions: &[McrAction]| {
            let texts: Vec<String> = actions
                .iter()
                .map(|&action| format!("{:?}", mcr_response(action)))
                .collect();
            format!("[{}]", texts.join(","))
        };
        let legal: Vec<String> = legal.iter().map(|legal| texts(legal)).collect();
        turns.push(format!("[[{}],{}]", legal.join(","), texts(&answers)));
        game.answer(answers.map(Some));
    }
    let tiles: Vec<String> = Seat::all(PLAYERS)
        .flat_map(|seat| walls.of(seat).iter().map(|&tile| wall_name(tile)))
        .collect();
    let end = match game.end() {
        Some(McrEnd::Won {
            winner,
            from,
            with,
            fan,
            ..
        }) => {
            let with = match with {
                WonWith::Draw => "self-drawn",
                WonWith::Discard => "discard",
                WonWith::RobbedKong => "robbed kong",
            };
            format!(
                "{{\"winner\":{winner},\"from\":{from},\"kind\":{with:?},\"fan\":{}}}",
                fan.total()
            )
        }
        Some(McrEnd::Fault { seat, wrong_win }) => {
            format!(
                "{{\"fault\":{seat},\"code\":{:?}}}",
                if *wrong_win { "WH" } else { "WA" }
            )
        }
        _ => "{}".to_owned(),
    };
    writeln!(
        out,
        "{{\"walls\":{:?},\"quan\":{},\"turns\":[{}],\"end\":{end},\"scores\":{:?}}}",
        tiles.join(" "),
        prevalent_wind as u8,
        turns.join(","),
        game.end().map(McrEnd::scores).unwrap_or_default(),
    )
}

/// Wins when it can, or with patience only by a rare fan; the seat that waits discards what it
/// draws; the others claim now and then, and discard anything.
fn answer(
    random: &mut Rng,
    game: &McrGame,
    index: usize,
    legal: &[McrAction],
    waiting: Option<(Seat, bool)>,
    claims: f64,
) -> McrAction {
    let seat = Seat::new(index as u8).expect("a seat");
    let patient = waiting == Some((seat, true));
    let waiting = waiting.map(|(seat, _)| seat);
    let is_rare = |count: FanCount| {
        use Fan::{LastTile, LastTileClaim, LastTileDraw, OutWithReplacementTile, RobbingTheKong};
        [
            LastTile,
            LastTileClaim,
            LastTileDraw,
            OutWithReplacementTile,
            RobbingTheKong,
        ]
        .iter()
        .any(|&fan| count.times(fan) > 0)
    };
    if legal.contains(&McrAction::Win)
        && random.unit() < 0.9
        && (!patient || game.seat(seat).win().is_some_and(is_rare))
    {
        return McrAction::Win;
    }
    if waiting == Some(seat)
        && let Some(drawn) = game.seat(seat).drawn()
    {
        let kong = legal
            .iter()
            .find(|action| matches!(action, McrAction::ConcealedKong(kind) if *kind == drawn));
        return kong.copied().unwrap_or(McrAction::Discard(drawn));
    }
    if legal.contains(&McrAction::Pass) && (waiting == Some(seat) || random.unit() >= claims) {
        return McrAction::Pass;
    }
    let kongs: Vec<McrAction> = legal
        .iter()
        .copied()
        .filter(|action| {
            use McrAction::{AddKong, ClaimKong, ConcealedKong};
            matches!(action, AddKong(_) | ClaimKong | ConcealedKong(_))
        })
        .collect();
    if random.below(2) == 0
        && let Some(&kong) = random.pick(&kongs)
    {
        return kong;
    }
    *random.pick(legal).expect("something to answer")
}

fn any_action(random: &mut Rng) -> McrAction {
    let kinds: Vec<Kind> = Kind::all().collect();
    let mut kind = || *random.pick(&kinds).expect("a kind");
    let (one, two, middle) = (kind(), kind(), kind());
    // A chow around an honour cannot even be expressed.
    let middle = if middle.offset(1).is_some() && middle.offset(-1).is_some() {
        middle
    } else {
        kinds[10]
    };
    [
        McrAction::Pass,
        McrAction::Win,
        McrAction::Win,
        McrAction::Discard(one),
        McrAction::ConcealedKong(one),
        McrAction::AddKong(one),
        McrAction::ClaimKong,
        McrAction::ClaimPung { discard: two },
        McrAction::ClaimChow {
            middle,
            discard: two,
        },
    ][random.below(9)]
}

fn wall_name(tile: WallTile) -> String {
    match tile {
        WallTile::Tile(kind) => tile_name(kind).to_owned(),
        WallTile::Flower(flower) => flower_name(flower).to_owned(),
    }
}
