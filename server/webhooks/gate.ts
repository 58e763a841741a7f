import { BlockList, isIP } from 'node:net';
import type { VerifiedAddress } from './lookup';

type Family = 'ipv4' | 'ipv6';
const familyOf = (address: string): Family => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

function listOf(blocks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const block of blocks) {
    const [address = '', prefix] = block.split('/');
    const family = familyOf(address);
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  return list;
}

/** Whether the webhook takes requests from this address. */
export function isAllowedAddress(webhook: VerifiedAddress, address: string): boolean {
  if (webhook.allowedIps.length === 0) return true;
  if (isIP(address) === 0) return false;
  return (webhook.addressList ??= listOf(webhook.allowedIps)).check(address, familyOf(address));
}
