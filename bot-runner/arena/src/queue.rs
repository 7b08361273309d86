//! The queue for ranked games, and the composition of tables.

use tokio::time::Instant;

use crate::bots::BotId;

pub(crate) struct QueuedBot<C> {
    pub(crate) bot: BotId,
    pub(crate) since: Instant,
    pub(crate) client: C,
}

/// The queue, longest waiting first.
pub(crate) struct Queue<C> {
    /// Seats of a table.
    seats: usize,
    waiting: Vec<QueuedBot<C>>,
    /// Bots that play only with each other, in the order that determines their seats.
    table_of: Vec<BotId>,
}

impl<C> Queue<C> {
    /// An empty queue for tables of this size.
    pub(crate) fn new(players: u8, table_of: Vec<BotId>) -> Self {
        Self {
            seats: players.into(),
            waiting: Vec::new(),
            table_of,
        }
    }

    pub(crate) fn push(&mut self, waiting: QueuedBot<C>) {
        self.waiting.push(waiting);
    }

    /// Removes the first matching bot.
    pub(crate) fn remove(&mut self, which: impl Fn(&QueuedBot<C>) -> bool) -> Option<QueuedBot<C>> {
        let place = self.waiting.iter().position(which)?;
        Some(self.waiting.remove(place))
    }

    /// Removes the bots that can start now: all bots of the named table if they are queued, else
    /// the first of the others that fill a table.
    pub(crate) fn take_table(&mut self) -> Option<Vec<QueuedBot<C>>> {
        let named_ready = self
            .table_of
            .iter()
            .all(|bot| self.waiting.iter().any(|waiting| waiting.bot == *bot));
        if named_ready && !self.table_of.is_empty() {
            let named = self.table_of.clone();
            return Some(
                named
                    .into_iter()
                    .filter_map(|bot| self.remove(|waiting| waiting.bot == bot))
                    .collect(),
            );
        }
        (self.others().count() >= self.seats).then(|| self.take_others())
    }

    /// Removes the first bots that do not belong to the named table, at most a table of them.
    pub(crate) fn take_others(&mut self) -> Vec<QueuedBot<C>> {
        let bots: Vec<BotId> = self
            .others()
            .take(self.seats)
            .map(|waiting| waiting.bot)
            .collect();
        bots.into_iter()
            .filter_map(|bot| self.remove(|waiting| waiting.bot == bot))
            .collect()
    }

    /// Since when a bot waits; `None` if it does not.
    pub(crate) fn since(&self, bot: BotId) -> Option<Instant> {
        let mut waiting = self.waiting.iter();
        waiting
            .find(|waiting| waiting.bot == bot)
            .map(|waiting| waiting.since)
    }

    pub(crate) fn has(&self, bot: BotId) -> bool {
        self.since(bot).is_some()
    }

    /// The start of the wait of the first bot that does not belong to the named table.
    pub(crate) fn waiting_since(&self) -> Option<Instant> {
        self.others().next().map(|waiting| waiting.since)
    }

    fn others(&self) -> impl Iterator<Item = &QueuedBot<C>> {
        self.waiting
            .iter()
            .filter(|waiting| !self.table_of.contains(&waiting.bot))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bots::{Register, Tokens};

    fn bots<const N: usize>() -> [BotId; N] {
        let register = Register::new(Tokens::AcceptAny, Vec::new());
        std::array::from_fn(|number| register.find(&number.to_string()).unwrap())
    }

    fn queue(table_of: &[BotId], waiting: &[BotId]) -> Queue<BotId> {
        queue_for(4, table_of, waiting)
    }

    fn queue_for(players: u8, table_of: &[BotId], waiting: &[BotId]) -> Queue<BotId> {
        let mut queue = Queue::new(players, table_of.to_vec());
        for &bot in waiting {
            queue.push(QueuedBot {
                bot,
                since: Instant::now(),
                client: bot,
            });
        }
        queue
    }

    fn clients(table: Vec<QueuedBot<BotId>>) -> Vec<BotId> {
        table.into_iter().map(|waiting| waiting.client).collect()
    }

    #[test]
    fn the_first_four_make_a_table_in_the_order_of_their_coming() {
        let [a, b, c, d, e] = bots();
        assert!(queue(&[], &[a, b, c]).take_table().is_none());
        let mut five = queue(&[], &[e, d, c, b, a]);
        assert_eq!(clients(five.take_table().unwrap()), [e, d, c, b]);
        assert!(five.take_table().is_none());
        assert_eq!(clients(five.take_others()), [a]);
        assert!(five.waiting_since().is_none());
    }

    #[test]
    fn three_make_a_table_for_three() {
        let [a, b, c, d] = bots();
        let mut four = queue_for(3, &[], &[d, c, b, a]);
        assert_eq!(clients(four.take_table().unwrap()), [d, c, b]);
        assert!(four.take_table().is_none());
    }

    #[test]
    fn named_bots_start_when_all_are_there_in_the_order_they_are_named() {
        let [a, b, c] = bots();
        let mut queue = queue(&[b, c, a], &[a, c]);
        assert!(queue.take_table().is_none());
        queue.push(QueuedBot {
            bot: b,
            since: Instant::now(),
            client: b,
        });
        assert_eq!(clients(queue.take_table().unwrap()), [b, c, a]);
    }

    #[test]
    fn others_are_matched_without_the_named_bots() {
        let [a, b, c, d, e, f] = bots();
        let mut queue = queue(&[a, f], &[a, b, c, d, e]);
        assert_eq!(clients(queue.take_table().unwrap()), [b, c, d, e]);
        assert!(
            queue.waiting_since().is_none(),
            "the named bot waits for its own table"
        );
        assert!(queue.take_others().is_empty());
    }

    #[test]
    fn a_bot_that_leaves_is_not_seated() {
        let [a, b, c, d, e] = bots();
        let mut queue = queue(&[], &[a, b, c]);
        assert!(queue.remove(|waiting| waiting.bot == b).is_some());
        assert!(queue.remove(|waiting| waiting.bot == b).is_none());
        for bot in [d, e] {
            queue.push(QueuedBot {
                bot,
                since: Instant::now(),
                client: bot,
            });
        }
        assert_eq!(clients(queue.take_table().unwrap()), [a, c, d, e]);
    }
}
