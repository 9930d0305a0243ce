import type {SandboxPolicy} from '../../sandbox/policy.ts';
import {createSessionSandbox, tellOnce, type SessionSandbox} from '../../sandbox/session-sandbox.ts';
import type {SandboxedSession} from '../../sandbox/set-up.ts';
import {absolutePath} from '../../shared/files/session-folders.ts';
import {failureSentence} from '../../shared/failure-messages.ts';
import {DONE, fail, type Result} from '../../shared/failure.ts';
import {fileFailed} from '../../shared/files/file-failure.ts';
import {isFolder, realpathOrItself} from '../../shared/files/folders.ts';
import {escapeHiddenLine} from '../../text/hidden.ts';
import {inform, warn, type ConversationContext} from '../context.ts';
import {serverPrograms} from '../trust/mcp-servers.ts';

/**
 * Creates the sandbox of a session. A host that is not known is a permission request, and so is where an agent keeps its state; each host that is refused
 * without one is told once.
 */
export function openSandbox(context: () => ConversationContext): SessionSandbox {
  return createSessionSandbox(() => sandboxed(context()), {
    ask({host: name, port, isPrivate}) {
      const {host, sink} = context();
      return host.connect({sessionId: sink.state().sessionId ?? '', host: {name, port, isPrivate}});
    },
    askFolders: (likely) => askFolders(context(), likely),
    onRefused: tellOnce((text) => warn(context(), text)),
    onWarning: (text) => warn(context(), text),
  });
}

function sandboxed(context: ConversationContext): SandboxedSession {
  const isStored = context.options.startModes !== undefined;
  return {...(context.options as SandboxedSession), servers: serverPrograms(context), isStored};
}

/** Asks where the agent keeps its state, unless that was answered before, and remembers the answer. */
async function askFolders(
  context: ConversationContext,
  likely: readonly string[],
): Promise<readonly string[] | undefined> {
  const {options, host, sink} = context;
  const {agent, sandbox, agentFolders} = options;
  const saved = agent.byName ? agentFolders : undefined;
  const choices = [
    ...(likely.length > 0 ? [{name: `Let it write ${likely.join(', ')}`, folders: likely}] : []),
    {name: 'It keeps nothing: only the workspace', folders: []},
  ];
  const label = escapeHiddenLine(agent.label);
  async function ask() {
    const chosen = await host.askChoice(
      {
        title: `Where does the agent ${label} keep its settings and sessions?`,
        text: [
          'Its sandbox lets it write the workspace, and its own settings and sessions. acp-tui does not know where this agent has them.',
          saved
            ? `The answer is saved as agents.${label}.sandbox.folders in your settings, where you can name other folders.`
            : 'The answer is for this session only, because the agent has no name in your settings. There, sandbox.folders can name other folders.',
        ].join('\n\n'),
        choices: choices.map(({name}) => name),
        no: 'Do not start it',
      },
      sink.state().sessionId ?? '',
    );
    const folders = chosen === undefined ? undefined : choices[chosen]?.folders;
    const written = folders && (await saved?.save(agent.label, folders));
    if (written?.ok === false) warn(context, `The answer was not saved. ${failureSentence(written.failure)}`);
    return folders;
  }
  const sandboxFolders = saved?.of(agent.label) ?? (await ask());
  if (sandbox && sandboxFolders)
    context.options = {...context.options, sandbox: {...sandbox, sandboxFolders}};
  return sandboxFolders;
}

/** Adds a folder that the agent may write. What is in its sandbox changes only when it starts. */
export async function addSandboxFolder(context: ConversationContext, typed: string): Promise<Result<void>> {
  const {sandbox, cwd} = context.options;
  const {sink} = context;
  if (!sandbox)
    return fail({kind: 'not_offered', what: 'a folder of the sandbox', why: 'the agent runs without one'});
  const folder = realpathOrItself(absolutePath(typed, cwd));
  if (!(await isFolder(folder))) return fileFailed(typed, 'it is not a folder');
  const addedFolders = [...new Set([...(sandbox.addedFolders ?? []), folder])];
  context.options = {...context.options, sandbox: {...sandbox, addedFolders}};
  const shown = sink.state().sandbox;
  if (shown) sink.emit({type: 'sandbox_changed', sandbox: {...shown, addedFolders}, at: Date.now()});
  inform(
    context,
    `The agent may write ${folder} after /restart, in this session. Always: sandbox.folders in /settings.`,
  );
  return DONE;
}

/** Returns what tells whether the agent can read what is at a real path. */
export async function readableOf({
  sandbox,
}: Pick<ConversationContext, 'sandbox'>): Promise<(real: string) => boolean> {
  const opened = await sandbox?.open();
  if (!opened) return () => true;
  return opened.ok ? opened.value.isReadable : () => false;
}

/** Shows what the sandbox of the agent allows; undefined if it runs without. */
export function showSandbox({sink, options}: ConversationContext, policy: SandboxPolicy | undefined): void {
  // A resumed session may have had one.
  if (!policy && !sink.state().sandbox) return;
  const sandbox = policy && {
    writable: [...policy.roots, ...policy.writable],
    addedFolders: options.sandbox?.addedFolders ?? [],
    hidden: policy.hiddenPatterns,
    hosts: [...policy.namedHosts, ...policy.knownHosts],
    network: policy.network,
    sandboxSockets: policy.sockets,
  };
  sink.emit({type: 'sandbox_changed', sandbox, at: Date.now()});
}
