import type {Effect, EffectOf} from '../../src/app/effects.ts';
import type {AppEvent, EditorOutcome} from '../../src/app/events.ts';
import type {AppState} from '../../src/app/state.ts';
import type {Store} from '../../src/shared/store.ts';

/** The external editor, on this terminal. */
export interface Editor {
  /** Opens a text in the editor: that of a file if its name is given, otherwise a prompt. Never throws. */
  readonly edit: (text: string, file?: string) => Promise<EditorOutcome>;
  /** Ends it if it is open. */
  readonly end: () => void;
}

interface EditorScreenOptions {
  readonly store: Store<AppState, AppEvent>;
  readonly editor: Editor;
  readonly perform: (effect: Effect) => void;
  /** Lends the terminal to `work`; ignored while something else uses it. */
  readonly lendTerminal: (work: () => Promise<void>) => Promise<void>;
}

/** Opens drafts in the external editor, one at a time. */
export function createEditorScreen({store, editor, perform, lendTerminal}: EditorScreenOptions) {
  let handover: Promise<void> | undefined;

  async function edit({key, text: before, request}: EffectOf<'open_editor'>): Promise<void> {
    let outcome: EditorOutcome | undefined;
    const closed = {type: 'editor_closed', key, before, isOfRequest: request !== undefined} as const;
    const close = (outcome: EditorOutcome) =>
      store.dispatch({...closed, outcome, at: performance.now()}, 'urgent');
    await lendTerminal(async () => {
      outcome = await editor.edit(before, request && (request.path ?? 'command.sh'));
      // The text must be in the state before the frame is redrawn.
      close(outcome);
    });
    if (request && outcome?.kind === 'edited')
      perform({kind: 'answer_edited', key, ...request, before, text: outcome.text});
    if (outcome === undefined) close({kind: 'kept', why: 'The terminal is in use; try again.'});
  }

  return {
    open: (effect: EffectOf<'open_editor'>) => {
      handover = edit(effect);
    },
    /** Ends an open editor; resolves when the terminal is returned. */
    leave: async () => {
      editor.end();
      await handover;
    },
  };
}
