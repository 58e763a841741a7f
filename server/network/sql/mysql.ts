import mysql from 'mysql2';
import { OutboundSocket } from '@/server/network/outbound/socket';
import { withinTimeout } from '@/server/network/pools/in-time';
import { SESSION_CONNECT_TIMEOUT_MS } from '@/server/network/pools/pool';
import { ServerByteGuard, MAX_RESULT_BYTES_RECEIVED } from './server-byte-guard';
import { MAX_RESULT_COLUMNS, tooManyColumnsFailure } from './postgres-messages';
import { toMysqlParameter, readMysqlValue, replaceRefusedTimes, type MysqlColumn } from './mysql-values';
import type { SqlResultRows } from './result-rows';
import type { DatabaseServer, SqlSession } from './session';
import type { ParsedStatement } from './statement';

/** Parts of the driver that its types leave out. */
interface MysqlDriverInternals {
  packetParser: { execute(chunk: Buffer): void };
  stream: { destroy(): unknown };
}

/** The response to a statement without rows, which is also the end of a CALL. */
interface MysqlResultHeader {
  affectedRows: number;
}

function createMysqlDriver(server: DatabaseServer): {
  connection: mysql.Connection & MysqlDriverInternals;
  intake: ServerByteGuard;
} {
  const { host, port, database, username, password, tls, ca } = server;
  const socket = new OutboundSocket(server);
  const intake = new ServerByteGuard((error) => socket.destroy(error));
  const isVerified = tls === 'verify';
  const connection = mysql.createConnection({
    host,
    port,
    database,
    user: username,
    password,
    stream: () => socket.connect(),
    ssl: tls === 'off' ? undefined : { rejectUnauthorized: isVerified, verifyIdentity: isVerified, ca },
    charset: 'utf8mb4',
    multipleStatements: false,
    flags: ['-LOCAL_FILES'],
    // No code is generated from what the server sends.
    disableEval: true,
    rowsAsArray: true,
    dateStrings: true,
    supportBigNumbers: true,
    bigNumberStrings: true,
    jsonStrings: true,
    maxPreparedStatements: 20,
    // `withinTimeout` limits it.
    connectTimeout: 0,
  }) as mysql.Connection & MysqlDriverInternals;
  // Errors are reported by the statements.
  connection.on('error', () => undefined);
  // Packets out of order: the driver would write a line to stderr for each.
  (connection as NodeJS.EventEmitter).on('warn', (error: Error) => {
    throw error;
  });
  const parser = connection.packetParser;
  const parse = (received: Buffer) => parser.execute(received);
  connection.packetParser = { execute: (chunk) => intake.receive(chunk, parse) };
  return { connection, intake };
}

/** A promise for what the driver passes to a callback. */
const promiseOfCallback = <Result>(ask: (callback: (error: Error | null, result?: Result) => void) => unknown) =>
  new Promise<Result | undefined>((resolve, reject) => {
    ask((error, result) => (error ? reject(error) : resolve(result)));
  });

const toMysqlColumn = (field: MysqlColumn) => ({
  name: field.name,
  read: (value: unknown) => readMysqlValue(value, field),
});

const isResultHeader = (row: unknown): row is MysqlResultHeader => !Array.isArray(row);

class MysqlSession implements SqlSession {
  isUsable = true;
  private threadId = '0';
  private isMariaDb = false;
  private ending: Error | undefined;
  private onEnd: (error: Error) => void = () => undefined;

  constructor(
    private readonly server: DatabaseServer,
    private readonly connection: mysql.Connection & MysqlDriverInternals,
    private readonly intake: ServerByteGuard,
  ) {
    connection.on('error', (error) => this.end(error));
    connection.on('end', () => this.end(new Error('the server closed the connection')));
  }

  private end(error: Error): void {
    this.isUsable = false;
    this.ending ??= error;
    this.onEnd(error);
  }

