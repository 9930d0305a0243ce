import type * as acp from '@agentclientprotocol/sdk/unstable';
import {unlockSentence, pageKeys} from '../../src/app/handlers/input-guard.ts';
import {keyName} from '../../src/app/keymap/key-names.ts';
import {keysFor, type Keymap} from '../../src/app/keymap/keymap.ts';
import {requestHelp} from '../../src/app/pages/help-page.ts';
import {isDeceptive, type Reading} from '../../src/app/requests/reading.ts';
import type {RequestView} from '../../src/app/state.ts';
import type {ToolCallEntry} from '../../src/session/entries.ts';
import {hidesText} from '../../src/session/requests/hidden-text.ts';
import type {OutdatedFile, PendingPermission, PendingRequest} from '../../src/session/state.ts';
import {shownLocation, shownPath} from '../../src/text/format.ts';
import {escapeHiddenLine, onOneLine} from '../../src/text/hidden.ts';
import {sanitizeLine} from '../../src/text/sanitize.ts';
import {joinFitting, truncate} from '../../src/text/truncate.ts';
import {width} from '../../src/text/width.ts';
import {wrap} from '../../src/text/wrap.ts';
import {
  type Draw,
  type ScrolledLines,
  drawRule,
  drawnOnce,
  withBar,
  drawExact,
  windowAround,
} from '../draw/draw.ts';
import {hanging, inside} from '../draw/lines.ts';
import {drawInput} from '../tool-call/card.ts';
import {drawToolContent} from '../tool-call/contents.ts';
import {drawHelpRow} from './page-panels.ts';
import type {Scroll} from '../../src/app/pages/scroll.ts';
import type {RowRange} from '../../src/app/requests/seen-rows.ts';

/** A request as shown on the screen. */
export interface ShownRequest<Request extends PendingRequest> {
  readonly request: Request;
  readonly view: RequestView;
  /** The tool call that it is about. */
  readonly entry: ToolCallEntry | undefined;
  readonly agentName: string;
  /** True if it has the keyboard. */
  readonly isFocused: boolean;
  /** How many other requests wait behind it. */
  readonly others: number;
  readonly keymap: Keymap;
  readonly reading: Reading;
  /** Rows that it may take. */
  readonly rows: number;
}

type PermissionView = ShownRequest<PendingPermission>;

/** A request on the screen, with the rows of the rule that it offers. */
interface PermissionLines extends ScrolledLines {
  readonly rule?: RowRange;
}

/** Draws a permission request: who asks, what will happen in full (scrolled if it is long), and the answers. */
export function drawPermission(asked: PermissionView, draw: Draw): PermissionLines {
  const {request, isFocused, rows, view} = asked;
  const {options, asker} = request;
  const {selected, scroll} = view;
  const {content, rule} = drawContent(asked, draw);
  const drawn = drawQuestion(
    {
      title: titleOf(asked),
      content,
      options: {
        count: options.length,
        draw: (rows) => drawOptions({options, ofAgent: asker === undefined, selected, isFocused, rows}, draw),
      },
      notes: drawNotes(asked, draw),
      isFocused,
      scroll,
      rows,
    },
    draw,
  );
  return {...drawn, ...(rule && {rule})};
}

/** What will happen when the user says yes, and the answers as far as they have no room in their own rows. */
function drawContent(
  {request, entry, view, keymap}: PermissionView,
  draw: Draw,
): {readonly content: readonly string[]; readonly rule?: RowRange} {
  const told = drawRequest(request, entry, draw);
  const rule = drawOfferedRule(request, keymap, draw);
  const cut = drawCutOptions({options: request.options, ofAgent: request.asker === undefined}, draw);
  const changed = drawChanged({request, view, entry}, draw);
  if (changed.length + rule.length + cut.length === 0) return {content: told};
  const from = changed.length + told.length;
  return {
    content: [...changed, ...told, ...rule, ...cut],
    ...(rule.length > 0 && {rule: {from, to: from + rule.length}}),
  };
}

