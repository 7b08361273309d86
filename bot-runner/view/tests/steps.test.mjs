// Games of Chinese Standard mahjong and Dou Dizhu in a real browser.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';

import { LONG_NAMES, closeAll, cutAway, folder, open, overlaps, renamed, run, shots, stepped, viewed, violations } from './browser.mjs';

after(closeAll);

/** Wherever a name is drawn, all names differ, end as they end, and lie where they belong. */
async function keepsNames(file, names, seats) {
  for (const width of [390, 1280]) {
    const { page, close } = await open(`${file}#step=5`, { viewport: { width, height: 900 } });
    const strips = await page.locator('#board .strip').evaluateAll((strips) => strips.map((strip) => {
      const text = strip.querySelector('.name');
      const [inner, outer] = [text, strip.querySelector('.strip-back')].map((part) => part.getBoundingClientRect());
      return { name: text.textContent, inside: inner.left >= outer.left && inner.right <= outer.right && inner.top >= outer.top - 1 && inner.bottom <= outer.bottom + 1 };
    }));
    await page.keyboard.press('End');
    const paid = await page.locator('#board .end-paid.left-text').allTextContents();
    assert.equal(strips.length, seats);
    for (const { name, inside } of strips) assert.ok(inside, `${width}: ${name}`);
    const heads = page.locator('#rounds-table thead .name-in-room');
    const columns = await heads.evaluateAll((heads) => heads.map((head) => {
      const [end, cell] = [head.lastElementChild, head.closest('th')].map((part) => part.getBoundingClientRect());
      return { name: head.textContent, inside: end.width > 0 && end.left >= cell.left - 1 && end.right <= cell.right + 1 };
    }));
    for (const { name, inside } of columns) assert.ok(inside, `${width}: ${name}`);
    for (const shown of [strips.map(({ name }) => name), paid, columns.map(({ name }) => name)]) {
      assert.equal(new Set(shown).size, seats, `${width}: ${shown}`);
      for (const name of names) assert.ok(shown.some((cut) => cut.endsWith(name.slice(-2)) && cut.startsWith(name.slice(0, 2))), `${width}: ${name} in ${shown}`);
    }
    assert.deepEqual(await cutAway(page), [], `${width}`);
    await close();
  }
}

for (const [game, policy, seat, seats] of [['chinese-standard', 'cs-fan', '#board .strip', 4], ['doudizhu', 'doudizhu-split', '#board .strip', 3]]) {
  const { file, records, decisions } = stepped(game, policy, 2);
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
        assert.equal(await page.locator('#why-parts .bar').count(), decision.values.filter((value) => value !== null).length, `decision ${seen}`);
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

  test(`${game}: nothing lies on anything else at any step, seen from each seat`, async () => {
    const { page, close } = await open(file);
    for (let bottom = 0; bottom < seats; bottom++) {
      await page.locator('#bottom').selectOption(String(bottom));
      const found = await page.evaluate((source) => {
        const find = new Function(`return (${source})()`);
        const slider = document.getElementById('slider');
        return Array.from({ length: Number(slider.max) + 1 }, (_, step) => {
          slider.value = String(step);
          slider.dispatchEvent(new Event('input'));
          return find().map((what) => `step ${step}: ${what}`);
        }).flat();
      }, overlaps.toString());
      assert.deepEqual(found, [], `seat ${bottom}`);
    }
    await close();
  });

  test(`${game}: the board is used: its pieces are large, and a table of three is not as high as wide`, async () => {
    const { page, close } = await open(`${file}#step=12`, { viewport: { width: 1280, height: 900 } });
    const board = await page.locator('#board').boundingBox();
    const widths = (what) => page.locator(what).evaluateAll((pieces) => pieces.map((piece) => Math.min(piece.getBoundingClientRect().width, piece.getBoundingClientRect().height)));
    for (const width of await widths('#board .row:not(.own) .hand use')) assert.ok(width > 0.0525 * board.width, `a piece of a hand: ${width}`);
    for (const width of await widths('#board .river use')) assert.ok(width > 0.0505 * board.width, `a played piece: ${width}`);
    if (seats === 3) assert.ok(board.height < 0.85 * board.width, `${board.width} x ${board.height}`);
    // What one plays with is seen without scrolling.
    if (seats === 3) assert.ok((await page.locator('#slider').boundingBox()).y < 900);
    await close();
  });

  test(`${game}: default names keep what tells them apart, and long ones are cut in the middle`, async () => {
    const records = path.join(folder, `${game}-default`);
    run('play', '--game', game, '--seed', '2', '--record', records);
    const record = path.join(records, 'game-0001.jsonl');
    const pages = [[viewed(record), JSON.parse(fs.readFileSync(record, 'utf8').split('\n')[0]).names], [viewed(renamed(record, LONG_NAMES)), LONG_NAMES.slice(0, seats)]];
    for (const [page, names] of pages) await keepsNames(page, names, seats);
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
