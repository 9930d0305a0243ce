import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {Hint} from '../../src/app/keymap/hints.ts';
import {OWN_ANSWERS} from '../../src/app/pages/request-page.ts';
import {type Answer, answerKey, answersOf} from '../../src/app/requests/answers.ts';
import {isEditable} from '../../src/app/requests/editable-content.ts';
import {isDeceptive, pageKeys, unlockSentence} from '../../src/app/requests/request-guard.ts';
import {isUnlocked} from '../../src/app/requests/request-phase.ts';
import type {ToolCallEntry} from '../../src/session/entries.ts';
import {commandIn} from '../../src/session/labels/command-label.ts';
import {memoize} from '../../src/session/memoize.ts';
import type {PendingPermission, PendingRequest} from '../../src/session/state.ts';
import {pluralize, shownLocation} from '../../src/text/format.ts';
import {onOneLine} from '../../src/text/hidden.ts';
import {sanitizeLine} from '../../src/text/sanitize.ts';
import {joinInLines, truncate} from '../../src/text/truncate.ts';
import {width} from '../../src/text/width.ts';
import {wrap} from '../../src/text/wrap.ts';
import {edgeRoom, edgeRoomInside, hasBox, hasSureWidth, insideBox} from '../layout/box.ts';
import {rowsOfExact} from '../theme/exact-text.ts';
import {afterBar, rowsInMargin, rowsOfWarning, narrow} from '../layout/lines.ts';
import type {Theme} from '../theme/theme.tsx';
import {cacheRows} from '../layout/cached-rows.ts';
import {fittingLine} from '../layout/hints.ts';
import {joinRows, mapRows, type Rows} from '../layout/lazy-rows.ts';
import {rowsOfInput, rowsOfInputToDecide} from '../tool-call/tool-input.ts';
import {rowsOfExactContent} from '../tool-call/tool-content.ts';
import {FOR_SESSION, isForSession, optionLabels} from '../../src/app/requests/option-labels.ts';
import {
  asideOf,
  changeWarnings,
  diffsOf,
  isCommandTitle,
  questionOf,
  textNotes,
} from '../../src/app/requests/request-texts.ts';
import type {ShownRequest} from '../../src/app/requests/shown-request.ts';
import {
  type Choice,
  fitsInRow,
  rowsOfHints,
  questionPanel,
  type RequestPanel,
  shareRows,
} from './question.ts';
import type {ShownRule} from '../../src/app/requests/seen-rows.ts';

type PermissionView = ShownRequest<PendingPermission>;

/** Returns a permission request: what is asked, what will happen in full (scrolled if it is long), and the answers; and where the suggested rule is. */
export function permissionPanel(shownRequest: PermissionView, theme: Theme) {
  const {isFocused, rows, view, reading} = shownRequest;
  const inner = insideBox(theme);
  const {isTitle, ...heading} = headingOf(shownRequest, theme);
  const choices = choicesOf(shownRequest, inner);
  const {content, rule} = contentOf(shownRequest, {isTitled: isTitle, choices}, inner);
  const notes = rowsOfNotes(shownRequest, inner);
  const question = {...heading, content, choices, isFocused, view, rows, notes};
  const hidden = content.length - shareRows(question, theme).content;
  if (view.phase.kind === 'unseen' && hidden > 0) {
    // The note that asks to read on takes more rows than its placeholder: what only a first frame shows would count as read.
    const left = {...reading, left: hidden, unseen: hidden};
    question.view = {...view, phase: {kind: 'shown', at: 0}};
    question.notes = rowsOfNotes({...shownRequest, reading: left, view: question.view}, inner);
  }
  const panel = questionPanel(question, theme);
  return {...panel, rule: rule ?? ruleIn(panel, choices)};
}

/** The row of a rule that does not fit in it. */
const RULE_ABOVE = `${OWN_ANSWERS.rule} (shown above)`;

interface AnswerRow extends Choice {
  readonly answer: Answer;
}

/** Returns the rows of the answers: the agent's, and those that acp-tui adds, which look different. */
function choicesOf({request, keymap}: PermissionView, theme: Theme): readonly AnswerRow[] {
  const {options, asker, rule, covers} = request;
  const labels = optionLabels({options, ofAgent: asker === undefined});
  const choices = answersOf(request).map((answer): AnswerRow => {
    const label = answer.kind === 'option' ? (labels[answer.index] ?? '') : OWN_ANSWERS[answer.kind];
    return {answer, label, key: answerKey(answer, keymap), isAdded: answer.kind !== 'option'};
  });
  const saying = (choice: AnswerRow, label: string, otherwise: string) => {
    // What is cut would look like something else.
    const isWhole = hasSureWidth(label) && fitsInRow({...choice, label}, choices, theme);
    return {...choice, label: isWhole ? label : otherwise};
  };
  return choices.map((choice) => {
    const {answer, label} = choice;
    if (answer.kind === 'rule') return saying(choice, `${label}: ${rule}`, RULE_ABOVE);
    const covered = answer.action === 'allow_always' && isForSession(label) && covers?.[answer.index];
    return covered ? saying(choice, `${FOR_SESSION}: ${onOneLine(covered)}`, label) : choice;
  });
}

