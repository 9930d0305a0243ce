import {join} from 'node:path';
import * as z from 'zod/mini';
import type {Result} from '../../shared/failure.ts';
import {jsonOf} from '../../text/json.ts';
import {fileFailure, makeFolder, replaceFile, readRegularFile} from '../files.ts';
import {realFolder} from './trusted-folders.ts';

/** Which MCP servers the user has switched on or off, by folder and name. */
const switches = z.record(z.string(), z.record(z.string(), z.boolean()));

/** Those of one folder. What cannot be read switches nothing. */
export function serverSwitches(state: string, folder: string): ReadonlyMap<string, boolean> {
  return new Map(Object.entries(read(state)[realFolder(folder)] ?? {}));
}

interface ServerSwitch {
  /** The working folder in which it holds. */
  readonly folder: string;
  readonly name: string;
  /** Undefined leaves it as its settings have it. */
  readonly isOn: boolean | undefined;
}

/** Remembers a switch of a folder, for later runs. */
export function switchServer(state: string, {folder, name, isOn}: ServerSwitch): Result<void> {
  const all = read(state);
  const real = realFolder(folder);
  const others = Object.entries(all[real] ?? {}).filter(([other]) => other !== name);
  const kept = Object.fromEntries(isOn === undefined ? others : [...others, [name, isOn]]);
  try {
    makeFolder(state);
    replaceFile(fileIn(state), `${JSON.stringify({...all, [real]: kept}, undefined, 2)}\n`);
    return {ok: true, value: undefined};
  } catch (error) {
    return {ok: false, failure: fileFailure(fileIn(state), error)};
  }
}

function read(state: string): z.infer<typeof switches> {
  try {
    const parsed = switches.safeParse(jsonOf(readRegularFile(fileIn(state))));
    return parsed.success ? parsed.data : {};
  } catch {
    return {};
  }
}

function fileIn(state: string): string {
  return join(state, 'mcp-servers.json');
}
