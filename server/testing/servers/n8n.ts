import { listenOn } from '../listen';

/** A workflow as the API of n8n gives it. */
export interface StoredN8nWorkflow {
  id: string;
  name: string;
  nodes: object[];
  connections: object;
  pinData?: object;
  [field: string]: unknown;
}

/** An execution as the API of n8n gives it, with its data. */
export interface StoredN8nExecution {
  id: string;
  workflowId: string;
  status: string;
  data: object;
  [field: string]: unknown;
}

/**
 * What the published description of n8n's API says of workflows and executions: a key in a header, pages with a cursor,
 * data only if it is asked for.
 */
export async function startN8nApi(content: { workflows: StoredN8nWorkflow[]; executions: StoredN8nExecution[] }) {
  const key = 'n8n-key-of-the-test';
  const paths: string[] = [];
  const { url, close } = await listenOn((request, response) => {
    const { pathname, searchParams: query } = new URL(request.url ?? '', 'http://n8n');
    paths.push(request.url ?? '');
    response.setHeader('content-type', 'application/json');
    const answer = (status: number, body: unknown) => void response.writeHead(status).end(JSON.stringify(body));
    if (request.headers['x-n8n-api-key'] !== key) return answer(401, { message: 'unauthorized' });
    const [, api, version, kind, id] = pathname.split('/');
    if (api !== 'api' || version !== 'v1') return answer(404, { message: 'not found' });
    const sendPage = (all: object[]) => {
      const limit = Math.min(Number(query.get('limit') ?? 100), 250);
      const from = Number(query.get('cursor') ?? 0);
      const nextCursor = from + limit < all.length ? String(from + limit) : null;
      answer(200, { data: all.slice(from, from + limit), nextCursor });
    };
    const withoutData = ({ data: _, ...rest }: StoredN8nExecution) => rest;
    if (kind === 'workflows' && id === undefined) {
      const isShort = query.get('excludePinnedData') === 'true';
      return sendPage(content.workflows.map(({ pinData, ...rest }) => (isShort ? rest : { ...rest, pinData })));
    }
    if (kind === 'executions' && id === undefined) {
      const wanted = query.get('workflowId');
      const found = content.executions.filter(({ workflowId }) => wanted === null || workflowId === wanted);
      return sendPage(query.get('includeData') === 'true' ? found : found.map(withoutData));
    }
    const all = kind === 'workflows' ? content.workflows : kind === 'executions' ? content.executions : [];
    const found = all.find((one) => one.id === id);
    return found ? answer(200, found) : answer(404, { message: 'not found' });
  });
  return { url, key, paths, close };
}

/** A workflow that asks a server for orders and keeps the large ones, with two runs of it. */
export function ordersInN8n(): { workflows: StoredN8nWorkflow[]; executions: StoredN8nExecution[] } {
  const node = (name: string, type: string, x: number, parameters: object, typeVersion = 1) => ({
    name,
    type: `n8n-nodes-base.${type}`,
    typeVersion,
    position: [x, 0],
    parameters,
  });
  const link = (to: string) => ({ main: [[{ node: to, type: 'main', index: 0 }]] });
  const fields = [{ id: '1', name: 'label', type: 'string', value: '={{ $json.order }} of {{ $json.customer }}' }];
  const workflow: StoredN8nWorkflow = {
    id: 'orders',
    name: 'Orders',
    active: true,
    tags: [{ id: 't', name: 'Sales' }],
    nodes: [
      node('Webhook', 'webhook', 0, { httpMethod: 'POST', path: 'orders', options: {} }, 2),
      node('Fetch', 'httpRequest', 200, { url: 'https://api.example.com/orders', options: {} }, 4.2),
      node('Label', 'set', 400, { assignments: { assignments: fields }, options: {} }, 3.4),
    ],
    connections: { Webhook: link('Fetch'), Fetch: link('Label') },
    settings: {},
    pinData: { Fetch: [{ json: { order: 1, customer: 'Ada' } }] },
  };
  const run = (id: string, order: number): StoredN8nExecution => {
    const gave = (json: object) => [{ executionStatus: 'success', data: { main: [[{ json }]] } }];
    const runData = {
      Webhook: gave({ headers: {}, params: {}, query: {}, body: { order } }),
      Fetch: gave({ order, customer: 'Ada' }),
      Label: gave({ label: `${order} of Ada` }),
    };
    return {
      id,
      workflowId: 'orders',
      status: 'success',
      startedAt: '2026-11-20T10:00:00.000Z',
      data: { resultData: { runData, lastNodeExecuted: 'Label' } },
    };
  };
  return { workflows: [workflow], executions: [run('2', 2), run('1', 1)] };
}
