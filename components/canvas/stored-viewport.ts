import type { Viewport } from '@xyflow/react';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';

const viewportStorageKey = (name: string) => `weft.view.${name}`;

/** Stores the viewport of a canvas in this browser. Disabled or full storage is ignored. */
export function storeViewport(name: string, { x, y, zoom }: Viewport): void {
  try {
    localStorage.setItem(viewportStorageKey(name), JSON.stringify([Math.round(x), Math.round(y), zoom]));
  } catch {
    return;
  }
}

/** Undefined: no viewport is stored, or no node would be visible in it. */
export function readStoredViewport(name: string, { nodes }: WorkflowDefinition): Viewport | undefined {
  const [x, y, zoom] = parseViewportNumbers(localStorage.getItem(viewportStorageKey(name)));
  if (x === undefined || y === undefined || zoom === undefined) return undefined;
  const isSeen = nodes.some(({ position }) => {
    const [left, top] = [position.x * zoom + x, position.y * zoom + y];
    return left > -100 && top > -40 && left < innerWidth - 200 && top < innerHeight - 100;
  });
  return isSeen ? { x, y, zoom } : undefined;
}

function parseViewportNumbers(text: string | null): (number | undefined)[] {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return Array.isArray(value) ? value.map((each) => (Number.isFinite(each) ? Number(each) : undefined)) : [];
  } catch {
    return [];
  }
}
