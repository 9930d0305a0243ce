import * as z from 'zod/mini';
import {ANSI_NAMES, INKS, SURFACES, THEME_NAMES} from '../../app/themes/themes.ts';

/** `#rrggbb`. */
export const color = z.templateLiteral(['#', z.string().check(z.regex(/^[0-9a-fA-F]{6}$/))]);

const ink = z.optional(z.union([color, z.enum(ANSI_NAMES)]));
const surface = z.optional(color);

const colors = z.optional(
  z.strictObject({
    ...(Object.fromEntries(INKS.map((role) => [role, ink])) as Record<(typeof INKS)[number], typeof ink>),
    ...(Object.fromEntries(SURFACES.map((role) => [role, surface])) as Record<
      (typeof SURFACES)[number],
      typeof surface
    >),
  }),
);

/** A theme of the user's own. */
export const themeSettings = z.strictObject({
  base: z.optional(z.enum(THEME_NAMES)),
  dark: colors,
  light: colors,
});

export const THEME_ALLOWED = 'an object with base (a built-in theme), dark and light (colors by role)';

/** Returns the names of all themes. */
export function themeNames(own: unknown): readonly string[] {
  const ownNames = typeof own === 'object' && own !== null ? Object.keys(own) : [];
  return [...new Set([...THEME_NAMES, ...ownNames])];
}
