import {holdsCommand} from '../../session/requests/command-fields.ts';
import {canReject} from '../../session/selectors.ts';
import type {PendingPermission} from '../../session/state.ts';
import {onOneLine} from '../../text/hidden.ts';
import type {Action, Keymap} from '../keymap/keymap.ts';
import {type Answer, answerKey, answersOf} from '../requests/answers.ts';
import {isEditable} from '../requests/editable-content.ts';
import {isDeceptive} from '../requests/request-guard.ts';
import {keyRows} from './help-page.ts';
import {page, type Page} from './pages.ts';
import {maxOf} from '../../text/lists.ts';

/** Returns the page that says why the user is asked, what each answer allows, and which keys there are. */
export function requestPage(request: PendingPermission, keymap: Keymap): Page {
  const answers = answersOf(request).flatMap((answer, index) => {
    const head = [`${index + 1}`, answerKey(answer, keymap), nameOf(answer, request)];
    return [head.filter(Boolean).join('  '), `      ${coverageOf(answer, request)}`];
  });
  const keys = keyRows(keymap.request).filter(({action}) => action && canDo(action, request));
  const columns = maxOf(keys.map(({keys: names}) => names.length));
  return page(
    'Why am I asked?',
    [
      whyAsked(request),
      'What each answer allows:',
      ...answers,
      '',
      'What lasts never covers protected paths, nor what a rule denies.',
      '/permissions revokes it. More: acp-tui help permissions',
      '',
      'Keys:',
      ...keys.map(({keys: names, does}) => `${names.padEnd(columns)}  ${does}`),
    ].join('\n'),
  );
}

function whyAsked({asker, askedBy}: PendingPermission): string {
  if (asker !== undefined) return `${asker} asks this itself: nothing happens before you answer.\n`;
  if (askedBy === undefined) return 'The agent asks before it does this, and nothing allows it.\n';
  const by = onOneLine(askedBy);
  if (by.startsWith('--approve'))
    return `No rule allows this, nor does the level ${by} (/permissions changes it).\n`;
  if (by.startsWith('protected path')) return `It names a ${by}. Those are asked about at every level.\n`;
  return `Asked because of ${by}.\n`;
}

function nameOf(answer: Answer, {options, rule = ''}: PendingPermission): string {
  if (answer.kind === 'option') return onOneLine(options[answer.index]?.name ?? '');
  return OWN_ANSWERS[answer.kind] + (answer.kind === 'rule' ? `: ${onOneLine(rule)}` : '');
}

/** The answers that acp-tui adds. */
export const OWN_ANSWERS: Readonly<Record<Exclude<Answer['kind'], 'option'>, string>> = {
  rule: 'Always allow, as a rule',
  cancel: 'Reject (the agent is told that the request was cancelled)',
  note: 'Reject and say what to do instead',
};

/** Says what an answer covers (docs/permissions.md, "What an answer covers"). */
function coverageOf(answer: Answer, request: PendingPermission): string {
  if (answer.kind === 'rule') return 'What the rule allows, in every session.';
  if (answer.kind === 'note') return 'Nothing; what you write is sent to the agent.';
  const kind = answer.kind === 'option' ? request.options[answer.index]?.kind : undefined;
  if (kind === 'allow_always') return `${laterSubject(request)}, until acp-tui quits.`;
  return kind === 'allow_once' ? `${subjectOf(request)}, once.` : 'Nothing.';
}

function subjectOf({asker, call}: PendingPermission): string {
  if (asker !== undefined) return 'What is asked here';
  if (holdsCommand(call)) return 'Exactly this command';
  return hasDiff(call) ? 'Exactly this change' : 'This request';
}

function laterSubject({call}: PendingPermission): string {
  if (holdsCommand(call)) return 'This command';
  if (hasDiff(call)) return 'Edits in the workspace';
  const isRead = call.kind === 'read' || call.kind === 'search';
  return isRead ? 'Reads and searches in the workspace' : 'This tool in the workspace';
}

function hasDiff({content}: PendingPermission['call']): boolean {
  return content.some(({type}) => type === 'diff');
}

/** True if a key does something in this request. */
function canDo(action: Action, request: PendingPermission): boolean {
  switch (action) {
    case 'allow_once':
    case 'allow_always':
    case 'allow_by_rule':
    case 'reject_with_note':
      return answersOf(request).some((answer) => answer.action === action);
    case 'reject_once':
    case 'reject_always':
      return !canReject(request) || answersOf(request).some((answer) => answer.action === action);
    case 'edit_request':
      return isEditable(request);
    case 'unlock_allowing':
      return isDeceptive(request);
    default:
      return true;
  }
}
