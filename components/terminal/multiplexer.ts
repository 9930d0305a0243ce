/** Terminator of an OSC or DCS string. */
export const STRING_END = '\x1b\\';

/** Returns a function that wraps a sequence for the terminal outside of tmux (with `allow-passthrough`) or GNU screen; unchanged without them. */
export function throughMultiplexer(
  env: Readonly<Record<string, string | undefined>>,
): (sequence: string) => string {
  if (env['TMUX']) return (sequence) => `\x1bPtmux;${sequence.replaceAll('\x1b', '\x1b\x1b')}${STRING_END}`;
  // The inner terminator would end the outer string: screen accepts a bell there.
  if (env['STY']) return (sequence) => `\x1bP${sequence.replaceAll(STRING_END, '\x07')}${STRING_END}`;
  return (sequence) => sequence;
}
