// The pages of processes at work in a real browser.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, test } from 'node:test';

import { closeAll, config, cutAway, folder, open, shots, start, violations } from './browser.mjs';

after(closeAll);

const BOTS = ['kuma', 'tora', 'shika', 'usagi'];

/** Four bots at their own arena with this delay after answers; returns the address of their page. */
async function four(pace) {
  const arena = await start(/listening on (\S+)/, 'arena', '--length', 'east', '--seed', '5', '--pace-ms', String(pace));
  const bots = path.join(folder, 'bots');
  fs.mkdirSync(bots);
  BOTS.forEach((bot, index) => {
    fs.writeFileSync(path.join(bots, `${bot}.token`), `token-of-${bot}\n`, { mode: 0o600 });
    const section = `[arena]\nkind = "riichilab"\nurl = "${arena.found[1]}"\ntoken_file = "${bot}.token"\n`;
    fs.renameSync(config(index, section), path.join(bots, `${bot}.toml`));
  });
  const runner = await start(/page: (\S+)/, 'run', bots, '--page');
  return { url: runner.found[1], stop: async () => { runner.stop(); runner.stop(); await runner.ended; await arena.stop(); } };
}

const runs = await four(60);
const text = (page, id) => page.locator(`#${id}`).textContent();
/** The number of a column of the bots' table, from 1. */
const column = (page, title) => page.locator('#bots thead th').evaluateAll((heads, text) => 1 + heads.findIndex((head) => head.textContent === text), title);
/** Waits for a decision to be shown. */
const decided = (page) => page.locator('#why-parts table.actions').waitFor();

test('the page of four bots moves with their games without a message or a request to anywhere else', async () => {
  const { page, faults, close } = await open(runs.url, { own: true });
  await decided(page);
  assert.equal(await text(page, 'connection'), 'Live.');
  assert.deepEqual(await page.locator('#bots tbody th').allTextContents(), [...BOTS].sort());
  const before = await text(page, 'event');
  await page.waitForFunction((old) => document.getElementById('event').textContent !== old, before);
  const cell = `#bots tbody tr:first-child td:nth-child(${await column(page, 'decisions')})`;
  const made = Number(await page.locator(cell).textContent());
  await page.waitForFunction(([place, old]) => Number(document.querySelector(place).textContent) > old, [cell, made]);
  assert.match(await text(page, 'totals'), /^4 bots \(4 playing\); games finished 0/);
  assert.ok(await page.locator('#log li').count() > 0);
  assert.deepEqual(faults, []);
  await close();
});

test('the chosen bot is shown from its own seat with what it decided, and other hands are backs', async () => {
  const { page, faults, close } = await open(`${runs.url}#bot=shika`, { own: true });
  await decided(page);
  assert.equal(await text(page, 'seat-title'), 'shika');
  const hands = await page.evaluate(() => [...document.querySelectorAll('#board .hand')].map((hand) => ({
    own: hand.parentElement.classList.contains('own'), tiles: [...hand.querySelectorAll('use')].map((tile) => tile.dataset.tile),
  })));
  assert.equal(hands.length, 4);
  for (const { own, tiles } of hands) assert.ok(tiles.every((tile) => (tile === '?') !== own), JSON.stringify(hands));
  assert.ok(await page.locator('#why-parts .badge.chosen').count() > 0);
  await page.getByRole('button', { name: 'usagi', exact: true }).click();
  await page.waitForFunction(() => document.getElementById('seat-title').textContent === 'usagi');
  await decided(page);
  assert.equal(await page.evaluate(() => location.hash), '#bot=usagi');
  assert.deepEqual(faults, []);
  await close();
});

test('nothing beside the tiles has an outline of the tiles', async () => {
  const { page, close } = await open(runs.url, { own: true });
  await decided(page);
  const outlined = await page.evaluate(() => [...document.querySelectorAll('.seat, .seat *, .side *')]
    .filter((element) => !(element instanceof SVGElement) && getComputedStyle(element).stroke !== 'none')
    .map((element) => `${element.localName}.${element.className}`));
  assert.deepEqual(outlined, []);
  const small = await page.evaluate(() => [...document.querySelectorAll('#why-parts svg')].map((tile) => getComputedStyle(tile).stroke));
  assert.ok(small.length > 0 && small.every((stroke) => stroke === 'none'), String(small));
  await close();
});

