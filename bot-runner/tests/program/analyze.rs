//! `analyze`: what there is to know of a hand.

use super::configs::Folder;
use super::program::{Finished, Runner};

fn analyze(args: &[&str]) -> Finished {
    Runner::new(std::iter::once("analyze").chain(args.iter().copied())).run()
}

fn json(args: &[&str]) -> serde_json::Value {
    let finished = analyze(&[args, &["--json"]].concat());
    serde_json::from_str(finished.exited(0)).expect("JSON")
}

#[test]
fn waits_of_a_tenpai_hand_come_with_their_value() {
    // Seed 001's vector: 23456s 456p 55m 777z waits on 1s, 4s, 7s.
    let hand = "23456s456p55m777z";
    let out = analyze(&[hand]).exited(0).to_owned();
    assert!(
        out.contains("tenpai (standard 0") && out.contains("waits for 147s: 11 unseen"),
        "{out}"
    );
    let facts = json(&[hand]);
    let waits: Vec<_> = facts["waits"]
        .as_array()
        .expect("waits")
        .iter()
        .map(|wait| wait["tile"].clone())
        .collect();
    assert_eq!(waits, ["1s", "4s", "7s"]);
    // Chun alone, 40 fu by ron; with riichi a han more.
    let wait = &facts["waits"][0];
    assert_eq!(
        (&wait["ron"]["score"]["points"], &wait["ron"]["score"]["fu"]),
        (&1300.into(), &40.into()),
        "{wait}"
    );
    assert_eq!(wait["riichi_ron"]["score"]["points"], 2600);
}

