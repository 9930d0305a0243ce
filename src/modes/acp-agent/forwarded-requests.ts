import {resolve} from 'node:path';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {RequestAnswer, SessionActions} from '../../session/actions.ts';
import {isOpenedLink} from '../../session/selectors.ts';
import type {SessionEvent, SessionEventOf} from '../../session/events.ts';
import type {ChoiceOption} from '../../session/forms/form-schema.ts';
import type {
  PendingElicitation,
  PendingForm,
  PendingPermission,
  PendingRequest,
  SessionState,
} from '../../session/state.ts';
import {commandIn} from '../../session/labels/command-label.ts';
import {distinctInputFacts} from '../../session/labels/input-facts.ts';
import type {ToolCallEntry} from '../../session/entries.ts';
import {failureSentence} from '../../shared/failure-messages.ts';
import {codeFence} from '../../text/format.ts';
import {onOneLine} from '../../text/hidden.ts';
import {requestedChanges} from '../../session/requests/patched-files.ts';
import {ANY_FILE} from '../../session/transcript/diffs.ts';
import {formAnswer, formSchema, onlyChoice} from './elicitation-form.ts';
import {toolCallOf, type EditorUpdate} from './transcript-updates.ts';
import {textOfPart, textPart} from '../../session/transcript/content.ts';

interface RequestContext {
  readonly sessionId: string;
  /** The editor. */
  readonly client: acp.AgentContext;
  readonly capabilities: acp.ClientCapabilities;
  readonly answer: SessionActions['answer'];
  /** Called with a sentence about a request that the editor cannot show. */
  readonly onUnanswerable: (sentence: string) => void;
}

interface AskedRequest {
  /** As it is now: the editor sees no difference to what it was asked. */
  request: PendingRequest;
  readonly withdrawn: AbortController;
  /** Whether the editor has been asked, and has answered. */
  progress?: 'sent' | 'answered';
  /** The answer that was taken while the editor's was on its way. */
  taken?: SessionEventOf<'permission_resolved'>;
}

/** An answer that is not one to the request, and why. */
interface InvalidAnswer {
  readonly kind: 'invalid';
  readonly problem: string;
}

/** An editor that answers this often with what is invalid does not ask its user. */
const MAX_TIMES = 5;

/** The option that adds the suggested rule; those of the agent are called by their position. */
const RULE = 'rule';

/**
 * Asks the editor what the session asks its user: what rules have not decided. Windows may answer first, and the agent may change what it asks for: then the
 * editor's request is cancelled, and its late answer ignored.
 */
export function forwardRequests(context: RequestContext) {
  const openRequests = new Map<string, AskedRequest>();
  let report: ((updates: readonly EditorUpdate[]) => void) | undefined;

  function withdraw(id: string): void {
    openRequests.get(id)?.withdrawn.abort();
    openRequests.delete(id);
  }

  async function ask(request: PendingRequest, state: SessionState): Promise<void> {
    const {id} = request;
    const withdrawn = new AbortController();
    const own: AskedRequest = {request, withdrawn};
    openRequests.set(id, own);
    // What a rule, a level or a grant decides is resolved in the same message of the service.
    await Promise.resolve();
    if (withdrawn.signal.aborted) return;
    own.progress = 'sent';
    try {
      const answer = await askEditor(context, own, state);
      if (withdrawn.signal.aborted) return;
      if (answer) await send(own, answer);
      else context.onUnanswerable(`${describe(request)} cannot be answered here.`);
    } catch (error) {
      if (!withdrawn.signal.aborted)
        context.onUnanswerable(`${describe(request)} was not answered by the editor: ${String(error)}.`);
    }
  }

  /** Sends the editor's answer, and says so if another one was first. */
  async function send(own: AskedRequest, answer: RequestAnswer): Promise<void> {
    own.progress = 'answered';
    const sent = await context.answer(own.request.id, answer);
    if (sent.ok) return;
    own.progress = 'sent';
    if (own.taken) resolved(own, own.taken);
    context.onUnanswerable(`${describe(own.request)}: ${failureSentence(sent.failure)}`);
  }

  /** Reports the answer to a request that the editor was asked, unless it is the editor's. */
  function resolved(own: AskedRequest, event: SessionEventOf<'permission_resolved'>): void {
    own.taken = event;
    if (own.request.kind === 'permission' && own.progress === 'sent')
      report?.([resolvedUpdate(own.request, event)]);
  }

  return {
    /** Asks for what is pending now, after an event if there was one, and withdraws the rest. */
    follow(state: SessionState, event?: SessionEvent): void {
      const answered = event?.type === 'permission_resolved' && openRequests.get(event.id);
      if (answered) resolved(answered, event);
      for (const [id, open] of openRequests) {
        const {request} = open;
        const now = state.pending.find((pending) => pending.id === id);
        if (!now || isOther(request, now)) withdraw(id);
        else open.request = now;
        if (!now && request.kind === 'url')
          context.client.notify('elicitation/complete', {elicitationId: id}).catch(() => undefined);
      }
      for (const request of state.pending)
        if (!openRequests.has(request.id) && !isOpenedLink(request)) void ask(request, state);
    },
    /** Has answers of others reported with `send`, see `session/attach`. */
    reportAnswers: (send: NonNullable<typeof report>) => (report = send),
    /** Withdraws all of them; they stay pending in the session. */
    end: () => [...openRequests.keys()].forEach(withdraw),
  };
}

