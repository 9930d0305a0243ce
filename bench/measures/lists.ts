import {containing, fuzzyFind, prepareToFind, type Findable} from '../../src/app/completion/fuzzy-find.ts';
import {historyPicker} from '../../src/app/pickers/history-search.ts';
import {visibleItems} from '../../src/app/pickers/picker.ts';
import {entriesOf, createSearchable} from '../../src/search/search.ts';
import {median, quantile, type Measure, type Row} from '../row.ts';

/** A frame, in milliseconds. */
const FRAME = 16;
const ROUNDS = 9;
const WORDS = ['parser', 'tests', 'why', 'deploy', 'config', 'session', 'model', 'flaky', 'list', 'terminal'];
const TYPED = ['m', 'mo', 'mod', 'mode', 'model 2', 'p', 'par', 'parsr', 'zq', 'flaky te', 'cnfg', '99'];

/** The cost of a key in long lists, beside one pass over their text. */
export const lists: Measure = {
  name: 'lists',
  run(scale) {
    const count = Math.round(10_000 * scale);
    const text = (index: number) =>
      `${WORDS[index % 10]} ${WORDS[(index * 7) % 10]} ${index} ${WORDS[(index * 3) % 10]}`;
    const models = Array.from({length: 384}, (_, index) => item(index, text));
    const many = Array.from({length: count}, (_, index) => item(index, text));
    const prompts = Array.from({length: count}, (_, index) => `${text(index)}\n${text(index + 1).repeat(4)}`);
    const history = historyPicker({project: prompts, everywhere: []}, 'project');
    const going = times((typed) => many.filter(({label}) => label.toLowerCase().includes(typed)));
    prepareToFind(models);
    prepareToFind(many);
    return Promise.resolve([
      row(
        'key in a list of 384 values, worst',
        times((typed) => fuzzyFind(models, typed)),
        going,
      ),
      row(
        `key in a list of ${count} values, worst`,
        times((typed) => fuzzyFind(many, typed)),
        going,
      ),
      row(
        `key in a search of ${count} prompts, worst`,
        times((filter) => visibleItems({...history, filter})),
        times((typed) =>
          containing(
            prompts.map((prompt) => ({id: prompt, label: prompt})),
            typed,
          ),
        ),
      ),
    ]);
  },
};

function item(index: number, text: (index: number) => string): Findable {
  return {id: `provider/${index}`, label: text(index), group: index % 2 === 0 ? 'even' : 'odd'};
}

/** The duration of each query, the median of several rounds: in use, the program is warm. */
function times(search: (typed: string) => unknown): readonly number[] {
  const rounds = Array.from({length: ROUNDS}, () =>
    TYPED.map((typed) => {
      const start = performance.now();
      search(typed);
      return performance.now() - start;
    }),
  );
  return TYPED.map((_, index) => median(rounds.map((round) => round[index] ?? Number.NaN)));
}

function row(what: string, ours: readonly number[], baseline: readonly number[]): Row {
  return {what, unit: 'ms', value: quantile(ours, 1), baseline: quantile(baseline, 1), target: FRAME};
}

const QUERIES = ['menu', 'src/app/men', 'button.test', 'packages/core/ind', 'prsess'];

/** Keys typed after an `@` in a project of 100,000 files: each shows results within a frame, and blocks nothing meanwhile. */
export const files: Measure = {
  name: 'files',
  async run(scale) {
    const found = createSearchable(await entriesOf(project(Math.round(100_000 * scale))));
    await found.warm();
    const keys: number[] = [];
    const complete: number[] = [];
    const plain: number[] = [];
    let longestStall = 0;
    let last = performance.now();
    const watch = setInterval(() => {
      longestStall = Math.max(longestStall, performance.now() - last - 1);
      last = performance.now();
    }, 1);
    for (const query of QUERIES) {
      for (let length = 1; length <= query.length; length++) {
        const typed = query.slice(0, length);
        const before = performance.now();
        let shown: number | undefined;
        await found.search(typed, {onEarly: () => (shown = performance.now() - before)});
        complete.push(performance.now() - before);
        keys.push(shown ?? performance.now() - before);
        plain.push(await timed(() => found.entries.filter((entry) => entry.includes(typed))));
      }
    }
    clearInterval(watch);
    const what = `@ over ${found.entries.length} files and folders`;
    return [
      {
        what: `${what}, all results, median`,
        unit: 'ms',
        value: median(complete),
        baseline: median(plain),
        target: 4,
        of: 'ratio',
      },
      {what: `${what}, key to results, median`, unit: 'ms', value: median(keys), target: 16},
      {what: `${what}, key to results, p95`, unit: 'ms', value: quantile(keys, 0.95), target: 16},
      {what: `${what}, longest stall`, unit: 'ms', value: longestStall, target: 16},
    ];
  },
};

async function timed(work: () => unknown): Promise<number> {
  const before = performance.now();
  await work();
  return performance.now() - before;
}

/** Paths as in a large repository: few words, in many combinations. */
function project(count: number): readonly string[] {
  const folders = [
    'packages',
    'src',
    'app',
    'core',
    'components',
    'server',
    'client',
    'lib',
    'internal',
    'docs',
  ];
  const names = [
    'index',
    'menu',
    'button',
    'session',
    'prompt',
    'reduce',
    'state',
    'events',
    'config',
    'query',
  ];
  const endings = ['.ts', '.tsx', '.test.ts', '.md', '.json'];
  let seed = 1;
  const next = (below: number) => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return (seed >> 8) % below;
  };
  const pick = (words: readonly string[]) => words[next(words.length)] ?? '';
  const places = Array.from({length: Math.ceil(count / 20)}, () => {
    const path = Array.from({length: 1 + next(3)}, () => pick(folders));
    return `packages/${pick(names)}-${next(100)}/${path.join('/')}`;
  });
  return Array.from({length: count}, () => `${pick(places)}/${pick(names)}-${next(30_000)}${pick(endings)}`);
}
