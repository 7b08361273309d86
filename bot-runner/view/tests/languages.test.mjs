// Pages in the languages of their readers, in a real browser.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, test } from 'node:test';

import { closeAll, config, cutAway, folder, open, overlaps, played, run, shots, start, stepped, viewed, violations } from './browser.mjs';

after(closeAll);

/** The languages, each with a browser's locale and the tag that fonts and screen readers get. */
const LANGUAGES = [['ja', 'ja-JP', 'ja'], ['zh', 'zh-CN', 'zh-Hans']];
const WIDTHS = [[390, 844], [1280, 900]];

/** What stays as it is: names of bots, policies and games' files, units, and the rows and marks of notations. */
const NAMES = /games-[\d-]+|kuma|tora|shika|usagi|neko|risu|Mia|\b\d[mps]r\b|\b[2-9TJQKAxX]{3,}\b|[a-z]+(?:-[a-z]+)+(?: \d+\.\d+\.\d+)?|learned \d\S*|\S+\.(?:jsonl|html|toml)\S*|bot-runner .*|\b(?:ms|UTC|p50|p99|Page Up|Page Down|Shift)\b|\u00b5s/g;

/** The English words that a reader sees or hears. Runs in the page. */
function texts() {
  const found = new Set();
  const isLeft = (element) => element.closest('script, style, kbd, code, noscript, #symbols, [translate="no"]');
  const walker = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  for (let node = walker.currentNode; node; node = walker.nextNode()) {
    if (node instanceof Text) {
      if (!isLeft(node.parentElement)) found.add(node.data);
    } else if (!isLeft(node)) {
      for (const name of ['title', 'aria-label', 'aria-valuetext']) if (node.hasAttribute(name)) found.add(node.getAttribute(name));
    }
  }
  return [...found].filter((text) => /[A-Za-z]{2}/.test(text));
}

const withEnglish = (found) => found.filter((text) => /[A-Za-z]{2}/.test(text.replace(NAMES, '')));

/** The texts on the page in which English words are left. */
const english = async (page) => withEnglish(await page.evaluate(texts));

/** The same at every moment of every round. */
async function everywhere(page) {
  const found = await page.evaluate((source) => {
    const read = new Function(`return (${source})()`);
    const slider = document.getElementById('slider');
    const all = new Set();
    for (const round of document.querySelectorAll('#rounds button')) {
      round.click();
      for (let step = 0; step <= Number(slider.max); step++) {
        slider.value = String(step);
        slider.dispatchEvent(new Event('input'));
        for (const text of read()) all.add(text);
      }
    }
    return [...all];
  }, texts.toString());
  return withEnglish(found);
}

/** Whether nothing is cut or covered at every width, with pictures. */
async function fits(page, name) {
  for (const [width, height] of WIDTHS) {
    await page.setViewportSize({ width, height });
    // The marks of the timeline are drawn anew before the next frame.
    await page.evaluate(() => new Promise((drawn) => { requestAnimationFrame(() => requestAnimationFrame(drawn)); }));
    assert.deepEqual(await cutAway(page), [], `${name} ${width}`);
    assert.deepEqual(await page.evaluate(overlaps), [], `${name} ${width}`);
    await page.screenshot({ path: path.join(shots, `${name}-${width}.png`) });
  }
  assert.deepEqual(await violations(page), [], name);
}

const riichi = played(4, 12);
const RECORDS = [
  ['riichi', riichi.game, '--seat', '0', '--policy', config(3)],
  ['riichi of three', played(3, 5).game],
  ['mcr', path.join(stepped('chinese-standard', 'cs-fan', 2).records, 'game-0001.jsonl')],
  ['doudizhu', path.join(stepped('doudizhu', 'doudizhu-split', 2).records, 'game-0001.jsonl')],
];

/** The pages of a review in a language: of the game, and the index. */
function reviewed(language) {
  const pages = path.join(folder, `review-${language}`);
  run('review', riichi.game, '--policy', config(0), '--pages', pages, '--language', language);
  const [game] = fs.readdirSync(pages).filter((name) => name !== 'index.html');
  return [path.join(pages, game), path.join(pages, 'index.html')];
}

for (const [language, locale, tag] of LANGUAGES) {
  const [review, costliest] = reviewed(language);
  const pages = RECORDS.map(([name, record, ...more]) => [name, viewed(record, '--language', language, ...more)]);
  for (const [name, file] of [...pages, ['review', review]]) {
    test(`${language}: no English word is left on the page of ${name}, and its words fit`, async () => {
      const { page, faults, close } = await open(file, { locale });
      assert.equal(await page.locator('html').getAttribute('lang'), tag);
      assert.deepEqual(await everywhere(page), []);
      await fits(page, `page-${name.replaceAll(' ', '-')}-${language}`);
      assert.deepEqual(faults, []);
      await close();
    });
  }

  test(`${language}: no English word is left on the indexes of records and of a review`, async () => {
    const site = path.join(folder, `site-${language}`);
    run('view', path.dirname(riichi.game), '--out', site, '--language', language);
    for (const index of [path.join(site, 'index.html'), costliest]) {
      const { page, faults, close } = await open(index, { locale });
      assert.equal(await page.locator('html').getAttribute('lang'), tag);
      assert.deepEqual(await english(page), []);
      assert.deepEqual(await cutAway(page), []);
      assert.deepEqual(faults, []);
      await close();
    }
  });
}

