import {relative} from 'node:path';
import type {OfferedAnswers} from '../../session/state.ts';
import {literalPattern, parseRule} from '../../session/requests/permission-rules.ts';
import {unwrapCommand} from '../terminals/same-command.ts';
import type {ProgramLookup} from '../terminals/system-shell.ts';
import type {PolicyDecision} from '../permissions/evaluate-policy.ts';
import {coveredBy} from '../permissions/session-scope.ts';
import type {PermissionSubject} from '../permissions/subject.ts';
import {quoteWords} from '../../text/shell-quote.ts';

const PATH_KINDS = new Set(['read', 'edit', 'delete', 'move', 'search']);
/** Longer rules are not suggested, because they would not fit in a line. */
const MAX_LENGTH = 100;

/** Returns the rule that would allow this in the future: one command, one file, or a tool; for a command without one, why there is none. */
export function offeredRule(
  subject: PermissionSubject,
  decision: PolicyDecision,
  lookup: ProgramLookup,
): Pick<OfferedAnswers, 'rule' | 'noRule'> {
  const rule = ruleOf(subject, decision, lookup);
  if (rule !== undefined) return {rule};
  return subject.command === undefined ? {} : {noRule: whyNoRule(subject, decision, lookup)};
}

function whyNoRule(subject: PermissionSubject, {isByRule}: PolicyDecision, lookup: ProgramLookup): string {
  const {kind, changedBy, command, alsoRun = []} = subject;
  if (isByRule) return 'another rule asks about it';
  if (changedBy !== undefined) return changedBy;
  if (alsoRun.length > 0) return 'it runs more than one command';
  if (kind !== 'execute') return `it claims to be of kind "${kind}"`;
  if (doesMore(subject)) return 'it also changes files';
  return commandIn(command, lookup) === undefined ? 'it is not one plain command' : 'it is too long for one';
}

/** Undefined if there is none, or it would have no effect because another rule asks. */
function ruleOf(
  subject: PermissionSubject,
  {isByRule}: PolicyDecision,
  lookup: ProgramLookup,
): string | undefined {
  if (isByRule || subject.changedBy !== undefined || (subject.alsoRun ?? []).length > 0) return undefined;
  if (doesMore(subject)) return undefined;
  if (subject.access.type === 'connection')
    return `network ${literalPattern(coveredBy(subject.access.host))}`;
  const pattern =
    subject.kind === 'execute' ? commandIn(subject.command, lookup) : pathIn(subject, lookup.cwd);
  if (pattern === undefined) return toolRule(subject);
  if (pattern.length > MAX_LENGTH || /[\p{Cc}\p{Zl}\p{Zp}]/u.test(pattern)) return undefined;
  const rule = `${subject.kind} ${pattern}`;
  return parseRule(rule)?.pattern === pattern ? rule : undefined;
}

/** True if something is done to a file that a rule of the kind of the request does not allow. */
function doesMore({kind, paths}: PermissionSubject): boolean {
  return paths.some(({kinds = [kind]}) => kinds[0] !== kind);
}

/** For a tool with a name that neither runs a command nor is about files or an address. */
function toolRule({access, kind, tool, call, paths}: PermissionSubject): string | undefined {
  if (access.type !== 'permission' || access.hasCommand || !call || call.input === '') return undefined;
  if (tool === undefined || paths.length > 0 || call.input.includes('://')) return undefined;
  const rule = `tool=${literalPattern(tool)} ${kind}`;
  return rule.length <= MAX_LENGTH && parseRule(rule)?.tool === literalPattern(tool) ? rule : undefined;
}

/** Only if it is plain without the shell grammar, which is loaded for rules alone. */
function commandIn(command: PermissionSubject['command'], lookup: ProgramLookup): string | undefined {
  const words = command === undefined ? undefined : unwrapCommand(command, lookup).at(-1);
  return words === undefined || typeof words === 'string' ? undefined : literalPattern(quoteWords(words));
}

function pathIn({access, kind, paths}: PermissionSubject, cwd: string): string | undefined {
  if (access.type === 'permission' && access.hasCommand) return undefined;
  const [only, ...others] = new Set(paths.map(({real}) => real));
  const isAbout = paths.some(({aside}) => !aside);
  if (!PATH_KINDS.has(kind) || !isAbout || only === undefined || others.length > 0) return undefined;
  const inside = relative(cwd, only);
  if (inside === '' || inside.startsWith('..')) return literalPattern(only);
  return literalPattern(inside.includes('/') ? inside : `./${inside}`);
}
