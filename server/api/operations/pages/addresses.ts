import { BoundedCache } from '@/server/platform/cache/cache';

/** The variable part of the address of a form or chat: `/forms/<workflowId>/<path>`, `/chat/<workflowId>/<path>`. */
export interface PageAddress {
  workflowId: string;
  path: string;
}

/** The format of addresses. Anything else does not exist and is not looked up. */
const ADDRESS_ID_PATTERN = /^[\w-]{1,100}$/;
const ADDRESS_PATH_PATTERN = /^[a-z0-9_/-]{1,100}$/;

export const isPageAddress = ({ workflowId, path }: PageAddress): boolean =>
  ADDRESS_ID_PATTERN.test(workflowId) && ADDRESS_PATH_PATTERN.test(path);

/** Lifetime of a cached id, in milliseconds. */
const ADDRESS_CACHE_MS = 1000;

/** Caches the ids of forms or chats by address for a second, so that a flood of calls reads each once a second. */
export class AddressIdCache {
  private readonly ids = new BoundedCache<string, { id: Promise<string | undefined>; at: number }>(1000);

  constructor(private readonly read: (address: PageAddress) => Promise<{ id: string } | null>) {}

  findId(address: PageAddress): Promise<string | undefined> {
    if (!isPageAddress(address)) return Promise.resolve(undefined);
    const key = `${address.workflowId}/${address.path}`;
    const entry = this.ids.get(key, () => ({ id: Promise.resolve(undefined), at: -ADDRESS_CACHE_MS }));
    if (performance.now() - entry.at >= ADDRESS_CACHE_MS) {
      entry.at = performance.now();
      entry.id = this.read(address).then((found) => found?.id);
      // A failed reading is repeated by the next call.
      entry.id.catch(() => (entry.at = -ADDRESS_CACHE_MS));
    }
    return entry.id;
  }
}
