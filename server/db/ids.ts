import { randomFillSync } from 'node:crypto';

/** The prefix of an id, which names its kind. */
export type Prefix =
  | 'wf'
  | 'exec'
  | 'cred'
  | 'conn'
  | 'ws'
  | 'usr'
  | 'whk'
  | 'sch'
  | 'poll'
  | 'key'
  | 'role'
  | 'wfv'
  | 'aud'
  | 'sso'
  | 'inv'
  | 'ses'
  | 'asg'
  | 'wrk'
  | 'req'
  | 'att'
  | 'mail'
  | 'dlv'
  | 'vis'
  | 'fld'
  | 'alrt'
  | 'form'
  | 'chat'
  | 'msg'
  | 'file'
  | 'tbl'
  | 'row'
  | 'wft';

const BYTES = 18;
/** Random bytes are fetched for many ids at a time, because each call has a fixed cost. */
const stock = Buffer.alloc(BYTES * 200);
let used = stock.length;

function randomness(): string {
  if (used === stock.length) {
    randomFillSync(stock);
    used = 0;
  }
  used += BYTES;
  return stock.toString('base64url', used - BYTES, used);
}

/** `<prefix>_` and 24 characters of URL-safe randomness (144 bits). */
export const newId = (prefix: Prefix): string => `${prefix}_${randomness()}`;

/** When an ordered id was made, in milliseconds since 1970. */
export const timeOf = (id: string): number => Number.parseInt(id.slice(id.indexOf('_') + 1).slice(0, TIME), 36);

/** Characters of the time in an ordered id. */
const TIME = 9;

/** What sorts before all ordered ids made at that time or later, and after all others. `at` is in milliseconds since 1970. */
export const boundAt = (prefix: Prefix, at: number): string => `${prefix}_${at.toString(36).padStart(TIME, '0')}`;

/** Many ids are created in the same millisecond. */
let moment = { at: Number.NaN, text: '' };

/**
 * An id that sorts by time, for tables that grow fast: new rows are added at the right edge of the index instead of all over it. 9
 * characters of milliseconds in base 36, then the same randomness.
 */
export function newOrderedId(prefix: Prefix): string {
  const at = Date.now();
  if (at !== moment.at) moment = { at, text: at.toString(36).padStart(TIME, '0') };
  return `${prefix}_${moment.text}${randomness()}`;
}
