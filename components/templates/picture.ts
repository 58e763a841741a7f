import type { TemplateOutline } from '@/contract/workflows/template';

/** A node in a picture, in its units. */
export interface PictureCard {
  id: string;
  x: number;
  y: number;
  type: string;
  connectorId: string | undefined;
  name: string | undefined;
}

export interface TemplatePictureLayout {
  width: number;
  height: number;
  /** Size of each card. */
  card: { width: number; height: number };
  cards: PictureCard[];
  /** Paths of SVG; `isError`: from the port of failures. */
  wires: { path: string; isError: boolean }[];
}

/** Distances of columns and rows on the canvas, which are one column and row of a picture. */
const CANVAS_COLUMN_WIDTH = 320;
const CANVAS_ROW_HEIGHT = 180;

const PICTURE_SIZES = {
  icons: { column: 66, row: 50, width: 38, height: 38 },
  names: { column: 172, row: 64, width: 140, height: 46 },
};

const PICTURE_MARGIN = 6;

/** The places of cards and connections in a picture of a workflow: with icons only, or with names beside them. */
export function layOutPicture(
  { nodes, connections }: TemplateOutline,
  size: keyof typeof PICTURE_SIZES,
): TemplatePictureLayout {
  const { column, row, width, height } = PICTURE_SIZES[size];
  const left = Math.min(...nodes.map(({ position }) => position.x), Number.POSITIVE_INFINITY);
  const top = Math.min(...nodes.map(({ position }) => position.y), Number.POSITIVE_INFINITY);
  const cards = nodes.map(({ id, type, connectorId, name, position }) => ({
    id,
    type,
    connectorId,
    name,
    x: PICTURE_MARGIN + ((position.x - left) / CANVAS_COLUMN_WIDTH) * column,
    y: PICTURE_MARGIN + ((position.y - top) / CANVAS_ROW_HEIGHT) * row,
  }));
  const byId = new Map(cards.map((card) => [card.id, card]));
  const wires = connections.flatMap(({ sourceNode, sourcePort, targetNode }) => {
    const [from, to] = [byId.get(sourceNode), byId.get(targetNode)];
    if (!from || !to) return [];
    const isError = sourcePort === 'error';
    const end = { x: to.x, y: to.y + height / 2 };
    // Connections of failures leave at the bottom, as on the canvas.
    const start = isError
      ? { x: from.x + width / 2, y: from.y + height }
      : { x: from.x + width, y: from.y + height / 2 };
    const bend = Math.max((end.x - start.x) / 2, 8);
    const first = isError ? `${start.x} ${end.y}` : `${start.x + bend} ${start.y}`;
    return [{ path: `M${start.x} ${start.y}C${first} ${end.x - bend} ${end.y} ${end.x} ${end.y}`, isError }];
  });
  const reach = (axis: 'x' | 'y', extent: number) =>
    Math.max(...cards.map((card) => card[axis]), 0) + extent + PICTURE_MARGIN;
  return { width: reach('x', width), height: reach('y', height), card: { width, height }, cards, wires };
}
