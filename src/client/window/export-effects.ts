import type {Effect} from '../../app/effects.ts';
import type {AppEvent} from '../../app/events.ts';
import {HINT_MS} from '../../app/sessions.ts';
import type {AppState, SessionKey} from '../../app/state.ts';
import {failureSentence} from '../../shared/failure-messages.ts';
import {clipboardSequence} from '../../text/ansi.ts';
import {shownPath} from '../../text/format.ts';
import type {Store} from '../../shared/store.ts';
import type {Performer} from './effect-context.ts';

type EffectOf<Kind extends Effect['kind']> = Extract<Effect, {kind: Kind}>;
type Window = Store<AppState, AppEvent>;

/** Writes the session into a file and says where that is. */
export async function exportAndTell(
  effect: EffectOf<'export_session'> & {readonly key: SessionKey},
  {store, secrets, wireLines}: Pick<Performer, 'store' | 'secrets' | 'wireLines'>,
): Promise<void> {
  const open = store.current().sessions[effect.key];
  if (!open) return;
  const {format} = effect;
  const how = effect.withSecrets ? 'with credentials' : 'what looks like a credential is masked';
  if (format === 'recording') {
    const {exportRecording} = await import('./export-recording.ts');
    const written = await exportRecording(open, effect, {lines: wireLines(), secrets});
    if (!written.ok) return tell(store, failureSentence(written.failure));
    const {path, isWhole} = written.value;
    const rest = isWhole ? '' : ' Its beginning is no longer kept; --record keeps everything.';
    return tell(store, `Exported to ${shownPath(path, open.session.cwd)}; ${how}.${rest}`);
  }
  const {exportOpenSession} = await import('./export-session.ts');
  const written = await exportOpenSession(open, {...effect, format}, secrets);
  if (!written.ok) return tell(store, failureSentence(written.failure));
  tell(store, `Exported to ${shownPath(written.value, open.session.cwd)}; ${how}.`);
}

/** Puts text into the machine's clipboard; the screen has sent it to the terminal already. Says what can be said of that. */
export async function copyAndTell({text, what}: EffectOf<'copy'>, store: Window): Promise<void> {
  const {copyWithTools} = await import('./desktop.ts');
  if (await copyWithTools(text, {env: process.env, platform: process.platform})) {
    tell(store, `Copied ${what}.`);
  } else if (clipboardSequence(text) === undefined) {
    tell(
      store,
      `Not copied: ${what} is too long for the terminal to take. /export writes the session into a file.`,
    );
  } else
    tell(
      store,
      `Sent ${what} to the terminal's clipboard. Where nothing arrives, the terminal does not allow it.`,
    );
}

function tell(store: Window, text: string): void {
  store.dispatch({type: 'hint_shown', text, until: performance.now() + HINT_MS}, 'urgent');
}
