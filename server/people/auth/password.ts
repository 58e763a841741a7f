import { hash, verify } from '@node-rs/bcrypt';
import { getRuntime } from '@/server/platform/runtime';

/** bcrypt ignores all further bytes. */
const MAX_PASSWORD_BYTES = 72;

export const hashPassword = (password: string): Promise<string> =>
  hash(password, { cost: getRuntime().env.bcryptCost, rejectLongPasswords: true });

/** Whether a hash was made with another work factor than the configured one, which changes the time of a check. */
export const isPasswordHashOutdated = (hash: string): boolean =>
  Number(hash.split('$')[2]) !== getRuntime().env.bcryptCost;

let decoyHash: Promise<string> | undefined;

/**
 * Whether the password is the person's. With `stored` null (no account with this address, or no password) the check
 * takes as long as a wrong password, so that the time does not reveal who exists.
 */
export async function verifyPassword(password: string, hash: string | null): Promise<boolean> {
  // Created at the first login of any kind: creating it for unknown people only would reveal them once.
  decoyHash ??= hashPassword('the password of no account');
  const spare = await decoyHash;
  const matches = await verify(password, hash ?? spare);
  return matches && hash !== null && Buffer.byteLength(password) <= MAX_PASSWORD_BYTES;
}
