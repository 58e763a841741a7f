import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import { SystemNameFiles, SystemNameService, type ResolvedAddress, type NameService } from './name-service';
import { getRuntime } from '@/server/platform/runtime';

/*
 * Resolves host names that workflows and settings contain. `dns.lookup` would block one of libuv's four threads, which all workspaces and
 * all file work share. Here queries go to the DNS servers by UDP without a thread, with a limit per workspace. /etc/hosts and the search
 * list of /etc/resolv.conf are used like the system does.
 */

/** Concurrent and queued look-ups of a workspace. */
export const MAX_ACTIVE_LOOKUPS = 16;
export const MAX_WAITING_LOOKUPS = 1000;
/** Cached answers per workspace, and number of workspaces with a cache. */
const MAX_CACHED_NAMES = 500;
const MAX_LOOKUP_SHARES = 1000;
/** Maximum time in seconds that an answer is cached, and the time for negative answers. */
const MAX_CACHE_SECONDS = 3600;
const MISSING_NAME_SECONDS = 5;
const FAILED_LOOKUP_SECONDS = 1;

interface CachedLookup {
  until: number;
  addresses: LookupAddress[];
  error: Error | null;
}

interface LookupShare {
  activeCount: number;
  waiting: (() => void)[];
  answers: Map<string, CachedLookup>;
  pending: Map<string, Promise<LookupAddress[]>>;
}

/** An error in the format of `getaddrinfo`. */
class NameLookupError extends Error {
  constructor(
    readonly code: 'ENOTFOUND' | 'EAI_AGAIN',
    readonly hostname: string,
    message: string,
  ) {
    super(message);
  }
}

/** The name does not exist, or has no address records. Other codes: no server answered. */
const isMissingNameError = (error: unknown) =>
  ['ENOTFOUND', 'ENODATA', 'EBADNAME', 'ENONAME'].includes(String((error as NodeJS.ErrnoException).code));

export class NameResolver {
  readonly #shares = new Map<string, LookupShare>();
  readonly #files: SystemNameFiles;

  constructor(
    private readonly service: NameService = new SystemNameService(),
    private readonly clock: () => number = Date.now,
  ) {
    this.#files = new SystemNameFiles(service, clock);
  }

  /**
   * The addresses of a host, IPv4 first. `workspaceId`: on whose behalf; '' for the service itself. Rejects with
   * ENOTFOUND or EAI_AGAIN.
   */
  async lookUp(workspaceId: string, host: string): Promise<LookupAddress[]> {
    if (isIP(host)) return [{ address: host, family: isIP(host) }];
    const name = domainToASCII(host);
    if (name === '') throw new NameLookupError('ENOTFOUND', host, `${host} is not a valid host name`);
    const share = this.#shareOf(workspaceId);
    const cached = share.answers.get(name);
    if (cached && cached.until > this.clock()) {
      if (cached.error) throw cached.error;
      return cached.addresses;
    }
    const pending = share.pending.get(name);
    if (pending) return pending;
    const answer = this.#inTurn(share, () => this.#ask(share, name)).finally(() => share.pending.delete(name));
    share.pending.set(name, answer);
    return answer;
  }

  /** Any other DNS query on a workspace's behalf, counted with its look-ups. */
  inTurn<Value>(workspaceId: string, ask: () => Promise<Value>): Promise<Value> {
    return this.#inTurn(this.#shareOf(workspaceId), ask);
  }

