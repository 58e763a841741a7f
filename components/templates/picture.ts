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
  /** Round, before the start; `kind` is that of the trigger. */
  triggers: { kind: string; x: number; y: number }[];
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
  { nodes, connections, triggers: kinds = [] }: Omit<TemplateOutline, 'triggers'> & Partial<TemplateOutline>,
  size: keyof typeof PICTURE_SIZES,
): TemplatePictureLayout {
  const { column, row, width, height } = PICTURE_SIZES[size];
  const left = Math.min(...nodes.map(({ position }) => position.x), Number.POSITIVE_INFINITY);
  const top = Math.min(...nodes.map(({ position }) => position.y), Number.POSITIVE_INFINITY);
  const start = nodes.find(({ type }) => type === 'start');
  // Triggers have a column before the start.
  const shift = kinds.length > 0 && start ? column : 0;
  const cards = nodes.map(({ id, type, connectorId, name, position }) => ({
    id,
    type,
    connectorId,
    name,
    x: PICTURE_MARGIN + shift + ((position.x - left) / CANVAS_COLUMN_WIDTH) * column,
    y: PICTURE_MARGIN + ((position.y - top) / CANVAS_ROW_HEIGHT) * row,
  }));
  const byId = new Map(cards.map((card) => [card.id, card]));
  const anchor = start && byId.get(start.id);
  const triggers = anchor
    ? kinds.map((kind, index) => ({
        kind,
        x: anchor.x - column + width - height,
        y: anchor.y + (index - (kinds.length - 1) / 2) * row,
      }))
    : [];
  // Triggers stand in the middle beside the start, and may be more than the rows of the picture.
  const lack = Math.max(0, PICTURE_MARGIN - Math.min(...triggers.map(({ y }) => y)));
  for (const drawn of [...cards, ...triggers]) drawn.y += lack;
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
  for (const { x, y } of triggers) {
    const [from, to] = [
      { x: x + height, y: y + height / 2 },
      { x: anchor?.x ?? 0, y: (anchor?.y ?? 0) + height / 2 },
    ];
    const bend = (to.x - from.x) / 2;
    wires.push({
      path: `M${from.x} ${from.y}C${from.x + bend} ${from.y} ${to.x - bend} ${to.y} ${to.x} ${to.y}`,
      isError: false,
    });
  }
  const reach = (axis: 'x' | 'y', extent: number) =>
    Math.max(...[...cards, ...triggers].map((drawn) => drawn[axis]), 0) + extent + PICTURE_MARGIN;
  return { width: reach('x', width), height: reach('y', height), card: { width, height }, cards, wires, triggers };
}
