/** An environment variable of a command. */
export interface Variable {
  readonly name: string;
  readonly value: string;
}

/**
 * The variables that cannot change what a command does, only how it looks and who started it, with the values that are known to be so: a pager other than `cat`
 * is a program, a language may be a path. Whatever is not in this table may change what runs.
 */
const HARMLESS: readonly (readonly [names: RegExp, values: RegExp])[] = [
  [/^(?:NO_COLOR|FORCE_COLOR|CLICOLOR|CLICOLOR_FORCE)$/, /^\w{0,10}$/],
  [/^(?:TERM|COLORTERM)$/, /^[\w+-]{0,40}$/],
  [/^(?:COLUMNS|LINES|CARGO_TERM_PROGRESS_WIDTH)$/, /^\d{1,5}$/],
  [/^(?:LANG|LANGUAGE|LC_[A-Z]+)$/, /^[\w@:-]*(?:\.[\w-]+)?$/],
  [/^TZ$/, /^\w+(?:[/+-]\w+)*$/],
  [/^(?:CARGO_TERM_COLOR|CARGO_TERM_PROGRESS_WHEN)$/, /^(?:always|auto|never)$/],
  [/^(?:PIP_PROGRESS_BAR|NPM_CONFIG_PROGRESS|PYTHONUNBUFFERED)$/, /^(?:on|off|true|false|0|1)$/],
  [/^GRADLE_OPTS$/, /^-Dorg\.gradle\.console=(?:auto|plain|rich)$/],
  [/^MAVEN_OPTS$/, /^-Dstyle\.color=(?:always|auto|never)$/],
  [/^(?:GIT_|GH_|MAN)?PAGER$/, /^cat$/],
  [/^GIT_TERMINAL_PROMPT$/, /^[01]$/],
  [/^SHELL$/, /^(?:\/usr)?\/bin\/(?:ba|da|z|k)?sh$/],
  // Signs of the agent, and of a run without a user.
  [/^(?:CI|CLAUDECODE|GEMINI_CLI|QWEN_CODE|OPENCODE|AGENT|AI_AGENT)$/, /^(?:0|1|true|false)$/],
  [/^(?:CLAUDE_CODE|CODEX|GROK|KIMI|QWEN_CODE)_(?:SESSION|THREAD|TURN)_ID$/, /^[\w-]{1,100}$/],
];

/** True for a variable that is known not to change what a command does. */
export function isHarmless({name, value}: Variable): boolean {
  return HARMLESS.some(([names, values]) => names.test(name) && values.test(value));
}

/** Returns the variables that may change what a command does: unknown ones, and those that it mentions. */
export function changingVariables<Each extends Variable>(
  variables: readonly Each[],
  command: string | readonly string[],
): readonly Each[] {
  const mentioned = new Set([command].flat().flatMap((text) => text.split(/\W+/)));
  return variables.filter((variable) => !isHarmless(variable) || mentioned.has(variable.name));
}

/** Returns the variables in a tool's input, which may be a list, as in `terminal/create`, or an object; undefined if it is neither. */
export function variablesOf(env: unknown): readonly Variable[] | undefined {
  if (env === null) return [];
  if (typeof env !== 'object') return undefined;
  const list: readonly unknown[] = Array.isArray(env)
    ? env
    : Object.entries(env).map(([name, value]: [string, unknown]) => ({name, value}));
  return list.every(isVariable) ? list : undefined;
}

function isVariable(value: unknown): value is Variable {
  if (typeof value !== 'object' || value === null) return false;
  const {name, value: text} = value as Record<string, unknown>;
  return typeof name === 'string' && typeof text === 'string';
}
