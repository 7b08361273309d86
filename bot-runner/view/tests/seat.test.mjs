// A person's seat in a real browser: whole games through the page alone.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, test } from 'node:test';

import { closeAll, config, cutAway, folder, open, overlaps, run, shots, start, violations } from './browser.mjs';

after(closeAll);

/** Starts a game with a person; returns the link of the seat, and what the program does. */
async function game(...args) {
  const running = await start(/^seat: (\S+)/m, 'play', '--person', '--pace-ms', '1', '--seed', '7', ...args);
  return { ...running, url: running.found[1] };
}

/** What can be done at the seat now. */
const choices = (page) => page.evaluate(() => ({
  isOver: document.getElementById('connection').textContent.startsWith('The runner has ended'),
  buttons: [...document.querySelectorAll('#calls button:enabled')].map((button) => button.dataset.key),
  tiles: [...document.querySelectorAll('#hand:not(.cards) button[aria-disabled="false"]')].map((tile) => tile.dataset.place),
  refused: document.getElementById('refused').hidden ? '' : document.getElementById('refused').textContent,
}));

/** The hands of others that are not backs, while the round is on. */
const openHands = (page) => page.evaluate(() => (document.querySelector('#board .end') ? []
  : [...document.querySelectorAll('#board .row:not(.own) .hand use')].map((tile) => tile.dataset.tile).filter((tile) => tile !== '?')));

const named = (buttons, name) => buttons.find((key) => key === name || key.startsWith(`${name} `));

/** Plays until the runner ends, with one act at a time; `act` gets the choices. Returns how often it acted. */
async function playOut(page, act) {
  const until = Date.now() + 180_000;
  let acts = 0;
  for (;;) {
    assert.ok(Date.now() < until, 'the game ends');
    const now = await choices(page);
    assert.equal(now.refused, '');
    assert.deepEqual(await openHands(page), []);
    if (now.isOver) return acts;
    if (now.buttons.length === 0 && now.tiles.length === 0) {
      await page.waitForTimeout(5);
      continue;
    }
    if (await act(now)) acts += 1;
  }
}

/** Clicks an element that may be drawn again meanwhile; whether it was there. */
const click = (page, selector) => page.locator(selector).click({ timeout: 2000 }).then(() => true, () => false);
const button = (key) => `#calls button[data-key="${key}"]`;

/** One act by clicks: win, else call what is offered now and then, else discard the last tile. */
function byClicks(page) {
  let turn = 0;
  return async ({ buttons, tiles }) => {
    turn += 1;
    const pressed = await page.locator('#calls button[aria-pressed="true"]').count();
    const wanted = named(buttons, 'continue') ?? named(buttons, 'Win') ?? named(buttons, 'play')
      ?? (pressed === 0 && turn % 2 ? ['Riichi', 'Pon', 'Pung', 'Chi', 'Chow', 'Kan', 'Kong', 'North', 'Bid'].map((name) => named(buttons, name)).find(Boolean) : undefined);
    if (wanted) return click(page, button(wanted));
    if (tiles.length > 0) return click(page, `#hand button[data-place="${tiles.at(-1)}"]`);
    const rest = named(buttons, 'hint') ?? named(buttons, 'Pass') ?? buttons[0];
    return click(page, button(rest));
  };
}

