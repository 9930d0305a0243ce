import {callsAgent, parsePrompt, unknownCommand} from '../commands/parse.ts';
import {fold, nothing, together, type Step} from '../effects.ts';
import {hint} from '../hints.ts';
import type {QueuePlace} from '../queue.ts';
import {draftAfter, draftFiles} from '../prompt/draft.ts';
import {pressEnter} from '../prompt/enter.ts';
import {activeSession, draftInHand} from '../sessions.ts';
import type {AppState, OpenSession} from '../state.ts';
import {enterInShell, isShell, runShell} from './shell-keys.ts';
import {openOffer} from './back.ts';
import {refuse} from './refuse.ts';
import {remembered, rememberedAside} from './remember.ts';

/** Enter in the prompt: a new line behind a backslash, a refusal's note, a command, or a prompt for the agent. */
export function pressSend(state: AppState, at: number): Step {
  const draft = draftInHand(state);
  const entered = isShell(state) ? enterInShell(draft) : pressEnter(draft);
  if (entered.kind === 'new_line')
    return fold({type: 'draft_changed', key: state.active, draft: entered.draft, at});
  if (state.focus.kind === 'note') return refuse(state, entered.kind === 'send' ? entered.text : '');
  if (entered.kind !== 'send') return goOn(state);
  if (isShell(state)) return runShell(state, entered.text, at);
  return submitText(state, entered.text, {at, place: activeSession(state).editedPlace ?? 'last'});
}

/** Sends what is typed, or what waits first, at once. */
export function sendNow(state: AppState, at: number): Step {
  const entered = pressEnter(draftInHand(state));
  if (state.focus.kind === 'note' || isShell(state) || entered.kind === 'new_line')
    return pressSend(state, at);
  if (entered.kind === 'send') return submitText(state, entered.text, {at, place: 'now'});
  const {key, queue} = activeSession(state);
  const [first] = queue;
  return first
    ? fold({type: 'queue_hastened', key, id: first.id})
    : hint('Nothing is typed, and nothing waits.', at);
}

export interface Submission {
  readonly at: number;
  readonly place: QueuePlace;
}

/** Sends a text, or does what it commands; the draft is empty afterwards. */
export function submitText(state: AppState, text: string, {at, place}: Submission): Step {
  const open = activeSession(state);
  const meant = parsePrompt(text, open.session.commands);
  const unknown = unknownCommand(text, open.session.commands);
  if (unknown && knowsCommands(open) && !open.draft.sentAnyway) return askAboutUnknown(open, unknown, at);
  const sent = together(
    fold({type: 'draft_changed', key: open.key, draft: draftAfter(open.draft), at}),
    rememberedAside(state, open.draft),
    remembered(text),
  );
  if (meant.kind === 'text')
    return together(
      sent,
      fold({
        type: 'prompt_submitted',
        key: open.key,
        text: meant.text,
        files: draftFiles(open.draft),
        outputs: callsAgent(meant.text, open.session.commands) ? [] : open.outputs,
        place,
      }),
    );
  const {command, argument} = meant;
  const problem = command.unavailable?.(open) ?? superfluous(command, argument);
  // The draft stays: what was typed can be used in a moment, or changed.
  if (problem !== undefined) return hint(problem, at);
  return together(sent, command.run({state, open, argument, at}));
}

/** Before an agent has listed its commands, any could be one of them. */
function knowsCommands({session}: OpenSession): boolean {
  return session.commands.length > 0 || session.lastTurn !== undefined;
}

/** A mistyped command would be a prompt that costs something: it is sent by a second Enter only. */
function askAboutUnknown(
  {key, draft}: OpenSession,
  {name, closest}: NonNullable<ReturnType<typeof unknownCommand>>,
  at: number,
): Step {
  const suggestion = closest === undefined ? '' : ` Did you mean /${closest}?`;
  return together(
    fold({type: 'draft_changed', key, draft: {...draft, sentAnyway: true}, at}),
    hint(`Unknown command /${name}.${suggestion} Enter again sends it to the agent.`, at),
  );
}

function superfluous(
  {name, argument}: {readonly name: string; readonly argument?: string},
  typed: string,
): string | undefined {
  if (argument !== undefined || typed === '') return undefined;
  return `/${name} stands alone. //${name} sends the agent’s command; a blank before the slash sends text.`;
}

/** Enter on nothing: shows how to go on after a crash, or lets a held queue go on. */
function goOn(state: AppState): Step {
  const open = activeSession(state);
  if (open.session.turn.kind === 'idle') {
    const offer = openOffer(state);
    if (offer !== nothing) return offer;
  }
  return open.queueHeld ? fold({type: 'queue_resumed', key: open.key}) : nothing;
}
