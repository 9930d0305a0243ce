/** A timer stands still while the computer sleeps, and the system clock can be set, so the clock is looked at this often, in milliseconds. */
const LOOK_MS = 30_000;

/** Calls back when the system clock shows a time, in milliseconds since the epoch. Returns the function to give that up. */
export function callAt(time: number, callback: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  function look(): void {
    const left = time - Date.now();
    timer = setTimeout(left > LOOK_MS ? look : callback, Math.min(Math.max(0, left), LOOK_MS));
  }
  look();
  return () => clearTimeout(timer);
}