  /** The driver does not tell every command that its connection has ended. */
  private whileOpen<Result>(work: Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.onEnd = reject;
      if (this.ending) reject(this.ending);
      work.then(resolve, reject);
    });
  }

  get failure(): Error | undefined {
    return this.intake.failure;
  }

  /** Reads what later commands depend on. */
  async identify(): Promise<void> {
    const rows = await this.query<[[string, string]]>('SELECT CAST(CONNECTION_ID() AS CHAR), VERSION()');
    const [[id, version] = ['0', '']] = rows ?? [];
    this.threadId = /^\d+$/.test(id) ? id : '0';
    this.isMariaDb = /mariadb/i.test(version);
  }

  async prepare(timeoutMs: number, isTransaction: boolean): Promise<void> {
    const limit = this.isMariaDb
      ? `max_statement_time = ${timeoutMs / 1000}`
      : `max_execution_time = ${Math.ceil(timeoutMs)}`;
    await this.query(`SET SESSION ${limit}, time_zone = '+00:00'`);
    if (isTransaction) await this.query('START TRANSACTION');
  }

  async commit(): Promise<void> {
    await this.query('COMMIT');
  }

  private query<Result>(text: string): Promise<Result | undefined> {
    this.intake.permit();
    const answer = promiseOfCallback<Result>((callback) =>
      this.connection.query({ sql: text }, (error, result) => callback(error, result as Result)),
    );
    return this.whileOpen(answer);
  }

  async run({ text }: ParsedStatement, values: unknown[], rows: SqlResultRows): Promise<void> {
    for (let bound: unknown[] | undefined = values.map(toMysqlParameter); bound;) {
      const given: unknown[] = bound;
      bound = await this.whileOpen(this.read(text, given, rows)).then(
        () => undefined,
        (error: unknown) => {
          const next = replaceRefusedTimes(text, given, error);
          if (!next) throw error;
          return next;
        },
      );
    }
  }

  private async read(text: string, bound: unknown[], rows: SqlResultRows): Promise<void> {
    this.intake.permit(MAX_RESULT_BYTES_RECEIVED);
    const command = this.connection.execute({ sql: text, values: bound as string[] });
    // A CALL has several results: the rows of its first one count.
    const ofLaterResults = new WeakSet<object>();
    let hasColumns = false;
    command.on('fields', (fields: MysqlColumn[] | undefined) => {
      if (fields && fields.length > MAX_RESULT_COLUMNS) return this.intake.fail(tooManyColumnsFailure());
      if (fields && !hasColumns) rows.begin(fields.map(toMysqlColumn));
      hasColumns = true;
    });
    command.on('result', (row: object, index?: number) => {
      if (index) ofLaterResults.add(row);
    });
    let affected: number | null = null;
    for await (const row of command.stream() as AsyncIterable<unknown[] | MysqlResultHeader>) {
      if (isResultHeader(row)) affected = row.affectedRows;
      else if (!ofLaterResults.has(row)) await rows.add(row);
      if (rows.isDiscarding) this.intake.permit(MAX_RESULT_BYTES_RECEIVED);
    }
    rows.end(affected);
  }

  async reset(): Promise<void> {
    this.intake.permit();
    await this.whileOpen(promiseOfCallback((callback) => this.connection.reset(callback)));
  }

  /** KILL QUERY by a second connection: a user may stop own statements. */
  async cancel(): Promise<void> {
    const other = await openMysqlSession(this.server).catch(() => undefined);
    await other?.kill(this.threadId);
    other?.close();
  }

  private async kill(threadId: string): Promise<void> {
    await withinTimeout(this.query(`KILL QUERY ${threadId}`), SESSION_CONNECT_TIMEOUT_MS).catch(() => undefined);
  }

  close(): void {
    this.end(new Error('the connection was closed'));
    this.connection.destroy();
    this.connection.stream.destroy();
  }
}

/** Connects and signs in. Throws errors of the driver. */
export async function openMysqlSession(server: DatabaseServer): Promise<MysqlSession> {
  const { connection, intake } = createMysqlDriver(server);
  const session = new MysqlSession(server, connection, intake);
  try {
    await withinTimeout(
      promiseOfCallback((callback) => connection.connect(callback)).then(() => session.identify()),
      SESSION_CONNECT_TIMEOUT_MS,
    );
  } catch (error) {
    session.close();
    throw intake.failure ?? error;
  }
  return session;
}
