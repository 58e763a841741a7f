import { describe, expect, it } from 'vitest';
import { useOwnDatabase } from '@/server/testing/database';
import { until } from '@/server/testing/runs';
import { databasePool } from './client';
import { listenToNotifications } from './listen';

useOwnDatabase();

const ears = async () => {
  const { rows } = await databasePool().query<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'`,
  );
  return rows.map(({ pid }) => pid);
};

describe('listen', () => {
  it('receives notifications on its channels', async () => {
    const heard: string[] = [];
    const listener = await listenToNotifications(
      ['one', 'two'],
      (channel, payload) => heard.push(`${channel} ${payload}`),
      () => {},
    );
    await databasePool().query(`SELECT pg_notify('two', 'hello'), pg_notify('three', 'nobody'), pg_notify('one', '')`);
    await until(async () => heard.length === 2, 'two notifications');
    expect(heard).toEqual(['two hello', 'one ']);
    await listener.close();
    await until(async () => (await ears()).length === 0, 'the connection to close');
  });

  it('reconnects after a lost connection, on one connection, and reports it', async () => {
    const heard: string[] = [];
    let reconnects = 0;
    const listener = await listenToNotifications(
      ['one'],
      (_, payload) => heard.push(payload),
      () => (reconnects += 1),
    );
    for (let loss = 1; loss <= 3; loss += 1) {
      const [pid] = await ears();
      await databasePool().query('SELECT pg_terminate_backend($1)', [pid]);
      await until(async () => reconnects === loss, 'a reconnect');
      await until(async () => (await ears()).length === 1, 'one connection');
    }
    await databasePool().query(`SELECT pg_notify('one', 'again')`);
    await until(async () => heard.length === 1, 'the notification');
    expect([heard, reconnects]).toEqual([['again'], 3]);
    await listener.close();
  });
});
