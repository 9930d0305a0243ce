import {expect} from 'vitest';
import {createNormalizer} from '../../../../src/protocol/normalize/deviation.ts';
import {readPermission} from '../../../../src/protocol/normalize/messages.ts';
import {permission} from '../../../../src/protocol/v2/v2-shapes.ts';
import {type HostUnderTest, OPTIONS} from '../hosts.ts';

/* Permission requests as they are on the wire. */

export type Call = Readonly<Record<string, unknown>>;

/** Requests permission with what an agent sends, read as it is on the wire. */
export async function wired(under: HostUnderTest, toolCall: Call): Promise<string> {
  return read(under, {
    sessionId: 's',
    options: OPTIONS,
    toolCall: {toolCallId: 't', title: 'Do it', ...toolCall},
  });
}

/** The same in version 2: these changes of files, and the patch that shows them. */
export async function changes(under: HostUnderTest, all: readonly object[], patch?: string): Promise<string> {
  const content = {
    type: 'diff',
    changes: all,
    ...(patch !== undefined && {patch: {format: 'git_patch', text: patch}}),
  };
  const toolCall = {toolCallId: 't', title: 'Do it', kind: 'edit', content: [content]};
  const request = {sessionId: 's', title: 'Do it', options: OPTIONS, subject: {type: 'tool_call', toolCall}};
  return read(under, permission(request, {id: 'p', callOf: () => ({})}));
}

export async function read({host}: HostUnderTest, params: object): Promise<string> {
  const asked = readPermission(
    JSON.parse(JSON.stringify(params)),
    createNormalizer(() => {}),
  );
  expect(asked.raw).toBeUndefined();
  const {outcome} = await host.requestPermission(asked, new AbortController().signal);
  return outcome.outcome === 'selected' ? outcome.optionId : outcome.outcome;
}

/** `asked` for one that a user is asked about. */
export async function outcome(under: HostUnderTest, request: Promise<string>): Promise<string> {
  let answer: string | undefined;
  void request.then((given) => (answer = given));
  await expect.poll(() => answer ?? (under.isWaiting() ? 'asked' : undefined)).toBeDefined();
  if (answer !== undefined) return answer;
  await under.answer('reject_once');
  await request;
  return 'asked';
}
