import {createHash} from 'node:crypto';
import {homedir} from 'node:os';
import {join} from 'node:path';
import {readTomlCommand, type CommandFile, type CustomCommand} from '../../session/content/custom-command.ts';
import {tryFileOperation} from '../../shared/files/file-failure.ts';
import {fail, type Failure, type Result} from '../../shared/failure.ts';
import {
  COMMANDS,
  foldersOfOthers,
  NAME,
  NAME_ALLOWED,
  readCommands,
  type UnusableCommand,
} from '../../settings/command-files.ts';
import {makeFolder, writeNewFile} from '../../shared/files/safe-files.ts';
import {createListeners} from '../../shared/store.ts';
import {COMMANDS_FOLDER, readProjectSettings} from '../../settings/project-settings.ts';
import {readSettings} from '../../settings/settings.ts';
import {isTrusted, trustFolder} from '../../settings/trusted-folders.ts';

/** The custom commands of the user, of folders, and of other clients. */
export interface CommandLibrary {
  /** Returns the commands for a folder: of two with the same name the nearer one. `problems` has a sentence for each file that is ignored. */
  list(folder: string): Promise<ListedCommands>;
  /** Returns the clients that have commands which are not used, because the user was not asked yet. */
  unasked(folder: string): Promise<readonly string[]>;
  /** Remembers that the user has seen a file as it is. */
  trust(seen: CommandFile): void;
  /** Writes a new command of the user's; returns its file. */
  save(name: string, prompt: string): Promise<Result<string>>;
  /** Returns true for a problem when it is asked the first time: then it is reported, in one of the sessions. */
  isNews(problem: string): boolean;
  /** Has the commands read again: a setting or the trust in a folder has changed. */
  refresh(): void;
  /** Calls back when the commands have to be read again. Returns the function to stop. */
  follow(listener: () => void): () => void;
}

/** The commands for a folder. */
export interface ListedCommands {
  readonly commands: readonly CustomCommand[];
  /** Files of other names that cannot be used, or not yet. */
  readonly unusable: readonly UnusableCommand[];
  readonly problems: readonly string[];
}

interface LibraryOptions {
  readonly config: string;
  readonly state: string;
  readonly home?: string;
}

/** Creates the library; files are read when they are asked for. */
export function createCommandLibrary({config, state, home = homedir()}: LibraryOptions): CommandLibrary {
  const own = {
    path: join(config, COMMANDS),
    base: config,
    from: 'yours',
    ending: '.md',
    isOwn: true,
  } as const;
  const {subscribe: follow, notify: refresh} = createListeners();
  const reported = new Set<string>();
  const setting = () => readSettings(config).settings.otherCommands ?? 'ask';
  return {
    async list(folder) {
      const project = ofProject(state, folder);
      const yours = readCommands(own);
      const others = setting() === 'on' ? await readOthers(folder, home) : [];
      const usable = others.flatMap((read) => withQuestions(read, state));
      const known = new Map<string, CustomCommand>();
      const problems = [yours, ...others].flatMap((each) => each.problems);
      for (const command of [...project.commands, ...yours.commands, ...usable])
        if (!known.has(command.name)) known.set(command.name, command);
      const unusable = [project, yours, ...others]
        .flatMap((each) => each.unusable)
        .filter(({name}) => !known.has(name));
      return {commands: [...known.values()], unusable, problems};
    },
    async unasked(folder) {
      if (setting() !== 'ask') return [];
      const found = (await readOthers(folder, home)).flatMap(({commands}) => commands);
      return [...new Set(found.map(({from}) => from))];
    },
    trust({file, hash}) {
      trustFolder(state, file, hash);
      refresh();
    },
    async save(name, prompt) {
      if (!NAME.test(name))
        return fail({kind: 'not_offered', what: `a command named ${name}`, why: NAME_ALLOWED});
      const path = join(config, COMMANDS, `${name.replaceAll(':', '/')}.md`);
      const made = tryFileOperation(path, () => makeFolder(join(path, '..')));
      const saved = made.ok ? writeNewFile(path, `${prompt.trim()}\n`) : made;
      refresh();
      return saved;
    },
    isNews: (problem) => !reported.has(problem) && reported.add(problem) === reported,
    refresh,
    follow,
  };
}

/** Returns the commands of another client; files of a project are asked about until the user has seen them as they are. */
function withQuestions(
  {commands, files, isOfProject}: ReturnType<typeof readCommands>,
  state: string,
): readonly CustomCommand[] {
  return commands.map((command, index) => {
    const file = isOfProject ? files[index] : undefined;
    if (!file) return command;
    const hash = createHash('sha256').update(file.text).digest('hex');
    return isTrusted(state, file.name, hash) ? command : {...command, askFirst: {file: file.name, hash}};
  });
}

/** Returns the commands of a folder that is trusted; those of any other cannot be used. */
function ofProject(state: string, folder: string): Pick<ListedCommands, 'commands' | 'unusable'> {
  const {commands, unusable, hash} = readProjectSettings(folder) ?? {commands: [], unusable: []};
  if (hash === undefined || isTrusted(state, folder, hash)) return {commands, unusable};
  const why = 'the settings of this folder are not trusted; acp-tui asks in a window';
  const path = join(folder, COMMANDS_FOLDER);
  return {commands: [], unusable: [...unusable, ...commands.map(({name}) => ({name, path, why}))]};
}

/** Returns why a prompt cannot be sent that calls a command file which cannot be used: an agent would get the call as text. */
export function unusableCall(
  prompt: string,
  {unusable}: Pick<ListedCommands, 'unusable'>,
): Failure | undefined {
  const [, name] = /^\/(\S+)/.exec(prompt) ?? [];
  const called = unusable.find((each) => each.name === name);
  return called && {kind: 'file', path: called.path, problem: called.why};
}

async function readOthers(folder: string, home: string) {
  const {parse, TomlError} = await import('smol-toml');
  const readToml = (text: string) => {
    try {
      return readTomlCommand(parse(text));
    } catch (error) {
      throw error instanceof TomlError ? new Error(`line ${error.line} is not TOML`) : error;
    }
  };
  return foldersOfOthers(folder, home).map((each) =>
    readCommands(each, each.ending === '.toml' ? readToml : undefined),
  );
}
