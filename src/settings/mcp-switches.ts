import * as z from 'zod/mini';
import type {Result} from '../shared/failure.ts';
import {realpathOrItself} from '../shared/files/folders.ts';
import {stateFile} from '../shared/files/json-file.ts';

/** MCP servers that the user turned on or off, by folder and name. */
const file = stateFile('mcp-servers.json', z.record(z.string(), z.record(z.string(), z.boolean())));

/** Returns those of a folder; none if the file is unreadable. */
export function serverSwitches(state: string, folder: string): ReadonlyMap<string, boolean> {
  return new Map(Object.entries(file.read(state)?.[realpathOrItself(folder)] ?? {}));
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
  const all = file.read(state) ?? {};
  const real = realpathOrItself(folder);
  const others = Object.entries(all[real] ?? {}).filter(([other]) => other !== name);
  const kept = Object.fromEntries(isOn === undefined ? others : [...others, [name, isOn]]);
  return file.write(state, {...all, [real]: kept});
}
