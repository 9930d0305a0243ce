import {outputLabel, type CommandOutput} from '../../src/app/command-output.ts';
import {sanitizeLine} from '../../src/text/sanitize.ts';
import {truncate} from '../../src/text/truncate.ts';
import type {Draw} from '../draw/draw.ts';

/** What goes along with the next prompt: a line for each command that printed it, the key that removes it with the last. */
export function outputLines(
  outputs: readonly CommandOutput[],
  key: string,
  {paint, columns}: Draw,
): string[] {
  return outputs.map((output, index) => {
    const how = index === outputs.length - 1 ? ` (${key} at the start of the prompt removes it)` : '';
    return paint.accent(
      truncate(`+ output of ${sanitizeLine(outputLabel(output))} goes along${how}`, columns),
    );
  });
}
