import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {SessionEvent, Update} from '../../session/events.ts';
import {metaTerminalOutput} from '../../session/terminals/meta-terminals.ts';
import type {ScreenChange} from '../../session/terminals/terminal-screen.ts';
import {endOfText} from '../../text/truncate.ts';
import type {Log} from '../options.ts';
import {createEmulator, type Emulator, looksLikeQuestion} from './emulator.ts';
import {isCallUpdate} from '../../session/transcript/tool-status.ts';

interface TerminalScreensOptions {
  readonly emit: (event: SessionEvent) => void;
  /** True if a command is certainly waiting for input. */
  readonly awaitsInput: (id: acp.TerminalId) => boolean;
  readonly log: Log;
}

/** Interprets command output, and reports changes of the screens. Call the result for every event of the session, after reducing it. */
export function createTerminalScreens({
  emit,
  awaitsInput,
  log,
}: TerminalScreensOptions): (event: SessionEvent) => void {
  const terminals = new Map<acp.TerminalId, DrawnTerminal>();
  /** The terminals that acp-tui runs; the agent's reports about them are ignored. */
  const own = new Set<acp.TerminalId>();

  function open(id: acp.TerminalId, runBy: 'pty' | 'pipes' | 'agent'): DrawnTerminal {
    const terminal = createDrawnTerminal({
      bareLineFeeds: runBy !== 'pty',
      drawn: (drawn) => emit({type: 'terminal_drawn', terminalId: id, ...drawn, at: Date.now()}),
      asked:
        runBy === 'pty' ? () => emit({type: 'terminal_waits', terminalId: id, at: Date.now()}) : undefined,
      awaitsInput: () => awaitsInput(id),
      failed: (error) => log('error', `command output could not be interpreted: ${String(error)}`),
    });
    terminals.set(id, terminal);
    return terminal;
  }

  function end(id: acp.TerminalId): void {
    terminals.get(id)?.end();
    terminals.delete(id);
  }

  function followUpdate(update: Update): void {
    if (!isCallUpdate(update)) return;
    for (const {id, data, hasEnded} of metaTerminalOutput(update)) {
      if (own.has(id)) continue;
      if (data !== '') (terminals.get(id) ?? open(id, 'agent')).take(data);
      if (hasEnded) end(id);
    }
  }

  return (event) => {
    if (event.type === 'terminal_created') {
      own.add(event.terminalId);
      open(event.terminalId, event.pty ? 'pty' : 'pipes');
    } else if (event.type === 'terminal_output') terminals.get(event.terminalId)?.take(event.data);
    else if (event.type === 'terminal_exited') end(event.terminalId);
    else if (event.type === 'session_update' || event.type === 'subagent_updated') followUpdate(event.update);
  };
}

interface DrawnTerminalOptions {
  /** True if LF alone starts a new line, see the emulator. */
  readonly bareLineFeeds: boolean;
  /** Called when output has arrived that is not interpreted yet (`isBehind`), and when the screen has changed. */
  readonly drawn: (drawn: {readonly isBehind: boolean; readonly change?: ScreenChange}) => void;
  /** Called when the command seems to wait for input; undefined if it cannot be typed into. */
  readonly asked?: (() => void) | undefined;
  /** True if the command is certainly waiting for input. */
  readonly awaitsInput: () => boolean;
  readonly failed: (error: unknown) => void;
}

/** One terminal whose output is interpreted. */
interface DrawnTerminal {
  take(data: string): void;
  /** The command has ended; its remaining output is still interpreted. */
  end(): void;
}

/** The size of terminals that acp-tui runs, and a common one for others. */
const SIZE = {columns: 80, rows: 24};
/** The minimum time between two updates of a screen, in milliseconds. */
const FRAME_MS = 80;
/** Of more pending output only the end is interpreted, in UTF-16 units. */
const FLOOD = 64 * 1024;
const END_OF_FLOOD = 16 * 1024;
/** How long a command must be silent before it may count as waiting for input, in milliseconds; checked again at growing intervals. */
const QUIET_MS = 1500;
const MAX_QUIET_MS = 12_000;

function createDrawnTerminal(options: DrawnTerminalOptions): DrawnTerminal {
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
      else watchQuiet(Math.min(delay * 2, MAX_QUIET_MS));
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
        const rest = endOfText(waiting, END_OF_FLOOD);
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

function linesIn(text: string): number {
  return text.split('\n').length;
}
