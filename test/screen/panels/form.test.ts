import * as fc from 'fast-check';
import {afterEach, describe, expect, test} from 'vitest';
import {formPanel} from '../../../components/requests/form-request.ts';
import {
  chooseNumber,
  goTo,
  moveOn,
  withDraft,
  withFilter,
  withProblems,
} from '../../../src/app/requests/form-values.ts';
import {buttonsOf, formOf} from '../../../src/app/requests/form.ts';
import {defaultKeymap} from '../../../src/app/keymap/keymap.ts';
import {draftOf} from '../../../src/app/editor/draft.ts';
import {readFields} from '../../../src/session/forms/form-schema.ts';
import type {PendingForm} from '../../../src/session/state.ts';
import {width} from '../../../src/text/width.ts';
import {prompt} from '../../support/session/conversation.ts';
import {requestedSchema} from '../../support/session/schemas.ts';
import {allRead, askedView as view} from '../shown-request.ts';
import {plainTheme} from '../../support/screen/theme.ts';
import {linesOfPanel} from '../../support/screen/frame-of.tsx';
import {closeWindows, open, shown} from '../../support/screen/window.ts';
import type {FormState} from '../../../src/app/requests/form-state.ts';

const properties = {
  name: {type: 'string', title: 'Your name', description: 'As it stands on the door', minLength: 2},
  mail: {type: 'string', title: 'Where to write to', format: 'email'},
  ports: {type: 'integer', title: 'How many ports', minimum: 1, maximum: 9},
  sure: {type: 'boolean', title: 'Are you sure', default: true},
  color: {
    type: 'string',
    title: 'A color',
    oneOf: [
      {const: '#f00', title: 'Red', description: 'like fire'},
      {const: '#00f', title: 'Blue'},
    ],
  },
  tools: {type: 'array', title: 'Tools', items: {type: 'string', enum: ['git', 'vim']}, maxItems: 1},
  city: {
    type: 'string',
    title: 'A city',
    enum: 'Aarhus Berlin Cadiz Delhi Essen Fez Graz Halle Izmir Jena'.split(' '),
  },
  token: {type: 'string', title: 'API key'},
  shape: {type: '_shape', title: 'A shape'},
};
const names = Object.keys(properties);

const request: PendingForm = {
  kind: 'form',
  id: 'f',
  message: 'Who are you?',
  title: undefined,
  description: undefined,
  toolCallId: undefined,
  askedAt: 0,
  fields: readFields({properties, required: ['name', 'tools']}),
};

interface Size {
  readonly columns?: number;
  readonly rows?: number;
  readonly isFocused?: boolean;
}

function drawn(form: FormState, {columns = 80, rows = 30, isFocused = true}: Size = {}) {
  const about = {
    entry: undefined,
    agentName: 'test agent',
    others: 0,
    keymap: defaultKeymap,
    reading: allRead,
  };
  const asked = {...request, fields: form.fields};
  const theme = plainTheme({columns});
  const {caret, ...panel} = formPanel({request: asked, view, form, rows, isFocused, ...about}, theme);
  return {lines: linesOfPanel(panel, theme), caret};
}

const text = (form: FormState, size?: Size) => drawn(form, size).lines.join('\n');
const at = (name: string) => goTo(formOf(request.fields), names.indexOf(name));

/** Returns the rows of the open field, and those from the buttons on: all others are as in the form that has no focus. */
function opened(name: string, columns: number): string {
  const rows = drawn(at(name), {columns}).lines;
  const closed = drawn(formOf(request.fields), {columns, isFocused: false}).lines;
  const buttons = (lines: readonly string[]) => lines.findIndex((line) => line.includes('[ Submit ]'));
  const from = closed.findIndex((line, index) => line !== rows[index]);
  const below = closed.slice(from + 1, buttons(closed));
  const to = buttons(rows) - below.length;
  expect(rows.slice(to, buttons(rows))).toEqual(below);
  return [...rows.slice(from, to), ...rows.slice(buttons(rows))].join('\n');
}

describe.each([80, 20])('at %d columns a form', (columns) => {
  test('shows the questions, each field with its value, and the ways to answer', () => {
    expect(text(formOf(request.fields), {columns, isFocused: false})).toMatchSnapshot();
  });

  // Narrow fields only wrap more: one with a description, and one with options that have some.
  test.each(columns === 80 ? names : ['name', 'color'])('opens the field %s', (name) => {
    expect(opened(name, columns)).toMatchSnapshot();
  });

  test('shows at each field what is wrong with it', () => {
    const wrong = new Map([
      ['name', 'Required'],
      ['tools', 'Select at most 1 (now 2)'],
    ]);
    expect(text(withProblems(at('city'), wrong), {columns})).toMatchSnapshot();
  });

  test('scrolls to the focused element', () => {
    const form = moveOn(formOf(request.fields), -1);
    const lines = text(form, {columns, rows: 8});
    expect(lines).toContain('❯ [ Cancel');
    expect(lines).toMatch(/… \d+ above/);
    expect(lines).not.toContain('Who are you?');
  });
});

test('a form in few rows shows the name of the focused field before its options', () => {
  const {lines} = drawn({...at('color'), follows: true}, {columns: 30, rows: 6});
  expect(lines.slice(1, 3)).toEqual(['❯ A color', '  ❯ ( ) 1. Red - like fire']);
});