  async #inTurn<Value>(share: LookupShare, ask: () => Promise<Value>): Promise<Value> {
    if (share.activeCount < MAX_ACTIVE_LOOKUPS) share.activeCount += 1;
    else {
      if (share.waiting.length >= MAX_WAITING_LOOKUPS) {
        throw new NameLookupError('EAI_AGAIN', '', 'the workspace looks up too many names at once');
      }
      // A finished look-up starts the next waiting one.
      await new Promise<void>((resolve) => share.waiting.push(resolve));
    }
    try {
      return await ask();
    } finally {
      const next = share.waiting.shift();
      if (next) next();
      else share.activeCount -= 1;
    }
  }

  async #ask(share: LookupShare, name: string): Promise<LookupAddress[]> {
    try {
      const { addresses, ttl } = await this.#resolve(name);
      this.#remember(share, name, { addresses, error: null }, Math.min(ttl, MAX_CACHE_SECONDS));
      return addresses;
    } catch (error) {
      const failure = isMissingNameError(error)
        ? new NameLookupError('ENOTFOUND', name, `the name ${name} was not found`)
        : new NameLookupError('EAI_AGAIN', name, `the DNS servers gave no answer for ${name}`);
      const seconds = failure.code === 'ENOTFOUND' ? MISSING_NAME_SECONDS : FAILED_LOOKUP_SECONDS;
      this.#remember(share, name, { addresses: [], error: failure }, seconds);
      throw failure;
    }
  }

  async #resolve(name: string): Promise<{ addresses: LookupAddress[]; ttl: number }> {
    const { hosts, search, ndots } = await this.#files.read();
    const bare = name.replace(/\.$/, '');
    const literalAddresses = hosts.get(bare) ?? (/(^|\.)localhost$/.test(bare) ? LOOPBACK_ADDRESSES : undefined);
    if (literalAddresses) return { addresses: literalAddresses, ttl: 0 };
    const searched = name.endsWith('.') ? [] : search.map((domain) => `${name}.${domain}`);
    const isWhole = name.split('.').length > ndots;
    let missing: unknown;
    for (const candidate of isWhole ? [bare, ...searched] : [...searched, bare]) {
      const [four, six] = await Promise.allSettled([
        this.service.resolve4(candidate),
        this.service.resolve6(candidate),
      ]);
      const found = [...resolvedAddresses(four, 4), ...resolvedAddresses(six, 6)];
      if (found.length > 0) {
        const addresses = found.map(({ address, family }) => ({ address, family }));
        return { addresses, ttl: Math.min(...found.map(({ ttl }) => ttl)) };
      }
      for (const result of [four, six])
        if (result.status === 'rejected') missing = moreInformativeError(missing, result.reason);
      // A server that does not answer is not queried for one name after the other.
      if (missing !== undefined && !isMissingNameError(missing)) break;
    }
    throw missing ?? Object.assign(new Error('no addresses'), { code: 'ENODATA' });
  }

  #remember(share: LookupShare, name: string, answer: Omit<CachedLookup, 'until'>, seconds: number): void {
    share.answers.delete(name);
    if (seconds <= 0) return;
    share.answers.set(name, { ...answer, until: this.clock() + seconds * 1000 });
    if (share.answers.size <= MAX_CACHED_NAMES) return;
    const [oldest = ''] = share.answers.keys();
    share.answers.delete(oldest);
  }

  #shareOf(workspaceId: string): LookupShare {
    const existing = this.#shares.get(workspaceId);
    const share = existing ?? { activeCount: 0, waiting: [], answers: new Map(), pending: new Map() };
    // The name itself is tried first or last, by its number of dots.
    this.#shares.delete(workspaceId);
    this.#shares.set(workspaceId, share);
    if (!existing && this.#shares.size > MAX_LOOKUP_SHARES) {
      for (const [id, { activeCount: underWay }] of this.#shares) {
        if (underWay > 0 || id === workspaceId) continue;
        this.#shares.delete(id);
        break;
      }
    }
    return share;
  }
}

const LOOPBACK_ADDRESSES: LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/** The more informative error: no answer rather than no such name. */
const moreInformativeError = (before: unknown, now: unknown): unknown =>
  before === undefined || isMissingNameError(before) ? now : before;

const resolvedAddresses = (result: PromiseSettledResult<ResolvedAddress[]>, family: number) =>
  result.status === 'fulfilled' ? result.value.map((answer) => ({ ...answer, family })) : [];

/** The names as both halves of this process look them up. */
declare module '@/server/platform/runtime' {
  interface Runtime {
    /** Host names, resolved within the share of each workspace. */
    names?: NameResolver;
  }
}

export const nameResolver = (): NameResolver => (getRuntime().names ??= new NameResolver());
