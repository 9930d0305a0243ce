import type * as acp from '@agentclientprotocol/sdk/unstable';
import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import type {HostOptions} from '../../../src/host/services.ts';
import {createNormalizer} from '../../../src/protocol/normalize/deviation.ts';
import {readPermission} from '../../../src/protocol/normalize/messages.ts';
import {diff, type HostUnderTest, OPTIONS, rules, useHosts} from './hosts.ts';

const {setUp, at} = useHosts();

/** One thing that a request does, as a part of it. */
interface Effect {
  readonly content?: readonly object[];
  readonly locations?: readonly acp.ToolCallLocation[];
  readonly rawInput?: Readonly<Record<string, unknown>>;
}

const link = (path: string): acp.ToolCallContent => ({
  type: 'content',
  content: {type: 'resource_link', name: 'file', uri: `file://${path}`},
});

const FILES = ['a.ts', 'src/b.ts', 'src/deep/c.ts', '.env', '../outside.ts'];
const COMMANDS = ['ls', 'npm test', 'rm -r x', 'cat .env', 'ls *.ts'];

/** What a request may do, with the kind that says so; without one it is what the request claims. */
const MADE: readonly (readonly [acp.ToolKind | undefined, (file: string) => Effect])[] = [
  ['edit', (file) => ({content: [diff(at(file), 'new')]})],
  ['delete', (file) => ({content: [{...diff(at(file), ''), deleted: true}]})],
  [
    'move',
    (file) => ({
      content: [{...diff(at(file), 'new'), _meta: {change: {does: 'move', oldPath: at('src/old')}}}],
    }),
  ],
  ['edit', (file) => ({rawInput: {[`patch of ${file}`]: `*** Update File: ${at(file)}\n`}})],
  ['delete', (file) => ({rawInput: {[`patch without ${file}`]: `*** Delete File: ${at(file)}\n`}})],
  // A file that is changed, too, is named for that.
  [undefined, (file) => ({rawInput: {[`file ${file}`]: `${at(file)}.named`}})],
  [undefined, (file) => ({locations: [{path: `${at(file)}.named`}]})],
  [undefined, (file) => ({content: [link(`${at(file)}.named`)]})],
];
const RUN: typeof MADE = [
  ['execute', (line) => ({rawInput: {[`script ${line}`]: line}})],
  ['execute', (line) => ({rawInput: {[`argv ${line}`]: line.split(' ')}})],
  // Its command was decided about when it was started.
  [undefined, () => ({content: [{type: 'terminal', terminalId: 't'}]})],
];

/** Every request names a file, and one to execute a command: without these a rule cannot know what it is about. */
const base = (kind: acp.ToolKind): Effect => ({
  locations: [{path: at('src/base.ts')}],
  ...(kind === 'execute' && {rawInput: {command: 'ls'}}),
});

function joined(effects: readonly Effect[]): object {
  return {
    content: effects.flatMap(({content = []}) => content),
    locations: effects.flatMap(({locations = []}) => locations),
    rawInput: Object.assign({}, ...effects.map(({rawInput}) => rawInput)) as object,
  };
}

const RULES = [
  'allow edit **',
  'allow edit src/**',
  'allow delete **',
  'allow move **',
  'allow read',
  'allow read src/**',
  'allow any src/**',
  'allow other',
  'allow fetch',
  'allow execute',
  'allow execute ls*',
  'allow tool=known any',
  'ask any a.ts',
  'ask execute npm *',
  'deny delete',
  'deny move src/**',
  'deny edit src/deep/*',
  'deny any .env*',
  'deny execute rm *',
];

const CHANGES: ReadonlySet<acp.ToolKind> = new Set(['edit', 'delete', 'move']);

const NOT_EDITS: ReadonlySet<acp.ToolKind> = new Set(['execute', 'delete', 'move']);
const YES: Readonly<Record<string, {effect: 'allow'; by: string}>> = {ls: {effect: 'allow', by: 'hook'}};

