import { currentDispatcher } from '@/server/platform/dispatch/dispatcher';
import { serviceLog } from '@/server/platform/log';
import { definitionsByNodeType } from '@/server/workflow/nodes';
import type { NodeTypeRegistry } from '@/server/workflow/definition/graph';
import { ClaimLoop } from './claim-loop';
import { CrashQuarantine } from './queue/quarantine';
import { repeatAction } from '@/server/platform/timers/repeat';
import { sweepChildRuns } from './queue/child-sweep';
import { sweepExpiredWorkers } from './queue/lease';
import { sweepQueuedRuns } from './queue/admission/limits';
import { offerWorkerSlots } from './queue/admission/local-admission';
import { forgetAllReferenceData, forgetReferenceData } from './attempt/reference-data';
import { LeasedWorker } from './worker-lease';

export interface EngineWorkerOptions {
  /** Maximum number of concurrent runs. Runs that wait occupy no slot. */
  concurrency: number;
  /** Id of the worker's first lease; generated if absent. */
  id?: string;
  kinds?: NodeTypeRegistry;
  /**
   * Bit mask of the abilities of this worker (`server/workflow/definition/abilities.ts`): it claims only runs that
   * require no others.
   */
  abilities?: number;
  /** Lease duration: without a renewal for this long, the worker loses its runs. */
  leaseMs?: number;
  /** Grace period for running nodes when the worker stops. */
  graceMs?: number;
  /** The previous process crashed: for a while runs are stored before they start. */
  isAfterCrash?: boolean;
  /** Is called when something changed on which subscriptions at providers depend, or may have. */
  onSubscriptions?: () => void;
}

export interface EngineWorker {
  /** Graceful shutdown: claims nothing more, lets running nodes finish, releases the rest. */
  stop(): Promise<void>;
}

export const WORKER_LEASE_MS = 3000;
/** How often workers look for expired leases, per lease duration. */
const SWEEPS_PER_LEASE = 6;
/** Upper bound until other workers can claim the runs of a killed worker. */
export const MAX_TAKEOVER_MS = WORKER_LEASE_MS + WORKER_LEASE_MS / SWEEPS_PER_LEASE;
export const WORKER_GRACE_MS = 8000;
/** Safety net: re-checks parents and queued runs in case a completion event was lost. */
const SWEEP_INTERVAL_MS = 5000;

const createFailureLogger = (what: string) => (error: unknown) => serviceLog().error({ err: error }, what);

/** Starts a worker. Several workers, in one process or in many, share the queue. */
export async function startWorker(options: EngineWorkerOptions): Promise<EngineWorker> {
  const {
    concurrency,
    kinds = definitionsByNodeType,
    leaseMs = WORKER_LEASE_MS,
    graceMs = WORKER_GRACE_MS,
    isAfterCrash = false,
    onSubscriptions = () => undefined,
  } = options;
  const quarantine = new CrashQuarantine(isAfterCrash);
  const { id, abilities } = options;
  const lease = await LeasedWorker.register(leaseMs, { id, abilities });
  const claims = new ClaimLoop({ concurrency, kinds, quarantine, lease });

  /** Renews the lease. If it is lost, other workers own its runs; this worker continues under a new id. */
  async function renew(): Promise<void> {
    const { lease } = claims;
    if (await lease.renew()) return;
    serviceLog().warn(
      { worker: lease.id, runs: lease.runs.size },
      'the lease was lost; other workers continue its runs',
    );
    lease.lose();
    claims.replaceLease(await LeasedWorker.register(leaseMs, { abilities }));
  }

  /**
   * After a loss of contact with the database this worker cannot tell which other workers are gone: they get one lease
   * duration to renew.
   */
  async function sweepLeases(): Promise<void> {
    if (claims.lease.contactMs() <= leaseMs) return;
    const runs = await sweepExpiredWorkers();
    if (runs === 0) return;
    serviceLog().warn({ runs }, 'released the runs of workers whose lease has expired');
    claims.wake();
  }

  async function sweepChildrenAndQueues(): Promise<void> {
    if ((await sweepChildRuns()) + (await sweepQueuedRuns()) > 0) claims.wake();
  }

  const loops = [
    repeatAction(renew, leaseMs / 3, createFailureLogger('renewing the lease failed')),
    repeatAction(sweepLeases, leaseMs / SWEEPS_PER_LEASE, createFailureLogger('sweeping leases failed')),
    repeatAction(
      () => quarantine.refresh(),
      leaseMs / SWEEPS_PER_LEASE,
      createFailureLogger('looking for crashes failed'),
    ),
    repeatAction(
      sweepChildrenAndQueues,
      SWEEP_INTERVAL_MS,
      createFailureLogger('sweeping sub-workflows and queues failed'),
    ),
  ];
  const subscription = await currentDispatcher().subscribeWorker({
    onWork: claims.wake,
    pollOnce: claims.pollOnce,
    onSignals: (ids) => ids.forEach((id) => claims.lease.runs.get(id)?.signal()),
    onReferenceData: forgetReferenceData,
    onSubscriptions,
    onGap: () => {
      forgetAllReferenceData();
      onSubscriptions();
      claims.wake();
    },
    waitForSlot: claims.waitForSlot,
  });
  claims.wake();
  for (const loop of loops) loop.wake();
  const withdrawSlots = offerWorkerSlots(claims);

  return {
    async stop() {
      withdrawSlots();
      await Promise.all([claims.stop(), subscription.close()]);
      await claims.lease.finish(graceMs);
      await Promise.all(loops.map((loop) => loop.stop()));
      // If the database is unavailable, other workers take over when the lease expires.
      await claims.lease.unregister().catch(createFailureLogger('the worker could not remove its lease'));
    },
  };
}
