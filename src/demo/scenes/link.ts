import {randomUUID} from 'node:crypto';
import type {Scene} from './scene.ts';

export const link: Scene = {
  name: 'link',
  description: 'Wants an address opened, where the client opens addresses',
  async play(stage) {
    const {client, context, session, signal} = stage;
    if (!client.elicitation?.url) {
      await stage.say('This client does not open addresses, so I cannot send you to one.\n');
      return;
    }
    const elicitationId = randomUUID();
    const answer = await context.request(
      'elicitation/create',
      {
        mode: 'url',
        sessionId: session.id,
        elicitationId,
        url: `https://agentclientprotocol.com/rfds/elicitation?from=demo&elicitationId=${elicitationId}`,
        message: 'Please look at the page that describes what happens here',
      },
      {cancellationSignal: signal},
    );
    await stage.say(`You answered with **${answer.action}**.\n`);
    if (answer.action !== 'accept') return;
    await stage.say('I wait a moment, as if you signed in there.\n');
    await stage.pause(3000);
    await context.notify('elicitation/complete', {elicitationId});
    await stage.say('\nThat is done.\n');
  },
};
