import { randomUUID } from 'node:crypto';
import { PrismaPg } from '@prisma/adapter-pg';
import { ColumnTypeEnum } from '@prisma/driver-adapter-utils';
import pg from 'pg';

const CHAR = 18;
const BPCHAR = 1042;

/** The parts of an address; a connection string would lead the shadow database back to the main one. */
export function connectionOf(url = 'postgresql://nowhere/none') {
  const { hostname, port, username, password, pathname, searchParams } = new URL(url);
  return {
    host: hostname,
    port: Number(port || 5432),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    database: decodeURIComponent(pathname.slice(1)),
    ssl: searchParams.get('sslmode') === 'require' ? { rejectUnauthorized: false } : undefined,
  };
}

/** One statement on a maintenance connection of the server. */
export async function administer(url, sql, database = 'postgres') {
  const client = new pg.Client({ ...connectionOf(url), database });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

/** Prisma's PostgreSQL adapter without the three faults that show up in migrations. */
export class MigrationAdapter extends PrismaPg {
  #url;
  #connection;
  #shadows = new Set();

  constructor(url, connection = connectionOf(url)) {
    super(connection, { schema: (url && new URL(url).searchParams.get('schema')) || undefined });
    this.#url = url;
    this.#connection = connection;
  }

  async connect() {
    return repair(await super.connect());
  }

  /** The original drops the database while its own pool is still connected. */
  async connectToShadowDb() {
    const database = `prisma_migrate_shadow_db_${randomUUID()}`;
    await administer(this.#url, `CREATE DATABASE "${database}" TEMPLATE template0`);
    const adapter = await new MigrationAdapter(this.#url, { ...this.#connection, database }).connect();
    const disconnect = adapter.dispose.bind(adapter);
    adapter.dispose = async () => {
      if (!this.#shadows.delete(adapter)) return;
      await disconnect();
      await administer(this.#url, `DROP DATABASE IF EXISTS "${database}" WITH (FORCE)`);
    };
    this.#shadows.add(adapter);
    return adapter;
  }

  async dropShadows() {
    for (const shadow of this.#shadows) await shadow.dispose();
  }
}

/** The catalogue's "char" type is unknown to the adapter, and its scripts are split at every semicolon. */
function repair(adapter) {
  const perform = adapter.performIO.bind(adapter);
  const query = adapter.queryRaw.bind(adapter);
  const chars = new WeakMap();
  adapter.performIO = async (statement) => {
    const result = await perform(statement);
    chars.set(
      statement,
      result.fields.map((field) => field.dataTypeID === CHAR),
    );
    for (const field of result.fields) if (field.dataTypeID === CHAR) field.dataTypeID = BPCHAR;
    return result;
  };
  adapter.queryRaw = async (statement) => {
    const result = await query(statement);
    chars.get(statement)?.forEach((isChar, column) => {
      if (isChar) result.columnTypes[column] = ColumnTypeEnum.Character;
    });
    return result;
  };
  adapter.executeScript = async (script) => {
    try {
      await adapter.client.query(script);
    } catch (error) {
      adapter.onError(error);
    }
  };
  return adapter;
}
