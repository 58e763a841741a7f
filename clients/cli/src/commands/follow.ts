import { WeftTimeoutError, type RunEvent, type Weft } from '@weft/client';
import { EXIT, Failure } from '../failure.js';
import { clean, note, print, printJson } from '../output.js';

interface FollowOptions {
  wait: boolean;
  watch?: boolean | undefined;
  /** Seconds. */
  timeout?: number | undefined;
  json: boolean;
}

/** Waits for a run and prints its output. Exit code 1 if it fails, or does not end in time. */
export async function follow(weft: Weft, id: string, { wait, watch, timeout, json }: FollowOptions): Promise<void> {
  if (!wait) return json ? printJson({ executionId: id }) : print(id);
  if (!json) note(`run ${id}`);
  if (watch) await show(weft, id, json, timeout);
  const run = await weft.runs.wait(id, timeout === undefined ? {} : { timeoutMs: timeout * 1000 }).catch(asFailure);
  // With --watch the events of the run are the JSON.
  if (!json || !watch) printJson(json ? run : (run.output ?? null));
  if (run.status !== 'failed') return;
  process.exitCode = EXIT.failed;
  if (!json)
    note(`failed: ${clean(run.error?.code)} ${clean(run.error?.message)} ${clean(run.error?.nodeId)}`.trimEnd());
}

function asFailure(error: unknown): never {
  throw error instanceof WeftTimeoutError ? new Failure(error.message) : error;
}

/** Prints the events of a run until its end; with `json` one object on each line. */
export async function show(weft: Weft, id: string, json: boolean, timeout?: number): Promise<void> {
  const signal = timeout === undefined ? undefined : AbortSignal.timeout(timeout * 1000);
  try {
    for await (const event of weft.runs.events(id, signal ? { signal } : {})) {
      if (json) print(JSON.stringify(event));
      else note(lineOf(event));
    }
  } catch (error) {
    if (!signal?.aborted) throw error;
    throw new Failure(`${id} has not ended within ${timeout} s.`);
  }
}

function lineOf(event: RunEvent): string {
  if (event.type === 'execution_update') return `${event.timestamp}  ${clean(event.nodeId ?? 'run')}  ${event.status}`;
  if (event.type === 'node_completed')
    return `  ${clean(event.nodeId)} → ${clean(JSON.stringify(event.output)).slice(0, 200)}`;
  return `run ${event.status}`;
}
