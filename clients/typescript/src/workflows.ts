import type { ApiCaller } from './calls.js';
import type { CallAnswer, CallOptions, CallParameters, Schemas, Workflow } from './types.js';

type NewWorkflowBody = CallParameters<'/api/workflows', 'post'>['body'];
type ChangedWorkflowBody = CallParameters<'/api/workflows/{id}', 'put'>['body'];

export interface ExecuteOptions extends CallOptions {
  input?: Record<string, unknown>;
  /** Runs only this node and its upstream nodes. */
  untilNodeId?: string;
  /** The start node at which the run begins, where the workflow has several. Absent: every start node. */
  startNodeId?: string | null;
  /** Runs the last saved version, published or not. */
  useLatest?: boolean;
  /** Outputs of nodes that do not run, by their ids. Needs `workflow:update`. */
  pins?: Record<string, unknown>;
  /** The nodes whose outputs are pinned to the workflow do not run. Needs `workflow:update` and `useLatest`. */
  usePins?: boolean;
}

export class WorkflowMethods {
  readonly #calls: ApiCaller;

  constructor(calls: ApiCaller) {
    this.#calls = calls;
  }

  /** Lists one page of workflows, newest first. */
  list(
    query: NonNullable<CallParameters<'/api/workflows', 'get'>['query']> = {},
    options: CallOptions = {},
  ): Promise<CallAnswer<'/api/workflows', 'get'>> {
    return this.#calls.get('/api/workflows', { query, ...options });
  }

  get(id: string, options: CallOptions = {}): Promise<Workflow> {
    return this.#calls.get('/api/workflows/{id}', { path: { id }, ...options });
  }

  create(body: NewWorkflowBody, options: CallOptions = {}): Promise<Workflow> {
    return this.#calls.post('/api/workflows', { body, ...options });
  }

  /** Changes the fields of `body`. With its `version`, 409 `CONFLICT` if there is a newer one. */
  update(id: string, body: ChangedWorkflowBody, options: CallOptions = {}): Promise<Workflow> {
    return this.#calls.put('/api/workflows/{id}', { path: { id }, body, ...options });
  }

  /** Deletes a workflow with its versions, triggers and runs. */
  delete(id: string, options: CallOptions = {}): Promise<undefined> {
    return this.#calls.delete('/api/workflows/{id}', { path: { id }, ...options });
  }

  /** Starts a run; `runs.wait` waits for its end. */
  execute(
    id: string,
    { input = {}, untilNodeId, startNodeId, useLatest, pins, usePins, ...options }: ExecuteOptions = {},
  ): Promise<Schemas['AcceptedExecution']> {
    const body = { input, untilNodeId, startNodeId, useLatest, pins, usePins };
    const answer = this.#calls.post('/api/workflows/{id}/execute', { path: { id }, body, ...options });
    // Without `Prefer: wait` the service responds once the run is accepted.
    return answer as Promise<Schemas['AcceptedExecution']>;
  }
}
