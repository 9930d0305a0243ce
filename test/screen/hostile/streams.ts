import * as fc from 'fast-check';
import {logOverlay} from '../../../src/app/pages/pages.ts';
import type {AppEvent} from '../../../src/app/events.ts';
import type {SessionEvent} from '../../../src/session/events.ts';
import type {UntimedEvent} from '../../support/session/build.ts';
import {hostileText} from '../../support/text/hostile.ts';
import {elicitation} from './elicitation.ts';
import {fromSchema, type SchemaVersion} from '../../support/hostile/from-schema.ts';
import {wireLines} from '../../support/hostile/wire-lines.ts';

/** Attacks that only become sequences when something interprets the text. */
const INTERPRETED = [
  '&#27;[2J',
  '&#x1b;]52;c;aGk=&#7;',
  '&#155;8m',
  '\u001b[8mhidden',
  '\u009b5mblinking',
  '[good](https://evil.example/\u001b]0;x\u0007)',
  '[a](javascript:alert(1))',
  '[https://good.example](https://evil.example)',
  '![picture](file:///etc/passwd)',
  '<https://a.example/%1b%5d0;x%07>',
  '```sh\nrm -rf \u001b[8m~\n```\n',
  '| a | b |\n|---|---|\n| \u009b2J | \u202ex |\n',
  '# \u001b[31mhead\n\n- one\n',
  'wide 漢字 and 👩‍👩‍👧‍👦 and e\u0301 ',
  'x'.repeat(200),
];

const text = fc.oneof(
  {weight: 6, arbitrary: hostileText},
  {weight: 2, arbitrary: fc.constantFrom(...INTERPRETED)},
  {weight: 2, arbitrary: fc.constantFrom('src/a.ts', 'npm test', 'Read', 'https://example.com')},
);
/** Styles that acp-tui never writes: Ink lets styles through. */
const id = fc.constantFrom('a', 'b\u001b[5m', 'c\u001b[2J', '\u009b8mhidden\u202e');
const schema = fromSchema({text, id});

const reported = (type: UntimedEvent['type'], fields: Readonly<Record<string, fc.Arbitrary<unknown>>>) =>
  fc.record({type: fc.constant(type), ...fields}) as unknown as fc.Arbitrary<UntimedEvent>;

const exit = fc.record({code: fc.constantFrom(null, 0, 1), signal: fc.option(text)});
const failure = fc.oneof(
  fc.record({kind: fc.constant('connection_lost'), exit, stderrTail: text, problem: text}),
  fc.record({kind: fc.constant('not_acp'), command: text, sample: text}),
  fc.record({
    kind: fc.constant('agent_error'),
    method: text,
    code: fc.integer(),
    message: text,
    detail: text,
  }),
);
const turn = fc.constantFrom(1, 2);
const opened = fc
  .tuple(schema('NewSessionResponse') as fc.Arbitrary<object>, id)
  .map(([response, sessionId]) =>
    Object.assign({}, response, {sessionId, cwd: '/work', additionalDirectories: []}),
  );
const connection = fc.oneof(
  fc.constant({kind: 'ready'}),
  fc.record({kind: fc.constantFrom('lost', 'failed'), failure}),
  fc.record({
    kind: fc.constant('authentication_required'),
    methods: fc.array(schema('AuthMethod'), {maxLength: 2}),
    problem: text,
  }),
);

const events: fc.Arbitrary<UntimedEvent> = fc.oneof(
  {weight: 12, arbitrary: reported('session_update', {update: schema('SessionUpdate')})},
  reported('session_update', {
    update: fc.record({sessionUpdate: fc.constant('_unknown'), kind: text, json: text}),
  }),
  {
    weight: 2,
    arbitrary: reported('permission_requested', {
      id,
      request: schema('RequestPermissionRequest'),
      raw: text,
    }),
  },
  reported('permission_resolved', {
    id,
    toolCallId: id,
    decision: fc.record({outcome: fc.constantFrom('allowed', 'rejected'), option: text, by: text}),
  }),
  {weight: 2, arbitrary: reported('elicitation_requested', {id, asked: elicitation({text, id})})},
  reported('elicitation_resolved', {
    id,
    outcome: fc.constantFrom('accepted', 'declined', 'withdrawn'),
    answers: fc.array(fc.record({label: text, answer: text}), {maxLength: 2}),
  }),
  reported('session_opened', {session: opened, how: fc.constant('new')}),
  reported('agent_initialized', {response: schema('InitializeResponse'), fallbackName: text}),
  reported('connection_changed', {connection}),
  reported('prompt_started', {turn, content: fc.constant([{type: 'text', text: 'go'}])}),
  reported('prompt_ended', {
    turn,
    outcome: fc.oneof(
      fc.constant({kind: 'stopped', stopReason: 'end_turn'}),
      fc.record({kind: fc.constant('failed'), failure}),
    ),
  }),
  reported('terminal_created', {terminalId: id, command: text, cwd: text}),
  {weight: 2, arbitrary: reported('terminal_output', {terminalId: id, data: text})},
  reported('terminal_exited', {terminalId: id, exit}),
  reported('notice', {level: fc.constantFrom('info', 'warning', 'error'), text}),
);

export type StreamStep =
  | {readonly kind: 'event'; readonly event: AppEvent}
  /** A line that the agent prints, to be parsed like every other. */
  | {readonly kind: 'line'; readonly line: string}
  /** Keys as a terminal sends them. */
  | {readonly kind: 'keys'; readonly keys: readonly string[]};

/** An agent's actions, and a user who looks at everything meanwhile. */
const stepOf = (version: SchemaVersion): fc.Arbitrary<StreamStep> =>
  fc.oneof(
    {
      weight: 8,
      arbitrary: events.map((event): StreamStep => ({
        kind: 'event',
        event: {type: 'session', key: 'one', event: {...event, at: 1_000_000} as SessionEvent, at: 1_000_000},
      })),
    },
    {weight: 8, arbitrary: wireLines({text, id}, version).map((line): StreamStep => ({kind: 'line', line}))},
    text.map((stderr): StreamStep => ({
      kind: 'event',
      event: {type: 'overlay_opened', overlay: logOverlay(stderr)},
    })),
    fc
      .constantFrom(
        ...['/status', '/config', '/mode', '/model', '/plan', '/help'].map((line) => [line, '\r']),
        ['/'],
        ['\t'],
        ['?'],
        ['\u001b[B', '\r'],
        ['\u001b'],
        ['\u0014'],
      )
      .map((keys): StreamStep => ({kind: 'keys', keys})),
  );

/** What an agent of this version may send, with what happens in the window meanwhile. */
export const streams = (version: SchemaVersion) =>
  fc.array(stepOf(version), {minLength: 8, maxLength: 20, size: 'max'});
