/** How far what is filled in stands to the right of its label, in columns. */
export const FIELD_MARGIN = 2;

/** How wide a text field is drawn in a screen of so many columns: ↑ and ↓ go by its rows. */
export function fieldColumns(columns: number): number {
  return Math.max(2, columns - FIELD_MARGIN);
}
