// The words of a page in the language of its reader. A table has the English words as keys; a key with a `{placeholder}` is a
// pattern, so that it finds its words in sentences that the runner wrote. `el` and `svg` translate all texts that they get.

import { CHOSEN_LANGUAGE, TABLES } from './tables.js';
import { HONOURS, SUITS } from './words.js';

/** The language tags of the tables. @type {Record<string, string>} */
const LANGUAGE_TAGS = { en: 'en', ja: 'ja', zh: 'zh-Hans' };

/** The language of the page: the chosen one, else the first of the browser's that is known. */
function languageOfPage() {
  if (CHOSEN_LANGUAGE !== '') return CHOSEN_LANGUAGE;
  const wanted = (globalThis.navigator?.languages ?? []).map((tag) => tag.toLowerCase().split('-')[0]);
  return wanted.find((language) => language === 'en' || language in TABLES) ?? 'en';
}

const language = languageOfPage();
const wordTable = TABLES[language] ?? {};

/**
 * A key with placeholders. `literal` is in all texts that fit.
 * @typedef {{pattern: RegExp, literal: string, names: string[], words: string}} Template
 */

/** Figures, tiles and their numbers, cards, and names and parts that are no lists. @type {Record<string, string>} */
const PLACE_SHAPES = {
  n: '[+\u2212-]?\\d+(?:,\\d{3})*(?:\\.\\d+)?',
  who: '[^,;:]+?',
  part: '[^,;:]+?',
  tile: '[^():;]+?',
  tiles: '[^():;]+?',
  digits: '(?:red )?\\d(?: (?:red )?\\d)*',
  cards: '(?:\\d+|[JQKA]|(?:small|big) joker|jack|queen|king|ace)(?: (?:\\d+|[JQKA]|(?:small|big) joker|jack|queen|king|ace))*',
};
const NUMBER_OR_CARD = /(?:small|big) joker|jack|queen|king|ace|red \d|[^ ]+/g;

/** The sort of a placeholder: its name without a number. @param {string} name */
const placeSort = (name) => name.replace(/\d+$/, '');

