/** An entry of `allowedHosts`: a host, or `*.` and a domain for every host below it, each with or without a port. */
interface HostPattern {
  /** Without `*.` and port, in lower case. */
  name: string;
  isWildcard: boolean;
  /** Null: any port. */
  port: string | null;
}

function parseHostPattern(text: string): HostPattern {
  const [, wildcard, name = '', port = null] = /^(\*\.)?(.*?)(?::(\d+))?$/.exec(text.toLowerCase()) ?? [];
  return { name, isWildcard: wildcard !== undefined, port };
}

const isSubdomain = (name: string, domain: string) => name.endsWith(`.${domain}`);

/** Whether an entry allows an address. */
export function hostPatternAllows(entry: string, { hostname, port: actualPort }: URL): boolean {
  const { name, isWildcard, port } = parseHostPattern(entry);
  const isPort = port === null || port === actualPort;
  return isPort && (isWildcard ? isSubdomain(hostname, name) : hostname === name);
}

/** Whether one entry allows no more than the other. */
function isPatternWithin(entry: string, other: string): boolean {
  const [inner, outer] = [parseHostPattern(entry), parseHostPattern(other)];
  if (outer.port !== null && outer.port !== inner.port) return false;
  if (!outer.isWildcard) return !inner.isWildcard && inner.name === outer.name;
  return isSubdomain(inner.name, outer.name) || (inner.isWildcard && inner.name === outer.name);
}

/** Whether a list of allowed hosts allows no more than another; an empty list allows every host. */
export function isHostListNarrower(hosts: readonly string[], others: readonly string[]): boolean {
  if (others.length === 0) return true;
  return hosts.length > 0 && hosts.every((host) => others.some((other) => isPatternWithin(host, other)));
}
