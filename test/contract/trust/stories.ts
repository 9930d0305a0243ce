import type * as acp from '@agentclientprotocol/sdk/unstable';
import * as fc from 'fast-check';
import {ALLOW, REFUSE} from './stage.ts';

/** What an agent requests: lines of a file, a command, or both, under any label. Lines and words are distinct tokens. */
export interface StoryRequest {
  readonly kind: acp.ToolKind;
  readonly diff?: {
    readonly file: 'a' | 'b';
    readonly lines: readonly string[];
    readonly form: 'whole' | 'part' | 'new';
  };
  readonly command?: {
    readonly args: readonly string[];
    readonly inSub: boolean;
    readonly shape: 'line' | 'list' | 'args';
  };
}

/** What it does afterwards: as requested, or with a change. */
export type Attempt = {
  /** Which of its requests it relies on. */
  readonly of: number;
  /** The user's answer, if asked. */
  readonly key: string;
  /** Whether the user saves the file meanwhile. */
  readonly saves: boolean;
} & (
  | {readonly does: 'write'; readonly twist: (typeof WRITE_TWISTS)[number]}
  | {readonly does: 'run'; readonly twist: (typeof RUN_TWISTS)[number]}
);

const WRITE_TWISTS = ['none', 'less', 'more', 'other file', 'fresh'] as const;
const RUN_TWISTS = [
  'none',
  'less',
  'more',
  'other folder',
  'variable',
  'shell',
  'own shell',
  'joined',
] as const;
const MEANWHILE = ['nothing', 'update', 'second request', 'save', 'folder'] as const;

/** An agent that requests something, what happens while the request waits, and what it then tries. */
export interface Story {
  /** The second is what it changes its request to, or requests under the same ID. */
  readonly asked: readonly [StoryRequest, StoryRequest];
  readonly meanwhile: (typeof MEANWHILE)[number];
  readonly keys: readonly [string, string];
  readonly attempts: readonly Attempt[];
}

const tokens = (letter: string) =>
  fc.array(
    fc.nat(999).map((number) => `${letter}${number}${letter}`),
    {minLength: 1, maxLength: 3},
  );

/** Mostly those whose answer can cover something. */
const KINDS: readonly acp.ToolKind[] = [
  'edit',
  'edit',
  'execute',
  'execute',
  'other',
  'other',
  'other',
  'read',
];

const asked: fc.Arbitrary<StoryRequest> = fc.record(
  {
    kind: fc.constantFrom(...KINDS),
    diff: fc.record({
      file: fc.constantFrom('a' as const, 'b' as const),
      lines: tokens('l'),
      form: fc.constantFrom('whole' as const, 'whole' as const, 'part' as const, 'new' as const),
    }),
    command: fc.record({
      args: tokens('w'),
      inSub: fc.boolean(),
      shape: fc.constantFrom('line' as const, 'list' as const, 'args' as const),
    }),
  },
  {requiredKeys: ['kind']},
);

const key = fc.constantFrom(ALLOW, ALLOW, ALLOW, REFUSE);
const common = {of: fc.constantFrom(0, 0, 1), key, saves: fc.boolean()};

const attempt: fc.Arbitrary<Attempt> = fc.oneof(
  fc.record({
    ...common,
    does: fc.constant('write' as const),
    twist: fc.constantFrom('none' as const, ...WRITE_TWISTS),
  }),
  fc.record({
    ...common,
    does: fc.constant('run' as const),
    twist: fc.constantFrom('none' as const, 'own shell' as const, ...RUN_TWISTS),
  }),
);

export const story: fc.Arbitrary<Story> = fc.record({
  asked: fc.tuple(asked, asked),
  meanwhile: fc.constantFrom(...MEANWHILE),
  keys: fc.tuple(key, key),
  attempts: fc.array(attempt, {minLength: 2, maxLength: 4}),
});
