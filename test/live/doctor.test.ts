import {expect, test} from 'vitest';
import type {AgentName} from './lab/agents.ts';
import {examineRealAgent} from './real-agent.ts';

/** The known problems of these versions: failed checks and broken rules. */
const KNOWN: Readonly<
  Record<AgentName, {readonly failed: readonly string[]; readonly broken: readonly string[]}>
> = {
  codex: {failed: [], broken: []},
  opencode: {failed: [], broken: []},
  // In this lab it loads some of its sessions and reports others as missing.
  gemini: {failed: ['session/load'], broken: []},
};

test.each(Object.entries(KNOWN))('the doctor finds in %s what is known, and no more', async (name, known) => {
  const {checks, violations, agent} = await examineRealAgent(name as AgentName);
  expect(agent.protocolVersion).toBe(1);
  const failed = checks.filter(({result}) => result === 'failed' || result === 'timeout').map(({id}) => id);
  expect(known.failed).toEqual(expect.arrayContaining(failed));
  expect(violations.map(({rule, text}) => rule ?? text)).toEqual(known.broken);
  const worked = checks.filter(({result}) => result === 'worked').map(({id}) => id);
  expect(worked).toEqual(
    expect.arrayContaining(['session/prompt', 'streaming', 'session/cancel', 'extensions']),
  );
});