#[test]
fn each_discard_comes_with_its_acceptance_the_best_first() {
    let out = analyze(&["123m456p789s1122z5z"]).exited(0).to_owned();
    assert!(
        out.starts_with("123m456p789s1122z + 5z\nseat south, round east-1\n"),
        "{out}"
    );
    let rows: Vec<&str> = out
        .lines()
        .skip_while(|line| !line.starts_with("discard"))
        .skip(1)
        .collect();
    assert_eq!(
        rows[0].split_whitespace().take(4).collect::<Vec<_>>(),
        ["5z", "0", "12z", "4"]
    );
    let columns = |row: &str| {
        row.split_whitespace()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let numbers: Vec<(i8, i32)> = rows
        .iter()
        .take_while(|row| !row.is_empty())
        .map(|row| {
            (
                columns(row)[1].parse().expect("a number"),
                columns(row)[3].parse().expect("a number"),
            )
        })
        .collect();
    assert!(
        numbers.is_sorted_by_key(|(shanten, unseen)| (*shanten, -unseen)),
        "{out}"
    );
}

#[test]
fn each_discard_comes_with_its_chances_of_tenpai_and_of_a_win_and_its_points() {
    let hand = "123m406p34s557889s";
    let out = analyze(&[hand]).exited(0).to_owned();
    assert!(out.contains("unseen  tenpai %  win %  points"), "{out}");
    assert!(
        out.contains("are for an undisturbed hand over 16 more draws"),
        "{out}"
    );
    let facts = json(&[hand, "--river", "1z9m"]);
    let future = &facts["discards"][0]["future"];
    assert_eq!(future["draws"], 14, "two discards more have been made");
    let chance = |value: &serde_json::Value| value.as_f64().expect("a number");
    let (tenpai, win) = (chance(&future["tenpai"]), chance(&future["win"]));
    assert!(
        0.0 < win && win < tenpai && tenpai <= 1.0 && chance(&future["points"]) > 0.0,
        "{future}"
    );
    let by_turn = future["by_turn"].as_array().expect("turns");
    assert_eq!(by_turn.len(), 15, "before a draw, and after each");
    assert!(
        by_turn.is_sorted_by(|one, next| chance(&one["win"]) <= chance(&next["win"])),
        "{future}"
    );
    assert_eq!(by_turn[14]["win"], future["win"]);
    assert!(
        json(&["147m258p369s12345z"])["discards"][0]["future"].is_null(),
        "too far from tenpai"
    );
}

#[test]
fn a_discard_that_leaves_tenpai_comes_with_the_value_of_its_waits() {
    let out = analyze(&["123m456p789s1122z5z"]).exited(0).to_owned();
    assert!(out.contains("after 5z:\nwait  unseen  ron"), "{out}");
    let facts = json(&["123m456p789s1122z5z", "--seat", "west"]);
    let discard = &facts["discards"][0];
    assert_eq!(
        discard["waits"][0]["riichi_ron"]["score"]["points"], 2600,
        "{discard}"
    );
    assert_eq!(
        discard["waits"][1]["ron"]["no_win"], "the hand has no yaku",
        "South is not a wind of West's"
    );
}

#[test]
fn who_is_furiten_wins_on_no_discard() {
    let facts = json(&["23456s456p55m777z", "--river", "7s"]);
    let wait = &facts["waits"][0];
    assert_eq!(
        (&wait["ron"]["no_win"], &wait["riichi_ron"]["no_win"]),
        (&"furiten".into(), &"furiten".into())
    );
    assert!(wait["tsumo"]["score"]["points"].is_number(), "{wait}");
    // The discarded tile makes furiten too: 4m of 1234m leaves a wait for 1m and 4m.
    let facts = json(&["1234m456p789s5599s"]);
    let thrown = |tile: &str| {
        let discards = facts["discards"].as_array().expect("discards");
        discards
            .iter()
            .find(|discard| discard["tile"] == tile)
            .expect("it is one")
            .clone()
    };
    assert_eq!(
        (&thrown("1m")["furiten"], &thrown("5s")["furiten"]),
        (&false.into(), &false.into())
    );
    assert_eq!(
        json(&["2344m456p789s5556s"])["discards"][0]["furiten"],
        false
    );
}

#[test]
fn seven_pairs_are_split_into_pairs() {
    let facts = json(&["1122m3344p5566s77z"]);
    let pairs = vec!["11m", "22m", "33p", "44p", "55s", "66s", "77z"];
    assert_eq!(facts["splits"], serde_json::json!([pairs]));
}

#[test]
fn splits_of_a_complete_hand_are_its_readings_and_the_win_is_counted() {
    let facts = json(&["111222333m456p99s", "--seat", "east"]);
    assert_eq!(facts["shanten"]["lowest"], -1);
    let splits = facts["splits"].as_array().expect("splits");
    assert_eq!(
        splits.len(),
        2,
        "three triplets, or three equal runs: {splits:?}"
    );
    let win = &facts["win"]["score"];
    assert!(
        win["yaku"]
            .as_array()
            .expect("yaku")
            .iter()
            .any(|yaku| yaku[0] == "sanankou"),
        "{win}"
    );
    let none = json(&["234m555p6z6z", "--melds", "123s,789m"]);
    assert_eq!(none["win"]["no_win"], "the hand has no yaku");
}

#[test]
fn dora_river_and_winds_count() {
    let hand = "23456s456p55m777z";
    assert_eq!(
        json(&[hand, "--dora", "4m"])["waits"][0]["ron"]["score"]["dora"],
        2
    );
    assert_eq!(json(&[hand, "--river", "7s"])["furiten"], true);
    let out = analyze(&[hand, "--river", "7s"]).exited(0).to_owned();
    assert!(out.contains("10 unseen; furiten"), "{out}");
    let round = json(&["23456s456p55m222z", "--round", "south", "--seat", "north"]);
    assert_eq!(
        round["waits"][0]["ron"]["score"]["yaku"][0][1], 1,
        "{round}"
    );
    let double_east = json(&["23456s456p55m111z", "--seat", "east"]);
    assert_eq!(double_east["waits"][0]["ron"]["score"]["han"], 2);
}

#[test]
fn a_policy_explains_its_choice() {
    let folder = Folder::new();
    let bot = folder.bot("kuma");
    let bot = bot.to_str().expect("a plain path");
    let out = analyze(&["123m456p789s1122z5z", "--policy", bot])
        .exited(0)
        .to_owned();
    assert!(out.contains("kuma: riichi with 5z: tenpai"), "{out}");
    let values: Vec<&str> = out
        .lines()
        .skip_while(|line| !line.starts_with("action"))
        .skip(1)
        .collect();
    assert!(
        values[0].starts_with("riichi with 5z"),
        "the best value first: {out}"
    );
    let advice = &json(&["123m456p789s1122z5z", "--policy", bot])["policy"];
    assert_eq!(
        (&advice["policy"], &advice["action"]),
        (&"kuma".into(), &"riichi with 5z".into()),
        "{advice}"
    );
    assert!(
        advice["values"]
            .as_array()
            .is_some_and(|values| values.len() > 10),
        "{advice}"
    );
    let finished = analyze(&["123m456p789s1122z", "--policy", bot]);
    finished.exited(1);
    assert!(
        finished.err.contains("add the drawn tile"),
        "{}",
        finished.err
    );
}

#[test]
fn the_last_tile_and_one_after_a_kan_add_their_yaku() {
    let yaku = |win: &serde_json::Value| -> Vec<String> {
        let yaku = win["score"]["yaku"]
            .as_array()
            .map_or(&[][..], Vec::as_slice);
        yaku.iter()
            .filter_map(|yaku| Some(yaku[0].as_str()?.to_owned()))
            .collect()
    };
    let has = |win: &serde_json::Value, name: &str| yaku(win).iter().any(|yaku| yaku == name);
    // An open hand without another yaku, which waits for 1s and 4s.
    let hand = ["23s456p55m", "--melds", "789m,123p"];
    let wait = |more: &[&str]| json(&[&hand[..], more].concat())["waits"][0].clone();
    assert!(wait(&[])["ron"]["no_win"].is_string(), "{}", wait(&[]));
    let last = wait(&["--last-tile"]);
    assert!(
        has(&last["ron"], "houtei") && has(&last["tsumo"], "haitei"),
        "{last}"
    );
    let kong = wait(&["--kong"]);
    assert!(has(&kong["ron"], "chankan"), "{kong}");
    assert_eq!(kong["tsumo"]["no_win"], "no kan to draw after");
    let after_kan = json(&["23s456p55m", "--melds", "789m,c1111z", "--kong"])["waits"][0].clone();
    assert!(has(&after_kan["tsumo"], "rinshan"), "{after_kan}");
    // Of a tile that the hand holds no other seat has a pon.
    let pair = json(&["55m66p", "--melds", "789m,123p,123s", "--kong"])["waits"][0].clone();
    assert_eq!(pair["ron"]["no_win"], "no pon to add it to", "{pair}");
    let complete = json(&["123m456p789s11z23s1s", "--last-tile"]);
    assert!(has(&complete["win"], "haitei"), "{complete}");
    assert!(
        complete["discards"][0]["future"].is_null(),
        "no draw is left"
    );
    let rinshan = json(&["456p55m234s", "--melds", "789m,c1111z", "--kong"]);
    assert!(has(&rinshan["win"], "rinshan"), "{rinshan}");
    for (args, words) in [
        (
            &["123m456p789s11z231s", "--kong"][..],
            "without a kan in --melds",
        ),
        (
            &["123m456p789s11z23s", "--kong", "--last-tile"],
            "leave one of them out",
        ),
        (
            &["123m456p789s11z231s", "--last-tile", "--simulate", "10"],
            "--simulate is about a position",
        ),
        (
            &["123m456p789s11z23s", "--fourth-tile"],
            "--fourth-tile is for --game chinese-standard",
        ),
    ] {
        let refused = analyze(args);
        refused.exited(1);
        assert!(refused.err.contains(words), "{args:?}: {}", refused.err);
    }
}

#[test]
fn a_yakuman_is_shown_without_han_and_fu_and_points_have_commas() {
    let out = analyze(&["19m19p19s1234567z1m"]).exited(0).to_owned();
    let win = "tsumo: 32,000 points (16,000 from the dealer, 8,000 from the others): yakuman: kokushi musou";
    assert!(
        out.contains(win) && out.contains("32,000 (yakuman)") && !out.contains("0 fu"),
        "{out}"
    );
    let facts = json(&["19m19p19s1234567z1m"]);
    assert_eq!(
        facts["win"]["score"]["paid"],
        "16000 from the dealer, 8000 from the others"
    );
    assert_eq!(
        (&facts["seat"], &facts["round"]),
        (&"south".into(), &"east-1".into())
    );
}

#[test]
fn the_red_five_has_one_name_in_all_tables() {
    let folder = Folder::new();
    let bot = folder.bot("kuma");
    let out = analyze(&[
        "123m406p789s1122z5z",
        "--policy",
        bot.to_str().expect("a plain path"),
    ])
    .exited(0)
    .to_owned();
    let fives: Vec<&str> = out
        .lines()
        .filter(|line| line.starts_with("0p ") || line.starts_with("discard 0p"))
        .collect();
    assert_eq!(fives.len(), 2, "{out}");
    assert!(!out.lines().any(|line| line.starts_with("5p ")), "{out}");
}

#[test]
fn an_invalid_hand_is_refused_with_its_argument_and_the_allowed_values() {
    for (args, words) in [
        (&["123m"][..], "HAND: found 3 tiles"),
        (&["123x"], "'x' in \"123x\""),
        (&["123m456p789s11223344z"], "HAND: found 17 tiles"),
        (&["1z"], "HAND: found 1 tile; with 0 melds"),
        (&["123m456p11s55555z"], "5 of 5z are given"),
        (&["11111m456p789s112z"], "5 of 1m are given"),
        (
            &["111m456p789s1122z", "--river", "1m", "--dora", "1m"],
            "5 of 1m are given",
        ),
        (
            &["1122z", "--melds", "124m,111p,222p"],
            "\"124m\" is not a meld; write a run as 123m",
        ),
        (&["123m456p789s1122z", "--dora", "8z"], "--dora: 8z"),
        (
            &["123m456p789s1122z", "--river", "12"],
            "--river: the suit is missing",
        ),
    ] {
        let finished = analyze(args);
        finished.exited(1);
        assert!(finished.err.contains(words), "{args:?}: {}", finished.err);
    }
    analyze(&["123m456p789s1122z", "--seat", "up"]).exited(2);
}

#[test]
fn every_fan_of_a_chinese_standard_win_is_listed_with_those_it_excludes() {
    let hand = ["--game", "chinese-standard", "123m456m789m11p55s+5s"];
    let out = analyze(&hand).exited(0).to_owned();
    assert!(
        out.starts_with("123456789m11p55s + 5s\nseat south, round east\n"),
        "{out}"
    );
    assert!(out.contains("5s: 19 fan; self-drawn 21 fan"), "{out}");
    assert!(
        out.contains("joined already: 2 x Short Straight 连六, Two Terminal Chows 老少副"),
        "{out}"
    );
    let facts = json(&hand);
    let joined = &facts["wins"][0]["by_discard"]["joined_already"];
    assert_eq!(
        (&joined[0]["english"], &joined[0]["times"]),
        (&"Short Straight".into(), &2.into())
    );
    let fans = facts["wins"][0]["by_discard"]["fans"]
        .as_array()
        .expect("fans");
    let names: Vec<_> = fans
        .iter()
        .map(|fan| (fan["english"].as_str().expect("a name"), &fan["value"]))
        .collect();
    assert_eq!(
        names,
        [
            ("Pure Straight", &16.into()),
            ("Concealed Hand", &2.into()),
            ("No Honors", &1.into())
        ]
    );
    let claimed = json(&[
        "--game",
        "chinese-standard",
        "123m55s11z+1z",
        "--melds",
        "456m,789m",
    ]);
    assert_eq!(
        &claimed["wins"][0]["by_discard"]["joined_already"], joined,
        "declared chows count"
    );
    let suit = json(&["--game", "chinese-standard", "123m456m789m1115m+5m"]);
    let flush = &suit["wins"][0]["by_discard"]["fans"][0];
    assert_eq!(
        (&flush["english"], &flush["left_out"]),
        (&"Full Flush".into(), &serde_json::json!(["No Honors"]))
    );
}

#[test]
fn a_chinese_standard_hand_shows_the_tiles_missing_to_a_win_and_to_one_of_eight_fan() {
    let facts = json(&["--game", "chinese-standard", "147m258p369s1123z"]);
    assert_eq!(
        (&facts["lacks"], &facts["lacks_to_eight_fan"]),
        (&2.into(), &2.into())
    );
    let facts = json(&[
        "--game",
        "chinese-standard",
        "1122z",
        "--melds",
        "123m,555p,c7777s",
        "--seat",
        "south",
    ]);
    assert_eq!(facts["accepts"]["tiles"], "12z");
    let facts = json(&["--game", "chinese-standard", "12345689m456p55s4z"]);
    assert_eq!(
        (
            &facts["discards"][0]["tile"],
            &facts["discards"][0]["accepts"]["tiles"]
        ),
        (&"N".into(), &"7m".into())
    );
}

#[test]
fn an_invalid_chinese_standard_hand_is_refused_and_so_are_options_of_another_game() {
    for (args, words) in [
        (&["123m"][..], "HAND: 3 concealed tiles"),
        (&["406m"], "no tile of this game is red"),
        (
            &["1122z", "--melds", "124m"],
            "--melds: \"124m\" is not a meld",
        ),
        (&["123m456m789m11p55s+7z"], "C does not complete"),
        (&["123m456m789m11p55s+55s"], "2 tiles after the +"),
        (&["123m456m789m11p555s+5s"], "14 tiles before the +"),
        (
            &["123m456m789m11p55s", "--dora", "1m"],
            "--dora is for --game riichi",
        ),
        (
            &["123m456m789m11p55s+5s", "--fourth-tile"],
            "--fourth-tile: the other three of 5s are visible, and HAND holds 2",
        ),
        (
            &["123m456m789m11p55s+5s", "--kong"],
            "--kong: nothing is drawn in place of a tile without a kong in --melds",
        ),
    ] {
        let finished = analyze(&[&["--game", "chinese-standard"], args].concat());
        finished.exited(1);
        assert!(finished.err.contains(words), "{args:?}: {}", finished.err);
    }
    analyze(&["1m", "--game", "bridge"]).exited(2);
    analyze(&["--game", "chinese-standard", "123m", "--flowers", "9"]).exited(2);
    for (game, options, allowed) in [
        (
            "riichi",
            &[&["--fourth-tile"][..], &["--flowers", "1"]][..],
            "--game chinese-standard",
        ),
        (
            "doudizhu",
            &[
                &["--last-tile"],
                &["--fourth-tile"],
                &["--kong"],
                &["--flowers", "1"],
            ],
            "mahjong",
        ),
    ] {
        for option in options {
            let finished = analyze(&[&["--game", game, "345678"], *option].concat());
            finished.exited(1);
            assert!(
                finished
                    .err
                    .contains(&format!("{} is for {allowed}", option[0])),
                "{}",
                finished.err
            );
        }
    }
}

/// Wins counted by PyMahjongGB, the calculator of Botzone's judge: the typed hand, the winning
/// tile, and the fan.
const COUNTED_WINS: [(&str, &str, u64, &str); 14] = [
    (
        "17m3p258s1234567z+4m --seat west --round west --last-tile",
        "by_discard",
        32,
        "Greater Honors and Knitted Tiles 24; Last Tile Claim 8",
    ),
    (
        "2m147p369s234567z+1z --seat north --round south --last-tile --flowers 3",
        "by_discard",
        35,
        "Greater Honors and Knitted Tiles 24; Last Tile Claim 8; Flower Tiles 1 x 3",
    ),
    (
        "1m369p258s134567z+7m --seat north --round west --kong",
        "by_discard",
        20,
        "Lesser Honors and Knitted Tiles 12; Robbing The Kong 8",
    ),
    (
        "147m36p258s44z+9p --melds 888m --seat east --round south --kong --flowers 3",
        "by_discard",
        23,
        "Knitted Straight 12; Robbing The Kong 8; Flower Tiles 1 x 3",
    ),
    (
        "6m147p258s124567z+9m --seat east --round north --fourth-tile",
        "by_discard",
        16,
        "Lesser Honors and Knitted Tiles 12; Last Tile 4",
    ),
    (
        "555666m1134999p+5p --seat east --round north --last-tile --fourth-tile",
        "by_discard",
        33,
        "Three Concealed Pungs 16; Last Tile Claim 8; Last Tile 4; Concealed Hand 2; Pung of Terminals or Honors 1; One Voided Suit 1; No Honors 1",
    ),
    (
        "34p77z+5p --melds 123p,444s,789m --seat east --round east",
        "self_drawn",
        1,
        "Self-Drawn 1",
    ),
    (
        "36m147p258s12467z+5z --seat north --round east --flowers 1",
        "self_drawn",
        14,
        "Lesser Honors and Knitted Tiles 12; Self-Drawn 1; Flower Tiles 1",
    ),
    (
        "19m19p19s1234567z+5z --seat east --round east --last-tile",
        "self_drawn",
        96,
        "Thirteen Orphans 88; Last Tile Draw 8",
    ),
    (
        "222m77p11567s+7p --melds 888p --seat south --round south --last-tile --flowers 3",
        "self_drawn",
        14,
        "Last Tile Draw 8; Two Concealed Pungs 2; No Honors 1; Flower Tiles 1 x 3",
    ),
    (
        "67m345p234s11z+8m --melds c2222m --seat east --round east --kong",
        "self_drawn",
        14,
        "Out with Replacement Tile 8; Fully Concealed Hand 4; Concealed Kong 2",
    ),
    (
        "14m58p36s1234567z+2p --seat south --round west --fourth-tile",
        "self_drawn",
        29,
        "Greater Honors and Knitted Tiles 24; Last Tile 4; Self-Drawn 1",
    ),
    (
        "369m147p58s66z+2s --melds 1111s --seat south --round west --fourth-tile --kong",
        "self_drawn",
        26,
        "Knitted Straight 12; Out with Replacement Tile 8; Last Tile 4; Pung of Terminals or Honors 1; Melded Kong 1",
    ),
    (
        "34p77z+5p --melds 123p,444s,789m --seat east --round east --flowers 2",
        "by_discard",
        10,
        "Chicken Hand 8; Flower Tiles 1 x 2",
    ),
];

#[test]
fn options_add_the_facts_of_a_chinese_standard_win_beyond_its_tiles() {
    for (typed, by, fan, fans) in COUNTED_WINS {
        let args: Vec<&str> = ["--game", "chinese-standard"]
            .into_iter()
            .chain(typed.split(' '))
            .collect();
        let win = &json(&args)["wins"][0][by];
        let word = |fan: &serde_json::Value| {
            let times = fan["times"]
                .as_u64()
                .filter(|&times| times > 1)
                .map_or_else(String::new, |times| format!(" x {times}"));
            format!(
                "{} {}{times}",
                fan["english"].as_str().expect("a name"),
                fan["value"]
            )
        };
        let counted: Vec<String> = win["fans"]
            .as_array()
            .expect("fans")
            .iter()
            .map(word)
            .collect();
        assert_eq!(
            (win["fan"].as_u64(), counted.join("; ")),
            (Some(fan), fans.to_owned()),
            "{typed}"
        );
    }
    let (typed, ..) = COUNTED_WINS[0];
    let args: Vec<&str> = ["--game", "chinese-standard"]
        .into_iter()
        .chain(typed.split(' '))
        .collect();
    let out = analyze(&args).exited(0).to_owned();
    assert!(
        out.contains("Last Tile Claim") && out.contains("Last Tile Draw"),
        "{out}"
    );
}

/// The README's hand, with this many simulations.
const TENPAI: &[&str] = &[
    "123m406p789s1122z5z",
    "--dora",
    "3p",
    "--scores",
    "31000,22000,25000,22000",
    "--round",
    "south-3",
    "--turn",
    "8",
];

#[test]
fn each_action_is_simulated_and_comes_with_its_chances_and_their_errors() {
    let found = json(&[TENPAI, &["--simulate", "3000"]].concat());
    let actions = found["actions"].as_array().expect("actions");
    assert_eq!(
        actions[0]["action"],
        serde_json::json!({"type": "reach", "actor": 3, "pai": "P", "tsumogiri": true})
    );
    assert!(
        actions
            .iter()
            .all(|action| action["place"].as_f64() >= actions[0]["place"].as_f64()),
        "best first"
    );
    let simulations: u64 = actions
        .iter()
        .map(|action| action["simulations"].as_u64().expect("a number"))
        .sum();
    assert!((3_000..3_100).contains(&simulations), "{simulations}");
    for action in actions {
        let chance = |name: &str| {
            action[name]
                .as_f64()
                .filter(|chance| (0.0..=1.0).contains(chance))
                .expect(name)
        };
        for name in ["win", "tsumo", "deal_in", "draw", "tenpai"] {
            assert!(
                chance(name) <= 1.0 && chance(&format!("{name}_error")) < 0.2,
                "{action}"
            );
        }
        assert!(
            chance("win") >= chance("tsumo") && chance("draw") >= chance("tenpai"),
            "{action}"
        );
        let places: Vec<f64> = action["places"]
            .as_array()
            .expect("places")
            .iter()
            .filter_map(|p| p.as_f64())
            .collect();
        let place: f64 = places
            .iter()
            .zip(1..)
            .map(|(chance, place)| chance * f64::from(place))
            .sum();
        assert!(
            (places.iter().sum::<f64>() - 1.0).abs() < 1e-9 && places.len() == 4,
            "{action}"
        );
        assert!(
            (place - action["place"].as_f64().expect("a place")).abs() < 1e-9,
            "{action}"
        );
        assert!(
            action["points"].is_number() && action["place_error"].as_f64() > Some(0.0),
            "{action}"
        );
    }
    assert_eq!(
        found,
        json(&[TENPAI, &["--simulate", "3000"]].concat()),
        "the same seed gives the same figures"
    );
    let out = analyze(&[TENPAI, &["--simulate", "300"]].concat())
        .exited(0)
        .to_owned();
    assert!(
        out.contains("win %") && out.contains("place") && out.contains('±'),
        "{out}"
    );
    // The figures for dealing in name their seats, in the words of a typed hand; the own seat is
    // South.
    let whose = ["east ", "west ", "north "]
        .iter()
        .any(|wind| out.contains(wind));
    assert!(
        out.contains("of it to") && whose && !out.contains("south "),
        "{out}"
    );
}

#[test]
fn what_others_have_shown_counts_in_a_simulation() {
    // South 3: east is seat 2. It has declared riichi, and 5z passed.
    let others = [
        "--river-of",
        "east=5z9m1s*",
        "--melds-of",
        "west=777z",
        "--honba",
        "1",
    ];
    let found = json(&[TENPAI, &others, &["--simulate", "2000"]].concat());
    let calm = json(&[TENPAI, &["--simulate", "2000"]].concat());
    let deal_in = |found: &serde_json::Value, words: &str| {
        let actions = found["actions"].as_array().expect("actions");
        let is_it = |action: &&serde_json::Value| {
            action["action"]["type"] == "dahai" && action["action"]["pai"] == words
        };
        actions
            .iter()
            .find(is_it)
            .and_then(|action| action["deal_in_to"][2].as_f64())
            .expect("a chance")
    };
    assert!(
        deal_in(&found, "5pr") > deal_in(&calm, "5pr"),
        "a riichi is a danger"
    );
    assert!(
        deal_in(&found, "P") < deal_in(&found, "5pr"),
        "what passed is safer"
    );
}

#[test]
fn three_players_are_simulated_as_well() {
    let found = json(&[
        "123p406p789s1122z5z",
        "--players",
        "3",
        "--seat",
        "east",
        "--turn",
        "5",
        "--simulate",
        "500",
    ]);
    let places = |action: &serde_json::Value| action["places"].as_array().expect("places").len();
    assert!(
        found["actions"]
            .as_array()
            .is_some_and(|actions| actions.iter().all(|action| places(action) == 3))
    );
}

#[test]
fn a_decision_of_a_record_is_simulated_by_its_number() {
    let record = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../games/riichi/tests/records/"
    );
    let mut files: Vec<_> = std::fs::read_dir(record)
        .expect("records")
        .map(|entry| entry.expect("one").path())
        .collect();
    files.sort();
    let file = files
        .iter()
        .find(|file| file.extension().is_some_and(|end| end == "gz"))
        .expect("a record");
    let file = file.to_str().expect("a plain path");
    let found = json(&[file, "--at", "1.2", "--seat", "2", "--simulate", "500"]);
    let actions = found["actions"].as_array().expect("actions");
    let places: Vec<f64> = actions
        .iter()
        .map(|action| action["place"].as_f64().expect("a place"))
        .collect();
    assert!(
        places.len() > 1 && places.is_sorted(),
        "best first: {places:?}"
    );
    // Without a simulation the hand of the moment is analyzed.
    let hand = json(&[file, "--at", "1.2", "--seat", "2"]);
    assert!(
        hand["actions"].is_null() && hand["shanten"]["lowest"].is_number(),
        "{hand}"
    );
    assert_eq!(
        (&hand["hand"], &hand["discards"]),
        (&found["hand"], &found["discards"])
    );
    let out = analyze(&[file, "--at", "1.2", "--seat", "2"])
        .exited(0)
        .to_owned();
    assert!(
        out.starts_with("East 1-0, seat 2 (") && out.contains("accepts"),
        "{out}"
    );
    for (args, words) in [
        (&["--at", "1.99", "--seat", "2"][..], "in round 1 of"),
        (&["--at", "99.1", "--seat", "2"], "rounds"),
        (&["--at", "1.1"], "--seat 0 to 3"),
        (
            &[],
            "is a file; for a decision of a record, add --at ROUND.DECISION and --seat",
        ),
        (&["--at", "1.1", "--seat", "east"], "the number of a seat"),
    ] {
        let finished = analyze(&[&[file][..], args, &["--simulate", "100"]].concat());
        finished.exited(1);
        assert!(finished.err.contains(words), "{args:?}: {}", finished.err);
    }
}

