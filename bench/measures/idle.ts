import {AGENT_LINE, ASKS, withoutProbe, PROGRAM, READY, workspace} from '../programs.ts';
import {type Measure} from '../row.ts';
import {cpuMs, openTerminal} from '../terminal.ts';
import {ask, leave} from './streaming.ts';

const SECONDS = 20;

/** The CPU usage of an idle window. */
export const idle: Measure = {
  name: 'idle',
  async run() {
    const {env, remove} = workspace();
    const start = () => openTerminal(process.execPath, [PROGRAM, '--agent', AGENT_LINE], withoutProbe(env));
    const node = openTerminal(
      process.execPath,
      ['-e', 'process.stdin.resume(); console.log("up")'],
      withoutProbe(env),
    );
    await node.until('up');
    const prompt = start();
    await prompt.until(READY);
    const request = start();
    await request.until(READY);
    await ask(request, 'ask', ASKS);
    // Loading after startup and garbage collection are not part of idling.
    await new Promise((resolve) => setTimeout(resolve, 10_000));
    const before = [node, prompt, request].map(({pid}) => cpuMs(pid));
    await new Promise((resolve) => setTimeout(resolve, SECONDS * 1000));
    const [baseline = 0, atPrompt = 0, atRequest = 0] = [node, prompt, request].map(
      ({pid}, index) => (cpuMs(pid) - (before[index] ?? 0)) / (SECONDS * 10),
    );
    node.signal('SIGTERM');
    await Promise.all([leave(prompt), leave(request)]);
    remove();
    return [
      {
        what: 'idle CPU at the prompt (baseline: an idle node)',
        unit: '%',
        value: atPrompt,
        baseline,
        target: 0.3,
      },
      {what: 'idle CPU with a request on the screen', unit: '%', value: atRequest, baseline, target: 0.3},
    ];
  },
};
