import {readFileSync} from 'node:fs';
import {describe, expect, test} from 'vitest';
import {exchangesOf, messageOf, type Exchange, fieldsOf, textOf} from '../../../src/recording/exchanges.ts';
import {readRecording} from '../../../src/recording/format.ts';
import {brokenRules} from '../../../src/recording/rules/index.ts';

/** The recordings that show the doctor's findings; acp-tui's workarounds are tested in test/contract/client. */
function wire(name: string) {
  const file = new URL(`../../../fixtures/wire/${name}.ndjson`, import.meta.url);
  const exchanges = exchangesOf(readRecording(readFileSync(file, 'utf8')).lines);
  return {
    /** Names of rules that are broken, and of those that may confuse clients. */
    rules: [...brokenRules(exchanges).values()].flat().map(({rule}) => rule),
    /** The agent's messages by kind, in order. */
    reported: exchanges.filter(({from}) => from === 'agent').map(kindOf),
    /** The responses to this method. */
    answers: (method: string) =>
      exchanges.filter((one) => one.method === method).map(({answer}) => fieldsOf(answer?.message)),
    texts: exchanges
      .flatMap(({line}) => textOf(fieldsOf(fieldsOf(updateOf(line))['content'])['text']) ?? '')
      .join(''),
  };
}

function kindOf({method, line}: Exchange): string {
  return method === 'session/update' ? String(fieldsOf(updateOf(line))['sessionUpdate']) : method;
}

function updateOf(line: Exchange['line']): unknown {
  return fieldsOf(fieldsOf(messageOf(line))['params'])['update'];
}

describe('Gemini CLI', () => {
  test('claims to load sessions but has none', () => {
    const {answers} = wire('gemini-load');
    expect(fieldsOf(answers('initialize')[0]?.['result'])['agentCapabilities']).toMatchObject({
      loadSession: true,
    });
    expect(answers('session/load')).toMatchObject([
      {error: {data: {details: expect.stringContaining('No previous sessions')}}},
    ]);
  });

  test('sends a tool call first in the permission request, and not again when that is rejected', () => {
    const {reported} = wire('gemini-reject-missingempty');
    expect(reported).toContain('session/request_permission');
    expect(reported).not.toContain('tool_call');
    expect(reported.slice(reported.indexOf('session/request_permission'))).not.toContain('tool_call_update');
  });

  test('passes on the codes and the JSON of its model service', () => {
    const [error] = wire('gemini-error')
      .answers('session/prompt')
      .map(({error}) => fieldsOf(error));
    expect(error?.['code']).toBe(400);
    expect(JSON.parse(String(error?.['message']))).toMatchObject({error: {code: 400}});
  });
});

describe('Codex', () => {
  test('runs commands in terminals that no client made', () => {
    expect(wire('codex-fail-minimal').rules).toContain('known-terminal');
  });

  test('ends the turn as cancelled when a permission is rejected', () => {
    const {answers} = wire('codex-reject-readonly');
    expect(answers('session/request_permission')).toMatchObject([{result: {outcome: {outcome: 'selected'}}}]);
    expect(answers('session/prompt')).toMatchObject([{result: {stopReason: 'cancelled'}}]);
  });

  test('sends the end of a cancelled tool call after the turn, or never', () => {
    expect(wire('codex-cancelrun').rules).toEqual(
      expect.arrayContaining(['finished-tool-calls', 'within-turn']),
    );
    expect(wire('codex-cancelperm-readonly').rules).toContain('finished-tool-calls');
  });

  test('sends an error of its model service as a message and a normal end', () => {
    const {answers, texts} = wire('codex-error');
    expect(answers('session/prompt')).toMatchObject([{result: {stopReason: 'end_turn'}}]);
    expect(texts).toContain('scripted error 400');
  });
});

describe('Copilot', () => {
  test('sends notices as messages, and counts tokens over the session', () => {
    const {answers, texts} = wire('copilot-write-run-edit');
    expect(texts).toContain('Info: /home/user/project/lab-notes.mdThe file is written.');
    const totals = answers('session/prompt').map(
      ({result}) => fieldsOf(fieldsOf(result)['usage'])['totalTokens'],
    );
    expect(totals).toEqual([2463, 4965, 8802]);
  });
});

describe('Kilo Code', () => {
  test('asks for permission before the preceding text, and writes through the client', () => {
    const {reported} = wire('kilo-write');
    expect(reported.indexOf('session/request_permission')).toBeLessThan(
      reported.indexOf('agent_message_chunk'),
    );
    expect(reported).toContain('fs/write_text_file');
  });
});

describe('pi', () => {
  test('omits an error of its model service', () => {
    const {answers, texts} = wire('pi-error');
    expect(answers('session/prompt')).toMatchObject([{result: {stopReason: 'end_turn'}}]);
    expect(texts).not.toContain('error');
  });
});

describe('OpenCode', () => {
  test('replays the conversation of a fork before it names the fork', () => {
    expect(wire('opencode-fork').rules).toContain('open-session');
  });

  test('writes through the client without the capability, after it has already written', () => {
    const {rules, answers, reported, texts} = wire('opencode-write-nofs');
    expect(rules).toContain('offered-methods');
    expect(answers('fs/write_text_file')).toMatchObject([{error: {code: -32_601}}]);
    expect(reported).toContain('tool_call_update');
    expect(texts).toContain('The file is written.');
  });

  test('sends its tasks in a tool call', () => {
    const {reported} = wire('opencode-plan');
    expect(reported).toContain('tool_call');
    expect(reported).not.toContain('plan');
  });
});
