import {join} from 'node:path';
import {setImmediate} from 'node:timers/promises';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {EffectOf} from '../../app/effects.ts';
import {attachmentBlocks} from '../../app/queue/restore-note.ts';
import {clearDraft, insertText} from '../../app/editor/insert.ts';
import type {OpenSession, SessionKey} from '../../app/state.ts';
import {customCall} from '../../session/content/custom-command.ts';
import {failureSentence} from '../../shared/failure-messages.ts';
import type {Result} from '../../shared/failure.ts';
import {
  notify,
  type EffectContext,
  type EffectHandlers,
  type SessionContext,
} from '../window/effect-context.ts';
import {expandCall, fillBlocks} from './custom-commands.ts';

type WindowStore = EffectContext['store'];

/** How long the toast about a prompt that did not join the turn is shown, in milliseconds. */
const HINT_MS = 8000;

export const promptEffects = {
  // With its files, which are read now. If one cannot be read, nothing is sent: the prompt stays at the front of the queue, with a notice.
  async send_prompt(effect, context) {
    const {store, client} = context;
    const {key} = effect;
    const how = effect.repeats ? {repeats: true} : {};
    if (!needsWork(effect, context.open))
      return client.prompt(withOutputs(effect, effect.content, store), how);
    const prepared = await prepare(effect, context);
    // If the agent has gone meanwhile, the prompt is back in the queue already.
    if (!store.latest().sessions[key]?.sending) return;
    if (!prepared.ok) {
      const reason = failureSentence(prepared.failure);
      notice(store, key, `The prompt was not sent. ${reason} ↑ on an empty prompt brings it back.`);
      store.dispatch({type: 'prompt_not_sent', key});
      return;
    }
    client.prompt(withOutputs(effect, prepared.value.content, store), how);
    for (const remark of prepared.value.remarks) notice(store, key, remark);
  },
  // If the agent does not accept it, it stays in the queue, with a toast.
  async steer(effect, context) {
    const {store, client} = context;
    const {key, id} = effect;
    // The answer that it explains, if it is the note of a rejection, goes first: it may end the turn.
    await setImmediate();
    const prepared: Result<Prepared> = needsWork(effect, context.open)
      ? await prepare(effect, context)
      : {ok: true, value: {content: effect.content, remarks: []}};
    const result = prepared.ok
      ? await client.steer(withOutputs(effect, prepared.value.content, store))
      : prepared;
    const outcome = result.ok ? result.value : 'refused';
    store.dispatch({type: 'steering_ended', key, id, outcome});
    if (outcome !== 'refused') return;
    const why = result.ok ? '' : ` ${failureSentence(result.failure)}`;
    const text = `The agent did not accept it in this turn; it is sent next.${why}`;
    store.dispatch({type: 'toast_shown', text, until: performance.now() + HINT_MS, of: key});
  },
  async expand_command({key, call, typed}, {store, open, client, customCommands: library}) {
    const expanded = await expandCall(call, {client, library, agentLabel: open.agentLabel});
    if (!expanded.ok) return expanded;
    const draft = store.latest().sessions[key]?.draft;
    if (draft?.text !== typed) return undefined;
    const {text, fill} = expanded.value;
    // What begins like a command is text all the same.
    const whole = insertText(clearDraft(draft), fill(text).replace(/^(?=[!/])/, ' '));
    store.dispatch({type: 'draft_changed', key, draft: whole, at: performance.now()});
    return undefined;
  },
  async save_command({name, prompt}, context) {
    const saved = await context.customCommands.save(name, prompt);
    if (!saved.ok) return saved;
    return notify(context, `/${name} is saved in ${saved.value}.`);
  },
  // Looks up type and size of a draft's attached files.
  async check_files({key, files}, {store}) {
    const {readFileInfos} = await import('../../attachments/attach.ts');
    const seen = await readFileInfos(files);
    if (seen.ok) store.dispatch({type: 'files_checked', key, files: seen.value});
    return seen;
  },
  // Text that only looks like paths stays text.
  async attach_paths({key, paths, pasted}, {store, open}) {
    const attach = await import('../../attachments/attach.ts');
    const found = await attach.attachPaths(paths, open.session.cwd);
    if (!found.ok) return;
    store.dispatch({type: 'files_attached', key, files: found.value, pasted, at: performance.now()});
  },
  async read_clipboard({key}, {store, open, stateFolder}) {
    const {cwd, agent} = open.session;
    const [clipboard, {takeClipboard}] = await Promise.all([
      import('../../attachments/clipboard.ts'),
      import('../../attachments/attach.ts'),
    ]);
    const content = await clipboard.readClipboard({platform: process.platform, env: process.env});
    const takesImages = !agent || agent.capabilities.promptCapabilities?.image === true;
    const pasted = await takeClipboard(content, {cwd, takesImages, folder: join(stateFolder, 'clipboard')});
    if (!pasted.ok) return pasted;
    const at = performance.now();
    store.dispatch(
      pasted.value.kind === 'files'
        ? {type: 'files_attached', key, files: pasted.value.files, at}
        : {type: 'text_pasted', key, text: pasted.value.text, at},
    );
    return undefined;
  },
} satisfies Partial<EffectHandlers>;

