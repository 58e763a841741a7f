import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { NodeFailure } from '@/server/platform/errors/node-failure';
import { conflictProblem } from '@/server/platform/errors/problem';
import { toApiProblem } from '@/server/api/pipeline/steps/answer';
import { useOwnDatabase } from '@/server/testing/database';
import { openDatabaseConnections, databasePool, prismaClient } from '../client';
import { classifyDatabaseFailure, isDatabaseUnavailable, type FailureVerdict } from './verdict';

useOwnDatabase();

const raising = (state: string) => `DO $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '${state}'; END $$`;
const failureOf = (asked: Promise<unknown>): Promise<unknown> =>
  asked.then(
    () => null,
    (thrown: unknown) => thrown,
  );

/** Every class of SQLSTATE, and the codes in it that are judged otherwise. */
const STATES: [string, FailureVerdict][] = [
  ['03000', 'lasting'],
  ['08000', 'away'],
  ['08001', 'away'],
  ['08003', 'away'],
  ['08004', 'away'],
  ['08006', 'away'],
  ['08007', 'away'],
  ['08P01', 'lasting'],
  ['09000', 'lasting'],
  ['0A000', 'lasting'],
  ['0B000', 'lasting'],
  ['0F000', 'lasting'],
  ['0L000', 'lasting'],
  ['0P000', 'lasting'],
  ['0Z000', 'lasting'],
  ['20000', 'lasting'],
  ['21000', 'lasting'],
  ['22001', 'lasting'],
  ['22003', 'lasting'],
  ['22012', 'lasting'],
  ['22021', 'lasting'],
  ['22P02', 'lasting'],
  ['22P05', 'lasting'],
  ['23502', 'lasting'],
  ['23503', 'lasting'],
  ['23505', 'lasting'],
  ['23514', 'lasting'],
  ['24000', 'lasting'],
  ['25001', 'lasting'],
  ['25006', 'away'],
  ['25P02', 'lasting'],
  ['25P03', 'away'],
  ['25P04', 'away'],
  ['26000', 'lasting'],
  ['27000', 'lasting'],
  ['28000', 'denied'],
  ['28P01', 'denied'],
  ['2B000', 'lasting'],
  ['2D000', 'lasting'],
  ['2F000', 'lasting'],
  ['34000', 'lasting'],
  ['38000', 'lasting'],
  ['39000', 'lasting'],
  ['3B000', 'lasting'],
  ['3D000', 'denied'],
  ['3F000', 'lasting'],
  ['40000', 'collision'],
  ['40001', 'collision'],
  ['40003', 'collision'],
  ['40P01', 'collision'],
  ['42501', 'lasting'],
  ['42601', 'lasting'],
  ['42703', 'lasting'],
  ['42883', 'lasting'],
  ['42P01', 'lasting'],
  ['44000', 'lasting'],
  ['53000', 'away'],
  ['53100', 'away'],
  ['53200', 'away'],
  ['53300', 'away'],
  ['53400', 'away'],
  ['54000', 'lasting'],
  ['54001', 'lasting'],
  ['55000', 'lasting'],
  ['55006', 'lasting'],
  ['55P03', 'collision'],
  ['57000', 'away'],
  ['57014', 'slow'],
  ['57P01', 'away'],
  ['57P02', 'away'],
  ['57P03', 'away'],
  ['57P04', 'denied'],
  ['57P05', 'away'],
  ['58000', 'away'],
  ['58030', 'away'],
  ['58P01', 'lasting'],
  ['F0000', 'lasting'],
  ['HV000', 'lasting'],
  ['P0001', 'lasting'],
  ['XX000', 'lasting'],
  ['XX001', 'lasting'],
  ['WF001', 'lasting'],
];

