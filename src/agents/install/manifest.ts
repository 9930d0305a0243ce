import {isAbsolute, join, relative, sep} from 'node:path';
import * as z from 'zod/mini';
import {jsonOf} from '../../text/json.ts';
import type {AgentCommand} from '../agent-command.ts';
import {readRegularFile} from '../../persistence/regular-file.ts';

/** What is written beside an installed agent: what it is, where it came from, and how it is started. */
const manifestSchema = z.object({
  v: z.literal(1),
  id: z.string(),
  name: z.string(),
  version: z.string(),
  kind: z.enum(['binary', 'npx', 'uvx']),
  /** Milliseconds since the epoch. */
  installedAt: z.number(),
  /** An address, or a package with its version. */
  from: z.string(),
  /** Of the archive. */
  sha256: z.optional(z.string()),
  /** A `command` with a slash is below the folder of the version; one without is looked up on PATH. */
  start: z.object({command: z.string(), args: z.array(z.string()), env: z.record(z.string(), z.string())}),
});
export type Manifest = z.infer<typeof manifestSchema>;

/** One version of an agent that is installed. */
export interface InstalledAgent extends Omit<Manifest, 'v' | 'start'> {
  readonly folder: string;
  readonly start: Omit<AgentCommand, 'label'>;
}

export const MANIFEST = 'installed.json';

export function textOfManifest(manifest: Manifest): string {
  return `${JSON.stringify(manifest, undefined, 2)}\n`;
}

/** What is written in the folder of a version; undefined where there is nothing that can be used. */
export function manifestIn(folder: string): Manifest | undefined {
  const read = manifestSchema.safeParse(jsonOf(textOf(join(folder, MANIFEST))));
  return read.success ? read.data : undefined;
}

/** The agent in the folder of a version; undefined where there is none. */
export function readManifest(folder: string): InstalledAgent | undefined {
  const manifest = manifestIn(folder);
  if (!manifest) return undefined;
  const {v: _, start, ...facts} = manifest;
  if (!start.command.includes('/')) return {...facts, folder, start};
  const command = join(folder, start.command);
  return isWithin(command, folder) ? {...facts, folder, start: {...start, command}} : undefined;
}

/** Whether a path is below a folder, by its words. */
export function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function textOf(file: string): string {
  try {
    return readRegularFile(file);
  } catch {
    return '';
  }
}