test('a page that stays open does not grow', async () => {
  const { page, faults, close } = await open(runs.url, { own: true });
  await decided(page);
  // A long log, and rounds one after the other, faster than any runner sends them.
  const sizes = await page.evaluate(async () => {
    const count = () => document.getElementsByTagName('*').length;
    const lines = (from) => Array.from({ length: 100 }, (_, index) => ({ number: from + index, time: '2026-11-22T10:00:00Z', level: 'INFO', text: 'x' }));
    const sent = [];
    const Real = EventSource;
    globalThis.EventSource = class extends Real {
      constructor(address) { super(address); sent.push(this); }
    };
    document.querySelectorAll('#bots tbody button')[1].click();
    const [source] = sent;
    await new Promise((resolve) => { source.addEventListener('round', resolve, { once: true }); });
    const send = (name, data) => source.dispatchEvent(new MessageEvent(name, { data: JSON.stringify(data) }));
    const bots = await (await fetch('/api/status')).json();
    const round = await (await fetch('/api/round?bot=tora')).json();
    const found = [];
    for (let times = 0; times < 400; times++) {
      send('log', lines(times * 100));
      send('bots', bots[0].bots.map((bot) => ({ ...bot, decisions: times })));
      send('round', round);
      if (times === 100 || times === 399) found.push(count());
    }
    return found;
  });
  // What happens in the game meanwhile is small.
  assert.ok(sizes[1] < sizes[0] + 200, JSON.stringify(sizes));
  assert.deepEqual(faults, []);
  await close();
});

test('names, reasons and lines of the log that are markup are shown as texts', async () => {
  const { page, faults, close } = await open(runs.url, { own: true });
  await decided(page);
  const nasty = '<img src=x onerror=alert(1)><script>alert(2)</script>';
  await page.evaluate(async (text) => {
    const sent = [];
    const Real = EventSource;
    globalThis.EventSource = class extends Real {
      constructor(address) { super(address); sent.push(this); }
    };
    document.querySelectorAll('#bots tbody button')[1].click();
    const send = (name, data) => sent[0].dispatchEvent(new MessageEvent(name, { data: JSON.stringify(data) }));
    const bots = await (await fetch('/api/status')).json();
    const round = await (await fetch('/api/round?bot=tora')).json();
    sent[0].close();
    round.names = round.names.map(() => text);
    round.rounds[0].steps[0][0] = text;
    round.policies = [[text, 'score']];
    for (const decision of round.decisions) decision.own.reason = text;
    send('bots', bots[0].bots.map((bot) => ({ ...bot, state: 'waiting', why: text, arena: text, policy: { id: text, version: '1' } })));
    send('round', round);
    send('log', [{ number: 1, time: text, level: 'WARN', text }]);
  }, nasty);
  assert.equal(await page.locator('img, main script').count(), 0);
  assert.ok((await text(page, 'seat-facts')).includes(nasty));
  assert.ok((await text(page, 'log')).includes(nasty));
  assert.deepEqual(faults, []);
  await close();
});

/** A page that gets the bots of these tests and nothing else about bots; `send` sends some. */
async function staged(viewport, bots) {
  const opened = await open(runs.url, { own: true, viewport });
  const { page } = opened;
  await decided(page);
  await page.evaluate(() => {
    const Real = EventSource;
    globalThis.EventSource = class extends Real {
      constructor(address) { super(address); globalThis.source = this; }
      addEventListener(name, listener) { super.addEventListener(name, name === 'bots' ? (event) => { if (!event.isTrusted) listener(event); } : listener); }
    };
    document.querySelectorAll('#bots tbody button')[1].click();
  });
  const send = (bots) => page.evaluate(async (bots) => {
    const [{ bots: [like] }] = await (await fetch('/api/status')).json();
    const all = bots.map((bot) => ({ ...like, faults: 0, desyncs: 0, refused_change: null, finished: 0, game: 1, state: 'playing', why: undefined, ...bot }));
    globalThis.source.dispatchEvent(new MessageEvent('bots', { data: JSON.stringify(all) }));
  }, bots);
  await send(bots);
  return { ...opened, send };
}

