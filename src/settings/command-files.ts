import {readdirSync, type Dirent} from 'node:fs';
import {join} from 'node:path';
import {
  readMarkdownCommand,
  type CustomCommand,
  type CommandDefinition,
} from '../session/content/custom-command.ts';
import type {CommandNotation} from '../session/content/command-notation.ts';
import {fileFailed} from '../shared/files/file-failure.ts';
import {isWithin, realpathOrItself} from '../shared/files/folders.ts';
import {sanitize} from '../text/sanitize.ts';
import {readForAgent} from '../attachments/file-for-agent.ts';
import {codeOf} from '../shared/files/safe-files.ts';

/** A folder of command files. */
interface CommandFolder {
  readonly path: string;
  /** Whose they are, as the menu shows it. */
  readonly from: string;
  readonly ending: '.md' | '.toml';
  /** How its files write the places of arguments; acp-tui's own by default. */
  readonly notation?: CommandNotation;
  /** The project, or the home or configuration folder, that it is in. */
  readonly base: string;
  /** True for a project's: a link that leads out of it could send any file of the user's to the agent. */
  readonly isOfProject?: true;
  /** True for acp-tui's own: agent, mode and model of others' files mean something else. */
  readonly isOwn?: true;
}

/** A file that is no command; `why` is the reason. */
export interface UnusableCommand {
  readonly name: string;
  readonly path: string;
  readonly why: string;
}

interface ReadCommands {
  readonly commands: readonly CustomCommand[];
  readonly files: readonly {readonly name: string; readonly text: string}[];
  readonly isOfProject: boolean;
  readonly unusable: readonly UnusableCommand[];
  /** A sentence for each file that is ignored. */
  readonly problems: readonly string[];
}

/** The folder of the user's commands in the configuration folder, and that in a folder's `.acp-tui`. */
export const COMMANDS = 'commands';

/** Where other clients keep theirs: in a project and in the home folder. */
const OTHERS = [
  {
    from: 'Claude Code',
    notation: 'claude',
    ending: '.md',
    project: '.claude/commands',
    home: '.claude/commands',
  },
  {
    from: 'Gemini CLI',
    notation: 'gemini',
    ending: '.toml',
    project: '.gemini/commands',
    home: '.gemini/commands',
  },
  {
    from: 'opencode',
    notation: 'opencode',
    ending: '.md',
    project: '.opencode/command',
    home: '.config/opencode/command',
  },
  {
    from: 'opencode',
    notation: 'opencode',
    ending: '.md',
    project: '.opencode/commands',
    home: '.config/opencode/commands',
  },
  {from: 'Codex', notation: 'codex', ending: '.md', project: undefined, home: '.codex/prompts'},
] as const;

/** Returns the folders in which other clients keep commands, those of a project first. */
export function foldersOfOthers(project: string, home: string): readonly CommandFolder[] {
  return [
    ...OTHERS.flatMap(({project: path, ...client}) =>
      path === undefined
        ? []
        : [{...client, path: join(project, path), base: project, isOfProject: true as const}],
    ),
    ...OTHERS.map(({from, ending, notation, home: path}) => ({
      from,
      ending,
      notation,
      path: join(home, path),
      base: home,
    })),
  ];
}

const MAX_FILES = 200;
const MAX_DEPTH = 4;
const MAX_FOLDERS = 1000;
/** Bytes. */
const MAX_SIZE = 64 * 1024;
export const NAME_ALLOWED = 'its name needs letters, digits, _ and - only';
export const NAME = /^[\w-]+(?::[\w-]+)*$/;

/** Reads the commands in a folder and its subfolders, in the order of their names. `read` throws an error that says what is wrong. */
export function readCommands(
  folder: CommandFolder,
  read: (text: string) => CommandDefinition = readMarkdownCommand,
): ReadCommands {
  const {from, ending, notation, base, isOfProject = false, isOwn} = folder;
  const problems: string[] = [];
  const commands: CustomCommand[] = [];
  const files: {name: string; text: string}[] = [];
  const found = filesIn(folder.path, ending).map((parts) => ({
    path: join(folder.path, ...parts),
    name: parts.join(':').slice(0, -ending.length),
  }));
  if (found.length > MAX_FILES)
    problems.push(`${folder.path} has ${found.length} commands; only the first ${MAX_FILES} are used.`);
  const why = `its folder has more than ${MAX_FILES} commands`;
  const unusable: UnusableCommand[] = found.slice(MAX_FILES).map(({name, path}) => ({name, path, why}));
  for (const {path, name} of found.slice(0, MAX_FILES)) {
    try {
      if (!NAME.test(name)) throw new Error(NAME_ALLOWED);
      const {text, real, target} = readForAgent(path, MAX_SIZE + 1, {bases: [base]});
      if (isOfProject && !isWithin(real, realpathOrItself(base)))
        throw new Error('it is a link to another place');
      if (Buffer.byteLength(text) > MAX_SIZE) throw new Error('it is larger than 64 KiB');
      const {agent, mode, model, ...written} = read(sanitize(text.replace(/^\ufeff/, '')));
      if (written.prompt === '') throw new Error('it has no prompt');
      files.push({name: path, text});
      commands.push({
        ...written,
        ...(isOwn && {agent, mode, model}),
        ...(notation && {notation}),
        ...(target !== undefined && {target}),
        name,
        from,
      });
    } catch (error) {
      const why =
        codeOf(error) === undefined ? (error as Error).message : fileFailed(path, error).failure.problem;
      problems.push(`The command file ${path} is ignored: ${why}.`);
      unusable.push({name, path, why});
    }
  }
  return {commands, files, isOfProject, unusable, problems};
}

/** Returns the files with this ending, as the names on the way to each; none without the folder. */
function filesIn(path: string, ending: string): readonly (readonly string[])[] {
  const found: (readonly string[])[] = [];
  let folders = 0;
  function walk(way: readonly string[]): void {
    for (const entry of entriesOf(join(path, ...way))) {
      const next = [...way, entry.name];
      if (entry.isDirectory() && next.length <= MAX_DEPTH && folders++ < MAX_FOLDERS) walk(next);
      else if (entry.name.endsWith(ending) && !entry.isDirectory()) found.push(next);
    }
  }
  walk([]);
  return found;
}

function entriesOf(path: string): readonly Dirent[] {
  try {
    return readdirSync(path, {withFileTypes: true}).sort((one, other) => (one.name < other.name ? -1 : 1));
  } catch {
    return [];
  }
}
