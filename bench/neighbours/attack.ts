import type { Tenant } from './tenant';

/** A load that one workspace, or somebody without one, puts on the service. */
export interface Attack {
  name: string;
  /** Repeats the load until `isOver`. Returns the outcome of the last attempt. */
  run(hostile: Tenant, isOver: () => boolean): Promise<string>;
}
