import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {AskedElicitation} from '../../session/forms/asked.ts';
import type {FormContent} from '../../session/forms/fields.ts';
import type {HostContext} from '../host-context.ts';
import {interruptsOf} from '../interrupts.ts';
import type {Answer, OwnForm} from '../services.ts';
import type {SettledElicitation} from './elicitation-desk.ts';
import {readAsked} from './read-asked.ts';

/** Invalid params. */
const INVALID = -32602;

/** `elicitation/create`: asks the user, in a mode that we know, where there is one. */
export async function elicit(
  context: HostContext,
  request: acp.CreateElicitationRequest,
  withdrawn: AbortSignal,
): Promise<Answer<acp.CreateElicitationResponse>> {
  const {elicitations, options} = context;
  if (!options.person) return refused('nobody is there to be asked; this client did not offer elicitation');
  const asked = readAsked(request);
  if (typeof asked === 'string') return refused(asked);
  const elicitationId = 'elicitationId' in request ? request['elicitationId'] : undefined;
  const settled = await elicitations.ask(asked, {
    ...interruptsOf(context, withdrawn),
    ...(typeof elicitationId === 'string' && {elicitationId}),
  });
  return {ok: true, value: responseOf(asked, settled)};
}

/** A form of our own, for what has to be typed; undefined when it was not answered. Secrets are kept nowhere. */
export async function askForm(context: HostContext, form: OwnForm): Promise<FormContent | undefined> {
  const {elicitations, options} = context;
  if (!options.person) return undefined;
  const {outcome, content} = await elicitations.ask(
    {...form, mode: 'form', asker: 'acp-tui'},
    interruptsOf(context, new AbortController().signal),
  );
  return outcome === 'accepted' ? content : undefined;
}

/** "Elicitation", user response. What was withdrawn is answered with -32800 elsewhere. */
function responseOf(
  asked: AskedElicitation,
  {outcome, content}: SettledElicitation,
): acp.CreateElicitationResponse {
  if (outcome === 'declined') return {action: 'decline'};
  if (outcome !== 'accepted') return {action: 'cancel'};
  if (asked.mode === 'url') return {action: 'accept'};
  const sent = Object.entries(content).map(
    ([id, value]) => [id, typeof value === 'object' ? [...value] : value] as const,
  );
  return {action: 'accept', content: Object.fromEntries(sent)};
}

function refused(message: string): Answer<never> {
  return {ok: false, code: INVALID, message};
}
