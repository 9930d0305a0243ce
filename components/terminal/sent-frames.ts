/** Calls `listener` once, as soon as a frame that is drawn from now on is on the terminal. Returns what stops that. */
export type OnFrameSent = (listener: () => void) => () => void;

/** Tells who waits for it that a frame is on the terminal: that it was drawn, or given to a stream, says nothing of the sort. */
export function createSentFrames(write: (data: string, callback: (error?: Error | null) => void) => void) {
  const waiting = new Set<() => void>();
  const onFrameSent: OnFrameSent = (listener) => {
    const once = () => listener();
    waiting.add(once);
    return () => waiting.delete(once);
  };
  return {
    onFrameSent,
    /** Call it when all of a frame was written. */
    frameWritten: () => {
      const told = [...waiting];
      if (told.length === 0) return;
      // Called back when everything before it has left this process.
      write('', (error) => {
        if (error) return;
        for (const listener of told) if (waiting.delete(listener)) listener();
      });
    },
  };
}
