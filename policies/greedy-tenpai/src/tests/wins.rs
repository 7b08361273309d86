use super::*;

#[test]
fn it_wins_on_its_own_draw_whatever_else_is_listed() {
    let hora = Action::Hora { target: seat(0), tile: tile("2z") };
    let situation = Situation::drew("123m 456p 789s 1112z", "2z").also(hora);
    assert_eq!(chooses(&[], situation), hora);
}

#[test]
fn it_wins_on_a_discard_rather_than_passing_or_calling() {
    let hora = Action::Hora { target: seat(3), tile: tile("1z") };
    let pon = Action::Pon { target: seat(3), tile: tile("1z"), consumed: [tile("1z"); 2] };
    let situation = Situation::offered("123m 456p 789s 1122z", "1z", 3).also(pon).also(hora);
    assert_eq!(chooses(&[CALLS], situation), hora);
}

#[test]
fn it_declares_the_draw_by_nine_terminals() {
    let situation = Situation::drew("19m 19p 19s 1234z 234m", "5m").also(Action::Ryukyoku);
    assert_eq!(chooses(&[], situation), Action::Ryukyoku);
}

#[test]
fn with_kyushu_false_it_plays_on_with_nine_terminals() {
    let situation = Situation::drew("19m 19p 19s 1234z 234m", "5m").also(Action::Ryukyoku);
    assert!(matches!(chooses(&[NO_KYUSHU], situation), Action::Dahai { .. }));
}