const WIDTHS = [[390, 844], [1280, 900], [1920, 1080]];
const KINDS = [
  ['riichi', ['--length', 'single']],
  ['riichi of three', ['--players', '3', '--length', 'single']],
  ['mcr', ['--game', 'chinese-standard']],
  ['doudizhu', ['--game', 'doudizhu']],
];
for (const [name, args] of KINDS) {
  test(`a game of ${name} is played to its end through clicks alone`, async () => {
    const records = path.join(folder, `records of ${name}`);
    const seat = await game(...args, '--name', 'Mia', '--record', records);
    const { page, faults, close } = await open(seat.url, { own: true });
    assert.ok(await playOut(page, byClicks(page)) > 0);
    assert.equal(await seat.ended, 0);
    // Below the person is each bot, on the same wall in the person's seat.
    const rows = await page.locator('#same-wall tbody tr').evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent)));
    assert.equal(rows[0][0], 'Miayou');
    assert.ok(rows.length > 1);
    for (const row of rows) assert.equal(row.length, name.startsWith('riichi') ? 3 : 2, row.join(' '));
    for (const [width, height] of WIDTHS) {
      await page.setViewportSize({ width, height });
      assert.deepEqual(await cutAway(page), []);
      assert.deepEqual(await violations(page), []);
      await page.screenshot({ path: path.join(shots, `same-wall-${name.replaceAll(' ', '-')}-${width}.png`), fullPage: true });
    }
    const [start_] = fs.readFileSync(path.join(records, 'game-0001.jsonl'), 'utf8').split('\n');
    assert.ok(JSON.parse(start_).names.includes('Mia'));
    assert.deepEqual(faults, []);
    await close();
  });
}

test('a game is played to its end by keys alone', async () => {
  const seat = await game('--length', 'single');
  const { page, faults, close } = await open(seat.url, { own: true });
  const press = async (key) => { await page.keyboard.press(key); return true; };
  await playOut(page, async ({ buttons, tiles }) => {
    const win = buttons.findIndex((key) => key.startsWith('Win') || key === 'continue');
    if (win >= 0) return press(String(win + 1));
    if (tiles.length === 0) return press('p');
    // The drawn tile, or after a call the first that may be discarded.
    await press('d');
    if ((await choices(page)).tiles.length === 0) return true;
    await press('ArrowRight');
    return press('Enter');
  });
  assert.equal(await seat.ended, 0);
  assert.deepEqual(faults, []);
  await close();
});

test('a page that is loaded again and again finds its seat and its question, and no other browser does', async () => {
  const seat = await game('--length', 'single');
  const { page, close } = await open(seat.url, { own: true });
  const act = byClicks(page);
  const stranger = await open(seat.url, { own: true });
  await stranger.page.waitForFunction(() => !document.getElementById('refused').hidden);
  assert.match(await stranger.page.locator('#refused').textContent(), /the seat is taken/);
  assert.equal(await stranger.page.locator('#hand button').count(), 0);
  await stranger.close();
  for (let times = 0; times < 10; times++) {
    await page.waitForFunction(() => document.querySelectorAll('#calls button:enabled, #hand button[aria-disabled="false"]').length > 0
      || document.getElementById('connection').textContent.startsWith('The runner'));
    const before = await choices(page);
    if (before.isOver) break;
    await page.reload();
    await page.waitForFunction(() => document.querySelectorAll('#calls button:enabled, #hand button[aria-disabled="false"]').length > 0);
    if (!before.buttons.includes('continue')) assert.deepEqual(await choices(page), before);
    await act(before);
  }
  await playOut(page, act);
  assert.equal(await seat.ended, 0);
  await close();
});

for (const [name, args] of KINDS) {
  test(`the seat of ${name} fits, can be read and can be operated at every width in both themes`, async () => {
    const seat = await game(...args);
    const { page, faults, close } = await open(seat.url, { own: true });
    await page.waitForFunction(() => document.querySelectorAll('#calls button:enabled, #hand button[aria-disabled="false"]').length > 0);
    for (const [width, height] of WIDTHS) {
      for (const theme of ['light', 'dark']) {
        await page.setViewportSize({ width, height });
        await page.locator('#theme').selectOption(theme);
        assert.deepEqual(await cutAway(page), []);
        assert.deepEqual(await page.evaluate(overlaps), []);
        assert.deepEqual(await violations(page), []);
        const small = await page.evaluate(() => [...document.querySelectorAll('#calls button, #hand button')]
          .map((made) => made.getBoundingClientRect()).filter(({ width: wide, height: high }) => wide < 40 || high < 44).length);
        assert.equal(small, 0, 'a thumb hits every button');
        await page.screenshot({ path: path.join(shots, `seat-${name.replaceAll(' ', '-')}-${width}-${theme}.png`) });
      }
    }
    assert.deepEqual(faults, []);
    // The first Ctrl-C lets the person finish the game.
    seat.stop();
    await page.waitForTimeout(500).catch(() => {});
    await seat.stop();
    await close();
  });
}

