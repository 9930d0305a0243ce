import * as z from 'zod/mini';
import type {Choice} from '../session/settings/options.ts';
import {DONE, type Result} from '../shared/failure.ts';
import {stateFile} from '../shared/files/json-file.ts';

/** By the names of agents, with what the mode said of itself. */
const file = stateFile(
  'start-modes.json',
  z.record(z.string(), z.object({id: z.string(), name: z.string(), description: z.string()})),
);

/** Returns the mode in which a new session of this agent started last. */
export function readStartMode(state: string, agent: string) {
  return new Map(Object.entries(file.read(state) ?? {})).get(agent);
}

/** Stores it if it changed. */
export function writeStartMode(
  state: string,
  agent: string,
  {id, name, description = ''}: Choice,
): Result<void> {
  const last = readStartMode(state, agent);
  if (last?.id === id && last.name === name && last.description === description) return DONE;
  return file.write(state, {...file.read(state), [agent]: {id, name, description}});
}
