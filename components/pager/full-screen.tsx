import {render} from 'ink';
import {createGatedOutput, type TerminalOutput} from '../terminal/output.ts';
import {Pager, type PagerProps} from './pager.tsx';

export interface FullScreenOptions extends PagerProps {
  readonly terminal: TerminalOutput;
  readonly input: NodeJS.ReadStream;
}

export interface FullScreen {
  /** To be called when the terminal has another size. */
  readonly resized: () => void;
  /** Leaves the alternate screen; resolves when the terminal is as it was. */
  readonly close: () => Promise<void>;
}

/** Draws the pager on the terminal's alternate screen. Nobody else may draw or read keys meanwhile. */
export function openFullScreen({terminal, input, ...props}: FullScreenOptions): FullScreen {
  const output = createGatedOutput({terminal, charset: props.abilities.charset});
  // Ink asks for keys after it has drawn, and gives them back before the chat asks: until then the terminal would echo them.
  const holdKeyboard = () => input.setRawMode(true);
  holdKeyboard();
  const ink = render(<Pager {...props} />, {
    stdin: input,
    stdout: output.stream,
    alternateScreen: true,
    exitOnCtrlC: false,
    patchConsole: false,
    interactive: true,
    incrementalRendering: true,
  });
  return {
    resized: output.settle,
    async close() {
      ink.unmount();
      holdKeyboard();
      await ink.waitUntilExit();
    },
  };
}
