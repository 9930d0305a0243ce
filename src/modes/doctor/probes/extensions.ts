import {DONE, type Result} from '../../../shared/failure.ts';
import {attempt} from '../attempt.ts';
import type {Probe} from '../examination.ts';

const METHOD_NOT_FOUND = -32_601;

/** "Extensibility": an unknown notification is ignored, an unknown request gets the corresponding error. */
export const extensions: Probe = async (examination) => {
  const {run, initialized} = examination.found;
  if (!run || !initialized) return [];
  const {check} = await attempt(examination, {
    id: 'extensions',
    name: 'unknown methods',
    advertised: 'always',
    method: '_acp-tui/doctor',
    work: async (): Promise<Result<number | undefined>> => {
      run.connection.notify('_acp-tui/doctor_notice', {});
      const answer = await run.connection.request('_acp-tui/doctor', {});
      if (answer.ok) return DONE;
      return answer.failure.kind === 'agent_error' ? {ok: true, value: answer.failure.code} : answer;
    },
    judge(code) {
      if (code === METHOD_NOT_FOUND) return {};
      return {
        wrong: code === undefined ? 'it answers requests it cannot know' : `it answers with error ${code}`,
      };
    },
  });
  return [check];
};
