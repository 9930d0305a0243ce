import {RequestError, type AgentApp} from '@agentclientprotocol/sdk/unstable';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {Demo} from './agent.ts';
import {sceneFor} from './scenes/index.ts';
import {saveSession} from './session-files.ts';
import {sessionOf} from './sessions.ts';
import {checkSignedIn} from './sign-in.ts';
import {createStage, type Stage} from './stage.ts';

/** "Prompt Turn" and "Cancellation": a prompt plays the scene that it names. */
export function registerTurns(app: AgentApp, demo: Demo): void {
  const running = new Map<string, AbortController>();
  app
    .onNotification('session/cancel', ({params}) => running.get(params.sessionId)?.abort())
    .onRequest('session/prompt', async ({params, client}) => {
      checkSignedIn(demo.account);
      const session = sessionOf(demo, params.sessionId);
      if (running.has(session.id)) throw RequestError.invalidRequest(undefined, 'a turn is already running');
      const controller = new AbortController();
      running.set(session.id, controller);
      const {pace, client: capabilities} = demo;
      const stage = createStage({
        session,
        context: client,
        client: capabilities,
        pace,
        signal: controller.signal,
      });
      try {
        return await play(stage, params.prompt);
      } finally {
        running.delete(session.id);
        await saveSession(session);
      }
    });
}

async function play(stage: Stage, prompt: readonly acp.ContentBlock[]): Promise<acp.PromptResponse> {
  const text = prompt.map((block) => (block.type === 'text' ? block.text : '')).join('');
  await stage.heard(text, prompt);
  try {
    await sceneFor(text).play(stage, text);
  } catch (error) {
    // A cancel ends the scene wherever it is; that is not an error.
    if (!stage.signal.aborted) throw error;
  }
  const usage = await stage.accounts();
  return {stopReason: stage.signal.aborted ? 'cancelled' : 'end_turn', usage};
}
