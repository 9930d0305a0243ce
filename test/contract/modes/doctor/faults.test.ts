import {describe, expect, test} from 'vitest';
import {examineScripted, listProblems} from './examined.ts';

/** Failed checks, protocol violations, and the exit code (1 by default). */
type Expected = readonly [failed: readonly string[], against: readonly string[], exitCode?: number];

describe.concurrent('an agent with a single fault', () => {
  test.each<[string, Expected]>([
    ['nothing', [[], [], 0]],
    ['noise', [['stdout'], ['clean-output']]],
    ['early-update', [[], [], 0]],
    ['other-session', [[], ['open-session']]],
    ['unknown-tool-call', [[], ['known-tool-call']]],
    ['foreign-terminal', [[], ['known-terminal']]],
    ['relative-path', [[], ['absolute-paths']]],
    ['line-zero', [[], ['line-numbers']]],
    ['not-offered', [[], ['offered-methods']]],
    ['twin-options', [[], ['permission-choices']]],
    ['unknown-mode', [[], ['known-values']]],
    ['unknown-value', [['session/set_config_option'], ['known-values']]],
    ['list-of-others', [['session/list'], ['listed-sessions']]],
    ['endless-list', [['session/list'], ['listed-sessions']]],
    ['late-update', [[], ['within-turn']]],
    ['ends-cancelled-turn', [['session/cancel'], ['cancelled-prompt']]],
    ['fails-cancelled-turn', [['session/cancel'], ['cancelled-prompt']]],
    ['ignores-cancel', [['session/cancel'], ['cancelled-prompt']]],
    ['says-nothing', [['streaming'], []]],
    ['forgets-sessions', [['session/load'], []]],
    ['replays-on-resume', [[], ['silent-resume']]],
    ['keeps-deleted', [['session/delete'], []]],
    ['knows-every-version', [['negotiation'], []]],
    ['answers-anything', [['extensions'], []]],
    // The protocol does not define it.
    ['leaves-processes', [['shut-down'], [], 0]],
    ['refuses-content', [['prompt-content'], []]],
    ['refuses-titles', [['session/set_title'], []]],
    ['refuses-archive', [['session/archive'], []]],
    ['refuses-system-prompt', [['system-prompt'], []]],
    ['refuses-providers', [['providers/list'], []]],
    ['wants-sign-in', [['session/new'], [], 6]],
  ])('gets exactly that finding: %s', async (fault, [failed, against, exitCode = 1]) => {
    expect(listProblems(await examineScripted(['breaks', fault]))).toEqual({
      failed,
      against,
      corrected: [],
      exitCode,
    });
  });

  test('is reported with what acp-tui corrects', async () => {
    expect(listProblems(await examineScripted(['breaks', 'no-version']))).toMatchObject({
      corrected: ['missing-version'],
      exitCode: 1,
    });
  });

  test('is reported with schema violations, their page and the message', async () => {
    const {violations} = await examineScripted(['breaks', 'wrong-type']);
    expect(violations).toEqual([
      {
        text: expect.stringMatching(/^a usage_update does not follow the schema/),
        rule: null,
        page: 'https://agentclientprotocol.com/protocol/v1/prompt-turn#session-usage-updates',
        count: 1,
        message: expect.objectContaining({method: 'session/update'}),
      },
    ]);
  });

  test('is reported with missing answers', async () => {
    const report = await examineScripted(['breaks', 'never-lists'], {timeoutMs: 5000});
    expect(listProblems(report)).toEqual({failed: ['session/list'], against: [], corrected: [], exitCode: 3});
  });

  test('is not blamed for a turn that ended before its cancellation', async () => {
    const {checks, exitCode} = await examineScripted(['breaks', 'is-quick']);
    expect(checks.find(({id}) => id === 'session/cancel')).toMatchObject({
      result: 'not_tried',
      note: expect.stringContaining('before it could be cancelled'),
    });
    expect(exitCode).toBe(0);
  });

  test('gets no further prompt when it does not respond to the first', async () => {
    const sent: string[] = [];
    const {checks} = await examineScripted(['hangs'], {
      timeoutMs: 5000,
      onWire: (event) => void (event.kind === 'message' && sent.push(event.line)),
    });
    expect(sent.filter((line) => line.includes('"session/prompt"'))).toHaveLength(1);
    expect(sent.some((line) => line.includes('"session/cancel"'))).toBe(true);
    expect(checks.find(({id}) => id === 'session/cancel')).toMatchObject({result: 'not_tried'});
  });

  test('that exits early is not reported as ending with its input', async () => {
    const {checks} = await examineScripted(['crash']);
    expect(checks.find(({id}) => id === 'shut-down')).toMatchObject({result: 'not_tried'});
    expect(checks.find(({id}) => id === 'session/prompt')?.note).toContain('out of cheese');
  });
});
