import {join} from 'node:path';
import * as z from 'zod/mini';
import type {Result} from '../../shared/failure.ts';
import {jsonOf} from '../../text/json.ts';
import {fileFailure, makeFolder, replaceFile, readRegularFile} from '../files.ts';
import {realFolder} from './trusted-folders.ts';

/** MCP servers that the user turned on or off, by folder and name. */
const switches = z.record(z.string(), z.record(z.string(), z.boolean()));

/** Returns those of a folder; none if the file is unreadable. */
export function serverSwitches(state: string, folder: string): ReadonlyMap<string, boolean> {
  return new Map(Object.entries(read(state)[realFolder(folder)] ?? {}));
}

interface ServerSwitch {
  /** The working folder for which it applies. */
  readonly folder: string;
  readonly name: string;
  /** Undefined for the state in the settings. */
  readonly isOn: boolean | undefined;
}

/** Stores a switch for a folder. */
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
