import { hash, verify } from '@node-rs/bcrypt';
import { runtime } from '../runtime';

/** bcrypt reads no further. */
const MAX_BYTES = 72;

export const hashPassword = (password: string): Promise<string> =>
  hash(password, { cost: runtime().env.bcryptCost, rejectLongPasswords: true });

/** Whether a hash was made with another work factor than the one configured: it takes another time to check. */
export const isOutdated = (stored: string): boolean => Number(stored.split('$')[2]) !== runtime().env.bcryptCost;

let decoy: Promise<string> | undefined;

/**
 * Whether the password is the person's. `stored` null (nobody has this address, or the person has no password) takes
 * as long as a wrong password, so that the time doesn't tell who exists.
 */
export async function isPassword(password: string, stored: string | null): Promise<boolean> {
  // Begun at the first login of any kind: making it only for unknown people would tell, once.
  decoy ??= hashPassword('nobody has this one');
  const spare = await decoy;
  const matches = await verify(password, stored ?? spare);
  return matches && stored !== null && Buffer.byteLength(password) <= MAX_BYTES;
}
