const SGR = /\x1b\[([\d;:]*)m|\x1b\]8;[^;\x07\x1b]*;([^\x07\x1b]*)(?:\x07|\x1b\\)/g;

/** What ends each attribute; colours are told apart in `closeOf`. */
const CLOSES: Readonly<Record<number, number>> = {
  1: 22,
  2: 22,
  3: 23,
  4: 24,
  5: 25,
  7: 27,
  8: 28,
  9: 29,
  53: 55,
};

const LINK = 8;

/** Makes each line stand on its own: what is open at a line's end is closed there and opened again on the next. */
export function carryStyles(lines: readonly string[]): string[] {
  const open = new Map<string, {readonly start: string; readonly end: string}>();
  return lines.map((line) => {
    const starts = [...open.values()].map(({start}) => start).join('');
    for (const [sequence, parameters, target] of line.matchAll(SGR)) {
      if (parameters === undefined) setLink(open, sequence, target ?? '');
      else applySgr(open, parameters);
    }
    if (line === '') return '';
    return (
      starts +
      line +
      [...open.values()]
        .reverse()
        .map(({end}) => end)
        .join('')
    );
  });
}

type Open = Map<string, {readonly start: string; readonly end: string}>;

function setLink(open: Open, sequence: string, target: string): void {
  open.delete(`link ${LINK}`);
  if (target !== '') open.set(`link ${LINK}`, {start: sequence, end: '\x1b]8;;\x07'});
}

function applySgr(open: Open, parameters: string): void {
  const codes = parameters.split(';');
  for (let index = 0; index < codes.length; index++) {
    const code = Number.parseInt(codes[index] || '0', 10);
    if (code === 0) for (const key of open.keys()) if (!key.startsWith('link')) open.delete(key);
    const extended = (code === 38 || code === 48 || code === 58) && !codes[index]?.includes(':');
    const length = extended ? (codes[index + 1] === '2' ? 5 : 3) : 1;
    const close = closeOf(code);
    if (close === undefined) deleteClosedBy(open, code);
    else {
      const key = close === 22 ? `22 ${code}` : String(close);
      open.delete(key);
      open.set(key, {start: `\x1b[${codes.slice(index, index + length).join(';')}m`, end: `\x1b[${close}m`});
    }
    index += length - 1;
  }
}

/** Bold and dim share their end. */
function deleteClosedBy(open: Open, code: number): void {
  for (const key of open.keys()) if (key === String(code) || key.startsWith(`${code} `)) open.delete(key);
}

function closeOf(code: number): number | undefined {
  if ((code >= 30 && code <= 38) || (code >= 90 && code <= 97)) return 39;
  if ((code >= 40 && code <= 48) || (code >= 100 && code <= 107)) return 49;
  return code === 58 ? 59 : CLOSES[code];
}
