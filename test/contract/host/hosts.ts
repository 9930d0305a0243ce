import type * as acp from '@agentclientprotocol/sdk/unstable';
import {afterEach, expect} from 'vitest';
import {createHost} from '../../../src/host/host.ts';
import type {Host, HostOptions, KnownToolCall} from '../../../src/host/services.ts';
import {
  type DecisionRecord,
  ruleOf,
  type PermissionRule,
  type RuleEffect,
} from '../../../src/session/requests/permission-rules.ts';
import type {PermissionDecision} from '../../../src/session/entries.ts';
import type {OfferedAnswers, OutdatedFile} from '../../../src/session/state.ts';
import {useSandbox} from './sandbox.ts';

export const never = new AbortController().signal;
/** The code of what the user rejected. */
export const DENIED = -32_603;

export const OPTIONS: acp.PermissionOption[] = [
  {optionId: 'x-always', name: 'Always', kind: 'allow_always'},
  {optionId: 'x-once', name: 'Once', kind: 'allow_once'},
  {optionId: 'x-no', name: 'No', kind: 'reject_once'},
];

/** Rules of the user, written as `allow execute npm test*`. */
export function rules(...texts: string[]): PermissionRule[] {
  return texts.map((text) => {
    const [effect, ...rest] = text.split(' ');
    const rule = ruleOf(effect as RuleEffect, rest.join(' '), 'user');
    if (!rule) throw new Error(`no rule: ${text}`);
    return rule;
  });
}

export interface HostUnderTest {
  readonly host: Host;
  /** Requests that were shown, oldest first. */
  readonly asked: {
    readonly id: string;
    readonly request: acp.RequestPermissionRequest;
    readonly rule: string | undefined;
    readonly covers: readonly string[] | undefined;
    readonly outdated: readonly OutdatedFile[] | undefined;
  }[];
  readonly decisions: PermissionDecision[];
  /** The audit log. */
  readonly records: Omit<DecisionRecord, 'at'>[];
  /** What was offered after the agent had changed a request. */
  readonly offers: OfferedAnswers[];
  /** Files that no longer matched a waiting request, for each report. */
  readonly outdated: (readonly OutdatedFile[])[];
  /** Rules that the user has accepted. */
  readonly offered: string[];
  /** The statuses of the host's own tool calls. */
  readonly statuses: (string | null | undefined)[];
  /** All updates of the host's own tool calls. */
  readonly updates: acp.SessionUpdate[];
  readonly terminals: string[];
  /** Requests permission as an agent does. */
  readonly permission: (
    toolCall: Partial<acp.ToolCallUpdate>,
    options?: acp.PermissionOption[],
  ) => Promise<string>;
  readonly write: (path: string, content?: string) => Promise<string | number>;
  readonly create: (request: Omit<acp.CreateTerminalRequest, 'sessionId'>) => Promise<string | number>;
  readonly run: (command: string, args?: string[]) => Promise<string | number>;
  /** Replaces all rules. */
  readonly setRules: (rules: readonly PermissionRule[]) => void;
  /** True if a request waits for an answer. */
  readonly isWaiting: () => boolean;
  /** Answers the oldest waiting request, once there is one, with the option of this kind. */
  readonly answer: (kind: acp.PermissionOptionKind) => Promise<void>;
}

export const diff = (path: string, newText: string, oldText: string | null = null): acp.ToolCallContent => ({
  type: 'diff',
  path,
  oldText,
  newText,
});

/** What was shown if a user, who then rejects it, is asked about an attempt; undefined if not. */
export async function questionShown(
  under: HostUnderTest,
  attempt: Promise<string | number>,
): Promise<string | undefined> {
  const before = under.asked.length;
  let isOver = false;
  const outcome = attempt.finally(() => (isOver = true));
  await expect.poll(() => isOver || under.isWaiting()).toBe(true);
  const isWaiting = under.isWaiting();
  if (isWaiting) await under.answer('reject_once');
  expect([DENIED, 'x-no'].includes(await outcome)).toBe(isWaiting);
  if (!isWaiting) return undefined;
  expect(under.asked.length).toBe(before + 1);
  const {title, content} = under.asked.at(-1)!.request.toolCall;
  return JSON.stringify([title, content]);
}

