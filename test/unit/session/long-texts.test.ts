import {expect, test} from 'vitest';
import {findUrls} from '../../../src/session/content/find-urls.ts';
import {toolPlaces} from '../../../src/session/labels/tool-labels.ts';
import {serverStart} from '../../../src/session/lifecycle/mcp-servers.ts';
import {cpuTimeOf} from '../../support/cpu-time.ts';
import {calls, only, opened, reduceUpdates} from '../../support/session/build.ts';

const titled = (title: string, locations: readonly {path: string}[] = []) =>
  reduceUpdates(opened, calls('c', {title, locations: [...locations]}));

const unknown = Array.from(
  {length: 10_000},
  (_, index) => ({sessionUpdate: '_unknown', kind: `kind ${index}`, json: '{}'}) as const,
);

const half = 'a'.repeat(20_000);
const place = only(titled('a'.repeat(400_000), [{path: `${half}b${half}`}]), 'tool_call');
const started = titled(" ('".repeat(20_000));
const named = titled(`mcp${'__'.repeat(20_000)}.a.`);

test.each([
  ['URLs that are none', () => findUrls('https://)'.repeat(20_000))],
  ['a title of brackets, for the server of a tool', () => serverStart(started, 'files')],
  ['a title of separators, for the server of a tool', () => serverStart(named, 'files')],
  ['a path in a title that almost holds it everywhere', () => toolPlaces(place, place.title, '/')],
  ['updates of very many unknown kinds', () => reduceUpdates(opened, ...unknown)],
])('%s take a moment', (_what, work) => {
  expect(cpuTimeOf(() => void work())).toBeLessThan(200);
});
