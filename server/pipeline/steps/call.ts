import type { Db } from '@/server/db/client';
import type { Incoming } from '@/server/api/incoming';
import type { Access, CallOf, Facts } from '@/server/api/operation';
import type { Spool } from '@/server/files/spool';
import type { Identity } from './identify';
import { userAgentOf, type Entry } from './record';

interface Place {
  rawBody: Uint8Array;
  spool: Spool | null;
  db: Db;
  inTransaction: boolean;
  /** Work to do after the commit. */
  later: (() => Promise<unknown>)[];
}

/** The context of a handler. The earlier steps guarantee what the operation's access promises. */
export const callOf = (
  { requestId, ipAddress, headers, method, path, rawQuery, connection }: Incoming,
  { person, caller, webhook }: Identity,
  entry: Entry,
  { rawBody, spool, db, inTransaction, later }: Place,
): CallOf<Access> =>
  ({
    rawBody,
    spool,
    db,
    inTransaction,
    requestId,
    ipAddress,
    method,
    path,
    rawQuery,
    connection,
    userAgent: userAgentOf(headers),
    headers,
    person,
    caller,
    webhook,
    note: (facts: Facts) => entry.note(facts),
    afterwards: (work: () => Promise<unknown>) => later.push(work),
    auditEntry: () => entry.row(),
  }) as CallOf<Access>;