/** Returns whether the row of a rule is on the screen, if there is one. */
function ruleIn({choices = []}: RequestPanel, rows: readonly AnswerRow[]): ShownRule | undefined {
  const row = rows.findIndex(({answer}) => answer.kind === 'rule');
  if (row === -1) return undefined;
  return choices.some(({index}) => index === row) ? 'in its answer' : 'off the screen';
}

/** Returns the question and who asks. A question of acp-tui's own begins with its name, where no text of an agent stands, and contains the call's title if that fits. */
function headingOf({agentName, others, request, entry, view}: PermissionView, theme: Theme) {
  const {asker, calledBy} = request;
  const changed = view.changed === undefined ? '' : ' (changed)';
  if (asker === undefined) {
    const who = sanitizeLine(calledBy === undefined ? agentName : `by ${calledBy}`);
    const title = questionOf(request) + changed;
    return {title, aside: asideOf([who], others), isTitle: false, isOwn: false};
  }
  const asks = `${asker} asks`;
  const own = entry && `${asks}: ${onOneLine(entry.title)}${changed}`;
  const isTitle = own !== undefined && hasBox(theme) && width(own) <= edgeRoom(theme);
  return {title: isTitle ? own : asks + changed, aside: asideOf([], others), isTitle, isOwn: true};
}

/** Returns what will happen on a yes, and the answers that do not fit in their rows. */
function contentOf(
  {request, entry, view}: PermissionView,
  {isTitled, choices}: {readonly isTitled: boolean; readonly choices: readonly AnswerRow[]},
  theme: Theme,
) {
  const details = rowsOfRequest(request, theme, isTitled && entry ? untitled(entry) : entry);
  const answer = choices.find(({answer}) => answer.kind === 'rule');
  const isWhole = answer !== undefined && answer.label !== RULE_ABOVE;
  const rule = isWhole ? [] : rowsInMargin(theme, (inner) => rowsOfRule(request, inner));
  const cut = rowsOfCutAnswers(choices, theme);
  const changes = changeWarnings({request, view, entry}, theme.cwd);
  const changed = changes.flatMap((text) => rowsOfWarning(text, theme));
  const from = changed.length + details.length;
  const isAbove = request.rule !== undefined && !isWhole;
  return {
    content: joinRows([changed, details, rule, cut]),
    rule: isAbove ? {from, to: from + rule.length} : undefined,
  };
}

const untitled = memoize((entry: ToolCallEntry): ToolCallEntry => ({...entry, title: ''}));

/** Returns the rows of the key hints, which are blank until the request has the focus. */
function rowsOfNotes(shownRequest: PermissionView, theme: Theme): string[] {
  const {isFocused, view, reading} = shownRequest;
  if (isFocused) return rowsOfHints(view, rowsOfKeyHints(shownRequest, theme), theme);
  // Keeps the rows of the note, which would hide content that has already counted as read.
  return reading.left > 0 ? rowsOfKeyHints(shownRequest, theme).map(() => ' ') : [];
}

/** Returns the rows of the current key hints, and how much is unread. */
function rowsOfKeyHints({request, view, keymap, reading}: PermissionView, theme: Theme): string[] {
  const {paint, columns, keyOf} = theme;
  const {needed, left, unseen} = reading;
  // The number of unread rows is only known after drawing.
  if (view.phase.kind === 'unseen') return [' '];
  if (left > 0) {
    const how =
      needed === 'end'
        ? `Scroll to the end to allow (${keyOf('scroll_end')})`
        : `Read it all to allow (${pageKeys(keymap)})`;
    const parts = [how, `${pluralize(left, 'line')} left`, `${keyOf('reject_once')} reject`];
    return joinInLines(parts, columns).map((line) => paint.warning(line));
  }
  const unread =
    unseen > 0 ? `${pluralize(unseen, 'line')} ${unseen === 1 ? 'was' : 'were'} not shown. ` : '';
  if (isDeceptive(request) && !isUnlocked(view.phase))
    return wrap(unread + unlockSentence(keymap), columns).map((line) => paint.warning(line));
  const room = edgeRoomInside(theme);
  const hints: readonly Hint[] = [
    isDeceptive(request) ? 'number allow' : '',
    isEditable(request) ? [keyOf('edit_request'), 'edit first'] : '',
    [keyOf('view_request'), 'full view'],
    [keyOf('explain'), 'why am I asked'],
    [keyOf('cancel_or_back'), 'back'],
  ];
  return [
    truncate(paint.warning(unread) + fittingLine(hints, Math.max(1, room - width(unread)), theme), room),
  ];
}

