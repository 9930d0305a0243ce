import {occurrences} from '../../text/diff/occurrences.ts';

/** A title that has a name so often is not searched further. */
const MOST = 20;

/** True if a text mentions a path or another name: as a whole, not as a part of a longer one. */
export function mentions(text: string, name: string): boolean {
  return occurrences(name, text, MOST).some((at) => {
    const end = at + name.length;
    return beginsName(text.charAt(at - 1)) && endsName(text.slice(end, end + 2));
  });
}

/** True if a name can begin after this character, or at the beginning. */
export function beginsName(before: string): boolean {
  return /^[\s`'"([{<]?$/.test(before);
}

/** True if a name ends before these two characters. */
function endsName(after: string): boolean {
  return /^(?:[\s`'")\]}>,;:]|[./]?$|[./]\s)/.test(after);
}
