import {relative} from 'node:path';
import {literalPattern, parseRule} from '../../session/requests/permission-rules.ts';
import {type ProgramLookup, isSystemShell} from '../terminals/system-shell.ts';
import type {PolicyDecision} from '../permissions/evaluate-policy.ts';
import type {PermissionSubject} from '../permissions/subject.ts';
import {quoteWord} from '../../text/shell-quote.ts';
import {wrapperOf} from './commands.ts';

const PATH_KINDS = new Set(['read', 'edit', 'delete', 'move', 'search']);
/** Longer rules are not suggested, because they would not fit in a line. */
const MAX_LENGTH = 100;

/**
 * Returns the rule that would allow exactly this in the future: one command, or one file. Undefined if there is none, or it would have no effect because
 * another rule asks.
 */
export function offeredRule(
  subject: PermissionSubject,
  {isByRule}: PolicyDecision,
  lookup: ProgramLookup,
): string | undefined {
  if (isByRule || subject.changedBy !== undefined || (subject.alsoRun ?? []).length > 0) return undefined;
  const pattern =
    subject.kind === 'execute' ? commandIn(subject.command, lookup) : pathIn(subject, lookup.cwd);
  if (pattern === undefined || pattern.length > MAX_LENGTH || /[\p{Cc}\p{Zl}\p{Zp}]/u.test(pattern))
    return undefined;
  const rule = `${subject.kind} ${pattern}`;
  return parseRule(rule)?.pattern === pattern ? rule : undefined;
}

/** Only if it is plain without the shell grammar, which is loaded for rules alone. */
function commandIn(command: PermissionSubject['command'], lookup: ProgramLookup): string | undefined {
  if (command === undefined) return undefined;
  const words = typeof command === 'string' ? unquotedWords(command) : command;
  if (words === undefined || words.length === 0) return undefined;
  const wrapper = wrapperOf(words, (word) => isSystemShell(word, lookup));
  if (wrapper?.kind === 'shell_line') return commandIn(wrapper.line, lookup);
  return literalPattern(words.map(quoteWord).join(' '));
}

function unquotedWords(line: string): readonly string[] | undefined {
  const trimmed = line.trim();
  return /^[\w@%+:,./-]+(?: +[\w@%+:,./-]+)*$/.test(trimmed) ? trimmed.split(/ +/) : undefined;
}

function pathIn({kind, paths}: PermissionSubject, cwd: string): string | undefined {
  const [only, ...others] = new Set(paths.map(({real}) => real));
  if (!PATH_KINDS.has(kind) || only === undefined || others.length > 0) return undefined;
  const inside = relative(cwd, only);
  if (inside === '' || inside.startsWith('..')) return literalPattern(only);
  return literalPattern(inside.includes('/') ? inside : `./${inside}`);
}