/** Returns the rows of a rule that does not fit in its answer, or of why a command has none. */
function rowsOfRule({rule, noRule}: PendingPermission, {paint, columns}: Theme): string[] {
  const text =
    rule === undefined ? noRule && `No rule can be added: ${noRule}.` : `${OWN_ANSWERS.rule}: ${rule}`;
  return text === undefined ? [] : wrap(text, columns).map((line) => paint.dim(line));
}

/** Returns the rows of what a request would do, in full: only details that nobody decides by are folded, and nothing is cut or smoothed. */
export const rowsOfRequest = cacheRows(requestRows(rowsOfInputToDecide));

/** The same with all details. */
export const rowsOfWholeRequest = cacheRows(requestRows(rowsOfInput));

type InputRows = (entry: ToolCallEntry, theme: Theme) => readonly string[];

function requestRows(rowsOfFacts: InputRows) {
  return (request: PendingPermission, theme: Theme, entry: ToolCallEntry | undefined): Rows => {
    const inner: Theme = {...narrow(theme), extent: 'exact'};
    const details = joinRows([
      ...(entry === undefined ? [] : rowsOfCall(entry, {...request, rowsOfFacts}, inner)),
      rowsOfRaw(request, inner),
    ]);
    if (details.length === 0) return wrap('The agent does not say what it wants to do.', theme.columns);
    return joinRows([rowsOfTextNotes(request, theme), mapRows(details, afterBar(theme))]);
  };
}

function rowsOfCall(
  entry: ToolCallEntry,
  {outdated = [], rowsOfFacts}: Pick<PendingPermission, 'outdated'> & {readonly rowsOfFacts: InputRows},
  theme: Theme,
): Rows[] {
  const {paint} = theme;
  const title = isCommandTitle(entry) || entry.title === '' ? [] : rowsOfExact(entry.title, theme);
  const changed = new Set(diffsOf(entry).map(({path}) => path));
  const existing = new Set(outdated.map(({path}) => path));
  const where = entry.locations
    // A diff has its path as heading.
    .filter(({path, line}) => line != null || !changed.has(path))
    .flatMap((location) => rowsOfExact(shownLocation(location, theme.cwd), theme));
  const contents = entry.content.map((content) => {
    if (content.type === 'terminal' && isAnnounced(content, entry, theme)) return [];
    const exists = content.type === 'diff' && existing.has(content.path);
    return rowsOfExactContent(content, {kind: entry.kind, exists}, theme);
  });
  return [
    title.map((line) => paint.bold(line)),
    where.map((line) => paint.dim(line)),
    rowsOfFacts(entry, theme),
    ...contents,
  ];
}

/** True for the terminal of a command that has not begun and is shown as the input. */
function isAnnounced({terminalId}: acp.Terminal, {status, rawInput}: ToolCallEntry, theme: Theme): boolean {
  const command = theme.terminals.get(terminalId)?.command;
  return status === 'pending' && command !== undefined && command === commandIn(rawInput);
}

/** Returns the rows of a corrected request as it was sent, because that is what the user approves. */
function rowsOfRaw({raw}: PendingPermission, theme: Theme): string[] {
  if (raw === undefined) return [];
  const {paint, columns} = theme;
  const note = 'This request does not follow the protocol. As the agent sent it:';
  return [...wrap(note, columns).map((line) => paint.warning(line)), ...rowsOfExact(raw, theme)];
}

/** Returns the rows of the complete answers if a row is too narrow for one of them: two must not look the same because they are cut. */
function rowsOfCutAnswers(choices: readonly AnswerRow[], theme: Theme): readonly string[] {
  const cut = choices.filter((choice) => !fitsInRow(choice, choices, theme));
  if (cut.length === 0) return [];
  return rowsInMargin(theme, ({columns, paint}) => [
    paint.dim('Answers in full:'),
    ...cut.flatMap((choice) => wrap(`${choices.indexOf(choice) + 1}  ${choice.label}`, columns)),
  ]);
}

/** Returns the rows of notes above a request whose text does not look as it is. */
export function rowsOfTextNotes(request: PendingRequest, theme: Theme): string[] {
  return textNotes(request).flatMap((note) => rowsOfWarning(note, theme));
}
