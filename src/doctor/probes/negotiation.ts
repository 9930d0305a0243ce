import type {Failure, Result} from '../../shared/failure.ts';
import {clientCapabilities} from '../../protocol/capabilities.ts';
import {fieldsOf} from '../../recording/exchanges.ts';
import {attempt, type Verdict} from '../attempt.ts';
import type {Probe} from '../examination.ts';
import {OFFER} from '../life.ts';

/** No version of the protocol that there is soon; the largest that the schema knows. */
const TOO_NEW = 65_535;

/** "Version negotiation": asked for a version that it does not know, an agent answers with its own latest one. */
export const negotiation: Probe = async (examination) => {
  if (!examination.found.initialized) return [];
  const started = await examination.start();
  if (!started.ok) return [];
  const {connection, end} = started.value;
  const {version} = examination.options;
  const {check} = await attempt(examination, {
    id: 'negotiation',
    name: 'a version that is too new',
    advertised: 'always',
    method: 'initialize',
    work: async () =>
      spoken(
        await connection.ask('initialize', {
          protocolVersion: TOO_NEW,
          clientCapabilities: clientCapabilities(OFFER),
          clientInfo: {name: 'acp-tui', title: 'acp-tui doctor', version},
        }),
      ),
    judge: verdictOn,
  });
  await end();
  return [check];
};

/** An error that names the versions is a draft of the protocol, and as good as an answer. */
function spoken(result: Result<unknown>): Result<unknown> {
  const failure: Failure | undefined = result.ok ? undefined : result.failure;
  return failure?.kind === 'protocol_version' ? {ok: true, value: {protocolVersion: failure.theirs}} : result;
}

function verdictOn(answer: unknown): Verdict {
  const {protocolVersion} = fieldsOf(answer);
  if (protocolVersion === TOO_NEW) return {wrong: `it says that it speaks version ${TOO_NEW}`};
  return Number.isInteger(protocolVersion)
    ? {note: `it answers with version ${String(protocolVersion)}`}
    : {wrong: 'it answers without a version'};
}
