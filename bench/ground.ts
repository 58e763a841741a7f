import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { sealText } from '../server/platform/db/seal';
import { NOTIFY_CHANNELS } from '../server/platform/db/notify-channels';
import { migrateDatabase } from '../server/platform/db/migrate';
import { addressOf, administer, type Cluster } from '../server/testing/cluster';
import type { WorkspaceTier } from '../contract/tier';
import { load, percentiles, type Load, type Percentiles, type Target, type Verification } from './load';
import { cpuOfDatabase } from './program';

/** The tenants that are measured, and the other tenants of the database. */
export interface Tenant {
  workspace: string;
  workflow: string;
  webhook: string;
  tier: WorkspaceTier;
}

const tenantOf = (name: string, tier: WorkspaceTier): Tenant => ({
  workspace: `ws_${name}`,
  workflow: `wf_${name}`,
  webhook: `whk_${name}`,
  tier,
});
const BENCH = tenantOf('bench', 'unlimited');
/** A workspace that sends more than its limits allow. */
export const NEIGHBOUR = tenantOf('neighbour', 'free');
const POLL_MS = 20;

const idOf = (n: number) => `exec_${String(n).padStart(24, '0')}`;

/** The types of the nodes of the measured workflow, in a row, and how its webhook answers. */
export interface Shape {
  types: string[];
  response: 'accepted' | 'respond_node';
  verification?: Verification;
}

/** As the row of a webhook has them. The documented signature is no setting. */
const SETTINGS: Record<Verification, object | null> = {
  signature: null,
  none: { kind: 'none' },
  github: { kind: 'provider', provider: 'github' },
};

/** A start, then transforms; the webhook answers at once. */
export const chainOf = (nodes: number, verification: Verification = 'signature'): Shape => ({
  verification,
  types: Array.from({ length: nodes }, (_, at) => (at === 0 ? 'start' : 'transform')),
  response: 'accepted',
});

const CONFIGS: Record<string, object> = {
  start: {},
  transform: { fields: { data: '{{ input.data }}', total: '{{ input.data.total * 1.2 }}' } },
  code: { source: 'return { data: input.data, total: input.data.total * 1.2 };' },
  respond: { body: { total: '{{ input.total }}' } },
};

/** A database with one workflow and its webhook. */
export class Ground {
  readonly secret = `whsec_${randomBytes(24).toString('hex')}`;
  private readonly key = randomBytes(32).toString('hex');
  private readonly dataDir = mkdtempSync(path.join(tmpdir(), 'weft-bench-'));

  /** The number of runs in the backlog so far, and the first run of the latest batch. */
  private backlogCount = 0;
  private latest = 1;

  private constructor(
    private readonly cluster: Cluster,
    private readonly name: string,
    private readonly pool: pg.Pool,
    private readonly shape: Shape,
    private readonly port: number,
  ) {}

  static async lay(cluster: Cluster, shape: Shape, port: number): Promise<Ground> {
    const name = `bench_${randomBytes(4).toString('hex')}`;
    await administer(cluster.url, `CREATE DATABASE ${name}`);
    const url = addressOf(cluster.url, name);
    await migrateDatabase(url, path.resolve('prisma/migrations'));
    const ground = new Ground(cluster, name, new pg.Pool({ connectionString: url, max: 2 }), shape, port);
    for (const tenant of [BENCH, NEIGHBOUR]) await ground.store(tenant);
    return ground;
  }

  get environment(): Record<string, string> {
    return {
      DATABASE_URL: addressOf(this.cluster.url, this.name),
      DATA_DIR: this.dataDir,
      PORT: String(this.port),
      HOST: '127.0.0.1',
      RATE_LIMIT_TIER: 'unlimited',
      ENCRYPTION_KEY: this.key,
      REFERENCE_SECRET: this.secret,
      REFERENCE_WORKSPACE: BENCH.workspace,
      REFERENCE_WORKFLOW: BENCH.workflow,
      REFERENCE_WEBHOOK: BENCH.webhook,
      REFERENCE_NODES: String(this.shape.types.length),
    };
  }

