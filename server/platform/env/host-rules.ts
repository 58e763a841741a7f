import { BlockList, isIP } from 'node:net';

/**
 * What an operator names in EGRESS_ALLOW or NO_PROXY: a name, all names below one, or a network. A single address is a
 * network of its whole length.
 */
export type HostRule = { port?: number } & (
  | { kind: 'any' }
  | { kind: 'name'; name: string; isSuffix: boolean }
  | { kind: 'network'; network: string; prefix: number; family: 4 | 6 }
);

const HOST_LABEL_PATTERN = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/;

const isHostName = (text: string) =>
  text.length <= 253 && text.split('.').every((label) => HOST_LABEL_PATTERN.test(label));

function parseNetworkRule(text: string): HostRule | null {
  const [, address = '', digits] = /^([^/%]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const family = isIP(address);
  if (family !== 4 && family !== 6) return null;
  const bits = family === 4 ? 32 : 128;
  const prefix = Number(digits ?? bits);
  return prefix <= bits ? { kind: 'network', network: address, prefix, family } : null;
}

/** One entry, in lower case; null: it is none. */
function parseHostRule(text: string): HostRule | null {
  if (text === '*') return { kind: 'any' };
  const inBrackets = /^\[([^\]]+)\](\/\d{1,3})?$/.exec(text);
  const network = parseNetworkRule(inBrackets ? `${inBrackets[1]}${inBrackets[2] ?? ''}` : text);
  if (network) return network;
  const name = text.replace(/^\*?\./, '').replace(/\.$/, '');
  // Digits and dots only are a wrong address, not a name.
  if (!isHostName(name) || /^[\d.]+$/.test(name)) return null;
  return { kind: 'name', name, isSuffix: /^\*?\./.test(text) };
}

const splitHostEntries = (text: string) =>
  text
    .toLowerCase()
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean);

/**
 * The entries of EGRESS_ALLOW; null: one of them is neither a name nor a network. `*` is no entry: EGRESS_ALLOW_PRIVATE
 * says that.
 */
export function parseAllowedHosts(text: string): HostRule[] | null {
  const rules = splitHostEntries(text).map(parseHostRule);
  return rules.every((rule) => rule !== null && rule.kind !== 'any') ? (rules as HostRule[]) : null;
}

/**
 * The entries of NO_PROXY, as other programs read it: a name stands for all names below it as well, and an entry may
 * have a port. What is none is passed over.
 */
export function parseUnproxiedHosts(text: string): HostRule[] {
  return splitHostEntries(text).flatMap((entry): HostRule[] => {
    const [, host = entry, digits] = /^(\[[^\]]+\]|[^:]+):(\d{1,5})$/.exec(entry) ?? [];
    const rule = parseHostRule(host);
    if (!rule) return [];
    const port = digits === undefined ? {} : { port: Number(digits) };
    return [rule.kind === 'name' ? { ...rule, ...port, isSuffix: true } : { ...rule, ...port }];
  });
}

/** Whether one of the rules names a host: a name, or an address as text. */
export function isNamedByRules(rules: readonly HostRule[], host: string, port?: number): boolean {
  const name = host.toLowerCase().replace(/\.$/, '');
  return rules.some((rule) => {
    if (rule.port !== undefined && rule.port !== port) return false;
    if (rule.kind === 'any') return true;
    if (rule.kind === 'network') return isInNetwork(rule, host);
    return rule.isSuffix ? name === rule.name || name.endsWith(`.${rule.name}`) : name === rule.name;
  });
}

/** Whether an address belongs to a network of the same family. */
export function isInNetwork(
  { network, prefix, family }: Extract<HostRule, { kind: 'network' }>,
  address: string,
): boolean {
  if (isIP(address) !== family) return false;
  const list = new BlockList();
  list.addSubnet(network, prefix, family === 4 ? 'ipv4' : 'ipv6');
  return list.check(address, family === 4 ? 'ipv4' : 'ipv6');
}
