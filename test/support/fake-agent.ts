import path from 'node:path';

/** The scripted agent of `fixtures/fake-agent` as one JavaScript file, for `process.execPath`. `bundle-fake-agent.ts` writes it before the tests. */
export const FAKE_AGENT = path.resolve(
  import.meta.dirname,
  '../../node_modules/.cache/acp-tui/fake-agent.js',
);
