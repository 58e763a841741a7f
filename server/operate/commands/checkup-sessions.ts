import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { findMissingSettings } from '@/server/platform/db/pooler';
import { openDatabaseSession } from '@/server/platform/db/session';
import type { ServiceEnv } from '@/server/platform/env/env';

/** The result of this check, in the form that all checks have. */
interface SessionFinding {
  verdict: 'good' | 'warning' | 'bad';
  text: string;
}

/** How long a notification may take. */
const NOTIFICATION_TIMEOUT_MS = 2000;

/** Whether notifications that are sent through the pool arrive at a session, as those between processes do. */
async function doNotificationsArrive(pool: pg.Pool, url: string | undefined): Promise<boolean> {
  const channel = `weft_doctor_${randomBytes(8).toString('hex')}`;
  const client = await openDatabaseSession(url, 'service');
  try {
    const heard = new Promise<boolean>((resolve) => client.once('notification', () => resolve(true)));
    await client.query(`LISTEN ${channel}`);
    await pool.query('SELECT pg_notify($1, $2)', [channel, '']);
    return await Promise.race([heard, pause(NOTIFICATION_TIMEOUT_MS, false, { ref: false })]);
  } finally {
    await client.end();
  }
}

/** Whether sessions are what the service needs: one that listens, and limits of those that a pooler shares. */
export async function checkSessions({ databaseDirectUrl: direct }: ServiceEnv, pool: pg.Pool): Promise<SessionFinding> {
  if (!(await doNotificationsArrive(pool, direct ?? pool.options.connectionString))) {
    const text = direct
      ? 'notifications do not arrive: DATABASE_DIRECT_URL leads through a pooler, too, or to another database'
      : 'notifications do not arrive: DATABASE_URL leads through a pooler in transaction mode, so set DATABASE_DIRECT_URL';
    return { verdict: 'bad', text };
  }
  if (!direct) return { verdict: 'good', text: 'notifications arrive' };
  const lacking = await findMissingSettings(pool);
  if (lacking.length === 0)
    return { verdict: 'good', text: 'notifications arrive directly; sessions of the pooler have limits' };
  const names = lacking.map(([name]) => name).join(', ');
  return { verdict: 'warning', text: `sessions of the pooler lack ${names}; the next start of the service sets them` };
}
