// Games of Chinese Standard mahjong and Dou Dizhu in a real browser.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';

import { closeAll, cutAway, folder, open, run, shots, viewed, violations } from './browser.mjs';

after(closeAll);

/** The page of a game whose first bot plays a policy, and the number of decisions in its record. */
function stepped(game, policy) {
  const bot = path.join(folder, `${game}.toml`);
  fs.writeFileSync(bot, `name = "kuma"\n[policy]\nid = "${policy}"\nlibrary = "builtin"\n`);
  const records = path.join(folder, game);
  run('play', bot, '--game', game, '--seed', '2', '--record', records);
  const decisions = fs.readFileSync(path.join(records, 'decisions/game-0001.jsonl'), 'utf8').trim().split('\n');
  return { file: viewed(path.join(records, 'game-0001.jsonl')), decisions: decisions.map((line) => JSON.parse(line)) };
}

for (const [game, policy, seat, seats] of [['chinese-standard', 'cs-fan', '#board .strip', 4], ['doudizhu', 'doudizhu-split', '#board .strip', 3]]) {
  const { file, decisions } = stepped(game, policy);
  const event = (page) => page.locator('#event').textContent();
  const step = (page) => page.locator('#slider').inputValue();

  test(`${game}: a record that is cut shows what is there and says that it was cut`, async () => {
    const cut = path.join(folder, `${game}-cut.jsonl.gz`);
    const whole = gzipSync(fs.readFileSync(path.join(folder, game, 'game-0001.jsonl')));
    fs.writeFileSync(cut, whole.subarray(0, Math.floor(0.9 * whole.length)));
    const { page, faults, close } = await open(viewed(cut));
    assert.match(await page.locator('#warnings').textContent(), /rest of the record cannot be read/);
    assert.equal(await page.locator(seat).count(), seats);
    assert.deepEqual(faults, []);
    await close();
  });

  test(`${game}: keys go through every decision, each with its values as bars, without a message or a request`, async () => {
    const { page, faults, close } = await open(`${file}#step=0`);
    assert.equal(await page.locator(seat).count(), seats);
    assert.ok((await page.title()).includes('kuma'));
    let seen = 0;
    for (;;) {
      const before = await step(page);
      if (await page.locator('#why-parts table').count() > 0) {
        const decision = decisions[seen];
        assert.equal(await page.locator('#why-parts tbody tr').count(), decision.legal.length, `decision ${seen}`);
        assert.equal(await page.locator('#why-parts .bar').count(), decision.values.filter((value) => value !== null).length);
        assert.equal(await page.locator('#why-parts .badge.chosen').count(), 1);
        seen += 1;
      }
      await page.keyboard.press('n');
      if (before === await step(page)) break;
    }
    assert.equal(seen, decisions.length);
    await page.keyboard.press('End');
    const end = await event(page);
    // The table says it too: who won with what, and what each seat was paid.
    const board = await page.locator('#board .end').textContent();
    assert.match(board, game === 'doudizhu' ? /(landlord wins|peasants win).*bombs\d/ : /wins\d+ fan|Draw/);
    assert.equal(await page.locator('#board .end-paid.right-text').count(), seats);
    await page.keyboard.press('ArrowLeft');
    assert.notEqual(await event(page), end);
    // Who won, with what, and who paid what.
    assert.match(end, game === 'doudizhu' ? /^the landlord, .+ (wins|loses): bid \d.*stake \d+\. .*kuma [+-]\d/ : /(wins with \d+ fan on .+: .+ \d|^drawn).*kuma [+-]\d/);
    const here = await step(page);
    await page.waitForFunction((hash) => location.hash === hash, `#round=1&step=${here}`);
    // How it ended is in the overview too.
    assert.ok(end.startsWith(await page.locator('#rounds-table .outcome').textContent()));
    await page.keyboard.press('Home');
    assert.equal(await event(page), 'The deal.');
    assert.deepEqual(faults, []);
    await close();
  });

  test(`${game}: the position in words names what is drawn`, async () => {
    const { page, close } = await open(`${file}#step=12`);
    await page.locator('#words-room summary').click();
    const words = await page.locator('#words').textContent();
    const [hand] = await page.locator('#board .hand').all();
    assert.ok(await hand.locator('use').count() >= 5, words);
    if (game === 'doudizhu') {
      const names = { T: '10', J: 'jack', Q: 'queen', K: 'king', A: 'ace', x: 'small joker', X: 'big joker' };
      const said = (cards) => cards.map((card) => names[card] ?? card).join(' ');
      for (const one of await page.locator('#board .hand').all()) {
        const cards = await one.locator('use').evaluateAll((uses) => uses.map((use) => use.dataset.tile));
        assert.ok(words.includes(`hand: ${said(cards)}.`), words);
      }
      for (const part of await page.locator('#board .part').evaluateAll((parts) => parts.map((part) => part.dataset.part))) {
        assert.ok(words.includes(/pass|bid/.test(part) ? part : said([...part])), `${part}: ${words}`);
      }
      const under = await page.locator('#board .bottom-cards use').evaluateAll((uses) => uses.map((use) => use.dataset.tile));
      assert.ok(under.length === 3 && words.includes(`Bottom cards: ${said(under)}.`), words);
    }
    // Names that can be listened to, not codes.
    const seats = (await page.locator('#words p').allTextContents()).slice(1).join(' ');
    assert.doesNotMatch(seats, game === 'doudizhu' ? /[: ][TJQKAxX][ ,.]/ : /[1-9][mpsz]/);
    assert.match(seats, game === 'doudizhu' ? /king|ace|jack/ : / of (characters|dots|bamboo)/);
    await close();
  });

  test(`${game}: the hands of the others can be hidden, each step is a link, and another seat can be the nearest`, async () => {
    const { page, close } = await open(`${file}#step=12`);
    assert.equal(await step(page), '12');
    const backs = () => page.locator('#board .hand use[data-tile="?"]').count();
    assert.equal(await backs(), 0);
    await page.keyboard.press('o');
    assert.ok(await backs() > 30);
    assert.match(await page.locator('#words').textContent(), /1[0-9] (hidden|concealed tiles)/);
    await page.keyboard.press('o');
    await page.locator('#bottom').selectOption('2');
    assert.equal(await page.locator('.row.own .hand').getAttribute('data-seat'), '2');
    await page.keyboard.press('Shift+ArrowRight');
    assert.match(await event(page), game === 'doudizhu' ? /plays/ : /draws/);
    assert.equal(await page.locator('#marks .mark.win, #marks .mark.draw').count(), 1);
    assert.equal(await page.locator('#rounds').isVisible(), false);
    await close();
  });

  test(`${game}: axe finds nothing, light and dark, and nothing scrolls sideways from 360 pixels on`, async () => {
    for (const [width, colorScheme] of [[360, 'light'], [390, 'dark'], [768, 'dark'], [1280, 'light'], [1920, 'dark']]) {
      const { page, close } = await open(`${file}#step=30`, { viewport: { width, height: 900 }, colorScheme });
      for (const details of await page.locator('summary').all()) await details.click();
      assert.deepEqual(await violations(page), [], `${width} ${colorScheme}`);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), `${width}`);
      assert.deepEqual(await cutAway(page), [], `${width}`);
      await page.screenshot({ path: path.join(shots, `${game}-${width}.png`), fullPage: true });
      await page.keyboard.press('End');
      await page.locator('#board').screenshot({ path: path.join(shots, `${game}-end-${width}.png`) });
      await close();
    }
  });
}
