import type {AgentCommand} from '../../../../src/agents/resolve.ts';
import {examine} from '../../../../src/modes/doctor/examine.ts';
import type {ExaminationOptions} from '../../../../src/modes/doctor/examination.ts';
import {createReport, type Report} from '../../../../src/modes/doctor/report.ts';
import {temporaryFolder} from '../../../support/folders/temporary-folder.ts';
import {startAgentHere} from '../../../support/agent-here.ts';
import {FAKE_AGENT} from '../../../support/fake-agent.ts';

/** The scripted agent with this scenario. */
export function fakeAgent(
  scenario: readonly string[],
  env: Readonly<Record<string, string>> = {},
): AgentCommand {
  return {label: 'fake', command: process.execPath, args: [FAKE_AGENT, ...scenario], env};
}

/** The findings for the scripted agent with this scenario. */
export async function examineScripted(
  scenario: readonly string[],
  given: Partial<ExaminationOptions> = {},
): Promise<Report> {
  const options: ExaminationOptions = {
    agent: fakeAgent(scenario),
    cwd: temporaryFolder(),
    timeoutMs: 20_000,
    authMethod: undefined,
    mayPrompt: () => Promise.resolve(true),
    version: '0.0.0',
    startAgent: startAgentHere,
    onProgress: () => {},
    signal: new AbortController().signal,
    ...given,
  };
  return createReport(options, await examine(options), {signalCode: undefined});
}

/** The problems in a form that is easy to compare: failed checks by ID, violations by rule or text. */
export function listProblems({checks, violations, corrected, exitCode}: Report) {
  return {
    failed: checks.filter(({result}) => result === 'failed' || result === 'timeout').map(({id}) => id),
    against: violations.map(({rule, text}) => rule ?? text),
    corrected: corrected.map(({text}) => text),
    exitCode,
  };
}
