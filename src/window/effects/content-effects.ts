import {join, resolve} from 'node:path';
import {readLink} from '../../host/elicitation/elicit.ts';
import {withFolder} from '../../host/files/folder.ts';
import {readBytes} from '../../host/files/read-file.ts';
import {createRoots, type RootedPath} from '../../host/files/roots.ts';
import {contentData, type ContentItem} from '../../session/content/content-items.ts';
import {fileName} from '../../session/content/content-names.ts';
import {viewerOf} from '../../session/content/content-types.ts';
import {linkWarnings} from '../../session/forms/form-request.ts';
import {editorCommand, editorLaunch, type EditorTarget} from '../../shared/editor-command.ts';
import type {Result} from '../../shared/failure.ts';
import {fileFailed} from '../../shared/files/file-failure.ts';
import {LIMITS} from '../../shared/limits.ts';
import {createTempDir} from '../../shared/files/folders.ts';
import {writeNewFile} from '../../shared/files/safe-files.ts';
import {bytes, shownLocation, shownPath} from '../../text/format.ts';
import {escapeHiddenLine} from '../../text/hidden.ts';
import {notify, type EffectHandlers, type SessionContext} from './effect-context.ts';
import {openInBrowser, openOnDesktop} from '../desktop.ts';
import {bytesOf, fileToOpen, type FileToOpen} from '../../attachments/content-file.ts';

/** Functions that open something outside of acp-tui; each resolves to true if a program accepted it. */
interface Openers {
  readonly file: (path: string) => Promise<boolean>;
  readonly address: (href: string) => Promise<boolean>;
}

const {env, platform} = process;

const OPENERS: Openers = {
  file: (path) => openOnDesktop(path, {env, platform}),
  address: (href) => openInBrowser(href, {env, platform}),
};

type Opened = Promise<Result<unknown> | undefined>;

interface Request {
  readonly item: ContentItem;
  readonly context: SessionContext;
  readonly openers: Openers;
}

export const contentEffects = {
  open_content: ({item}, context) => openContent(item, context),
  // In the session's folder, under an unused name.
  async save_content({item}, context) {
    const {session} = context.tab;
    const data = contentData(session, item);
    if (!data) return notify(context, 'It is no longer in this session.');
    const {cwd} = session;
    const content = bytesOf(item, data);
    if (!content.ok) return content;
    const written = await writeNewFile(join(cwd, fileName(item)), content.value, {orNumbered: true});
    if (!written.ok) return written;
    return notify(context, `Saved ${shownPath(written.value, cwd)} (${bytes(content.value.length)}).`);
  },
} satisfies Partial<EffectHandlers>;

/** Opens content of a session. Never executes it: content-types.ts lists what can be opened. */
export async function openContent(item: ContentItem, context: SessionContext, openers = OPENERS): Opened {
  const request = {item, context, openers};
  if (item.kind === 'link') return openAddress(request);
  if (item.kind === 'location') return openLocation(request);
  const data = contentData(context.tab.session, item);
  if (!data) return notify(context, 'It is no longer in this session.');
  const content = bytesOf(item, data);
  const found = content.ok ? fileToOpen(item, content.value) : content;
  return found.ok ? openFile(request, found.value) : found;
}

/** The whole URL is shown before the question can be answered with yes. */
async function openAddress({item, context, openers}: Request): Opened {
  const link = readLink(item.target ?? '');
  if (!link) return notify(context, 'Only http and https URLs can be opened.');
  const isAgreed = await context.client.askUser({
    title: 'Open this URL in the browser?',
    text: [link.href, '', `Host: ${link.host}`, ...linkWarnings(link)].join('\n'),
    yes: 'Open in the browser',
    no: 'Do not open',
  });
  if (!isAgreed) return undefined;
  const isOpened = await openers.address(link.href);
  const failure = 'No browser could be opened here. /open can copy the URL.';
  return notify(context, isOpened ? 'Opened in the browser.' : failure);
}

/** Opens a file inside the workspace: media and documents as a copy, everything else in the editor. */
async function openLocation(request: Request): Opened {
  const {item, context} = request;
  const {cwd, additionalDirectories, realFolders} = context.tab.session;
  const place = await createRoots(cwd, additionalDirectories, realFolders).confine(
    resolve(cwd, item.target ?? ''),
  );
  const shown = shownLocation({path: item.name, line: item.line ?? null}, cwd);
  if (!place.ok)
    return notify(
      context,
      `${shown} is outside the workspace and cannot be opened from here; it can be copied.`,
    );
  const file = await readPlace(place.value);
  if (!file.ok) return file;
  const isMedia = viewerOf(item.mimeType)?.kind === 'system';
  if (!isMedia || !file.value)
    return edit(
      request,
      {file: place.value.path, line: item.line},
      `${shown} is open in your editor. Close it to return.`,
    );
  const found = fileToOpen(item, file.value);
  return found.ok ? openFile(request, found.value) : found;
}

/** Returns all bytes of a regular file; undefined if it is too large. */
async function readPlace(place: RootedPath): Promise<Result<Buffer | undefined>> {
  try {
    const read = await withFolder(place, {create: false}, (folder, name) =>
      readBytes(folder.at(name), place.path, LIMITS.contentBytes),
    );
    return read === null ? fileFailed(place.path, 'it does not exist') : {ok: true, value: read};
  } catch (error) {
    return fileFailed(place.path, error);
  }
}

let folder: string | undefined;

/** Opens a private copy in acp-tui's temporary folder, which is removed on exit. */
async function openFile(request: Request, {content, viewer}: FileToOpen): Opened {
  const {item, context, openers} = request;
  folder ??= createTempDir();
  const written = await writeNewFile(join(folder, `content.${viewer.extension}`), content, {
    orNumbered: true,
  });
  if (!written.ok) return written;
  if (viewer.kind === 'editor')
    return edit(
      request,
      {file: written.value},
      `A copy of ${item.name} is open in your editor; changes to it are lost. Close the editor to return.`,
    );
  const isOpened = await openers.file(written.value);
  return notify(
    context,
    isOpened ? `Opened ${item.name}.` : `No program could be opened here for ${item.name}; save it instead.`,
  );
}

async function edit({context}: Request, target: EditorTarget, heading: string): Opened {
  const {tab, sessions} = context;
  const {foreground} = sessions.optionsOf(tab.key);
  if (!foreground) return notify(context, 'No terminal is available for an editor.');
  const editor = editorCommand(process.env);
  const {cwd} = tab.session;
  const ended = await foreground({...editorLaunch(editor, target), env: {}, cwd, heading, isEditor: true});
  if (!ended.ok) return ended;
  const {code, signal} = ended.value;
  if (code === 0) return undefined;
  const why = signal ?? `exit code ${code}`;
  return notify(context, `The editor failed (${why}): ${escapeHiddenLine(editor)}. Set VISUAL or EDITOR.`);
}
