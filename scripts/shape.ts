import {existsSync, readdirSync, readFileSync} from 'node:fs';
import path from 'node:path';

/** The maximum number of files in a folder, and of lines in a file. */
const MAX_FILES = 15;
const MAX_LINES = 400;

/** Exports that no import names: text that looks like an export, or a name that a build step inserts. */
const NO_EXPORTS: ReadonlySet<string> = new Set(['src/demo/scenes.ts: greet']);

/** They ask a question on a terminal. */
const ASKING: ReadonlySet<string> = new Set(['src/cli/terminal-io.ts', 'src/demo/sign-in.ts']);

const CODE = /\.tsx?$/;
/** Both end a line at U+2028 and U+2029, too, which texts have inside of a line. */
const READS_LINES = /'node:readline|from 'readline|\.readLines\(/;
const MULTILINE = /\/[dgisuvy]*m[dgisuvy]*(?=[.,;:)\]]|$)/;
/** A list as the arguments of what takes values alone: with more than about 100,000, the call throws. */
const LIST_AS_ARGUMENTS = /\.(?:push|unshift|max|min)\((?:(?:[^()[\]{}]|\{[^{}]*\}|\([^()]*\))*,)?\s*\.\.\./g;
/** A run at the end is tried from each of its places, in the square of its length, unless it is behind what is not of it. */
const RUN_AT_END = /(?:(?:^|[(,=:?[]) *\/|\|)(?:\[(?:[^\]\\]|\\.)*\]|\(\?:[^()]*\)|\\.|[^\\[(])[+*]\$/;
/** It keeps the letter case that a path is typed with where the file system ignores it: the path is not the one that all others have of the file. */
const OTHER_REALPATH = /\brealpathSync[(,)]/;
const QUOTED = /'[^'\n]*'|\/\*.*|\/\/ .*/g;
const IMPORT = /(?:\bfrom\s+|^import\s+|\bimport\()'(\.[^']+)'/gm;

const EXPORT = /^export (?:async |abstract )?(?:function\*?|const|let|class|interface|type) (?<name>\w+)/gm;
const NAMED = /(?:import|export)(?: type)? (?:\w+, )?\{(?<names>[^}]*)\} from '(?<file>\.[^']+)'/g;
const WHOLE = /(?:\* as \w+ from|import\() ?'(?<file>\.[^']+)'/g;

interface SourceFile {
  readonly file: string;
  readonly text: string;
}

