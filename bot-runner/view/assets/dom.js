// Elements, made from texts and nothing else: a text never becomes markup. The texts appear in the language of the page.

import { SAID_ATTRIBUTES, translated } from './languages.js';

const SVG = 'http://www.w3.org/2000/svg';

/**
 * @typedef {string | number | boolean | null | undefined} Attribute
 * @typedef {Node | string | null | undefined | false} Child
 */

/**
 * With `translate: 'no'` the texts stay as they are: those are names and other texts of strangers.
 * @param {Element} element
 * @param {Record<string, Attribute>} attributes
 * @param {Child[]} children
 */
function fill(element, attributes, children) {
  const own = attributes.translate === 'no' ? String : translated;
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    element.setAttribute(name, value === true ? '' : SAID_ATTRIBUTES.includes(name) ? own(String(value)) : String(value));
  }
  for (const child of children) if (child) element.append(typeof child === 'string' ? own(child) : child);
}

/**
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} name
 * @param {Record<string, Attribute>} [attributes]
 * @param {...Child} children
 */
export function el(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  fill(element, attributes, children);
  return element;
}

/**
 * @template {keyof SVGElementTagNameMap} T
 * @param {T} name
 * @param {Record<string, Attribute>} [attributes]
 * @param {...Child} children
 */
export function svg(name, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, name);
  fill(element, attributes, children);
  return element;
}

/**
 * Writes a text into an element. A status is announced when it changes, so that the same text changes nothing.
 * @param {Element} element
 * @param {string} text
 */
export function write(element, text) {
  const words = translated(text);
  if (element.textContent !== words) element.textContent = words;
}

/**
 * The element of the page with this id.
 * @template {HTMLElement | SVGElement} [T=HTMLElement]
 * @param {string} id
 * @returns {T}
 */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return /** @type {T} */ (/** @type {unknown} */ (found));
}
