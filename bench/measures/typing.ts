import {openTerminal, type Session} from '../terminal.ts';
import {AGENT_LINE, PASTE_READER, PROGRAM, READY, workspace} from '../programs.ts';
import {median, type Measure} from '../row.ts';
import {leave} from './streaming.ts';

const KEYS = 200;

/** Expands the pasted text of a placeholder in the draft. */
const OPEN_PASTE = '\x1be';

/** The cost of a key in a large draft, until it is on the screen, and of a large paste. */
export const typing: Measure = {
  name: 'typing',
  async run(scale) {
    const {env, remove} = workspace();
    const terminal = openTerminal(process.execPath, [PROGRAM, '--agent', AGENT_LINE], env);
    await terminal.until(READY);
    const keys = Math.max(20, Math.round(KEYS * scale));
    await echoes(terminal, 20);
    const empty = await echoes(terminal, keys);
    const reader = openTerminal(process.execPath, [PASTE_READER], env);
    await reader.until('reading');
    const megabyte = `${'x'.repeat(99)}\r`.repeat(10_486);
    const megabytes: number[] = [];
    const unread: number[] = [];
    // The first ones still share the machine with modules loaded after startup.
    for (let i = 0; i < 7; i++) {
      unread.push(await paste(reader, megabyte, 'taken'));
      megabytes.push(await paste(terminal, megabyte, '10487 lines'));
      terminal.mark();
      terminal.write('\x03');
      await terminal.until(READY);
    }
    reader.write('\x03');
    await reader.ended;
    await paste(terminal, 'some words in a line of a draft\r'.repeat(6400), '6401 lines');
    terminal.mark();
    terminal.write(OPEN_PASTE);
    await terminal.until('above');
    await echoes(terminal, 20);
    const large = await echoes(terminal, keys);
    terminal.write('\x03');
    await terminal.until(READY);
    await leave(terminal);
    remove();
    return [
      {
        what: 'key to echo in a draft of 200 KB (baseline: in an empty one)',
        unit: 'ms',
        value: median(large),
        baseline: median(empty),
        target: 16,
      },
      {
        what: 'a paste of 1 MB until it is shown (baseline: only read)',
        unit: 'ms',
        value: median(megabytes),
        baseline: median(unread),
        target: 150,
      },
    ];
  },
};

/** Milliseconds from each key to its echo, one after the other. */
async function echoes(terminal: Session, count: number): Promise<number[]> {
  const times: number[] = [];
  for (let i = 0; i < count; i++) {
    const letter = 'QXZVKJWY'[i % 8] ?? 'Q';
    terminal.mark();
    const start = performance.now();
    terminal.write(letter);
    await terminal.until(letter);
    times.push(performance.now() - start);
  }
  return times;
}

async function paste(terminal: Session, text: string, shown: string): Promise<number> {
  terminal.mark();
  const start = performance.now();
  terminal.write(`\x1b[200~${text}\x1b[201~`);
  await terminal.until(shown);
  return performance.now() - start;
}
