import {sanitizeLine} from './sanitize.ts';

/** Safe HTML: only this file creates it, and anything that is not HTML yet is escaped. */
export interface Markup {
  readonly markup: string;
}

export type Part = string | number | Markup | undefined | readonly Part[];

/** A template of HTML that escapes its values, unless they are HTML already. */
export function markup(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  const text = strings.map((string, index) => string + (index < parts.length ? of(parts[index]) : ''));
  return {markup: text.join('')};
}

function of(part: Part): string {
  if (part === undefined) return '';
  if (typeof part === 'number') return String(part);
  if (typeof part === 'string') return escape(part);
  if ('markup' in part) return part.markup;
  return part.map(of).join('');
}

const REFERENCES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text for HTML, in an element or in a quoted attribute. */
export function escape(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => REFERENCES[character] ?? '');
}

/** Allowed link targets in an exported page. */
const SAFE = /^(?:https?:\/\/|mailto:)[^\s\p{Cc}]+$/iu;

/** Returns a link as HTML; an unsafe target is shown as text. `words` is already HTML, `plain` the same as text. */
export function linkTo(
  target: string,
  {words, plain}: {readonly words: string; readonly plain: string},
): string {
  const address = sanitizeLine(target);
  const shown = words === '' ? escape(address) : words;
  const isSame = plain === '' || address === plain || address === `mailto:${plain}`;
  const beside = isSame ? '' : ` <span class="target">(${escape(address)})</span>`;
  if (!SAFE.test(address)) return shown + beside;
  return `<a href="${escape(address)}" rel="noopener noreferrer nofollow">${shown}</a>${beside}`;
}
