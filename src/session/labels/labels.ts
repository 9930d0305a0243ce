import type * as acp from '@agentclientprotocol/sdk/unstable';
import {bytes, shownPath, compactNumber, cost, duration, pluralize} from '../../text/format.ts';
import {escapeHiddenLine, escapeHiddenOnce, onOneLine} from '../../text/hidden.ts';
import {sanitizeLine} from '../../text/sanitize.ts';
import {quoteWord, quoteWords} from '../../text/shell-quote.ts';
import {decodedSize, decodedUri, textSize} from '../content/block-facts.ts';
import type {ElicitationEntry, CompactionEntry, PermissionDecision, TurnSummary} from '../entries.ts';
import {questionWithAnswer} from '../forms/form-validation.ts';
import type {SignInProgram} from '../../shared/authentication.ts';
import {
  comparedDiff,
  fileChangeOf,
  diffPosition,
  isWithoutLines,
  type FileChange,
} from '../transcript/diffs.ts';

/** Returns an agent's name for display; one that could be read as acp-tui's own words is in quotes. */
export function displayAgentName(name: string): string {
  return resemblesOwnName(name) ? `"${name.replaceAll('"', "'")}"` : name;
}

/** Letters that can hardly be taken for those of acp-tui's name: of Latin alphabets, and characters of Chinese, Japanese and Korean. */
const FAMILIAR =
  /^[ -~…\u00c0-\u024f\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]*$/u;

/** True if acp-tui's name is anywhere in it, whatever is between its letters, or could be in it. */
function resemblesOwnName(name: string): boolean {
  if (!FAMILIAR.test(name)) return true;
  const lower = name.normalize('NFKD').toLowerCase();
  const alike = lower
    .replaceAll('@', 'a')
    .replaceAll('(', 'c')
    .replaceAll(/[7+]/g, 't')
    .replaceAll(/[l1|!]/g, 'i');
  return alike.replaceAll(/[^a-z]/g, '').includes('acptui');
}

/**
 * Returns the command line of a sign-in program for a shell, with the variables that the method adds; the agent's own variables are left out, as they are the
 * user's and may be secret.
 */
export function signInCommandLine(program: SignInProgram, agent: SignInProgram): string {
  return [...variableLabels(program, agent), programCommandLine(program)].join(' ');
}

/** Returns its command line without variables. */
export function programCommandLine({command, args}: SignInProgram): string {
  return escapeHiddenLine(quoteWords([command, ...args]));
}

/** Returns the variables that the method adds. */
export function variableLabels({env}: SignInProgram, agent: SignInProgram): readonly string[] {
  const added = Object.entries(env).filter(([name, value]) => agent.env[name] !== value);
  return added.map(([name, value]) => escapeHiddenLine(`${name}=${quoteWord(value)}`));
}

/** Content that is not text. */
export type AttachedContent = Exclude<acp.ContentBlock, {type: 'text'}>;

/** Returns a one-line label of content that is not text: name, type and size in bytes, as in a draft. */
export function attachmentLabel(block: AttachedContent, cwd: string): string {
  return `[${attachmentFacts(block, cwd).join(', ')}]`;
}

/** Returns name, type and size of content that is not text, as far as known; each in one line and escaped. */
export function attachmentFacts(block: AttachedContent, cwd: string): readonly string[] {
  const [name, ...details] = factsOf(block, cwd);
  const others = details.filter((detail) => Boolean(detail) && detail !== name);
  return [name, ...others].map((fact) => onOneLine(escapeHiddenOnce(fact ?? '')));
}

function factsOf(block: AttachedContent, cwd: string): readonly [string, ...(string | null | undefined)[]] {
  switch (block.type) {
    case 'image':
    case 'audio':
      return [mediaName(block), block.mimeType, bytes(decodedSize(block.data))];
    case 'resource_link':
      return [
        block.title || block.name || 'link',
        shownUri(block.uri, cwd),
        block.mimeType,
        typeof block.size === 'number' && block.size >= 0 ? bytes(block.size) : undefined,
      ];
    case 'resource': {
      const {resource} = block;
      const size = 'text' in resource ? textSize(resource.text) : decodedSize(resource.blob);
      return [shownUri(resource.uri, cwd) || 'attachment', resource.mimeType, bytes(size)];
    }
  }
}

/** The file name, if known. */
function mediaName(block: Extract<acp.ContentBlock, {type: 'image' | 'audio'}>): string {
  const uri = block.type === 'image' ? block.uri : undefined;
  return (uri?.startsWith('file://') && shownUri(uri, '').split('/').at(-1)) || block.type;
}

