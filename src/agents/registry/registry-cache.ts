import {join} from 'node:path';
import * as z from 'zod/mini';
import type {Result} from '../../failure.ts';
import {fileFailure, makeFolder, replaceFile} from '../../persistence/private-files.ts';
import {jsonOf} from '../../text/json.ts';
import {readRegularFile} from '../../persistence/regular-file.ts';

const kept = z.object({
  /** Where it came from: what another address says is another registry. */
  url: z.string(),
  etag: z.optional(z.string()),
  /** When the registry last said that this is what it has, in ms since the epoch. */
  checkedAt: z.number(),
  text: z.string(),
});
export type KeptRegistry = z.infer<typeof kept>;

/** What is kept of the registry at this address; what cannot be read counts as nothing. */
export function readKept(folder: string, url: string): KeptRegistry | undefined {
  try {
    const read = kept.safeParse(jsonOf(readRegularFile(fileIn(folder))));
    return read.success && read.data.url === url ? read.data : undefined;
  } catch {
    return undefined;
  }
}

/** Keeps what a registry said, in the place of what was there. */
export function keep(folder: string, registry: KeptRegistry): Result<void> {
  try {
    makeFolder(folder);
    replaceFile(fileIn(folder), JSON.stringify(registry));
    return {ok: true, value: undefined};
  } catch (error) {
    return {ok: false, failure: fileFailure(fileIn(folder), error)};
  }
}

function fileIn(folder: string): string {
  return join(folder, 'registry.json');
}
