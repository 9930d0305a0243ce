import type {AppEvent} from '../app/events.ts';
import {fileQuery, isFolderQuery} from '../app/completion/file-menu.ts';
import {activeSession} from '../app/sessions.ts';
import type {AppState, SessionKey} from '../app/state.ts';
import type {Folders} from '../shared/files/session-folders.ts';
import type {FileFinder} from '../search/finder.ts';
import type {Store} from '../shared/store.ts';
import type {FileMatch} from '../app/completion/menu-items.ts';

/** Searches files when the window needs them, and indexes the session's folders as soon as a session is ready. Returns a function to call after events. */
export function syncFileIndex(store: Store<AppState, AppEvent>): () => void {
  const finders = createFinders();
  let of: SessionKey | undefined;
  let wanted: string | undefined;
  let foldersOnly = false;
  let search = new AbortController();

  async function find(folders: Folders, query: string, isNew: boolean): Promise<void> {
    search.abort();
    const {signal} = (search = new AbortController());
    const finder = await finders.of(folders);
    const count = await publish(finder, query, signal);
    if (isNew) void finder.prepare();
    else if (count > 0) return;
    // Files written since then are found slightly later.
    const isChanged = await finder.refresh();
    if (isChanged && !signal.aborted) await publish(finder, query, signal);
  }

  async function publish(finder: FileFinder, query: string, signal: AbortSignal): Promise<number> {
    const show = (items: readonly FileMatch[]) => {
      if (!signal.aborted) store.dispatch({type: 'changed', change: {files: {query, items}}}, 'urgent');
    };
    const items = await finder.find(query, {signal, onEarly: show, foldersOnly});
    show(items);
    return items.length;
  }

  function stop(): void {
    search.abort();
    if (wanted === undefined) return;
    wanted = undefined;
    store.dispatch({type: 'changed', change: {files: undefined}});
  }

  return () => {
    const state = store.latest();
    const {key, session} = activeSession(state);
    if (key !== of) stop();
    of = key;
    if (session.connection.kind === 'ready') finders.listAhead(session);
    const query = fileQuery(state);
    const isForFolders = isFolderQuery(state);
    if (query === wanted && isForFolders === foldersOnly) return;
    if (query === undefined) return stop();
    const isNew = wanted === undefined;
    wanted = query;
    foldersOnly = isForFolders;
    void find(session, query, isNew);
  };
}

/** A finder for each set of folders; only the newest ones are kept. */
function createFinders() {
  const finders = new Map<string, Promise<FileFinder>>();
  const MAX_FINDERS = 4;

  function of({cwd, additionalDirectories}: Folders): Promise<FileFinder> {
    const name = JSON.stringify([cwd, additionalDirectories]);
    let finder = finders.get(name);
    if (!finder) {
      finder = import('../search/finder.ts').then(({createFileFinder}) =>
        createFileFinder({cwd, additionalDirectories}),
      );
      const [oldest] = finders.keys();
      if (finders.size >= MAX_FINDERS && oldest !== undefined) finders.delete(oldest);
      finders.set(name, finder);
    }
    return finder;
  }

  let ahead: Folders | undefined;
  return {
    of,
    listAhead(folders: Folders) {
      const isSame =
        ahead?.cwd === folders.cwd && ahead.additionalDirectories === folders.additionalDirectories;
      if (isSame) return;
      ahead = folders;
      void of(folders).then((finder) => finder.refresh());
    },
  };
}
