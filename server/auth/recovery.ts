import { transaction } from '../api/steps/transaction';
import { personEntries, record } from './audit';
import { removeFactor } from './mfa';
import { hashPassword } from './password';
import { endSessionsOf } from './session';
import { unblock } from './throttle';

export interface Recovery {
  /** A new password; null: the old one stays. */
  password: string | null;
  isFactorRemoved: boolean;
}

/** Nobody called: it was done at the machine that the service runs on. */
const AT_THE_MACHINE = { ipAddress: '', userAgent: 'npm run recover', requestId: '' };

/**
 * Lets somebody in again who has lost password or second factor. Ends all their sessions, lifts a block, and is in the
 * audit log of each of their workspaces as done by the system. Answers their name; null: nobody has this address.
 */
export async function recover(
  email: string,
  { password, isFactorRemoved }: Recovery,
): Promise<{ name: string } | null> {
  const address = email.trim().toLowerCase();
  const passwordHash = password === null ? null : await hashPassword(password);
  return transaction(true, async (db) => {
    const user = await db.user.findUnique({ where: { email: address } });
    if (!user) return null;
    if (passwordHash) await db.user.update({ where: { id: user.id }, data: { passwordHash } });
    if (isFactorRemoved) await removeFactor(db, user.id);
    await endSessionsOf(db, user.id);
    await unblock(address);
    const done = [...(passwordHash ? ['new password'] : []), ...(isFactorRemoved ? ['second factor removed'] : [])];
    const what = {
      category: 'authentication',
      action: 'auth.recover',
      result: 'success',
      reason: done.join(', '),
    } as const;
    const entries = await personEntries(db, { userId: user.id, email: address }, what, AT_THE_MACHINE);
    const resource = { type: 'user', id: user.id };
    const actor = { type: 'system', id: null };
    await record(
      db,
      entries.map((entry) => ({ ...entry, actor, resource })),
    );
    return { name: user.name };
  });
}