type Hook = NonNullable<HostOptions['decideByHook']>;

const HOOKS: Readonly<Record<string, Hook | undefined>> = {
  none: undefined,
  'allows some of it in src': async ({kinds, path}) =>
    !kinds.some((kind) => NOT_EDITS.has(kind)) && path?.includes('/src/')
      ? {effect: 'allow', by: 'hook'}
      : undefined,
  'allows ls, and what changes nothing': async ({command, kinds}) =>
    kinds.includes('execute')
      ? YES[command ?? '']
      : kinds.some((kind) => CHANGES.has(kind))
        ? undefined
        : YES['ls'],
  'asks about deletions': async ({kinds}) =>
    kinds.includes('delete') ? {effect: 'ask', by: 'hook'} : undefined,
  'denies what is deep': async ({path}) =>
    path?.includes('/deep/') ? {effect: 'deny', by: 'hook'} : undefined,
};

const STRICTNESS = ['allowed', 'asked', 'denied'] as const;

/** Returns how a request is decided; if the user is asked, this is the answer. */
async function decided(under: HostUnderTest, call: object, answer: acp.PermissionOptionKind) {
  const toolCall = {toolCallId: 't', title: 'Do it', name: 'known', ...call};
  const asked = readPermission(
    JSON.parse(JSON.stringify({sessionId: 's', options: OPTIONS, toolCall})),
    createNormalizer(() => {}),
  );
  let given: string | undefined;
  const answered = under.host.requestPermission(asked, new AbortController().signal).then(({outcome}) => {
    given = outcome.outcome === 'selected' ? outcome.optionId : outcome.outcome;
  });
  await expect.poll(() => given !== undefined || under.isWaiting(), {interval: 1}).toBe(true);
  const isAsked = under.isWaiting();
  if (isAsked) await under.answer(answer);
  await answered;
  if (isAsked) return 'asked';
  return given === 'x-once' ? 'allowed' : 'denied';
}

const effect = fc.oneof(
  fc.tuple(fc.constantFrom(...MADE), fc.constantFrom(...FILES)),
  fc.tuple(fc.constantFrom(...RUN), fc.constantFrom(...COMMANDS)),
);

const KINDS = ['read', 'edit', 'delete', 'execute', 'fetch', 'other'] as const;

const NOTHING = {
  approval: fc.constant('none' as const),
  texts: fc.constant<string[]>([]),
  decideByHook: fc.constant(undefined),
  always: fc.constant(undefined),
};
const levels = fc.constantFrom('none' as const, 'reads' as const, 'edits' as const, 'all' as const);
const someRules = fc.subarray(RULES, {minLength: 1, maxLength: 3});
const hooks = fc.constantFrom(...Object.values(HOOKS));
/** What the user has answered with "always" before. */
const answers = fc.tuple(fc.constantFrom(...KINDS), fc.array(effect, {maxLength: 1}));

/** Mostly one of them alone, so that few examples find much. */
const policies = fc.oneof(
  ...[{approval: levels}, {texts: someRules}, {texts: fc.constantFrom(...RULES).map((text) => [text])}].map(
    (policy) => fc.record({...NOTHING, ...policy}),
  ),
  fc.record({...NOTHING, decideByHook: hooks}),
  fc.record({...NOTHING, always: answers}),
  fc.record({approval: levels, texts: someRules, decideByHook: hooks, always: answers}),
);

