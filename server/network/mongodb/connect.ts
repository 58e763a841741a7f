import type { MongoServerConfig } from '@/contract/credentials/mongodb';
import { parseMongoAddress, type MongoAddress, type MongoHost } from '@/contract/credentials/mongodb-address';
import { withinTimeout } from '@/server/network/pools/in-time';
import { SESSION_CONNECT_TIMEOUT_MS } from '@/server/network/pools/pool';
import { NodeFailure } from '@/server/platform/errors/node-failure';
import { findListedMembers } from './listed-members';
import { MongoSession } from './session';
import type { MongoUser } from './scram';

/** A deployment, and on whose behalf it is called. */
export interface MongoServer extends MongoServerConfig {
  workspaceId: string;
}

/** Members that are tried until one takes writes, and milliseconds for one of several. */
const MAX_TRIED_MEMBERS = 20;
const MEMBER_CONNECT_TIMEOUT_MS = 3000;

/** The address of a credential. Throws NodeFailure CONNECTION_FAILED. */
export function readMongoAddress(config: MongoServerConfig): MongoAddress {
  const { connectionString, host = '', port, username, password, tls } = config;
  if (connectionString === undefined) {
    const user = username === undefined ? {} : { username, password: password ?? '' };
    return { hosts: [{ host, port }], isListedByDns: false, isDirect: false, tls, ...user };
  }
  const address = parseMongoAddress(connectionString);
  if ('problem' in address)
    throw new NodeFailure('CONNECTION_FAILED', `The connection string ${address.problem}.`, false);
  return address;
}

/** The database that a node uses unless it names one. */
export const findUsualDatabase = (config: MongoServerConfig): string | undefined =>
  config.database ?? readMongoAddress(config).database;

/** A member as the server names it: `host:port`. */
function readMemberName(text: string): MongoHost | undefined {
  const [, host, port] = /^\[?([a-z0-9._:-]{1,253}?)\]?:(\d{1,5})$/i.exec(text) ?? [];
  return host === undefined ? undefined : { host, port: Number(port) };
}

function findMongoUser({ username, password }: MongoAddress, source: string | undefined): MongoUser | undefined {
  return username === undefined ? undefined : { username, password: password ?? '', source: source ?? 'admin' };
}

/**
 * Connects to the member that takes writes, and signs in. Each member, also one that another has named, is looked up
 * and checked like any other host. Throws NodeFailure, MongoServerError and errors of Node.js.
 */
export async function openMongoSession(server: MongoServer): Promise<MongoSession> {
  const opening = new PrimarySearch(server);
  try {
    return await withinTimeout(opening.run(), SESSION_CONNECT_TIMEOUT_MS);
  } catch (error) {
    opening.stop();
    throw error;
  }
}

class PrimarySearch {
  private session: MongoSession | undefined;
  private isStopped = false;

  constructor(private readonly server: MongoServer) {}

  stop(): void {
    this.isStopped = true;
    this.session?.close();
  }

  async run(): Promise<MongoSession> {
    const { workspaceId } = this.server;
    const address = readMongoAddress(this.server);
    const [{ host: name = '' } = {}] = address.hosts;
    const listed = address.isListedByDns ? await findListedMembers(workspaceId, name) : undefined;
    const waiting = [...(listed?.hosts ?? address.hosts)];
    // Where the user is known: what the credential says, then DNS, then the database of the connection string.
    const source = this.server.connectionString === undefined ? this.server.authSource : address.authSource;
    const user = findMongoUser(address, source ?? listed?.authSource ?? address.database);
    const tried = new Set<string>();
    let problem: unknown;
    for (let member = waiting.shift(); member; member = waiting.shift()) {
      const key = `${member.host}:${member.port}`.toLowerCase();
      if (tried.has(key)) continue;
      if (tried.size === MAX_TRIED_MEMBERS || this.isStopped) break;
      tried.add(key);
      try {
        const primary = await this.tryMember(member, address, user, waiting.length > 0);
        if (primary instanceof MongoSession) return primary;
        if (primary) waiting.unshift(primary);
      } catch (error) {
        problem = error;
        this.session?.close();
      }
    }
    throw problem ?? new NodeFailure('CONNECTION_FAILED', 'No member of the replica set takes writes at the moment.');
  }

  /** A session that takes writes, or the member that does, if this one knows it. */
  private async tryMember(
    member: MongoHost,
    { tls, isDirect, mechanism }: MongoAddress,
    user: MongoUser | undefined,
    hasOthers: boolean,
  ): Promise<MongoSession | MongoHost | undefined> {
    const { workspaceId, ca } = this.server;
    const session = new MongoSession({ ...member, workspaceId, tls, ca });
    this.session = session;
    const greeting = session.connect().then(() => session.greet(user));
    const role = await (hasOthers ? withinTimeout(greeting, MEMBER_CONNECT_TIMEOUT_MS) : greeting);
    if (!role.isWritable && !isDirect) {
      session.close();
      return role.primary === undefined ? undefined : readMemberName(role.primary);
    }
    const offered = role.mechanisms.includes('SCRAM-SHA-256') ? 'SCRAM-SHA-256' : 'SCRAM-SHA-1';
    if (user) await session.signIn(user, mechanism ?? offered);
    return session;
  }
}
