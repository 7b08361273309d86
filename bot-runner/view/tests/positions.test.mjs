// What is drawn is what the library knows.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, test } from 'node:test';

import { closeAll, drawn, open, overlaps, positions } from './browser.mjs';

after(closeAll);

const games = fs.readdirSync(positions).filter((name) => name.endsWith('.html')).sort();
/** Up to this game, overlaps are looked for at every decision. */
const WHOLE = 'game-006';
const LEAST = Number(process.env.PAGE_GAMES ?? 100);

/** Compares a game at each of its decisions; returns their number. */
async function compare(name) {
  const file = path.join(positions, name);
  const expected = JSON.parse(fs.readFileSync(file.replace('.html', '.json'), 'utf8'));
  const { page, faults, close } = await open(file);
  // The last position of a round has the most pieces; all others are looked at in some games, since that takes long.
  const places = expected.map(([round, step], index) => [round, step, expected[index + 1]?.[0] !== round || name < WHOLE]);
  const found = await page.evaluate(({ source, of, places }) => {
    const read = new Function(`return (${source})()`);
    const lying = new Function(`return (${of})()`);
    const slider = document.getElementById('slider');
    const rounds = document.querySelectorAll('#rounds button');
    return places.map(([round, step, isFull]) => {
      if (!rounds[round].hasAttribute('aria-current')) rounds[round].click();
      slider.value = String(step);
      slider.dispatchEvent(new Event('input'));
      return [JSON.stringify(read()), isFull ? lying() : []];
    });
  }, { source: drawn.toString(), of: overlaps.toString(), places });
  expected.forEach(([round, step, table], index) => {
    const [position, lying] = found[index];
    assert.deepEqual(JSON.parse(position), table, `${name}, round ${round + 1}, step ${step}`);
    assert.deepEqual(lying, [], `${name}, round ${round + 1}, step ${step}`);
  });
  assert.deepEqual(faults, [], name);
  await close();
  return expected.length;
}

test(`the drawn position is the table's at every decision of ${LEAST} games, and nothing lies on anything else`, async () => {
  assert.ok(games.length >= LEAST, `${games.length} games are there`);
  const names = games.slice(0, LEAST);
  let compared = 0;
  const work = async () => {
    for (let name = names.shift(); name; name = names.shift()) compared += await compare(name);
  };
  // Two windows are drawn at once.
  await Promise.all([work(), work()]);
  assert.ok(compared > LEAST * 50, `${compared} positions`);
});

const SUITS = { m: 'characters', p: 'dots', s: 'bamboo' };
const HONOURS = ['East', 'South', 'West', 'North', 'white dragon', 'green dragon', 'red dragon'];

/** Tiles in words, written independently. */
function words(tiles) {
  const groups = [];
  for (const [number, suit] of tiles) {
    if (suit === 'z') groups.push(HONOURS[number - 1]);
    else if (groups.at(-1)?.suit === suit) groups.at(-1).numbers.push(number);
    else groups.push({ suit, numbers: [number] });
  }
  return groups.map((group) => (typeof group === 'string' ? group
    : `${group.numbers.map((number) => (number === '0' ? 'red 5' : number)).join(' ')} of ${SUITS[group.suit]}`)).join(', ');
}

test('the position is told in words, as the library knows it, at ten positions of each of two games', async () => {
  for (const name of games.slice(0, 2)) {
    const file = path.join(positions, name);
    const expected = JSON.parse(fs.readFileSync(file.replace('.html', '.json'), 'utf8'));
    const { page, close } = await open(file);
    for (let index = 0; index < 10; index++) {
      const [round, step, table] = expected[Math.floor((index * expected.length) / 10)];
      await page.goto(`${page.url().split('#')[0]}#round=${round + 1}&step=${step}`);
      await page.waitForFunction((at) => document.querySelector('#rounds [aria-current]').dataset.round === at[0]
        && document.getElementById('slider').value === at[1], [String(round), String(step)]);
      const told = await page.locator('#words p').allTextContents();
      const where = `${name}, round ${round + 1}, step ${step}`;
      assert.ok(told[0].startsWith(table.round) && told[0].includes(` ${table.left} tile`), `${where}: ${told[0]}`);
      assert.ok(told[0].endsWith(`Dora indicators: ${words(table.dora)}.`), `${where}: ${told[0]}`);
      table.players.forEach((player, seat) => {
        const text = told[seat + 1];
        assert.ok(text.startsWith(`${player.wind}, seat ${seat}: ${player.score.toLocaleString('en-US')} points`), `${where}: ${text}`);
        const hand = `hand ${words(player.hand)}${player.drawn ? `, drawn ${words([player.drawn])}` : ''}.`;
        assert.ok(text.includes(hand), `${where}: ${text} has no "${hand}"`);
        const river = player.river.length > 0 ? `discards ${words(player.river.map(([tile]) => tile))}.` : 'no discards.';
        assert.ok(text.endsWith(river), `${where}: ${text} does not end in "${river}"`);
        assert.equal(text.includes('in riichi'), player.riichi !== '', where);
        for (const [, tiles] of player.melds.filter(([kind]) => kind !== 'closed kan')) assert.ok(text.includes(words(tiles)), `${where}: ${text}`);
      });
    }
    await close();
  }
});
