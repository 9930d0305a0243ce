import {EntryList} from '../../../session/transcript/entry-list.ts';
import {attachSession, type AttachedSession} from '../../../service/attached-session.ts';
import type {RunningSession} from '../../../service/messages.ts';
import {findService, type ServiceClient} from '../../../service/service-client.ts';
import {findRunningSession} from '../../../service/session-named.ts';
import {documentOf, UNTITLED_SESSION} from '../../../export/document.ts';
import {maskDocument, type Mask} from '../../../export/mask.ts';
import {createAnswer} from '../../print/answer.ts';
import {createTextStream} from '../../print/formats/text-format.ts';
import type {TurnSummary} from '../../../session/entries.ts';
import type {SessionEvent} from '../../../session/events.ts';
import {stopReasonLabel} from '../../../session/labels/labels.ts';
import {connectionFailure} from '../../../session/lifecycle/connection.ts';
import {reduce} from '../../../session/reduce.ts';
import {pendingRequestLine} from '../../../session/labels/asked-line.ts';
import {stateWord} from '../../../session/labels/session-states.ts';
import {messageText} from '../../../session/selectors.ts';
import type {SessionState} from '../../../session/state.ts';
import {visibleText} from '../../../session/transcript/content.ts';
import {failureSentence} from '../../../shared/failure-messages.ts';
import type {Failure} from '../../../shared/failure.ts';
import {sanitize} from '../../../text/sanitize.ts';
import {printFailure} from '../../../cli/terminal-io.ts';
import {findSession, reportFailure, type SessionsContext} from './session-lookup.ts';
import type {SessionsCommand} from './sessions-arguments.ts';
import {printDocument, showSession} from './show-session.ts';

type ShowCommand = Extract<SessionsCommand, {kind: 'show'}>;

/** Prints a session, and what happens in it until it ends if it runs in the background; resolves to the exit code. */
export async function followSession(command: ShowCommand, context: SessionsContext): Promise<number> {
  const {state, stderr} = context;
  const found = await findService(state);
  if (!found.ok) return reportFailure(found.failure, stderr);
  const service = found.value;
  const running = (await service?.list()) ?? [];
  const named = findRunningSession(running, command.id);
  if (service && named.ok) return followRunning(service, named.value, {command, context});
  // An id of the agent's, a session that is only stored, or none.
  const stored = await findSession(command.id, context);
  if ('exitCode' in stored) return stored.exitCode;
  const {session} = stored;
  const same = running.find(({id}) => id === session.id);
  if (service && same) return followRunning(service, same, {command, context});
  service?.close();
  if (session.status !== 'open') return showSession(command, context);
  const why = `it is open in another acp-tui (process ${session.openBy?.pid}); /detach there lets it run in the background`;
  return printFailure(stderr, {kind: 'not_offered', cannot: 'follow this session', why});
}

interface Following {
  readonly command: ShowCommand;
  readonly context: SessionsContext;
}

async function followRunning(
  service: ServiceClient,
  running: RunningSession,
  {command, context}: Following,
): Promise<number> {
  const attached = await attachSession(service, running.id, context.state);
  if (!attached.ok) return reportFailure(attached.failure, context.stderr);
  const mask: Mask = command.withSecrets ? (text) => text : context.mask;
  await printSoFar(attached.value.session, running, {mask, context});
  const failure = await printUntilEnd(attached.value, {mask, context});
  service.close();
  return failure ? printFailure(context.stderr, failure) : 0;
}

interface Printing {
  readonly mask: Mask;
  readonly context: SessionsContext;
}

/** Prints the transcript, without a text that is not complete yet. */
async function printSoFar(
  session: SessionState,
  {title, agent, cwd}: RunningSession,
  {mask, context}: Printing,
): Promise<void> {
  const entries = unfinishedText(session) ? EntryList.from(session.entries.slice(0, -1)) : session.entries;
  const first = entries.at(0);
  if (!first) return;
  const facts = {
    title: title || UNTITLED_SESSION,
    agent: {label: agent},
    cwd,
    additionalDirectories: session.additionalDirectories,
    createdAt: first.at,
    updatedAt: entries.at(-1)?.at ?? first.at,
  };
  const document = documentOf({...session, entries}, facts, {exportedAt: context.now()});
  await printDocument(await maskDocument(document, mask), 'markdown', context.stdout);
}

