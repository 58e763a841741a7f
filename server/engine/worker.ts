import { nodeKinds } from '../nodes';
import { dispatcher } from '../dispatch/dispatcher';
import { log } from '../log';
import { runtime } from '../runtime';
import { sweepChildren } from './children';
import type { WriteCheckpoint } from './checkpoint';
import { claim, type ClaimedRun } from './claim';
import type { Graph, Kinds } from './graph';
import { offerPlaces, type Place } from './handover';
import { HeadStart } from './head-start';
import { sweepQueues } from './limits';
import { owned, sweep } from './lease';
import { Breath } from './pace';
import { repeat } from './repeat';
import { Tenure } from './tenure';
import { versionLoader } from './versions';

export interface WorkerOptions {
  /** Runs under way at a time; waiting ones hold nothing. */
  concurrency: number;
  /** A name for its first lease; made up if absent. */
  id?: string;
  kinds?: Kinds;
  /** How long a worker that isn't heard of keeps its runs. */
  leaseMs?: number;
  /** How long running nodes may take to finish when the worker stops. */
  graceMs?: number;
}

export interface Worker {
  /** Stops in order: takes nothing more, lets running nodes finish, hands the rest back. */
  stop(): Promise<void>;
}

const LEASE_MS = 3000;
/** How often workers look for those whose lease has run out, in leases. */
const SWEEPS_PER_LEASE = 6;
/** After so long at most the runs of a worker that was killed are there to be taken by others. */
export const TAKEOVER_MS = LEASE_MS + LEASE_MS / SWEEPS_PER_LEASE;
const GRACE_MS = 8000;
/** How often the worker compares what it has with what the database says. */
const RECONCILE_MS = 1000;
/** The floor under what the ends of runs mean for others. */
const SWEEP_MS = 5000;
/**
 * A process that answers calls as well takes runs by the handful: their ends are written in one statement, and whoever
 * calls waits behind that, and behind the garbage of as many runs. With more calls a second than `MANY` it has to keep up
 * with what they bring.
 */
const HANDFUL = 50;
const MANY = 500;
/** Timers a little early would find nothing yet. */
const SLACK_MS = 2;

function isToBeQuick(): boolean {
  const calls = runtime().callRate?.perSecond ?? 0;
  return calls > 0 && calls <= MANY;
}

const everyKind: Kinds = new Map(nodeKinds.map((kind) => [kind.type, kind]));

