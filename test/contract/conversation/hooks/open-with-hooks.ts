import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {expect} from 'vitest';
import type {Script} from '../../../../fixtures/fake-agent/scenarios/script.ts';
import type {ConversationOptions} from '../../../../src/conversation/options.ts';
import {ruleOf, type DecisionRecord} from '../../../../src/session/requests/permission-rules.ts';
import type {HookEvent, Hook} from '../../../../src/session/settings/hooks.ts';
import {temporaryFolder} from '../../../support/folders/temporary-folder.ts';
import {noPermissions} from '../conversation-defaults.ts';
import {idle, openScripted} from '../open-conversation.ts';

/** A hook of the user's. */
export function hook(event: HookEvent, command: string, more: Partial<Hook> = {}): Hook {
  return {event, command, matcher: undefined, seconds: 30, source: 'user', ...more};
}

interface Opening extends Partial<ConversationOptions> {
  readonly hooks: readonly Hook[];
  /** Texts of rules by effect. */
  readonly rules?: readonly (readonly ['allow' | 'ask' | 'deny', string])[];
}

/** A hook that runs until it is stopped. */
export const LASTING = 'touch runs; sleep 300';

/** A session with hooks; `decisions` is the log of decisions, `hookRuns` resolves when one that is `LASTING` runs. */
export async function openWithHooks(script: Script, {hooks, rules = [], ...options}: Opening) {
  const decisions: Omit<DecisionRecord, 'at'>[] = [];
  const parsed = rules.map(([effect, text]) => ruleOf(effect, text, 'user')!);
  const permissions = {
    ...noPermissions,
    rules: () => parsed,
    hooks: () => hooks,
    decided: (decision: Omit<DecisionRecord, 'at'>) => void decisions.push(decision),
  };
  const opened = await openScripted(script, {permissions, ...options});
  const prompts = () =>
    opened
      .sent()
      .filter(({method}) => method === 'session/prompt')
      .map(({params}) => params!['prompt']);
  const go = async (text = 'go') => {
    const before = opened.state().lastTurn?.turn ?? 0;
    opened.prompt(text);
    return opened.until(
      (state) => idle(state) && (state.lastTurn?.turn ?? 0) > before,
      `the end of the turn "${text}"`,
    );
  };
  async function hookRuns(): Promise<void> {
    await expect.poll(() => existsSync(path.join(opened.cwd, 'runs'))).toBe(true);
  }
  return {...opened, decisions, prompts, go, hookRuns};
}

/** A command that appends what it gets to a file, and the JSON in it so far. */
export function logging() {
  const file = path.join(temporaryFolder(), 'log');
  writeFileSync(file, '');
  return {
    command: `cat >> ${file}`,
    got: () =>
      readFileSync(file, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Record<string, unknown>),
  };
}
