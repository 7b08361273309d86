//! Properties that hold for any events at a table.

use protocol::{Parsed, parse_recorded};
use riichi::referee::judge;
use riichi::{Rules, Seat, Table};

use super::consistency::{apply_or_refuse, assert_consistent};

/// Events as lines of JSON; the first byte chooses the seat that watches, and the number of
/// players. Each event is applied, or refused without any change, and the table stays consistent.
/// The referee judges any record.
pub(crate) fn table_events(bytes: &[u8]) {
    let Some((first, lines)) = bytes.split_first() else {
        return;
    };
    let rules = Rules::TENHOU_HALF.with_players(if first & 4 == 0 { 4 } else { 3 });
    let Some(seat) = Seat::new(first % rules.players) else {
        return;
    };
    let mut table = Table::new(rules, seat);
    let (mut events, mut told) = (Vec::new(), Vec::new());
    for line in lines.split(|&byte| byte == b'\n') {
        let Ok(line) = std::str::from_utf8(line) else {
            continue;
        };
        let Ok(recorded) = parse_recorded(line) else {
            continue;
        };
        let Parsed::Event(event) = recorded.parsed else {
            continue;
        };
        told.push((events.len(), recorded.told));
        events.push(event);
        for event in [event.masked_for(seat), event] {
            let _ = apply_or_refuse(&mut table, &event);
            assert_consistent(&table);
        }
    }
    let _ = judge(&events, &told);
}
