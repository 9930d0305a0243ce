/** Pixels, row by row from the top, as red, green, blue and alpha of 8 bits each. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly rgba: Uint8Array;
}

/** The size of a picture on the screen, in cells. */
export interface CellSize {
  readonly columns: number;
  readonly rows: number;
}

/** Larger pictures are shrunk: to the width of prose on a narrow screen, and the height of other bodies. */
const MAX_SIZE: CellSize = {columns: 60, rows: 12};
/** The usual size of a cell in pixels; for larger pictures only the ratio matters. */
const CELL = {width: 8, height: 16};
/** Pixels per cell in each direction that are kept, relative to CELL: enough for screens with a high resolution. */
const DENSITY = 2;

/** Returns the size in cells of a picture with this size in pixels. */
function cellsFor(width: number, height: number): CellSize {
  const scale = Math.min(1, (MAX_SIZE.columns * CELL.width) / width, (MAX_SIZE.rows * CELL.height) / height);
  return {
    columns: Math.max(1, Math.round((width * scale) / CELL.width)),
    rows: Math.max(1, Math.round((height * scale) / CELL.height)),
  };
}

/** Pixels, shrunk to the resolution of these cells. */
export interface ShrunkenPicture extends CellSize {
  readonly pixels: Pixels;
}

/** Sums of a pixel: each color times alpha, alpha, and how many pixels were added. */
const SUMS = 5;

/** Shrinks a picture to the resolution of its cells, row by row, without keeping it. */
export function createShrinker(width: number, height: number, density = DENSITY) {
  const {columns, rows} = cellsFor(width, height);
  const to = {
    width: Math.min(width, columns * CELL.width * density),
    height: Math.min(height, rows * CELL.height * density),
  };
  const rgba = new Uint8Array(to.width * to.height * 4);
  const sums = new Float64Array(to.width * SUMS);
  let source = 0;

  function finish(row: number): void {
    for (let x = 0; x < to.width; x++) {
      const at = x * SUMS;
      const [alpha = 0, count = 1] = [sums[at + 3], sums[at + 4]];
      for (let part = 0; part < 3; part++)
        rgba[(row * to.width + x) * 4 + part] = alpha === 0 ? 0 : (sums[at + part] ?? 0) / alpha;
      rgba[(row * to.width + x) * 4 + 3] = alpha / count;
    }
    sums.fill(0);
  }

  return {
    /** Adds the next row, as RGBA. */
    add: (line: Uint8Array) => {
      for (let x = 0; x < width; x++) {
        const at = Math.floor((x * to.width) / width) * SUMS;
        const alpha = line[x * 4 + 3] ?? 0;
        for (let part = 0; part < 3; part++) sums[at + part]! += (line[x * 4 + part] ?? 0) * alpha;
        sums[at + 3]! += alpha;
        sums[at + 4]! += 1;
      }
      const row = Math.floor((source * to.height) / height);
      source++;
      if (source === height || Math.floor((source * to.height) / height) !== row) finish(row);
    },
    shrunken: () => ({columns, rows, pixels: {...to, rgba}}),
  };
}

/** Shrinks pixels further, to the resolution of most screens. */
export function shrinkFurther({width, height, rgba}: Pixels): Pixels {
  const shrinker = createShrinker(width, height, 1);
  for (let y = 0; y < height; y++) shrinker.add(rgba.subarray(y * width * 4, (y + 1) * width * 4));
  return shrinker.shrunken().pixels;
}
