import { BlockList, isIP } from 'node:net';
import type { WebhookVerificationData } from './lookup';

type IpFamily = 'ipv4' | 'ipv6';
const ipFamily = (address: string): IpFamily => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

function buildAddressList(blocks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const block of blocks) {
    const [address = '', prefix] = block.split('/');
    const family = ipFamily(address);
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  return list;
}

/** Whether the webhook takes requests from this address. */
export function isSenderAddressAllowed(webhook: WebhookVerificationData, address: string): boolean {
  if (webhook.allowedIps.length === 0) return true;
  if (isIP(address) === 0) return false;
  return (webhook.addressList ??= buildAddressList(webhook.allowedIps)).check(address, ipFamily(address));
}
