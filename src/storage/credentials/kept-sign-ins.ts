import {createHash} from 'node:crypto';
import {join} from 'node:path';
import * as z from 'zod/mini';
import {readJson, writeJson} from '../../shared/files/json-file.ts';

/** The agents with values in the keyring, by `agentKey`; without the values. */
const keptSchema = z.record(z.string(), z.object({agent: z.string(), method: z.string()}));

type StoredSignIns = z.infer<typeof keptSchema>;

/** Reads which sign-ins are stored; none if the file is unreadable. */
export function readStoredSignIns(state: string): StoredSignIns {
  return readJson(fileIn(state), keptSchema) ?? {};
}

/** Throws the errors of the file system. */
export function writeStoredSignIns(state: string, signIns: StoredSignIns): void {
  writeJson(fileIn(state), signIns);
}

/** The agent that values belong to. */
export interface SignInAgent {
  readonly label: string;
  readonly command: string;
  readonly args: readonly string[];
}

/** The version folder of an installed agent, inside the folder of its id. */
const INSTALLED_VERSION = /(?<=[/\\]agents[/\\][a-z][a-z0-9-]*[/\\])\d+\.\d+\.\d+[\w.+-]*(?=[/\\])/;

/**
 * Returns a key that is equal only for the same program with the same arguments, so that no other agent gets the values. Package and installation versions are
 * ignored, so that an update neither loses nor orphans them.
 */
export function agentKey({command, args}: Pick<SignInAgent, 'command' | 'args'>): string {
  const packages = args.map((word) => word.replace(/(?<=.)(?:@|==)\d+\.\d+\.\d+[\w.+-]*$/, ''));
  const words = [command.replace(INSTALLED_VERSION, ''), ...packages];
  return createHash('sha256').update(JSON.stringify(words)).digest('hex').slice(0, 32);
}

function fileIn(state: string): string {
  return join(state, 'sign-ins.json');
}
