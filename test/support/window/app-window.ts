import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {Effect, SessionCall, Reaction} from '../../../src/app/effects.ts';
import type {AppEvent} from '../../../src/app/events.ts';
import {initialApp} from '../../../src/app/initial.ts';
import type {KeyEvent} from '../../../src/app/input/keys.ts';
import {handleKey, releasedKey} from '../../../src/app/handlers/index.ts';
import {draftText} from '../../../src/app/editor/draft.ts';
import {openedByItself} from '../../../src/app/pickers/picker.ts';
import {reduceApp} from '../../../src/app/reduce.ts';
import {activeSession, activeDraft} from '../../../src/app/sessions.ts';
import type {Failure} from '../../../src/shared/failure.ts';
import type {RequestAnswer} from '../../../src/session/actions.ts';
import type {SteerOutcome} from '../../../src/session/queue/queued-prompt.ts';
import type {SessionEvent, Update} from '../../../src/session/events.ts';
import {initialSession} from '../../../src/session/initial.ts';
import {nextToSend} from '../../../src/session/queue/next-to-send.ts';
import type {QueueChange, SendingChange} from '../../../src/session/queue/queue-changes.ts';
import type {QueuedPrompt} from '../../../src/session/queue/queued-prompt.ts';
import {openWantedSession} from '../../../src/app/switching.ts';
import type {ConnectionState, PendingRequest} from '../../../src/session/state.ts';
import type {UntimedEvent} from '../session/build.ts';
import {resolvedEvent} from './resolved.ts';
import {takesKeys} from '../../../src/app/requests/request-phase.ts';
import type {ReadingLevel, ShownRule} from '../../../src/app/requests/seen-rows.ts';

const KEY = 'main';

export const lost: Failure = {kind: 'connection_lost', exit: {code: 1, signal: null}, stderrTail: ''};

/** Options of a permission request, by kind. */
export function options(...kinds: readonly acp.PermissionOptionKind[]): acp.PermissionOption[] {
  return kinds.map((kind, index) => ({optionId: `option-${index}`, kind, name: `${kind} ${index}`}));
}

/**
 * A window whose agent does everything at once: what the client would do with effects, without any process. Time only advances by
 * 100 ms per key, and by `wait`.
 */
