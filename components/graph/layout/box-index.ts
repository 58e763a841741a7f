import type { Box } from '../viewport';

/** Side of a cell: about the width of a card with the space around it. */
const CELL = 320;
const ROWS = 1_000_000;
/** Areas of more cells compare all boxes instead. */
const MOST_CELLS = 400;

export interface NamedBox extends Box {
  id: string;
}

/** A grid of cells with the boxes that touch each: finding the boxes of an area reads its cells instead of all boxes. */
export class BoxIndex {
  readonly #boxes: readonly NamedBox[];
  readonly #cells = new Map<number, Set<NamedBox>>();

  constructor(boxes: ReadonlyMap<string, Box>) {
    this.#boxes = [...boxes].map(([id, box]) => ({ ...box, id }));
    for (const box of this.#boxes)
      for (const cell of cellsOf(box)) {
        const there = this.#cells.get(cell);
        if (there) there.add(box);
        else this.#cells.set(cell, new Set([box]));
      }
  }

  /** The boxes that an area overlaps, each once. */
  overlapping(area: Box): NamedBox[] {
    return this.#near(area).filter((box) => overlaps(box, area));
  }

  #near(area: Box): readonly NamedBox[] {
    if (sizeOf(area) > MOST_CELLS) return this.#boxes;
    const found = new Set<NamedBox>();
    for (const cell of cellsOf(area)) for (const box of this.#cells.get(cell) ?? []) found.add(box);
    return [...found];
  }
}

const cellAt = (value: number) => Math.floor(value / CELL);

const sizeOf = ({ x, y, width, height }: Box) =>
  (cellAt(x + width) - cellAt(x) + 1) * (cellAt(y + height) - cellAt(y) + 1);

/** One number for each cell. Cells that are very far apart may share a number: their boxes are compared in vain. */
function* cellsOf({ x, y, width, height }: Box): Generator<number> {
  for (let column = cellAt(x); column <= cellAt(x + width); column += 1)
    for (let row = cellAt(y); row <= cellAt(y + height); row += 1) yield column * ROWS + row;
}

const overlaps = (box: Box, area: Box) =>
  box.x < area.x + area.width &&
  box.x + box.width > area.x &&
  box.y < area.y + area.height &&
  box.y + box.height > area.y;
