import * as z from 'zod/mini';
import {jsonOf} from '../../text/json.ts';
import {quoted} from '../../agent-words.ts';
import {sanitizeLine} from '../../text/sanitize.ts';
import {registryEntry, type RegistryEntry} from './schema.ts';

/** The entries of a registry that can be used, and each that cannot be. */
export interface ReadRegistry {
  readonly entries: readonly RegistryEntry[];
  readonly left: readonly LeftEntry[];
}

/** An entry that is left out. */
export interface LeftEntry {
  /** What it calls itself, or where it stands. */
  readonly name: string;
  readonly problem: string;
}

const registry = z.object({agents: z.array(z.unknown())});

/** Many times of what the published one has: to check millions of bad ones takes a minute, and gigabytes. */
const MOST_ENTRIES = 5000;

/** Reads `registry.json` entry by entry: a bad one is named, and hides no other. Undefined when the text is no registry. */
export function readRegistry(text: string): ReadRegistry | undefined {
  const read = registry.safeParse(jsonOf(text));
  if (!read.success) return undefined;
  const entries = new Map<string, RegistryEntry>();
  const left: LeftEntry[] = [];
  const {agents} = read.data;
  for (const [index, given] of agents.slice(0, MOST_ENTRIES).entries()) {
    const entry = registryEntry.safeParse(given);
    const name = nameOf(given) ?? `entry ${index + 1}`;
    if (!entry.success) left.push({name, problem: problemOf(entry.error.issues[0])});
    else if (entries.has(entry.data.id)) left.push({name, problem: 'its id stands there twice'});
    else entries.set(entry.data.id, entry.data);
  }
  if (agents.length > MOST_ENTRIES)
    left.push({name: `all behind entry ${MOST_ENTRIES}`, problem: `there are ${agents.length}`});
  return {entries: [...entries.values()], left};
}

function nameOf(given: unknown): string | undefined {
  const id = typeof given === 'object' && given !== null && 'id' in given ? given.id : undefined;
  return typeof id === 'string' && id !== '' ? sanitizeLine(id).slice(0, 64) : undefined;
}

function problemOf(issue: z.core.$ZodIssue | undefined): string {
  const path = issue?.path.map(String).join('.') ?? '';
  return quoted(`${path === '' ? '' : `${path}: `}${issue?.message ?? 'wrong'}`);
}
