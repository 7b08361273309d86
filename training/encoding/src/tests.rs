//! Every number of the encoding is held against the view it was made from, in whole games of random
//! actions.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::LazyLock;
use std::time::Duration;

use lab::game::{Entrant, GameId, SeatPlayer, play};
use policy_host::{ChosenPolicy, DirectThread, GameKind, Launch, StartOptions};
use policy_sdk::{
    Answer, CreateError, DecideError, Descriptor, Env, Games, Offer, Params, Policy, Request, View,
};
use riichi::game::RiichiGame;
use riichi::shanten::shanten;
use riichi::tile::KINDS;
use riichi::{Action, Counts, Kind, MeldKind, Seat, Tile, WholeGame, Wind};

use crate::{
    ACTIONS, ActionCode, BASE_PLANES, Choices, EncodingPart, PLANES, PlaneSet, SCALARS, encode,
};

/// Plays at random, and checks the encoding of each view.
struct Checker;

impl Policy for Checker {
    type Game = policy_sdk::RiichiMahjong;

    const DESCRIPTOR: Descriptor = Descriptor {
        id: "checker",
        name: "Checker",
        version: "1",
        summary: "Checks encodings.",
        games: Games::Both,
        params: &[],
    };

    fn create(_: &Params, _: &Env) -> Result<Self, CreateError> {
        Ok(Self)
    }

    fn decide(&mut self, view: &View<'_>, _: &Env, _: &mut Answer) -> Result<usize, DecideError> {
        let (mut planes, mut scalars) =
            ([f32::NAN; PLANES.len() * KINDS], [f32::NAN; SCALARS.len()]);
        encode(view, PlaneSet::All, &mut planes, &mut scalars);
        check(view, &planes, &scalars);
        let table = view.table().expect("the round was seen from its start");
        let mut same = ([f32::NAN; PLANES.len() * KINDS], [f32::NAN; SCALARS.len()]);
        encode(table.view(), PlaneSet::All, &mut same.0, &mut same.1);
        assert_eq!(
            same,
            (planes, scalars),
            "the table of the seat gives the same numbers"
        );
        let mut base = [f32::NAN; BASE_PLANES * KINDS];
        encode(view, PlaneSet::Base, &mut base, &mut scalars);
        assert_eq!(base, planes[..base.len()], "the base planes are the first");
        check_choices(view.legal());
        Ok(view.rng().below(view.legal().len()))
    }
}

fn play_checked(players: u8, games: u64) {
    let played = DirectThread::run("encoding", |thread| {
        let launch = Launch::own(Vec::new());
        let options = StartOptions {
            bot: "encoding".into(),
            game: GameKind::Riichi,
            players,
            config_folder: PathBuf::new(),
            launch,
        };
        let budget = Duration::from_secs(1);
        let entrant = Entrant {
            policy: ChosenPolicy::of::<Checker>(),
            options,
            budget,
            limit: None,
        };
        for wall in 1..=games {
            let id = GameId {
                seed: 7,
                wall,
                seating: 0,
            };
            let bots = (0..players).map(|_| SeatPlayer::Bot(thread, &entrant));
            let played =
                play::<RiichiGame>(RiichiGame::usual_rules(players), id, bots, |_| ()).unwrap();
            assert_eq!(played.first_fault, None);
        }
    });
    played.unwrap();
}

#[test]
fn every_number_matches_its_name_in_games_of_four() {
    play_checked(4, 5);
}

#[test]
fn every_number_matches_its_name_in_games_of_three() {
    play_checked(3, 5);
}

#[test]
fn names_are_unique() {
    for parts in [&PLANES[..], &SCALARS[..]] {
        let names: HashSet<&str> = parts.iter().map(|part| part.name).collect();
        assert_eq!(names.len(), parts.len());
    }
}

/// The places of parts by their names.
type Places = HashMap<&'static str, usize>;

static PLANE_PLACES: LazyLock<Places> = LazyLock::new(|| places(&PLANES));
static SCALAR_PLACES: LazyLock<Places> = LazyLock::new(|| places(&SCALARS));

fn places(parts: &[EncodingPart]) -> Places {
    parts
        .iter()
        .enumerate()
        .map(|(place, part)| (part.name, place))
        .collect()
}

fn named(places: &Places, name: &str) -> usize {
    *places
        .get(name)
        .unwrap_or_else(|| panic!("there is no {name}"))
}

fn flag(holds: bool) -> f32 {
    f32::from(u8::from(holds))
}

