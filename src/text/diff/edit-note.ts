import {createTwoFilesPatch} from 'diff';
import {codeFence} from '../format.ts';

/** A longer comparison is given up, in milliseconds: the agent can read the file. */
const TIME_LIMIT_MS = 500;

interface EditedContent {
  /** The file; undefined for a command. */
  readonly path: string | undefined;
  /** As the agent proposed it. */
  readonly before: string;
  readonly after: string;
  /** Whether `after` was written or run, `instead` of a change that was rejected; or not, because the agent no longer asks or it could not be done. */
  readonly state: 'done' | 'instead' | 'gone';
}

/** Tells the agent what the user made of the content that it proposed for a file, or of a command. */
export function editNote({path, before, after, state}: EditedContent): string {
  if (path === undefined) return commandNote(after, state);
  const patch = createTwoFilesPatch('proposed', 'changed', before, after, undefined, undefined, {
    context: 3,
    timeout: TIME_LIMIT_MS,
  });
  const did = {
    done: `I changed what you proposed for ${path} before it was written.`,
    instead: `I rejected your change of ${path}, and wrote the file as I want it. It is done.`,
    gone: `You proposed to change ${path}: make it with my changes.`,
  }[state];
  // Without the line of signs above it.
  const shown = patch?.slice(patch.indexOf('---')).trimEnd();
  if (shown === undefined)
    return state !== 'gone' ? `${did} Read the file.` : `${did} It has this content:\n\n${codeFence(after)}`;
  return `${did} The difference to your proposal:\n\n${codeFence(shown, 'diff')}`;
}

function commandNote(line: string, state: EditedContent['state']): string {
  const note =
    state === 'gone'
      ? 'I changed the command that you wanted to run, which did not run. Run this:'
      : 'I changed the command that you wanted to run before it was started. This is what ran:';
  return `${note}\n\n${codeFence(line, 'sh')}`;
}
