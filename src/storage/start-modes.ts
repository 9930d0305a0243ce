import {join} from 'node:path';
import * as z from 'zod/mini';
import {tryFileOperation} from '../shared/files/file-failure.ts';
import type {Choice} from '../session/settings/options.ts';
import type {Result} from '../shared/failure.ts';
import {readJson, writeJson} from '../shared/files/json-file.ts';

/** By the names of agents, with what the mode said of itself. */
const modesSchema = z.record(
  z.string(),
  z.object({id: z.string(), name: z.string(), description: z.string()}),
);
type StartMode = z.infer<typeof modesSchema>[string];

/** Returns the mode in which a new session of this agent started last. */
export function readStartMode(state: string, agent: string): StartMode | undefined {
  return new Map(Object.entries(readAll(state))).get(agent);
}

/** Stores it if it changed. */
export function writeStartMode(
  state: string,
  agent: string,
  {id, name, description = ''}: Choice,
): Result<void> {
  const last = readStartMode(state, agent);
  if (last?.id === id && last.name === name && last.description === description)
    return {ok: true, value: undefined};
  return tryFileOperation(fileIn(state), () =>
    writeJson(fileIn(state), {...readAll(state), [agent]: {id, name, description}}),
  );
}

function readAll(state: string): z.infer<typeof modesSchema> {
  return readJson(fileIn(state), modesSchema) ?? {};
}

function fileIn(state: string): string {
  return join(state, 'start-modes.json');
}