/** Appended last, and not searched for file names. */
function withOutputs(
  {key, outputs}: Pick<EffectOf<'send_prompt'>, 'key' | 'outputs'>,
  content: readonly acp.ContentBlock[],
  store: WindowStore,
): readonly acp.ContentBlock[] {
  const session = store.latest().sessions[key]?.session;
  return session ? [...content, ...attachmentBlocks(outputs, session)] : content;
}

interface Prepared {
  readonly content: readonly acp.ContentBlock[];
  /** Remarks for the user. */
  readonly remarks: readonly string[];
}

type Unread = Pick<EffectOf<'send_prompt'>, 'key' | 'content' | 'files' | 'isAgents'>;

/** True if files have to be read, or commands run, before it is sent. */
function needsWork(unread: Unread, {customCommands}: OpenSession): boolean {
  const {content, files} = unread;
  return (
    files.length > 0 ||
    customCallOf(unread, customCommands) !== undefined ||
    content.some((block) => block.type === 'text' && block.text.includes('@'))
  );
}

function customCallOf({content: [first], isAgents}: Unread, commands: OpenSession['customCommands']) {
  return first?.type === 'text' && !isAgents ? customCall(first.text, commands) : undefined;
}

async function prepare(
  unread: Unread,
  {store, client, customCommands: library}: SessionContext,
): Promise<Result<Prepared>> {
  const {key, files} = unread;
  const {promptContent} = await import('../../attachments/prompt-content.ts');
  const open = store.latest().sessions[key];
  if (!open) return {ok: true, value: {content: unread.content, remarks: []}};
  const {customCommands, agentLabel} = open;
  const call = customCallOf(unread, customCommands);
  const expanded = call && (await expandCall(call, {client, library, agentLabel}));
  if (expanded && !expanded.ok) return expanded;
  const content = expanded
    ? [{type: 'text' as const, text: expanded.value.text}, ...unread.content.slice(1)]
    : unread.content;
  const {cwd, additionalDirectories, agent} = open.session;
  const prepared = await promptContent(
    {content, files},
    {cwd, additionalDirectories, capabilities: agent?.capabilities.promptCapabilities},
  );
  if (!prepared.ok || !expanded) return prepared;
  const {value} = prepared;
  return {ok: true, value: {...value, content: fillBlocks(value.content, expanded.value)}};
}

function notice(store: WindowStore, key: SessionKey, text: string): void {
  const event = {type: 'notice', level: 'warning', text, at: Date.now()} as const;
  store.dispatch({type: 'session', key, event, at: performance.now()});
}
