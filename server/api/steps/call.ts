import type { Db } from '../../db/client';
import type { Incoming } from '../incoming';
import type { Access, CallOf, Facts } from '../operation';
import type { Identity } from './identify';
import { userAgentOf, type Entry } from './record';

interface Place {
  rawBody: Uint8Array;
  db: Db;
  inTransaction: boolean;
  /** What waits for the commit. */
  later: (() => Promise<unknown>)[];
}

/** What a handler may know and do. The steps before have seen to it that what the operation's access promises is there. */
export const callOf = (
  { requestId, ipAddress, headers, rawQuery }: Incoming,
  { person, caller, webhook }: Identity,
  entry: Entry,
  { rawBody, db, inTransaction, later }: Place,
): CallOf<Access> =>
  ({
    rawBody,
    db,
    inTransaction,
    requestId,
    ipAddress,
    rawQuery,
    userAgent: userAgentOf(headers),
    headers,
    person,
    caller,
    webhook,
    note: (facts: Facts) => entry.note(facts),
    afterwards: (work: () => Promise<unknown>) => later.push(work),
    auditEntry: () => entry.row(),
  }) as CallOf<Access>;