  /** The sessions of this program itself. */
  get ownSessions(): number {
    return this.pool.totalCount;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  load(connections: number, requests: number): Promise<Load> {
    const status = this.shape.response === 'accepted' ? 202 : 200;
    return load(this.target(BENCH), connections, requests, status);
  }

  /** The webhook addresses of a tenant. */
  target({ workflow }: Tenant): Target {
    return {
      origin: this.origin,
      path: `/webhooks/${workflow}/in`,
      secret: this.secret,
      verification: this.verification,
    };
  }

  private get verification(): Verification {
    return this.shape.verification ?? 'signature';
  }

  /** What its row keeps sealed: the secret itself for the documented signature, otherwise the secrets by field. */
  private get sealedText(): string {
    if (this.verification === 'signature') return this.secret;
    return JSON.stringify(this.verification === 'github' ? { secret: this.secret } : {});
  }

  /** Stores runs that wait for a worker, and notifies workers after all of them are stored. */
  async pile(count: number, tenant = BENCH): Promise<void> {
    this.latest = this.backlogCount + 1;
    this.backlogCount += count;
    await this.pool.query(
      `INSERT INTO execution (id, workspace_id, workflow_id, workflow_version, status, trigger, input)
       SELECT 'exec_' || lpad(n::text, 24, '0'), $1, $2, 1, 'pending', 'webhook', '{"data":{"id":7,"total":120.5}}'
       FROM generate_series($3::int, $4::int) n`,
      [tenant.workspace, tenant.workflow, this.latest, this.backlogCount],
    );
    await this.pool.query('VACUUM ANALYZE execution');
    await this.pool.query('SELECT pg_notify($1, $2)', [NOTIFY_CHANNELS.work, '']);
  }

  /** Resolves when every run has ended. */
  async drained(): Promise<void> {
    for (;;) {
      const { rows } = await this.pool.query(
        'SELECT 1 FROM execution WHERE workspace_id = $1 AND completed_at IS NULL LIMIT 1',
        [BENCH.workspace],
      );
      if (rows.length === 0) return;
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }

  /** Runs of the latest batch that ended per second, from the start of the first node to the last end. */
  async drainRate(): Promise<number> {
    const { rows } = await this.pool.query<{ rate: number }>(
      `SELECT count(*) / greatest(extract(epoch FROM max(completed_at) -
           (SELECT min(started_at) FROM node_result WHERE execution_id >= $1)), 0.001)::float AS rate
       FROM execution WHERE status = 'completed' AND id >= $1`,
      [idOf(this.latest)],
    );
    return rows[0]?.rate ?? Number.NaN;
  }

  /** Milliseconds from acceptance to the end of the latest `count` runs. */
  async completion(count: number): Promise<Percentiles> {
    const { rows } = await this.pool.query<{ ms: number }>(
      `SELECT extract(epoch FROM completed_at - started_at)::float * 1000 AS ms FROM execution
       WHERE status = 'completed' AND workspace_id = $2 ORDER BY started_at DESC LIMIT $1`,
      [count, BENCH.workspace],
    );
    if (rows.length < count) throw new Error('Not every run was completed.');
    return percentiles(rows.map(({ ms }) => ms));
  }

  /** Milliseconds from sending one webhook to the end time in the row of its run. */
  async roundTrip(): Promise<number> {
    const sent = Date.now();
    await this.load(1, 1);
    await this.drained();
    const { rows } = await this.pool.query<{ at: Date }>('SELECT max(completed_at) AS at FROM execution');
    return Math.max(0, (rows[0]?.at.getTime() ?? Number.NaN) - sent);
  }

  databaseCpu(): number {
    return cpuOfDatabase(this.cluster.pid);
  }

  async clear(): Promise<void> {
    await this.pool.end();
    await administer(this.cluster.url, `DROP DATABASE ${this.name} WITH (FORCE)`);
    rmSync(this.dataDir, { recursive: true, force: true });
  }

  private async store({ workspace, workflow, webhook, tier }: Tenant): Promise<void> {
    const { types, response } = this.shape;
    const names = types.map((type, at) => (at === 0 ? type : `n${at}`));
    const definition = {
      nodes: types.map((type, at) => ({
        id: names[at],
        type,
        position: { x: at * 200, y: 0 },
        config: CONFIGS[type],
      })),
      connections: names.slice(1).map((id, at) => ({
        sourceNode: names[at],
        sourcePort: 'output',
        targetNode: id,
        targetPort: 'input',
      })),
    };
    const json = JSON.stringify(definition);
    await this.pool.query(`INSERT INTO workspace (id, name, slug, tier, updated_at) VALUES ($1, $1, $1, $2, now())`, [
      workspace,
      tier,
    ]);
    await this.pool.query(
      `INSERT INTO workflow (id, workspace_id, name, description, status, definition, version)
       VALUES ($1, $2, 'bench', '', 'active', $3, 1)`,
      [workflow, workspace, json],
    );
    await this.pool.query(
      `INSERT INTO workflow_version (id, workflow_id, version, name, description, definition, message)
       VALUES ('wfv_' || $1, $1, 1, 'bench', '', $2, '')`,
      [workflow, json],
    );
    await this.pool.query(
      `INSERT INTO webhook (id, workflow_id, path, secret, response, verification) VALUES ($1, $2, 'in', $3, $4, $5)`,
      [
        webhook,
        workflow,
        sealText(this.sealedText, `webhook:${webhook}`, [this.key]),
        response === 'accepted' ? null : { mode: response, timeoutMs: 30_000 },
        SETTINGS[this.verification],
      ],
    );
  }
}
