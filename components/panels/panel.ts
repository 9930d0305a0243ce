import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {ReactNode} from 'react';
import type {Hint} from '../../src/app/keymap/hints.ts';
import type {Scroll} from '../../src/app/pages/scroll.ts';
import type {ShownRule} from '../../src/app/requests/seen-rows.ts';
import type {SpokenLine} from '../layout/spoken.ts';
import type {CaretPlace} from '../prompt/use-caret.ts';

/** The panel over the prompt. */
export interface Panel {
  readonly content: ReactNode;
  /** Its rows. */
  readonly height: number;
  /** Returns the same for linear output. */
  readonly spoken: () => readonly SpokenLine[];
  /** The keys that it names. */
  readonly hints?: readonly Hint[] | undefined;
  /** What is scrolled in it, and how far. */
  readonly scrolled?: {readonly subject: PanelSubject; readonly drawn: Scroll} | undefined;
  /** The position of the cursor in it. */
  readonly caret?: CaretPlace | undefined;
  /** What a click on its rows selects. */
  readonly choices?: readonly PanelChoice[];
}

export const noPanel: Panel = {content: null, height: 0, spoken: () => []};

/** A row of a panel, and the choice in it: of a list or a request, of the menu, or a session of the board. */
export interface PanelChoice {
  readonly row: number;
  readonly of: 'panel' | 'menu' | 'board';
  readonly index: number;
}

type PanelSubject =
  | {
      readonly kind: 'request';
      readonly id: string;
      readonly version: number;
      readonly columns: number;
      /** The tool call that it shows completely. */
      readonly toolCallId: acp.ToolCallId | undefined;
      readonly rule: ShownRule | undefined;
    }
  | {readonly kind: 'page'}
  /** A list that opened by itself, and since when its keys count. */
  | {readonly kind: 'list'; readonly answerFrom: number};

/** Returns the tool call that a panel shows completely. */
export function callsInPanel({scrolled}: Panel): ReadonlySet<acp.ToolCallId> {
  const shown = scrolled?.subject.kind === 'request' ? scrolled.subject.toolCallId : undefined;
  return new Set(shown === undefined ? [] : [shown]);
}