fn check(view: &View<'_>, planes: &[f32], scalars: &[f32]) {
    assert!(
        planes
            .iter()
            .chain(scalars)
            .all(|value| (-1.0..=1.0).contains(value)),
        "between -1 and 1"
    );
    for kind in Kind::all() {
        let value = |name: &str| planes[named(&PLANE_PLACES, name) * KINDS + kind.index()];
        check_own(view, kind, value);
        for (place, name) in ["own", "right", "across", "left"].into_iter().enumerate() {
            let shown = |part: &str| value(&format!("{name}-{part}"));
            match seat_at(view, place) {
                Some(seat) => check_seat(view, seat, kind, shown),
                None => {
                    let parts = PLANES.iter().filter(|part| part.name.starts_with("left-"));
                    assert!(
                        parts.map(|part| value(part.name)).all(|value| value == 0.0),
                        "there is no such seat"
                    );
                }
            }
        }
    }
    check_scalars(view, |name| scalars[named(&SCALAR_PLACES, name)]);
}

/// The seat this many places to the right.
fn seat_at(view: &View<'_>, place: usize) -> Option<Seat> {
    let players = usize::from(view.players());
    (place < players).then(|| Seat::new(((view.seat().index() + place) % players) as u8).unwrap())
}

fn red(kind: Kind) -> Option<Tile> {
    Tile::all().find(|tile| tile.is_red() && tile.kind() == kind)
}

fn check_own(view: &View<'_>, kind: Kind, value: impl Fn(&str) -> f32) {
    for copies in 1..=4 {
        assert_eq!(
            value(&format!("hand-{copies}")),
            flag(view.closed()[kind] >= copies)
        );
    }
    assert_eq!(
        value("hand-red"),
        flag(red(kind).is_some_and(|red| view.hand().count(red) > 0))
    );
    assert_eq!(
        value("drawn"),
        flag(view.drawn().is_some_and(|drawn| drawn.kind() == kind))
    );
    let offered = matches!(view.request(), Request::Claim { tile, .. } if tile.kind() == kind);
    assert_eq!(value("offered"), flag(offered));
    let markers = view
        .dora_markers()
        .filter(|marker| marker.kind() == kind)
        .count();
    assert_eq!(value("markers"), markers as f32 / 4.0);
    assert_eq!(value("dora"), f32::from(view.dora_of(kind.tile())) / 4.0);
    assert_eq!(value("unseen"), f32::from(view.unseen()[kind]) / 4.0);
    let unseen_red =
        red(kind).is_some_and(|_| view.unseen_reds()[usize::from(kind.suit().unwrap())] > 0);
    assert_eq!(value("unseen-red"), flag(unseen_red));
    assert_eq!(value("waits"), flag(view.waits().contains(kind)));
    check_acceptance(view, kind, value);
}

/// Counts using only shanten numbers: a tile is accepted if the hand with it is nearer.
fn check_acceptance(view: &View<'_>, kind: Kind, value: impl Fn(&str) -> f32) {
    let own_turn = view.request() == Request::OwnTurn;
    if !own_turn {
        assert_eq!((value("keeps"), value("acceptance")), (0.0, 0.0));
    } else if view.closed()[kind] == 0 {
        assert_eq!(
            (value("keeps"), value("acceptance")),
            (0.0, 0.0),
            "nothing to throw"
        );
    } else {
        let thrown = view.concealed().without(kind).expect("it is there");
        let keeps = shanten(&thrown) == shanten(view.concealed());
        assert_eq!(value("keeps"), flag(keeps));
        let nearer = |other: &Kind| {
            thrown.counts()[*other] < 4
                && thrown
                    .with(*other)
                    .is_some_and(|drawn| shanten(&drawn) < shanten(&thrown))
        };
        let tiles: u32 = Kind::all()
            .filter(nearer)
            .map(|other| u32::from(view.unseen()[other]))
            .sum();
        assert_eq!(
            value("acceptance"),
            if keeps {
                (tiles as f32 / 60.0).min(1.0)
            } else {
                0.0
            }
        );
    }
    assert!(value("accepted") == 0.0 || value("accepted") == value("unseen"));
}

