import { createHmac } from 'node:crypto';
import { Agent, request } from 'undici';

const LIMIT_PAUSE_MS = 2000;

type Bag = Record<string, unknown>;

export interface Answer {
  status: number;
  body: Bag;
}

/** A node in the short form that attacks use: id, type, config. */
export interface Step {
  type: string;
  config?: Bag;
  /** The output port of the previous node that leads here; default `output`. */
  port?: string;
  [more: string]: unknown;
}

/** A user with their own workspace, who calls the service over its public API. */
export class Tenant {
  private readonly agent = new Agent({ connections: 100, pipelining: 1 });

  private constructor(
    readonly origin: string,
    readonly bearer: string,
    readonly workspaceId: string,
  ) {}

  static async signUp(origin: string, name: string): Promise<Tenant> {
    const account = { name, email: `${name}@example.com`, password: 'correct horse battery' };
    let signedUp = await call(origin, 'POST', '/api/auth/signup', account);
    // Strangers of the same network may have used up what it may ask for.
    for (; signedUp.status === 429; signedUp = await call(origin, 'POST', '/api/auth/signup', account))
      await pause(LIMIT_PAUSE_MS);
    if (signedUp.status !== 201)
      throw new Error(`${name} was refused: ${signedUp.status} ${JSON.stringify(signedUp.body)}`);
    const token = String(signedUp.body['accessToken']);
    const headers = { authorization: `Bearer ${token}` };
    const me = await call(origin, 'GET', '/api/auth/me', undefined, headers);
    const [workspace] = me.body['workspaces'] as { id: string }[];
    if (!workspace) throw new Error(`${name} has no workspace: ${JSON.stringify(me.body)}`);
    return new Tenant(origin, token, workspace.id);
  }

  /** Calls the API. Throws on network errors. */
  call(method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown): Promise<Answer> {
    return call(this.origin, method, path, body, { authorization: `Bearer ${this.bearer}` }, this.agent);
  }

  /** Sends raw bytes with the session's token. */
  raw(path: string, body: string, headers: Record<string, string>): Promise<Answer> {
    return send(this.origin, 'POST', path, body, { authorization: `Bearer ${this.bearer}`, ...headers }, this.agent);
  }

  /** Creates a chain of nodes that begins with start. Returns the workflow's id. */
  async workflow(steps: Record<string, Step>, more: Bag = {}): Promise<string> {
    const definition = chain({ start: { type: 'start', ...more }, ...steps });
    const { status, body } = await this.call('POST', '/api/workflows', { name: 'attack', definition });
    if (status !== 201) throw new Error(`A workflow was refused: ${status} ${JSON.stringify(body)}`);
    return String(body['id']);
  }

  /** Runs a workflow. Returns the id of the execution, or the error. */
  async execute(workflowId: string, input: Bag = {}): Promise<Answer> {
    return this.call('POST', `/api/workflows/${workflowId}/execute`, { input });
  }

  /** The final status of an execution, or its current one after the timeout. */
  async outcome(executionId: string): Promise<string> {
    const { body } = await this.call('GET', `/api/executions/${executionId}`);
    const error = body['error'] as { code: string } | null;
    return error ? `failed ${error.code}` : String(body['status']);
  }

  close(): Promise<void> {
    return this.agent.destroy();
  }
}

export const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** A refusal in short. */
export const refusalOf = ({ status, body }: Answer): string =>
  `${status} ${String((body['error'] as { code?: string } | undefined)?.code ?? '')}`.trim();

/** How a run ended; waits at most 30 seconds. */
export async function settle(tenant: Tenant, executionId: string): Promise<string> {
  for (let tries = 0; ; tries += 1) {
    const outcome = await tenant.outcome(executionId);
    if (!/^(pending|running)$/.test(outcome) || tries === 150) return outcome;
    await pause(200);
  }
}

/** A definition with the nodes in a row. */
export function chain(steps: Record<string, Step>): Bag {
  const ids = Object.keys(steps);
  return {
    nodes: Object.entries(steps).map(([id, { port: _port, config = {}, ...step }], at) => ({
      ...step,
      config,
      id,
      position: { x: at * 200, y: 0 },
    })),
    connections: ids.slice(1).map((id, at) => ({
      sourceNode: ids[at],
      sourcePort: steps[id]?.port ?? 'output',
      targetNode: id,
      targetPort: 'input',
    })),
  };
}

export const signature = (secret: string, body: string) =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

const call = (
  origin: string,
  method: 'GET' | 'POST' | 'PUT',
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
  agent?: Agent,
): Promise<Answer> =>
  send(
    origin,
    method,
    path,
    body === undefined ? undefined : JSON.stringify(body),
    body === undefined ? headers : { 'content-type': 'application/json', ...headers },
    agent,
  );

export async function send(
  origin: string,
  method: 'GET' | 'POST' | 'PUT',
  path: string,
  body: string | undefined,
  headers: Record<string, string>,
  dispatcher?: Agent,
): Promise<Answer> {
  const answer = await request(`${origin}${path}`, { method, body, headers, dispatcher });
  const text = await answer.body.text();
  try {
    return { status: answer.statusCode, body: JSON.parse(text) as Bag };
  } catch {
    return { status: answer.statusCode, body: { text: text.slice(0, 200) } };
  }
}