/** Returns the editor's answer; undefined if it has none. */
function askEditor(
  context: RequestContext,
  own: AskedRequest,
  state: SessionState,
): Promise<RequestAnswer | undefined> {
  const {request, withdrawn} = own;
  const options = {cancellationSignal: withdrawn.signal, stopWaitingOnCancel: true};
  const changesBy = () => changesOf(own.request);
  return askUntilValid((problem) =>
    request.kind === 'permission'
      ? askPermission(context, {request, state, changesBy}, options)
      : elicit(context, {request, problem}, options),
  );
}

/** Asks again after an invalid answer; undefined if the request cannot be answered. */
async function askUntilValid(
  ask: (problem: string | undefined) => Promise<RequestAnswer | InvalidAnswer | undefined>,
): Promise<RequestAnswer | undefined> {
  let problem: string | undefined;
  for (let times = 0; times < MAX_TIMES; times++) {
    const answer = await ask(problem);
    if (answer?.kind !== 'invalid') return answer;
    ({problem} = answer);
  }
  return undefined;
}

/** The draft "Multi-Client Session Attach"; its fields in both of the forms that are proposed. */
function resolvedUpdate(
  {options}: PendingPermission,
  {toolCallId, decision}: SessionEventOf<'permission_resolved'>,
): EditorUpdate {
  const index = options.findIndex(({name}) => name === decision.option);
  const chosenOptionId = String(index);
  const isSelected = index !== -1;
  const update = {
    sessionUpdate: 'permission_resolved',
    toolCallId,
    outcome: isSelected ? {kind: 'selected', optionId: chosenOptionId} : {kind: 'cancelled'},
    ...(isSelected && {chosenOptionId}),
    resolvedBy: {name: decision.by},
  };
  return update;
}

/** True if something else is asked for, or another of the facts that an editor gets is known. */
function isOther(before: PendingRequest, now: PendingRequest): boolean {
  if (before.kind !== 'permission' || now.kind !== 'permission') return false;
  if (before.changes === now.changes) return false;
  return before.call !== now.call || before.rule !== now.rule || before.outdated !== now.outdated;
}

function changesOf(request: PendingRequest): number {
  return request.kind === 'permission' ? request.changes : 0;
}

function describe(request: PendingRequest): string {
  return request.kind === 'permission' ? `The request "${request.call.title}"` : 'A question';
}

interface AskedPermission {
  readonly request: PendingPermission;
  readonly state: SessionState;
  /** How often it has changed once it is answered. */
  readonly changesBy: () => number;
}

