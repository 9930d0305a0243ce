import {minOf} from './lists.ts';
/** A color with components from 0 to 255. */
export interface Rgb {
  readonly red: number;
  readonly green: number;
  readonly blue: number;
}

/** `#rrggbb`. */
export type Hex = `#${string}`;

const WHITE: Rgb = {red: 255, green: 255, blue: 255};
const BLACK: Rgb = {red: 0, green: 0, blue: 0};

/** Parses `#rrggbb`, which must be valid. */
export function rgbOf(hex: Hex): Rgb {
  const part = (at: number) => Number.parseInt(hex.slice(at, at + 2), 16);
  return {red: part(1), green: part(3), blue: part(5)};
}

export function hexOf({red, green, blue}: Rgb): Hex {
  const part = (value: number) => Math.round(value).toString(16).padStart(2, '0');
  return `#${part(red)}${part(green)}${part(blue)}`;
}

/** Mixes a share of the second color into the first, from 0 to 1. */
export function mix(one: Rgb, other: Rgb, share: number): Rgb {
  const part = (name: keyof Rgb) => one[name] + (other[name] - one[name]) * share;
  return {red: part('red'), green: part('green'), blue: part('blue')};
}

/** Returns the relative luminance, from 0 to 1: https://www.w3.org/TR/WCAG21/#dfn-relative-luminance */
export function luminance({red, green, blue}: Rgb): number {
  const part = (value: number) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * part(red) + 0.7152 * part(green) + 0.0722 * part(blue);
}

/** Returns the contrast ratio, from 1 for equal luminance to 21 for black and white. */
export function contrast(one: Rgb, other: Rgb): number {
  return contrastOf(luminance(one), luminance(other));
}

function contrastOf(one: number, other: number): number {
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
}

const STEP = 0.04;

/** Returns the color, lightened or darkened as far as necessary to be readable on all backgrounds. */
export function readable(color: Rgb, backgrounds: readonly Rgb[], least: number): Rgb {
  const lowest = (candidate: Rgb) => minOf(backgrounds.map((each) => contrast(candidate, each)));
  if (lowest(color) >= least) return color;
  const end = lowest(WHITE) >= lowest(BLACK) ? WHITE : BLACK;
  for (let share = STEP; share < 1; share += STEP) {
    const candidate = mix(color, end, share);
    // Checked after rounding to whole numbers.
    if (lowest(rgbOf(hexOf(candidate))) >= least) return candidate;
  }
  // Between a light and a dark background, only a few grays may be.
  const grays = Array.from({length: 256}, (_, level) => ({red: level, green: level, blue: level}));
  return grays.find((gray) => lowest(gray) >= least) ?? end;
}

/** The first sixteen of 256 colors depend on the user's terminal. */
const FIRST = 16;
const GRAYS = 232;
const LEVELS = [0, 95, 135, 175, 215, 255] as const;

/** The other 240 colors, which are the same in every terminal. */
const fixed: readonly Rgb[] = Array.from({length: 256 - FIRST}, (_, index) => {
  if (index >= GRAYS - FIRST) {
    const level = 8 + (index - (GRAYS - FIRST)) * 10;
    return {red: level, green: level, blue: level};
  }
  const level = (place: number) => LEVELS[place % 6] ?? 0;
  return {red: level(Math.floor(index / 36)), green: level(Math.floor(index / 6)), blue: level(index)};
});

/** Luminance of each, computed on first use to keep it out of the first paint. */
const brightness: number[] = [];

/** Returns the color with an index from 16 to 255. */
export function indexedColor(index: number): Rgb {
  return fixed[index - FIRST] ?? BLACK;
}

/** Returns the nearest of 256 colors that is readable on the backgrounds, or else the nearest one. */
export function nearestIndex(color: Rgb, backgrounds: readonly Rgb[], least: number): number {
  const nearest = (isFit: (index: number) => boolean) => {
    let found: number | undefined;
    let best = Infinity;
    for (const [index, candidate] of fixed.entries()) {
      const far = distance(color, candidate);
      if (far >= best || !isFit(index)) continue;
      found = index + FIRST;
      best = far;
    }
    return found;
  };
  const below = backgrounds.map(luminance);
  const fits = (index: number) => {
    const own = (brightness[index] ??= luminance(fixed[index] ?? BLACK));
    return below.every((each) => contrastOf(own, each) >= least);
  };
  return nearest(fits) ?? nearest(() => true) ?? FIRST;
}

/** Returns the distance of two colors, for finding the nearest. https://www.compuphase.com/cmetric.htm */
function distance(one: Rgb, other: Rgb): number {
  const red = (one.red + other.red) / 2;
  return (
    (2 + red / 256) * (one.red - other.red) ** 2 +
    4 * (one.green - other.green) ** 2 +
    (2 + (255 - red) / 256) * (one.blue - other.blue) ** 2
  );
}
