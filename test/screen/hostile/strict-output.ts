import stringWidth from 'string-width';

/** Every sequence that this program may write, anchored at the position of the match. */
const SEQUENCES: Readonly<Record<string, RegExp>> = {
  style: /\x1b\[((?:\d+(?:;\d+)*)?)m/y,
  move: /\x1b\[\d*[A-H]/y,
  shift: /\x1b\[\d+[LM]/y,
  erase: /\x1b\[[02]?[JK]/y,
  mode: /\x1b\[\?(?:25|1004|2004|2026|2031)[hl]/y,
  keyboard: /\x1b\[(?:\?u|>\d*u|<\d*u|=\d+(?:;\d+)?u)/y,
  titleStack: /\x1b\[2[23];2t/y,
  title: /\x1b\]2;[^\x00-\x1f\x7f-\x9f]*\x07/y,
  background: /\x1b\]11;\?\x07/y,
  name: /\x1b\[>q/y,
  prompt: /\x1b\]133;(?:A;redraw=0|C)\x1b\\/y,
  link: /\x1b\]8;[^;\x00-\x1f\x7f-\x9f]*;([\x21-\x7e]*)(?:\x07|\x1b\\)/y,
  lineFeed: /[\r\n]/y,
  text: /[^\x00-\x1f\x7f-\x9f]+/y,
};

/** Styles that hide nothing: no concealed text (8), no blinking. */
const STYLES = /^(?:0|[1-4]|7|9|2[1-9]|3[0-79]|4[0-79]|9[0-7]|10[0-7]|[34]8;5;\d+|[34]8;2;\d+;\d+;\d+)?$/;
const SAFE_LINK = /^(?:https?:|mailto:|file:|$)/i;
/** Bidirectional controls, invisible characters, surrogates; written independently of the program. */
const FORBIDDEN =
  /[\ud800-\udfff\u200b\u200e\u200f\u061c\u2028-\u202e\u2066-\u2069\ufeff\u{e0000}\u{e0001}]/u;

/** Problems of output written to a terminal with this many columns; expected to be none. */
export function problemsWith(output: string, columns: number): string[] {
  const problems: string[] = [];
  let line = '';
  let link = '';
  const links: Link[] = [];
  const endLine = () => {
    if (stringWidth(line) > columns) problems.push(`${stringWidth(line)} columns: ${JSON.stringify(line)}`);
    line = '';
  };
  for (let at = 0; at < output.length;) {
    const token = tokenAt(output, at);
    if (!token) {
      problems.push(`not ours: ${JSON.stringify(output.slice(at, at + 40))}`);
      at++;
      continue;
    }
    const {kind, whole, detail} = token;
    at += whole.length;
    if (kind === 'text') {
      line += whole;
      if (link !== '') links.at(-1)!.shown += whole;
      if (FORBIDDEN.test(whole)) problems.push(`deceiving: ${JSON.stringify(whole)}`);
    } else if (kind === 'style') {
      if (!STYLES.test(detail)) problems.push(`style ${detail}`);
    } else if (kind === 'link') {
      link = detail;
      if (!SAFE_LINK.test(detail)) problems.push(`link to ${detail}`);
      // A link continued in the next row is one link.
      if (detail !== '' && links.at(-1)?.target !== detail) links.push({target: detail, shown: ''});
    } else if (kind === 'move' || kind === 'lineFeed') {
      endLine();
      if (link !== '') problems.push(`link to ${link} goes on behind its line`);
    }
  }
  endLine();
  return [
    ...problems,
    ...links
      .filter((each) => !showsTarget(each))
      .map(({target, shown}) => `link to ${target} reads ${shown}`),
  ];
}

interface Link {
  readonly target: string;
  shown: string;
}

/** A link shows its target, even if wrapped. */
function showsTarget({target, shown}: Link): boolean {
  const asAddress = shown.replace(/\s/g, '').replace(/[^\x21-\x7e]/gu, encodeURIComponent);
  const wanted = target.replace(/^mailto:/, '').replaceAll('%20', '');
  return asAddress.includes(wanted);
}

function tokenAt(output: string, at: number) {
  for (const [kind, pattern] of Object.entries(SEQUENCES)) {
    pattern.lastIndex = at;
    const found = pattern.exec(output);
    if (found) return {kind, whole: found[0], detail: found[1] ?? ''};
  }
  return undefined;
}