/** Warnings above the request: it has changed, or its diffs do not match the files. */
function drawChanged(
  {request, view, entry}: Pick<PermissionView, 'request' | 'view' | 'entry'>,
  draw: Draw,
): string[] {
  const news = new Set(diffsOf(entry).flatMap(({path, oldText}) => (oldText == null ? [path] : [])));
  const notes = [
    ...(view.changed === 'agent'
      ? ['The agent changed this request after it was shown. Read it again.']
      : []),
    ...(request.outdated ?? []).map((file) =>
      outdatedLabel(file, {isCalledNew: news.has(file.path), cwd: draw.cwd}),
    ),
  ];
  return notes.flatMap((text) =>
    hanging(draw.symbols.warning, text, draw).map((line) => draw.paint.warning(line)),
  );
}

function outdatedLabel(
  {path, why}: OutdatedFile,
  {isCalledNew, cwd}: {readonly isCalledNew: boolean; readonly cwd: string},
): string {
  const file = onOneLine(shownPath(path, cwd));
  if (why === 'changed')
    return `${file} has changed since you were asked; the diff shows the old version. Read it again.`;
  return `${file} ${isCalledNew ? 'already exists' : 'does not match this diff'}: its current content may be lost.`;
}

function diffsOf(entry: ToolCallEntry | undefined): readonly acp.Diff[] {
  return entry?.content.filter((item) => item.type === 'diff') ?? [];
}

function titleOf({agentName, others, request, view}: PermissionView): string {
  const more = `${view.changed ? ', changed' : ''}${othersLabel(others)}`;
  if (request.asker !== undefined) return `${request.asker} asks${more}`;
  return `${sanitizeLine(agentName)} asks for permission${more}`;
}

/** Draws what the keys do, if the request has the focus. */
function drawNotes(asked: PermissionView, draw: Draw): string[] {
  const {isFocused, view, keymap} = asked;
  const {columns} = draw;
  if (view.explained) {
    const rows = requestHelp(keymap);
    const keys = Math.max(...rows.map((row) => width(row.keys)));
    return rows.flatMap((row) => drawHelpRow(row, Math.min(keys, Math.floor(columns / 3)), draw));
  }
  if (!isFocused) return [];
  return drawAnswering(asked, draw);
}

/** Draws what the keys do now, and how much is unread. */
function drawAnswering({request, view, keymap, reading}: PermissionView, draw: Draw): string[] {
  const {paint, columns, keyOf} = draw;
  const {needed, left, unseen} = reading;
  // What is on the screen is told only when it stands there.
  if (view.drawnAt === undefined) return [' '];
  if (left > 0) {
    const how =
      needed === 'end'
        ? `Scroll to the end to allow (${keyOf('scroll_end')})`
        : `Read it all to allow (${pageKeys(keymap)})`;
    const text = `${how} · ${linesLabel(left)} left · ${keyOf('reject_once')} reject`;
    return wrap(text, columns).map((line) => paint.warning(line));
  }
  const unread = unseen > 0 ? `${linesLabel(unseen)} ${unseen === 1 ? 'was' : 'were'} not shown. ` : '';
  if (isDeceptive(request) && !view.unlocked)
    return wrap(unread + unlockSentence(keymap), columns).map((line) => paint.warning(line));
  const enter = isDeceptive(request) ? '' : `${keyOf('confirm')} or `;
  const keys = [
    `${enter}number select`,
    `${keyOf('explain')} explain`,
    `${keyOf('cancel_or_back')} back to prompt`,
  ];
  const hint = joinFitting(keys, Math.max(1, columns - width(unread)));
  return [truncate(paint.warning(unread) + paint.dim(hint), columns)];
}

/** `1 line`, `43 lines`. */
export function linesLabel(count: number): string {
  return count === 1 ? '1 line' : `${count} lines`;
}

/** No option of the agent's, so it looks like none. */
function drawOfferedRule({rule}: PendingPermission, keymap: Keymap, {paint, columns}: Draw): string[] {
  const [key] = keysFor('allow_by_rule', keymap);
  if (rule === undefined || key === undefined) return [];
  const text = `${keyName(key)}  Always allow (adds a rule): ${rule}`;
  return wrap(text, columns).map((line) => paint.dim(line));
}

