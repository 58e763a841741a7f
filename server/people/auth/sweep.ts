import { databasePool } from '@/server/platform/db/client';
import { sweepLoginThrottle } from './throttle';

/** Removes expired rows that sign-ins leave behind. */
export async function sweepExpiredSignIns(): Promise<void> {
  await sweepLoginThrottle();
  await databasePool().query('DELETE FROM sso_attempt WHERE expires_at < now()');
  await databasePool().query('DELETE FROM invitation WHERE expires_at < now()');
  await databasePool().query('DELETE FROM saml_assertion WHERE expires_at < now()');
}
