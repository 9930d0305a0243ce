import {Ajv} from 'ajv';
import * as fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {
  readAnswers,
  chooseHere,
  chooseNeighbor,
  chooseNumber,
  clearChoice,
  goTo,
  moveCursor,
  moveOn,
  withDraft,
  withFilter,
  withProblems,
} from '../../../src/app/requests/form-values.ts';
import {buttonAt, buttonsOf, formOf, hasFilter} from '../../../src/app/requests/form.ts';
import {draftOf} from '../../../src/app/editor/draft.ts';
import {readFields} from '../../../src/session/forms/form-schema.ts';
import {requestedSchema} from '../../support/session/schemas.ts';
import type {FormState} from '../../../src/app/requests/form-state.ts';

function form(properties: Record<string, object>, required: readonly string[] = []): FormState {
  return formOf(readFields({type: 'object', properties, required}));
}

function contentOf(form: FormState): unknown {
  const answers = readAnswers(form);
  return answers.ok ? answers.content : Object.fromEntries(answers.problems);
}

const colors = {type: 'string', enum: ['red', 'green', 'blue']};
const many = {type: 'array', items: {type: 'string', enum: ['red', 'green', 'blue']}};

describe('a form', () => {
  it('that is unchanged answers with its defaults, and omits empty fields', () => {
    const defaults = form({
      name: {type: 'string', default: 'Ada'},
      port: {type: 'integer', default: 3000},
      log: {type: 'boolean', default: false},
      color: {...colors, default: 'green'},
      all: {...many, default: ['blue', 'red']},
      nothing: {type: 'string'},
      none: many,
    });
    expect(contentOf(defaults)).toEqual({
      name: 'Ada',
      port: 3000,
      log: false,
      color: 'green',
      all: ['red', 'blue'],
    });
  });

  it('shows what is missing and wrong at each field, and moves to the first', () => {
    const asked = form({a: {type: 'string'}, b: {type: 'integer', default: 5}, c: colors}, ['a', 'c']);
    const wrong = withDraft(goTo(asked, 1), draftOf('5.5'));
    const answers = readAnswers(wrong);
    expect(contentOf(wrong)).toEqual({
      a: 'Required',
      b: 'Must be a whole number',
      c: 'Required',
    });
    const reported = withProblems(goTo(wrong, 3), answers.ok ? new Map() : answers.problems);
    expect(reported.at).toBe(0);
    expect(reported.problems).toEqual(['Required', 'Must be a whole number', 'Required']);
  });

  it('validates a field when it is left, and no longer once it is edited', () => {
    const typed = withDraft(form({a: {type: 'integer'}, b: {type: 'integer'}}), draftOf('x'));
    const left = moveOn(typed, 1);
    expect(left.problems).toEqual(['Must be a number', undefined]);
    expect(withDraft(moveOn(left, -1), draftOf('1')).problems).toEqual([undefined, undefined]);
    // A skipped one is not wrong yet.
    expect(moveOn(moveOn(form({a: {type: 'integer'}}, ['a']), 1), -1).problems).toEqual([undefined]);
  });

  it('moves from the last field to its buttons, and wraps around', () => {
    const asked = form({a: {type: 'string'}});
    const stops = [asked, moveOn(asked, 1), moveOn(moveOn(asked, 1), 1), moveOn(asked, -1)];
    expect(stops.map(buttonAt)).toEqual([undefined, 'accept', 'decline', 'cancel']);
    expect(moveOn(moveOn(asked, -1), 1).at).toBe(0);
  });

  it('that requires something unknown can only be declined or cancelled', () => {
    expect(buttonsOf(form({a: {type: 'object'}}, ['a']))).toEqual(['decline', 'cancel']);
    expect(buttonsOf(formOf([], 'acp-tui'))).toEqual(['accept', 'cancel']);
    expect(contentOf(form({a: {type: 'object'}}))).toEqual({});
  });
});

describe('a list', () => {
  it('selects one item, by the cursor, by its number, or the next', () => {
    const asked = form({color: colors});
    expect(contentOf(chooseHere(moveCursor(asked, 1)!))).toEqual({color: 'green'});
    expect(contentOf(chooseNumber(asked, 3))).toEqual({color: 'blue'});
    expect(contentOf(chooseNeighbor(chooseNumber(asked, 1), 1))).toEqual({color: 'green'});
    expect(chooseNumber(asked, 4)).toBe(asked);
    expect(moveCursor(asked, -1)).toBeUndefined();
    expect(contentOf(clearChoice(chooseNumber(asked, 3)))).toEqual({});
  });

  it('selects several and deselects them, in the order of the agent', () => {
    const both = chooseNumber(chooseNumber(form({all: many}), 3), 1);
    expect(contentOf(both)).toEqual({all: ['red', 'blue']});
    expect(contentOf(chooseNumber(both, 3))).toEqual({all: ['red']});
  });

  it('answers a yes or no question, or leaves it open', () => {
    const asked = form({sure: {type: 'boolean'}});
    expect([asked, chooseNumber(asked, 1), chooseNumber(asked, 2)].map(contentOf)).toEqual([
      {},
      {sure: true},
      {sure: false},
    ]);
  });

  it('that is long is searched by typing', () => {
    const cities = ['Aarhus', 'Berlin', 'Bern', 'Cadiz', 'Delhi', 'Essen', 'Fez', 'Graz', 'Halle', 'Izmir'];
    const [long, short] = [cities, cities.slice(1)].map((some) => form({city: {type: 'string', enum: some}}));
    expect([long, short].map((asked) => hasFilter(asked!.fields[0]!))).toEqual([true, false]);
    const found = withFilter(long!, 'bern');
    expect(contentOf(chooseHere(found))).toEqual({city: 'Bern'});
    expect(chooseHere(withFilter(found, 'xyzzy')).inputs[0]).toMatchObject({chosen: []});
  });
});

describe('any input in a form of any schema', () => {
  const ajv = new Ajv({ownProperties: true, strict: false});
  const deeds: Record<string, (form: FormState, text: string) => FormState> = {
    next: (form) => moveOn(form, 1),
    previous: (form) => moveOn(form, -1),
    type: (form, text) => (form.inputs[form.at]?.kind === 'text' ? withDraft(form, draftOf(text)) : form),
    down: (form) => moveCursor(form, 1) ?? form,
    choose: chooseHere,
    neighbor: (form) => chooseNeighbor(form, 1),
    number: (form, text) => chooseNumber(form, text.length),
    filter: withFilter,
    clear: clearChoice,
  };
  const doing = fc.array(
    fc.tuple(
      fc.constantFrom(...Object.keys(deeds)),
      fc.oneof(fc.string({maxLength: 5}), fc.integer().map(String)),
    ),
    {maxLength: 40},
  );

  it('gives an answer that follows the schema', () => {
    fc.assert(
      fc.property(requestedSchema, doing, (schema, doing) => {
        const filled = doing.reduce(
          (form, [deed, text]) => deeds[deed]!(form, text),
          formOf(readFields(schema)),
        );
        const answers = readAnswers(filled);
        expect(
          answers.ok
            ? ajv.validate(schema, JSON.parse(JSON.stringify(answers.content)))
            : answers.problems.size > 0,
        ).toBe(true);
      }),
    );
  });
});
