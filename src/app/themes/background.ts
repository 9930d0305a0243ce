import {luminance, rgbOf, type Hex, hexOf} from '../../text/color.ts';

/** The query for the background color (OSC 11). https://invisible-island.net/xterm/ctlseqs/ctlseqs.html */
export const ASK_FOR_BACKGROUND = '\x1b]11;?\x07';

const ANSWER =
  /^\x1b\]11;(?:rgba?:([0-9a-f]{1,4})\/([0-9a-f]{1,4})\/([0-9a-f]{1,4})(?:\/[0-9a-f]{1,4})?|#([0-9a-f]{6}))(?:\x07|\x1b\\)$/i;

/** Returns the background color in a terminal's answer; undefined for any other sequence. */
export function backgroundIn(sequence: string): Hex | undefined {
  const match = ANSWER.exec(sequence);
  if (!match) return undefined;
  const [, red = '', green = '', blue = '', whole] = match;
  if (whole !== undefined) return `#${whole.toLowerCase()}`;
  return hexOf({red: level(red), green: level(green), blue: level(blue)});
}

/** One to four hex digits, scaled to the full range. */
function level(digits: string): number {
  return (Number.parseInt(digits, 16) / (16 ** digits.length - 1)) * 255;
}

/** Returns the background from rxvt's `COLORFGBG`: `15;0`, foreground before background. */
export function backgroundFrom({COLORFGBG}: Readonly<Record<string, string | undefined>>): Hex | undefined {
  const [index] = /(?:^|;)(\d+)$/.exec(COLORFGBG ?? '')?.slice(1) ?? [];
  if (index === undefined) return undefined;
  // White and light gray; the bright colors, 9 to 14, are meant for text.
  return ['7', '15'].includes(index) ? USUAL_BACKGROUNDS.light : USUAL_BACKGROUNDS.dark;
}

/** The assumed background if it is unknown. */
export const USUAL_BACKGROUNDS = {dark: '#16181d', light: '#ffffff'} as const;

export type Shade = keyof typeof USUAL_BACKGROUNDS;

/** Luminance below which white text has the better contrast. */
const MIDDLE = 0.18;

export function shadeOf(background: Hex): Shade {
  return luminance(rgbOf(background)) < MIDDLE ? 'dark' : 'light';
}
