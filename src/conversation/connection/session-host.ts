import {createHost} from '../../host/host.ts';
import type {ElicitationListener, Host, HostOptions, PermissionListener} from '../../host/services.ts';
import type {SessionSandbox} from '../../sandbox/session-sandbox.ts';
import {findPaths} from '../../shared/files/paths.ts';
import {unsanitizedToolCall} from '../../session/sanitize-events.ts';
import {toolCall} from '../../session/selectors.ts';
import {subagentName} from '../../session/subagents/names.ts';
import {isSubagent, sessionOf} from '../../session/subagents/tree.ts';
import {failureSentence} from '../../shared/failure-messages.ts';
import {LIMITS} from '../../shared/limits.ts';
import {ruleOf, type DecisionRecord, type PermissionRule} from '../../session/requests/permission-rules.ts';
import type {SessionState} from '../../session/state.ts';
import type {ConversationOptions, SessionSink} from '../options.ts';
import {updateEvent} from './agent-updates.ts';

interface OwnParts extends Pick<HostOptions, 'decideByHook' | 'onEdited'> {
  readonly sandbox?: SessionSandbox | undefined;
}

const now = () => ({at: Date.now()});

/** Creates the host of a session; its activity is emitted as events. */
export function createSessionHost(
  options: ConversationOptions,
  sink: SessionSink,
  {sandbox, decideByHook, onEdited}: OwnParts = {},
): Host {
  const {agent, cwd, additionalDirectories, realFolders, approval, permissions, hasUser} = options;
  const notice = (level: 'info' | 'warning', text: string) =>
    sink.emit({type: 'notice', level, text, ...now()});
  return createHost({
    cwd,
    additionalDirectories,
    realFolders,
    approval,
    rules: rulesOf(options),
    agent: {label: agent.label, claimed: () => sink.state().agent?.name},
    hasUser,
    ownFolders: Object.values(findPaths()),
    env: options.environment,
    sandbox: sandbox?.open,
    toolCall({sessionId, toolCallId}) {
      const call = toolCall(sessionOf(sink.state(), sessionId), toolCallId);
      return call && unsanitizedToolCall(call);
    },
    folderOf(sessionId) {
      const folder = sessionOf(sink.state(), sessionId).cwd;
      return folder === sink.state().cwd ? undefined : folder;
    },
    isCancelling: () => sink.state().turn.kind === 'cancelling',
    permissions: permissionListener(sink),
    elicitations: elicitationListener(sink),
    terminals: {
      created: (terminalId, started) =>
        sink.emit({type: 'terminal_created', terminalId, ...started, ...now()}),
      withoutPty: (reason) =>
        notice(
          'warning',
          `Commands run without a terminal: no colors, no progress, no input. node-pty could not be loaded: ${reason}`,
        ),
      limited: () =>
        notice('warning', `The agent runs ${LIMITS.terminals} commands at once; more were rejected.`),
      output: (terminalId, data) => sink.emit({type: 'terminal_output', terminalId, data, ...now()}),
      exited: (terminalId, exit) => sink.emit({type: 'terminal_exited', terminalId, exit, ...now()}),
      released: (terminalId) => sink.emit({type: 'terminal_released', terminalId, ...now()}),
    },
    onWrittenInPlace: (path, reason) => notice('info', `${path} was written in place, because ${reason}.`),
    ...(decideByHook && {decideByHook}),
    onEdited,
    onDecision: (decision) => permissions?.decided(withSubagentName(sink.state(), decision)),
    onRule(text) {
      void permissions?.add({effect: 'allow', text}).then((added) => {
        if (added.ok) notice('info', `Rule added: allow ${text}.`);
        else notice('warning', `The rule "${text}" was not saved. ${failureSentence(added.failure)}`);
      });
    },
    onUpdate: (sessionId, update) => sink.emit(updateEvent(sink.state(), {sessionId, update})),
  });
}

/** Returns what reads the rules of a session: acp-tui does not read or write for the agent what its sandbox hides. */
function rulesOf({permissions, sandbox, cwd}: ConversationOptions): () => readonly PermissionRule[] {
  const hidden = (sandbox?.sandboxHidden ?? []).flatMap((pattern) =>
    ['read', 'edit'].flatMap((kind) => ruleOf('deny', `${kind} ${pattern}`, 'sandbox') ?? []),
  );
  return () => [...hidden, ...(permissions?.rules(cwd) ?? [])];
}

/** Emits permission requests and their results as events. */
function permissionListener(sink: SessionSink): PermissionListener {
  return {
    requested: (id, asked) => sink.emit({type: 'permission_requested', id, ...asked, ...now()}),
    offered: (id, offered) => sink.emit({type: 'permission_rule_offered', id, ...offered, ...now()}),
    outdated: (id, outdated) => sink.emit({type: 'permission_outdated', id, outdated, ...now()}),
    resolved: (id, {sessionId, toolCallId}, decision) =>
      sink.emit({
        type: 'permission_resolved',
        id,
        toolCallId,
        decision,
        ...(isSubagent(sink.state(), sessionId) && {subagent: sessionId}),
        ...now(),
      }),
  };
}

/** Emits the agent's questions and their answers as events. */
function elicitationListener(sink: SessionSink): ElicitationListener {
  return {
    requested: (id, asked) => sink.emit({type: 'elicitation_requested', id, asked, ...now()}),
    resolved: (id, outcome, answers) =>
      sink.emit({type: 'elicitation_resolved', id, outcome, answers, ...now()}),
    completed: (id) => sink.emit({type: 'elicitation_completed', id, ...now()}),
  };
}

type Decision = Omit<DecisionRecord, 'at'>;

/** Decisions about a subagent's requests are logged with its root session, under its name. */
function withSubagentName(state: SessionState, decision: Decision): Decision {
  const {sessionId} = decision;
  if (!isSubagent(state, sessionId)) return decision;
  return {...decision, sessionId: state.sessionId ?? sessionId, subagent: subagentName(state, sessionId)};
}
