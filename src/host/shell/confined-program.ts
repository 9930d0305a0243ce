import type {Sandbox} from '../../sandbox/sandbox.ts';
import {silentSandbox} from '../../sandbox/session-sandbox.ts';
import {failureSentence} from '../../shared/failure-messages.ts';
import {undoWrites} from '../files/undo-writes.ts';
import {runUserProgram, type ProgramEnd} from './user-program.ts';

/** What says whether, and how, the programs of a session are confined. */
export type ConfinedSession = Pick<
  Parameters<typeof silentSandbox>[0],
  'agent' | 'cwd' | 'additionalDirectories' | 'environment' | 'sandbox'
>;

type UnconfinedProgram = Omit<Parameters<typeof runUserProgram>[0], 'cwd' | 'sandbox'>;

/**
 * Runs a program of the user on what an agent may have written, while its session is not open: in a sandbox of its own, if the session is confined. What it
 * writes there although something runs it later is undone. `tell` gets sentences for the user.
 */
export async function runAsConfined(
  program: UnconfinedProgram,
  {agent, cwd, additionalDirectories, environment, sandbox: settings}: ConfinedSession,
  tell: (text: string) => void,
): Promise<ProgramEnd> {
  // Where the agent keeps its state is asked when that is started, which this does not need.
  const sandbox = settings && {...settings, sandboxFolders: settings.sandboxFolders ?? []};
  const session = {agent, cwd, additionalDirectories, environment, ...(sandbox && {sandbox})};
  const confined = silentSandbox(session, tell);
  try {
    const opened = await confined?.open();
    if (opened && !opened.ok) return {problem: failureSentence(opened.failure)};
    const end = await runUserProgram({...program, cwd, sandbox: opened?.value});
    if (opened) await undoProtected(opened.value, cwd, tell);
    return end;
  } finally {
    await confined?.close();
  }
}

async function undoProtected({watch}: Sandbox, cwd: string, tell: (text: string) => void): Promise<void> {
  const changes = await watch.changes();
  if (changes.length > 0) tell((await undoWrites(watch, changes, cwd)).text);
}
