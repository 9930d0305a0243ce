import {fencedBlocks} from '../../text/markdown/fences.ts';
import {sanitizeLine} from '../../text/sanitize.ts';

/** Every line as part of a quote: whatever is open in it ends with it. */
export function quoted(text: string): string {
  return text
    .trim()
    .split('\n')
    .map((line) => (line === '' ? '>' : `> ${line}`))
    .join('\n');
}

/** Text between fences that nothing in it can close. */
export function fenced(text: string, language = ''): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`{3,}/g), ([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text.replace(/\n+$/, '')}\n${fence}`;
}

/** Foreign text within a line, without what Markdown would take for marks. */
export function inLine(text: string): string {
  return sanitizeLine(text).replaceAll(/[\\`*_[\]<>#|~!]/g, '\\$&');
}

export function listed(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join('\n');
}

/** Markdown of the agent, with the end of a code block that it left open: what follows is no code. */
export function closed(markdown: string): string {
  const last = fencedBlocks(markdown).at(-1);
  // What is set in further ends with what it is in.
  if (!last || last.isClosed || last.indent > 3) return markdown;
  return `${markdown.replace(/\n$/, '')}\n${last.fence}`;
}
