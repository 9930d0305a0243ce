import {toRecordingLine, type RecordedProcess, type WireEvent} from './format.ts';

interface KnownProcess extends RecordedProcess {
  /** Undefined if its start was not recorded. */
  readonly start: WireEvent | undefined;
}

/** Maximum size in UTF-16 units; about twice as many bytes. */
const MAX_UNITS = 4 * 1024 * 1024;
const MAX_EVENTS = 10_000;

/** Stores lines unparsed until they are read. */
export function createWireRingBuffer(limits = {units: MAX_UNITS, events: MAX_EVENTS}) {
  const processes = new Map<number, KnownProcess>();
  let started = 0;
  let events: ({readonly event: WireEvent; readonly process: KnownProcess} | undefined)[] = [];
  let first = 0;
  let units = 0;

  function drop(): void {
    const oldest = events[first];
    if (oldest) units -= sizeOf(oldest.event);
    // Frees the memory at once, which may be megabytes.
    events[first++] = undefined;
    // The array is compacted occasionally, so that dropping an event has a constant cost.
    if (first < 1000 || first * 2 < events.length) return;
    events = events.slice(first);
    first = 0;
  }

  return {
    add: (event: WireEvent) => {
      const known = event.kind === 'started' ? undefined : processes.get(event.pid);
      const start = event.kind === 'started' ? event : undefined;
      const process = known ?? {startedAt: event.at, before: started++, start};
      processes.set(event.pid, process);
      events.push({event, process});
      units += sizeOf(event);
      while (events.length - first > 1 && (units > limits.units || events.length - first > limits.events))
        drop();
    },
    /** Returns the stored lines, oldest first, with the start of each process. */
    lines: () => {
      const kept = events.slice(first).filter((each) => each !== undefined);
      const there = new Set(kept.map(({event}) => event));
      const lost = [...new Set(kept.map(({process}) => process))].filter(
        ({start}) => start !== undefined && !there.has(start),
      );
      // The start identifies a process, and its times are relative to it.
      const starts = lost.flatMap((process) =>
        process.start ? [toRecordingLine(process.start, process)] : [],
      );
      return [...starts, ...kept.map(({event, process}) => toRecordingLine(event, process))];
    },
  };
}

function sizeOf(event: WireEvent): number {
  if (event.kind === 'message') return event.line.length;
  return event.kind === 'stderr' ? event.text.length : 0;
}
