import { expect, it } from 'vitest';
import { problemOf } from '@/server/pipeline/steps/answer';
import { useOwnDatabase } from '@/server/testing/database';
import { connect, pool, prisma } from '../client';

useOwnDatabase();

const raising = (state: string) => `DO $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '${state}'; END $$`;
const statusOf = async (asked: Promise<unknown>) => {
  const error: unknown = await asked.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  const { status, headers, code } = problemOf(error, 'req_1');
  return [status, code, headers['Retry-After']];
};
const AWAY = [503, 'INTERNAL_ERROR', '5'];

it.each([
  ['a full disk', '53100', AWAY],
  ['too many connections', '53300', AWAY],
  ['a shutdown', '57P01', AWAY],
  ['a division by zero', '22012', [500, 'INTERNAL_ERROR', undefined]],
])('%s is recognised, from every client', async (_, state, told) => {
  expect(await statusOf(pool().query(raising(state)))).toEqual(told);
  expect(await statusOf(prisma().$executeRawUnsafe(raising(state)))).toEqual(told);
  expect(await statusOf(prisma().$transaction((db) => db.$executeRawUnsafe(raising(state))))).toEqual(told);
});

it('a missing server is recognised', async () => {
  const gone = connect('postgresql://nobody@127.0.0.1:1/none');
  expect(await statusOf(gone.pool.query('SELECT 1'))).toEqual(AWAY);
  expect(await statusOf(gone.prisma.workspace.findFirst())).toEqual(AWAY);
  await gone.prisma.$disconnect();
  await gone.pool.end();
});
