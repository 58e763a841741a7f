import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { readFile, stat } from 'node:fs/promises';
import { isIP } from 'node:net';

export interface ResolvedAddress {
  address: string;
  /** The time to live in seconds. */
  ttl: number;
}

/** DNS servers and files for name resolution. */
export interface NameService {
  /** Addresses of a fully qualified name. Rejects with a DNS code if there are none. */
  resolve4(name: string): Promise<ResolvedAddress[]>;
  resolve6(name: string): Promise<ResolvedAddress[]>;
  /** The texts of the system's `hosts` and `resolv.conf`. */
  files(): Promise<{ hosts: string; resolvConf: string }>;
}

interface NameSettings {
  hosts: Map<string, LookupAddress[]>;
  search: string[];
  ndots: number;
}

const REREAD_INTERVAL_MS = 5000;

/** The content of the system's files, at most five seconds old. */
export class SystemNameFiles {
  #settings: Promise<NameSettings> | undefined;
  #readAt = 0;
  #hosts = { text: '', entries: new Map<string, LookupAddress[]>() };

  constructor(
    private readonly service: NameService,
    private readonly clock: () => number,
  ) {}

  read(): Promise<NameSettings> {
    if (!this.#settings || this.clock() - this.#readAt >= REREAD_INTERVAL_MS) {
      this.#readAt = this.clock();
      this.#settings = this.service.files().then(({ hosts: text, resolvConf }) => {
        // Some have a hundred thousand entries.
        if (this.#hosts.text !== text) this.#hosts = { text, entries: parseHostsFile(text) };
        return { hosts: this.#hosts.entries, ...parseSearchList(resolvConf) };
      });
    }
    return this.#settings;
  }
}

const configurationLines = (text: string) => text.split(/\r?\n/).map((line) => line.replace(/[#;].*/, '').trim());

function parseHostsFile(text: string): Map<string, LookupAddress[]> {
  const hosts = new Map<string, LookupAddress[]>();
  for (const line of configurationLines(text)) {
    const [address = '', ...names] = line.split(/\s+/);
    const family = isIP(address);
    if (family === 0) continue;
    for (const name of new Set(names.map((one) => one.toLowerCase()))) {
      const addresses = [...(hosts.get(name) ?? []), { address, family }];
      hosts.set(
        name,
        addresses.toSorted((one, other) => one.family - other.family),
      );
    }
  }
  return hosts;
}

/** The last `search` or `domain` counts, and `options ndots:<n>`; RES_OPTIONS and LOCALDOMAIN are ignored. */
function parseSearchList(text: string): { search: string[]; ndots: number } {
  let search: string[] = [];
  let ndots = 1;
  for (const line of configurationLines(text)) {
    const [word = '', ...values] = line.split(/\s+/);
    if (word === 'search' || word === 'domain') search = values.slice(0, 6).map((one) => one.replace(/^\.|\.$/g, ''));
    const option = word === 'options' ? values.map((one) => /^ndots:(\d+)$/.exec(one)?.[1]).find(Boolean) : undefined;
    if (option !== undefined) ndots = Math.min(15, Number(option));
  }
  return { search: search.filter(Boolean), ndots };
}

const HOSTS_FILE = process.platform === 'win32' ? 'C:\\Windows\\System32\\drivers\\etc\\hosts' : '/etc/hosts';
const RESOLV_CONF_FILE = '/etc/resolv.conf';

/** Milliseconds for the first of two tries. */
const DNS_TIMEOUT_MS = 2500;

/** The DNS servers and files of this machine. */
export class SystemNameService implements NameService {
  #resolver = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: 2 });
  readonly #texts = new Map<string, { changedAt: number; text: string }>();

  resolve4 = (name: string) => this.#resolver.resolve4(name, { ttl: true });
  resolve6 = (name: string) => this.#resolver.resolve6(name, { ttl: true });

  async files() {
    const hosts = await this.#text(HOSTS_FILE);
    const before = this.#texts.get(RESOLV_CONF_FILE)?.text;
    const resolvConf = await this.#text(RESOLV_CONF_FILE);
    // A resolver reads its servers when it is created, so other servers need a new one.
    if (before !== undefined && before !== resolvConf) {
      this.#resolver = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: 2 });
    }
    return { hosts, resolvConf };
  }

  /** A missing file is empty. */
  async #text(file: string): Promise<string> {
    try {
      const { mtimeMs: changedAt } = await stat(file);
      const cached = this.#texts.get(file);
      if (cached?.changedAt === changedAt) return cached.text;
      const text = await readFile(file, 'utf8');
      this.#texts.set(file, { changedAt, text });
      return text;
    } catch {
      return '';
    }
  }
}
