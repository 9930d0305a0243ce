import {agentEnvironment} from '../../agents/environment.ts';
import {createHost} from '../../host/host.ts';
import type {Host} from '../../host/services.ts';
import {findPaths} from '../../storage/paths.ts';
import {asItCame} from '../../session/sanitize-events.ts';
import {toolCall} from '../../session/selectors.ts';
import {LIMITS} from '../../shared/limits.ts';
import type {ClientOptions, SessionLink} from '../options.ts';

/** The host of one session: what it does and asks becomes events. */
export function createSessionHost(options: ClientOptions, link: SessionLink): Host {
  const {agent, cwd, additionalDirectories, approval, permissions, person, changesFolder} = options;
  const now = () => ({at: Date.now()});
  const notice = (level: 'info' | 'warning', text: string) =>
    link.emit({type: 'notice', level, text, ...now()});
  return createHost({
    cwd,
    additionalDirectories,
    approval,
    rules: permissions?.rules(cwd) ?? [],
    agent: {label: agent.label, claimed: () => link.state().agent?.name},
    person,
    changesFolder,
    ownFolders: Object.values(findPaths()),
    env: agentEnvironment(process.env, {}),
    toolCall(toolCallId) {
      const call = toolCall(link.state(), toolCallId);
      return call && asItCame(call);
    },
    isCancelling: () => link.state().turn.kind === 'cancelling',
    permissions: {
      requested: (id, asked) => link.emit({type: 'permission_requested', id, ...asked, ...now()}),
      ruleOffered: (id, rule) => link.emit({type: 'permission_rule_offered', id, rule, ...now()}),
      resolved: (id, toolCallId, decision) =>
        link.emit({type: 'permission_resolved', id, toolCallId, decision, ...now()}),
    },
    elicitations: {
      requested: (id, asked) => link.emit({type: 'elicitation_requested', id, asked, ...now()}),
      resolved: (id, outcome, answers) =>
        link.emit({type: 'elicitation_resolved', id, outcome, answers, ...now()}),
      completed: (id) => link.emit({type: 'elicitation_completed', id, ...now()}),
    },
    terminals: {
      created: (terminalId, started) =>
        link.emit({type: 'terminal_created', terminalId, ...started, ...now()}),
      withoutPty: (reason) =>
        notice(
          'warning',
          `Commands run without a terminal of their own: they show no colours or progress, and cannot be typed into. node-pty could not be loaded: ${reason}`,
        ),
      limited: () =>
        notice(
          'warning',
          `The agent runs ${LIMITS.terminals} commands at once and wanted more, which it did not get.`,
        ),
      output: (terminalId, data) => link.emit({type: 'terminal_output', terminalId, data, ...now()}),
      exited: (terminalId, exit) => link.emit({type: 'terminal_exited', terminalId, exit, ...now()}),
      released: (terminalId) => link.emit({type: 'terminal_released', terminalId, ...now()}),
    },
    onWritten({path, inPlace}) {
      if (inPlace === undefined) return;
      notice('info', `${path} was written in place, since ${inPlace}.`);
    },
    onDecision: (decision) => permissions?.decided(decision),
    onRule: (rule) => permissions?.allowAlways(rule),
    onUpdate: (update) => link.emit({type: 'session_update', update, ...now()}),
  });
}
