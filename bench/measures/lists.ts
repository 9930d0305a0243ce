import {containing, fuzzyFind, prepareToFind, type Findable} from '../../src/app/completion/fuzzy-find.ts';
import {historyPicker} from '../../src/app/pickers/history-search.ts';
import {visibleItems} from '../../src/app/pickers/picker.ts';
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
