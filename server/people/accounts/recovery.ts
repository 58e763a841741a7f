import { runInDatabaseTransaction } from '@/server/platform/db/transaction';
import { personAuditEntries, appendAuditEntries } from '@/server/people/audit/record';
import { removeSecondFactor } from '@/server/people/auth/mfa';
import { hashPassword } from '@/server/people/auth/password';
import { findServiceAccount } from '@/server/people/auth/people';
import { endUserSessions } from '@/server/people/auth/session';
import { unblockAccount } from '@/server/people/auth/throttle';

export interface RecoveryOptions {
  /** The new password; null: keep the old one. */
  password: string | null;
  isFactorRemoved: boolean;
}

/** There is no caller: the command runs on the service's machine. */
const RECOVERY_CLIENT = { ipAddress: '', userAgent: 'npm run recover', requestId: '' };

/**
 * Restores access for a user who lost their password or second factor. Ends all their sessions, lifts blocks, and
 * adds an entry by the system to the audit log of each of their workspaces. Returns their name; null if no account has
 * this address.
 */
export async function recoverAccount(
  email: string,
  { password, isFactorRemoved }: RecoveryOptions,
): Promise<{ name: string } | null> {
  const address = email.trim().toLowerCase();
  const passwordHash = password === null ? null : await hashPassword(password);
  return runInDatabaseTransaction(true, async (db) => {
    const user = await findServiceAccount(db, address);
    if (!user) return null;
    if (passwordHash) await db.user.update({ where: { id: user.id }, data: { passwordHash } });
    if (isFactorRemoved) await removeSecondFactor(db, user.id);
    await endUserSessions(db, user.id);
    await unblockAccount(address);
    const done = [...(passwordHash ? ['new password'] : []), ...(isFactorRemoved ? ['second factor removed'] : [])];
    const auditEntry = {
      category: 'authentication',
      action: 'auth.recover',
      result: 'success',
      reason: done.join(', '),
    } as const;
    const entries = await personAuditEntries(db, { userId: user.id, email: address }, auditEntry, RECOVERY_CLIENT);
    const resource = { type: 'user', id: user.id };
    const actor = { type: 'system', id: null };
    await appendAuditEntries(
      db,
      entries.map((entry) => ({ ...entry, actor, resource })),
    );
    return { name: user.name };
  });
}
