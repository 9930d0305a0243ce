import type {SessionState} from '../../src/session/state.ts';
import {emptyIntake, takeIn, type Intake, type Slot} from './transcript-reader.ts';
import {place, type Piece, type PlacedPiece} from './chunks.ts';

/** A transcript as inline mode draws it. */
export interface Projection {
  /** What is to be printed now, for good, below what was printed before. */
  readonly committed: readonly PlacedPiece[];
  /** What may still change, drawn anew with each frame. */
  readonly live: readonly PlacedPiece[];
  /** True when finished pieces wait for the next flush. */
  readonly waiting: boolean;
}

export interface Limits {
  /** Lines that a piece takes, without the blank one above. */
  readonly heightOf: (piece: Piece) => number;
  /** Lines that there are for what is live. */
  readonly liveRows: number;
  /** Lines of the screen that there are for the transcript while no panel is open. */
  readonly pageRows: number;
  /** True for the tool call that a request on the screen shows in full. */
  readonly isAsked: (piece: Piece) => boolean;
  /** False while something is loaded that the piece should be printed with. */
  readonly canPrint: (piece: Piece) => boolean;
  /** False when the keyboard has waited long enough for what was taken off the front so far. */
  readonly hasTime: () => boolean;
}

export interface Projector {
  /** Takes in what is new in the session, and commits what can be. Costs nothing for entries that did not change. */
  update(session: SessionState, limits: Limits): Projection;
  /** Commits everything as it stands, at once. */
  finish(session: SessionState): Projection;
}

/** More at once would stall the terminal. */
const MOST_ROWS = 600;

export const emptyProjection: Projection = {committed: [], live: [], waiting: false};

/** Turns the entries of a session, as they come and change, into pieces to print and pieces to redraw. */
export function createProjector(): Projector {
  const intake = emptyIntake();
  let last: Piece | undefined;
  return {
    update(session, limits) {
      takeIn(intake, session);
      const committed = release(intake, limits, last);
      last = committed.at(-1)?.piece ?? last;
      const waiting = intake.slots[0]?.open === false;
      return {committed, live: placeLive(intake.slots, last), waiting};
    },
    finish(session) {
      takeIn(intake, session);
      const rest = intake.slots.flatMap((slot) => (slot.open ? asItStands(slot) : [slot]));
      intake.slots = [];
      return {committed: [...placeAll(rest, {above: last})], live: [], waiting: false};
    },
  };
}

/** Takes finished pieces off the front, as many as one flush may print. */
function release({slots}: Intake, limits: Limits, last: Piece | undefined): PlacedPiece[] {
  const batch: PlacedPiece[] = [];
  let above = last;
  let rows = 0;
  while (rows < MOST_ROWS && (batch.length === 0 || limits.hasTime())) {
    // Those that were taken stay until the end: taking each off the front would move all that are behind it.
    const at = batch.length;
    const slot = slots[at];
    if (slot === undefined) break;
    if (slot.open) {
      if (!isCrowded(slots, at, limits)) break;
      // Its end is near, and what came meanwhile is to be read now.
      if (limits.isAsked(slot.piece)) {
        slots.splice(at, 1);
        slots.push(slot);
        continue;
      }
      const standing = asItStands(slot);
      if (standing[0] !== slot) slots.splice(at, 1, ...standing);
      continue;
    }
    if (!limits.canPrint(slot.piece)) break;
    slot.owner.slot = undefined;
    const placed = place(slot.piece, above);
    if (slot.owner.entry.type === 'tool_call') slot.owner.printed = slot.owner.entry.status;
    batch.push(placed);
    above = slot.piece;
    rows += heightOf(placed, limits);
  }
  slots.splice(0, batch.length);
  return batch;
}

/**
 * True when what is live, from there on, would outgrow the screen. Something alone never does: its end is shown. Nor does something
 * before the call that is asked about.
 */
function isCrowded(slots: readonly Slot[], from: number, limits: Limits): boolean {
  const isFollowed = slots.slice(from + 1, from + 3).some(({piece}) => !limits.isAsked(piece));
  if (!isFollowed) return false;
  let rows = 0;
  for (const placed of placeAll(slots, {from})) {
    rows += heightOf(placed, limits);
    if (rows > limits.liveRows) return true;
  }
  return false;
}

/** What is open is printed as it stands; its end is told later. */
function asItStands(slot: Slot): Slot[] {
  const {owner} = slot;
  if (owner.stream === undefined) {
    slot.open = false;
    return [slot];
  }
  return owner.stream.cut().map((piece) => ({owner, piece, open: false}));
}

/** While finished pieces wait, only what is behind them is live. */
function placeLive(slots: readonly Slot[], above: Piece | undefined): PlacedPiece[] {
  const first = slots.findIndex(({open}) => open);
  return first === -1 ? [] : [...placeAll(slots, {from: first, above: slots[first - 1]?.piece ?? above})];
}

function* placeAll(
  slots: readonly Slot[],
  {from = 0, above}: {readonly from?: number; readonly above?: Piece | undefined} = {},
): Generator<PlacedPiece> {
  let previous = above;
  for (let at = from; at < slots.length; at++) {
    const piece = slots[at]?.piece;
    if (piece === undefined) continue;
    yield place(piece, previous);
    previous = piece;
  }
}

function heightOf({piece, gap}: PlacedPiece, limits: Limits): number {
  return limits.heightOf(piece) + (gap ? 1 : 0);
}
