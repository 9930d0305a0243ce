import type {Charset} from '../theme/symbols.ts';
import type {ColorLevel} from '../../src/app/themes/theme-palette.ts';

export type TerminalCapabilities = ReturnType<typeof detectCapabilities>;

/** The user's settings for the terminal. */
export interface TerminalPreferences {
  /** Linear output, with words instead of symbols. */
  readonly screenReader?: boolean;
  readonly glyphs?: 'auto' | Charset;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Detects the terminal's capabilities from the environment: colors, characters, hyperlinks, redrawing. `detected` is chalk's color support of the stream, which honors FORCE_COLOR and TERM but not
 * NO_COLOR.
 */
export function detectCapabilities(
  env: Environment,
  detected: ColorLevel,
  {screenReader = false, glyphs = 'auto'}: TerminalPreferences = {},
) {
  const isDumb = screenReader || env['TERM'] === 'dumb';
  const noColor = isSet(env['NO_COLOR']) && !isSet(env['FORCE_COLOR']);
  const colors: ColorLevel = screenReader || noColor || (isDumb && !isSet(env['FORCE_COLOR'])) ? 0 : detected;
  const charset: Charset = glyphs === 'auto' ? (speaksUtf8(env) ? 'unicode' : 'ascii') : glyphs;
  return {
    colors,
    /** True if text can be bold, dim, underlined or inverse. */
    emphasis: !isDumb || (!screenReader && isSet(env['FORCE_COLOR'])),
    charset,
    hyperlinks: !isDumb && showsHyperlinks(env),
    /** False to avoid all animation. */
    animations: !isDumb,
    /** True if the cursor cannot be moved, so that all output is appended. */
    isLinear: isDumb,
    /** True if the terminal rewraps lines when it is resized; xterm, screen and the Linux console cut them. */
    reflows:
      !isSet(env['XTERM_VERSION']) && env['TERM'] !== 'linux' && !(isSet(env['STY']) && !isSet(env['TMUX'])),
  };
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '';
}

/** The first of these that is set decides, as in POSIX; if none is set, UTF-8 is assumed. */
function speaksUtf8(env: Environment): boolean {
  const locale = [env['LC_ALL'], env['LC_CTYPE'], env['LANG']].find(isSet);
  return locale === undefined ? env['TERM'] !== 'linux' : /utf-?8/i.test(locale);
}

/** Terminals without hyperlinks usually ignore them; those listed here print the bytes. */
function showsHyperlinks(env: Environment): boolean {
  return env['TERM'] !== 'linux' && !isSet(env['STY']) && env['TERM_PROGRAM'] !== 'Apple_Terminal';
}