fn check_seat(view: &View<'_>, seat: Seat, kind: Kind, shown: impl Fn(&str) -> f32) {
    let player = view.player(seat);
    let mut tiles = Counts::EMPTY;
    player
        .melds()
        .iter()
        .for_each(|meld| meld.count_into(&mut tiles));
    assert_eq!(shown("melds"), f32::from(tiles[kind]) / 4.0);
    let has = |of: &[MeldKind]| {
        let mut melds = player
            .melds()
            .iter()
            .filter(|meld| of.contains(&meld.kind()));
        flag(melds.any(|meld| meld.tiles().iter().any(|tile| tile.kind() == kind)))
    };
    assert_eq!(shown("chi"), has(&[MeldKind::Chi]));
    assert_eq!(shown("pon"), has(&[MeldKind::Pon]));
    assert_eq!(
        shown("kan"),
        has(&[MeldKind::Daiminkan, MeldKind::Ankan, MeldKind::Kakan])
    );
    let is_red = |tile: &Tile| Some(*tile) == red(kind);
    assert_eq!(
        shown("meld-red"),
        flag(
            player
                .melds()
                .iter()
                .any(|meld| meld.tiles().iter().any(is_red))
        )
    );

    let river: Vec<_> = player.river().collect();
    let of_kind: Vec<_> = river
        .iter()
        .filter(|discard| discard.tile.kind() == kind)
        .collect();
    assert_eq!(shown("river"), of_kind.len() as f32 / 4.0);
    assert_eq!(
        shown("from-hand"),
        flag(of_kind.iter().any(|discard| !discard.tsumogiri))
    );
    let number = |place: Option<usize>| place.map_or(0.0, |place| (place + 1) as f32 / 32.0);
    assert_eq!(
        shown("first"),
        number(river.iter().position(|discard| discard.tile.kind() == kind))
    );
    assert_eq!(
        shown("last"),
        number(
            river
                .iter()
                .rposition(|discard| discard.tile.kind() == kind)
        )
    );
    assert_eq!(
        shown("riichi"),
        flag(of_kind.iter().any(|discard| discard.riichi))
    );
    assert_eq!(
        shown("called"),
        flag(of_kind.iter().any(|discard| discard.called_by.is_some()))
    );
    assert_eq!(
        shown("river-red"),
        flag(of_kind.iter().any(|discard| discard.tile.is_red()))
    );
    assert_eq!(
        shown("safe"),
        flag(seat != view.seat() && player.cannot_ron().all().contains(kind))
    );
    if seat != view.seat() {
        assert!(
            shown("safe") == 0.0 || shown("deals-in") == 0.0,
            "what cannot win does not deal in"
        );
    }
}

fn check_scalars(view: &View<'_>, value: impl Fn(&str) -> f32) {
    for (place, name) in ["own", "right", "across", "left"].into_iter().enumerate() {
        let shown = |part: &str| value(&format!("{name}-{part}"));
        let Some(seat) = seat_at(view, place) else {
            for part in [
                "score",
                "place",
                "dealer",
                "in-riichi",
                "double",
                "ippatsu",
                "open",
                "discards",
                "norths",
            ] {
                assert_eq!(shown(part), 0.0, "there is no such seat");
            }
            continue;
        };
        let player = view.player(seat);
        assert_eq!(
            shown("score"),
            (view.scores()[seat] as f32 / 50_000.0).clamp(-1.0, 1.0)
        );
        assert_eq!(shown("place"), f32::from(view.placements()[seat]) / 4.0);
        assert_eq!(shown("dealer"), flag(seat == view.oya()));
        let riichi = player.riichi();
        assert_eq!(shown("in-riichi"), flag(riichi.is_some()));
        assert_eq!(
            shown("double"),
            flag(riichi.is_some_and(|riichi| riichi.double))
        );
        assert_eq!(
            shown("ippatsu"),
            flag(riichi.is_some_and(|riichi| riichi.ippatsu))
        );
        assert_eq!(shown("open"), flag(player.is_open()));
        assert_eq!(shown("discards"), player.river().count() as f32 / 32.0);
        assert_eq!(shown("norths"), f32::from(player.kita_count()) / 4.0);
    }
    for (wind, name) in Wind::ALL
        .into_iter()
        .zip(["east", "south", "west", "north"])
    {
        assert_eq!(value(&format!("{name}-round")), flag(view.bakaze() == wind));
        assert_eq!(
            value(&format!("{name}-seat")),
            flag(view.seat_wind() == wind)
        );
    }
    assert_eq!(value("kyoku"), f32::from(view.kyoku()) / 4.0);
    assert_eq!(value("tiles-left"), f32::from(view.tiles_left()) / 70.0);
    let rounds = 2 * view.players();
    let rounds = rounds.saturating_sub(view.bakaze() as u8 * view.players() + view.kyoku());
    assert_eq!(value("rounds-left"), f32::from(rounds) / 8.0);
    assert_eq!(value("honba"), (f32::from(view.honba()) / 8.0).min(1.0));
    assert_eq!(value("sticks"), (f32::from(view.kyotaku()) / 8.0).min(1.0));
    assert_eq!(
        (value("first-turn"), value("after-kan")),
        (flag(view.first_turn()), flag(view.after_kan()))
    );
    assert_eq!(value("furiten-river"), flag(view.furiten().river));
    assert_eq!(value("furiten-temporary"), flag(view.furiten().temporary));
    assert_eq!(value("furiten-riichi"), flag(view.furiten().riichi));
    assert_eq!(value("own-turn"), flag(view.request() == Request::OwnTurn));
    let offers = [
        "claim-discard",
        "claim-added",
        "claim-closed-kan",
        "claim-north",
    ];
    for (offered, name) in [Offer::Dahai, Offer::Kakan, Offer::Ankan, Offer::Kita]
        .into_iter()
        .zip(offers)
    {
        assert_eq!(
            value(name),
            flag(matches!(view.request(), Request::Claim { offer, .. } if offer == offered))
        );
    }
    for (place, name) in (1..).zip(["from-right", "from-across", "from-left"]) {
        let from = matches!(view.request(), Request::Claim { from, .. } if Some(from) == seat_at(view, place));
        assert_eq!(value(name), flag(from));
    }
    assert_eq!(value("three-players"), flag(view.players() == 3));
    assert_eq!(
        [value("one-round"), value("east-game"), value("half-game")],
        [0.0, 0.0, 1.0]
    );
    assert_eq!(
        value("shanten"),
        f32::from(shanten(view.concealed()).max(0)) / 8.0
    );
    assert_eq!(value("own-melds"), view.melds().len() as f32 / 4.0);
    assert_eq!(value("red-fives"), f32::from(view.rules().red_fives) / 4.0);
}

