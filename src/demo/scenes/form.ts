import type {Scene} from './scene.ts';

export const form: Scene = {
  name: 'form',
  description: 'Asks back with a form, where the client offers forms',
  async play(stage) {
    if (!stage.client.elicitation?.form) {
      await stage.say('This client does not offer forms, so I cannot ask back with one.\n');
      return;
    }
    const answer = await stage.context.request('elicitation/create', {
      mode: 'form',
      sessionId: stage.session.id,
      message: 'A few questions, to show what a form looks like',
      requestedSchema: {
        type: 'object',
        properties: {
          name: {type: 'string', title: 'Your name', minLength: 1},
          colour: {type: 'string', title: 'A colour', enum: ['red', 'green', 'blue']},
          often: {type: 'integer', title: 'How often a day you use a terminal', minimum: 0, maximum: 1000},
          happy: {type: 'boolean', title: 'Are you happy with it', default: true},
        },
        required: ['name'],
      },
    });
    await stage.say(`You answered with **${answer.action}**.\n`);
  },
};
