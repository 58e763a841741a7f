import { isIP } from 'node:net';
import pg from 'pg';
import Cursor from 'pg-cursor';
import { OutboundSocket } from '@/server/network/outbound/socket';
import { withinTimeout } from '@/server/network/pools/in-time';
import { SESSION_CONNECT_TIMEOUT_MS } from '@/server/network/pools/pool';
import { ServerByteGuard, MAX_RESULT_BYTES_RECEIVED } from './server-byte-guard';
import { toPostgresParameter, postgresValueReader } from './postgres-values';
import { PostgresMessageCheck } from './postgres-messages';
import type { SqlResultRows } from './result-rows';
import type { DatabaseServer, SqlSession } from './session';
import type { ParsedStatement } from './statement';

/** The number of rows that are requested at a time. */
const CURSOR_BATCH_ROWS = 100;

/** Parts of the driver that its types leave out. */
interface PostgresWire extends pg.Connection {
  connect(): void;
  requestSsl(): void;
  cancel(processId: number, secretKey: number): void;
  attachListeners(stream: ByteSource): void;
}
interface ByteSource {
  on(event: string, listener: (chunk: Buffer) => void): unknown;
}
interface BackendKey {
  processID: number;
  secretKey: number;
}

/** The statements that PREPARE accepts. */
const DESCRIBABLE_STATEMENT = /^\s*(?:SELECT|INSERT|UPDATE|DELETE|MERGE|WITH|VALUES)\b/i;

/** Values reach `SqlResultRows` as text. */
const RAW_TEXT_TYPES = { getTypeParser: () => (value: unknown) => value };

/** A portal whose rows are read in batches. COPY needs a stream, which a node does not have. */
class RowCursor extends Cursor<unknown[]> {
  handleCopyInResponse(connection: { sendCopyFail(reason: string): void }): void {
    connection.sendCopyFail('COPY FROM STDIN is not supported');
  }

  handleCopyData(): void {}
}

function postgresTlsOptions({ host, tls, ca }: DatabaseServer) {
  if (tls === 'off') return false;
  // Names are verified against `servername`, addresses against `host`.
  return { rejectUnauthorized: tls === 'verify', ca, ...(isIP(host) ? { host } : { servername: host }) };
}

function createPostgresWire(
  server: DatabaseServer,
  intake: (socket: OutboundSocket) => ServerByteGuard,
): { wire: PostgresWire; intake: ServerByteGuard } {
  const socket = new OutboundSocket(server);
  const own = intake(socket);
  const wire = new pg.Connection({ stream: () => socket, ssl: postgresTlsOptions(server) } as never) as PostgresWire;
  const attach = wire.attachListeners.bind(wire);
  // The parser throws at malformed messages, inside a listener.
  wire.attachListeners = (stream) =>
    attach({
      on: (event, listener) =>
        stream.on(event, event === 'data' ? (chunk: Buffer) => own.receive(chunk, listener) : listener),
    });
  return { wire, intake: own };
}

class PostgresSession implements SqlSession {
  isUsable = true;

  constructor(
    private readonly server: DatabaseServer,
    private readonly client: pg.Client & Partial<BackendKey>,
    private readonly intake: ServerByteGuard,
    private readonly socket: () => { destroy(): unknown },
  ) {
    client.once('end', () => (this.isUsable = false));
  }

  get failure(): Error | undefined {
    return this.intake.failure;
  }

  prepare(timeoutMs: number, isTransaction: boolean): Promise<void> {
    return this.command(
      `SET statement_timeout = ${Math.ceil(timeoutMs)}; SET TimeZone = 'UTC'; SET DateStyle = 'ISO, MDY'; ` +
        `SET IntervalStyle = 'iso_8601'; SET bytea_output = 'hex'; SET extra_float_digits = 1${isTransaction ? '; BEGIN' : ''}`,
    );
  }

  commit(): Promise<void> {
    return this.command('COMMIT');
  }

  private async command(text: string): Promise<void> {
    this.intake.permit();
    await this.client.query(text);
  }

