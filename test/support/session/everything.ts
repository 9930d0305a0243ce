import {type SessionDocument, documentOf} from '../../../src/export/document.ts';
import {readFields} from '../../../src/session/forms/form-schema.ts';
import type {SessionState} from '../../../src/session/state.ts';
import {calls, ended, reduceEvents, opened, prompted, says, text, thinks, update} from './build.ts';

export const facts = {
  title: 'A session',
  agent: {label: 'some-agent', name: 'Some Agent', version: '1.2'},
  cwd: '/project',
  additionalDirectories: [],
  createdAt: Date.UTC(2026, 2, 1, 14, 5),
  updatedAt: Date.UTC(2026, 2, 1, 15, 5),
};

export function exportDocument(session: SessionState, title = facts.title): SessionDocument {
  return documentOf(session, {...facts, title}, {exportedAt: Date.UTC(2026, 2, 2)});
}

/** A session with `words` in every place that foreign text can be in. */
export function sessionWith(words: string): SessionState {
  return reduceEvents(
    opened,
    {
      type: 'prompt_started',
      turn: 1,
      content: [text(words), {type: 'resource_link', name: words, uri: words}],
    },
    update(thinks(words)),
    update(says(words)),
    update(says(`[${words}](${words}) \`\`\`${words}\n${words}\n\`\`\`\n<${words}>`)),
    update(
      calls('t1', {
        title: words,
        kind: 'execute',
        rawInput: {command: words},
        locations: [{path: words}],
        content: [
          {type: 'content', content: text(words)},
          {type: 'content', content: {type: 'image', data: words, mimeType: words, uri: words}},
          {type: 'diff', path: words, oldText: `a\n${words}\n`, newText: `b\n${words} c\n`},
          {type: 'terminal', terminalId: 'x'},
        ],
      }),
    ),
    {type: 'terminal_created', terminalId: 'x', command: words, cwd: '/project', pty: true},
    {
      type: 'terminal_drawn',
      terminalId: 'x',
      isBehind: false,
      change: {
        from: 0,
        rows: [[{text: words.replaceAll('\n', ' '), style: {foreground: 1, bold: true}}], [{text: 'plain'}]],
      },
    },
    {type: 'terminal_exited', terminalId: 'x', exit: {code: 3, signal: null}},
    update({sessionUpdate: 'tool_call_update', toolCallId: 't1', status: 'completed'}),
    update(calls('t2', {title: 'read it', kind: 'read', status: 'failed', rawOutput: {error: words}})),
    update({sessionUpdate: 'plan', entries: [{content: words, status: 'in_progress', priority: 'high'}]}),
    update({sessionUpdate: '_unknown', kind: words, json: JSON.stringify(words)}),
    {type: 'notice', level: 'warning', text: words},
    {type: 'terminal_created', terminalId: 'own', command: words, cwd: '/', pty: true, runBy: 'user'},
    {type: 'terminal_output', terminalId: 'own', data: words},
    {type: 'terminal_exited', terminalId: 'own', exit: {code: 1, signal: null}},
    {
      type: 'elicitation_requested',
      id: 'form',
      asked: {
        mode: 'form',
        message: words,
        toolCallId: 't2',
        fields: readFields({properties: {[words]: {title: words}}}),
      },
    },
    {
      type: 'elicitation_resolved',
      id: 'form',
      outcome: 'accepted',
      answers: [{label: words, answer: words}, {label: words, isSecret: true}, {label: words}],
    },
    ended('end_turn'),
    prompted(words, 2),
    {
      type: 'prompt_ended',
      turn: 2,
      outcome: {
        kind: 'failed',
        failure: {kind: 'agent_error', method: 'session/prompt', code: 1, message: words},
      },
    },
  );
}
