import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { findLackingLimits } from '@/server/db/pooler';
import { openSession } from '@/server/db/session';
import type { Env } from '@/server/env/env';

/** As of the other checks. */
interface SessionFinding {
  verdict: 'good' | 'warning' | 'bad';
  text: string;
}

/** How long a notification may take. */
const WAIT_MS = 2000;

/** Whether notifications that are sent through the pool arrive at a session, as those between processes do. */
async function arrives(pool: pg.Pool, url: string | undefined): Promise<boolean> {
  const channel = `weft_doctor_${randomBytes(8).toString('hex')}`;
  const client = await openSession(url, 'service');
  try {
    const heard = new Promise<boolean>((resolve) => client.once('notification', () => resolve(true)));
    await client.query(`LISTEN ${channel}`);
    await pool.query('SELECT pg_notify($1, $2)', [channel, '']);
    return await Promise.race([heard, pause(WAIT_MS, false, { ref: false })]);
  } finally {
    await client.end();
  }
}

/** Whether sessions are what the service needs: one that listens, and limits of those that a pooler shares. */
export async function lookAtSessions({ databaseDirectUrl: direct }: Env, pool: pg.Pool): Promise<SessionFinding> {
  if (!(await arrives(pool, direct ?? pool.options.connectionString))) {
    const text = direct
      ? 'notifications do not arrive: DATABASE_DIRECT_URL leads through a pooler, too, or to another database'
      : 'notifications do not arrive: DATABASE_URL leads through a pooler in transaction mode, so set DATABASE_DIRECT_URL';
    return { verdict: 'bad', text };
  }
  if (!direct) return { verdict: 'good', text: 'notifications arrive' };
  const lacking = await findLackingLimits(pool);
  if (lacking.length === 0)
    return { verdict: 'good', text: 'notifications arrive directly; sessions of the pooler have limits' };
  const names = lacking.map(([name]) => name).join(', ');
  return { verdict: 'warning', text: `sessions of the pooler lack ${names}; the next start of the service sets them` };
}
