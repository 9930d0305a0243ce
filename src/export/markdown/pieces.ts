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

const FENCE = /^ {0,3}(`{3,}|~{3,})/;

/** Markdown of the agent, with the end of a code block that it left open: what follows is no code. */
export function closed(markdown: string): string {
  let open: string | undefined;
  for (const line of markdown.split('\n')) {
    const [, fence] = FENCE.exec(line) ?? [];
    if (open === undefined) open = fence;
    else if (fence?.startsWith(open) && line.trim() === fence) open = undefined;
  }
  return open === undefined ? markdown : `${markdown.replace(/\n$/, '')}\n${open}`;
}
