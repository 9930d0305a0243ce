import {execFileSync} from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, onTestFinished, test, vi} from 'vitest';
import {createPermissionRules} from '../../../../src/conversation/trust/permission-rules.ts';
import {createAudit} from '../../../../src/storage/audit.ts';
import {readSettings} from '../../../../src/settings/settings.ts';
import {problemTexts} from '../../../../src/settings/setting-problems.ts';
import {temporaryFolder} from '../../../support/folders/temporary-folder.ts';

function folderWith(config: unknown): string {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'config.json'), JSON.stringify(config));
  return folder;
}

const audit = () => ({append: () => undefined, read: () => []});
function bookIn(config: string) {
  return createPermissionRules({config, ...readSettings(config, {}), audit});
}

describe('rules in the settings', () => {
  test('hold while an editor replaces the file', () => {
    const config = folderWith({permissions: {deny: ['fetch']}});
    const {rules} = bookIn(config);
    const file = join(config, 'config.json');
    renameSync(file, `${file}~`);
    expect(rules(config)).toHaveLength(1);
    writeFileSync(file, '{"perm');
    expect(rules(config)).toHaveLength(1);
    writeFileSync(file, '{}');
    expect(rules(config)).toEqual([]);
  });

  test('hold while the file is away, however long, and until it is back', () => {
    vi.useFakeTimers({toFake: ['Date']});
    onTestFinished(() => void vi.useRealTimers());
    const config = folderWith({permissions: {deny: ['fetch']}});
    const {rules} = bookIn(config);
    const file = join(config, 'config.json');
    renameSync(file, `${file}~`);
    expect(rules(config)).toHaveLength(1);
    vi.setSystemTime(Date.now() + 60_000);
    expect(rules(config)).toHaveLength(1);
    writeFileSync(file, '{}');
    expect(rules(config)).toHaveLength(0);
  });

  test('are read, and an invalid one is named with its position and what is allowed', () => {
    const permissions = {
      allow: ['execute npm test*', 'run tests', '  edit   src/** '],
      deny: ['agent=a agent=b any'],
    };
    const read = readSettings(folderWith({permissions}), {});
    expect(read.rules.map(({effect, text}) => [effect, text])).toEqual([
      ['allow', 'execute npm test*'],
      ['allow', 'edit   src/**'],
    ]);
    expect(problemTexts(read.problems)).toEqual([
      expect.stringMatching(/"permissions\.deny\[0\]" in .*config\.json.*execute npm test/),
      expect.stringMatching(/"permissions\.allow\[1\]" in .*config\.json must be a rule.*"run tests"/),
    ]);
  });

  test.each([
    [{allow: 'any'}, /"permissions\.allow" in .*config\.json must be a list of rules, not "any"/],
    [{allow: [1]}, /"permissions\.allow\[0\]" in .*must be a rule.*, not 1;/],
    [{alow: []}, /"permissions\.alow" in .* is not a setting/],
  ])('of an invalid form are reported, and the others apply: %j', (permissions, problem) => {
    const read = readSettings(folderWith({permissions: {...permissions, deny: ['execute curl*']}}), {});
    expect(read.rules).toMatchObject([{effect: 'deny', text: 'execute curl*'}]);
    expect(problemTexts(read.problems)).toEqual([expect.stringMatching(problem)]);
  });

  test('that are not lists at all are reported', () => {
    const read = readSettings(folderWith({permissions: []}), {});
    expect(read.rules).toEqual([]);
    expect(problemTexts(read.problems)).toEqual([expect.stringMatching(/"permissions" in .*lists of rules/)]);
  });

  test('of an agent are read like that, too', () => {
    const agents = {mine: {command: 'mine', permissions: {allow: 'any', deny: ['fetch']}}};
    const read = readSettings(folderWith({agents}), {});
    expect(read.rules).toMatchObject([{effect: 'deny', source: 'agent', text: 'agent=mine fetch'}]);
    expect(problemTexts(read.problems)).toEqual([
      expect.stringMatching(/"agents\.mine\.permissions\.allow" in /),
    ]);
  });

  test('that another process changes apply at once, unless the file is not JSON', async () => {
    const folder = folderWith({permissions: {deny: ['any .env'], allow: ['read']}});
    const [ours, theirs] = [bookIn(folder), bookIn(folder)];
    const texts = () => ours.rules(folder).map(({text}) => text);
    await theirs.remove('read');
    expect(texts()).toEqual(['any .env']);
    writeFileSync(join(folder, 'config.json'), '{"permissions": ');
    expect(texts()).toEqual(['any .env']);
    writeFileSync(join(folder, 'config.json'), '{}');
    expect(texts()).toEqual([]);
  });

  test('are added, moved and removed, and the rest of the file stays', async () => {
    const folder = folderWith({theme: 'light', permissions: {allow: ['read'], deny: ['any .env']}});
    const book = bookIn(folder);
    await book.add({effect: 'ask', text: 'execute git push*'});
    await book.add({effect: 'deny', text: 'read'});
    await book.remove('any .env');
    expect(book.rules(folder).map(({effect, text}) => `${effect} ${text}`)).toEqual([
      'deny read',
      'ask execute git push*',
    ]);
    expect(JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8'))).toEqual({
      theme: 'light',
      permissions: {allow: [], ask: ['execute git push*'], deny: ['read']},
    });
    expect(statSync(join(folder, 'config.json')).mode & 0o777).toBe(0o600);
  });

  test('added by another window are not lost', async () => {
    const folder = folderWith({});
    const [one, other] = [bookIn(folder), bookIn(folder)];
    await one.add({effect: 'allow', text: 'read'});
    await other.add({effect: 'deny', text: 'fetch'});
    expect(other.rules('').map(({text}) => text)).toEqual(['fetch', 'read']);
  });

  test('in a file that cannot be parsed are not overwritten', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'config.json'), '{"permissions":');
    expect(await bookIn(folder).add({effect: 'allow', text: 'read'})).toMatchObject({ok: false});
    expect(readFileSync(join(folder, 'config.json'), 'utf8')).toBe('{"permissions":');
  });

  test('that cannot be read stay when others are added or removed', async () => {
    const permissions = {alow: ['read'], allow: [1, 'fetch'], deny: ['no rule']};
    const folder = folderWith({permissions});
    const book = bookIn(folder);
    await book.add({effect: 'deny', text: 'edit'});
    await book.remove('fetch');
    const {permissions: written} = JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8')) as {
      permissions: unknown;
    };
    expect(written).toEqual({alow: ['read'], allow: [1], deny: ['no rule', 'edit']});
  });

  test.each([[{allow: 'any', deny: ['fetch']}], ['any'], [[]]])(
    'are not added to what is not a list of rules: %j',
    async (permissions) => {
      const folder = folderWith({permissions});
      expect(await bookIn(folder).add({effect: 'allow', text: 'read'})).toMatchObject({
        ok: false,
        failure: {
          kind: 'invalid_setting',
          problem: expect.stringMatching(/lists of rules.*; nothing changed\./),
        },
      });
      expect(JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8'))).toEqual({permissions});
    },
  );

  test("of a folder are added to the user's there, and nowhere else", () => {
    const book = bookIn(folderWith({permissions: {deny: ['fetch']}}));
    const about = {kind: 'read', pattern: undefined, agent: undefined, tool: undefined} as const;
    book.useProject({
      folder: '/project',
      rules: [{effect: 'allow', source: 'project', text: 'read', about}],
      hooks: [],
      holdIn: (folder) => folder === '/project',
    });
    const rulesIn = (folder: string) => book.rules(folder).map(({source, text}) => [source, text]);
    expect(rulesIn('/project')).toEqual([
      ['user', 'fetch'],
      ['project', 'read'],
    ]);
    expect(rulesIn('/elsewhere')).toEqual([['user', 'fetch']]);
  });
});

