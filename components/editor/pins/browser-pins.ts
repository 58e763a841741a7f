import { isRecord } from '../run/sample';
import type { Pins } from './pins';

/**
 * Takes the pins that earlier versions of the editor stored in this browser, by the ids of nodes outside of loops. They are removed from
 * the browser, also if they can't be read.
 */
export function takeBrowserPins(workflowId: string): Pins {
  const key = `weft.pins.${workflowId}`;
  try {
    const pins: unknown = JSON.parse(localStorage.getItem(key) ?? '{}');
    localStorage.removeItem(key);
    return isRecord(pins) ? pins : {};
  } catch {
    localStorage.removeItem(key);
    return {};
  }
}
