import {shadeOf, USUAL_BACKGROUNDS, type Shade} from './background.ts';
import {
  contrast,
  hexOf,
  indexedColor,
  mix,
  nearestIndex,
  readable,
  rgbOf,
  type Hex,
  type Rgb,
} from '../../text/color.ts';
import {
  agentHue,
  INKS,
  ROLES,
  SURFACES,
  findTheme,
  type AgentColors,
  type AnsiName,
  type Colors,
  type Ink,
  type InkRole,
  type Surface,
  type SurfaceRole,
  type Theme,
} from './themes.ts';

/** 0 for no colors, 1 for sixteen, 2 for 256, 3 for true color, as in chalk. */
export type ColorLevel = 0 | 1 | 2 | 3;

/** A color that the terminal can show: true color, an index into 256 colors, or a named one. */
type Shown = Hex | number | AnsiName | undefined;

/** The colors of a theme on a background, all readable on it. */
export interface Palette {
  readonly inks: Readonly<Record<InkRole, Shown>>;
  readonly surfaces: Readonly<Record<SurfaceRole, Shown>>;
  /** The color of a role on a surface other than the screen's. */
  readonly on: (role: InkRole, surface: SurfaceRole) => Shown;
  /** The color of an agent. */
  readonly hue: (agent: string) => Shown;
}

const MIN_CONTRAST = {text: 4.5, mark: 3, line: 1} as const;

interface Ground {
  readonly level: ColorLevel;
  /** The background color reported by the terminal; undefined if it did not report one. */
  readonly background?: Hex | undefined;
  readonly agentColors?: AgentColors | undefined;
}

/** Returns the colors of a theme for this terminal. */
export function paletteOf(theme: Theme, {level, background, agentColors}: Ground): Palette {
  const {colors, shade, real} = drawnOn(theme, {level, background});
  const ground = rgbOf(real);
  const place = {ground, shade, level};
  const surfaces = mapRoles(SURFACES, (role) =>
    (role === 'surface' ? legibleSurface : shownSurface)(colors[role], place),
  );
  const isCoarse = level === 2;
  const shown = (ink: Ink, backgrounds: readonly Rgb[], least: number): Shown => {
    if (!isHex(ink)) return ink;
    const fit = readable(rgbOf(ink), backgrounds, least);
    return isCoarse ? nearestIndex(fit, backgrounds, least) : hexOf(fit);
  };
  const grounds = [ground, colorOf(surfaces.surface)].filter((each) => each !== undefined);
  return {
    inks: mapRoles(INKS, (role) => shown(colors[role], grounds, MIN_CONTRAST[ROLES[role]])),
    surfaces,
    on(role, surface) {
      const below = colorOf(surfaces[surface]);
      return shown(colors[role], below ? [below] : grounds, MIN_CONTRAST[ROLES[role]]);
    },
    hue: (agent) =>
      isHex(colors.accent) ? shown(agentHue(agent, agentColors), grounds, MIN_CONTRAST.text) : undefined,
  };
}

/** Returns the colors for the background, and the background that they are meant for. */
function drawnOn(theme: Theme, {level, background}: Ground) {
  const fit =
    level === 0 ? findTheme('plain') : level === 1 && theme.name !== 'plain' ? findTheme('ansi16') : theme;
  const wanted: Shade = background === undefined ? 'dark' : shadeOf(background);
  const shade = fit.colors[wanted] ? wanted : wanted === 'dark' ? 'light' : 'dark';
  const colors: Colors | undefined = fit.colors[shade];
  if (colors === undefined) throw new Error(`theme ${fit.name} has no colors`);
  // A theme for the other shade was selected: the user's choice overrides the reported background.
  const real = background !== undefined && shade === wanted ? background : USUAL_BACKGROUNDS[shade];
  return {colors, shade, real};
}

interface Place {
  readonly ground: Rgb;
  readonly shade: Shade;
  readonly level: ColorLevel;
}

/** Strengths of a surface: reduced until text is readable both on it and next to it. */
const STRENGTHS = [1, 0.8, 0.6, 0.4, 0.2, 0.1];

/** Returns a surface on which the same colors are readable as next to it; undefined if there is none. */
function legibleSurface(surface: Surface, place: Place): Shown {
  if (surface === undefined) return undefined;
  const {tint, share, ...more} = typeof surface === 'string' ? {tint: surface, share: 1} : surface;
  return STRENGTHS.map((strength) => shownSurface({tint, share: share * strength, ...more}, place)).find(
    (shown) => hasInk([place.ground, colorOf(shown) ?? place.ground], place.level),
  );
}

/** True if a color that the terminal has can be read on all of these. */
function hasInk(backgrounds: readonly Rgb[], level: ColorLevel): boolean {
  const fit = readable(rgbOf('#808080'), backgrounds, MIN_CONTRAST.text);
  const ink = level === 2 ? indexedColor(nearestIndex(fit, backgrounds, MIN_CONTRAST.text)) : fit;
  return backgrounds.every((each) => contrast(ink, each) >= MIN_CONTRAST.text);
}

function shownSurface(surface: Surface, {ground, shade, level}: Place): Shown {
  if (surface === undefined) return undefined;
  const isMixed = typeof surface !== 'string';
  const color = isMixed ? mix(ground, rgbOf(surface.tint), surface.share) : rgbOf(surface);
  if (level !== 2) return hexOf(color);
  return (isMixed ? surface.indexed?.[shade] : undefined) ?? nearestIndex(color, [], 1);
}

/** Undefined for colors that only the terminal knows. */
export function colorOf(shown: Shown): Rgb | undefined {
  if (typeof shown === 'number') return indexedColor(shown);
  return isHex(shown) ? rgbOf(shown) : undefined;
}

function isHex(value: unknown): value is Hex {
  return typeof value === 'string' && value.startsWith('#');
}

function mapRoles<Name extends string>(
  roles: readonly Name[],
  give: (role: Name) => Shown,
): Readonly<Record<Name, Shown>> {
  return Object.fromEntries(roles.map((role) => [role, give(role)])) as Record<Name, Shown>;
}