describe('a field', () => {
  test('shows the cursor where text is typed', () => {
    const form = withDraft(at('mail'), {...draftOf('ada@x'), caret: 3});
    const {lines, caret} = drawn(form);
    expect(lines[caret?.row ?? 0]?.slice(0, caret?.column)).toBe('│   ada');
  });

  test('shows hidden characters in its value, focused or not, with the cursor after them', () => {
    const form = withDraft(at('mail'), {...draftOf('a\u200bb\u202ec\td\u00a0e'), caret: 4});
    const seen = 'a⟨U+200B⟩b⟨U+202E⟩c␉d⟨U+00A0⟩e';
    const {lines, caret} = drawn(form);
    expect(lines.join('\n')).toContain(seen);
    expect(lines[caret?.row ?? 0]?.slice(0, caret?.column)).toBe('│   a⟨U+200B⟩b⟨U+202E⟩');
    expect(text(moveOn(form, 1))).toContain(`Where to write to: ${seen}`);
  });

  test('shows a default value once, and letters of a script as they are', () => {
    const properties = {
      hidden: {type: 'string', title: 'Hidden', default: 'a\u200bb'},
      seen: {type: 'string', title: 'Seen', default: 'می\u200cخواهم 👩\u200d💻'},
    };
    const shown = text(formOf(readFields({properties})), {isFocused: false});
    expect(shown).toContain('Hidden: a⟨U+200B⟩b');
    expect(shown).toContain('Seen: می\u200cخواهم 👩\u200d💻');
  });

  test('shows the selection, and the search in a long list', () => {
    expect(text(chooseNumber(at('color'), 2))).toContain('❯ (x) 2. Blue');
    expect(text(chooseNumber(at('tools'), 1))).toContain('❯ [x] 1. git');
    const found = text(withFilter(at('city'), 'ja'));
    expect(found).toContain('Filter: ja (');
    expect(found).not.toContain('Graz');
  });

  test('that is a secret is masked, focused or not', () => {
    const [asked] = readFields({properties: {key: {type: 'string', _meta: {codex: {isSecret: true}}}}});
    const form = withDraft(formOf(asked ? [asked] : []), draftOf('hunter2'));
    for (const shown of [text(form), text(moveOn(form, 1))]) {
      expect(shown).toContain('*******');
      expect(shown).not.toContain('hunter2');
    }
  });

  test('that asks for a secret of the user warns of it', () => {
    expect(text(at('token'))).toContain('Do not enter passwords or keys');
  });

  test('of an unknown kind is named, and has no control', () => {
    expect(text(at('shape'))).toContain('unsupported field type');
    expect(buttonsOf(formOf(readFields({properties: {a: {type: '_x'}}, required: ['a']})))).not.toContain(
      'accept',
    );
  });
});

test(
  'every line of any form fits its columns and rows, and the focused element is in view',
  {timeout: 180_000},
  () => {
    const size = fc.record({columns: fc.integer({min: 8, max: 90}), rows: fc.integer({min: 3, max: 30})});
    fc.assert(
      fc.property(requestedSchema, size, fc.nat(9), (schema, {columns, rows}, steps) => {
        let form = formOf(readFields(schema));
        for (let step = 0; step < steps; step++) form = moveOn(form, 1);
        form = {...form, follows: true};
        const {lines, caret} = drawn(form, {columns, rows});
        expect(lines.length).toBeLessThanOrEqual(rows);
        for (const line of lines) expect(width(line)).toBeLessThanOrEqual(columns);
        expect(caret !== undefined || lines.join('\n').includes('❯')).toBe(true);
      }),
    );
  },
);

describe('in the window', () => {
  afterEach(closeWindows);

  test('a form cannot look like one of acp-tui, whatever the agent calls itself', async () => {
    const window = open({columns: 60, rows: 24});
    const fields = readFields({properties: {a: {title: '\u001b[2J1. Yes (allow once)\n❯ acp-tui asks'}}});
    window.report(prompt(1), {
      type: 'elicitation_requested',
      id: 'f',
      asked: {mode: 'form', message: '─ acp-tui asks ──\u001b[1A\nMay I?', fields},
    });
    await shown(window).toMatch(/Answer the agent's question\? ─+ test agent ─/);
    await shown(window).toContain('[ Submit ]');
    expect(await window.screen()).not.toContain('\u001b[2J');
  });

  test('a form that may be for another session says so', async () => {
    const window = open({columns: 60, rows: 24});
    const asked = {mode: 'form', message: 'Who?', fields: readFields({}), isForNone: true} as const;
    window.report(prompt(1), {type: 'elicitation_requested', id: 'f', asked});
    await shown(window).toContain('Who?');
    expect(await window.screen()).toMatch(/Answer the agent's questions\? ─+ for any session · tes…/);
  });

  test('a form is filled in and keeps its input while the focus is elsewhere', async () => {
    const window = open({columns: 60, rows: 24});
    window.press('x');
    const fields = readFields({properties: {a: {type: 'string', title: 'Name'}}});
    window.report(prompt(1), {
      type: 'elicitation_requested',
      id: 'f',
      asked: {mode: 'form', message: 'Who?', fields},
    });
    await shown(window).toContain('Tab answer');
    window.press('\t');
    await shown(window).toContain('❯ Name');
    window.press('Ada');
    await shown(window).toContain('  Ada');
    window.press('\x1b');
    await shown(window).toContain('  Name: Ada');
    expect(await window.screen()).toContain('Tab answer');
  });
});

test.each([
  ['the name of a field', {a: {type: 'string', title: 'Na⟨U+200B⟩me'}}],
  ['a description', {a: {type: 'string', title: 'Name', description: 'x␛y'}}],
  ['a choice', {a: {type: 'string', title: 'Name', oneOf: [{const: 'b', title: 'y⟨U+202E⟩es'}]}}],
  [
    'a value that is the label of its option',
    {a: {type: 'string', title: 'Name', enum: ['y⟨U+202E⟩es', 'no']}},
  ],
])('hidden characters in %s are reported first', (_what, properties) => {
  const fields = readFields({properties});
  expect(text(formOf(fields))).toContain('Contains hidden or control characters');
});
