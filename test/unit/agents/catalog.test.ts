import {describe, expect, test} from 'vitest';
import {
  missingLabel,
  canStart,
  buildCatalog,
  findEntry,
  availableUpdate,
  type CatalogParts,
} from '../../../src/agents/catalog.ts';
import {KNOWN_PROGRAMS, findKnownProgram} from '../../../src/agents/programs.ts';
import type {RegistryEntry} from '../../../src/agents/registry.ts';

function inRegistry(id: string, name: string, version = '1.0.0'): RegistryEntry {
  const distribution = {npx: {package: id, args: [], env: {}}};
  return {id, name, version, description: `${name} does it`, authors: [], distribution};
}

function joined(parts: Partial<CatalogParts>) {
  return buildCatalog({configured: {}, programs: [], installed: [], registry: [], ...parts});
}

const gemini = findKnownProgram('gemini');
const qwen = findKnownProgram('qwen');

describe('the catalog', () => {
  test('has the demo agent by default', () => {
    expect(joined({})).toEqual([{id: 'demo', name: 'Demo', origins: ['built in']}]);
  });

  test('has each agent once, with all its sources', () => {
    const entries = joined({
      configured: {gemini: {command: '/opt/gemini'}, mine: {command: 'mine'}},
      programs: [gemini, qwen].filter((program) => program !== undefined),
      installed: [
        {
          id: 'goose',
          name: 'Goose',
          version: '1.0.0',
          from: 'goose',
          start: {command: '/goose', args: [], env: {}},
        },
      ],
      registry: [
        inRegistry('gemini', 'Gemini CLI'),
        inRegistry('goose', 'Goose', '1.1.0'),
        inRegistry('x', 'X'),
      ],
    });
    expect(entries.map(({id, name, origins}) => [id, name, origins])).toEqual([
      ['gemini', 'Gemini CLI', ['settings', 'path', 'registry']],
      ['mine', 'mine', ['settings']],
      ['goose', 'Goose', ['installed', 'registry']],
      ['qwen-code', 'Qwen Code', ['path']],
      ['demo', 'Demo', ['built in']],
      ['x', 'X', ['registry']],
    ]);
    expect(entries.filter((entry) => !canStart(entry)).map(({id}) => id)).toEqual(['x']);
    expect(entries.map(availableUpdate)).toEqual([
      undefined,
      undefined,
      '1.1.0',
      undefined,
      undefined,
      undefined,
    ]);
  });

  test('does not let a registry present another agent as the demo agent', () => {
    const entries = joined({registry: [inRegistry('demo', 'Some well-known agent')]});
    expect(entries).toEqual([{id: 'demo', name: 'Demo', origins: ['built in']}]);
  });

  test('applies settings without a command to the agent of that name, or of its program', () => {
    const programs = [qwen].filter((program) => program !== undefined);
    const entries = joined({configured: {qwen: {model: 'x'}, nothing: {model: 'y'}}, programs});
    expect(entries).toMatchObject([
      {id: 'qwen-code', origins: ['path'], settings: {model: 'x'}},
      {id: 'demo'},
    ]);
    expect(findEntry(entries, 'qwen')?.id).toBe('qwen-code');
    expect(findEntry(entries, 'nothing')).toBeUndefined();
  });
});

test('an agent is found by its product, and by its own program where that needs an adapter', () => {
  const entries = joined({registry: [inRegistry('claude-acp', 'Claude'), inRegistry('pi-acp', 'Pi')]});
  const found = ['claude', 'Claude-Code', 'pi', 'claude --acp', '/opt/claude', ''].map((name) =>
    findEntry(entries, name),
  );
  expect(found.map((entry) => entry?.id)).toEqual([
    'claude-acp',
    'claude-acp',
    'pi-acp',
    undefined,
    undefined,
    undefined,
  ]);
});

test('no two known programs share an ID or a program', () => {
  const names = KNOWN_PROGRAMS.flatMap(({id, program}) => (id === program ? [id] : [id, program]));
  expect(new Set(names).size).toBe(names.length);
});

test('lists a missing well-known agent with its state before the registry, unless it is available otherwise', () => {
  const missing = [
    {id: 'claude-acp', name: 'Claude Code', needsAdapter: 'claude'},
    {id: 'gemini', name: 'Gemini CLI'},
  ];
  const programs = [{id: 'gemini', name: 'Gemini CLI', program: 'gemini', args: ['--acp']}];
  const entries = joined({missing, programs});
  expect(entries.map((entry) => [entry.id, canStart(entry), missingLabel(entry)])).toEqual([
    ['gemini', true, undefined],
    ['demo', true, undefined],
    ['claude-acp', false, 'claude is here; adds its adapter'],
  ]);
});
