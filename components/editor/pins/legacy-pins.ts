import { isNonArrayObject } from '../run/sample-input';
import type { OutputsByNode } from './pinned-outputs';

/**
 * Takes the pins that earlier versions of the editor stored in this browser, by the ids of nodes outside of loops. They
 * are removed from the browser, also if they can't be read.
 */
export function takeLegacyPins(workflowId: string): OutputsByNode {
  const key = `weft.pins.${workflowId}`;
  try {
    const pins: unknown = JSON.parse(localStorage.getItem(key) ?? '{}');
    localStorage.removeItem(key);
    return isNonArrayObject(pins) ? pins : {};
  } catch {
    localStorage.removeItem(key);
    return {};
  }
}
