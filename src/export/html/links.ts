import {sanitizeLine} from '../../text/sanitize.ts';
import {escape} from './markup.ts';

/** Where a link in an exported page may lead. */
const SAFE = /^(?:https?:\/\/|mailto:)[^\s\p{Cc}]+$/iu;

/** A link as HTML; what may not be followed is told beside its words. `words` is HTML already, `plain` the same as text. */
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
