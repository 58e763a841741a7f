// Reference: a minimal program that receives a signed webhook, stores a run with its delivery and audit entry, then the
// results of its nodes one after the other and its end, each awaited, all by the same group commit. It writes the same
// rows as the service, without validation, plan, expressions, leases, events or sealing: the difference is the overhead
// of the service.
// Environment: DATABASE_URL, REFERENCE_SECRET, REFERENCE_WORKFLOW, REFERENCE_WORKSPACE, REFERENCE_WEBHOOK,
// REFERENCE_NODES, PORT.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import pg from 'pg';
import { groupCommit } from '../server/platform/db/group-commit';
import { generateOrderedId } from '../server/platform/db/ids';

const need = (name: string) => process.env[name] ?? '';
const secret = need('REFERENCE_SECRET');
const nodes = Number(need('REFERENCE_NODES') || 3);
const CONCURRENCY = 200;
// Same setting as the service's connections: plans are cached, and a plan made for an empty table would scan all of it.
const options = '-c enable_seqscan=off';
const pool = new pg.Pool({ connectionString: need('DATABASE_URL'), max: 4, options });
const write = (name: string, text: string, values: unknown[]) => pool.query({ name, text, values });

const submit = groupCommit<{ id: string; input: string; userAgent: string }, void>(async (rows) => {
  await write(
    'submit',
    `WITH delivered AS (
       INSERT INTO webhook_delivery (id, webhook_id, verdict, execution_id, ip_address, user_agent)
       SELECT 'dlv_' || id, $5::text, 'accepted', id, '127.0.0.1', user_agent FROM unnest($1::text[], $6::text[]) AS d(id, user_agent)),
     recorded AS (
       INSERT INTO audit_entry (id, workspace_id, category, action, result, actor, resource, metadata)
       SELECT 'aud_' || id, $3::text, 'resource_access', 'webhooks.deliver', 'success', json_build_object('type', 'webhook', 'id', $5::text),
         json_build_object('type', 'workflow', 'id', $4::text), json_build_object('ipAddress', '127.0.0.1', 'userAgent', user_agent)
       FROM unnest($1::text[], $6::text[]) AS a(id, user_agent))
     INSERT INTO execution (id, workspace_id, workflow_id, workflow_version, status, trigger, input)
     SELECT id, $3::text, $4::text, 1, 'pending', 'webhook', input FROM unnest($1::text[], $2::text[]::json[]) AS e(id, input)`,
    [
      rows.map(({ id }) => id),
      rows.map(({ input }) => input),
      need('REFERENCE_WORKSPACE'),
      need('REFERENCE_WORKFLOW'),
      need('REFERENCE_WEBHOOK'),
      rows.map(({ userAgent }) => userAgent),
    ],
  );
  return rows.map(() => undefined);
});

const checkpoint = groupCommit<{ id: string; node: string; output: string; isLast: boolean }, void>(async (rows) => {
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
    const expectedSignature = Buffer.from(`sha256=${createHmac('sha256', secret).update(body).digest('hex')}`);
    const signature = Buffer.from(String(request.headers['x-service-signature']));
    if (expectedSignature.length !== signature.length || !timingSafeEqual(expectedSignature, signature))
      return response.writeHead(401).end();
    const input = JSON.stringify(JSON.parse(body.toString()));
    const id = generateOrderedId('exec');
    await submit({ id, input, userAgent: request.headers['user-agent'] ?? '' });
    waiting.push({ id, input });
    start();
    response.writeHead(202, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ executionId: id, status: 'accepted' }));
  });
}).listen(Number(need('PORT')), '127.0.0.1', () => process.stdout.write('Processes: reference\n'));
