import {join} from 'node:path';
import * as z from 'zod/mini';
import type {Result} from '../shared/failure.ts';
import {tryFileOperation} from '../shared/files/file-failure.ts';
import {realpathOrItself} from '../shared/files/folders.ts';
import {readJson, writeJson} from '../shared/files/json-file.ts';

/** MCP servers that the user turned on or off, by folder and name. */
const switches = z.record(z.string(), z.record(z.string(), z.boolean()));

/** Returns those of a folder; none if the file is unreadable. */
export function serverSwitches(state: string, folder: string): ReadonlyMap<string, boolean> {
  return new Map(Object.entries(readJson(fileIn(state), switches)?.[realpathOrItself(folder)] ?? {}));
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
  const path = fileIn(state);
  const all = readJson(path, switches) ?? {};
  const real = realpathOrItself(folder);
  const others = Object.entries(all[real] ?? {}).filter(([other]) => other !== name);
  const kept = Object.fromEntries(isOn === undefined ? others : [...others, [name, isOn]]);
  return tryFileOperation(path, () => writeJson(path, {...all, [real]: kept}));
}

function fileIn(state: string): string {
  return join(state, 'mcp-servers.json');
}
