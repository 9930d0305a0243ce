import {appendFileSync, readFileSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import type {PuppetStep} from '../../../fixtures/fake-agent/scenarios/puppet.ts';
import {fakeAgent, openReady, temporaryFolder, type Chat, type ChatOptions} from './chat.ts';

export interface PuppetChat extends Chat {
  /** Makes the agent do this in its turn, now or when one starts. */
  report(...steps: readonly PuppetStep[]): void;
  /** Sends a prompt; resolves when its turn runs. */
  begin(): Promise<void>;
  /** Resolves when the agent has its first prompt, which may have waited for a snapshot. */
  hasPrompt(): Promise<void>;
}

/** A chat with an agent whose turns the test controls. */
export async function openPuppet(options: Omit<ChatOptions, 'agent'> = {}): Promise<PuppetChat> {
  const file = path.join(temporaryFolder('puppet'), 'steps');
  writeFileSync(file, '');
  writeFileSync(`${file}.turns`, '');
  const chat = await openReady({...options, agent: fakeAgent('puppet', file)});
  const report = (...steps: readonly PuppetStep[]) =>
    appendFileSync(file, steps.map((step) => `${JSON.stringify(step)}\n`).join(''));
  const turns = () => readFileSync(`${file}.turns`, 'utf8').length;
  const hasPrompt = (before = 0) => chat.until(() => turns() > before, 'the agent to get its prompt');
  return Object.assign(chat, {
    report,
    hasPrompt: () => hasPrompt(),
    async begin() {
      const before = turns();
      chat.type('go\r');
      await hasPrompt(before);
      await chat.sees('Working…');
    },
  });
}

/** A permission request for a command, with the three usual options. */
export function askToRun(command: string, name = 'request'): Extract<PuppetStep, {readonly ask: unknown}> {
  return {
    name,
    ask: {
      toolCall: {toolCallId: name, title: command, kind: 'execute', status: 'pending', rawInput: {command}},
      options: [
        {optionId: 'yes', name: 'Allow once', kind: 'allow_once'},
        {optionId: 'always', name: 'Allow always', kind: 'allow_always'},
        {optionId: 'no', name: 'Reject', kind: 'reject_once'},
        {optionId: 'never', name: 'Reject always', kind: 'reject_always'},
      ],
    },
  };
}
