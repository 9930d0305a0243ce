/** The end of an OSC or DCS string. */
export const STRING_END = '\x1b\\';

/** Returns how a sequence reaches the terminal around tmux (with `allow-passthrough`) or GNU screen; as it is without them. */
export function throughMultiplexer(
  env: Readonly<Record<string, string | undefined>>,
): (sequence: string) => string {
  if (env['TMUX']) return (sequence) => `\x1bPtmux;${sequence.replaceAll('\x1b', '\x1b\x1b')}${STRING_END}`;
  // The end of a string within would end the outer one: screen takes a bell there.
  if (env['STY']) return (sequence) => `\x1bP${sequence.replaceAll(STRING_END, '\x07')}${STRING_END}`;
  return (sequence) => sequence;
}
