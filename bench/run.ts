import {availableParallelism} from 'node:os';
import {fullScreen} from './measures/full-screen.ts';
import {idle} from './measures/idle.ts';
import {large, toolCalls} from './measures/large.ts';
import {files, lists} from './measures/lists.ts';
import {longTranscript, turns} from './measures/long-transcript.ts';
import {growth, oneShot} from './measures/one-shot.ts';
import {sandbox} from './measures/sandbox.ts';
import {board, sessions} from './measures/sessions.ts';
import {background, sharedAgent} from './measures/background.ts';
import {reopening} from './measures/reopening.ts';
import {snapshots} from './measures/snapshots.ts';
import {startup} from './measures/startup.ts';
import {stored} from './measures/stored.ts';
import {streaming, subagents} from './measures/streaming.ts';
import {typing} from './measures/typing.ts';
import {format} from './row.ts';

/**
 * `npm run bench [-- name…] [--quick]`: each figure beside a baseline of the same run, since only ratios carry over from one machine
 * to another. Not a test: a missed target is reported, but nothing fails.
 */
const MEASURES = [
  startup,
  oneShot,
  streaming,
  longTranscript,
  fullScreen,
  growth,
  toolCalls,
  subagents,
  large,
  idle,
  files,
  lists,
  sandbox,
  sessions,
  board,
  background,
  sharedAgent,
  reopening,
  snapshots,
  turns,
  stored,
  typing,
];
const names = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const scale = process.argv.includes('--quick') ? 0.1 : 1;

const known = MEASURES.map(({name}) => name).join(', ');
if (process.argv.includes('--help')) {
  console.log(`npm run bench [-- name…] [--quick]\n\n--quick runs a tenth. Names: ${known}`);
  process.exit(0);
}
const unknown = names.filter((name) => !MEASURES.some((measure) => measure.name === name));
if (unknown.length > 0) {
  console.error(`Unknown name "${unknown.join(' ')}". Names: ${known}`);
  process.exit(2);
}

console.log(`Node ${process.version}, ${availableParallelism()} cores, scale ${scale}`);
for (const measure of MEASURES) {
  if (names.length > 0 && !names.includes(measure.name)) continue;
  for (const row of await measure.run(scale)) console.log(format(row));
}
process.exit(0);
