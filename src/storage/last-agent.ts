import {join} from 'node:path';
import * as z from 'zod/mini';
import {tryFileOperation} from '../shared/files/file-failure.ts';
import type {Result} from '../shared/failure.ts';
import {readJson, writeJson} from '../shared/files/json-file.ts';

/** Returns the name or command line of the agent that a window used last. */
export function readLastAgent(state: string): string | undefined {
  return readJson(fileIn(state), z.string().check(z.minLength(1)));
}

export function writeLastAgent(state: string, agent: string): Result<void> {
  const path = fileIn(state);
  return tryFileOperation(path, () => writeJson(path, agent));
}

function fileIn(state: string): string {
  return join(state, 'last-agent.json');
}
