//! The choice of the discard, and of riichi.

use policy_sdk::mahjong::acceptance::{DiscardOption, discard_options};
use policy_sdk::mahjong::{Action, Kind, Tile};
use policy_sdk::{Answer, View};

/// The discard or riichi with the highest value, by its index. All values are left in `answer`.
pub(crate) fn choose(view: &View<'_>, fold_from: i64, answer: &mut Answer) -> Option<usize> {
    let options = discard_options(view.concealed());
    let steps = options.iter().map(|option| option.shanten).min()?;
    let riichi = view
        .opponents()
        .filter(|player| player.riichi().is_some())
        .count();
    let folds = riichi > 0 && i64::from(steps) >= fold_from;

    let mut best = None;
    for (index, action) in view.legal().iter().enumerate() {
        let value = match *action {
            Action::Dahai { tile, .. } if folds => safety(view, tile.kind()),
            Action::Dahai { tile, .. } => progress(view, &options, tile),
            // Riichi rather than the same discard without it.
            Action::Reach { tile, .. } if !folds => progress(view, &options, tile) + 0.5,
            _ => continue,
        };
        answer.value(index, value);
        if best.is_none_or(|(_, highest)| value > highest) {
            best = Some((index, value));
        }
    }
    if folds {
        answer.reason(format_args!(
            "gives up: {steps} from tenpai, riichi of {riichi}"
        ));
    } else {
        answer.reason(format_args!("goes on: {steps} from tenpai"));
    }
    best.map(|(index, _)| index)
}

/// How near the hand is without the tile: the tiles that help it, less 1,000 for each step that is
/// left. A dora is worth a few of them.
fn progress(view: &View<'_>, options: &[DiscardOption], tile: Tile) -> f32 {
    let Some(option) = options.iter().find(|option| option.kind == tile.kind()) else {
        return f32::NEG_INFINITY;
    };
    let helping = view.unseen().total_of(option.acceptance);
    helping as f32 - 1_000.0 * f32::from(option.shanten) - 4.0 * f32::from(view.dora_of(tile))
}

/// How safe a kind is: 10 for each riichi that cannot win on it, and 1 for each copy that is seen.
fn safety(view: &View<'_>, kind: Kind) -> f32 {
    let riichi = view.opponents().filter(|player| player.riichi().is_some());
    let safe = riichi
        .filter(|player| player.cannot_ron().all().contains(kind))
        .count();
    10.0 * safe as f32 + f32::from(view.seen()[kind])
}
