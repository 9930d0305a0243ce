import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {Scene} from './scene.ts';

const properties: Record<string, acp.ElicitationPropertySchema> = {
  name: {type: 'string', title: 'Your name', minLength: 2, maxLength: 40},
  email: {type: 'string', title: 'Your address', description: 'Nobody writes to it.', format: 'email'},
  site: {type: 'string', title: 'Your site', format: 'uri'},
  since: {type: 'string', title: 'With terminals since', format: 'date'},
  branch: {
    type: 'string',
    title: 'A branch for it',
    pattern: '^[a-z][a-z0-9/-]*$',
    default: 'feature/forms',
  },
  colour: {
    type: 'string',
    title: 'A colour',
    oneOf: [
      {const: '#f00', title: 'Red'},
      {const: '#0a0', title: 'Green'},
      {const: '#00f', title: 'Blue'},
    ],
  },
  shell: {
    type: 'string',
    title: 'Your shell',
    enum: ['bash', 'dash', 'elvish', 'fish', 'ksh', 'nushell', 'pwsh', 'tcsh', 'xonsh', 'zsh'],
    default: 'bash',
  },
  tools: {
    type: 'array',
    title: 'What you use',
    items: {type: 'string', enum: ['tmux', 'vim', 'emacs', 'git']},
    minItems: 1,
    maxItems: 3,
  },
  often: {type: 'integer', title: 'How often a day', minimum: 0, maximum: 1000},
  width: {type: 'number', title: 'How wide, in metres', minimum: 0},
  happy: {type: 'boolean', title: 'Are you happy with it', default: true},
};

export const form: Scene = {
  name: 'form',
  description: 'Asks back with a form, where the client offers forms',
  async play(stage) {
    const {client, context, session, signal} = stage;
    if (!client.elicitation?.form) {
      await stage.say('This client does not offer forms, so I cannot ask back with one.\n');
      return;
    }
    const answer = await context.request(
      'elicitation/create',
      {
        mode: 'form',
        sessionId: session.id,
        message: 'A few questions, to show what a form looks like',
        requestedSchema: {type: 'object', properties, required: ['name', 'tools']},
      },
      {cancellationSignal: signal},
    );
    const content = 'content' in answer ? answer.content : undefined;
    const json = JSON.stringify(content ?? {}, undefined, 2);
    const told = content ? ` and these answers:\n\n\`\`\`json\n${json}\n\`\`\`\n` : '.\n';
    await stage.say(`You answered with **${answer.action}**${told}`);
  },
};
