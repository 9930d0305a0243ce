import type {TerminalColour, TerminalStyle} from '../terminal-screen.ts';

type Attribute = Exclude<keyof TerminalStyle, 'foreground' | 'background'>;

const STARTS: Readonly<Record<number, Attribute>> = {
  1: 'bold',
  2: 'dim',
  3: 'italic',
  4: 'underline',
  7: 'inverse',
  9: 'strikethrough',
};
const ENDS: Readonly<Record<number, readonly (keyof TerminalStyle)[]>> = {
  22: ['bold', 'dim'],
  23: ['italic'],
  24: ['underline'],
  27: ['inverse'],
  29: ['strikethrough'],
  39: ['foreground'],
  49: ['background'],
};

/** The look behind a sequence SGR; undefined for none. What is not known changes nothing. */
export function styleAfter(before: TerminalStyle | undefined, parameters: string): TerminalStyle | undefined {
  let style: TerminalStyle = before ?? {};
  const codes = parameters.split(/[;:]/).map(Number);
  for (let index = 0; index < codes.length; index++) {
    const code = codes[index] ?? 0;
    if (code === 38 || code === 48) {
      const isRgb = codes[index + 1] === 2;
      const colour = isRgb ? rgb(codes.slice(index + 2, index + 5)) : palette(codes[index + 2]);
      style = withColour(style, code === 38 ? 'foreground' : 'background', colour);
      index += isRgb ? 4 : 2;
    } else style = afterCode(style, code);
  }
  return Object.keys(style).length === 0 ? undefined : style;
}

function afterCode(style: TerminalStyle, code: number): TerminalStyle {
  const attribute = STARTS[code];
  if (attribute !== undefined) return {...style, [attribute]: true};
  if (code === 0) return {};
  const ended = ENDS[code];
  if (ended !== undefined)
    return Object.fromEntries(
      Object.entries(style).filter(([name]) => !ended.includes(name as keyof TerminalStyle)),
    );
  const side = (code >= 30 && code <= 37) || (code >= 90 && code <= 97) ? 'foreground' : 'background';
  const first = side === 'foreground' ? code : code - 10;
  if (first >= 30 && first <= 37) return withColour(style, side, first - 30);
  return first >= 90 && first <= 97 ? withColour(style, side, first - 90 + 8) : style;
}

function withColour(
  style: TerminalStyle,
  side: 'foreground' | 'background',
  colour: TerminalColour | undefined,
): TerminalStyle {
  return colour === undefined ? style : {...style, [side]: colour};
}

function palette(number: number | undefined): TerminalColour | undefined {
  return number !== undefined && Number.isInteger(number) && number >= 0 && number <= 255
    ? number
    : undefined;
}

function rgb(parts: readonly number[]): TerminalColour | undefined {
  if (parts.length < 3 || parts.some((part) => palette(part) === undefined)) return undefined;
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}
