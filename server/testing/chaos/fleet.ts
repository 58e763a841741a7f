import pg from 'pg';
import { setTimeout as pause } from 'node:timers/promises';
import { retryWhileUnavailable } from '@/server/platform/db/failures/retry-while-unavailable';
import type { Cluster } from '../cluster';
import type { RedisServer } from '../servers/redis';
import { startWebProcess, startWorkerProcess, type ServiceProcess, type WebProcess } from '../processes/service';
import type { Happening } from './history';
import type { Random } from './random';

const MAX_STARTS = 10;
/** Time limit for cutting the connections. */
const CUT_MS = 60_000;

/** Supervisor: a process that could not start without the database is started again. */
async function supervised<Each>(start: () => Promise<Each>): Promise<Each> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await start();
    } catch (error) {
      if (tries === MAX_STARTS) throw error;
    }
  }
}

/** Processes of the service on one database, and the faults that can be injected. */
export class Fleet {
  /** Processes that died without an injected fault. */
  readonly deaths: string[] = [];

  private readonly workers: ServiceProcess[] = [];
  private readonly webs: WebProcess[] = [];
  /** The number of web processes started so far. */
  private started = 0;
  /** Faults that end on their own: a process that restarts, or that resumes. */
  private readonly pending = new Set<Promise<unknown>>();

  constructor(
    private readonly cluster: Cluster,
    private readonly redis: RedisServer | undefined,
    private readonly env: Record<string, string>,
    private readonly history: Happening[],
    private readonly random: Random,
  ) {}

  /** Includes processes that have just died. */
  urls = (): string[] => this.webs.map(({ url }) => url);

  async start(webs: number, workers: number): Promise<void> {
    await Promise.all([
      ...Array.from({ length: webs }, () => this.addWeb()),
      ...Array.from({ length: workers }, () => this.addWorker()),
    ]);
  }

  private async addWeb(): Promise<void> {
    // Every other process has both roles, so that it runs what it accepts.
    const ROLE = this.started++ % 2 === 0 ? 'all' : 'web';
    const web = await supervised(() => startWebProcess(this.cluster.url, { ...this.env, ROLE }));
    this.keep(this.webs, web, () => this.addWeb());
  }

  private async addWorker(): Promise<void> {
    const worker = await supervised(() => startWorkerProcess(this.cluster.url, this.env));
    this.keep(this.workers, worker, () => this.addWorker());
  }

  private keep<Each extends ServiceProcess>(kin: Each[], one: Each, replace: () => Promise<void>): void {
    kin.push(one);
    void one.gone.then(() => {
      if (!kin.includes(one)) return;
      kin.splice(kin.indexOf(one), 1);
      this.deaths.push(`A process died by itself: ${one.output()}`);
      this.later(replace());
    });
  }

  private readonly faults: Record<string, () => Promise<unknown>> = {
    'kill a worker': () => this.end(this.workers, 'SIGKILL', () => this.addWorker()),
    'stop a worker in order': () => this.end(this.workers, 'SIGTERM', () => this.addWorker()),
    'freeze a worker': () => this.freeze(),
    'kill a web process': () => this.end(this.webs, 'SIGKILL', () => this.addWeb()),
    'kill the database': () => this.cluster.restart('kill'),
    'restart the database': () => this.cluster.restart(),
    'cut all connections': () => this.cut(),
  };

  private readonly redisFaults: Record<string, (redis: RedisServer) => Promise<unknown>> = {
    'flush Redis': (redis) => redis.client.flushall(),
    'kill Redis': async (redis) => {
      await redis.kill();
      await redis.start();
    },
  };

  /** Injects a fault; resolves when the next one may be injected. */
  async suffer(): Promise<void> {
    const { redis } = this;
    const what = this.random.pick([...Object.keys(this.faults), ...(redis ? Object.keys(this.redisFaults) : [])]);
    this.history.push({ kind: 'fault', at: Date.now(), what });
    await this.faults[what]?.();
    if (redis) await this.redisFaults[what]?.(redis);
  }

  private async end<Each extends ServiceProcess>(
    kin: Each[],
    signal: 'SIGKILL' | 'SIGTERM',
    replace: () => Promise<void>,
  ): Promise<void> {
    // Possibly no process is running at this moment.
    if (kin.length === 0) return;
    const victim = this.random.pick(kin);
    kin.splice(kin.indexOf(victim), 1);
    this.later(victim.end(signal).then(replace));
  }

  private async freeze(): Promise<void> {
    if (this.workers.length === 0) return;
    const victim = this.random.pick(this.workers);
    this.workers.splice(this.workers.indexOf(victim), 1);
    victim.signal('SIGSTOP');
    this.later(
      pause(this.random.between(500, 7000)).then(() => {
        this.history.push({ kind: 'fault', at: Date.now(), what: 'wake a worker' });
        victim.signal('SIGCONT');
        this.workers.push(victim);
      }),
    );
  }

  /** Also while the server has too many connections, or recovers. */
  private cut(): Promise<void> {
    return retryWhileUnavailable(AbortSignal.timeout(CUT_MS), () => this.cutNow());
  }

  private async cutNow(): Promise<void> {
    const client = new pg.Client({ connectionString: this.cluster.url });
    // The query also reports it.
    client.on('error', () => undefined);
    await client.connect();
    await client.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()');
    await client.end();
  }

  private later(work: Promise<unknown>): void {
    const reported = work.catch((error: unknown) =>
      this.deaths.push(`a process did not start again: ${String(error)}`),
    );
    this.pending.add(reported);
    void reported.finally(() => this.pending.delete(reported));
  }

  /** Resolves when all processes run again. */
  async heal(): Promise<void> {
    while (this.pending.size > 0) await Promise.all(this.pending);
  }

  async remove(): Promise<void> {
    await Promise.allSettled(this.pending);
    const left = [...this.webs.splice(0), ...this.workers.splice(0)];
    await Promise.all(left.map((one) => one.end('SIGKILL')));
  }
}