#[test]
fn a_decision_of_a_record_refuses_the_options_of_a_typed_hand() {
    for option in [
        "--dora=3p",
        "--melds=123m",
        "--river=1m",
        "--round=south-3",
        "--players=3",
        "--scores=25000,25000,25000,25000",
        "--turn=8",
        "--honba=1",
        "--river-of=west=1m",
        "--melds-of=west=555z",
    ] {
        let finished = analyze(&["game.jsonl", "--at", "1.2", "--simulate", "9", option]);
        finished.exited(2);
        assert!(
            finished.err.contains("cannot be used with"),
            "{option}: {}",
            finished.err
        );
    }
}

#[test]
fn an_impossible_simulation_is_refused_with_its_argument_and_the_allowed_values() {
    for (args, words) in [
        (
            &["123m456p789s1122z", "--simulate", "100"][..],
            "give 14 tiles",
        ),
        (
            &[
                "123m406p789s1122z5z",
                "--scores",
                "25000,25000",
                "--simulate",
                "100",
            ],
            "--scores: expected 4 scores",
        ),
        (
            &[
                "123m406p789s1122z5z",
                "--river-of",
                "south=1m",
                "--simulate",
                "100",
            ],
            "south is not the wind of another seat",
        ),
        (
            &[
                "123m406p789s1122z5z",
                "--river-of",
                "west=1m*2m*",
                "--simulate",
                "100",
            ],
            "2 tiles of a river have a *",
        ),
        (
            &[
                "123m406p789s1122z5z",
                "--river-of",
                "west=123m",
                "--turn",
                "2",
                "--simulate",
                "100",
            ],
            "--turn: at turn 2",
        ),
        (
            &["123m406p789s1122z5z", "--turn", "24", "--simulate", "100"],
            "is too late",
        ),
        (
            &["123m406p789s1122z5z", "--players", "3", "--simulate", "100"],
            "without 2m to 8m",
        ),
        (
            &[
                "123m406p789s1122z5z",
                "--river-of",
                "west=1111m",
                "--simulate",
                "100",
            ],
            "5 of 1m are given",
        ),
        (
            &["123m406p789s1122z5z", "--seat", "1"],
            "for a hand, give the own wind",
        ),
        (
            &["1122z", "--at", "1.1", "--simulate", "100"],
            "is the file of a record",
        ),
    ] {
        let finished = analyze(args);
        finished.exited(1);
        assert!(finished.err.contains(words), "{args:?}: {}", finished.err);
    }
    for args in [
        &["1z", "--simulate", "none"][..],
        &["1z", "--at", "0.1", "--simulate", "9"],
        &["1z", "--round", "south-5"],
        &["1z", "--river-of", "west", "--simulate", "9"],
    ] {
        analyze(args).exited(2);
    }
}