export function openWindow({
  ready = true,
  steers = false,
  isStuck = false,
  requireReading = 'commands',
}: {ready?: boolean; steers?: boolean; isStuck?: boolean; requireReading?: ReadingLevel} = {}) {
  let now = 1_000_000;
  let turn = 0;
  /** The wall clock minus the monotonic clock. */
  let offset = 1_700_000_000_000;
  const wall = () => now + offset;
  let state = initialApp({
    session: {
      key: KEY,
      agentLabel: 'demo',
      session: initialSession({cwd: '/project', additionalDirectories: [], at: wall()}),
      approval: 'none',
    },
    theme: 'dark',
    requireReading,
  });
  const effects: Effect[] = [];
  const sent: QueuedPrompt[] = [];
  const steered: QueuedPrompt[] = [];

  function dispatch(event: AppEvent): void {
    state = reduceApp(state, event);
    seeList();
    const next = openWantedSession(state, KEY);
    if (next.effects.length > 0) run(next);
    sendQueued();
  }

  /** The view reports a list that opened by itself, unless the terminal is stuck. */
  function seeList(): void {
    const {overlay} = state;
    if (isStuck || overlay.kind !== 'picker' || !openedByItself(overlay.picker)) return;
    if (overlay.picker.seenAt !== undefined) return;
    state = reduceApp(state, {type: 'picker_changed', change: {seenAt: now}});
  }

  /** What the client does after each event. */
  function sendQueued(): void {
    const next = state.sessions[KEY] && nextToSend(state.sessions[KEY].session);
    if (next?.kind === 'cancel') perform({kind: 'call', key: KEY, action: 'cancel', args: []});
    if (next?.kind === 'prompt') {
      const {id, content, repeats} = next.prompt;
      turn += 1;
      sent.push(next.prompt);
      agent({type: 'queue_changed', change: {kind: 'taken', id}});
      agent({type: 'prompt_started', turn, content, ...(repeats && {repeats})});
    }
    if (next?.kind === 'steer') {
      steered.push(next.prompt);
      agent({type: 'queue_changed', change: {kind: 'steering', id: next.prompt.id}});
    }
  }

  function run(reaction: Reaction): void {
    for (const event of reaction.events) dispatch(event);
    for (const effect of reaction.effects) perform(effect);
  }

  function perform(effect: Effect): void {
    effects.push(effect);
    switch (effect.kind) {
      case 'edit_unsent':
        return editUnsent(effect.id);
      case 'call':
        return follow(effect);
      default:
    }
  }

  function editUnsent(id: string): void {
    const before = activeSession(state).session.queue;
    const place = before.prompts.findIndex((queued) => queued.id === id);
    const prompt = before.prompts[place] ?? before.interruptedPrompt;
    agent({type: 'queue_changed', change: {kind: 'edit', id}});
    if (!prompt || activeSession(state).session.queue === before) return;
    dispatch({type: 'prompt_returned', key: KEY, prompt, ...(place !== -1 && {place}), at: now});
  }

  function follow({action, args}: SessionCall): void {
    if (action === 'changeQueue') return agent({type: 'queue_changed', change: args[0]});
    if (action === 'setApproval') return agent({type: 'approval_changed', approval: args[0]});
    const {pending} = activeSession(state).session;
    if (action === 'cancel') {
      agent({type: 'cancel_requested'});
      for (const request of pending) resolve(request, {kind: 'cancelled'});
    }
    const request = action === 'answer' && pending.find(({id}) => id === args[0]);
    if (action === 'answer' && request) resolve(request, args[1]);
  }

  function resolve(request: PendingRequest, answer: RequestAnswer): void {
    const event = resolvedEvent(request, answer);
    if (event) agent(event);
  }

  function agent(event: UntimedEvent): void {
    dispatch({type: 'session', key: KEY, event: {...event, at: wall()} as SessionEvent, at: now});
  }

  function update(update: Update): void {
    agent({type: 'session_update', update});
  }

  /** What waits for an action is done once that is over. */
  function settle(): void {
    for (let next = releasedKey(state); next.events.length > 0; next = releasedKey(state)) run(next);
  }

  function key(event: KeyEvent): void {
    run(handleKey(state, event));
    settle();
  }

  const window = {
    get state() {
      return state;
    },
    get open() {
      return activeSession(state);
    },
    get now() {
      return now;
    },
    /** The text that keys edit. */
    get draft() {
      return draftText(activeDraft(state));
    },
    /** The queued texts, in order. */
    get queue() {
      return activeSession(state).session.queue.prompts.map((prompt) => prompt.text);
    },
    /** The sent texts, in order. */
    get sent() {
      return sent.map(textOf);
    },
    /** The sent prompts, in order. */
    sentPrompts: sent as readonly QueuedPrompt[],
    /** The indexes of the selected options, in order. */
    get answers() {
      return window
        .called('answer')
        .map(([, answer]) => (answer.kind === 'option' ? answer.index : answer.kind));
    },
    /** True if the request on the screen says which keys answer it. */
    get takesKeys() {
      return state.request !== undefined && takesKeys(state.request.phase);
    },
    effects,
    performed<Kind extends Effect['kind']>(kind: Kind) {
      return effects.filter((effect): effect is Extract<Effect, {kind: Kind}> => effect.kind === kind);
    },
    /** The arguments of each call of an action. */
    called<Action extends SessionCall['action']>(action: Action) {
      return effects.flatMap((effect) =>
        effect.kind === 'call' && effect.key === KEY && effect.action === action
          ? [effect.args as Extract<SessionCall, {action: Action}>['args']]
          : [],
      );
    },
    dispatch(event: AppEvent) {
      dispatch(event);
      settle();
    },
    /** Takes a step of the window. */
    take(step: Reaction) {
      run(step);
      settle();
    },
    changeQueue(change: QueueChange | SendingChange) {
      agent({type: 'queue_changed', change});
      settle();
    },
    agent,
    update,
    /** The agent tells its commands. */
    offer(...availableCommands: acp.AvailableCommand[]) {
      update({sessionUpdate: 'available_commands_update', availableCommands});
    },
    key,
    /** Presses keys by their combinations (`ctrl+c`, `enter`, `y`). */
    press(...combinations: readonly string[]) {
      for (const combination of combinations) {
        now += 100;
        key(press(combination, now));
      }
    },
    type(text: string) {
      for (const character of text) window.press(character === ' ' ? 'space' : character);
    },
    /** Types a line and sends it. */
    say(text: string) {
      window.type(text);
      window.press('enter');
    },
    paste(text: string) {
      now += 100;
      key({kind: 'paste', text, at: now});
    },
    /** Advances the time, and informs the window. */
    wait(ms: number) {
      now += ms;
      dispatch({type: 'tick', at: now});
    },
    /** Sets the wall clock of the machine, which must not matter. */
    setClock(byMs: number) {
      offset += byMs;
    },
    connect(connection: ConnectionState) {
      agent({type: 'connection_changed', connection});
    },
    endTurn(stopReason: acp.StopReason = 'end_turn') {
      agent({type: 'prompt_ended', turn, outcome: {kind: 'stopped', stopReason}});
    },
    failTurn(failure: Failure) {
      agent({type: 'prompt_ended', turn, outcome: {kind: 'failed', failure}});
    },
    /** The texts sent to the agent for its running turn, in order. */
    get steered() {
      return steered.map(textOf);
    },
    /** The agent answers its oldest unanswered one. */
    answerSteering(outcome: SteerOutcome) {
      const steering = activeSession(state).session.queue.prompts.find((prompt) => prompt.steering);
      if (!steering) return;
      if (outcome !== 'refused') agent({type: 'prompt_steered', content: steering.content});
      agent({type: 'queue_changed', change: {kind: 'steered', id: steering.id, outcome}});
    },
    /** The agent requests permission; nothing is on the screen before `draw`. */
    ask(
      id: string,
      kinds: readonly acp.PermissionOptionKind[] = ['allow_once', 'reject_once'],
      {
        about,
        ...offered
      }: {
        readonly rule?: string;
        readonly asker?: string;
        readonly isDoneHere?: boolean;
        readonly calledBy?: string;
        readonly about?: Partial<acp.ToolCallUpdate>;
      } = {},
    ) {
      const toolCall = {toolCallId: `call-${id}`, title: `Task ${id}`, ...about};
      agent({
        type: 'permission_requested',
        id,
        request: {sessionId: 's1', toolCall, options: options(...kinds)},
        ...offered,
      });
    },
    /** The view reports the current scroll position of the request. */
    draw({
      visibleRows = 10,
      totalRows = 10,
      columns = 80,
      rule,
    }: {visibleRows?: number; totalRows?: number; columns?: number; rule?: ShownRule} = {}) {
      const view = state.request;
      if (!view) throw new Error('no request to draw');
      const drawn = {firstRow: view.scroll.firstRow, visibleRows, totalRows};
      const {id, version} = view;
      dispatch({type: 'request_drawn', id, version, drawn, columns, rule, at: now});
    },
  };

  if (steers) {
    const response = {protocolVersion: 1, _meta: {steering: {supported: true}}};
    agent({type: 'agent_initialized', response, fallbackName: 'demo'});
  }
  if (ready) {
    agent({
      type: 'session_opened',
      how: 'new',
      session: {sessionId: 's1', cwd: '/project', additionalDirectories: []},
    });
    window.connect({kind: 'ready'});
  }
  return window;
}

