import { BlockList, isIP } from 'node:net';
import { isInNetwork, isNamedByRules } from '@/server/platform/env/host-rules';
import { getRuntime } from '@/server/platform/runtime';
import { findEmbeddedIpv4, isPublicAddress } from './public-address';

/**
 * Addresses at which machines of clouds tell their credentials, and those of the link itself. A network or a name of
 * EGRESS_ALLOW never permits them: an operator who needs one names it as an address.
 */
const GUARDED_ADDRESSES = new BlockList();
GUARDED_ADDRESSES.addSubnet('169.254.0.0', 16, 'ipv4');
GUARDED_ADDRESSES.addSubnet('fe80::', 10, 'ipv6');
for (const address of ['100.100.100.200', '168.63.129.16', '192.0.0.192'])
  GUARDED_ADDRESSES.addAddress(address, 'ipv4');
for (const address of ['fd00:ec2::254', 'fd20:ce::254']) GUARDED_ADDRESSES.addAddress(address, 'ipv6');

const isGuardedAddress = (address: string) => GUARDED_ADDRESSES.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6');

/** Whether a rule names an address by itself, as a network of one address. */
function isAddressAllowedByItself(address: string): boolean {
  return getRuntime().env.egressAllow.some(
    (rule) => rule.kind === 'network' && rule.prefix === (rule.family === 4 ? 32 : 128) && isInNetwork(rule, address),
  );
}

/**
 * Whether this service may connect to an address that `host` stands for: a public one, any with EGRESS_ALLOW_PRIVATE,
 * or one that EGRESS_ALLOW names, by itself or by `host`. An IPv4 address inside an IPv6 one counts as what it is.
 */
export function isEgressAllowed(address: string, host: string): boolean {
  const { egressAllowPrivate, egressAllow } = getRuntime().env;
  if (egressAllowPrivate || isPublicAddress(address)) return true;
  if (egressAllow.length === 0 || isIP(address) === 0 || address.includes('%')) return false;
  const inner = findEmbeddedIpv4(address) ?? address;
  if (isGuardedAddress(inner)) return isAddressAllowedByItself(inner);
  return isNamedByRules(egressAllow, inner) || (isIP(host) === 0 && isNamedByRules(egressAllow, host));
}
