import type { DatabaseClient } from '@/server/platform/db/client';
import type { IncomingCall } from '@/server/api/operation/incoming';
import type { OperationAccess, CallWithAccess, AuditNote } from '@/server/api/operation/operation';
import type { SpooledFile } from '@/server/data/files/spool';
import type { CallIdentity } from './identify';
import { readUserAgent, type CallAuditEntry } from './record';

interface CallResources {
  rawBody: Uint8Array;
  spool: SpooledFile | null;
  db: DatabaseClient;
  inTransaction: boolean;
  /** Work to do after the commit. */
  later: (() => Promise<unknown>)[];
}

/** The context of a handler. The earlier steps guarantee what the operation's access promises. */
export const buildOperationCall = (
  { requestId, ipAddress, headers, method, path, rawQuery, connection }: IncomingCall,
  { person, caller, webhook }: CallIdentity,
  entry: CallAuditEntry,
  { rawBody, spool, db, inTransaction, later }: CallResources,
): CallWithAccess<OperationAccess> =>
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
    userAgent: readUserAgent(headers),
    headers,
    person,
    caller,
    webhook,
    note: (facts: AuditNote) => entry.note(facts),
    afterwards: (work: () => Promise<unknown>) => later.push(work),
    auditEntry: () => entry.row(),
  }) as CallWithAccess<OperationAccess>;