function textOf({content: [block]}: QueuedPrompt): string {
  return block?.type === 'text' ? block.text : '';
}

export type TestWindow = ReturnType<typeof openWindow>;

/** A window whose agent works on the prompt `go`. */
export function workingWindow(options?: Parameters<typeof openWindow>[0]): TestWindow {
  const window = openWindow(options);
  window.say('go');
  return window;
}

/** A key press from its combination. */
export function press(combination: string, at: number): KeyEvent {
  const parts = combination === '+' ? ['+'] : combination.split(/\+(?=.)/);
  const name = parts.at(-1) ?? '';
  const [ctrl, alt, shift] = ['ctrl', 'alt', 'shift'].map((modifier) => parts.includes(modifier));
  const isText = !ctrl && !alt && /^.$/su.test(name);
  const text = name === 'space' ? ' ' : isText ? name : '';
  return {
    kind: 'key',
    name: isText ? name.toLowerCase() : name,
    text,
    ctrl: ctrl ?? false,
    alt: alt ?? false,
    shift: (shift ?? false) || (isText && name !== name.toLowerCase()),
    at,
  };
}

/** A turn runs, nothing is being typed, and a request is on the screen, complete by default: it has the focus. */
export function windowWithRequest(
  kinds: readonly acp.PermissionOptionKind[] = ['allow_once', 'reject_once'],
  size: {readonly visibleRows?: number; readonly totalRows?: number} = {},
): TestWindow {
  const window = workingWindow();
  window.wait(1000);
  window.ask('1', kinds);
  window.draw(size);
  return window;
}
