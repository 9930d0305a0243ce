import {createOutputStyle} from '../../../../src/cli/output-style.ts';
import {createMask} from '../../../../src/shared/mask.ts';
import type {SessionsContext} from '../../../../src/modes/commands/sessions/session-lookup.ts';
import {runSessionsCommand} from '../../../../src/modes/commands/sessions/sessions-run.ts';
import {readSessionsCommand} from '../../../../src/modes/commands/sessions/sessions-arguments.ts';
import type {SessionStore} from '../../../../src/storage/sessions/session-store.ts';

const plain = createOutputStyle({isTerminal: false});

export interface CommandResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `acp-tui sessions` with these arguments on this store. */
export async function sessions(
  store: SessionStore,
  argv: readonly string[],
  given: Partial<SessionsContext> & {readonly columns?: number; readonly marks?: boolean} = {},
): Promise<CommandResult> {
  const read = readSessionsCommand(argv, 80);
  if (read.kind === 'message') {
    const {text, exitCode} = read;
    return exitCode === 0 ? {exitCode, stdout: text, stderr: ''} : {exitCode, stdout: '', stderr: text};
  }
  const out = {stdout: '', stderr: ''};
  const exitCode = await runSessionsCommand(read.command, {
    state: '',
    store,
    stdout: {
      write: (text) => (out.stdout += text),
      columns: given.columns,
      style: {...plain, ...(given.marks && {found: (text: string) => `<${text}>`})},
    },
    stderr: (text) => (out.stderr += text),
    now: Date.now,
    cwd: '/',
    mask: createMask({}),
    confirm: undefined,
    onClosed: () => {},
    ...given,
  });
  return {exitCode, ...out};
}
