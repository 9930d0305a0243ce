import type {Circumstance} from '../../doctor/environment.ts';
import type {Report} from '../../doctor/report.ts';
import {jsonText} from '../../text/json.ts';

/** The report as `--json` prints it, see docs/output-formats.md. `installation` is null where an agent was named. */
export function doctorJson(report: Report, installation: readonly Circumstance[] | undefined): string {
  return `${jsonText({...report, installation: installation ?? null}, 2)}\n`;
}