/** A question with the content to read and its answers. */
interface Question {
  readonly title: string;
  readonly content: readonly string[];
  readonly options: {readonly count: number; readonly draw: (rows: number) => readonly string[]};
  readonly notes: readonly string[];
  /** True if it has the keyboard. */
  readonly isFocused: boolean;
  readonly scroll: Scroll;
  /** Rows that it may take. */
  readonly rows: number;
}

/** Draws a question in its rows, scrolled if its content is long. */
export function drawQuestion(question: Question, draw: Draw): ScrolledLines {
  const {title, content, options, notes, isFocused, scroll} = question;
  const share = shareRows(question);
  const firstRow = Math.max(0, Math.min(scroll.firstRow, content.length - share.content));
  const visible = content.slice(firstRow, firstRow + share.content);
  const lines = [
    ...(share.title ? [drawFrame(title, isFocused, draw)] : []),
    ...visible,
    ...(share.more ? [drawMore({firstRow, visible: visible.length, total: content.length}, draw)] : []),
    ...options.draw(share.options),
    ...notes.slice(0, share.notes),
  ];
  return {lines, drawn: {firstRow, visibleRows: visible.length, totalRows: content.length}};
}

/** The line that heads what asks; it lights up with the keyboard. */
export function drawFrame(title: string, isFocused: boolean, draw: Draw): string {
  const {paint} = draw;
  return drawRule(title, isFocused ? (text) => paint.bold(paint.warning(text)) : paint.dim, draw);
}

interface Share {
  readonly title: boolean;
  readonly content: number;
  /** A row that says how much of the content is hidden. */
  readonly more: boolean;
  readonly options: number;
  readonly notes: number;
}

/** From this many rows on there is room for notes. */
const ROWS_FOR_NOTES = 6;

/** Content and the selected option come first; the title, the notes and the other options take what is left. */
function shareRows({rows, content, notes: wished, options: {count}}: Question): Share {
  // Of few rows none goes to a heading that what is asked needs itself.
  const title = rows >= ROWS_FOR_NOTES || content.length + 2 <= rows;
  const notes = rows < ROWS_FOR_NOTES ? 0 : Math.min(wished.length, Math.floor(rows / 3));
  const rest = Math.max(2, rows - Number(title) - notes);
  const wanted = Math.min(content.length, Math.ceil(rest / 2));
  const options = Math.max(1, Math.min(count, rest - wanted));
  const room = Math.max(1, rest - options);
  const more = content.length > room && room >= 3;
  return {title, notes, options, more, content: Math.min(content.length, room - Number(more))};
}

/** Draws how many rows are hidden above and below. */
function drawMore(
  {firstRow, visible, total}: {readonly firstRow: number; readonly visible: number; readonly total: number},
  draw: Draw,
): string {
  const {paint, symbols, columns, keyOf} = draw;
  const below = total - firstRow - visible;
  const parts = [firstRow > 0 ? `${firstRow} above` : '', below > 0 ? `${below} below` : ''].filter(Boolean);
  const text = `${symbols.ellipsis} ${parts.join(', ')} · ${keyOf('scroll_page_down')} scroll · ${keyOf('scroll_end')} end`;
  return (below > 0 ? paint.warning : paint.dim)(truncate(text, columns));
}

/** `(2 more pending)`, behind the title. */
export function othersLabel(others: number): string {
  return others === 0 ? '' : ` (${others} more pending)`;
}

/** Draws what a request would do, in full: nothing is folded, cut or smoothed. */
export const drawRequest = drawnOnce(
  (request: PendingPermission, entry: ToolCallEntry | undefined, draw: Draw): readonly string[] => {
    const inner = inside(draw);
    const told = [
      ...(entry === undefined ? [] : drawCall(entry, request, inner)),
      ...drawRaw(request, inner),
    ];
    if (told.length === 0) return wrap('The agent does not say what it wants to do.', draw.columns);
    return [...drawHiddenNote(request, draw), ...withBar(told, draw)];
  },
);

function drawCall(entry: ToolCallEntry, {outdated = []}: PendingPermission, draw: Draw): string[] {
  const {paint} = draw;
  const title = drawExact(entry.title, draw).map((line) => paint.bold(line));
  const changed = new Set(diffsOf(entry).map(({path}) => path));
  const existing = new Set(outdated.map(({path}) => path));
  const where = entry.locations
    // A change has its path over it.
    .filter(({path, line}) => line != null || !changed.has(path))
    .flatMap((location) => drawExact(shownLocation(location, draw.cwd), draw));
  const contents = entry.content.flatMap((content) =>
    drawToolContent(content, {entry, extent: 'exact', existing}, draw),
  );
  const facts = drawInput(entry, draw);
  return [...title, ...where.map((line) => paint.dim(line)), ...facts, ...contents];
}

