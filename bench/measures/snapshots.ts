import {execFileSync} from 'node:child_process';
import {appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {createRepository} from '../../src/snapshots/repository.ts';
import {createReviewer} from '../../src/snapshots/review/reviewer.ts';
import {storeSnapshot} from '../../src/snapshots/snapshot-log.ts';
import {takeSnapshot} from '../../src/snapshots/take/take-snapshot.ts';
import {median, type Measure} from '../row.ts';

const RUNS = 7;

/** The snapshot before a prompt in a folder of 50,000 files of which three changed, beside `git add -A` with a separate index. */
export const snapshots: Measure = {
  name: 'snapshots',
  async run(scale) {
    const scratch = mkdtempSync(join(tmpdir(), 'acp-tui-bench-'));
    try {
      const folder = join(scratch, 'work');
      const files = makeFiles(folder, Math.round(50_000 * scale));
      const repository = await createRepository(folder, join(scratch, 'state'));
      let before = '';
      const first = await timed(async () => {
        before = await takeSnapshot(repository);
      });
      const env = {...process.env, GIT_DIR: join(scratch, 'baseline'), GIT_WORK_TREE: folder};
      const add = () => execFileSync('git', ['add', '-A'], {cwd: folder, env});
      execFileSync('git', ['init', '-q'], {cwd: folder, env});
      const firstAdd = await timed(add);
      const [taken, added]: number[][] = [[], []];
      for (let run = 0; run < RUNS; run++) {
        for (const file of files.slice(run * 3, run * 3 + 3)) appendFileSync(file, `changed in run ${run}\n`);
        const {promise: read, resolve: onRead} = Promise.withResolvers<void>();
        let snapshot: Promise<string> | undefined;
        taken?.push(
          await timed(() => {
            snapshot = takeSnapshot(repository, {onRead});
            return read;
          }),
        );
        await snapshot;
        added?.push(await timed(add));
      }
      const session = {session: 'session', turn: 1};
      await storeSnapshot(repository, before, {...session, when: 'before', at: 1});
      const reviewer = createReviewer(async () => repository);
      const read = () => timed(() => reviewer.read(session, {kind: 'unreviewed'}));
      const reviews = [await read(), await read(), await read()];
      const diff = () => execFileSync('git', ['diff'], {cwd: folder, env});
      const diffs = [await timed(diff), await timed(diff), await timed(diff)];
      const what = `${files.length} files`;
      return [
        {
          what: `snapshot before a prompt, 3 of ${what} changed`,
          unit: 'ms',
          value: median(taken ?? []),
          baseline: median(added ?? []),
          target: 300,
        },
        {
          what: `first snapshot of ${what}, in the background`,
          unit: 'ms',
          value: first,
          baseline: firstAdd,
          target: 2,
          of: 'ratio',
        },
        {
          what: `/review of ${what}, ${RUNS * 3} of them changed`,
          unit: 'ms',
          value: median(reviews),
          baseline: median(diffs),
          target: 1000,
        },
      ];
    } finally {
      rmSync(scratch, {recursive: true, force: true});
    }
  },
};

async function timed(work: () => unknown): Promise<number> {
  const before = performance.now();
  await work();
  return performance.now() - before;
}

function makeFiles(folder: string, count: number): readonly string[] {
  return Array.from({length: count}, (_, index) => {
    const inside = join(folder, `package-${index % 100}`, `part-${index % 1000}`);
    if (index < 1000) mkdirSync(inside, {recursive: true});
    const file = join(inside, `file-${index}.ts`);
    writeFileSync(file, `export const value${index} = ${index};\n`.repeat(20));
    return file;
  });
}
