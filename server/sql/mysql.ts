import mysql from 'mysql2';
import { OutboundSocket } from '@/server/outbound/socket';
import { inTime } from '@/server/pools/in-time';
import { CONNECT_MS } from '@/server/pools/pool';
import { Intake, MAX_RECEIVED } from './intake';
import { MAX_COLUMNS, tooManyColumns } from './postgres-messages';
import { boundValue, readValue, withServerTimes, type MysqlColumn } from './mysql-values';
import type { ResultRows } from './result-rows';
import type { DatabaseServer, Session } from './session';
import type { Statement } from './statement';

/** Parts of the driver that its types leave out. */
interface Internals {
  packetParser: { execute(chunk: Buffer): void };
  stream: { destroy(): unknown };
}

/** What a statement without rows answers; also the end of a CALL. */
interface Header {
  affectedRows: number;
}

function driverOf(server: DatabaseServer): { connection: mysql.Connection & Internals; intake: Intake } {
  const { host, port, database, username, password, tls, ca } = server;
  const socket = new OutboundSocket(server);
  const intake = new Intake((error) => socket.destroy(error));
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
    // `inTime` limits it.
    connectTimeout: 0,
  }) as mysql.Connection & Internals;
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
const answered = <Result>(ask: (callback: (error: Error | null, result?: Result) => void) => unknown) =>
  new Promise<Result | undefined>((resolve, reject) => {
    ask((error, result) => (error ? reject(error) : resolve(result)));
  });

const columnOf = (field: MysqlColumn) => ({ name: field.name, read: (value: unknown) => readValue(value, field) });

const isHeader = (row: unknown): row is Header => !Array.isArray(row);

class MysqlSession implements Session {
  isUsable = true;
  private threadId = '0';
  private isMariaDb = false;
  private ending: Error | undefined;
  private onEnd: (error: Error) => void = () => undefined;

  constructor(
    private readonly server: DatabaseServer,
    private readonly connection: mysql.Connection & Internals,
    private readonly intake: Intake,
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
    const answer = answered<Result>((callback) =>
      this.connection.query({ sql: text }, (error, result) => callback(error, result as Result)),
    );
    return this.whileOpen(answer);
  }

  async run({ text }: Statement, values: unknown[], rows: ResultRows): Promise<void> {
    for (let bound: unknown[] | undefined = values.map(boundValue); bound;) {
      const given: unknown[] = bound;
      bound = await this.whileOpen(this.read(text, given, rows)).then(
        () => undefined,
        (error: unknown) => {
          const next = withServerTimes(text, given, error);
          if (!next) throw error;
          return next;
        },
      );
    }
  }

  private async read(text: string, bound: unknown[], rows: ResultRows): Promise<void> {
    this.intake.permit(MAX_RECEIVED);
    const command = this.connection.execute({ sql: text, values: bound as string[] });
    // A CALL has several results: the rows of its first one count.
    const ofLaterResults = new WeakSet<object>();
    let hasColumns = false;
    command.on('fields', (fields: MysqlColumn[] | undefined) => {
      if (fields && fields.length > MAX_COLUMNS) return this.intake.fail(tooManyColumns());
      if (fields && !hasColumns) rows.begin(fields.map(columnOf));
      hasColumns = true;
    });
    command.on('result', (row: object, index?: number) => {
      if (index) ofLaterResults.add(row);
    });
    let affected: number | null = null;
    for await (const row of command.stream() as AsyncIterable<unknown[] | Header>) {
      if (isHeader(row)) affected = row.affectedRows;
      else if (!ofLaterResults.has(row)) await rows.add(row);
      if (rows.isDiscarding) this.intake.permit(MAX_RECEIVED);
    }
    rows.end(affected);
  }

  async reset(): Promise<void> {
    this.intake.permit();
    await this.whileOpen(answered((callback) => this.connection.reset(callback)));
  }

  /** KILL QUERY by a second connection: a user may stop own statements. */
  async cancel(): Promise<void> {
    const other = await openMysql(this.server).catch(() => undefined);
    await other?.kill(this.threadId);
    other?.close();
  }

  private async kill(threadId: string): Promise<void> {
    await inTime(this.query(`KILL QUERY ${threadId}`), CONNECT_MS).catch(() => undefined);
  }

  close(): void {
    this.end(new Error('the connection was closed'));
    this.connection.destroy();
    this.connection.stream.destroy();
  }
}

/** Connects and signs in. Throws errors of the driver. */
export async function openMysql(server: DatabaseServer): Promise<MysqlSession> {
  const { connection, intake } = driverOf(server);
  const session = new MysqlSession(server, connection, intake);
  try {
    await inTime(
      answered((callback) => connection.connect(callback)).then(() => session.identify()),
      CONNECT_MS,
    );
  } catch (error) {
    session.close();
    throw intake.failure ?? error;
  }
  return session;
}
