import {closest} from 'fastest-levenshtein';
import {isSpelledLike} from '../shared/spelling.ts';
import {programOnPath} from '../shared/processes/executable.ts';

/** A program that speaks the protocol when started with these arguments. */
export interface KnownProgram {
  /** The registry's id, if it is listed there. */
  readonly id: string;
  readonly name: string;
  readonly program: string;
  readonly args: readonly string[];
  /** The program of the agent itself, if this one is an adapter for it. */
  readonly adapts?: string;
}

/** Programs as the agents' own installers put them on PATH. docs/internals/tested-agents.md lists the tested ones. */
export const KNOWN_PROGRAMS: readonly KnownProgram[] = [
  {...known('claude-acp', 'Claude Code', 'claude-agent-acp'), adapts: 'claude'},
  {...known('codex-acp', 'Codex', 'codex-acp'), adapts: 'codex'},
  known('gemini', 'Gemini CLI', 'gemini --acp'),
  known('opencode', 'OpenCode', 'opencode acp'),
  known('qwen-code', 'Qwen Code', 'qwen --acp'),
  known('goose', 'Goose', 'goose acp'),
  known('auggie', 'Auggie', 'auggie --acp'),
  known('cline', 'Cline', 'cline --acp'),
  known('kilo', 'Kilo Code', 'kilo acp'),
  known('kimi', 'Kimi CLI', 'kimi acp'),
  known('mistral-vibe', 'Mistral Vibe', 'vibe-acp'),
  known('factory-droid', 'Factory Droid', 'droid exec --output-format acp'),
  known('github-copilot-cli', 'GitHub Copilot', 'copilot --acp'),
  known('cursor', 'Cursor', 'cursor-agent acp'),
  known('junie', 'Junie', 'junie --acp=true'),
  known('stakpak', 'Stakpak', 'stakpak acp'),
  known('qoder', 'Qoder CLI', 'qodercli --acp'),
  {...known('amp-acp', 'Amp', 'amp-acp'), adapts: 'amp'},
  {...known('pi-acp', 'Pi', 'pi-acp'), adapts: 'pi'},
];

/** Agents that a window lists even if they are not installed, in this order. */
const WELL_KNOWN = [
  'claude-acp',
  'codex-acp',
  'gemini',
  'opencode',
  'github-copilot-cli',
  'qwen-code',
  'goose',
  'cursor',
];

/** A well-known agent without its program on PATH. */
export interface MissingAgent extends Pick<KnownProgram, 'id' | 'name'> {
  /** The program that is on PATH but needs an adapter. */
  readonly needsAdapter?: string;
}

/** Returns the well-known agents that are not on PATH; does not use the network. */
export function missingAgents(path: string | undefined): readonly MissingAgent[] {
  const isHere = (program: string) => programOnPath(program, path) !== undefined;
  return WELL_KNOWN.flatMap((wanted): readonly MissingAgent[] => {
    const found = KNOWN_PROGRAMS.find(({id}) => id === wanted);
    if (!found || isHere(found.program)) return [];
    const {id, name, adapts} = found;
    return [{id, name, ...(adapts !== undefined && isHere(adapts) && {needsAdapter: adapts})}];
  });
}

/** Returns the program with this id or name on PATH. */
export function findKnownProgram(name: string): KnownProgram | undefined {
  return KNOWN_PROGRAMS.find(({id, program}) => id === name || program === name);
}

/** Returns the id of the agent that somebody means who names its product or its own program: `claude-acp` for `claude` and for `claude-code`. */
export function findAgentId(name: string): string | undefined {
  const spelled = (each = '') => each.toLowerCase().replaceAll(/[-_]/g, '');
  return KNOWN_PROGRAMS.find((known) =>
    [known.adapts, known.name.replaceAll(' ', '')].some((each) => spelled(each) === spelled(name)),
  )?.id;
}

/** Returns the agent that a mistyped name may be meant for: a well-known one, or one of the others. */
export function similarAgent(typed: string, others: readonly string[]): string | undefined {
  const names = new Map([
    ...KNOWN_PROGRAMS.flatMap(({id, program, adapts = id}) =>
      [program, adapts, id].map((name) => [name, id] as const),
    ),
    ...['demo', ...others].map((name) => [name, name] as const),
  ]);
  const near = closest(typed, [...names.keys()]);
  return isSpelledLike(typed, near) ? names.get(near) : undefined;
}

function known(id: string, name: string, line: string): KnownProgram {
  const [program = '', ...args] = line.split(' ');
  return {id, name, program, args};
}
