import type { NodeHandle } from '@xyflow/react';

/** Size of a card in canvas pixels: its head, and a line for each output if there are several. */
export const CARD = { width: 236, height: 60, port: 30 };

/** Height of a card with so many outputs. */
export const heightFor = (outputs: number): number => CARD.height + (outputs > 1 ? outputs * CARD.port : 0);

/** Height of an output above the lower border of the head or below it. `line`: its place among several, from 0. */
export const outputHeight = (line: number, outputs: number): number =>
  outputs > 1 ? CARD.height + (line + 0.5) * CARD.port : CARD.height / 2;

/** Width and height of a handle. Its middle is on the border of the card. */
const HANDLE = 12;

/** The handles of a card as React Flow measures them, so that it can draw connections of cards that are not rendered. */
export function handlesOf(inputs: readonly string[], outputs: readonly string[]): NodeHandle[] {
  const handle = (type: 'source' | 'target', id: string, side: 'left' | 'right' | 'bottom', x: number, y: number) => ({
    type,
    id,
    position: side as NodeHandle['position'],
    x: x - HANDLE / 2,
    y: y - HANDLE / 2,
    width: HANDLE,
    height: HANDLE,
  });
  return [
    ...inputs.map((id) => handle('target', id, 'left', 0, CARD.height / 2)),
    ...outputs.map((id, line) => handle('source', id, 'right', CARD.width, outputHeight(line, outputs.length))),
    handle('source', 'error', 'bottom', CARD.width / 2, heightFor(outputs.length)),
  ];
}