#[test]
fn of_a_hand_of_cards_it_says_the_best_splits_with_their_turns_and_weights() {
    // The example of seed 003.
    let hand = "QQQ222456789TJAAx64";
    let out = analyze(&["--game", "doudizhu", hand]).exited(0).to_owned();
    let mut lines = out.lines();
    assert_eq!(lines.next(), Some("44566789TJQQQAA222x: 19 cards"), "{out}");
    let first: Vec<&str> = lines
        .nth(2)
        .unwrap_or_default()
        .split_whitespace()
        .collect();
    assert_eq!(
        first,
        ["5", "18", "456789TJ", "4QQQ", "6222", "AA", "x"],
        "{out}"
    );
    let facts = json(&["--game", "doudizhu", hand]);
    let best = &facts["splits"][0];
    assert_eq!(
        (&best["turns"], &best["weight"]),
        (&5.into(), &18.into()),
        "{facts}"
    );
    assert_eq!(best["plays"][0]["kind"], "straight", "{facts}");
}

#[test]
fn an_invalid_hand_of_cards_is_refused_and_so_are_options_of_another_game() {
    for (args, words) in [
        (
            &["334h"][..],
            "HAND: 'h' in \"334h\" (character 4) is not a card; allowed are 3 to 9",
        ),
        (&["33333"], "HAND: \"33333\" has too many 3 (character 5)"),
        (&[""], "HAND: 0 cards; a hand of Dou Dizhu has 1 to 20"),
        (&["3333444455556666777788"], "HAND: 22 cards"),
        (&["33", "--seat", "south"], "--seat is for --game riichi"),
        (
            &["33", "--policy", "bot.toml"],
            "--policy is for --game riichi",
        ),
        (
            &["33", "--at", "1.1"],
            "--at is for records of riichi; of doudizhu `bot-runner view",
        ),
    ] {
        let finished = analyze(&[&["--game", "doudizhu"], args].concat());
        finished.exited(1);
        assert!(finished.err.contains(words), "{args:?}: {}", finished.err);
    }
    analyze(&["33", "--game", "bridge"]).exited(2);
}
