import { isIP } from 'node:net';
import pg from 'pg';
import Cursor from 'pg-cursor';
import { OutboundSocket } from '@/server/outbound/socket';
import { inTime } from '@/server/pools/in-time';
import { CONNECT_MS } from '@/server/pools/pool';
import { Intake, MAX_RECEIVED } from './intake';
import { boundValue, readerOf } from './postgres-values';
import { MessageCheck } from './postgres-messages';
import type { ResultRows } from './result-rows';
import type { DatabaseServer, Session } from './session';
import type { Statement } from './statement';

/** Rows that are requested at a time. */
const BATCH = 100;

/** Parts of the driver that its types leave out. */
interface Wire extends pg.Connection {
  connect(): void;
  requestSsl(): void;
  cancel(processId: number, secretKey: number): void;
  attachListeners(stream: Source): void;
}
interface Source {
  on(event: string, listener: (chunk: Buffer) => void): unknown;
}
interface Backend {
  processID: number;
  secretKey: number;
}

/** What PREPARE takes. */
const DESCRIBABLE = /^\s*(?:SELECT|INSERT|UPDATE|DELETE|MERGE|WITH|VALUES)\b/i;

/** Values reach `ResultRows` as text. */
const RAW = { getTypeParser: () => (value: unknown) => value };

/** A portal whose rows are read in batches. COPY needs a stream, which a node does not have. */
class RowCursor extends Cursor<unknown[]> {
  handleCopyInResponse(connection: { sendCopyFail(reason: string): void }): void {
    connection.sendCopyFail('COPY FROM STDIN is not supported');
  }

  handleCopyData(): void {}
}

function tlsOf({ host, tls, ca }: DatabaseServer) {
  if (tls === 'off') return false;
  // Names are verified against `servername`, addresses against `host`.
  return { rejectUnauthorized: tls === 'verify', ca, ...(isIP(host) ? { host } : { servername: host }) };
}

function wireTo(server: DatabaseServer, intake: (socket: OutboundSocket) => Intake): { wire: Wire; intake: Intake } {
  const socket = new OutboundSocket(server);
  const own = intake(socket);
  const wire = new pg.Connection({ stream: () => socket, ssl: tlsOf(server) } as never) as Wire;
  const attach = wire.attachListeners.bind(wire);
  // The parser throws at malformed messages, inside a listener.
  wire.attachListeners = (stream) =>
    attach({
      on: (event, listener) =>
        stream.on(event, event === 'data' ? (chunk: Buffer) => own.receive(chunk, listener) : listener),
    });
  return { wire, intake: own };
}

class PostgresSession implements Session {
  isUsable = true;

  constructor(
    private readonly server: DatabaseServer,
    private readonly client: pg.Client & Partial<Backend>,
    private readonly intake: Intake,
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
    // As one statement, which the protocol of prepared ones ensures.
    await this.client.query({ text: `PREPARE ${name} AS ${text}`, queryMode: 'extended' } as pg.QueryConfig);
    const { rows } = await this.client.query<{ types: string }>(
      `SELECT array_to_json(parameter_types::oid[])::text AS types FROM pg_prepared_statements WHERE name = '${name}'`,
    );
    await this.client.query(`DEALLOCATE ${name}`);
    return (JSON.parse(rows[0]?.types ?? '[]') as unknown[]).map(Number);
  }

  async run({ text }: Statement, values: unknown[], rows: ResultRows): Promise<void> {
    // A list is an array or JSON: the type of its parameter decides.
    const types = values.some(Array.isArray) && DESCRIBABLE.test(text) ? await this.parameterTypes(text) : [];
    this.intake.permit(MAX_RECEIVED);
    const bound = values.map((value, index) => boundValue(value, types[index]));
    const cursor = this.client.query(new RowCursor(text, bound, { rowMode: 'array', types: RAW as never }));
    for (let hasBegun = false; ;) {
      const { batch, result } = await nextBatch(cursor);
      if (!hasBegun) rows.begin(result.fields.map(({ name, dataTypeID }) => columnOf(name, dataTypeID)));
      hasBegun = true;
      for (const row of batch) await rows.add(row);
      if (batch.length < BATCH) return rows.end(result.rowCount);
      if (rows.isDiscarding) this.intake.permit(MAX_RECEIVED);
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
    const { wire } = wireTo(this.server, (socket) => new Intake(() => socket.destroy()));
    const done = new Promise<void>((resolve) => {
      wire.once('error', () => resolve());
      wire.once('end', () => resolve());
    });
    wire.on('error', () => undefined);
    const send = () => wire.cancel(processID, secretKey);
    wire.once('connect', () => (this.server.tls === 'off' ? send() : wire.requestSsl()));
    wire.once('sslconnect', send);
    wire.connect();
    await inTime(done, CONNECT_MS).catch(() => undefined);
    wire.stream.destroy();
  }

  close(): void {
    this.isUsable = false;
    this.socket().destroy();
  }
}

const columnOf = (name: string, oid: number) => {
  const read = readerOf(oid);
  return { name, read: (value: unknown) => read(String(value)) };
};

const nextBatch = (cursor: RowCursor) =>
  new Promise<{ batch: unknown[][]; result: pg.QueryResult }>((resolve, reject) => {
    cursor.read(BATCH, (error, batch, result) => (error ? reject(error) : resolve({ batch, result })));
  });

/** Connects and signs in. Throws errors of the driver. */
export async function openPostgres(server: DatabaseServer): Promise<Session> {
  const { host, port, database, username, password } = server;
  const { wire, intake } = wireTo(
    server,
    (socket) => new Intake((error) => socket.destroy(error), new MessageCheck().check),
  );
  // A function, because the driver looks for an empty password in the environment.
  const options = {
    host,
    port,
    database,
    user: username,
    password: () => password,
    ssl: tlsOf(server),
    connection: wire,
  };
  const client = new pg.Client(options);
  // Errors are reported by the statements.
  client.on('error', () => undefined);
  const session = new PostgresSession(server, client, intake, () => wire.stream);
  try {
    await inTime(client.connect(), CONNECT_MS);
  } catch (error) {
    session.close();
    throw intake.failure ?? error;
  }
  return session;
}
