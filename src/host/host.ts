import {homedir} from 'node:os';
import {realpathOrItself} from '../shared/files/folders.ts';
import type {RequestAnswer} from '../session/actions.ts';
import type {Result} from '../shared/failure.ts';
import {showHostForm, elicit} from './elicitation/elicit.ts';
import {createPendingElicitations} from './elicitation/pending-elicitations.ts';
import {createFileSystem} from './files/file-system.ts';
import {createGrants} from './permissions/grants.ts';
import {createEffectEntries} from './permissions/effect-entries.ts';
import type {HostContext} from './host-context.ts';
import {createPendingPermissions, createOpenRequests, notTaken} from './permissions/pending-permissions.ts';
import {readPlanFile} from './files/plan-file.ts';
import {createAnsweredHosts} from './permissions/answered-hosts.ts';
import {connect} from './permissions/connect.ts';
import {askChoice, askUser} from './permissions/host-questions.ts';
import {loadPty} from './terminals/command-process.ts';
import {requestPermission} from './permissions/request-permission.ts';
import {createTerminal, keepWritten, read, write} from './permissions/guarded-operations.ts';
import {createRoots, type Roots} from './files/roots.ts';
import {createRuleSet, type RuleSet} from './rules/match.ts';
import {createProtectedPathFinder} from './rules/protected.ts';
import type {Host, HostOptions, SessionGrants, TerminalListener} from './services.ts';
import {createUserShell} from './shell/user-shell.ts';
import {createTerminals, openPty} from './terminals/terminals.ts';

/** Creates files, terminals and permissions for one agent. Folders are resolved here, once. */
export function createHost(options: HostOptions): Host {
  const {env, hasUser} = options;
  const roots = createRoots(options.cwd, options.additionalDirectories, options.realFolders);
  const files = createFileSystem({roots, onWrittenInPlace: options.onWrittenInPlace});
  // Without a user who can type, a command that asks must fail and not wait.
  const pty = hasUser ? openPty(loadPty, options.terminals) : undefined;
  const terminals = createTerminals({roots, env, pty, listener: options.terminals, sandbox: options.sandbox});
  const context = contextOf({options, roots, files, terminals});
  return {
    requestPermission(prompt, signal) {
      context.effects.toolCallUpdated(prompt.request.sessionId, prompt.request.toolCall);
      return requestPermission(context, prompt, signal);
    },
    toolCallUpdated(sessionId, update) {
      context.openRequests.toolCallUpdated(sessionId, update);
      context.effects.toolCallUpdated(sessionId, update);
    },
    agentSpoke: (sessionId) => context.effects.agentSpoke(sessionId),
    read: (request, signal) => read(context, request, signal),
    write: (request, signal) => write(context, request, {withdrawn: signal}),
    createTerminal: (request, signal, calledBy) =>
      createTerminal(context, request, {withdrawn: signal, calledBy}),
    connect: (connection) => connect(context, connection),
    keepWritten: (writes, how) => keepWritten(context, writes, how),
    readPlan: (uri) => readPlanFile(context, uri),
    terminals: context.terminals,
    shell: createUserShell({
      cwd: roots.cwd,
      env,
      terminals: createTerminals({roots, env, pty, listener: asUsers(options.terminals)}),
    }),
    elicit: (request, how) => elicit(context, request, how),
    completeElicitation: (elicitationId) => context.elicitations.complete(elicitationId),
    askForm: (form) => showHostForm(context, form),
    answer: (id, answer) => answerRequest(context, id, answer),
    cancelPending() {
      turnOver(context);
      context.cancelling.abort();
      context.cancelling = new AbortController();
      context.elicitations.forgetOpened();
    },
    sessionOpened: (sessionId) => context.grants.sessionOpened(sessionId),
    turnStarted() {
      turnOver(context);
      context.effects.turnStarted();
    },
    turnEnded() {
      turnOver(context);
      context.effects.settle();
    },
    addRoot: (folder) => roots.add(folder),
    moveRoot: (from, to) => roots.move(from, to),
    setApproval: (level) => void (context.level = level),
    sessionGrants: sessionGrants(context),
    askUser: (question, sessionId) => askUser(context, question, sessionId),
    askChoice: (question, sessionId) => askChoice(context, question, sessionId),
    denied: () => context.pendingPermissions.denied(),
  };
}

function turnOver({grants, answeredHosts}: HostContext): void {
  grants.turnOver();
  answeredHosts.turnOver();
}

function sessionGrants({grants, answeredHosts}: HostContext): SessionGrants {
  return {
    list: () => grants.list(),
    takeBack(id) {
      grants.takeBack(id);
      answeredHosts.turnOver();
    },
  };
}

type Given = Pick<HostContext, 'options' | 'roots' | 'files' | 'terminals'>;

function contextOf(given: Given): HostContext {
  const {options, roots} = given;
  return {
    ...given,
    rules: currentRules(options, roots),
    grants: createGrants(),
    answeredHosts: createAnsweredHosts(),
    pendingPermissions: createPendingPermissions({hasUser: options.hasUser, listener: options.permissions}),
    openRequests: createOpenRequests(),
    elicitations: createPendingElicitations(options.elicitations),
    effects: createEffectEntries({...options, cwd: roots.cwd}),
    findProtected: createProtectedPathFinder((options.ownFolders ?? []).flatMap(namesOfFolder)),
    level: options.approval,
    cancelling: new AbortController(),
  };
}

/** Returns what reads the rules; they are parsed again only after they have changed. */
function currentRules({rules: read}: HostOptions, roots: Roots): () => RuleSet {
  const parse = () => createRuleSet(rules, {cwd, home: homedir()});
  let {cwd} = roots;
  let rules = read();
  let set = parse();
  return () => {
    const now = read();
    const isSame = now.length === rules.length && now.every((rule, index) => rule === rules[index]);
    if (!isSame || cwd !== roots.cwd) {
      [rules, cwd] = [now, roots.cwd];
      set = parse();
    }
    return set;
  };
}

function namesOfFolder(folder: string): readonly string[] {
  return [...new Set([folder, realpathOrItself(folder)])];
}

/** Ids are unique across permissions and elicitations. */
async function answerRequest(
  {pendingPermissions, elicitations}: HostContext,
  id: string,
  answer: RequestAnswer,
): Promise<Result<void>> {
  if (answer.kind === 'option' || answer.kind === 'rule' || answer.kind === 'edited')
    return pendingPermissions.answer(id, answer);
  if (elicitations.answer(id, answer)) return {ok: true, value: undefined};
  return answer.kind === 'cancelled' ? pendingPermissions.answer(id, answer) : notTaken();
}

function asUsers(listener: TerminalListener): TerminalListener {
  return {...listener, created: (id, started) => listener.created(id, {...started, runBy: 'user'})};
}
