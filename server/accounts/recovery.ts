import { transaction } from '@/server/db/transaction';
import { personEntries, record } from '@/server/audit/record';
import { removeFactor } from '@/server/auth/mfa';
import { hashPassword } from '@/server/auth/password';
import { accountWith } from '@/server/auth/people';
import { endSessionsOf } from '@/server/auth/session';
import { unblock } from '@/server/auth/throttle';

export interface Recovery {
  /** The new password; null: keep the old one. */
  password: string | null;
  isFactorRemoved: boolean;
}

/** There is no caller: the command runs on the service's machine. */
const AT_THE_MACHINE = { ipAddress: '', userAgent: 'npm run recover', requestId: '' };

/**
 * Restores access for a user who lost their password or second factor. Ends all their sessions, lifts blocks, and
 * adds an entry by the system to the audit log of each of their workspaces. Returns their name; null if no account has
 * this address.
 */
export async function recover(
  email: string,
  { password, isFactorRemoved }: Recovery,
): Promise<{ name: string } | null> {
  const address = email.trim().toLowerCase();
  const passwordHash = password === null ? null : await hashPassword(password);
  return transaction(true, async (db) => {
    const user = await accountWith(db, address);
    if (!user) return null;
    if (passwordHash) await db.user.update({ where: { id: user.id }, data: { passwordHash } });
    if (isFactorRemoved) await removeFactor(db, user.id);
    await endSessionsOf(db, user.id);
    await unblock(address);
    const done = [...(passwordHash ? ['new password'] : []), ...(isFactorRemoved ? ['second factor removed'] : [])];
    const auditEntry = {
      category: 'authentication',
      action: 'auth.recover',
      result: 'success',
      reason: done.join(', '),
    } as const;
    const entries = await personEntries(db, { userId: user.id, email: address }, auditEntry, AT_THE_MACHINE);
    const resource = { type: 'user', id: user.id };
    const actor = { type: 'system', id: null };
    await record(
      db,
      entries.map((entry) => ({ ...entry, actor, resource })),
    );
    return { name: user.name };
  });
}
