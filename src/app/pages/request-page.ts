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
      'What lasts never covers paths outside the workspace, protected paths, or what a rule asks about or denies.',
      'The agent may remember an answer, too, and no longer ask.',
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

/** Says what an answer decides (docs/permissions.md, "What an answer covers"). */
function coverageOf(answer: Answer, {options, covers}: PendingPermission): string {
  if (answer.kind === 'rule') return 'What the rule allows, in every session.';
  if (answer.kind === 'note') return 'Nothing; what you write is sent to the agent.';
  if (answer.kind === 'cancel') return 'Nothing.';
  const kind = options[answer.index]?.kind ?? 'reject_once';
  const [allowed, later] = kind.startsWith('allow') ? ['This request', 'allowed'] : ['Nothing', 'refused'];
  if (kind === 'allow_always' && covers === undefined) return `${allowed}; what else is being checked.`;
  const what = onOneLine(covers?.[answer.index] ?? '');
  if (what !== '') {
    const until = kind === 'allow_always' ? 'acp-tui quits' : 'the turn ends';
    return `${allowed}. Also ${later} until ${until}: ${what}.`;
  }
  if (kind === 'allow_always') return `${allowed}; acp-tui remembers nothing, but the agent may.`;
  return kind === 'allow_once' ? `${allowed}, once.` : `${allowed}.`;
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
