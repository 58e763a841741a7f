import { setTimeout as pause } from 'node:timers/promises';
import { pool } from '@/server/db/client';
import { newId } from '@/server/db/ids';
import { dispatcher } from '@/server/dispatch/dispatcher';
import { log } from '@/server/log';
import { meters } from '@/server/meters/meters';
import { repeat } from '@/server/repeat';
import { fireTick, type Tick, type TickResult } from './tick';

const EVERY_MS = 1000;
/** Timers may come a little early. */
const AFTER_SECOND_MS = 2;
/** Poll interval when the dispatcher reports each minute. */
const FALLBACK_MS = 10_000;
/** Ticks that one look begins. */
const PAGE = 200;
/** Longest pause between two looks. The next one comes earlier when half of the ticks have ended: looking costs as much as some ticks. */
const POLL_INTERVAL_MS = 100;
/** Ticks of one workspace at a time in this process: its checks may wait for its own evaluations. */
const MOST_OF_WORKSPACE = 25;
/** Ticks at a time in this process. */
const MOST = 1000;
/** A tick that fails for this long is skipped, with a reason that its owner can read. */
const GIVE_UP_MS = 60_000;
const FAILED = 'The run could not be started because of an internal error.';

/** Asked first: it costs a fraction of the look. */
const IS_DUE = { name: 'schedules.due', text: 'SELECT FROM schedule WHERE enabled AND next_run_at <= $1 LIMIT 1' };

/**
 * The oldest due ticks, except those under way here and those of workspaces that have enough of them under way. Ticks of one time come in
 * another order in each process, so that processes do not meet at the same.
 */
const READ = `
WITH busy AS (SELECT workspace_id, count(*) AS count FROM unnest($3::text[]) workspace_id GROUP BY 1),
due AS (
  SELECT s.id, row_number() OVER (ORDER BY s.next_run_at, hashtext(s.id || $4)) AS place,
    row_number() OVER (PARTITION BY w.workspace_id ORDER BY s.next_run_at, hashtext(s.id || $4)) + coalesce(busy.count, 0) AS of_workspace
  FROM schedule s JOIN workflow w ON w.id = s.workflow_id LEFT JOIN busy ON busy.workspace_id = w.workspace_id
  WHERE s.enabled AND s.next_run_at <= $1 AND s.id <> ALL($2::text[])
),
page AS (SELECT id, place FROM due WHERE of_workspace <= ${MOST_OF_WORKSPACE} ORDER BY place LIMIT $5)
SELECT s.id, s.cron, s.timezone, s.input, s.overlap, s.last_execution_id AS "lastExecutionId", s.next_run_at AS "nextRunAt",
  w.workspace_id AS "workspaceId", w.id AS "workflowId", w.version, w.status, w.definition
FROM page JOIN schedule s ON s.id = page.id JOIN workflow w ON w.id = s.workflow_id ORDER BY page.place`;

/** Fires due ticks: each in a transaction of its own, many at a time, and none waits for those of another workspace. */
export class Scheduler {
  /** Ticks under way, by schedule. */
  private readonly underWay = new Map<string, { workspaceId: string; done: Promise<void> }>();
  /** Since when ticks fail, by schedule. */
  private readonly failing = new Map<string, number>();
  private readonly name = newId('wrk');
  private awaited = { left: -1, reached: () => undefined as void };
  /** Ticks that started a run or were skipped so far. */
  fired = 0;

  /** Begins the ticks that are due, until no more can begin. Does not wait for their ends. */
  async begin(now = new Date()): Promise<void> {
    if (!(await this.hasDue(now))) return;
    for (let isMore = true; isMore;) {
      const room = Math.min(PAGE, MOST - this.underWay.size);
      const ticks = room > 0 ? await this.read(now, room) : [];
      for (const tick of ticks) {
        const done = this.fire(tick, now).finally(() => this.end(tick));
        this.underWay.set(tick.id, { workspaceId: tick.workspaceId, done });
      }
      const { size } = this.underWay;
      if (size > 0) await Promise.race([this.untilLeft(size / 2), pause(POLL_INTERVAL_MS)]);
      isMore = ticks.length > 0 || this.underWay.size < size;
    }
  }

