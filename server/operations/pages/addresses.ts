import { Cache } from '@/server/cache';

/** Where the page of a workflow is: `/forms/<workflowId>/<path>`, `/chat/<workflowId>/<path>`. */
export interface Address {
  workflowId: string;
  path: string;
}

/** The format of addresses. Anything else does not exist and is not looked up. */
const ID = /^[\w-]{1,100}$/;
const PATH = /^[a-z0-9_/-]{1,100}$/;

export const isAddress = ({ workflowId, path }: Address): boolean => ID.test(workflowId) && PATH.test(path);

/** Lifetime of a cached id, in milliseconds. */
const FRESH_MS = 1000;

/** The ids of what is at addresses, at most a second old: a flood of calls reads each once a second. */
export class AddressIds {
  private readonly ids = new Cache<string, { id: Promise<string | undefined>; at: number }>(1000);

  constructor(private readonly read: (address: Address) => Promise<{ id: string } | null>) {}

  at(address: Address): Promise<string | undefined> {
    if (!isAddress(address)) return Promise.resolve(undefined);
    const key = `${address.workflowId}/${address.path}`;
    const entry = this.ids.get(key, () => ({ id: Promise.resolve(undefined), at: -FRESH_MS }));
    if (performance.now() - entry.at >= FRESH_MS) {
      entry.at = performance.now();
      entry.id = this.read(address).then((found) => found?.id);
      // A failed reading is repeated by the next call.
      entry.id.catch(() => (entry.at = -FRESH_MS));
    }
    return entry.id;
  }
}