const LONG = `library "libkuma.so" (sha256 1b2c3d4e): ${'the policy answered with an action that is not legal; '.repeat(6)}`;
const TROUBLED = [
  { bot: 'greedy-tenpai' }, { bot: 'greedy-tenpai-2', state: 'queued' }, { bot: 'new', state: 'starting', game: 0 }, { bot: 'done', state: 'stopped', why: 'it has played its games' },
  { bot: 'refused', refused_change: LONG }, { bot: 'faulty', faults: 3 }, { bot: 'aside', state: 'set_aside' }, { bot: 'b4.toml', state: 'does_not_play', why: LONG, game: 0 },
  { bot: 'the-beginning-of-a-long-name-that-bots-share-1' }, { bot: 'the-beginning-of-a-long-name-that-bots-share-2' }, { bot: '\u718a\u732b\u6253\u9ebb\u5c06\u6a5f\u5668\u4eba\u718a\u732b\u6253\u9ebb\u5c06-2' },
];
const names = (page) => page.locator('#bots tbody th').allTextContents();

test('bots in trouble are first, then those that play; the breaks between games move no row, and a row that moves keeps the focus', async () => {
  const { page, faults, send, close } = await staged({ width: 1280, height: 900 }, TROUBLED);
  const playing = ['greedy-tenpai', 'greedy-tenpai-2', ...TROUBLED.slice(-3).map(({ bot }) => bot)];
  const order = ['aside', 'b4.toml', 'refused', 'faulty', ...playing, 'new', 'done'];
  assert.deepEqual(await names(page), order);
  assert.match(await text(page, 'totals'), /1 set aside.*1 does not play/);
  // One begins a game, and another ends one.
  const next = TROUBLED.map((bot) => (bot.bot === 'greedy-tenpai-2' ? { ...bot, state: 'playing' } : bot.bot === 'greedy-tenpai' ? { ...bot, state: 'queued', finished: 1 } : bot));
  await send(next);
  assert.deepEqual(await names(page), order);
  await page.getByRole('button', { name: 'greedy-tenpai-2', exact: true }).focus();
  await send(next.map((bot) => (bot.bot === 'greedy-tenpai-2' ? { ...bot, desyncs: 1 } : bot)));
  assert.deepEqual((await names(page)).slice(0, 5), ['aside', 'b4.toml', 'greedy-tenpai-2', 'refused', 'faulty']);
  assert.equal(await page.evaluate(() => document.activeElement.textContent), 'greedy-tenpai-2');
  assert.deepEqual(faults, []);
  await close();
});

/** The room that a name takes, in letters: a Chinese or Japanese one takes that of two. */
const letters = (name) => [...name].reduce((sum, letter) => sum + (letter >= '\u2e80' ? 2 : 1), 0);