  private end({ id }: Tick): void {
    this.underWay.delete(id);
    if (this.underWay.size <= this.awaited.left) this.awaited.reached();
  }

  /** Resolves when so many ticks are left. */
  private untilLeft(left: number): Promise<void> {
    return new Promise((reached) => (this.awaited = { left, reached }));
  }

  async hasDue(now: Date): Promise<boolean> {
    return (await pool().query({ ...IS_DUE, values: [now] })).rowCount !== 0;
  }

  get isIdle(): boolean {
    return this.underWay.size === 0;
  }

  /** Resolves when no tick is under way. */
  async settled(): Promise<void> {
    await Promise.all([...this.underWay.values()].map(({ done }) => done));
  }

  private async read(now: Date, most: number): Promise<Tick[]> {
    const workspaces = [...this.underWay.values()].map(({ workspaceId }) => workspaceId);
    const values = [now, [...this.underWay.keys()], workspaces, this.name, most];
    return (await pool().query<Tick>({ name: 'schedules.read', text: READ, values })).rows;
  }

  /** Never rejects: an error of a tick is its own. It stays due, and is fired again by the next look. */
  private async fire(tick: Tick, now: Date): Promise<void> {
    try {
      this.note(tick, await fireTick(tick, now));
      this.failing.delete(tick.id);
    } catch (error) {
      log().error({ err: error, schedule: tick.id, due: tick.nextRunAt }, 'a schedule could not start its run');
      await pause(EVERY_MS);
      const since = this.failing.get(tick.id) ?? performance.now();
      this.failing.set(tick.id, since);
      if (performance.now() - since > GIVE_UP_MS) await this.giveUp(tick, now);
    }
  }

  private async giveUp(tick: Tick, now: Date): Promise<void> {
    try {
      this.note(tick, await fireTick(tick, now, FAILED));
      this.failing.delete(tick.id);
    } catch (error) {
      log().error({ err: error, schedule: tick.id }, 'a missed time of a schedule could not be stored');
    }
  }

  private note({ id, nextRunAt }: Tick, result: TickResult): void {
    if (result === 'passed') return;
    this.fired += 1;
    meters.scheduleTicks.count(result);
    if (result === 'started') meters.scheduleLateness.observe(Math.max(0, Date.now() - nextRunAt.getTime()) / 1000);
    else log().info({ schedule: id, due: nextRunAt }, 'a time of a schedule passed without a run');
  }
}

/** Fires all due ticks. Returns how many started a run or were skipped. */
export async function fireDue(now = new Date()): Promise<number> {
  const scheduler = new Scheduler();
  do {
    await scheduler.begin(now);
    await scheduler.settled();
  } while (await scheduler.hasDue(now));
  return scheduler.fired;
}

/** Milliseconds until the clock reaches the next multiple of `everyMs`: schedules are due at full seconds, and are looked for right after them. */
const untilNext = (everyMs: number): number => everyMs - (Date.now() % everyMs) + AFTER_SECOND_MS;

/** Fires due ticks in every worker process: each second, or at each minute that the dispatcher reports. */
export async function startScheduler(): Promise<{ stop(): Promise<void> }> {
  const { isInDatabase, everyMinute } = dispatcher();
  const everyMs = isInDatabase ? EVERY_MS : FALLBACK_MS;
  const scheduler = new Scheduler();
  const round = repeat(
    async () => {
      await scheduler.begin();
      // Other ticks of the same workspaces may wait for these.
      return untilNext(scheduler.isIdle ? everyMs : EVERY_MS);
    },
    everyMs,
    (error) => log().error({ err: error }, 'a round of the scheduler failed'),
  );
  const clock = await everyMinute(round.now);
  round.now();
  return {
    async stop() {
      await Promise.all([clock.close(), round.stop()]);
      await scheduler.settled();
    },
  };
}
