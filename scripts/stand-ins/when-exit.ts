/** What the package of that name does, at `exit` only. Goes into the bundle in its place. */
export default function whenExit(callback: () => void): () => void {
  process.on('exit', callback);
  return () => process.off('exit', callback);
}
