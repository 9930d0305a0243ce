import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import type {ForegroundProgram} from '../../../src/agents/foreground.ts';
import type {ClientOptions, Foreground} from '../../../src/client/options.ts';
import type {ProcessExit, Result} from '../../../src/failure.ts';
import type {SessionState} from '../../../src/session/state.ts';
import {temporaryFolder} from '../persistence/temporary-folder.ts';
import {makeClient, type OpenedClient} from './open-client.ts';

const exit = (code: number): Result<ProcessExit> => ({ok: true, value: {code, signal: null}});

export interface Asked extends OpenedClient {
  /** The user is signed in while it exists. */
  readonly file: string;
  readonly programs: readonly ForegroundProgram[];
  readonly count: (method: string) => number;
}

/** A client of an agent that wants a sign-in; `ends` is how programs end that get the terminal. */
export async function openAsked(
  ends: (file: string) => Promise<Result<ProcessExit>> | Result<ProcessExit> = () => exit(0),
  options: Partial<ClientOptions> = {},
): Promise<Asked> {
  const file = join(temporaryFolder(), 'signed-in');
  const programs: ForegroundProgram[] = [];
  const foreground: Foreground = async (program) => {
    programs.push(program);
    return ends(file);
  };
  const made = makeClient(['sign-in', file], {foreground, ...options});
  await made.client.open();
  const count = (method: string) => made.sent().filter((message) => message.method === method).length;
  return {...made, file, programs, count};
}

/** A program that signs in. */
export const signsIn = (file: string): Result<ProcessExit> => {
  writeFileSync(file, '');
  return exit(0);
};

export const asks = ({connection}: SessionState): boolean => connection.kind === 'authentication_required';
