import type {TerminalState} from '../session/state.ts';

/** What a command printed, as far as it is kept: as it looked where it was interpreted, without colours. */
export function terminalText({screen, output, truncated}: TerminalState): string {
  const text = screen
    ? screen.rows
        .map((row) =>
          row
            .map((run) => run.text)
            .join('')
            .trimEnd(),
        )
        .join('\n')
    : output;
  const kept = text.replace(/^\n+|\s+$/g, '');
  const isCut = screen ? screen.dropped > 0 : truncated;
  return isCut ? `… (what came before is not kept)\n${kept}` : kept;
}
