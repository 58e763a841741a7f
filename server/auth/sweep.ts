import { pool } from '@/server/db/client';
import { sweepThrottle } from './throttle';

/** Removes expired rows that sign-ins leave behind. */
export async function sweepSignIns(): Promise<void> {
  await sweepThrottle();
  await pool().query('DELETE FROM sso_attempt WHERE expires_at < now()');
  await pool().query('DELETE FROM invitation WHERE expires_at < now()');
  await pool().query('DELETE FROM saml_assertion WHERE expires_at < now()');
}
