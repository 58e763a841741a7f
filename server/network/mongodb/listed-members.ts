import { Resolver } from 'node:dns/promises';
import type { MongoHost } from '@/contract/credentials/mongodb-address';
import { readMongoOptions } from '@/contract/credentials/mongodb-address';
import { nameResolver } from '@/server/network/outbound/names';
import { getRuntime } from '@/server/platform/runtime';
import { NodeFailure } from '@/server/platform/errors/node-failure';

/** What DNS says about the members of a deployment. */
export interface MemberRecords {
  resolveSrv(name: string): Promise<{ name: string; port: number }[]>;
  resolveTxt(name: string): Promise<string[][]>;
}

const RECORDS_TIMEOUT_MS = 3000;
const MAX_LISTED_MEMBERS = 20;
/** DNS has no such record. */
const MISSING_RECORD_CODES = new Set(['ENOTFOUND', 'ENODATA']);

declare module '@/server/platform/runtime' {
  interface Runtime {
    /** The resolver of members; absent: the DNS servers of the system. */
    memberRecords?: MemberRecords;
  }
}

const isMissingRecord = (error: unknown) => MISSING_RECORD_CODES.has(String((error as NodeJS.ErrnoException).code));

/** The parent of a name of at least three parts; a shorter name is its own. */
function parentDomain(host: string): string {
  const parts = host.toLowerCase().replace(/\.$/, '').split('.');
  return parts.length > 2 ? parts.slice(1).join('.') : parts.join('.');
}

/**
 * The members that DNS lists for a name, and the options of their TXT record. A record may only name hosts beside the
 * name itself. Throws NodeFailure DNS.
 */
export async function findListedMembers(
  workspaceId: string,
  name: string,
): Promise<{ hosts: MongoHost[]; authSource: string | undefined }> {
  const records = getRuntime().memberRecords ?? new Resolver({ timeout: RECORDS_TIMEOUT_MS, tries: 2 });
  const resolver = nameResolver();
  const refuse = (problem: string, isPassing = false) => new NodeFailure('DNS', `${name}: ${problem}`, isPassing);
  const [members, texts] = await Promise.all([
    resolver
      .inTurn(workspaceId, () => records.resolveSrv(`_mongodb._tcp.${name}`))
      .catch((error: unknown) => {
        throw refuse('DNS lists no members of this name.', !isMissingRecord(error));
      }),
    resolver
      .inTurn(workspaceId, () => records.resolveTxt(name))
      .catch((error: unknown) => {
        if (isMissingRecord(error)) return [];
        throw refuse('the DNS servers gave no answer.', true);
      }),
  ]);
  const parent = parentDomain(name);
  const foreign = members.find((member) => !member.name.toLowerCase().replace(/\.$/, '').endsWith(`.${parent}`));
  if (foreign) throw refuse(`DNS names ${foreign.name}, which does not belong to ${parent}.`);
  if (members.length === 0) throw refuse('DNS lists no members of this name.');
  const options = readMongoOptions(texts.map((parts) => parts.join('')).join('&'));
  return {
    hosts: members.slice(0, MAX_LISTED_MEMBERS).map(({ name: host, port }) => ({ host, port })),
    authSource: options.get('authsource'),
  };
}
