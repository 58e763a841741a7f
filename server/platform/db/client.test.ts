import { expect, it } from 'vitest';
import { useOwnDatabase } from '@/server/testing/database';
import { until } from '@/server/testing/runs';
import { databasePool } from './client';

useOwnDatabase();

it('a connection that breaks between two queries fails the next query and not the process', async () => {
  const client = await databasePool().connect();
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const gone = new Promise((resolve) => client.once('end', resolve));
  await databasePool().query('SELECT pg_terminate_backend($1)', [rows[0]?.pid]);
  await gone;
  const failure = await client.query('SELECT 1').catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(Error);
  client.release(true);
  await until(async () => (await databasePool().query('SELECT 1')).rowCount === 1, 'another connection');
});