test('names are whole or cut in the middle, and a long reason takes two lines and is whole beside the chosen bot', async () => {
  for (const [width, height] of [[390, 844], [1280, 900], [1920, 1080]]) {
    const { page, close } = await staged({ width, height }, TROUBLED);
    const rows = await page.locator('#bots tbody tr').evaluateAll((rows) => rows.map((row) => {
      const [name, end, cell] = ['th button', '.name-in-room > :last-child', 'th'].map((part) => row.querySelector(part).getBoundingClientRect());
      const state = row.querySelector('.state div');
      return {
        name: row.querySelector('th').textContent, cut: row.querySelector('.name-start').scrollWidth > row.querySelector('.name-start').clientWidth,
        height: name.height, end: end.width > 0 && end.right <= cell.right + 1, lines: state.getBoundingClientRect().height / Number.parseFloat(getComputedStyle(state).lineHeight), title: state.title,
      };
    }));
    for (const { name, height: high, end, lines, cut } of rows) {
      assert.ok(high < 30, `${width}: ${name} has a height of ${high}`);
      assert.ok(end, `${width}: the end of ${name} is hidden`);
      assert.equal(cut, letters(name) > (width < 400 ? 15 : 40), `${width}: ${name}`);
      assert.ok(lines < 2.2, `${width}: ${name} has ${lines} lines`);
    }
    assert.ok(rows.some(({ title }) => title.includes(LONG)));
    // All bots and the columns that tell of trouble are seen.
    const head = `#bots thead th:nth-child(${await column(page, 'faults')})`;
    const [first, last, faults, around] = await page.evaluate((parts) => parts.map((part) => document.querySelector(part).getBoundingClientRect().toJSON()),
      ['#bots tbody tr:nth-child(1)', '#bots tbody tr:nth-child(6)', head, '#bots']);
    assert.ok(last.bottom - first.top < 6 * 60, `${width}: six bots are ${last.bottom - first.top} high`);
    assert.ok(faults.width > 0 && faults.right <= around.right + 1, `${width}: faults end at ${faults.right} of ${around.right}`);
    await page.getByRole('button', { name: 'b4.toml', exact: true }).click();
    await page.waitForFunction(() => document.getElementById('seat-title').textContent === 'b4.toml');
    await page.evaluate(() => { globalThis.source.close(); });
    assert.ok((await text(page, 'seat-facts')).includes(`does not play: ${LONG}`));
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= width);
    await close();
  }
});

test('hands that are hidden cannot be opened, and the columns are explained', async () => {
  const { page, close } = await open(runs.url, { own: true });
  await decided(page);
  assert.equal(await page.locator('#open').isVisible(), false);
  await page.keyboard.press('o');
  assert.equal(await page.locator('#board .row.own .hand use[data-tile="?"]').count(), 0);
  await page.locator('#columns summary').click();
  const explained = await page.locator('#columns dt').allTextContents();
  const heads = await page.locator('#bots thead th').allTextContents();
  assert.deepEqual(explained, heads.slice(1));
  for (const title of await page.locator('#bots thead th[title]').evaluateAll((heads) => heads.map(({ title }) => title))) assert.ok(title.length > 10, title);
  await close();
});

test('keys choose bots, find them, and pause the page', async () => {
  const { page, faults, close } = await open(runs.url, { own: true });
  await decided(page);
  assert.equal(await text(page, 'seat-title'), 'kuma');
  await page.keyboard.press('j');
  assert.equal(await text(page, 'seat-title'), 'shika');
  await page.keyboard.press('j');
  await page.keyboard.press('k');
  assert.equal(await text(page, 'seat-title'), 'shika');
  await page.keyboard.press('/');
  await page.keyboard.type('OR');
  assert.deepEqual(await page.locator('#bots tbody tr:visible th').allTextContents(), ['tora']);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  assert.equal(await text(page, 'seat-title'), 'tora');
  await decided(page);
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press(' ');
  assert.equal(await text(page, 'connection'), 'Paused.');
  const held = await text(page, 'event');
  await page.waitForTimeout(1500);
  assert.equal(await text(page, 'event'), held);
  await page.keyboard.press(' ');
  await page.waitForFunction((old) => document.getElementById('event').textContent !== old, held);
  assert.equal(await text(page, 'connection'), 'Live.');
  assert.deepEqual(faults, []);
  await close();
});

test('everything that can be used is reached by the tab key', async () => {
  const { page, close } = await open(runs.url, { own: true });
  await decided(page);
  const wanted = ['theme', 'corners', 'pause', 'filter', 'bots', 'log'];
  const reached = new Set();
  for (let times = 0; times < 30; times++) {
    await page.keyboard.press('Tab');
    reached.add(await page.evaluate(() => document.activeElement.id || document.activeElement.textContent));
  }
  assert.deepEqual([...wanted, ...BOTS].filter((id) => !reached.has(id)), []);
  await close();
});