  /** The types of the parameters of a statement, as the server derives them. */
  private async parameterTypes(text: string): Promise<number[]> {
    const name = 'weft_parameters';
    this.intake.permit();
    // The extended protocol ensures that the text is a single statement.
    await this.client.query({ text: `PREPARE ${name} AS ${text}`, queryMode: 'extended' } as pg.QueryConfig);
    const { rows } = await this.client.query<{ types: string }>(
      `SELECT array_to_json(parameter_types::oid[])::text AS types FROM pg_prepared_statements WHERE name = '${name}'`,
    );
    await this.client.query(`DEALLOCATE ${name}`);
    return (JSON.parse(rows[0]?.types ?? '[]') as unknown[]).map(Number);
  }

  async run({ text }: ParsedStatement, values: unknown[], rows: SqlResultRows): Promise<void> {
    // A list is an array or JSON: the type of its parameter decides.
    const types = values.some(Array.isArray) && DESCRIBABLE_STATEMENT.test(text) ? await this.parameterTypes(text) : [];
    this.intake.permit(MAX_RESULT_BYTES_RECEIVED);
    const bound = values.map((value, index) => toPostgresParameter(value, types[index]));
    const cursor = this.client.query(new RowCursor(text, bound, { rowMode: 'array', types: RAW_TEXT_TYPES as never }));
    for (let hasBegun = false; ;) {
      const { batch, result } = await readCursorBatch(cursor);
      if (!hasBegun) rows.begin(result.fields.map(({ name, dataTypeID }) => toPostgresColumn(name, dataTypeID)));
      hasBegun = true;
      for (const row of batch) await rows.add(row);
      if (batch.length < CURSOR_BATCH_ROWS) return rows.end(result.rowCount);
      if (rows.isDiscarding) this.intake.permit(MAX_RESULT_BYTES_RECEIVED);
    }
  }

  async reset(): Promise<void> {
    // Outside of a transaction a ROLLBACK only warns; DISCARD ALL is refused inside of one.
    await this.command('ROLLBACK');
    await this.command('DISCARD ALL');
  }

  /** A CancelRequest of the protocol, encrypted like the session. */
  async cancel(): Promise<void> {
    const { processID = 0, secretKey = 0 } = this.client;
    const { wire } = createPostgresWire(this.server, (socket) => new ServerByteGuard(() => socket.destroy()));
    const done = new Promise<void>((resolve) => {
      wire.once('error', () => resolve());
      wire.once('end', () => resolve());
    });
    wire.on('error', () => undefined);
    const send = () => wire.cancel(processID, secretKey);
    wire.once('connect', () => (this.server.tls === 'off' ? send() : wire.requestSsl()));
    wire.once('sslconnect', send);
    wire.connect();
    await withinTimeout(done, SESSION_CONNECT_TIMEOUT_MS).catch(() => undefined);
    wire.stream.destroy();
  }

  close(): void {
    this.isUsable = false;
    this.socket().destroy();
  }
}

const toPostgresColumn = (name: string, oid: number) => {
  const read = postgresValueReader(oid);
  return { name, read: (value: unknown) => read(String(value)) };
};

const readCursorBatch = (cursor: RowCursor) =>
  new Promise<{ batch: unknown[][]; result: pg.QueryResult }>((resolve, reject) => {
    cursor.read(CURSOR_BATCH_ROWS, (error, batch, result) => (error ? reject(error) : resolve({ batch, result })));
  });

/** Connects and signs in. Throws errors of the driver. */
export async function openPostgresSession(server: DatabaseServer): Promise<SqlSession> {
  const { host, port, database, username, password } = server;
  const { wire, intake } = createPostgresWire(
    server,
    (socket) => new ServerByteGuard((error) => socket.destroy(error), new PostgresMessageCheck().check),
  );
  // A function, because the driver looks for an empty password in the environment.
  const options = {
    host,
    port,
    database,
    user: username,
    password: () => password,
    ssl: postgresTlsOptions(server),
    connection: wire,
  };
  const client = new pg.Client(options);
  // Errors are reported by the statements.
  client.on('error', () => undefined);
  const session = new PostgresSession(server, client, intake, () => wire.stream);
  try {
    await withinTimeout(client.connect(), SESSION_CONNECT_TIMEOUT_MS);
  } catch (error) {
    session.close();
    throw intake.failure ?? error;
  }
  return session;
}
