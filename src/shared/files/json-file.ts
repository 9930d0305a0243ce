import {dirname} from 'node:path';
import type * as z from 'zod/mini';
import {jsonOf} from '../../text/json.ts';
import {makeFolder, replaceFile, readFileIfAny} from './safe-files.ts';

/** Returns the content of a small file of acp-tui's own; undefined if it is unreadable or invalid. */
export function readJson<Schema extends z.ZodMiniType>(
  path: string,
  schema: Schema,
): z.infer<Schema> | undefined {
  return schema.safeParse(jsonOf(readFileIfAny(path, Infinity) ?? '')).data;
}

/** Replaces such a file; throws the errors of Node's file functions. */
export function writeJson(path: string, value: unknown): void {
  makeFolder(dirname(path));
  replaceFile(path, `${JSON.stringify(value, undefined, 2)}\n`);
}