fn check_choices(legal: &[Action]) {
    let choices = Choices::of(legal);
    let codes: HashSet<usize> = legal
        .iter()
        .map(|action| ActionCode::of(action).index())
        .collect();
    assert!(codes.iter().all(|&code| code < ACTIONS));
    assert_eq!(
        choices.iter().map(|(code, _)| code).collect::<HashSet<_>>(),
        codes,
        "each legal action has a code"
    );
    let mut mask = [true; ACTIONS];
    choices.write_mask(&mut mask);
    for (code, place) in choices.iter() {
        assert_eq!(ActionCode::of(&legal[place]).index(), code);
    }
    assert!(
        mask.iter()
            .enumerate()
            .all(|(code, legal)| *legal == codes.contains(&code))
    );
    // Actions of one code differ in nothing that a policy decides on.
    for action in legal {
        let chosen = legal[choices
            .legal(ActionCode::of(action).index())
            .expect("it is legal")];
        let same = match (action, chosen) {
            (Action::Dahai { tile, .. }, Action::Dahai { tile: other, .. })
            | (Action::Reach { tile, .. }, Action::Reach { tile: other, .. }) => *tile == other,
            (
                Action::Chi { consumed, .. },
                Action::Chi {
                    consumed: other, ..
                },
            ) => *consumed == other,
            (
                Action::Pon { consumed, .. },
                Action::Pon {
                    consumed: other, ..
                },
            ) => *consumed == other,
            (Action::Ankan { consumed }, Action::Ankan { consumed: other }) => {
                consumed[0].kind() == other[0].kind()
            }
            (action, other) => *action == other,
        };
        assert!(same, "{action:?} and {chosen:?}");
    }
}

#[test]
fn codes_fill_the_list_without_gaps() {
    let tiles = || Tile::all();
    let mut codes: Vec<usize> = tiles()
        .map(|tile| ActionCode::Discard(tile).index())
        .collect();
    codes.extend(tiles().map(|tile| ActionCode::Riichi(tile).index()));
    for red in [false, true] {
        codes.extend((0..3).map(|place| ActionCode::Chi { place, red }.index()));
    }
    codes.extend([false, true].map(|red| ActionCode::Pon { red }.index()));
    codes.push(ActionCode::OpenKan.index());
    codes.extend(Kind::all().map(|kind| ActionCode::ClosedKan(kind).index()));
    codes.extend(Kind::all().map(|kind| ActionCode::AddedKan(kind).index()));
    let rest = [
        ActionCode::Kita,
        ActionCode::Win,
        ActionCode::NineTerminals,
        ActionCode::Pass,
    ];
    codes.extend(rest.map(ActionCode::index));
    assert_eq!(codes, (0..ACTIONS).collect::<Vec<_>>());
}

#[test]
fn the_page_of_networks_names_every_part_in_its_place() {
    let page = include_str!("../../../docs/networks.md");
    for parts in [&PLANES[..], &SCALARS[..]] {
        for (number, EncodingPart { name, meaning }) in parts.iter().enumerate() {
            let row = format!("| {number} | `{name}` | {meaning} |");
            assert!(page.contains(&row), "docs/networks.md lacks {row}");
        }
    }
    let shapes = format!("1, {BASE_PLANES}, {KINDS} or 1, {}, {KINDS}", PLANES.len());
    assert!(page.contains(&shapes) && page.contains(&format!("1, {} |", SCALARS.len())));
    assert!(
        page.contains(&format!("1, {ACTIONS} |"))
            && page.contains(&format!("`encoding` = `{}`", crate::VERSION))
    );
}
