import type { NodeHandle } from '@xyflow/react';

/** Size of a card in canvas pixels: its head, and a line for each output if there are several. */
export const CARD_SIZE = { width: 236, height: 60, port: 30 };

/** Height of a card with so many outputs. */
export const cardHeightForOutputs = (outputs: number): number =>
  CARD_SIZE.height + (outputs > 1 ? outputs * CARD_SIZE.port : 0);

/** Height of an output above the lower border of the head or below it. `line`: its place among several, from 0. */
export const outputHandleY = (line: number, outputs: number): number =>
  outputs > 1 ? CARD_SIZE.height + (line + 0.5) * CARD_SIZE.port : CARD_SIZE.height / 2;

/** Width and height of a handle. Its middle is on the border of the card. */
const HANDLE_SIZE = 12;

/**
 * The handles of a card as React Flow measures them, so that it can draw connections of cards that are not rendered.
 */
export function buildCardHandles(inputs: readonly string[], outputs: readonly string[]): NodeHandle[] {
  const handle = (type: 'source' | 'target', id: string, side: 'left' | 'right' | 'bottom', x: number, y: number) => ({
    type,
    id,
    position: side as NodeHandle['position'],
    x: x - HANDLE_SIZE / 2,
    y: y - HANDLE_SIZE / 2,
    width: HANDLE_SIZE,
    height: HANDLE_SIZE,
  });
  return [
    ...inputs.map((id) => handle('target', id, 'left', 0, CARD_SIZE.height / 2)),
    ...outputs.map((id, line) => handle('source', id, 'right', CARD_SIZE.width, outputHandleY(line, outputs.length))),
    handle('source', 'error', 'bottom', CARD_SIZE.width / 2, cardHeightForOutputs(outputs.length)),
  ];
}
