import {Chalk} from 'chalk';
import {describe, expect, test} from 'vitest';
import {
  ASK_FOR_BACKGROUND,
  backgroundFrom,
  backgroundIn,
  shadeOf,
} from '../../../../src/app/themes/background.ts';
import {contrast, rgbOf, type Hex} from '../../../../src/text/color.ts';
import {colorOf, paletteOf, type ColorLevel} from '../../../../src/app/themes/theme-palette.ts';
import {INKS, ROLES, SURFACES, findTheme, themes, type Theme} from '../../../../src/app/themes/themes.ts';

/** The defaults, those of well-known color schemes, and a gray. */
const BACKGROUNDS: readonly (Hex | undefined)[] = [
  undefined,
  '#000000',
  '#16181d',
  '#002b36',
  '#282a36',
  '#3b4252',
  '#5c5c5c',
  '#fdf6e3',
  '#ffffff',
];
const LEVELS: readonly ColorLevel[] = [2, 3];
/** The others are the terminal's own, whose colors are unknown. */
const known = themes.filter(({name}) => name !== 'ansi16' && name !== 'plain');
const cases = known.flatMap((theme) =>
  BACKGROUNDS.flatMap((background) => LEVELS.map((level) => [theme.name, background, level] as const)),
);

const least = {text: 4.5, mark: 3, line: 1};

/** The background of a theme: the terminal's, unless the theme is made for the other shade. */
function groundOf(theme: Theme, background: Hex | undefined): Hex {
  const shade = shadeOf(background ?? '#16181d');
  if (theme.colors[shade]) return background ?? '#16181d';
  return shade === 'dark' ? '#ffffff' : '#16181d';
}

describe('every role of a theme', () => {
  test.each(cases)('%s on %s with %i: is readable', (name, background, level) => {
    const theme = findTheme(name);
    const palette = paletteOf(theme, {level, background});
    const ground = rgbOf(groundOf(theme, background));
    const tooWeak = INKS.flatMap((role) => {
      const color = colorOf(palette.inks[role]);
      const places = [ground, colorOf(palette.surfaces.surface)];
      const onOwn = SURFACES.map((surface) => [
        colorOf(palette.on(role, surface)),
        colorOf(palette.surfaces[surface]),
      ]);
      return [...places.map((place) => [color, place]), ...onOwn].flatMap(([one, other]) =>
        one && other && contrast(one, other) >= least[ROLES[role]] ? [] : [role],
      );
    });
    expect(tooWeak).toEqual([]);
  });

  test.each(cases)(
    '%s on %s with %i: surfaces differ from the screen, and changed words from their line',
    (name, background, level) => {
      const {surfaces: shown} = paletteOf(findTheme(name), {level, background});
      expect(Object.values(shown)).not.toContain(undefined);
      expect(shown.added).not.toBe(shown.removed);
      expect(shown.addedWord).not.toBe(shown.added);
      expect(shown.removedWord).not.toBe(shown.removed);
    },
  );
});

test('without true color a theme uses the 16 colors, or none', () => {
  const chalk = new Chalk({level: 3});
  const {inks: sixteen, surfaces: none} = paletteOf(findTheme('dark'), {level: 1, background: '#ffffff'});
  const named = Object.values(sixteen).filter((color) => color !== undefined);
  expect(named).not.toEqual([]);
  expect(named.filter((color) => !(String(color) in chalk))).toEqual([]);
  expect(Object.values(none).filter(Boolean)).toEqual([]);
  expect(
    Object.values(paletteOf(findTheme('dark'), {level: 0, background: undefined}).inks).filter(Boolean),
  ).toEqual([]);
  expect(
    Object.values(paletteOf(findTheme('plain'), {level: 3, background: undefined}).inks).filter(Boolean),
  ).toEqual([]);
});

test.each([
  ['#ffffff', /cyan|yellow/],
  ['#000000', /blue/],
] as const)('the 16 colors on %s are readable', (background, unreadable) => {
  const {inks} = paletteOf(findTheme('auto'), {level: 1, background});
  expect(Object.values(inks).filter((color) => unreadable.test(String(color)))).toEqual([]);
});

test('the default theme is light on a light background', () => {
  const text = (background: Hex | undefined) =>
    paletteOf(findTheme('auto'), {level: 3, background}).inks.text;
  expect(text('#fdf6e3')).toBe(paletteOf(findTheme('light'), {level: 3, background: '#fdf6e3'}).inks.text);
  expect(text(undefined)).toBe(paletteOf(findTheme('dark'), {level: 3, background: undefined}).inks.text);
  expect(findTheme('no such').name).toBe('auto');
});

describe('the background', () => {
  test.each([
    ['\x1b]11;rgb:ffff/ffff/ffff\x1b\\', '#ffffff'],
    ['\x1b]11;rgb:1e/1e/2e\x07', '#1e1e2e'],
    ['\x1b]11;rgba:0000/2b2b/3636/ffff\x07', '#002b36'],
    ['\x1b]11;#FDF6E3\x07', '#fdf6e3'],
    ['\x1b]10;rgb:ffff/ffff/ffff\x07', undefined],
    ['\x1b]11;red\x07', undefined],
    [ASK_FOR_BACKGROUND, undefined],
  ])("is read from the terminal's response: %j", (answer, background) => {
    expect(backgroundIn(answer)).toBe(background);
  });

  test.each([
    ['0;15', 'light'],
    ['0;default;15', 'light'],
    ['15;0', 'dark'],
    ['7;8', 'dark'],
  ])('is guessed from COLORFGBG=%s', (COLORFGBG, shade) => {
    const background = backgroundFrom({COLORFGBG});
    expect(background && shadeOf(background)).toBe(shade);
  });

  test('is not guessed without information', () => {
    expect(backgroundFrom({})).toBeUndefined();
    expect(backgroundFrom({COLORFGBG: 'default'})).toBeUndefined();
  });
});

test("an agent's color is the user’s choice if set, and still readable", () => {
  const ground = {level: 3, background: '#ffffff'} as const;
  const usual = paletteOf(findTheme('auto'), ground);
  const own = paletteOf(findTheme('auto'), {...ground, agentColors: {Claude: '#ffff00'}});
  expect(own.hue('Claude Code')).not.toBe(usual.hue('Claude Code'));
  expect(own.hue('Codex')).toBe(usual.hue('Codex'));
  expect(contrast(colorOf(own.hue('Claude Code'))!, rgbOf('#ffffff'))).toBeGreaterThanOrEqual(4.5);
});