describe('the verdict on a failure', () => {
  it('of every SQLSTATE is the same from node-postgres, Prisma and a transaction of Prisma', async () => {
    const judged: string[][] = [];
    // One after the other: a transaction that waits long for its turn fails for another reason.
    for (const [state] of STATES) {
      const failures = [
        await failureOf(databasePool().query(raising(state))),
        await failureOf(prismaClient().$executeRawUnsafe(raising(state))),
        await failureOf(prismaClient().$transaction((db) => db.$executeRawUnsafe(raising(state)))),
      ];
      judged.push([state, ...failures.map(classifyDatabaseFailure)]);
    }
    expect(judged).toEqual(STATES.map(([state, verdict]) => [state, verdict, verdict, verdict]));
  });

  it.each([
    'ECONNREFUSED',
    'ECONNRESET',
    'ECONNABORTED',
    'ETIMEDOUT',
    'EPIPE',
    'EHOSTUNREACH',
    'ENETUNREACH',
    'EHOSTDOWN',
    'ENETDOWN',
    'ENETRESET',
    'ENOTCONN',
    'ENOTFOUND',
    'EAI_AGAIN',
    'EAI_FAIL',
    'EADDRNOTAVAIL',
    'ERR_STREAM_DESTROYED',
    'ERR_STREAM_WRITE_AFTER_END',
    'ERR_SOCKET_CLOSED',
    'ERR_SOCKET_CLOSED_BEFORE_CONNECTION',
  ])('of a socket with %s is that the database is away', (code) => {
    expect(classifyDatabaseFailure(Object.assign(new Error('socket'), { code }))).toBe('away');
  });

  it.each([
    ['ENOENT', 'away'],
    ['EMFILE', 'away'],
    ['ENFILE', 'away'],
    ['ENOBUFS', 'away'],
    ['EACCES', 'denied'],
  ])('of a connection with %s is %s, of other system calls that it lasts', (code, verdict) => {
    const failure = (syscall: string) => Object.assign(new Error('system'), { code, syscall });
    expect([classifyDatabaseFailure(failure('connect')), classifyDatabaseFailure(failure('open'))]).toEqual([
      verdict,
      'lasting',
    ]);
  });

  it.each(['CERT_HAS_EXPIRED', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'ERR_TLS_CERT_ALTNAME_INVALID', 'EPROTO'])(
    'of a handshake with %s is that the service is not let in',
    (code) => {
      expect(classifyDatabaseFailure(Object.assign(new Error('tls'), { code }))).toBe('denied');
    },
  );

  it.each<[string, FailureVerdict]>([
    ['Connection terminated', 'away'],
    ['Connection terminated unexpectedly', 'away'],
    ['Connection terminated due to connection timeout', 'away'],
    ['timeout exceeded when trying to connect', 'away'],
    ['timeout expired', 'away'],
    ['Query read timeout', 'away'],
    ['Client has encountered a connection error and is not queryable', 'away'],
    ['Client was closed and is not queryable', 'away'],
    ['Cannot use a pool after calling end on the pool', 'away'],
    ['There was an error establishing an SSL connection', 'away'],
    ['The server does not support SSL connections', 'denied'],
    ['SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string', 'denied'],
    ['Query values must be an array', 'lasting'],
    ['anything else', 'lasting'],
  ])('of node-postgres with "%s" is %s', (message, verdict) => {
    expect(classifyDatabaseFailure(new Error(message))).toBe(verdict);
  });

  it('of several addresses is that of the first', () => {
    const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    expect(classifyDatabaseFailure(new AggregateError([refused, refused]))).toBe('away');
  });

  it('of a message that is not valid lasts, and of a pooler that ends the session not', () => {
    const failure = (severity: string) =>
      Object.assign(new pg.DatabaseError('protocol', 8, 'error'), { code: '08P01', severity });
    expect([classifyDatabaseFailure(failure('ERROR')), classifyDatabaseFailure(failure('FATAL'))]).toEqual([
      'lasting',
      'away',
    ]);
  });

  it('of a statement with too many parameters lasts', async () => {
    const values = Array.from({ length: 70_000 }, () => 1);
    const tooMany = `SELECT ${values.map((_, at) => `$${at + 1}::int`).join(' + ')}`;
    const session = await databasePool().connect();
    const failure = await failureOf(session.query(tooMany, values));
    session.release(true);
    expect(classifyDatabaseFailure(failure)).toBe('lasting');
  });

  it('of errors of the program and of what a user is told lasts, whatever their words', () => {
    const failures = [
      new TypeError('x is not a function'),
      new RangeError('Invalid array length'),
      new NodeFailure('CONNECTION_FAILED', 'Connection terminated unexpectedly'),
      conflictProblem('timeout expired'),
      'a text',
      undefined,
    ];
    expect(failures.map(classifyDatabaseFailure)).toEqual(failures.map(() => 'lasting'));
  });
});

describe('a server that is not there', () => {
  it('is away for each client, and its failures are told from those of other servers', async () => {
    const gone = openDatabaseConnections('postgresql://nobody@127.0.0.1:1/none');
    const failures = [
      await failureOf(gone.pool.query('SELECT 1')),
      await failureOf(gone.pool.connect()),
      await failureOf(gone.aside.query('SELECT 1')),
      await failureOf(gone.prisma.workspace.findFirst()),
      await failureOf(gone.prisma.$queryRaw`SELECT 1`),
      await failureOf(gone.prisma.$transaction((db) => db.workspace.findFirst())),
    ];
    expect(failures.map((failure) => [classifyDatabaseFailure(failure), isDatabaseUnavailable(failure)])).toEqual(
      failures.map(() => ['away', true]),
    );
    expect(isDatabaseUnavailable(Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }))).toBe(false);
    await gone.prisma.$disconnect();
    await gone.pool.end();
  });

  it('and one that refuses the password is reported to callers as 503', async () => {
    const denied = openDatabaseConnections(
      String(databasePool().options.connectionString).replace(/:[^:@]+@/, ':wrong@'),
    );
    const failures = [
      await failureOf(denied.pool.query('SELECT 1')),
      await failureOf(denied.prisma.workspace.findFirst()),
    ];
    expect(failures.map(classifyDatabaseFailure)).toEqual(['denied', 'denied']);
    const { status, headers } = toApiProblem(failures[0], 'req_1');
    expect([status, headers['Retry-After']]).toEqual([503, '5']);
    await denied.prisma.$disconnect();
    await denied.pool.end();
  });

  it('leaves a query whose connection was ended with a failure that passes', async () => {
    const client = await databasePool().connect();
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const asked = failureOf(client.query('SELECT pg_sleep(60)'));
    await databasePool().query('SELECT pg_terminate_backend($1)', [rows[0]?.pid]);
    const failure = await asked;
    client.release(true);
    expect([classifyDatabaseFailure(failure), isDatabaseUnavailable(failure)]).toEqual(['away', true]);
  });
});

describe('the answer to a caller', () => {
  it.each([
    ['53100', [503, 'INTERNAL_ERROR', '5']],
    ['57P01', [503, 'INTERNAL_ERROR', '5']],
    ['57014', [503, 'INTERNAL_ERROR', '5']],
    ['55P03', [409, 'CONFLICT', undefined]],
    ['22012', [500, 'INTERNAL_ERROR', undefined]],
  ])('after %s', async (state, told) => {
    const { status, headers, code } = toApiProblem(await failureOf(databasePool().query(raising(state))), 'req_1');
    expect([status, code, headers['Retry-After']]).toEqual(told);
  });
});
