import { EXIT_CODES, CommandFailure } from './failure.js';
import { parseJsonInput } from './input.js';

const PAGE_SIZE = 50;
const MAX_PAGES = 200;
const MAX_ANSWER_BYTES = 50 * 1024 * 1024;
const ANSWER_TIMEOUT_MS = 60_000;

/** The API of a running n8n. */
export class N8nApi {
  private readonly base: string;

  constructor(
    url: string,
    private readonly key: string,
  ) {
    if (!URL.canParse(url)) throw new CommandFailure('--url is the address of n8n.', EXIT_CODES.usage);
    const { origin, pathname } = new URL(url);
    this.base = origin + pathname.replace(/\/(?:api\/v1|home|workflows?|settings)(?:\/.*)?$/, '').replace(/\/$/, '');
  }

  /** The address of n8n, without the path of its API. */
  get url(): string {
    return this.base;
  }

  /** All workflows that are not archived, with their pinned data. */
  async listWorkflows(): Promise<unknown[]> {
    const workflows: unknown[] = [];
    let cursor: unknown;
    for (let page = 0; page < MAX_PAGES && cursor !== null; page += 1) {
      const query = new URLSearchParams({ limit: String(PAGE_SIZE) });
      if (typeof cursor === 'string') query.set('cursor', cursor);
      const { data, nextCursor } = await this.ask(`/workflows?${query}`);
      if (!Array.isArray(data)) throw this.explain('does not answer as the API of n8n does');
      workflows.push(...(data as { isArchived?: unknown }[]).filter((one) => one?.isArchived !== true));
      cursor = typeof nextCursor === 'string' && nextCursor !== cursor ? nextCursor : null;
    }
    return workflows;
  }

  /** The last finished runs of a workflow, with their data. */
  async listRuns(workflowId: string, count: number): Promise<unknown[]> {
    const query = new URLSearchParams({ workflowId, limit: String(Math.min(count * 2, 100)), includeData: 'false' });
    const { data } = await this.ask(`/executions?${query}`);
    const runs: unknown[] = [];
    for (const { id, status } of Array.isArray(data) ? (data as { id?: unknown; status?: unknown }[]) : []) {
      if (runs.length < count && (status === 'success' || status === 'error'))
        runs.push(await this.ask(`/executions/${encodeURIComponent(String(id))}?includeData=true`));
    }
    return runs;
  }

  private explain(reason: string): CommandFailure {
    return new CommandFailure(`${this.base} ${reason}.`, EXIT_CODES.failed);
  }

  private async ask(path: string): Promise<Record<string, unknown>> {
    const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
    const headers = { accept: 'application/json', 'x-n8n-api-key': this.key };
    let answer: Response;
    try {
      // The key must not follow a redirect to another server.
      answer = await fetch(`${this.base}/api/v1${path}`, { headers, signal, redirect: 'error' });
    } catch {
      throw new CommandFailure(`${this.base} can not be reached.`, EXIT_CODES.network);
    }
    if (answer.status === 401 || answer.status === 403) throw this.explain('refuses the key');
    if (!answer.ok || !answer.body) throw this.explain(`answers ${answer.status} at /api/v1${path.split('?')[0]}`);
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of answer.body) {
      size += chunk.length;
      if (size > MAX_ANSWER_BYTES) throw this.explain('gives an answer that is larger than 50 MiB');
      chunks.push(chunk);
    }
    const value = parseJsonInput(Buffer.concat(chunks).toString('utf8'), `The answer of ${this.base}`);
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw this.explain('does not answer as the API of n8n does');
    return value as Record<string, unknown>;
  }
}
