import {sinceDay, usageText} from '../../../app/pages/usage-page.ts';
import {openSubcommandIo, printFailure} from '../../../cli/terminal-io.ts';
import {failureSentence} from '../../../shared/failure-messages.ts';
import {findPaths} from '../../../shared/files/paths.ts';
import {openStored} from '../../../storage/sessions/session-store.ts';
import {jsonText} from '../../../text/json.ts';
import type {UsageOptions} from './usage-arguments.ts';

/** Runs `acp-tui usage` in this process; resolves to the exit code. */
export async function usageRun({days, json}: UsageOptions): Promise<number> {
  const io = openSubcommandIo();
  const {state} = findPaths();
  const {database, store} = openStored({
    state,
    onDamaged: io.warn,
    onProblem: (problem) => io.warn(failureSentence(problem)),
  });
  const since = sinceDay(days, Date.now());
  const used = store.usage(since);
  database.close();
  if (!used.ok) return io.end(printFailure(io.stderr, used.failure));
  io.stdout.write(`${json ? jsonText({v: 1, since, rows: used.value}, 2) : usageText(used.value, days)}\n`);
  return io.end(0);
}