/** Starts taking runs. Several workers, in one process or in many, share the work. */
export async function startWorker(options: WorkerOptions): Promise<Worker> {
  const { concurrency, kinds = everyKind, leaseMs = LEASE_MS, graceMs = GRACE_MS } = options;
  const load = versionLoader(kinds);
  const { pollMs, horizonMs, offer, attend } = dispatcher();
  let tenure = await Tenure.begin(leaseMs, options.id);
  let isStopping = false;
  let cursor = '';
  /** The last look ended for want of room: each place that becomes free is a reason to look again. */
  let isFull = false;
  /** The last look found nothing left that waits: a new run passes nobody over. */
  let isDrained = false;
  /** How many runs it has taken so far. */
  let taken = 0;
  /** Room that a claim under way may fill. */
  let claimed = 0;
  let reconciledAt = 0;
  /** Tells whoever waits for it that the worker has room. */
  let ring: () => void = () => {};

  /** Everything that this worker had is somebody else's now; it begins anew under another name. */
  async function renew(): Promise<void> {
    if (await tenure.renew()) return;
    log().warn({ worker: tenure.id, runs: tenure.runs.size }, 'the lease was lost; its runs go on elsewhere');
    tenure.lose();
    tenure = await Tenure.begin(leaseMs);
    ring();
    claiming.now();
  }

  /** A worker that was cut off itself can't tell who else is gone: first everybody renews. */
  async function sweepOthers(): Promise<void> {
    if (tenure.contactMs() <= leaseMs) return;
    const freed = await sweep();
    if (freed > 0) log().warn({ runs: freed }, 'freed the runs of a worker that is gone');
    if (freed > 0) claiming.now();
  }

  async function sweepFamilies(): Promise<void> {
    if ((await sweepChildren()) + (await sweepQueues()) > 0) claiming.now();
  }

  /** Takes what is due until a whole round of workspaces had nothing left. Answers when to look again, in ms. */
  async function takeRuns(): Promise<number> {
    const mine = tenure;
    await reconcile(mine);
    let waitMs = pollMs;
    for (;;) {
      const free = mine.room(concurrency, isToBeQuick() ? HANDFUL : undefined);
      isFull = free <= 0;
      if (isFull) isDrained = false;
      // What it leaves is for the others.
      if (isFull) offer();
      if (isFull || isStopping || mine.lost.aborted) return pollMs;
      // While nothing waited, part of the room stays for what is stored meanwhile.
      claimed = isDrained ? Math.ceil(free / 2) : free;
      const found = await claim(mine.id, claimed, cursor).finally(() => (claimed = 0));
      ({ cursor, isDrained } = found);
      taken += found.runs.length;
      if (found.runs.length > 0) await start(mine, found.runs);
      if (found.nextDueMs !== null && found.nextDueMs <= horizonMs) {
        waitMs = Math.min(waitMs, Math.ceil(found.nextDueMs) + SLACK_MS);
      }
      if (isDrained) return waitMs;
    }
  }

  async function start(mine: Tenure, runs: ClaimedRun[]): Promise<void> {
    const graphs = await load(runs);
    // What the first ones come to is on its way to the database while the next ones compute.
    const breath = new Breath();
    for (const [index, run] of runs.entries()) {
      if (breath.isDue) await breath.take();
      begin(mine, run, graphs[index]);
    }
  }

  function begin(mine: Tenure, run: ClaimedRun, graph: Graph | undefined, write?: WriteCheckpoint): void {
    mine.start(run, graph, freed, write);
    // It was on its way when the end began: it is handed back untouched.
    if (isStopping) mine.stopRuns();
  }

  function keepPlace(run: ClaimedRun): Place | undefined {
    const mine = tenure;
    if (!isDrained || isStopping || mine.lost.aborted || mine.room(concurrency) <= claimed) return undefined;
    const ahead = new HeadStart(mine.checkpoint);
    mine.expected.add(run.id);
    const graphs = load([run]);
    if (graphs instanceof Promise) {
      graphs
        .then(([graph]) => begin(mine, run, graph, ahead.write))
        .catch((error: unknown) => {
          // By its row it may be this worker's: the next reconciliation lets go of it.
          mine.expected.delete(run.id);
          freed();
          failed('starting a run failed')(error);
        });
    } else begin(mine, run, graphs[0], ahead.write);
    return { workerId: mine.id, take: () => ahead.take(), settle: (isHanded) => ahead.end(isHanded) };
  }

  function freed(): void {
    ring();
    if (isFull) claiming.now();
  }

  function room(): Promise<void> {
    if (tenure.room(concurrency) > 0 || isStopping) return Promise.resolve();
    return new Promise((resolve) => (ring = resolve));
  }

  /** Finds wishes whose notification was lost, and lets go of runs the answer to whose claim was lost. */
  async function reconcile(mine: Tenure): Promise<void> {
    if (performance.now() - reconciledAt < RECONCILE_MS) return;
    const rows = await owned(mine.id);
    for (const { id, isWished } of rows) if (isWished) mine.runs.get(id)?.wish();
    await mine.release(rows.filter(({ id }) => !mine.knows(id)).map(({ id }) => id));
    reconciledAt = performance.now();
  }

  const failed = (what: string) => (error: unknown) => log().error({ err: error }, what);
  const claiming = repeat(takeRuns, pollMs, failed('claiming failed'));
  const loops = [
    claiming,
    repeat(renew, leaseMs / 3, failed('renewing the lease failed')),
    repeat(sweepOthers, leaseMs / SWEEPS_PER_LEASE, failed('sweeping failed')),
    repeat(sweepFamilies, SWEEP_MS, failed('sweeping sub-workflows and queues failed')),
  ];
  const heard = await attend({
    onWork: claiming.now,
    async look() {
      const before = taken;
      claiming.now();
      await claiming.settled();
      return taken > before && !isFull && !isStopping;
    },
    onWishes: (ids) => ids.forEach((id) => tenure.runs.get(id)?.wish()),
    onGap: claiming.now,
    room,
  });
  for (const loop of loops) loop.now();
  const withdraw = offerPlaces({ keepPlace });

  return {
    async stop() {
      isStopping = true;
      withdraw();
      ring();
      tenure.stopRuns();
      await Promise.all([claiming.stop(), heard.close()]);
      await tenure.finish(graceMs);
      await Promise.all(loops.map((loop) => loop.stop()));
      // A database that is away finds out by the lease.
      await tenure.end().catch(failed('the worker could not sign off'));
    },
  };
}
