// The least that could do the same: takes a signed webhook, stores a run, stores the results of its nodes one after the
// other and its end, each awaited, all through the same group commit; no validation, plan, expressions, leases or
// events. What the service needs on top of it is the price of being a service.
// Environment: DATABASE_URL, REFERENCE_SECRET, REFERENCE_WORKFLOW, REFERENCE_WORKSPACE, REFERENCE_NODES, PORT.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import pg from 'pg';
import { gather } from '../../server/db/gather';
import { newOrderedId } from '../../server/db/ids';

const need = (name: string) => process.env[name] ?? '';
const secret = need('REFERENCE_SECRET');
const nodes = Number(need('REFERENCE_NODES') || 3);
const CONCURRENCY = 200;
const pool = new pg.Pool({ connectionString: need('DATABASE_URL'), max: 4 });
const write = (name: string, text: string, values: unknown[]) => pool.query({ name, text, values });

const submit = gather<{ id: string; input: string }, void>(async (rows) => {
  await write(
    'submit',
    `INSERT INTO execution (id, workspace_id, workflow_id, workflow_version, status, trigger, input)
     SELECT id, $3, $4, 1, 'pending', 'webhook', input FROM unnest($1::text[], $2::text[]::json[]) AS e(id, input)`,
    [rows.map(({ id }) => id), rows.map(({ input }) => input), need('REFERENCE_WORKSPACE'), need('REFERENCE_WORKFLOW')],
  );
  return rows.map(() => undefined);
});

const checkpoint = gather<{ id: string; node: string; output: string; isLast: boolean }, void>(async (rows) => {
  const last = rows.filter(({ isLast }) => isLast);
  await write(
    'checkpoint',
    `WITH done AS (
       UPDATE execution e SET status = 'completed', output = l.output, completed_at = now(), available_at = NULL
       FROM unnest($4::text[], $5::text[]::json[]) AS l(id, output) WHERE e.id = l.id)
     INSERT INTO node_result (execution_id, node_id, status, port, attempts, output, started_at, completed_at, revision)
     SELECT id, node, 'completed', 'output', 1, output, now(), now(), 1
     FROM unnest($1::text[], $2::text[], $3::text[]::json[]) AS r(id, node, output)`,
    [
      rows.map(({ id }) => id),
      rows.map(({ node }) => node),
      rows.map(({ output }) => output),
      last.map(({ id }) => id),
      last.map(({ output }) => output),
    ],
  );
  return rows.map(() => undefined);
});

const waiting: { id: string; input: string }[] = [];
let running = 0;

async function run({ id, input }: { id: string; input: string }): Promise<void> {
  for (let node = 1; node <= nodes; node += 1) {
    await checkpoint({ id, node: `n${node}`, output: input, isLast: node === nodes });
  }
  running -= 1;
  start();
}

function start(): void {
  for (const next of waiting.splice(0, CONCURRENCY - running)) {
    running += 1;
    void run(next);
  }
}

const { rows: backlog } = await pool.query<{ id: string; input: string }>(
  `SELECT id, input::text FROM execution WHERE status = 'pending'`,
);
waiting.push(...backlog);
start();

createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', async () => {
    const body = Buffer.concat(chunks);
    const wanted = Buffer.from(`sha256=${createHmac('sha256', secret).update(body).digest('hex')}`);
    const given = Buffer.from(String(request.headers['x-service-signature']));
    if (wanted.length !== given.length || !timingSafeEqual(wanted, given)) return response.writeHead(401).end();
    const input = JSON.stringify(JSON.parse(body.toString()));
    const id = newOrderedId('exec');
    await submit({ id, input });
    waiting.push({ id, input });
    start();
    response.writeHead(202, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ executionId: id, status: 'accepted' }));
  });
}).listen(Number(need('PORT')), '127.0.0.1', () => process.stdout.write('Processes: reference\n'));