type Settings = Partial<
  Pick<HostOptions, 'approval' | 'ownFolders' | 'hasUser' | 'isCancelling' | 'decideByHook'>
> & {
  readonly rules?: readonly PermissionRule[];
  readonly known?: Readonly<Record<string, KnownToolCall>>;
};

/** Hosts in a sandbox, with a recording listener; their processes are stopped after each test. `at` returns the path of a name in its root. */
export function useHosts() {
  const sandbox = useSandbox();
  const hosts: Host[] = [];
  afterEach(async () => {
    await Promise.all(hosts.splice(0).map((host) => host.terminals.closeAll()));
  });

  function setUp({known = {}, rules = [], ...settings}: Settings = {}): HostUnderTest {
    const asked: HostUnderTest['asked'] = [];
    const decisions: PermissionDecision[] = [];
    const statuses: HostUnderTest['statuses'] = [];
    const updates: HostUnderTest['updates'] = [];
    const terminals: string[] = [];
    const records: HostUnderTest['records'] = [];
    const offered: string[] = [];
    const offers: OfferedAnswers[] = [];
    const outdated: HostUnderTest['outdated'] = [];
    let current = rules;
    const waiting = new Map<string, acp.RequestPermissionRequest>();
    const host = createHost({
      cwd: sandbox.root,
      additionalDirectories: [],
      approval: 'none',
      rules: () => current,
      agent: {label: 'test', claimed: () => 'Test Agent'},
      onDecision: (decision) => records.push(decision),
      onRule: (rule) => offered.push(rule),
      hasUser: true,
      env: process.env,
      toolCall: ({toolCallId}) => known[toolCallId],
      folderOf: () => undefined,
      isCancelling: () => false,
      permissions: {
        requested(id, {request, rule, covers, outdated}) {
          asked.push({id, request, rule, covers, outdated});
          waiting.set(id, request);
        },
        offered: (_id, offered) => void offers.push(offered),
        outdated: (_id, files) => void outdated.push(files),
        resolved(id, _call, decision) {
          decisions.push(decision);
          waiting.delete(id);
        },
      },
      elicitations: {requested: () => undefined, resolved: () => undefined, completed: () => undefined},
      terminals: {
        withoutPty: () => undefined,
        limited: () => undefined,
        created: (_id, {command}) => terminals.push(command),
        output: () => undefined,
        exited: () => undefined,
        released: () => undefined,
      },
      onUpdate: (_sessionId, update) => {
        updates.push(update);
        if (update.sessionUpdate === 'tool_call_update' && update.status) statuses.push(update.status);
      },
      ...settings,
    });
    hosts.push(host);
    const create: HostUnderTest['create'] = async (request) => {
      const answer = await host.createTerminal({sessionId: 's', ...request}, never);
      return answer.ok ? 'started' : answer.code;
    };
    return {
      host,
      asked,
      decisions,
      records,
      offers,
      outdated,
      offered,
      statuses,
      updates,
      terminals,
      async permission(toolCall, options = OPTIONS) {
        const request = {sessionId: 's', toolCall: {toolCallId: 't', ...toolCall}, options};
        const {outcome} = await host.requestPermission({request}, never);
        return outcome.outcome === 'selected' ? outcome.optionId : outcome.outcome;
      },
      async write(path, content = 'new') {
        const answer = await host.write({sessionId: 's', path, content}, never);
        return answer.ok ? 'written' : answer.code;
      },
      create,
      run: (command, args) => create({command, ...(args && {args})}),
      setRules: (rules) => void (current = rules),
      isWaiting: () => waiting.size > 0,
      async answer(kind) {
        await expect.poll(() => waiting.size).toBeGreaterThan(0);
        const [id, request] = [...waiting][0]!;
        void host.answer(id, {
          kind: 'option',
          index: request.options.findIndex((option) => option.kind === kind),
        });
      },
    };
  }

  return {sandbox, setUp, at: (name: string) => `${sandbox.root}/${name}`};
}
