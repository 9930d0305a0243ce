import {LAB, missingAgents} from './folder.ts';

/** Nothing is skipped silently: without the agents the run fails. */
export function setup(): void {
  const missing = missingAgents();
  if (missing.length === 0) return;
  throw new Error(
    `The live tests need real agents, and ${LAB} lacks ${missing.join(', ')} in the version of test/live/lab/agents.ts. ` +
      'Install them with: node test/live/lab/install.ts',
  );
}