async function askPermission(
  {sessionId, client}: RequestContext,
  {request, state, changesBy}: AskedPermission,
  options: acp.SendRequestOptions,
): Promise<RequestAnswer | InvalidAnswer> {
  const {outcome} = await client.request(
    'session/request_permission',
    {sessionId, toolCall: askedCall(request, state), options: optionsOf(request)},
    options,
  );
  if (outcome.outcome === 'cancelled') return {kind: 'cancelled'};
  const changes = changesBy();
  if (outcome.optionId === RULE && request.rule !== undefined) return {kind: 'rule', changes};
  const index = request.options.findIndex((_, position) => String(position) === outcome.optionId);
  return index === -1 ? {kind: 'invalid', problem: ''} : {kind: 'option', index, changes};
}

/** Called by their position: an agent may use an id twice. */
function optionsOf({options, rule}: PendingPermission): acp.PermissionOption[] {
  const named = options.map(({name, kind}, index) => ({optionId: String(index), name, kind}));
  if (rule === undefined) return named;
  return [...named, {optionId: RULE, name: `Always allow: ${rule} (adds a rule)`, kind: 'allow_always'}];
}

function askedCall(request: PendingPermission, state: SessionState): acp.ToolCallUpdate {
  const {outdated = [], asker, calledBy} = request;
  const changes = requestedChanges(request.call).filter(({path}) => path !== ANY_FILE.path);
  const [does, ...others] = new Set(changes.map((change) => change.does));
  const remarks = [
    // The content and a patch in the input may have the same.
    ...new Set(
      changes.flatMap(({does: what, path, oldPath}) => {
        const at = (name: string) => resolve(state.cwd, name);
        return CHANGES[what]?.(at(path), oldPath === undefined ? '' : at(oldPath)) ?? [];
      }),
    ),
    ...(asker === undefined ? [] : [`Asked by ${asker}.`]),
    ...(calledBy === undefined ? [] : [`Run by ${calledBy}.`]),
    ...outdated.map(({path}) => `${path} does not match this diff: it has changed.`),
  ];
  const {content, ...call} = seenUpdate(request.call, state);
  const kind = others.length === 0 && (does === 'delete' || does === 'move') ? does : request.call.kind;
  return {...call, kind, content: [...content, ...remarks.map(textPart)]};
}

/** Returns a call as the user of an editor sees it, who has its title and its content. */
export function seenUpdate(call: ToolCallEntry, {terminals, cwd}: SessionState) {
  const {title, facts} = seenCall(call, cwd);
  const sent = toolCallOf(call, terminals);
  return {...sent, title, content: [...(sent.content ?? []), ...facts.map(textPart)]};
}

/** What a diff does not show: an editor may draw a deletion as a file without lines, and the new name of a file alone. */
const CHANGES: Readonly<Partial<Record<string, (path: string, oldPath: string) => string>>> = {
  delete: (path) => `Deletes ${path}.`,
  move: (path, oldPath) => (oldPath === '' ? `Moves a file to ${path}.` : `Moves ${oldPath} to ${path}.`),
  copy: (path, oldPath) => (oldPath === '' ? `Copies a file to ${path}.` : `Copies ${oldPath} to ${path}.`),
};

/** What its user does not see otherwise: the input. The agent's own title is only a claim. Hidden characters are escaped in the state. */
function seenCall(
  entry: ToolCallEntry,
  cwd: string,
): {readonly title: string; readonly facts: readonly string[]} {
  const {title, kind, rawInput, content} = entry;
  const command = commandIn(rawInput)?.trim() ?? '';
  const isSaid = [command, `Run ${command}`, `\`${command}\``, `$ ${command}`].includes(title.trim());
  // In other tools, a word may be the name of what they do, such as "view".
  const isTitle = command !== '' && !isSaid && (kind === 'execute' || /\s/.test(command));
  // Its locations need not be shown.
  const shown = new Set([...(isSaid ? [command] : []), title, ...content.flatMap(textsOf)]);
  const hidden = distinctInputFacts({...entry, locations: []}, cwd).filter(
    ([, value]) => value.trim() !== '' && !shown.has(value),
  );
  const facts = hidden.map(([name, value]) => `${onOneLine(name)}: ${value}`);
  return {
    title: onOneLine(isTitle ? command : title),
    facts: [
      ...(isTitle && title !== '' ? [`The agent calls this "${onOneLine(title)}".`] : []),
      ...(facts.length > 0 ? [codeFence(facts.join('\n'))] : []),
    ],
  };
}

