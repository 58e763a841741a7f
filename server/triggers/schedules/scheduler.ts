import { setTimeout as pause } from 'node:timers/promises';
import { databasePool } from '@/server/platform/db/client';
import { generateId } from '@/server/platform/db/ids';
import { currentDispatcher } from '@/server/platform/dispatch/dispatcher';
import { serviceLog } from '@/server/platform/log';
import { processMeters } from '@/server/platform/counters/meters';
import { repeatAction } from '@/server/platform/timers/repeat';
import { fireScheduleTick, type ScheduleTick, type TickResult } from './tick';

const SCHEDULER_INTERVAL_MS = 1000;
/** Margin for timers that fire early. */
const EARLY_TIMER_MARGIN_MS = 2;
/** Poll interval when the dispatcher reports each minute. */
const FALLBACK_INTERVAL_MS = 10_000;
/** Limit of the ticks that one read starts. */
const MAX_TICKS_PER_READ = 200;
/**
 * Maximum pause between two reads. The next read comes earlier when half of the ticks have ended, because a read costs
 * as much as several ticks.
 */
const MAX_READ_PAUSE_MS = 100;
/**
 * Limit of concurrent ticks of one workspace in this process: their checks may wait for evaluations of the same
 * workspace.
 */
const MAX_WORKSPACE_TICKS = 25;
/** Limit of concurrent ticks in this process. */
const MAX_CONCURRENT_TICKS = 1000;
/** A tick that fails for this long is skipped, with a reason that the user can read. */
const TICK_GIVE_UP_MS = 60_000;
const TICK_FAILURE_REASON = 'The run could not be started because of an internal error.';

/** Executed before the full read, because it costs only a fraction of it. */
const ANY_TICK_DUE_QUERY = {
  name: 'schedules.due',
  text: 'SELECT FROM schedule WHERE enabled AND next_run_at <= $1 LIMIT 1',
};

/**
 * SQL: the oldest due ticks, except those in progress here and those of workspaces that have reached their limit. Each
 * process reads ticks of the same time in another order, so that processes do not compete for the same ticks.
 */
const READ_DUE_TICKS_SQL = `
WITH busy AS (SELECT workspace_id, count(*) AS count FROM unnest($3::text[]) workspace_id GROUP BY 1),
due AS (
  SELECT s.id, row_number() OVER (ORDER BY s.next_run_at, hashtext(s.id || $4)) AS place,
    row_number() OVER (PARTITION BY w.workspace_id ORDER BY s.next_run_at, hashtext(s.id || $4)) + coalesce(busy.count, 0) AS of_workspace
  FROM schedule s JOIN workflow w ON w.id = s.workflow_id LEFT JOIN busy ON busy.workspace_id = w.workspace_id
  WHERE s.enabled AND s.next_run_at <= $1 AND s.id <> ALL($2::text[])
),
page AS (SELECT id, place FROM due WHERE of_workspace <= ${MAX_WORKSPACE_TICKS} ORDER BY place LIMIT $5)
SELECT s.id, s.cron, s.timezone, s.input, s.overlap, s.last_execution_id AS "lastExecutionId", s.next_run_at AS "nextRunAt",
  w.workspace_id AS "workspaceId", w.id AS "workflowId", w.version, w.status, w.definition
FROM page JOIN schedule s ON s.id = page.id JOIN workflow w ON w.id = s.workflow_id ORDER BY page.place`;

/**
 * Fires due ticks, each in a transaction of its own. Many run at a time, and none waits for the ticks of another
 * workspace.
 */
export class TickScheduler {
  /** Ticks under way, by schedule. */
  private readonly underWay = new Map<string, { workspaceId: string; done: Promise<void> }>();
  /** Since when ticks fail, by schedule. */
  private readonly failing = new Map<string, number>();
  private readonly orderSeed = generateId('wrk');
  private awaited = { left: -1, reached: () => undefined as void };
  /** Ticks that started a run or were skipped so far. */
  fired = 0;

  /** Starts due ticks until no more can start. Does not wait until they end. */
  async startDueTicks(now = new Date()): Promise<void> {
    if (!(await this.hasDue(now))) return;
    for (let isMore = true; isMore;) {
      const room = Math.min(MAX_TICKS_PER_READ, MAX_CONCURRENT_TICKS - this.underWay.size);
      const ticks = room > 0 ? await this.readDueTicks(now, room) : [];
      for (const tick of ticks) {
        const done = this.fire(tick, now).finally(() => this.removeTick(tick));
        this.underWay.set(tick.id, { workspaceId: tick.workspaceId, done });
      }
      const { size } = this.underWay;
      if (size > 0) await Promise.race([this.untilLeft(size / 2), pause(MAX_READ_PAUSE_MS)]);
      isMore = ticks.length > 0 || this.underWay.size < size;
    }
  }

