import {detailOf, findingsText, signOf, timeOf, titleOf, type Finding, type FindingsOf} from './describe.ts';
import {messageOf, type Exchange} from './exchanges.ts';

/** Those that hold every word anywhere: in their messages, what is said of them, or what is wrong with them. */
export function matching(
  exchanges: readonly Exchange[],
  words: readonly string[],
  findingsOf: FindingsOf,
): readonly Exchange[] {
  const wanted = words.map((word) => word.toLowerCase());
  if (wanted.length === 0) return exchanges;
  return exchanges.filter((exchange) => {
    const text = searchText(exchange, findingsOf(exchange));
    return wanted.every((word) => text.includes(word));
  });
}

function searchText(exchange: Exchange, findings: readonly Finding[]): string {
  const {kind, from, line, answer} = exchange;
  const parts = [kind, `from ${from}`, titleOf(exchange), detailOf(exchange), findingsText(findings)];
  return [...parts, JSON.stringify(line), answer ? JSON.stringify(answer.message) : '']
    .join('\n')
    .toLowerCase();
}

/** One line each, in columns: time, direction, what, details; what is wrong stands below it. */
export function tableOf(exchanges: readonly Exchange[], findingsOf: FindingsOf): readonly string[] {
  const rows = exchanges.map((exchange) => ({exchange, title: titleOf(exchange)}));
  const titles = Math.min(50, Math.max(0, ...lengths(rows.map(({title}) => title))));
  const times = Math.max(0, ...lengths(exchanges.map(timeOf)));
  return rows.flatMap(({exchange, title}) => {
    const [time, sign] = [timeOf(exchange).padStart(times), signOf(exchange)];
    const indent = ' '.repeat(times + 4);
    const wrong = findingsOf(exchange).map((finding) => `${indent}${findingsText([finding])}`);
    return [`${time} ${sign} ${title.padEnd(titles)}  ${detailOf(exchange)}`.trimEnd()].concat(wrong);
  });
}

/** One exchange as data, for programs. */
export function dataOf(exchange: Exchange, findings: readonly Finding[]): object {
  const {index, life, t, from, kind, line, method, answer} = exchange;
  const id = messageOf(line)?.['id'];
  return {
    line: index + 1,
    life,
    t,
    from,
    kind,
    ...(method !== '' && {method}),
    ...(id !== undefined && {id}),
    ...('m' in line ? {message: line.m} : {}),
    ...('text' in line ? {text: line.text} : {}),
    ...(line.d === '#' && {process: line}),
    ...(answer && {answer: {line: answer.index + 1, latencyMs: answer.latencyMs, message: answer.message}}),
    ...(findings.length > 0 && {findings}),
  };
}

/** An exchange in full, as text to read. */
export function fullText(exchange: Exchange, findings: readonly Finding[]): string {
  const {line, answer} = exchange;
  const said = 'm' in line ? line.m : 'text' in line ? line.text : line;
  const parts = [typeof said === 'string' ? said : JSON.stringify(said, undefined, 2)];
  if (answer)
    parts.push(`Answer after ${answer.latencyMs} ms:`, JSON.stringify(answer.message, undefined, 2));
  return [...findings.map((finding) => findingsText([finding])), ...parts].join('\n\n');
}

function lengths(texts: readonly string[]): number[] {
  // More arguments than this and Math.max has no room on the stack.
  return texts.slice(0, 50_000).map((text) => text.length);
}
