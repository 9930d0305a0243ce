import {failureSentence} from '../shared/failure-messages.ts';
import type {AppEvent} from '../app/events.ts';
import type {AppState} from '../app/state.ts';
import type {Store} from '../shared/store.ts';
import type {AgentListing, Asking} from './ask-agents.ts';

/** The agents that are not on the screen, as far as they were asked for their sessions. */
export interface OtherAgents {
  askAll: () => void;
  listings: () => readonly AgentListing[];
  /** Who is asked, and what came of it; undefined before anybody was. */
  note: () => string | undefined;
  /** For exits that cannot wait. */
  killNow: () => void;
  close: () => Promise<void>;
}

export interface OthersOptions {
  readonly ask: (onChange: () => void) => Asking;
  readonly show: () => void;
  /** There are more sessions, and nothing else is new. */
  readonly showGrown: () => void;
}

/** Asks the other agents for as long as the list of sessions is open. */
export function followOthers(
  store: Store<AppState, AppEvent>,
  {ask, show, showGrown}: OthersOptions,
): OtherAgents {
  let asking: Asking | undefined;
  let standing = '';
  const listings = () => asking?.listings() ?? [];

  function changed(): void {
    const now = JSON.stringify(listings().map(({name, stands}) => [name, stands.kind]));
    if (now === standing) return showGrown();
    standing = now;
    show();
  }

  // Who is not looking for a session wants no agents to run for it.
  store.onEvent((_event, {overlay}) => {
    const isList = overlay.kind === 'picker' && overlay.picker.purpose.kind === 'sessions';
    if (!isList && asking && !asking.isOver()) void asking.stop();
  });
  return {
    askAll() {
      if (asking && !asking.isOver()) return;
      asking = ask(changed);
      show();
    },
    listings,
    note: () => asking && askedNote(asking.listings()),
    killNow: () => asking?.killNow(),
    close: async () => asking?.stop(),
  };
}

/** Who is asked, and what came of it. */
function askedNote(listings: readonly AgentListing[]): string {
  if (listings.length === 0) return 'No other agent is known here.';
  const going = listings.flatMap(({name, sessions, stands}) => {
    if (stands.kind === 'waiting') return [`${name} waits`];
    if (stands.kind === 'asked') return [`${name} is asked…`];
    if (stands.kind === 'no_list') return [`${name} has no list`];
    return stands.kind === 'told' ? [`${name}: ${sessions.length}`] : [];
  });
  const failed = listings.flatMap(({name, stands}) =>
    stands.kind === 'failed' ? [`${name}: ${firstSentence(failureSentence(stands.failure))}`] : [],
  );
  return [going.join(' · '), ...failed].filter(Boolean).join('\n');
}

/** There is room for what happened; what to do is told when somebody starts that agent. */
function firstSentence(text: string): string {
  return text.split(/(?<=\.)\s/, 1)[0] ?? text;
}
