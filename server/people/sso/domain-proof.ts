import { createHash } from 'node:crypto';
import { Resolver } from 'node:dns/promises';
import type { DatabaseClient } from '@/server/platform/db/client';
import { nameResolver } from '@/server/network/outbound/names';
import { getRuntime } from '@/server/platform/runtime';
import type { WorkspaceCaller } from '@/server/people/access/caller';

/*
 * The proven domains of a sign-in provider. Any domain can be entered; people are sent to a provider by their address, and linked to
 * accounts by it, only if the domain is proven to be the workspace's. In `saas` mode a DNS record proves it; where one company runs the
 * service for itself, an owner's confirmation is enough. A proof stays until its domain is removed from the provider. Several workspaces
 * may prove the same domain: the owner of its DNS may admit any number.
 */

/** Looks up TXT records; each is a list of strings that belong together. Rejects with a DNS code if there are none. */
export type TxtResolver = (domain: string) => Promise<string[][]>;

export const emailDomain = (email: string): string => email.slice(email.lastIndexOf('@') + 1);

const isOpenToStrangers = () => getRuntime().env.deploymentEnv === 'saas';

/** A filter of the proofs that count in this deployment. */
const countingProofsFilter = () => ({ method: { in: isOpenToStrangers() ? ['dns'] : ['dns', 'owner'] } });

/** A filter of the providers for which the domain counts. */
export const providersWithProof = (domain: string) => ({
  domains: { has: domain },
  domainProofs: { some: { domain, ...countingProofsFilter() } },
});

/** Whether a domain counts for the provider. */
export async function isDomainProven(db: DatabaseClient, providerId: string, domain: string): Promise<boolean> {
  return (await db.ssoProvider.count({ where: { id: providerId, ...providersWithProof(domain) } })) > 0;
}

/** Whether a workspace's provider may sign in to accounts of the service by their address only. */
export async function isProviderTrustedForDomain(
  db: DatabaseClient,
  { id, domains }: { id: string; domains: string[] },
  domain: string,
): Promise<boolean> {
  return domains.length === 0 ? !isOpenToStrangers() : isDomainProven(db, id, domain);
}

/**
 * The TXT record that proves a domain. It is not secret, but specific to a workspace: a record published for one proves
 * nothing for another. It never changes, so a provider can be created again without a new record.
 */
export function domainProofRecord(workspaceId: string, domain: string): string {
  const token = createHash('sha256').update(`weft domain proof\n${workspaceId}\n${domain}`).digest('hex').slice(0, 40);
  return `weft-verify=${token}`;
}

const TXT_TIMEOUT_MS = 3000;

declare module '@/server/platform/runtime' {
  interface Runtime {
    /** The TXT resolver; absent: the DNS servers of the system. */
    resolveTxt?: TxtResolver;
  }
}

const resolveTxtByDns: TxtResolver = (domain) => new Resolver({ timeout: TXT_TIMEOUT_MS, tries: 2 }).resolveTxt(domain);

/** Looks up the record. Returns null if it exists, else the reason in a sentence. */
export async function findMissingRecord(workspaceId: string, domain: string): Promise<string | null> {
  const resolveTxt = getRuntime().resolveTxt ?? resolveTxtByDns;
  const record = domainProofRecord(workspaceId, domain);
  try {
    const records = await nameResolver().inTurn(workspaceId, () => resolveTxt(domain));
    if (records.some((strings) => strings.join('').trim() === record)) return null;
    return `The TXT records of ${domain} do not include ${record} yet.`;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOTFOUND' || code === 'ENODATA') return `There is no TXT record at ${domain} yet.`;
    return `The DNS servers of ${domain} did not answer (${code ?? 'unknown error'}). Try again later.`;
  }
}

/** Stores that the DNS record of a domain was found. */
export const storeDnsProof = (db: DatabaseClient, providerId: string, domain: string) =>
  db.domainProof.upsert({
    where: { providerId_domain: { providerId, domain } },
    create: { providerId, domain, method: 'dns' },
    update: { method: 'dns', verifiedAt: new Date() },
  });

/** Whether the caller's confirmation counts as a proof. */
export const mayConfirmDomains = ({ roles }: WorkspaceCaller): boolean =>
  !isOpenToStrangers() && roles.includes('owner');

/** Stores the confirmation of a caller who `mayConfirmDomains`. */
export const storeDomainConfirmations = (db: DatabaseClient, providerId: string, domains: readonly string[]) =>
  db.domainProof.createMany({
    data: domains.map((domain) => ({ providerId, domain, method: 'owner' })),
    skipDuplicates: true,
  });

/** Removes proofs of domains that are no longer listed. */
export const removeOtherDomainProofs = (db: DatabaseClient, providerId: string, domains: readonly string[]) =>
  db.domainProof.deleteMany({ where: { providerId, domain: { notIn: [...domains] } } });

interface DomainProofRow {
  domain: string;
  method: string;
  verifiedAt: Date;
}

/** The domains of a provider in the API's format. */
export function toDomainStatuses(
  { workspaceId, domains }: { workspaceId: string; domains: string[] },
  proofs: readonly DomainProofRow[],
) {
  const methods = countingProofsFilter().method.in;
  return domains.map((domain) => {
    const proof = proofs.find((one) => one.domain === domain && methods.includes(one.method));
    return {
      domain,
      isVerified: proof !== undefined,
      verifiedAt: proof?.verifiedAt.toISOString() ?? null,
      // In other modes than `saas` no record is needed, but it counts as well.
      record: domainProofRecord(workspaceId, domain),
    };
  });
}