/** The texts that a part of a call's content shows. */
function textsOf(part: acp.ToolCallContent): readonly string[] {
  if (part.type === 'diff') return [part.path, part.newText, part.oldText ?? ''];
  return [textOfPart(part) ?? []].flat();
}

/** Returns the answer to a question, which says what was wrong with the answer before; undefined if the editor cannot ask it. */
async function elicit(
  context: RequestContext,
  {request, problem}: {readonly request: PendingElicitation; readonly problem: string | undefined},
  options: acp.SendRequestOptions,
): Promise<RequestAnswer | InvalidAnswer | undefined> {
  const {sessionId, client, capabilities} = context;
  const {elicitation} = capabilities;
  const {id, toolCallId} = request;
  const message = problem === undefined ? request.message : `${request.message}\n\n${problem}`;
  const base = {sessionId, message, ...(toolCallId !== undefined && {toolCallId})};
  const schema = request.kind === 'form' ? formSchema(request) : undefined;
  if (request.kind === 'form' && (!elicitation?.form || !schema)) return askChoice(context, request, options);
  if (request.kind === 'url' && !elicitation?.url) return undefined;
  const asked =
    request.kind === 'form'
      ? {...base, mode: 'form', requestedSchema: schema}
      : {...base, mode: 'url', elicitationId: id, url: request.link.href};
  const response = await client.request('elicitation/create', asked as acp.CreateElicitationRequest, options);
  if (response.action === 'decline') return {kind: 'declined'};
  if (response.action !== 'accept') return {kind: 'cancelled'};
  if (request.kind !== 'form') return {kind: 'accepted', content: {}};
  const answer = formAnswer(request.fields, response['content']);
  return 'problem' in answer ? {kind: 'invalid', ...answer} : {kind: 'accepted', ...answer};
}

/** The option that declines; the choices are called by their position. */
const DECLINE = 'decline';

/** Asks a question that is one choice as a request with its choices, which every editor shows; undefined for any other form, and for those of acp-tui. */
async function askChoice(
  {sessionId, client}: RequestContext,
  {asker, toolCallId, message, title, description, fields}: PendingForm,
  sendOptions: acp.SendRequestOptions,
): Promise<RequestAnswer | InvalidAnswer | undefined> {
  const choice = onlyChoice(fields);
  if (!choice || toolCallId === undefined || asker !== undefined) return undefined;
  const notes = [title, description, choice.description, ...choice.options.map(describedChoice)];
  const content = notes.filter((note) => note !== undefined).map(textPart);
  const toolCall = {toolCallId, title: onOneLine(message), ...(content.length > 0 && {content})};
  const options = choice.options.map(({label}, index) => {
    return {optionId: String(index), name: label, kind: 'allow_once' as const};
  });
  const decline = {optionId: DECLINE, name: 'Decline', kind: 'reject_once' as const};
  const request: acp.RequestPermissionRequest = {sessionId, toolCall, options: [...options, decline]};
  const {outcome} = await client.request('session/request_permission', request, sendOptions);
  if (outcome.outcome === 'cancelled') return {kind: 'cancelled'};
  if (outcome.optionId === DECLINE) return {kind: 'declined'};
  const chosen = choice.options.find((_, position) => String(position) === outcome.optionId);
  return chosen ? {kind: 'accepted', content: {[choice.id]: chosen.value}} : {kind: 'invalid', problem: ''};
}

function describedChoice({label, description}: ChoiceOption): string | undefined {
  return description === undefined ? undefined : `${label}: ${description}`;
}