test('the pages fit from 360 pixels on and have nothing that axe finds, light and dark', async () => {
  const configs = [0, 1].map((index) => config(index));
  const tournament = await start(/page: (\S+)/, 'tournament', ...configs, '--games', '100000', '--length', 'east', '--jobs', '1', '--page');
  for (const [name, url, ready] of [['bots', runs.url, '#why-parts table.actions'], ['tournament', tournament.found[1], '#intervals svg']]) {
    for (const colorScheme of ['light', 'dark']) {
      for (const [width, height] of [[360, 740], [390, 844], [768, 1024], [1280, 900], [1920, 1080]]) {
        const { page, faults, close } = await open(url, { own: true, colorScheme, viewport: { width, height } });
        await page.locator(ready).first().waitFor();
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(wide <= width, `${name}: ${wide} of ${width}`);
        assert.deepEqual(await cutAway(page), [], `${name} ${width}`);
        await page.screenshot({ path: path.join(shots, `${name}-${colorScheme}-${width}.png`), fullPage: true });
        assert.deepEqual(faults, []);
        await page.locator('#pause').click();
        for (const details of await page.locator('summary').all()) await details.click();
        // By the page's policy nothing may be put into it: the tool is brought by the browser itself.
        assert.deepEqual(await violations(page), [], `${name} ${colorScheme} ${width}`);
        await close();
      }
    }
  }
  await tournament.stop();
});

test('a tournament of four is ordered by result in its table, its chart and its legend, in colours that do not mix', async () => {
  const configs = [0, 1, 2, 3].map((index) => config(index));
  const tournament = await start(/page: (\S+)/, 'tournament', ...configs, '--games', '100000', '--length', 'east', '--jobs', '1', '--seed', '1', '--page');
  for (const width of [390, 1280]) {
    const { page, faults, close } = await open(tournament.found[1], { own: true, viewport: { width, height: 900 } });
    await page.locator('#intervals svg').first().waitFor();
    await page.waitForFunction(() => Number(document.querySelector('#standing tbody td:last-child').textContent) > 12);
    await page.locator('#pause').click();
    const rows = await page.locator('#standing tbody tr').evaluateAll((rows) => rows.map((row) => ({ name: row.querySelector('th').textContent, mean: Number(row.querySelector('td').textContent) })));
    assert.equal(rows.length, 4);
    rows.slice(1).forEach(({ mean }, index) => assert.ok(mean >= rows[index].mean, JSON.stringify(rows)));
    assert.deepEqual(await page.locator('#intervals .legend li').allTextContents(), rows.map(({ name }) => name));
    // Filled bands of four colours are grey where they overlap. Each config keeps its own colour.
    const fills = await page.locator('#intervals svg.chart path').evaluateAll((paths) => paths.map((path) => getComputedStyle(path).fill));
    assert.deepEqual([...new Set(fills)], ['none']);
    const colours = await page.locator('#intervals .whisker').evaluateAll((paths) => paths.map((path) => getComputedStyle(path).stroke));
    const legend = await page.locator('#intervals .legend path').evaluateAll((paths) => paths.map((path) => getComputedStyle(path).stroke));
    assert.equal(new Set(colours).size, 4);
    assert.deepEqual(colours, legend);
    // The intervals of now are beside each other, in the order of the table.
    const whiskers = await page.locator('#intervals .whisker').evaluateAll((paths) => paths.map((path) => path.getBoundingClientRect().left));
    whiskers.slice(1).forEach((left, index) => assert.ok(left > whiskers[index], String(whiskers)));
    assert.deepEqual(await cutAway(page), [], `${width}`);
    assert.deepEqual(faults, []);
    await close();
  }
  await tournament.stop();
});

test('the intervals of a tournament are shown as they narrow', async () => {
  const configs = [0, 1].map((index) => config(index));
  const tournament = await start(/page: (\S+)/, 'tournament', ...configs, '--games', '100000', '--length', 'east', '--jobs', '1', '--page');
  const { page, faults, close } = await open(tournament.found[1], { own: true });
  await page.locator('#intervals svg').first().waitFor();
  const games = () => text(page, 'games').then((words) => Number.parseInt(words, 10));
  const before = await games();
  await page.waitForFunction((old) => Number.parseInt(document.getElementById('games').textContent, 10) > old, before);
  assert.match(await text(page, 'standing'), /(kuma.*to.*tora|tora.*to.*kuma).*to/s);
  assert.deepEqual(faults, []);
  await close();
  await tournament.stop();
});

