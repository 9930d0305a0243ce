import {dirname, join} from 'node:path';
import type * as z from 'zod/mini';
import {jsonOf} from '../../text/json.ts';
import type {Result} from '../failure.ts';
import {tryFileOperation} from './file-failure.ts';
import {lstatIfAny, makeFolder, replaceFile, readFileIfAny} from './safe-files.ts';

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

/** A small file of acp-tui's own with this name, in a folder of its state. */
export function stateFile<Schema extends z.ZodMiniType>(name: string, schema: Schema) {
  const pathIn = (folder: string) => join(folder, name);
  const read = (folder: string) => readJson(pathIn(folder), schema);
  return {
    pathIn,
    /** Undefined if it is unreadable or invalid. */
    read,
    /** True if there is something with which nothing can be done. */
    isUnreadable: (folder: string) => read(folder) === undefined && lstatIfAny(pathIn(folder)) !== undefined,
    write: (folder: string, value: z.infer<Schema>): Result<void> =>
      tryFileOperation(pathIn(folder), () => writeJson(pathIn(folder), value)),
  };
}
