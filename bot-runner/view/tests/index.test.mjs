// The index of a folder of records in a real browser.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, test } from 'node:test';

import { closeAll, config, cutAway, folder, open, played, run, shots, start, violations } from './browser.mjs';

after(closeAll);

const BOTS = ['kuma', 'tora', 'shika', 'usagi'];
/** Number of ranked games of all four bots. */
const GAMES = 2;

/** The index of the records of ranked games of four bots at one table, and of games played here. */
async function site() {
  const arena = await start(/listening on (ws:\S+)/, 'arena', '--length', 'east', '--seed', '5');
  const bots = path.join(folder, 'bots');
  fs.mkdirSync(bots);
  BOTS.forEach((bot, index) => {
    fs.writeFileSync(path.join(bots, `${bot}.token`), `token-of-${bot}\n`, { mode: 0o600 });
    const section = `[arena]\nkind = "riichilab"\nurl = "${arena.found[1]}"\ntoken_file = "${bot}.token"\n[records]\nfolder = "records"\n`;
    fs.renameSync(config(index, section), path.join(bots, `${bot}.toml`));
  });
  run('run', bots, '--games', String(GAMES));
  await arena.stop();
  const records = path.join(bots, 'records');
  const { game } = played(3, 7);
  fs.copyFileSync(game, path.join(records, 'played-here.jsonl'));
  const out = path.join(folder, 'site');
  const said = run('view', records, '--out', out);
  return { file: path.join(out, 'index.html'), arena: arena.found[1], said, records };
}

const { file, arena, said, records } = await site();
const rows = (page) => page.locator('.games tbody tr');
const visible = (page) => page.locator('.games tbody tr:visible');

test('the records of the bots of one table are one row, with each place in words, and the address is told once', async () => {
  assert.match(said, new RegExp(`with ${GAMES + 1} games in ${4 * GAMES + 1} pages`));
  for (const [width, colorScheme] of [[390, 'light'], [390, 'dark'], [1280, 'light'], [1920, 'dark']]) {
    const { page, faults, close } = await open(file, { viewport: { width, height: 900 }, colorScheme });
    assert.equal(await rows(page).count(), GAMES + 1);
    const ranked = rows(page).filter({ hasText: 'kuma' }).filter({ hasText: '1st of 4' });
    assert.equal(await ranked.count(), GAMES);
    for (const row of await ranked.all()) {
      assert.deepEqual((await row.locator('a').allTextContents()).sort(), [...BOTS].sort());
      assert.deepEqual(await row.locator('.place').allTextContents(), ['1st of 4', '2nd of 4', '3rd of 4', '4th of 4']);
      for (const place of await row.locator('.place').all()) assert.ok(await place.isVisible());
      // Every bot is named in the result, with points as people write them.
      assert.match(await row.locator('.result').textContent(), /^1\. \w+ \d\d,\d{3}, 2\. \w+ -?[\d,]+, 3\. \w+ -?[\d,]+, 4\. \w+ -?[\d,]+$/);
    }
    const all = await page.locator('body').textContent();
    assert.equal(all.split(new URL(arena).host).length, 2, all);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), `${width}`);
    assert.deepEqual(await cutAway(page), [], `${width}`);
    assert.deepEqual(await violations(page), [], `${width} ${colorScheme}`);
    await page.screenshot({ path: path.join(shots, `index-${colorScheme}-${width}.png`), fullPage: true });
    assert.deepEqual(faults, []);
    await close();
  }
});

test('each link of a row leads to the page of that bot', async () => {
  const { page, close } = await open(file);
  for (const bot of BOTS) {
    const link = page.getByRole('link', { name: bot, exact: true }).first();
    const address = await link.getAttribute('href');
    const text = fs.readFileSync(path.join(path.dirname(file), decodeURIComponent(address)), 'utf8');
    assert.equal(text.match(/<title>(\w+) at /)[1], bot);
  }
  await close();
});

test('the index is searched and sorted, by mouse and by keys', async () => {
  for (const width of [390, 1280]) {
    const { page, faults, close } = await open(file, { viewport: { width, height: 900 } });
    const dates = () => page.locator('.games tbody .date').allTextContents();
    const newest = await dates();
    assert.deepEqual(newest, [...newest].sort().reverse());
    await page.getByRole('button', { name: 'date (UTC)' }).click();
    assert.deepEqual(await dates(), [...newest].sort());
    // A game without a place is last.
    await page.getByRole('button', { name: 'place' }).press('Enter');
    assert.equal(await rows(page).last().locator('.place').first().textContent(), '');
    await page.getByRole('button', { name: 'game', exact: true }).click();
    const first = await rows(page).evaluateAll((rows) => rows.map((row) => row.querySelector('a').textContent));
    assert.deepEqual(first, [...first].sort((one, other) => one.localeCompare(other, 'en', { numeric: true })));
    await page.keyboard.press('/');
    await page.keyboard.type('played-here');
    assert.equal(await visible(page).count(), 1);
    assert.equal(await page.locator('#found').textContent(), `1 of ${GAMES + 1}`);
    await page.locator('#search').fill('KUMA 1st');
    assert.equal(await visible(page).count(), GAMES);
    await page.locator('#search').fill('');
    assert.equal(await visible(page).count(), GAMES + 1);
    assert.deepEqual(faults, []);
    await close();
  }
});

test('without its script the index is a plain table', async () => {
  const { page, faults, close } = await open(file, { javaScriptEnabled: false });
  assert.equal(await rows(page).count(), GAMES + 1);
  assert.equal(await page.locator('#search').isVisible(), false);
  assert.equal(await page.locator('.games button').count(), 0);
  assert.match(await page.locator('.games thead').textContent(), /date.*game.*place.*policy.*result/);
  assert.deepEqual(faults, []);
  await close();
});

test('texts of records are texts, and the same game played twice is two games', async () => {
  const twice = path.join(folder, 'twice');
  const [own] = fs.readdirSync(records).filter((name) => name.includes('kuma'));
  for (const name of ['a', 'b']) {
    fs.cpSync(path.join(records, own), path.join(twice, name), { recursive: true });
    const manifest = path.join(twice, name, 'manifest.json');
    const told = JSON.parse(fs.readFileSync(manifest, 'utf8'));
    fs.writeFileSync(manifest, JSON.stringify({ ...told, bot: '<img src=x onerror=alert(1)>{rows}</script>', arena: 'ws://{title}<b>' }));
  }
  const out = path.join(folder, 'twice-site');
  run('view', twice, '--out', out);
  const { page, faults, close } = await open(path.join(out, 'index.html'));
  assert.equal(await rows(page).count(), 2);
  assert.equal(await page.locator('.games img, .overview b').count(), 0);
  assert.match(await page.locator('.facts').textContent(), /^arena: ws:\/\/\{title\}<b>$/);
  assert.deepEqual(faults, []);
  await close();
});