function unfinishedText({entries}: SessionState) {
  const last = entries.at(-1);
  const isText = last?.type === 'agent_message' || last?.type === 'agent_thought';
  return isText && !last.complete ? last : undefined;
}

/** Prints what happens in a session; resolves when it has ended, to why it is unusable, if it is. */
function printUntilEnd(attached: AttachedSession, {mask, context}: Printing): Promise<Failure | undefined> {
  const {promise, resolve} = Promise.withResolvers<Failure | undefined>();
  const out = lineOutput(context.stdout, mask);
  const startText = () => createTextStream({stdout: out, stderr: out, include: new Set()});
  let text = startText();
  const answer = createAnswer();
  let state = attached.session;

  function print(event: SessionEvent, requestLine: string | undefined): void {
    // What the agent repeats of a session that it loads.
    if ((event.type === 'session_update' || event.type === 'subagent_updated') && state.replay) return;
    if (event.type === 'prompt_started') {
      text.end();
      out.write(
        `\n${sanitize(visibleText(event.content))
          .trimEnd()
          .replaceAll(/(?<![^\n])/g, '> ')}\n\n`,
      );
      text = startText();
    }
    text.onStep({event, state, part: answer.onEvent(event, state)});
    const ending = event.type === 'prompt_ended' && state.lastTurn && endingOf(state.lastTurn);
    if (ending) text.print(ending);
    if (requestLine !== pendingRequestLine(state)) printIfAsking();
  }

  function printIfAsking(): void {
    const asks = pendingRequestLine(state);
    if (asks !== undefined)
      text.print(
        `${stateWord('waiting')}: ${asks}\nnotice: acp-tui attach ${attached.id()} shows all of it.`,
      );
  }

  function endIfOver(): void {
    const failure = connectionFailure(state.connection);
    if (!failure) return;
    text.end();
    out.flush();
    resolve(state.connection.kind === 'closed' ? undefined : failure);
  }

  context.onClosed(() => resolve(undefined));
  const unfinished = unfinishedText(state);
  if (unfinished?.type === 'agent_message') {
    const content = {type: 'text', text: messageText(unfinished)} as const;
    const update = {
      sessionUpdate: 'agent_message_chunk',
      content,
      messageId: unfinished.messageId ?? null,
    } as const;
    print({type: 'session_update', update, at: unfinished.at}, pendingRequestLine(state));
  }
  printIfAsking();
  attached.follow((event) => {
    const asked = pendingRequestLine(state);
    state = reduce(state, event);
    print(event, asked);
    endIfOver();
  });
  endIfOver();
  return promise;
}

/** Returns how a turn ended that has not run to its end. */
function endingOf(turn: TurnSummary): string | undefined {
  if (turn.outcome.kind === 'failed') return `error: ${failureSentence(turn.outcome.failure)}`;
  const stopped = stopReasonLabel(turn);
  return stopped && `notice: ${stopped}`;
}

/** Length of the longest private key, in UTF-16 units: what goes on for longer is text about one. */
const LONGEST_KEY = 16_384;

/** The beginning of a private key whose end is missing. */
const OPEN_KEY = /-----BEGIN [A-Z ]*PRIVATE KEY-----(?![^]*-----END[^\n]*\n)/;

/** Writes masked lines: a credential may come in several pieces. */
function lineOutput({write, columns}: SessionsContext['stdout'], mask: Mask) {
  let rest = '';
  function writeTo(end: number): void {
    if (end > 0) write(mask(rest.slice(0, end)));
    rest = rest.slice(end);
  }
  return {
    isTerminal: columns !== undefined,
    write(text: string): void {
      rest += text;
      const key = rest.search(OPEN_KEY);
      const last = rest.lastIndexOf('-----BEGIN ');
      if (key === -1 || rest.length - last > LONGEST_KEY) writeTo(rest.lastIndexOf('\n') + 1);
      else if (last > key) writeTo(rest.lastIndexOf('\n', last) + 1);
    },
    flush: () => writeTo(rest.length),
  };
}