/** Writes the config of an adviser. */
function adviser(id) {
  const file = path.join(folder, `${id}.toml`);
  fs.writeFileSync(file, `name = "adviser"\n[policy]\nid = "${id}"\nlibrary = "builtin"\n`);
  return file;
}

const ADVISERS = { riichi: 'greedy-tenpai', 'riichi of three': 'greedy-tenpai', mcr: 'cs-eight-step', doudizhu: 'doudizhu-split' };
for (const [name, args] of KINDS) {
  test(`a hint of ${name} comes by its key, goes by it, stays if always wanted, and fits at every width`, async () => {
    const seat = await game(...args, '--adviser', adviser(ADVISERS[name]));
    const { page, faults, close } = await open(seat.url, { own: true });
    await page.waitForFunction(() => document.querySelectorAll('#calls button:enabled, #hand button[aria-disabled="false"]').length > 0);
    const words = () => page.locator('#hint-words').textContent();
    assert.equal(await words(), '');
    await page.keyboard.press('a');
    await page.waitForFunction((id) => document.getElementById('hint-words').textContent.startsWith(`${id} `)
      && document.querySelectorAll('#advice td.value').length > 0, ADVISERS[name]);
    assert.equal(await page.locator('#hint').getAttribute('aria-pressed'), 'true');
    assert.equal(await page.locator('#hint-words').getAttribute('role'), 'status');
    for (const [width, height] of WIDTHS) {
      for (const theme of ['light', 'dark']) {
        await page.setViewportSize({ width, height });
        await page.locator('#theme').selectOption(theme);
        assert.deepEqual(await cutAway(page), []);
        assert.deepEqual(await page.evaluate(overlaps), []);
        assert.deepEqual(await violations(page), []);
        await page.screenshot({ path: path.join(shots, `advice-${name.replaceAll(' ', '-')}-${width}-${theme}.png`) });
      }
    }
    await page.keyboard.press('a');
    assert.equal(await words(), '');
    assert.equal(await page.locator('#advice td').count(), 0);
    await page.locator('#show-advice').check();
    await page.waitForFunction(() => document.getElementById('hint-words').textContent !== '');
    assert.ok(await playOut(page, byClicks(page)) > 0);
    // At the end the differences are open.
    assert.match(await page.locator('#compared-title').textContent(), /^You and the adviser differ in \d+ of \d+ decisions?$/);
    const differ = Number((await page.locator('#compared-title').textContent()).match(/\d+/)[0]);
    assert.equal(await page.locator('#compared tbody tr').count(), differ);
    assert.equal(await page.locator('#compared-room').evaluate((room) => room.open), differ > 0);
    // The adviser values the decisions of the bots on the same wall, too.
    const costs = await page.locator('#same-wall tbody td:last-child').allTextContents();
    assert.ok(costs.length > 1);
    for (const cost of costs) assert.match(cost, /\d/);
    await page.setViewportSize({ width: 390, height: 844 });
    assert.deepEqual(await cutAway(page), []);
    assert.deepEqual(await violations(page), []);
    await page.screenshot({ path: path.join(shots, `compared-${name.replaceAll(' ', '-')}-390.png`), fullPage: true });
    assert.equal(await seat.ended, 0);
    assert.deepEqual(faults, []);
    await close();
  });
}

