import type {RecordingLine} from '../recording/format.ts';
import type {Check} from './examination.ts';
import {counted} from '../text/format.ts';

/** Checks output that is not protocol: other lines on stdout, and stderr. */
export function outputChecks(lines: readonly RecordingLine[]): readonly Check[] {
  if (lines.length === 0) return [];
  const noise = lines.flatMap((line) => (line.d === '<' && 'text' in line ? [line.text] : []));
  const errors = lines
    .flatMap((line) => (line.d === '!' ? [line.text] : []))
    .join('')
    .split('\n')
    .filter((text) => /\w{2}/.test(text));
  const stdout = {id: 'stdout', name: 'only messages on standard output', advertised: 'always'} as const;
  const besides = `${counted(noise.length, 'line')} of other output, the first: ${noise[0]}`;
  const note =
    errors.length === 0 ? 'nothing' : `${counted(errors.length, 'line')}, the last: ${errors.at(-1)}`;
  return [
    noise.length === 0 ? {...stdout, result: 'worked'} : {...stdout, result: 'failed', note: besides},
    {id: 'stderr', name: 'standard error', advertised: 'unspecified', result: 'worked', note},
  ];
}
