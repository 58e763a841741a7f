import type { CanvasBox } from '../viewport';

/** Side of a cell: about the width of a card with the space around it. */
const CELL_SIDE = 320;
const CELL_ROW_COUNT = 1_000_000;
/** Areas of more cells compare all boxes instead. */
const MAX_SEARCHED_CELLS = 400;

export interface IdentifiedBox extends CanvasBox {
  id: string;
}

/**
 * A grid of cells with the boxes that touch each: finding the boxes of an area reads its cells instead of all boxes.
 */
export class BoxIndex {
  readonly #boxes: readonly IdentifiedBox[];
  readonly #cells = new Map<number, Set<IdentifiedBox>>();

  constructor(boxes: ReadonlyMap<string, CanvasBox>) {
    this.#boxes = [...boxes].map(([id, box]) => ({ ...box, id }));
    for (const box of this.#boxes)
      for (const cell of coveredCellNumbers(box)) {
        const there = this.#cells.get(cell);
        if (there) there.add(box);
        else this.#cells.set(cell, new Set([box]));
      }
  }

  /** The boxes that an area overlaps, each once. */
  overlapping(area: CanvasBox): IdentifiedBox[] {
    return this.#near(area).filter((box) => overlapsArea(box, area));
  }

  #near(area: CanvasBox): readonly IdentifiedBox[] {
    if (countCoveredCells(area) > MAX_SEARCHED_CELLS) return this.#boxes;
    const found = new Set<IdentifiedBox>();
    for (const cell of coveredCellNumbers(area)) for (const box of this.#cells.get(cell) ?? []) found.add(box);
    return [...found];
  }
}

const cellCoordinate = (value: number) => Math.floor(value / CELL_SIDE);

const countCoveredCells = ({ x, y, width, height }: CanvasBox) =>
  (cellCoordinate(x + width) - cellCoordinate(x) + 1) * (cellCoordinate(y + height) - cellCoordinate(y) + 1);

/**
 * Yields one number for each cell. Cells that are very far apart may share a number, which only costs needless
 * comparisons.
 */
function* coveredCellNumbers({ x, y, width, height }: CanvasBox): Generator<number> {
  for (let column = cellCoordinate(x); column <= cellCoordinate(x + width); column += 1)
    for (let row = cellCoordinate(y); row <= cellCoordinate(y + height); row += 1) yield column * CELL_ROW_COUNT + row;
}

const overlapsArea = (box: CanvasBox, area: CanvasBox) =>
  box.x < area.x + area.width &&
  box.x + box.width > area.x &&
  box.y < area.y + area.height &&
  box.y + box.height > area.y;
