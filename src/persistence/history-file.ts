import {appendFileSync, statSync} from 'node:fs';
import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import * as z from 'zod/mini';
import {HISTORY_KEPT, type History} from '../app/history.ts';
import {makeFolder, PRIVATE_FILE, replaceFile} from './private-files.ts';

/** Earlier prompts of all projects, one JSON line each, only ever appended to, so that processes do not disturb each other. */
export interface HistoryFile {
  /** What was typed in this project and elsewhere. Lines that are broken are left out. */
  read(): Promise<History>;
  /** Appends a prompt, about 0.1 ms. Never throws. */
  add(text: string): void;
}

export interface HistoryOptions {
  /** Absolute; what was typed in it comes first. */
  readonly cwd: string;
  /** Now, in milliseconds since the epoch. */
  readonly now: () => number;
  /** Called at most once, when nothing can be stored. */
  readonly onProblem: (problem: unknown) => void;
}

/** A longer prompt is not kept: it is text that was pasted, and would be read at every start. */
const MAX_ENTRY_LENGTH = 100_000;
/** A file over this size is cut to its newer half. */
const MAX_BYTES = 8 * 1024 * 1024;

const lineSchema = z.object({at: z.number(), cwd: z.string(), text: z.string()});
type Line = z.infer<typeof lineSchema>;

export function openHistory(folder: string, {cwd, now, onProblem}: HistoryOptions): HistoryFile {
  const file = join(folder, 'history.jsonl');
  let isBroken = false;
  function add(text: string): void {
    if (isBroken || text.trim() === '' || text.length > MAX_ENTRY_LENGTH) return;
    try {
      makeFolder(folder);
      const line: Line = {at: now(), cwd, text};
      appendFileSync(file, `${JSON.stringify(line)}\n`, {mode: PRIVATE_FILE});
    } catch (error) {
      isBroken = true;
      onProblem(error);
    }
  }
  return {
    add,
    async read() {
      const lines = await readLines(file);
      return {
        project: newestOf(lines.filter((line) => line.cwd === cwd)),
        everywhere: newestOf(lines.filter((line) => line.cwd !== cwd)),
      };
    },
  };
}

/** Each text once, where it was last typed. */
function newestOf(lines: readonly Line[]): string[] {
  const texts = new Set<string>();
  for (const {text} of lines.toReversed()) {
    if (texts.size === HISTORY_KEPT) break;
    texts.add(text);
  }
  return [...texts].reverse();
}

async function readLines(file: string): Promise<Line[]> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const kept = Buffer.byteLength(text) > MAX_BYTES ? cut(file, text) : text;
  return kept.split('\n').flatMap(parseLine);
}

function parseLine(line: string): Line[] {
  if (line === '') return [];
  try {
    const parsed = lineSchema.safeParse(JSON.parse(line));
    return parsed.success ? [parsed.data] : [];
  } catch {
    return [];
  }
}

/** Keeps the newer half, unless another process has appended meanwhile: then the next start does it. */
function cut(file: string, text: string): string {
  const half = text.slice(text.indexOf('\n', text.length / 2) + 1);
  try {
    if (statSync(file).size === Buffer.byteLength(text)) replaceFile(file, half);
  } catch {
    // It stays as it is, only larger than wanted.
  }
  return half;
}