const root = path.resolve(process.argv[2] ?? '.');
const files = ['src', 'components', 'test', 'fixtures', 'bench', 'scripts'].flatMap(filesIn);
const sources = files.filter(({file}) => /^(?:src|components)\//.test(file));
const imports = importsOf(sources);
const problems = [
  ...looseFiles(),
  ...largeFolders(),
  ...longFiles(),
  ...sharedNames(),
  ...unusedExports(),
  ...otherLines(),
  ...otherRealPaths(),
  ...listsAsArguments(),
  ...runsAtEnd(),
  ...sharedTiers(),
  ...circleProblems('files', circlesOf(imports)),
  ...circleProblems('folders', circlesOf(betweenFolders(imports))),
];
for (const problem of problems) process.stdout.write(`  error ${problem}\n`);
process.exitCode = problems.length > 0 ? 1 : 0;

function filesIn(folder: string): readonly SourceFile[] {
  return readdirSync(path.join(root, folder), {recursive: true, encoding: 'utf8'})
    .filter((name) => CODE.test(name))
    .map((name) => path.posix.join(folder, name.replaceAll(path.sep, '/')))
    .sort()
    .map((file) => ({file, text: readFileSync(path.join(root, file), 'utf8')}));
}

function looseFiles(): readonly string[] {
  return files
    .filter(({file}) => path.dirname(file) === 'src' && file !== 'src/main.ts')
    .map(({file}) => `loose-file: ${file}: src holds main.ts and folders`);
}

function largeFolders(): readonly string[] {
  const sizes = new Map<string, number>();
  for (const {file} of files) sizes.set(path.dirname(file), (sizes.get(path.dirname(file)) ?? 0) + 1);
  return [...sizes]
    .filter(([, size]) => size > MAX_FILES)
    .map(([folder, size]) => `large-folder: ${folder} has ${size} files, at most ${MAX_FILES} are allowed`);
}

function longFiles(): readonly string[] {
  return files
    .map(({file, text}) => [file, text.split('\n').length - 1] as const)
    .filter(([, lines]) => lines > MAX_LINES)
    .map(([file, lines]) => `long-file: ${file} has ${lines} lines, at most ${MAX_LINES} are allowed`);
}

function layerOf(file: string): string {
  return file.startsWith('src/') ? file.split('/').slice(0, 2).join('/') : 'components';
}

/** Every folder may have an index; any other file name is unique within its layer. */
function sharedNames(): readonly string[] {
  const first = new Map<string, string>();
  const problems: string[] = [];
  for (const {file} of sources) {
    const layer = layerOf(file);
    const name = path.basename(file).replace(CODE, '');
    if (name === 'index') continue;
    const other = first.get(`${layer}:${name}`);
    if (other) problems.push(`shared-name: ${file} has the name of ${other}`);
    else first.set(`${layer}:${name}`, file);
  }
  return problems;
}

/** An export must be used by another file; one that only tests import must be used in its own file, too. */
function unusedExports(): readonly string[] {
  const others = ['scripts', 'bench', 'fixtures'].filter((folder) => existsSync(path.join(root, folder)));
  const named = new Map<string, Set<string>>();
  /** The texts of the files that import a module as a whole. */
  const whole = new Map<string, string>();
  for (const {file, text} of [...files, ...others.flatMap(filesIn)]) {
    const at = (specifier = '') => path.posix.join(path.posix.dirname(file), specifier);
    const isTest = !file.startsWith('src/') && !file.startsWith('components/');
    for (const {groups = {}} of text.matchAll(NAMED))
      for (const name of (groups['names'] ?? '').matchAll(/(?:type )?(\w+)(?: as \w+)?/g)) {
        const key = `${at(groups['file'])}: ${name[1] ?? ''}`;
        named.set(key, (named.get(key) ?? new Set()).add(isTest ? 'test' : 'source'));
      }
    for (const {groups = {}} of text.matchAll(WHOLE))
      whole.set(at(groups['file']), (whole.get(at(groups['file'])) ?? '') + text);
  }
  return sources.flatMap(({file, text}) =>
    Array.from(text.matchAll(EXPORT), ({groups = {}}) => groups['name'] ?? '')
      .filter((name) => {
        const key = `${file}: ${name}`;
        const word = new RegExp(String.raw`\b${name}\b`, 'g');
        if (NO_EXPORTS.has(key) || word.test(whole.get(file) ?? '')) return false;
        const by = named.get(key);
        return !by || (!by.has('source') && (text.match(word)?.length ?? 0) < 2);
      })
      .map((name) => `unused-export: ${file} exports ${name}, which no other file of the program uses`),
  );
}

/** `text/lines.ts` alone reads lines. */
function otherLines(): readonly string[] {
  return sources
    .filter(({file}) => !ASKING.has(file))
    .flatMap(({file, text}) =>
      text
        .split('\n')
        .filter((line) => READS_LINES.test(line) || MULTILINE.test(line.replace(QUOTED, '')))
        .map((line) => `other-lines: ${file}: use text/lines.ts, or \\n by name: ${line.trim()}`),
    );
}

function otherRealPaths(): readonly string[] {
  return sources.flatMap(({file, text}) =>
    text
      .replace(/^import [^;]*;/gm, '')
      .split('\n')
      .filter((line) => OTHER_REALPATH.test(line))
      .map((line) => `other-realpath: ${file}: use realpathSync.native: ${line.trim()}`),
  );
}

/** `text/lists.ts` takes lists of any length; how long one is may be up to an agent. */
function listsAsArguments(): readonly string[] {
  return sources.flatMap(({file, text}) =>
    Array.from(
      text.matchAll(LIST_AS_ARGUMENTS),
      ([call]) => `list-as-arguments: ${file}: use text/lists.ts: ${call}`,
    ),
  );
}

function runsAtEnd(): readonly string[] {
  return sources.flatMap(({file, text}) =>
    text
      .split('\n')
      .filter((line) => RUN_AT_END.test(line))
      .map((line) => `run-at-end: ${file}: begin it with a look-behind: ${line.trim()}`),
  );
}

/** What tests of several tiers use is in test/support; it imports no tier. */
function sharedTiers(): readonly string[] {
  const tierOf = (file: string) =>
    /^test\/(?<tier>unit|contract|screen|pty|live)\//.exec(file)?.groups?.['tier'];
  return files
    .filter(({file}) => file.startsWith('test/'))
    .flatMap(({file, text}) =>
      [...text.matchAll(IMPORT)]
        .map(([, to = '']) => path.posix.join(path.posix.dirname(file), to))
        .filter((to) => ![undefined, tierOf(file)].includes(tierOf(to)))
        .map((to) => `other-tier: ${file} imports ${to}: what several tiers use goes into test/support`),
    );
}

type Graph = ReadonlyMap<string, readonly string[]>;

function importsOf(files: readonly SourceFile[]): Graph {
  const known = new Set(files.map(({file}) => file));
  return new Map(
    files.map(({file, text}) => {
      const imported = [...text.matchAll(IMPORT)].map(([, to = '']) =>
        path.posix.join(path.posix.dirname(file), to),
      );
      return [file, imported.filter((to) => known.has(to))];
    }),
  );
}

/** Returns the groups of files that import each other, largest first (Tarjan's strongly connected components). */
function circlesOf(graph: Graph): readonly (readonly string[])[] {
  const order = new Map<string, number>();
  const stack: string[] = [];
  const circles: string[][] = [];
  const visit = (file: string): number => {
    const at = order.size;
    order.set(file, at);
    stack.push(file);
    let low = at;
    for (const to of graph.get(file) ?? []) {
      if (!order.has(to)) low = Math.min(low, visit(to));
      else if (stack.includes(to)) low = Math.min(low, order.get(to) ?? at);
    }
    if (low === at) circles.push(stack.splice(stack.indexOf(file)));
    return low;
  };
  for (const file of graph.keys()) if (!order.has(file)) visit(file);
  return circles.filter(({length}) => length > 1).sort((a, b) => b.length - a.length);
}

/** Returns the imports between the folders of `src`, each of which is a floor: it knows only those below it. */
function betweenFolders(graph: Graph): Graph {
  const folders = new Map<string, Set<string>>();
  for (const [file, used] of graph) {
    const own = layerOf(file);
    const others = used.map(layerOf).filter((other) => other !== own);
    folders.set(own, new Set([...(folders.get(own) ?? []), ...others]));
  }
  return new Map(Array.from(folders, ([folder, others]) => [folder, [...others]]));
}

/** No import cycles, including type-only ones. */
function circleProblems(what: 'files' | 'folders', circles: readonly (readonly string[])[]) {
  return circles.map((circle) => `circle: ${circle.length} ${what} import each other: ${circle.join(' ')}`);
}
