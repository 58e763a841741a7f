import { dispatcher } from '@/server/dispatch/dispatcher';
import { log } from '@/server/log';
import { kindsByType } from '@/server/nodes';
import type { Kinds } from '@/server/workflow/graph';
import { ClaimLoop } from './claim-loop';
import { Quarantine } from './queue/quarantine';
import { repeat } from '@/server/repeat';
import { sweepChildren } from './queue/child-sweep';
import { sweep } from './queue/lease';
import { sweepQueues } from './queue/admission/limits';
import { offerSlots } from './queue/admission/local-admission';
import { forgetAllReferenceData, forgetReferenceData } from './attempt/reference-data';
import { LeasedWorker } from './worker-lease';

export interface WorkerOptions {
  /** Maximum number of concurrent runs. Runs that wait occupy no slot. */
  concurrency: number;
  /** Id of the worker's first lease; generated if absent. */
  id?: string;
  kinds?: Kinds;
  /** What it knows (`server/workflow/abilities.ts`). */
  abilities?: number;
  /** Lease duration: without a renewal for this long, the worker loses its runs. */
  leaseMs?: number;
  /** Grace period for running nodes when the worker stops. */
  graceMs?: number;
  /** The previous process crashed: for a while runs are stored before they start. */
  isAfterCrash?: boolean;
}

export interface Worker {
  /** Graceful shutdown: claims nothing more, lets running nodes finish, releases the rest. */
  stop(): Promise<void>;
}

export const LEASE_MS = 3000;
/** How often workers look for expired leases, per lease duration. */
const SWEEPS_PER_LEASE = 6;
/** Upper bound until other workers can claim the runs of a killed worker. */
export const TAKEOVER_MS = LEASE_MS + LEASE_MS / SWEEPS_PER_LEASE;
export const GRACE_MS = 8000;
/** Safety net: re-checks parents and queued runs in case a completion event was lost. */
const SWEEP_MS = 5000;

const logFailure = (what: string) => (error: unknown) => log().error({ err: error }, what);

/** Starts a worker. Several workers, in one process or in many, share the queue. */
export async function startWorker(options: WorkerOptions): Promise<Worker> {
  const { concurrency, kinds = kindsByType, leaseMs = LEASE_MS, graceMs = GRACE_MS, isAfterCrash = false } = options;
  const quarantine = new Quarantine(isAfterCrash);
  const { id, abilities } = options;
  const lease = await LeasedWorker.begin(leaseMs, { id, abilities });
  const claims = new ClaimLoop({ concurrency, kinds, quarantine, lease });

  /** Renews the lease. If it is lost, other workers own its runs; this worker continues under a new id. */
  async function renew(): Promise<void> {
    const { lease } = claims;
    if (await lease.renew()) return;
    log().warn({ worker: lease.id, runs: lease.runs.size }, 'the lease was lost; other workers continue its runs');
    lease.lose();
    claims.replaceLease(await LeasedWorker.begin(leaseMs, { abilities }));
  }

  /**
   * After a loss of contact with the database this worker cannot tell which other workers are gone: they get one lease
   * duration to renew.
   */
  async function sweepLeases(): Promise<void> {
    if (claims.lease.contactMs() <= leaseMs) return;
    const runs = await sweep();
    if (runs === 0) return;
    log().warn({ runs }, 'released the runs of workers whose lease has expired');
    claims.wake();
  }

  async function sweepChildrenAndQueues(): Promise<void> {
    if ((await sweepChildren()) + (await sweepQueues()) > 0) claims.wake();
  }

  const loops = [
    repeat(renew, leaseMs / 3, logFailure('renewing the lease failed')),
    repeat(sweepLeases, leaseMs / SWEEPS_PER_LEASE, logFailure('sweeping leases failed')),
    repeat(() => quarantine.refresh(), leaseMs / SWEEPS_PER_LEASE, logFailure('looking for crashes failed')),
    repeat(sweepChildrenAndQueues, SWEEP_MS, logFailure('sweeping sub-workflows and queues failed')),
  ];
  const subscription = await dispatcher().subscribeWorker({
    onWork: claims.wake,
    look: claims.pollOnce,
    onSignals: (ids) => ids.forEach((id) => claims.lease.runs.get(id)?.signal()),
    onReferenceData: forgetReferenceData,
    onGap: () => {
      forgetAllReferenceData();
      claims.wake();
    },
    room: claims.waitForSlot,
  });
  claims.wake();
  for (const loop of loops) loop.now();
  const withdrawSlots = offerSlots(claims);

  return {
    async stop() {
      withdrawSlots();
      await Promise.all([claims.stop(), subscription.close()]);
      await claims.lease.finish(graceMs);
      await Promise.all(loops.map((loop) => loop.stop()));
      // If the database is unavailable, other workers take over when the lease expires.
      await claims.lease.end().catch(logFailure('the worker could not remove its lease'));
    },
  };
}
