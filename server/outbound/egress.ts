import { BlockList, isIP } from 'node:net';
import { isInNetwork, isNamedBy } from '@/server/env/host-rules';
import { runtime } from '@/server/runtime';
import { embeddedIPv4, isPublicAddress } from './public-address';

/**
 * Addresses at which machines of clouds tell their credentials, and those of the link itself. A network or a name of EGRESS_ALLOW never
 * permits them: who wants one writes it as an address.
 */
const GUARDED = new BlockList();
GUARDED.addSubnet('169.254.0.0', 16, 'ipv4');
GUARDED.addSubnet('fe80::', 10, 'ipv6');
for (const address of ['100.100.100.200', '168.63.129.16', '192.0.0.192']) GUARDED.addAddress(address, 'ipv4');
for (const address of ['fd00:ec2::254', 'fd20:ce::254']) GUARDED.addAddress(address, 'ipv6');

const isGuarded = (address: string) => GUARDED.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6');

/** Whether a rule names an address by itself, as a network of one address. */
function isNamedAlone(address: string): boolean {
  return runtime().env.egressAllow.some(
    (rule) => rule.kind === 'network' && rule.prefix === (rule.family === 4 ? 32 : 128) && isInNetwork(rule, address),
  );
}

/**
 * Whether this service may connect to an address that `host` stands for: a public one, any with EGRESS_ALLOW_PRIVATE, or one that
 * EGRESS_ALLOW names, by itself or by `host`. An IPv4 address inside an IPv6 one counts as what it is.
 */
export function isAllowedAddress(address: string, host: string): boolean {
  const { egressAllowPrivate, egressAllow } = runtime().env;
  if (egressAllowPrivate || isPublicAddress(address)) return true;
  if (egressAllow.length === 0 || isIP(address) === 0 || address.includes('%')) return false;
  const inner = embeddedIPv4(address) ?? address;
  if (isGuarded(inner)) return isNamedAlone(inner);
  return isNamedBy(egressAllow, inner) || (isIP(host) === 0 && isNamedBy(egressAllow, host));
}
