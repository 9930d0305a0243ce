import type {TerminalState} from '../../session/state.ts';
import type {TerminalColour, TerminalRun, TerminalStyle} from '../../session/terminal-screen.ts';
import {exitWords} from '../../session/words/exit.ts';
import {terminalText} from '../terminal-text.ts';
import {markup, type Markup} from './markup.ts';

/** A command: what was typed, what it printed in its colours, and how it ended when that was not well. */
export function terminalHtml(terminal: TerminalState): Markup {
  const {command, screen, exit} = terminal;
  const typed = command === undefined ? undefined : markup`<span class="command">$ ${command}</span>\n`;
  const output = screen ? markup`${rowsHtml(terminal)}` : markup`${terminalText(terminal)}\n`;
  const words = exit && exitWords(exit);
  const ended = words === undefined ? undefined : markup`<span class="error">${words}</span>\n`;
  return markup`<pre class="terminal">${typed}${output}${ended}</pre>\n`;
}

function rowsHtml({screen}: TerminalState): readonly Markup[] {
  const {rows, dropped} = screen ?? {rows: [], dropped: 0};
  const first = rows.findIndex((row) => row.length > 0);
  const last = rows.findLastIndex((row) => row.length > 0);
  const cut =
    dropped > 0 ? [markup`<span class="dim">… ${dropped} rows before this are not kept</span>\n`] : [];
  return [...cut, ...rows.slice(Math.max(0, first), last + 1).map((row) => markup`${row.map(runHtml)}\n`)];
}

function runHtml({text, style}: TerminalRun): Markup {
  const css = style && styleOf(style);
  return css === undefined || css === '' ? markup`${text}` : markup`<span style="${css}">${text}</span>`;
}

const FOREGROUND = '#d8dee9';
const BACKGROUND = '#1b1f27';

function styleOf(style: TerminalStyle): string {
  const {foreground, background, inverse} = style;
  const [front, back] = [cssColour(foreground), cssColour(background)];
  const [ink, paper] = inverse ? [back ?? BACKGROUND, front ?? FOREGROUND] : [front, back];
  const lines = [style.underline && 'underline', style.strikethrough && 'line-through'].filter(Boolean);
  return [
    ink && `color:${ink}`,
    paper && `background:${paper}`,
    style.bold && 'font-weight:bold',
    style.dim && 'opacity:.65',
    style.italic && 'font-style:italic',
    lines.length > 0 && `text-decoration:${lines.join(' ')}`,
  ]
    .filter(Boolean)
    .join(';');
}

/** The sixteen that a terminal has its own idea of. */
const PALETTE =
  '#3b4252 #e06c75 #98c379 #e5c07b #61afef #c678dd #56b6c2 #abb2bf #7f8796 #ff7b85 #b5e08f #ffd98f #82c4ff #de92f2 #73d6e2 #ffffff'.split(
    ' ',
  );
const STEPS = [0, 95, 135, 175, 215, 255];
/** The colours of the cube begin here, behind it the greys. */
const [CUBE, GREYS] = [16, 232];

/** Undefined for what is no colour of a terminal. */
function cssColour(colour: TerminalColour | undefined): string | undefined {
  if (typeof colour === 'string') return /^#[0-9a-f]{6}$/i.test(colour) ? colour : undefined;
  if (colour === undefined || !Number.isInteger(colour) || colour < 0 || colour > 255) return undefined;
  if (colour < CUBE) return PALETTE[colour];
  if (colour >= GREYS) return rgb(Array.from({length: 3}, () => 8 + (colour - GREYS) * 10));
  const place = colour - CUBE;
  return rgb([Math.floor(place / 36), Math.floor(place / 6) % 6, place % 6].map((step) => STEPS[step] ?? 0));
}

function rgb(parts: readonly number[]): string {
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}
