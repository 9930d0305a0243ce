import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {Turn} from './fake-conversation.ts';

export const USAGE: acp.Usage = {
  totalTokens: 1700,
  inputTokens: 1500,
  outputTokens: 200,
  cachedReadTokens: 100,
};

/** A turn with something of everything. */
export const everything: Turn = async (agent) => {
  agent.update({
    sessionUpdate: 'agent_thought_chunk',
    content: {type: 'text', text: 'Let me\nlook.'},
  });
  agent.say('\nI will read ');
  agent.say('it.\n\n');
  agent.update({
    sessionUpdate: 'tool_call',
    toolCallId: 'call-1',
    title: 'Read a.txt',
    kind: 'read',
    status: 'in_progress',
    locations: [{path: '/project/a.txt', line: 3}],
  });
  agent.emit({
    type: 'permission_resolved',
    id: 'p1',
    toolCallId: 'call-1',
    decision: {outcome: 'allowed', option: 'Allow', by: '--approve reads'},
  });
  agent.update({
    sessionUpdate: 'tool_call_update',
    toolCallId: 'call-1',
    status: 'completed',
    content: [{type: 'content', content: {type: 'text', text: 'first\nsecond\n'}}],
  });
  agent.update({
    sessionUpdate: 'plan',
    entries: [
      {content: 'Read', priority: 'high', status: 'completed'},
      {content: 'Answer', priority: 'low', status: 'in_progress'},
    ],
  });
  agent.update({
    sessionUpdate: 'usage_update',
    used: 1200,
    size: 200_000,
    cost: {amount: 0.25, currency: 'USD'},
  });
  agent.update({sessionUpdate: 'notice', severity: 'warning', title: 'Slow today'});
  agent.update({sessionUpdate: '_unknown', kind: 'telepathy', json: '{"sessionUpdate":"telepathy"}'});
  agent.say('It says\u001b[31m second.');
  return 'end_turn';
};
