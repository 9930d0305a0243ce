import {readFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {describe, expect, test} from 'vitest';
import {findingsIn} from '../../../src/protocol/wire-findings.ts';
import {exchangesOf} from '../../../src/recording/exchanges.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const page = ['protocol', 'compatibility']
  .map((name) => readFileSync(`${root}docs/internals/${name}.md`, 'utf8'))
  .join('\n');

/** The parts of an SDK JSON schema that these tests read. */
interface Definition {
  readonly $ref?: string;
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, Definition>>;
  readonly allOf?: readonly Definition[];
  readonly anyOf?: readonly Definition[];
  readonly oneOf?: readonly Definition[];
  readonly 'x-side'?: string;
  readonly 'x-method'?: string;
}

type Definitions = Readonly<Record<string, Definition>>;

/** Names of the protocol by the heading of docs/internals/protocol.md or docs/internals/compatibility.md with their table. */
type Names = ReadonlyMap<string, ReadonlySet<string>>;

function readSchema(file: string): Definitions {
  const path = `${root}node_modules/@agentclientprotocol/sdk/schema/${file}`;
  return (JSON.parse(readFileSync(path, 'utf8')) as {$defs: Definitions}).$defs;
}

const SIDES: Readonly<Record<string, string>> = {
  agent: 'Requests to the agent',
  client: 'Requests from the agent',
  protocol: 'Requests from the agent',
  proxy: 'Not supported',
};
/** Where a name of version 1 may be as well. */
const ELSEWHERE = ['Notifications from the agent', 'Not supported'];
const UNIONS: readonly (readonly [definition: string, tag: string, heading: string])[] = [
  ['SessionUpdate', 'sessionUpdate', 'Session updates'],
  ['PlanUpdateContent', 'type', 'Content'],
  ['ContentBlock', 'type', 'Content'],
  ['ToolCallContent', 'type', 'Content'],
  ['McpServer', 'type', 'Content'],
];

function namesOf(schema: Definitions): Names {
  const names = new Map<string, Set<string>>();
  const add = (heading: string, name: string) =>
    names.set(heading, (names.get(heading) ?? new Set()).add(name));
  for (const {'x-side': side, 'x-method': method} of Object.values(schema))
    if (side !== undefined && method !== undefined) add(SIDES[side] ?? side, method);
  for (const [definition, tag, heading] of UNIONS)
    for (const variant of variantsOf(schema[definition])) {
      const name = variant.properties?.[tag]?.const;
      if (typeof name === 'string') add(heading, name);
    }
  for (const name of capabilities(schema, 'ClientCapabilities')) add('Initialization', name);
  for (const name of capabilities(schema, 'AgentCapabilities')) add('Capabilities of the agent', name);
  return names;
}

function variantsOf({anyOf = [], oneOf = []}: Definition = {}): readonly Definition[] {
  return [...anyOf, ...oneOf];
}

/** The capabilities without nested ones, as paths. */
function capabilities(schema: Definitions, definition: string): readonly string[] {
  const properties = Object.entries(schema[definition]?.properties ?? {});
  return properties
    .filter(([name]) => name !== '_meta')
    .flatMap(([name, property]) => {
      const inner = referenced(property).flatMap((each) => capabilities(schema, each));
      return inner.length === 0 ? [name] : inner.map((each) => `${name}.${each}`);
    });
}

function referenced(property: Definition): readonly string[] {
  const parts = [property, ...(property.allOf ?? []), ...variantsOf(property)];
  return parts.flatMap(({$ref}) => $ref?.split('/').at(-1) ?? []);
}

/** The names in the first column of the tables below a heading, if the second column is filled. */
function documented(text: string, heading: string): ReadonlySet<string> {
  const [, section = ''] = text.split(new RegExp(`^##+ ${heading}$`, 'm'));
  const [tables = ''] = section.split(/^##+ /m);
  const rows = [...tables.matchAll(/^\|([^|]+)\|[^|]*\w[^|]*\|/gm)];
  return new Set(
    rows.flatMap(([, first = '']) => [...first.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)),
  );
}

/** The names of `all` that have no row below their heading, nor below one of `elsewhere`. */
function missing(all: Names, elsewhere: readonly string[], text = page): readonly string[] {
  const other = elsewhere.map((heading) => documented(text, heading));
  return [...all].flatMap(([heading, names]) => {
    const places = [documented(text, heading), ...other];
    return [...names].filter((name) => !places.some((place) => place.has(name)));
  });
}

function without(all: Names, known: Names): Names {
  return new Map(
    [...all].map(([heading, names]) => {
      const old = known.get(heading);
      return [heading, new Set([...names].filter((name) => !old?.has(name)))];
    }),
  );
}

function count(names: Names): number {
  return [...names.values()].reduce((sum, {size}) => sum + size, 0);
}

describe('docs/internals/protocol.md and docs/internals/compatibility.md cover', () => {
  test.each(['v1/schema.json', 'v1/schema.unstable.json'])('every name in %s', (file) => {
    const names = namesOf(readSchema(file));
    expect(count(names)).toBeGreaterThan(60);
    expect(missing(names, ELSEWHERE)).toEqual([]);
  });

  test.each(['v2/schema.json', 'v2/schema.unstable.json'])(
    'every name in %s that version 1 lacks',
    (file) => {
      const added = without(namesOf(readSchema(file)), namesOf(readSchema('v1/schema.unstable.json')));
      expect(count(added)).toBeGreaterThan(10);
      expect(missing(added, ['Version 2'])).toEqual([]);
    },
  );
});

describe('a name without a row is found', () => {
  const schema = readSchema('v1/schema.unstable.json');
  const planted: readonly (readonly [kind: string, name: string, definitions: Definitions])[] = [
    ['method', 'session/invented', {InventedRequest: {'x-side': 'agent', 'x-method': 'session/invented'}}],
    [
      'request of the agent',
      'fs/invented',
      {InventedRequest: {'x-side': 'client', 'x-method': 'fs/invented'}},
    ],
    ['update kind', 'invented_update', variant('SessionUpdate', 'sessionUpdate', 'invented_update')],
    ['content type', 'hologram', variant('ContentBlock', 'type', 'hologram')],
    ['tool call content', 'spreadsheet', variant('ToolCallContent', 'type', 'spreadsheet')],
    [
      'capability',
      'promptCapabilities.hologram',
      {
        ...schema,
        PromptCapabilities: {properties: {...schema['PromptCapabilities']?.properties, hologram: {}}},
      },
    ],
  ];

  function variant(definition: string, tag: string, name: string): Definitions {
    return {[definition]: {anyOf: [{properties: {[tag]: {const: name}}}]}};
  }

  test.each(planted)('%s %s', (_kind, name, definitions) => {
    expect(missing(namesOf({...schema, ...definitions}), ELSEWHERE)).toEqual([name]);
  });

  test('if its row is empty', () => {
    const text = '## Content\n\n| type | here |\n| --- | --- |\n| `text` | shown |\n| `image` | |\n';
    expect(missing(new Map([['Content', new Set(['text', 'image'])]]), [], text)).toEqual(['image']);
  });
});

test.each(['v1', 'v2'])('the inspector checks the parameters of every method of %s', (version) => {
  const sided = Object.values(readSchema(`${version}/schema.unstable.json`)).flatMap(
    ({'x-method': method, 'x-side': side}) => (method === undefined ? [] : [[method, side] as const]),
  );
  const unchecked = [...new Map(sided)].filter(([method, side]) => {
    const line = {
      t: 0,
      d: side === 'client' ? ('<' as const) : ('>' as const),
      m: {id: 1, method, params: 3},
    };
    const [exchange, ...others] = exchangesOf([line]);
    const findings = exchange && findingsIn([exchange, ...others])(exchange);
    return !findings?.some(({kind}) => kind === 'violation');
  });
  expect(sided.length).toBeGreaterThan(20);
  expect(unchecked).toEqual([]);
});