test('a seat is in the first language of the browser that there is, else in English', async () => {
  const seat = await start(/^seat: (\S+)/m, 'play', '--person');
  for (const [locale, tag] of [['fr-FR', 'en'], ['en-US', 'en'], ['ja-JP', 'ja'], ['zh-TW', 'zh-Hans']]) {
    const { page, close } = await open(seat.found[1].split('#')[0], { own: true, locale });
    await page.waitForFunction((wanted) => document.documentElement.lang === wanted, tag);
    await close();
  }
});

for (const [language, locale, tag] of LANGUAGES) {
  test(`${language}: no English word is left on the page that asks for the token`, async () => {
    const file = path.join(folder, `token-${language}`);
    fs.writeFileSync(file, 'canary-0123456789-abcdef\n', { mode: 0o600 });
    const bots = await start(/^page: (\S+)/m, 'play', config(0), '--page', '127.0.0.1:0', '--page-token-file', file, '--games', '1000', '--pace-ms', '100');
    const { page, close } = await open(bots.found[1], { own: true, locale });
    const reads = async () => {
      assert.equal(await page.locator('html').getAttribute('lang'), tag);
      assert.deepEqual(await english(page), []);
      assert.deepEqual(await cutAway(page), []);
      assert.deepEqual(await violations(page), []);
    };
    await reads();
    await page.locator('input[type="password"]').fill('not-the-token-of-it');
    await page.locator('button').click();
    await page.locator('[role="status"]:not(:empty)').waitFor();
    await reads();
    await page.locator('input[type="password"]').fill('canary-0123456789-abcdef');
    await page.locator('button').click();
    await page.locator('.seat').first().waitFor();
    await close();
  });
}

test('a file is in the language that was chosen, else in English', async () => {
  for (const [more, locale, tag] of [
    [[], 'ja-JP', 'en'], [['--language', 'en'], 'ja-JP', 'en'], [['--language', 'ja'], 'en-US', 'ja'], [['--language', 'zh'], 'ja-JP', 'zh-Hans'],
  ]) {
    const { page, close } = await open(viewed(riichi.game, ...more), { locale });
    assert.equal(await page.locator('html').getAttribute('lang'), tag, `${more} ${locale}`);
    assert.equal(await page.locator('#why-title').textContent(), tag === 'en' ? 'Why' : '理由', `${more} ${locale}`);
    await close();
  }
});

const KINDS = [
  ['riichi', ['--length', 'single'], 'greedy-tenpai'],
  ['riichi of three', ['--players', '3', '--length', 'single'], 'weighted-shape'],
  ['mcr', ['--game', 'chinese-standard'], 'cs-eight-step'],
  ['doudizhu', ['--game', 'doudizhu'], 'doudizhu-split'],
];
for (const [language, , tag] of LANGUAGES) {
  for (const [name, args, id] of KINDS) {
    test(`${language}: no English word is left at the seat of ${name} over a game, and its words fit`, async () => {
      const adviser = path.join(folder, `${id}.toml`);
      fs.writeFileSync(adviser, `name = "adviser"\n[policy]\nid = "${id}"\nlibrary = "builtin"\n`);
      const seat = await start(/^seat: (\S+)/m, 'play', '--person', '--name', 'Mia', '--pace-ms', '1', '--seed', '7', '--language', language,
        '--adviser', adviser, ...args);
      const { page, faults, close } = await open(seat.found[1], { own: true });
      const asked = () => page.waitForFunction(() => document.querySelector('#calls button:enabled, #hand button[aria-disabled="false"]'), null, { timeout: 60_000 });
      await asked();
      assert.equal(await page.locator('html').getAttribute('lang'), tag);
      for (const option of ['show-waits', 'show-safe', 'show-advice']) await page.locator(`#${option}`).evaluate((box) => { if (box.checkVisibility()) box.click(); });
      await page.locator('#words-room').evaluate((room) => { room.open = true; });
      const found = new Set();
      let pictures = 0;
      const until = Date.now() + 180_000;
      while (!await page.locator('#again').isVisible()) {
        assert.ok(Date.now() < until, 'the game ends');
        for (const text of await english(page)) found.add(text);
        const calls = await page.locator('#calls button:enabled').count();
        if (calls > 2 && pictures === 0) {
          pictures += 1;
          await fits(page, `seat-${name.replaceAll(' ', '-')}-${language}`);
        }
        // Wins and calls now and then, else the last tile, else a button.
        await page.evaluate(() => {
          const buttons = [...document.querySelectorAll('#calls button:enabled')];
          const tiles = [...document.querySelectorAll('#hand:not(.cards) button[aria-disabled="false"]')];
          const named = (name) => buttons.find(({ dataset }) => dataset.key.split(' ')[0] === name);
          const isPressed = buttons.some((button) => button.getAttribute('aria-pressed') === 'true');
          const call = isPressed ? undefined : ['Win', 'continue', 'Riichi', 'Pon', 'Pung', 'Chi', 'Chow', 'Kan', 'Kong', 'North'].map(named).find(Boolean);
          (call ?? tiles.at(-1) ?? named('play') ?? named('hint') ?? named('Bid') ?? named('Pass') ?? buttons[0])?.click();
        });
        await page.waitForTimeout(20);
      }
      for (const text of await english(page)) found.add(text);
      assert.deepEqual([...found], []);
      if (pictures === 0) await fits(page, `seat-${name.replaceAll(' ', '-')}-${language}`);
      await seat.ended;
      assert.deepEqual(faults, []);
      await close();
    });
  }
}
