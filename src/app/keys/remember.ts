import {fold, nothing, perform, together, type Step} from '../effects.ts';
import {historyEntries} from '../history.ts';
import type {Draft} from '../prompt/draft.ts';
import {resolvePastes} from '../prompt/pastes.ts';
import type {AppState} from '../state.ts';

/** Keeps a text in the history, here and for other windows. */
export function remembered(text: string): Step {
  if (text.trim() === '') return nothing;
  return together(fold({type: 'history_added', text}), perform({kind: 'save_history', text}));
}

/**
 * Keeps what was typed before the history was gone through, and what was changed on the way, when another entry is sent:
 * the draft that follows knows nothing of it.
 */
export function rememberedAside({history}: AppState, draft: Draft): Step {
  if (!draft.browsing) return nothing;
  const known = new Set(historyEntries(history));
  const aside = Object.values(draft.browsing.kept)
    .map(({text}) => resolvePastes(text, draft.pastes))
    .filter((text) => !known.has(text));
  return together(...aside.map(remembered));
}