/** @param {string} key @param {string} words @returns {Template} */
function templateOf(key, words) {
  const parts = key.split(/\{(\w+)\}/);
  const literals = parts.filter((_, index) => index % 2 === 0);
  const pattern = parts.map((part, index) => (index % 2 === 0 ? part.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&') : `(${PLACE_SHAPES[placeSort(part)] ?? '.+?'})`));
  return {
    pattern: new RegExp(`^${pattern.join('')}$`, 'su'),
    literal: literals.reduce((longest, part) => (part.length > longest.length ? part : longest)),
    names: parts.filter((_, index) => index % 2 === 1),
    words,
  };
}

/** What is between the parts of a list, from the widest to the narrowest. */
const SEPARATORS = ['; ', ', '];
/** The key with the words of a separator. @param {string} separator */
const listKey = (separator) => `{one}${separator}{other}`;

const wordTemplates = Object.entries(wordTable).filter(([key]) => key.includes('{') && !SEPARATORS.some((separator) => key === listKey(separator)))
  .map(([key, words]) => templateOf(key, words));

/** Longer texts are not of the runner. */
const MAX_LENGTH = 2000;
/** Maximum depth of sentences in sentences. */
const MAX_DEPTH = 8;

/** Tiles as policies write them: `123m`, `7z`, `E`; `null` for another text. @param {string} text */
function notationWords(text) {
  const honour = HONOURS['ESWNPFC'.indexOf(text)];
  if (text.length === 1 && honour) return wordTable[honour];
  if (!/^(?:\d+[mpsz]r?)+$/.test(text)) return null;
  return text.replace(/(\d+)([mpsz])(r?)/g, (_, /** @type {string} */ digits, /** @type {string} */ suit, red) => {
    if (suit === 'z') return [...digits].map((digit) => wordTable[HONOURS[Number(digit) - 1]] ?? digit).join('');
    const numbers = red ? wordTable['red 5'] : digits.replaceAll('0', wordTable['red 5']);
    return wordTable[`{digits} of ${SUITS[/** @type {'m' | 'p' | 's'} */ (suit)]}`].replace('{digits}', numbers);
  });
}

/** A part of a text in the page's language; `null` if the table does not have it. @param {string} sort @param {string} part @param {number} depth */
function placeFor(sort, part, depth) {
  switch (sort) {
    case 'n':
    case 'name':
    case 'who':
      return part;
    case 'tile':
    case 'tiles':
      return notationWords(part) ?? wordsFor(part, depth);
    case 'text':
      return wordsFor(part, depth) ?? part;
    case 'digits':
      return (part.match(NUMBER_OR_CARD) ?? []).map((word) => wordTable[word] ?? word).join('');
    case 'cards':
      return (part.match(NUMBER_OR_CARD) ?? []).map((word) => wordTable[word] ?? word).join(' ');
    default:
      return wordsFor(part, depth);
  }
}

/** @param {string} text @param {Template} template @param {number} depth */
function fitted(text, { pattern, literal, names, words }, depth) {
  if (!text.includes(literal)) return null;
  const parts = pattern.exec(text);
  if (!parts) return null;
  /** @type {Map<string, string>} */
  const places = new Map();
  for (const [index, name] of names.entries()) {
    const place = placeFor(placeSort(name), parts[index + 1], depth);
    if (place === null) return null;
    places.set(name, place);
  }
  return words.replace(/\{(\w+)\}/g, (_, name) => places.get(name) ?? '');
}

/** The parts of a list or of some sentences, if the table has them all. @param {string[]} parts @param {number} depth */
function allOf(parts, depth) {
  if (parts.length < 2) return null;
  const words = parts.map((part) => (/^[+\u2212-]?[\d.,]+$/.test(part) ? part : wordsFor(part, depth)));
  return words.every((part) => part !== null) ? words : null;
}

/** @type {Map<string, string | null>} */
const kept = new Map();
/** Maximum number of texts that are kept. */
const MAX_KEPT = 5000;

/** The space after a sentence, and not that after a number of a list. */
const SENTENCE_END = /(?<=\.)(?<!(?:^|[,:] )\d\.) (?=\S)/;

/** A text in the page's language; `null` if the table does not have it. @param {string} text @param {number} depth @returns {string | null} */
function wordsFor(text, depth) {
  if (Object.hasOwn(wordTable, text)) return wordTable[text];
  if (text === '' || depth === MAX_DEPTH) return null;
  const before = kept.get(text);
  if (before !== undefined) return before;
  const words = composedWords(text, depth + 1);
  if (kept.size > MAX_KEPT) kept.clear();
  kept.set(text, words);
  return words;
}

/** @param {string} text @param {number} depth @returns {string | null} */
function composedWords(text, depth) {
  const sentences = allOf(text.split(SENTENCE_END), depth);
  if (sentences) return sentences.join('');
  for (const template of wordTemplates) {
    const words = fitted(text, template, depth);
    if (words !== null) return words;
  }
  for (const separator of SEPARATORS) {
    const parts = allOf(text.split(separator), depth);
    if (parts) return parts.reduce((list, part) => wordTable[listKey(separator)].replace('{one}', () => list).replace('{other}', () => part));
  }
  // A sentence may begin with words that are elsewhere inside of one.
  const small = text[0].toLowerCase() + text.slice(1);
  return small === text ? null : wordsFor(small, depth);
}

/** A text in the language of the page, as far as the table has it. @param {string} text @returns {string} */
export function translated(text) {
  if (language === 'en' || text.length > MAX_LENGTH || !/[a-z]/i.test(text)) return text;
  return text.split(' \u00b7 ').map((part) => {
    const [, before, core, after] = /^(\s*)(.*?)(\s*)$/s.exec(part) ?? ['', '', part, ''];
    return before + (wordsFor(core, 0) ?? core) + after;
  }).join(' \u00b7 ');
}

/** A text that means something else in a context: its key is `context: text`. @param {string} context @param {string} text */
export function translatedIn(context, text) {
  return wordTable[`${context}: ${text}`] ?? translated(text);
}

/** The attributes that readers see or hear. */
export const SAID_ATTRIBUTES = ['title', 'aria-label', 'aria-valuetext'];

/** Translates the texts of an element of the document, and of all in it. @param {Element} element */
function translateElement(element) {
  if (element.matches('script, style, [translate="no"]')) return;
  for (const name of SAID_ATTRIBUTES) {
    const text = element.getAttribute(name);
    if (text) element.setAttribute(name, translated(text));
  }
  for (const child of element.childNodes) {
    if (child instanceof Element) translateElement(child);
    else if (child instanceof Text && child.data.trim() !== '') child.data = translated(child.data);
  }
}

/** Translates the document as it was loaded, and says its language. */
export function translateDocument() {
  document.documentElement.lang = LANGUAGE_TAGS[language] ?? language;
  if (language !== 'en') translateElement(document.documentElement);
}