test('a game that is played here is shown with all hands, which can be hidden, and how it ended stays', async () => {
  const game = await start(/page: (\S+)/, 'play', ...BOTS.map((_, index) => config(index)), '--seed', '4', '--pace-ms', '40', '--page');
  const { page, faults, close } = await open(game.found[1], { own: true });
  await decided(page);
  const backs = () => page.locator('#board .hand use[data-tile="?"]').count();
  assert.equal(await backs(), 0);
  await page.keyboard.press('o');
  assert.ok(await backs() > 30);
  const ended = game.stop();
  await page.waitForTimeout(300);
  game.stop();
  await ended;
  await page.waitForFunction(() => document.getElementById('connection').textContent.startsWith('The runner has ended'));
  assert.ok((await text(page, 'event')).length > 0);
  assert.deepEqual(faults, []);
  await close();
});

for (const [game, bot, seats] of [
  ['chinese-standard', 'cs-fan', 4],
  ['doudizhu', 'doudizhu-split', 3],
]) {
  test(`${game}: a match moves with all hands, which can be hidden, and what was decided, fits from 360 pixels on, and axe finds nothing`, async () => {
    const played = await start(/page: (\S+)/, 'play', '--game', game, '--games', '1000', '--seed', '3', '--pace-ms', '80', '--page');
    const address = `${played.found[1]}#bot=${bot}`;
    const { page, faults, close } = await open(address, { own: true });
    await decided(page);
    const hidden = () => page.locator('#board .hand').evaluateAll((hands) => hands.filter((hand) => hand.querySelector('use[data-tile="?"]') !== null).length);
    assert.deepEqual([await page.locator('#board .hand').count(), await hidden()], [seats, 0]);
    await page.keyboard.press('o');
    assert.equal(await hidden(), seats - 1);
    await page.keyboard.press('o');
    assert.ok(await page.locator('#board use').count() > 20);
    assert.ok(await page.locator('#why-parts .badge.chosen').count() === 1);
    const before = await text(page, 'event');
    await page.waitForFunction((old) => document.getElementById('event').textContent !== old, before);
    assert.deepEqual(faults, []);
    await close();
    for (const [width, colorScheme] of [[390, 'light'], [768, 'dark'], [1280, 'light'], [1920, 'dark']]) {
      const narrow = await open(address, { own: true, colorScheme, viewport: { width, height: 900 } });
      await decided(narrow.page);
      assert.ok(await narrow.page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), `${width}`);
      await narrow.page.screenshot({ path: path.join(shots, `live-${game}-${width}.png`), fullPage: true });
      await narrow.page.locator('#pause').click();
      for (const details of await narrow.page.locator('summary').all()) await details.click();
      assert.deepEqual(await violations(narrow.page), [], `${width} ${colorScheme}`);
      await narrow.close();
    }
    played.stop();
    await played.stop();
  });
}

test('a page behind a token is opened by it', async () => {
  const token = path.join(folder, 'page.token');
  fs.writeFileSync(token, 'canary-0123456789-abcdef\n', { mode: 0o600 });
  const game = await start(/page: (\S+)/, 'play', ...BOTS.map((_, index) => config(index)), '--pace-ms', '40', '--page', '127.0.0.1:0', '--page-token-file', token);
  const { page, faults, close } = await open(game.found[1], { own: true });
  // The browser tells of the answer 401.
  assert.match(faults.splice(0).join('\n'), /^console: [^\n]*401[^\n]*$/);
  assert.deepEqual(await violations(page), []);
  await page.keyboard.press('Tab');
  await page.keyboard.type('canary-0123456789-abcdef');
  await page.keyboard.press('Enter');
  await decided(page);
  assert.ok(!page.url().includes('canary'));
  assert.deepEqual(faults, []);
  const ended = game.stop();
  await page.waitForTimeout(300);
  game.stop();
  await ended;
  await close();
});

test('the four bots end with their page', async () => {
  await runs.stop();
});
