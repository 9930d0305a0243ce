/** Which of many rows to show so that one of them is seen, near the middle where possible; `to` is not shown any more. */
export function windowAround(
  selected: number,
  count: number,
  rows: number,
): {readonly from: number; readonly to: number} {
  const from = Math.max(0, Math.min(selected - Math.floor(rows / 2), count - rows));
  return {from, to: Math.min(count, from + rows)};
}