/** Draws a corrected request as it was sent, because that is what the user approves. */
function drawRaw({raw}: PendingPermission, draw: Draw): string[] {
  if (raw === undefined) return [];
  const {paint, columns} = draw;
  const note = 'This request does not follow the protocol. As the agent sent it:';
  return [...wrap(note, columns).map((line) => paint.warning(line)), ...drawExact(raw, draw)];
}

interface OptionsView {
  readonly options: readonly acp.PermissionOption[];
  /** False for the options of acp-tui's own questions, whose names need no addition. */
  readonly ofAgent: boolean;
  readonly selected: number;
  readonly isFocused: boolean;
  readonly rows: number;
}

const kindWords: Readonly<Record<acp.PermissionOptionKind, string>> = {
  allow_once: 'allow once',
  allow_always: 'allow always',
  reject_once: 'reject once',
  reject_always: 'reject always',
};

/** Draws the answers in the agent's order, with their kind in words, because the names are the agent's own. */
function drawOptions({options, ofAgent, ...view}: OptionsView, draw: Draw): string[] {
  return drawNumbered(labelsOf({options, ofAgent}), view, draw);
}

/** The answers in full, where a row is too narrow for one of them: two must not look the same because they are cut off. */
function drawCutOptions(given: Pick<OptionsView, 'options' | 'ofAgent'>, {columns, paint}: Draw): string[] {
  const labels = labelsOf(given).map((label, index) => `${index + 1}. ${label}`);
  // Behind the mark of the selected one.
  if (labels.every((label) => width(label) + 2 <= columns)) return [];
  return [paint.dim('Options in full:'), ...labels.flatMap((label) => wrap(label, columns))];
}

/** Returns the label of each answer; labels that look the same get the agent's name, kind and id. */
function labelsOf({options, ofAgent}: Pick<OptionsView, 'options' | 'ofAgent'>): readonly string[] {
  if (!ofAgent) return options.map(({name}) => name);
  const names = options.map(labelOf);
  const isOnly = (name: string) => names.filter((other) => looks(other) === looks(name)).length === 1;
  return options.map((option, index) => {
    const name = names[index] ?? '';
    if (isOnly(name)) return name;
    return `${escapeHiddenLine(option.name)} (${kindWords[option.kind] ?? option.kind}, option ${index + 1}, "${escapeHiddenLine(option.optionId)}")`;
  });
}

/** Returns a name reduced to what a quick glance sees. */
function looks(name: string): string {
  return name.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim();
}

/** Draws numbered choices; those around the selected one if not all fit. */
export function drawNumbered(
  labels: readonly string[],
  {selected, isFocused, rows}: Pick<OptionsView, 'selected' | 'isFocused' | 'rows'>,
  {paint, symbols, columns}: Draw,
): string[] {
  const {from, to} = windowAround(selected, labels.length, rows);
  return labels.slice(from, to).map((label, index) => {
    const isSelected = from + index === selected;
    const mark = isSelected ? symbols.selected : ' ';
    const line = truncate(`${mark} ${from + index + 1}. ${label}`, columns);
    return isSelected && isFocused ? paint.selected(line) : line;
  });
}

function labelOf({name, kind}: acp.PermissionOption): string {
  const label = sanitizeLine(name);
  const words = kindWords[kind] ?? kind;
  if (words.startsWith(label.toLowerCase())) return words.charAt(0).toUpperCase() + words.slice(1);
  return `${label} (${words})`;
}

const NOTE = 'Contains hidden or control characters, shown as ⟨U+200B⟩ or ␛.';

/** Draws a note above a request that contains hidden characters. */
export function drawHiddenNote(request: PendingRequest, draw: Draw): string[] {
  if (!hidesText(request)) return [];
  return hanging(draw.symbols.warning, NOTE, draw).map((line) => draw.paint.warning(line));
}