  private removeTick({ id }: ScheduleTick): void {
    this.underWay.delete(id);
    if (this.underWay.size <= this.awaited.left) this.awaited.reached();
  }

  /** Resolves when so many ticks are left. */
  private untilLeft(left: number): Promise<void> {
    return new Promise((reached) => (this.awaited = { left, reached }));
  }

  async hasDue(now: Date): Promise<boolean> {
    return (await databasePool().query({ ...ANY_TICK_DUE_QUERY, values: [now] })).rowCount !== 0;
  }

  get isIdle(): boolean {
    return this.underWay.size === 0;
  }

  /** Resolves when no tick is under way. */
  async whenIdle(): Promise<void> {
    await Promise.all([...this.underWay.values()].map(({ done }) => done));
  }

  private async readDueTicks(now: Date, most: number): Promise<ScheduleTick[]> {
    const workspaces = [...this.underWay.values()].map(({ workspaceId }) => workspaceId);
    const values = [now, [...this.underWay.keys()], workspaces, this.orderSeed, most];
    return (await databasePool().query<ScheduleTick>({ name: 'schedules.read', text: READ_DUE_TICKS_SQL, values }))
      .rows;
  }

  /** Never rejects. A tick that fails stays due and is fired again after the next read. */
  private async fire(tick: ScheduleTick, now: Date): Promise<void> {
    try {
      this.recordResult(tick, await fireScheduleTick(tick, now));
      this.failing.delete(tick.id);
    } catch (error) {
      serviceLog().error({ err: error, schedule: tick.id, due: tick.nextRunAt }, 'a schedule could not start its run');
      await pause(SCHEDULER_INTERVAL_MS);
      const since = this.failing.get(tick.id) ?? performance.now();
      this.failing.set(tick.id, since);
      if (performance.now() - since > TICK_GIVE_UP_MS) await this.giveUp(tick, now);
    }
  }

  private async giveUp(tick: ScheduleTick, now: Date): Promise<void> {
    try {
      this.recordResult(tick, await fireScheduleTick(tick, now, TICK_FAILURE_REASON));
      this.failing.delete(tick.id);
    } catch (error) {
      serviceLog().error({ err: error, schedule: tick.id }, 'a missed time of a schedule could not be stored');
    }
  }

  private recordResult({ id, nextRunAt }: ScheduleTick, result: TickResult): void {
    if (result === 'passed') return;
    this.fired += 1;
    processMeters.scheduleTicks.count(result);
    if (result === 'started')
      processMeters.scheduleLateness.observe(Math.max(0, Date.now() - nextRunAt.getTime()) / 1000);
    else serviceLog().info({ schedule: id, due: nextRunAt }, 'a time of a schedule passed without a run');
  }
}

/** Fires all due ticks. Returns how many started a run or were skipped. */
export async function fireDueTicks(now = new Date()): Promise<number> {
  const scheduler = new TickScheduler();
  do {
    await scheduler.startDueTicks(now);
    await scheduler.whenIdle();
  } while (await scheduler.hasDue(now));
  return scheduler.fired;
}

/**
 * Returns the milliseconds until the next multiple of `everyMs`: schedules are due at full seconds and are read right
 * after them.
 */
const msUntilNextMultiple = (everyMs: number): number => everyMs - (Date.now() % everyMs) + EARLY_TIMER_MARGIN_MS;

/** Fires due ticks in every worker process: each second, or at each minute that the dispatcher reports. */
export async function startScheduleLoop(): Promise<{ stop(): Promise<void> }> {
  const { isInDatabase, everyMinute } = currentDispatcher();
  const everyMs = isInDatabase ? SCHEDULER_INTERVAL_MS : FALLBACK_INTERVAL_MS;
  const scheduler = new TickScheduler();
  const round = repeatAction(
    async () => {
      await scheduler.startDueTicks();
      // Other ticks of the same workspaces may wait for these.
      return msUntilNextMultiple(scheduler.isIdle ? everyMs : SCHEDULER_INTERVAL_MS);
    },
    everyMs,
    (error) => serviceLog().error({ err: error }, 'a round of the scheduler failed'),
  );
  const clock = await everyMinute(round.wake);
  round.wake();
  return {
    async stop() {
      await Promise.all([clock.close(), round.stop()]);
      await scheduler.whenIdle();
    },
  };
}
