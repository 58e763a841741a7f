import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import { SystemFiles, SystemNames, type Answer, type NameService } from './name-service';
import { runtime } from '@/server/runtime';

/*
 * Resolves host names that workflows and settings contain. `dns.lookup` would block one of libuv's four threads, which all workspaces and
 * all file work share. Here queries go to the DNS servers by UDP without a thread, with a limit per workspace. /etc/hosts and the search
 * list of /etc/resolv.conf are used like the system does.
 */

/** Concurrent and queued look-ups of a workspace. */
export const MAX_LOOKUPS = 16;
export const MAX_WAITING_LOOKUPS = 1000;
/** Cached answers per workspace, and number of workspaces with a cache. */
const MOST_ANSWERS = 500;
const MOST_SHARES = 1000;
/** Maximum time in seconds that an answer is cached, and the time for negative answers. */
const LONGEST_SECONDS = 3600;
const MISSING_SECONDS = 5;
const FAILED_SECONDS = 1;

interface Known {
  until: number;
  addresses: LookupAddress[];
  error: Error | null;
}

interface Share {
  activeCount: number;
  waiting: (() => void)[];
  answers: Map<string, Known>;
  pending: Map<string, Promise<LookupAddress[]>>;
}

/** An error in the format of `getaddrinfo`. */
class NameFailure extends Error {
  constructor(
    readonly code: 'ENOTFOUND' | 'EAI_AGAIN',
    readonly hostname: string,
    message: string,
  ) {
    super(message);
  }
}

/** The name does not exist, or has no address records. Other codes: no server answered. */
const isMissing = (error: unknown) =>
  ['ENOTFOUND', 'ENODATA', 'EBADNAME', 'ENONAME'].includes(String((error as NodeJS.ErrnoException).code));

export class Names {
  readonly #shares = new Map<string, Share>();
  readonly #files: SystemFiles;

  constructor(
    private readonly service: NameService = new SystemNames(),
    private readonly clock: () => number = Date.now,
  ) {
    this.#files = new SystemFiles(service, clock);
  }

  /**
   * The addresses of a host, IPv4 first. `workspaceId`: on whose behalf; '' for the service itself. Rejects with ENOTFOUND or EAI_AGAIN.
   */
  async lookUp(workspaceId: string, host: string): Promise<LookupAddress[]> {
    if (isIP(host)) return [{ address: host, family: isIP(host) }];
    const name = domainToASCII(host);
    if (name === '') throw new NameFailure('ENOTFOUND', host, `${host} is not a valid host name`);
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

  async #inTurn<Value>(share: Share, ask: () => Promise<Value>): Promise<Value> {
    if (share.activeCount < MAX_LOOKUPS) share.activeCount += 1;
    else {
      if (share.waiting.length >= MAX_WAITING_LOOKUPS) {
        throw new NameFailure('EAI_AGAIN', '', 'the workspace looks up too many names at once');
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

  async #ask(share: Share, name: string): Promise<LookupAddress[]> {
    try {
      const { addresses, ttl } = await this.#resolve(name);
      this.#remember(share, name, { addresses, error: null }, Math.min(ttl, LONGEST_SECONDS));
      return addresses;
    } catch (error) {
      const failure = isMissing(error)
        ? new NameFailure('ENOTFOUND', name, `the name ${name} was not found`)
        : new NameFailure('EAI_AGAIN', name, `the DNS servers gave no answer for ${name}`);
      const seconds = failure.code === 'ENOTFOUND' ? MISSING_SECONDS : FAILED_SECONDS;
      this.#remember(share, name, { addresses: [], error: failure }, seconds);
      throw failure;
    }
  }

  async #resolve(name: string): Promise<{ addresses: LookupAddress[]; ttl: number }> {
    const { hosts, search, ndots } = await this.#files.read();
    const bare = name.replace(/\.$/, '');
    const literalAddresses = hosts.get(bare) ?? (/(^|\.)localhost$/.test(bare) ? LOOPBACK : undefined);
    if (literalAddresses) return { addresses: literalAddresses, ttl: 0 };
    const searched = name.endsWith('.') ? [] : search.map((domain) => `${name}.${domain}`);
    const isWhole = name.split('.').length > ndots;
    let missing: unknown;
    for (const candidate of isWhole ? [bare, ...searched] : [...searched, bare]) {
      const [four, six] = await Promise.allSettled([
        this.service.resolve4(candidate),
        this.service.resolve6(candidate),
      ]);
      const found = [...answersOf(four, 4), ...answersOf(six, 6)];
      if (found.length > 0) {
        const addresses = found.map(({ address, family }) => ({ address, family }));
        return { addresses, ttl: Math.min(...found.map(({ ttl }) => ttl)) };
      }
      for (const result of [four, six]) if (result.status === 'rejected') missing = failing(missing, result.reason);
      // A server that does not answer is not queried for one name after the other.
      if (missing !== undefined && !isMissing(missing)) break;
    }
    throw missing ?? Object.assign(new Error('no addresses'), { code: 'ENODATA' });
  }

  #remember(share: Share, name: string, answer: Omit<Known, 'until'>, seconds: number): void {
    share.answers.delete(name);
    if (seconds <= 0) return;
    share.answers.set(name, { ...answer, until: this.clock() + seconds * 1000 });
    if (share.answers.size <= MOST_ANSWERS) return;
    const [oldest = ''] = share.answers.keys();
    share.answers.delete(oldest);
  }

  #shareOf(workspaceId: string): Share {
    const existing = this.#shares.get(workspaceId);
    const share = existing ?? { activeCount: 0, waiting: [], answers: new Map(), pending: new Map() };
    // The name itself is tried first or last, by its number of dots.
    this.#shares.delete(workspaceId);
    this.#shares.set(workspaceId, share);
    if (!existing && this.#shares.size > MOST_SHARES) {
      for (const [id, { activeCount: underWay }] of this.#shares) {
        if (underWay > 0 || id === workspaceId) continue;
        this.#shares.delete(id);
        break;
      }
    }
    return share;
  }
}

const LOOPBACK: LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/** The more informative error: no answer rather than no such name. */
const failing = (before: unknown, now: unknown): unknown => (before === undefined || isMissing(before) ? now : before);

const answersOf = (result: PromiseSettledResult<Answer[]>, family: number) =>
  result.status === 'fulfilled' ? result.value.map((answer) => ({ ...answer, family })) : [];

/** The names as both halves of this process look them up. */
declare module '@/server/runtime' {
  interface Runtime {
    /** Host names, resolved within the share of each workspace. */
    names?: Names;
  }
}

export const names = (): Names => (runtime().names ??= new Names());
