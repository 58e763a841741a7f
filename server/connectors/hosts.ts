/** An entry of `allowedHosts`: a host, or `*.` and a domain for every host below it, each with or without a port. */
interface HostPattern {
  /** Without `*.` and port, in lower case. */
  name: string;
  isWildcard: boolean;
  /** Null: any port. */
  port: string | null;
}

function patternOf(text: string): HostPattern {
  const [, wildcard, name = '', port = null] = /^(\*\.)?(.*?)(?::(\d+))?$/.exec(text.toLowerCase()) ?? [];
  return { name, isWildcard: wildcard !== undefined, port };
}

const isBelow = (name: string, domain: string) => name.endsWith(`.${domain}`);

/** Whether an entry allows an address. */
export function allows(entry: string, { hostname, port: actualPort }: URL): boolean {
  const { name, isWildcard, port } = patternOf(entry);
  const isPort = port === null || port === actualPort;
  return isPort && (isWildcard ? isBelow(hostname, name) : hostname === name);
}

/** Whether one entry allows no more than the other. */
function isWithin(entry: string, other: string): boolean {
  const [inner, outer] = [patternOf(entry), patternOf(other)];
  if (outer.port !== null && outer.port !== inner.port) return false;
  if (!outer.isWildcard) return !inner.isWildcard && inner.name === outer.name;
  return isBelow(inner.name, outer.name) || (inner.isWildcard && inner.name === outer.name);
}

/** Whether a list of allowed hosts allows no more than another; an empty list allows every host. */
export function isNarrower(hosts: readonly string[], others: readonly string[]): boolean {
  if (others.length === 0) return true;
  return hosts.length > 0 && hosts.every((host) => others.some((other) => isWithin(host, other)));
}