describe('the audit log', () => {
  const decision = {
    at: 1,
    sessionId: '../../etc/passwd',
    method: 'terminal/create',
    title: 'curl -H "Authorization: Bearer abcdefghijklmnop" $TOKEN',
    kind: 'execute' as const,
    outcome: 'allowed' as const,
    by: 'user',
    key: 'y',
    command: 'deploy hunter2hunter2',
  };

  function auditIn(state: string) {
    const problems: unknown[] = [];
    const env = {MY_SECRET: 'hunter2hunter2'};
    return {
      problems,
      audit: createAudit({state, env, onProblem: (problem) => problems.push(problem)})('demo'),
    };
  }

  test('is a private file per session, a line per decision, with credentials masked', () => {
    const state = temporaryFolder();
    const {audit} = auditIn(state);
    audit.append(decision);
    audit.append({...decision, at: 2});
    audit.append({...decision, sessionId: 'other'});
    const read = audit.read(decision.sessionId);
    expect(read).toMatchObject([
      {at: 1, by: 'user', key: 'y', title: expect.stringContaining('[masked]') as string},
      {at: 2, by: 'user', key: 'y'},
    ]);
    expect(JSON.stringify(read)).not.toMatch(/abcdefghijklmnop|hunter2/);
    const folder = join(state, 'audit');
    const files = readdirSync(folder);
    expect(files).toHaveLength(2);
    for (const file of files) {
      expect(file).toMatch(/^[\w-]+\.ndjson$/);
      expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
    }
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  test('of two agents with a session of one id is kept apart, whatever the order', () => {
    const all = createAudit({state: temporaryFolder(), env: {}, onProblem: () => expect.fail()});
    for (const agent of ['one', 'other']) all(agent).append({...decision, by: agent});
    for (const agent of ['other', 'one'])
      expect(all(agent).read(decision.sessionId)).toMatchObject([{by: agent}]);
  });

  test('continues where an earlier run ended, also in the middle of a line', () => {
    const state = temporaryFolder();
    auditIn(state).audit.append(decision);
    const [file] = readdirSync(join(state, 'audit'));
    const path = join(state, 'audit', file!);
    writeFileSync(path, `${readFileSync(path, 'utf8')}{"at":3,"cut`);
    expect(
      auditIn(state)
        .audit.read(decision.sessionId)
        .map(({at}) => at),
    ).toEqual([1]);
  });

  test('loses only the torn line, not the decision after it', () => {
    const state = temporaryFolder();
    auditIn(state).audit.append(decision);
    const [file] = readdirSync(join(state, 'audit'));
    appendFileSync(join(state, 'audit', file!), '{"at":3,"cut');
    const {audit} = auditIn(state);
    audit.append({...decision, at: 4});
    audit.append({...decision, at: 5});
    expect(audit.read(decision.sessionId).map(({at}) => at)).toEqual([1, 4, 5]);
  });

  /** The path of the only file, once something was written to it. */
  function fileIn(state: string): string {
    auditIn(state).audit.append(decision);
    const [file] = readdirSync(join(state, 'audit'));
    return join(state, 'audit', file!);
  }

  test('follows no link and opens no FIFO in its place', () => {
    const state = temporaryFolder();
    const path = fileIn(state);
    const elsewhere = join(state, 'elsewhere');
    writeFileSync(elsewhere, `${JSON.stringify(decision)}\n`);
    for (const put of [() => symlinkSync(elsewhere, path), () => execFileSync('mkfifo', [path])]) {
      rmSync(path);
      put();
      const {audit, problems} = auditIn(state);
      audit.append(decision);
      expect(problems).toHaveLength(1);
      expect(audit.read(decision.sessionId)).toEqual([]);
    }
    expect(readFileSync(elsewhere, 'utf8')).toBe(`${JSON.stringify(decision)}\n`);
  });

  test('is made private again if others got access', () => {
    const state = temporaryFolder();
    const path = fileIn(state);
    chmodSync(path, 0o644);
    auditIn(state).audit.append(decision);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test('that is not writable is reported, and nothing else happens', () => {
    const state = join(temporaryFolder(), 'file');
    writeFileSync(state, '');
    const {audit, problems} = auditIn(state);
    audit.append(decision);
    expect(problems).toHaveLength(1);
    expect(audit.read(decision.sessionId)).toEqual([]);
  });
});
