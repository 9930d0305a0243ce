import type {ScreenChange} from '../../session/terminal-screen.ts';
import {createEmulator, type Emulator} from './emulator.ts';
import {looksLikeQuestion} from './looks-like-question.ts';

export interface DrawnTerminalOptions {
  /** True where LF alone begins a line, see the emulator. */
  readonly bareLineFeeds: boolean;
  /** Told when output came that is not interpreted yet (`isBehind`), and what became of the screen. */
  readonly drawn: (drawn: {readonly isBehind: boolean; readonly change?: ScreenChange}) => void;
  /** Told when the command seems to wait for somebody to type; undefined where nobody could. */
  readonly asked?: (() => void) | undefined;
  /** True when the command surely waits for somebody to type. */
  readonly awaitsInput: () => boolean;
  readonly failed: (error: unknown) => void;
}

/** One terminal whose output is interpreted. */
export interface DrawnTerminal {
  take(data: string): void;
  /** The command has ended; what came is still interpreted. */
  end(): void;
}

/** The size of the terminals whose commands we run, and a usual one for the others. */
const SIZE = {columns: 80, rows: 24};
/** How long each state of a screen stands at least while output streams, in milliseconds. */
const FRAME_MS = 80;
/** Of more waiting output only the end is interpreted, in UTF-16 units. */
const FLOOD = 64 * 1024;
const END_OF_FLOOD = 16 * 1024;
/** How long nothing must be printed before the command may wait for input; it is looked at again after longer and longer. */
const QUIET_MS = 1500;
const LONGEST_QUIET_MS = 12_000;

export function createDrawnTerminal(options: DrawnTerminalOptions): DrawnTerminal {
  const {drawn, asked, awaitsInput, failed} = options;
  let emulator: Emulator | undefined;
  let waiting = '';
  let skippedRows = 0;
  let isDrawing = false;
  let hasEnded = false;
  let timer: NodeJS.Timeout | undefined;

  function watchQuiet(delay = QUIET_MS): void {
    clearTimeout(timer);
    if (hasEnded || asked === undefined) return;
    timer = setTimeout(() => {
      if (awaitsInput() || looksLikeQuestion(emulator?.beforeCursor() ?? '')) asked();
      else watchQuiet(Math.min(delay * 2, LONGEST_QUIET_MS));
    }, delay).unref();
  }

  async function draw(): Promise<void> {
    emulator ??= await createEmulator({...SIZE, bareLineFeeds: options.bareLineFeeds});
    while (waiting !== '') {
      const writing = emulator.write(waiting, skippedRows);
      waiting = '';
      skippedRows = 0;
      await writing;
      isDrawing = waiting !== '';
      drawn({isBehind: isDrawing, change: emulator.change()});
      if (isDrawing) await new Promise((resolve) => void setTimeout(resolve, FRAME_MS));
    }
    watchQuiet();
    if (hasEnded) emulator.dispose();
  }

  watchQuiet();
  return {
    take(data) {
      if (data === '') return;
      waiting += data;
      if (waiting.length > FLOOD) {
        const rest = endOf(waiting);
        skippedRows += linesIn(waiting) - linesIn(rest);
        waiting = rest;
      }
      clearTimeout(timer);
      if (isDrawing) return;
      isDrawing = true;
      drawn({isBehind: true});
      void draw().catch((error: unknown) => {
        drawn({isBehind: false});
        failed(error);
      });
    },
    end() {
      hasEnded = true;
      clearTimeout(timer);
      if (!isDrawing) emulator?.dispose();
    },
  };
}

/** The end of a flood, from the start of a line where there is one. */
function endOf(text: string): string {
  const from = text.length - END_OF_FLOOD;
  const lineEnd = text.indexOf('\n', from);
  return text.slice(lineEnd === -1 ? from : lineEnd + 1);
}

function linesIn(text: string): number {
  return text.split('\n').length;
}
