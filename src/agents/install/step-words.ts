import {bytes} from '../../text/format.ts';
import type {InstallStep} from './kind.ts';

/** What is going on, in a line. */
export function stepWords(step: InstallStep): string {
  switch (step.kind) {
    case 'download': {
      const {received, total} = step;
      const share = total ? ` of ${bytes(total)} (${Math.floor((100 * received) / total)}%)` : '';
      return `downloading ${bytes(received)}${share}`;
    }
    case 'unpack':
      return `unpacking, ${bytes(step.bytes)}`;
    case 'run':
      return `${step.program} installs it`;
  }
}
