import type {EffectOf} from '../../src/app/effects.ts';
import type {AppEvent, EditorOutcome} from '../../src/app/events.ts';
import type {AppState} from '../../src/app/state.ts';
import type {Store} from '../../src/shared/store.ts';

/** The user's editor, on this terminal. */
export interface Editor {
  /** Has a text edited; never throws. */
  readonly edit: (text: string) => Promise<EditorOutcome>;
  /** Ends it if it is open. */
  readonly end: () => void;
}

interface EditorScreenOptions {
  readonly store: Store<AppState, AppEvent>;
  readonly editor: Editor;
  /** Gives the terminal to `work` until that is done; does nothing where something else has it. */
  readonly giveAway: (work: () => Promise<void>) => Promise<void>;
}

interface EditorScreen {
  readonly open: (effect: EffectOf<'open_editor'>) => void;
  /** Ends an editor that is open; resolves when the terminal is given back. */
  readonly leave: () => Promise<void>;
}

/** Has drafts edited in the user's editor, one at a time. */
export function createEditorScreen({store, editor, giveAway}: EditorScreenOptions): EditorScreen {
  let given: Promise<void> | undefined;

  async function edit({key, text: before}: Parameters<EditorScreen['open']>[0]): Promise<void> {
    let outcome: EditorOutcome | undefined;
    const close = (outcome: EditorOutcome) =>
      store.dispatch({type: 'editor_closed', key, before, outcome, at: performance.now()}, 'urgent');
    await giveAway(async () => {
      outcome = await editor.edit(before);
      // The text is there before the frame is drawn again.
      close(outcome);
    });
    if (outcome === undefined) close({kind: 'kept', why: 'The terminal is in use; try again.'});
  }

  return {
    open(effect) {
      given = edit(effect);
    },
    async leave() {
      editor.end();
      await given;
    },
  };
}
