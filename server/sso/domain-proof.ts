import { createHash } from 'node:crypto';
import { Resolver } from 'node:dns/promises';
import type { Db } from '@/server/db/client';
import { names } from '@/server/outbound/names';
import { runtime } from '@/server/runtime';
import type { Caller } from '@/server/access/caller';

/*
 * The proven domains of a sign-in provider. Any domain can be entered; people are sent to a provider by their address, and linked to
 * accounts by it, only if the domain is proven to be the workspace's. In `saas` mode a DNS record proves it; where one company runs the
 * service for itself, an owner's confirmation is enough. A proof stays until its domain is removed from the provider. Several workspaces
 * may prove the same domain: the owner of its DNS may admit any number.
 */

/** Looks up TXT records; each is a list of strings that belong together. Rejects with a DNS code if there are none. */
export type ResolveTxt = (domain: string) => Promise<string[][]>;

export const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1);

const isOpenToAll = () => runtime().env.deploymentEnv === 'saas';

/** A filter of the proofs that count in this deployment. */
const counting = () => ({ method: { in: isOpenToAll() ? ['dns'] : ['dns', 'owner'] } });

/** A filter of the providers for which the domain counts. */
export const withProof = (domain: string) => ({
  domains: { has: domain },
  domainProofs: { some: { domain, ...counting() } },
});

/** Whether a domain counts for the provider. */
export async function counts(db: Db, providerId: string, domain: string): Promise<boolean> {
  return (await db.ssoProvider.count({ where: { id: providerId, ...withProof(domain) } })) > 0;
}

/** Whether a workspace's provider may sign in to accounts of the service by their address only. */
export async function isTrustedForDomain(
  db: Db,
  { id, domains }: { id: string; domains: string[] },
  domain: string,
): Promise<boolean> {
  return domains.length === 0 ? !isOpenToAll() : counts(db, id, domain);
}

/**
 * The TXT record that proves a domain. It is not secret, but specific to a workspace: a record published for one proves nothing for
 * another. It never changes, so a provider can be created again without a new record.
 */
export function recordOf(workspaceId: string, domain: string): string {
  const token = createHash('sha256').update(`weft domain proof\n${workspaceId}\n${domain}`).digest('hex').slice(0, 40);
  return `weft-verify=${token}`;
}

const TIMEOUT_MS = 3000;

declare module '@/server/runtime' {
  interface Runtime {
    /** The TXT resolver; absent: the DNS servers of the system. */
    resolveTxt?: ResolveTxt;
  }
}

const resolveByDns: ResolveTxt = (domain) => new Resolver({ timeout: TIMEOUT_MS, tries: 2 }).resolveTxt(domain);

/** Looks up the record. Returns null if it exists, else the reason in a sentence. */
export async function missingRecord(workspaceId: string, domain: string): Promise<string | null> {
  const resolveTxt = runtime().resolveTxt ?? resolveByDns;
  const record = recordOf(workspaceId, domain);
  try {
    const records = await names().inTurn(workspaceId, () => resolveTxt(domain));
    if (records.some((strings) => strings.join('').trim() === record)) return null;
    return `The TXT records of ${domain} do not include ${record} yet.`;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOTFOUND' || code === 'ENODATA') return `There is no TXT record at ${domain} yet.`;
    return `The DNS servers of ${domain} did not answer (${code ?? 'unknown error'}). Try again later.`;
  }
}

/** Stores that the DNS record of a domain was found. */
export const keepDnsProof = (db: Db, providerId: string, domain: string) =>
  db.domainProof.upsert({
    where: { providerId_domain: { providerId, domain } },
    create: { providerId, domain, method: 'dns' },
    update: { method: 'dns', verifiedAt: new Date() },
  });

/** Whether the caller's confirmation counts as a proof. */
export const canConfirm = ({ roles }: Caller): boolean => !isOpenToAll() && roles.includes('owner');

/** Stores the confirmation of a caller who `canConfirm`. */
export const confirmDomains = (db: Db, providerId: string, domains: readonly string[]) =>
  db.domainProof.createMany({
    data: domains.map((domain) => ({ providerId, domain, method: 'owner' })),
    skipDuplicates: true,
  });

/** Removes proofs of domains that are no longer listed. */
export const forgetOtherDomains = (db: Db, providerId: string, domains: readonly string[]) =>
  db.domainProof.deleteMany({ where: { providerId, domain: { notIn: [...domains] } } });

interface Proof {
  domain: string;
  method: string;
  verifiedAt: Date;
}

/** The domains of a provider in the API's format. */
export function statusOf(
  { workspaceId, domains }: { workspaceId: string; domains: string[] },
  proofs: readonly Proof[],
) {
  const methods = counting().method.in;
  return domains.map((domain) => {
    const proof = proofs.find((one) => one.domain === domain && methods.includes(one.method));
    return {
      domain,
      isVerified: proof !== undefined,
      verifiedAt: proof?.verifiedAt.toISOString() ?? null,
      // In other modes than `saas` no record is needed, but it counts as well.
      record: recordOf(workspaceId, domain),
    };
  });
}
