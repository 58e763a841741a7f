import { randomBytes } from 'node:crypto';

/** The first part of an id says what it names. */
export type Prefix =
  | 'wf'
  | 'exec'
  | 'cred'
  | 'ws'
  | 'usr'
  | 'whk'
  | 'sch'
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
  | 'dlv';

/** `<prefix>_` and 24 characters of URL-safe randomness (144 bits). */
export const newId = (prefix: Prefix): string => `${prefix}_${randomBytes(18).toString('base64url')}`;

/**
 * An id that sorts by time, for tables that grow fast: new rows land at the right edge of the index instead of
 * all over it. 9 characters of milliseconds in base 36, then the same randomness.
 */
export const newOrderedId = (prefix: Prefix): string =>
  `${prefix}_${Date.now().toString(36).padStart(9, '0')}${randomBytes(18).toString('base64url')}`;
