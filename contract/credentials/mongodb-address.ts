/** A member of a deployment. */
export interface MongoHost {
  host: string;
  port: number;
}

/** What a connection string says. */
export interface MongoAddress {
  hosts: MongoHost[];
  /** DNS lists the members of this name. */
  isListedByDns: boolean;
  username?: string;
  password?: string;
  database?: string;
  /** The database that knows the user. */
  authSource?: string;
  mechanism?: 'SCRAM-SHA-1' | 'SCRAM-SHA-256';
  tls: 'verify' | 'require' | 'off';
  /** The one server that is named is used, whatever its role. */
  isDirect: boolean;
}

/** The problem of a connection string, as words that follow the name of its field. */
export interface MongoAddressProblem {
  problem: string;
}

export const MONGODB_PORT = 27_017;
const MAX_MONGODB_HOSTS = 20;
const HOST_PATTERN = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+))(?::(\d{1,5}))?$/i;
const ADDRESS_PATTERN = /^mongodb(\+srv)?:\/\/(?:([^@/?]*)@)?([^/?@]+)(?:\/([^?]*))?(?:\?(.*))?$/i;

/** Options that would need a file or another server than those that are named. */
const REFUSED_OPTIONS: Readonly<Record<string, string>> = {
  tlscafile: 'names a file: enter its content as certificates of the CA',
  tlscertificatekeyfile: 'asks for a client certificate, which is not supported',
  tlscertificatekeyfilepassword: 'asks for a client certificate, which is not supported',
  proxyhost: 'asks for a proxy, which is not supported',
  loadbalanced: 'asks for the mode of load balancers, which is not supported',
};

const MECHANISMS = { 'SCRAM-SHA-1': 'SCRAM-SHA-1', 'SCRAM-SHA-256': 'SCRAM-SHA-256' } as const;

function decodePart(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function readHost(text: string): MongoHost | undefined {
  const [, six, name, port = MONGODB_PORT] = HOST_PATTERN.exec(text) ?? [];
  const host = six ?? name;
  return host !== undefined && Number(port) >= 1 && Number(port) <= 65_535 ? { host, port: Number(port) } : undefined;
}

/** The options by their names in lower case, as the last of each name says. */
export const readMongoOptions = (query: string): Map<string, string> =>
  new Map([...new URLSearchParams(query)].map(([name, value]) => [name.toLowerCase(), value]));

function readTlsMode(options: Map<string, string>, isListedByDns: boolean): MongoAddress['tls'] {
  const isEncrypted = options.get('tls') ?? options.get('ssl') ?? String(isListedByDns);
  if (isEncrypted !== 'true') return 'off';
  const trusting = ['tlsinsecure', 'tlsallowinvalidcertificates', 'tlsallowinvalidhostnames'];
  return trusting.some((name) => options.get(name) === 'true') ? 'require' : 'verify';
}

/** Reads a connection string; other options than these tune a driver, or choose members that are not read. */
export function parseMongoAddress(text: string): MongoAddress | MongoAddressProblem {
  const [, srv, credentials = '', hostList = '', path = '', query = ''] = ADDRESS_PATTERN.exec(text.trim()) ?? [];
  const hosts = hostList.split(',').map(readHost);
  if (hostList === '' || hosts.includes(undefined))
    return {
      problem: 'must be mongodb:// or mongodb+srv:// with a host; special characters of a password are encoded',
    };
  if (hosts.length > MAX_MONGODB_HOSTS) return { problem: `must have at most ${MAX_MONGODB_HOSTS} hosts` };
  const isListedByDns = srv !== undefined;
  if (isListedByDns && (hosts.length > 1 || /:\d+$/.test(hostList)))
    return { problem: 'with mongodb+srv:// must have one host, without a port' };
  const options = readMongoOptions(query);
  const refused = [...options].find(([name, value]) => Object.hasOwn(REFUSED_OPTIONS, name) && value !== 'false');
  if (refused) return { problem: `${REFUSED_OPTIONS[refused[0]]} (${refused[0]})` };
  const given = options.get('authmechanism') ?? '';
  const mechanism = MECHANISMS[given as keyof typeof MECHANISMS];
  if (given !== '' && given !== 'DEFAULT' && !mechanism)
    return { problem: 'has an authMechanism that is not supported: use a user with a password (SCRAM)' };
  const [username = '', ...secret] = credentials.split(':');
  const parts = [username, secret.join(':'), path].map(decodePart);
  if (parts.includes(undefined)) return { problem: 'has a % that encodes nothing' };
  const [user = '', password = '', database = ''] = parts;
  const authSource = options.get('authsource');
  return {
    hosts: hosts.filter((one) => one !== undefined),
    isListedByDns,
    ...(user === '' ? {} : { username: user, password }),
    ...(database === '' ? {} : { database }),
    ...(authSource ? { authSource } : {}),
    ...(mechanism ? { mechanism } : {}),
    tls: readTlsMode(options, isListedByDns),
    isDirect: options.get('directconnection') === 'true',
  };
}
