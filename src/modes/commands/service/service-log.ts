import {closeSync, fstatSync, openSync, readSync} from 'node:fs';
import {StringDecoder} from 'node:string_decoder';
import {statIfAny} from '../../../shared/files/safe-files.ts';
import {sanitizeLine} from '../../../text/sanitize.ts';
import type {SubcommandIo} from '../../../cli/terminal-io.ts';

/** The first line of each service in acp-tui's log, which windows write, too. */
export const SERVICE_STARTS = 'the background service starts';

/** Number of lines that are printed of what is there. */
const MAX_LINES = 100;
/** How often the log is read on, in milliseconds. */
const FOLLOW_MS = 250;

/** Prints the last lines of the services in a log file, then with `follow` those that are added; resolves to the exit code. */
export async function printServiceLog(
  file: string,
  {follow}: {readonly follow: boolean},
  {stdout, stderr, onClosed}: SubcommandIo,
): Promise<number> {
  const serviceLines = createServiceLines();
  const log = openLog(file);
  const print = (lines: readonly string[]) => stdout.write(lines.map((line) => `${line}\n`).join(''));
  const known = serviceLines(openLog(`${file}.1`).read() + log.read()).slice(-MAX_LINES);
  print(known);
  if (known.length === 0) stderr('The service has logged nothing.\n');
  if (!follow) return 0;
  const {promise: closed, resolve} = Promise.withResolvers<void>();
  onClosed(resolve);
  const following = setInterval(() => print(serviceLines(log.read())), FOLLOW_MS);
  await closed;
  clearInterval(following);
  return 0;
}

/** Returns a function that picks the lines of services of a log, which it gets piece by piece. */
function createServiceLines(): (text: string) => readonly string[] {
  const services = new Set<string>();
  let rest = '';
  return (text) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    return lines.map(sanitizeLine).filter((line) => {
      const [, pid = ''] = line.split(' ', 2);
      if (line.endsWith(` ${SERVICE_STARTS}`)) services.add(pid);
      return services.has(pid);
    });
  };
}

/** Reads a log from its beginning on, also after it was renamed because it was full. */
function openLog(file: string) {
  const decoder = new StringDecoder();
  let handle: number | undefined;
  return {
    /** Returns what was added since the last time. */
    read(): string {
      const rest = handle === undefined ? '' : decoder.write(readRest(handle));
      const there = statIfAny(file);
      if (!there || (handle !== undefined && there.ino === fstatSync(handle).ino)) return rest;
      if (handle !== undefined) closeSync(handle);
      handle = openSync(file, 'r');
      return rest + decoder.write(readRest(handle));
    },
  };
}

function readRest(handle: number): Buffer {
  const pieces: Buffer[] = [];
  for (;;) {
    const piece = Buffer.alloc(64 * 1024);
    const size = readSync(handle, piece);
    if (size === 0) return Buffer.concat(pieces);
    pieces.push(piece.subarray(0, size));
  }
}