test('a question that was answered offers nothing, however late the next one comes', async () => {
  const { url, stop } = await game('--length', 'single');
  const { page, close } = await open(url, { own: true });
  const isAsked = () => page.waitForFunction(() => document.querySelector('#calls button:enabled, #hand button[aria-disabled="false"]'));
  await isAsked();
  // The answer is taken, and no event follows.
  await page.route('**/seat/answer', (route) => route.fulfill({ status: 204 }));
  const answered = page.waitForResponse('**/seat/answer');
  const { buttons, tiles } = await choices(page);
  await click(page, tiles.length > 0 ? `#hand button[data-place="${tiles.at(-1)}"]` : button(buttons[0]));
  await answered;
  await page.waitForTimeout(200);
  const left = await choices(page);
  assert.deepEqual([left.buttons, left.tiles, left.refused], [[], [], '']);
  // It is still open for the runner, and so it is for a page that is loaded again.
  await page.unroute('**/seat/answer');
  await page.reload();
  await isAsked();
  stop();
  await close();
});

test('the seat of a bot that was taken over is its policy\'s again after the button is pressed', async () => {
  // The runner and `takeover` meet in a folder of their own.
  process.env.XDG_RUNTIME_DIR = folder;
  const records = path.join(folder, 'records of a takeover');
  const running = await start(/page: (\S+)/, 'play', config(0), '--page', '127.0.0.1:0', '--seed', '3', '--pace-ms', '10', '--games', '1000', '--length', 'single', '--record', records);
  const site = new URL(running.found[1]).origin;
  /** Waits until the page of the bots shows the bot's round, or does not. */
  const shows = async (wanted) => {
    const until = Date.now() + 60_000;
    while ((await fetch(`${site}/api/round?bot=kuma`)).ok !== wanted) {
      assert.ok(Date.now() < until, `the round of kuma is ${wanted ? 'never' : 'always'} shown`);
      await new Promise((resolve) => { setTimeout(resolve, 20); });
    }
  };
  await shows(true);
  const [, link] = run('takeover', 'kuma').match(/^seat: (\S+)/m);
  const { page, faults, close } = await open(link, { own: true });
  await page.locator('#give-back').waitFor();
  assert.equal(await page.locator('#lent-words').textContent(), 'You play in place of the policy of kuma.');
  const act = byClicks(page);
  const answered = page.waitForResponse('**/seat/answer');
  let hasAnswered = false;
  answered.then(() => { hasAnswered = true; });
  while (!hasAnswered) {
    const now = await choices(page);
    if (now.buttons.length + now.tiles.length > 0) await act(now);
    await page.waitForTimeout(5);
  }
  assert.equal((await answered).status(), 204);
  await shows(false);

  await page.locator('#give-back').click();
  await page.waitForFunction(() => document.getElementById('ask').textContent === 'The seat is given back: its policy decides again.');
  const { buttons, tiles, refused } = await choices(page);
  assert.deepEqual([buttons, tiles, refused], [[], [], '']);
  assert.equal(await page.locator('#give-back').isVisible(), false);
  await shows(true);
  running.stop();
  assert.equal(await running.ended, 0);
  // Decisions of the policy, one or more of the person, and decisions of the policy.
  const decisions = path.join(records, 'decisions');
  const lines = fs.readdirSync(decisions).sort().flatMap((name) => fs.readFileSync(path.join(decisions, name), 'utf8').trim().split('\n'));
  const made = lines.map((line) => JSON.parse(line)).filter(({ bot }) => bot === 'kuma').map(({ policy }) => policy);
  const first = made.indexOf('person');
  const last = made.lastIndexOf('person');
  assert.ok(first >= 0 && last < made.length - 1, made.join(' '));
  assert.deepEqual([...new Set(made.slice(last + 1))], ['defensive-fold']);
  assert.deepEqual([...new Set(made.slice(first, last))].filter((id) => id !== 'person'), []);
  assert.deepEqual(faults, []);
  await close();
});
