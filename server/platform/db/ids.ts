import { randomFillSync } from 'node:crypto';

/** The prefix of an id, which names its kind. */
export type IdPrefix =
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

const ID_RANDOM_BYTES = 18;
/** Random bytes are fetched for many ids at a time, because each call has a fixed cost. */
const randomBytePool = Buffer.alloc(ID_RANDOM_BYTES * 200);
let usedRandomBytes = randomBytePool.length;

function takeRandomText(): string {
  if (usedRandomBytes === randomBytePool.length) {
    randomFillSync(randomBytePool);
    usedRandomBytes = 0;
  }
  usedRandomBytes += ID_RANDOM_BYTES;
  return randomBytePool.toString('base64url', usedRandomBytes - ID_RANDOM_BYTES, usedRandomBytes);
}

/** `<prefix>_` and 24 characters of URL-safe randomness (144 bits). */
export const generateId = (prefix: IdPrefix): string => `${prefix}_${takeRandomText()}`;

/** When an ordered id was made, in milliseconds since 1970. */
export const orderedIdTime = (id: string): number =>
  Number.parseInt(id.slice(id.indexOf('_') + 1).slice(0, ID_TIME_LENGTH), 36);

/** Characters of the time in an ordered id. */
const ID_TIME_LENGTH = 9;

/**
 * A text that sorts before all ordered ids made at that time or later, and after all others. `at` is in milliseconds
 * since 1970.
 */
export const orderedIdBound = (prefix: IdPrefix, at: number): string =>
  `${prefix}_${at.toString(36).padStart(ID_TIME_LENGTH, '0')}`;

/** The latest millisecond as text, because many ids are created in the same one. */
let lastIdMoment = { at: Number.NaN, text: '' };

/**
 * An id that sorts by time, for tables that grow fast: new rows are added at the right edge of the index instead of all
 * over it. 9 characters of milliseconds in base 36, then the same randomness.
 */
export function generateOrderedId(prefix: IdPrefix): string {
  const at = Date.now();
  if (at !== lastIdMoment.at) lastIdMoment = { at, text: at.toString(36).padStart(ID_TIME_LENGTH, '0') };
  return `${prefix}_${lastIdMoment.text}${takeRandomText()}`;
}