test('what a request does in addition never makes the decision about it milder', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...KINDS),
      fc.array(effect, {minLength: 1, maxLength: 3}),
      policies,
      async (kind, made, {approval, texts, decideByHook, always}) => {
        const under = setUp({approval, rules: rules(...texts), ...(decideByHook && {decideByHook})});
        const effects = made.map(([[, make], of]) => make(of));
        if (always) {
          const [of, beside] = always;
          const parts = [base(of), ...beside.map(([[, make], name]) => make(name))];
          await decided(under, {kind: of, ...joined(parts)}, 'allow_always');
        }
        const strictness = async (of: acp.ToolKind, parts: readonly Effect[]) =>
          STRICTNESS.indexOf(await decided(under, {kind: of, ...joined(parts)}, 'reject_once'));
        const all = await strictness(kind, [base(kind), ...effects]);
        expect(all).toBeGreaterThanOrEqual(await strictness(kind, [base(kind)]));
        for (const [index, [[honest], of]] of made.entries()) {
          const part = effects[index]!;
          expect(all).toBeGreaterThanOrEqual(await strictness(kind, [base(kind), part]));
          if (honest === undefined) continue;
          const [command] = Object.values(part.rawInput ?? {});
          const plain =
            honest === 'execute' ? [{rawInput: {command}}] : [part, {locations: [{path: at(of)}]}];
          expect(all).toBeGreaterThanOrEqual(await strictness(honest, plain));
        }
      },
    ),
  );
});

/** What may come in addition to what an answer covers: it is more of the same. */
function isMore(covers: string, kind: acp.ToolKind, honest: acp.ToolKind | undefined): boolean {
  if (covers === 'all edits') return honest === 'edit' || (honest === undefined && kind === 'edit');
  return honest === undefined && ['reads and searches', 'the tool known'].includes(covers);
}

test('what was allowed for the session covers the same request again, and nothing that it did not show', async () => {
  const inside = ['a.ts', 'src/b.ts', 'src/deep/c.ts'];
  const plain = fc.oneof(
    fc.tuple(fc.constantFrom(...MADE), fc.constantFrom(...inside)),
    fc.tuple(fc.constantFrom(...RUN), fc.constantFrom('ls', 'npm test')),
  );
  const more = fc.oneof(
    fc.tuple(fc.constantFrom(...MADE), fc.constantFrom(...FILES)),
    fc.tuple(fc.constantFrom(...RUN.slice(0, 2)), fc.constantFrom(...COMMANDS)),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...KINDS),
      fc.array(plain, {maxLength: 2}),
      more,
      async (kind, made, [[honest, make], of]) => {
        fc.pre(made.every(([, each]) => each !== of));
        const under = setUp();
        const parts = [base(kind), ...made.map(([[, makeEach], each]) => makeEach(each))];
        await decided(under, {kind, ...joined(parts)}, 'allow_always');
        const [given] = under.host.sessionGrants.list();
        const again = await decided(under, {kind, ...joined(parts)}, 'reject_once');
        expect(again).toBe(given ? 'allowed' : 'asked');
        if (given && inside.includes(of) && isMore(given.covers, kind, honest)) return;
        expect(await decided(under, {kind, ...joined([...parts, make(of)])}, 'reject_once')).toBe('asked');
      },
    ),
  );
});

test.each<[string, object]>([
  ['read that names no file', {kind: 'read', rawInput: {what: 'it'}}],
  [
    'command beside a file elsewhere',
    {kind: 'execute', rawInput: {command: 'ls'}, content: [link('/etc/hosts')]},
  ],
])('no answer for the session covers a %s', async (_what, call) => {
  const under = setUp();
  await decided(under, call, 'allow_always');
  expect(under.host.sessionGrants.list()).toEqual([]);
});

test('an answer about a change by another tool covers further ones by that, if all are shown', async () => {
  const under = setUp();
  const change = (file: string, more = {}) => ({content: [diff(at(file), 'new')], ...more});
  await decided(under, change('a'), 'allow_always');
  expect(await decided(under, change('b', {locations: [{path: at('b')}]}), 'reject_once')).toBe('allowed');
  for (const more of [{name: 'send'}, {locations: [{path: at('c')}]}, {rawInput: {to: 'someone'}}])
    expect(await decided(under, change('b', more), 'reject_once')).toBe('asked');
});