function shownUri(uri: string, cwd: string): string {
  if (!uri.startsWith('file://')) return uri;
  const [, path = '', lines] = /^file:\/\/([^#]*)(?:#L(\d+:\d+))?/.exec(uri) ?? [];
  const shown = shownPath(decodedUri(path), cwd);
  return lines === undefined ? shown : `${shown}:${lines.replace(':', '-')}`;
}

/** Returns how a permission was decided; undefined if the user allowed it, which needs no line. */
export function decisionLabel(permission: PermissionDecision | undefined): string | undefined {
  if (permission === undefined) return undefined;
  const {outcome, option, by, covers} = permission;
  if (covers !== undefined) return `allowed for this session: ${covers}`;
  if (by === 'user' && outcome === 'allowed') return undefined;
  if (by === 'an earlier answer') return 'covered by your earlier approval';
  const who = by === 'user' ? 'you' : named(by);
  const words = {
    allowed: `allowed by ${who}`,
    rejected: `rejected by ${who}`,
    // Its turn or its subagent.
    cancelled: 'not answered: cancelled',
    withdrawn: 'not answered: the agent stopped waiting for it',
  };
  const chosen = option === undefined || outcome === 'cancelled' ? '' : ` (${option})`;
  return words[outcome] + chosen;
}

/** Adds the file to a rule: `rule: edit ** (user)` becomes `rule edit ** in config.json`. */
function named(by: string): string {
  if (!/^rules?: /.test(by)) return by;
  return by
    .replace(': ', ' ')
    .replaceAll(/ \((?:user|agent)\)(?=,|$)/g, ' in config.json')
    .replaceAll(/ \(option\)(?=,|$)/g, ' on the command line')
    .replaceAll(/ \(project\)(?=,|$)/g, ' in .acp-tui.json');
}

/** Returns questions and answers, one per line; an answer may span several. A question that is the message is not repeated. */
export function answerLines({
  message,
  answers,
}: Pick<ElicitationEntry, 'message' | 'answers'>): readonly string[] {
  return answers.map(({label, answer, isSecret}) => {
    const given = isSecret ? '(not shown)' : (answer ?? '(no answer)');
    return label.trim() === message.trim() ? given : questionWithAnswer(label, given);
  });
}

/** Returns the outcome of an elicitation. */
export function outcomeLabel({message, outcome, mode, asker, about}: ElicitationEntry): string {
  const call = about === undefined || about.trim() === message.trim() ? '' : ` (for: ${sanitizeLine(about)})`;
  const who = `${asker ?? 'The agent'}${call}`;
  switch (outcome) {
    case 'accepted':
      return mode === 'url' ? `${who} wanted to open this URL; you agreed.` : `${who} asked; you answered.`;
    case 'declined':
      return `${who} asked; you declined.`;
    case 'cancelled':
      return `${who} asked; cancelled without an answer.`;
    case 'withdrawn':
      return `${who} asked, then stopped waiting for an answer.`;
  }
}

/** Shown for a cancelled turn in a replay. */
export const INTERRUPTION = 'Turn cancelled.';

export const NO_ANSWER = 'The agent ended the turn without an answer.';

/** Returns why a turn stopped; undefined if it failed or ended normally. */
export function stopReasonLabel({
  outcome,
  isEmpty,
}: Pick<TurnSummary, 'outcome' | 'isEmpty'>): string | undefined {
  return outcome.kind === 'failed' ? undefined : stopReasons(outcome.stopReason, isEmpty);
}

function stopReasons(reason: acp.StopReason, isEmpty: true | undefined): string | undefined {
  switch (reason) {
    case 'end_turn':
      return isEmpty && `${NO_ANSWER} See /status log.`;
    case 'cancelled':
      return 'Cancelled';
    case 'max_tokens':
      return "Stopped at the model's output token limit. Send “continue” to resume.";
    case 'max_turn_requests':
      return "Stopped at the agent's limit of model requests per turn. Send “continue” to resume.";
    case 'refusal':
      return 'The agent refused to continue. This prompt and everything after it are not in its context: the next prompt starts without them.';
    default:
      return `Stopped: ${String(reason)}`;
  }
}

/** Returns duration, tokens, cost and changed files of a turn, as far as they are known. */
export function turnFacts(summary: TurnSummary): string[] {
  return [
    duration(summary.durationMs),
    summary.usage && `${compactNumber(summary.usage.totalTokens)} tokens`,
    summary.cost?.amount ? cost(summary.cost) : undefined,
    summary.changedFiles && `${pluralize(summary.changedFiles, 'file')} changed`,
  ].filter((fact) => typeof fact === 'string');
}

/** Returns the outcome of a compaction. */
export function compactionLabel({status, error}: CompactionEntry): string {
  switch (status) {
    case 'in_progress':
      return 'Compacting the context';
    case 'completed':
      return 'Context compacted';
    case 'failed':
      return `Could not compact the context${error === undefined ? '' : `: ${error}`}`;
    case 'cancelled':
      return 'Compacting the context was cancelled';
    default:
      return `Compacting the context: ${status}`;
  }
}

interface DiffCounting {
  readonly minus: string;
  readonly kind?: acp.ToolKind | undefined;
  /** True if the file is known to exist, whatever the diff says. */
  readonly exists?: boolean | undefined;
}

/** Returns the size of a change: `new file, 1 line`, `deleted, 8 lines`, `+2 −1`. */
export function diffCounts(diff: acp.Diff, {minus, kind, exists}: DiffCounting): string {
  const {stats, newFile} = comparedDiff(diff);
  const change = fileChangeOf({...diff, type: 'diff'}, kind);
  const size = `+${stats.added} ${minus}${stats.removed}`;
  if (isDeletion(diff, change))
    return diff.oldText ? `deleted, ${pluralize(stats.removed, 'line')}` : 'deleted';
  if (change && isWithoutLines(diff)) return DONE[change.does];
  if (change?.oldPath !== undefined) return change.does === 'copy' ? `copied, ${size}` : `moved, ${size}`;
  if (newFile && exists) return `replaces the file, ${pluralize(stats.added, 'line')}`;
  if (newFile) return `new file, ${pluralize(stats.added, 'line')}`;
  if (diff.oldText === diff.newText) return 'no change';
  return size;
}

/** What became of a file of which no lines are shown. */
const DONE: Readonly<Record<FileChange['does'], string>> = {
  edit: 'changed',
  delete: 'deleted',
  move: 'moved',
  copy: 'copied',
  other: 'changed',
};

/** True if the diff deletes the file, as far as the agent says so, or as the file is gone. */
function isDeletion(diff: acp.Diff, change: FileChange | undefined): boolean {
  if (change?.does === 'delete') return true;
  return Boolean(diff.oldText) && diff.newText === '' && diffPosition(diff)?.isGone === true;
}
