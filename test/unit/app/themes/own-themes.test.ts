import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {allThemes, ownThemes} from '../../../../src/app/themes/own-themes.ts';
import {contrast, rgbOf, type Hex} from '../../../../src/text/color.ts';
import {colorOf, paletteOf} from '../../../../src/app/themes/theme-palette.ts';
import {INKS, ROLES, SURFACES, findTheme, type Theme} from '../../../../src/app/themes/themes.ts';

const level = 3;
const dark = '#16181d';
const light = '#ffffff';

function mine(settings: Parameters<typeof ownThemes>[0]): Theme {
  const [theme] = ownThemes(settings);
  if (!theme) throw new Error('no theme');
  return theme;
}

describe('a custom theme', () => {
  test("has its own colors, and the base theme's for the rest", () => {
    const theme = mine({mine: {base: 'high-contrast', dark: {accent: '#ff79c6', surface: '#2b2d3a'}}});
    const palette = paletteOf(theme, {level, background: dark});
    const base = paletteOf(findTheme('high-contrast'), {level, background: dark});
    expect(palette.inks.accent).toBe('#ff79c6');
    expect(palette.surfaces.surface).toBe('#2b2d3a');
    expect(palette.surfaces.selection).toBe(base.surfaces.selection);
    expect(theme.description).toContain('high-contrast');
  });

  test('equals its base theme without colors of its own', () => {
    const theme = mine({mine: {dark: {text: '#ff0000'}}});
    const onLight = paletteOf(theme, {level, background: light}).inks;
    expect(onLight).toEqual(paletteOf(findTheme('auto'), {level, background: light}).inks);
  });

  test('is selected by name, and replaces a built-in one', () => {
    const own = ownThemes({mine: {}, dark: {dark: {accent: '#00ff00'}}});
    const names = allThemes(own).map(({name}) => name);
    expect(names.filter((name) => name === 'dark')).toHaveLength(1);
    expect(names).toContain('mine');
    expect(findTheme('dark', own).colors.dark?.accent).toBe('#00ff00');
    expect(findTheme('mine', own).name).toBe('mine');
  });

  test('can use the terminal’s own colors', () => {
    const theme = mine({mine: {base: 'ansi16', dark: {accent: 'magenta'}}});
    expect(paletteOf(theme, {level, background: dark}).inks.accent).toBe('magenta');
  });
});

test('a custom theme is readable on every background, whatever its colors', () => {
  const hex = fc
    .integer({min: 0, max: 0xffffff})
    .map((value): Hex => `#${value.toString(16).padStart(6, '0')}`);
  const colors = fc.record(Object.fromEntries([...INKS, ...SURFACES].map((role) => [role, hex])));
  const least = {text: 4.5, mark: 3, line: 1, surface: 1};
  fc.assert(
    fc.property(colors, hex, fc.constantFrom(2, 3), (given, background, level) => {
      const theme = mine({mine: {dark: given, light: given}});
      const {inks, surfaces, on} = paletteOf(theme, {level, background});
      for (const role of INKS) {
        const pairs = [
          [inks[role], background],
          [inks[role], surfaces.surface],
          ...SURFACES.map((surface) => [on(role, surface), surfaces[surface]]),
        ] as const;
        for (const [ink, below] of pairs)
          expect(contrast(colorOf(ink)!, colorOf(below) ?? rgbOf(background))).toBeGreaterThanOrEqual(
            least[ROLES[role]],
          );
      }
    }),
    {numRuns: 30},
  );
});

test('a light surface on a dark background leaves a narrow band of grays between them', () => {
  const background = '#000010';
  const theme = mine({mine: {dark: {surface: '#fefff6', accent: '#000000'}}});
  const {inks, surfaces} = paletteOf(theme, {level, background});
  for (const below of [rgbOf(background), colorOf(surfaces.surface)!])
    expect(contrast(colorOf(inks.accent)!, below)).toBeGreaterThanOrEqual(4.5);
});
