import { WeftTimeoutError, type RunEvent, type Weft } from '@weft/client';
import { EXIT_CODES, CommandFailure } from '../failure.js';
import { toPlainLine, printErrorLine, printLine, printJson } from '../output.js';

interface FollowRunOptions {
  wait: boolean;
  watch?: boolean | undefined;
  /** Seconds. */
  timeout?: number | undefined;
  json: boolean;
}

/** Waits for a run and prints its output. Exit code 1 if it fails, or does not end in time. */
export async function followRun(
  weft: Weft,
  id: string,
  { wait, watch, timeout, json }: FollowRunOptions,
): Promise<void> {
  if (!wait) return json ? printJson({ executionId: id }) : printLine(id);
  if (!json) printErrorLine(`run ${id}`);
  if (watch) await printRunEvents(weft, id, json, timeout);
  const run = await weft.runs
    .wait(id, timeout === undefined ? {} : { timeoutMs: timeout * 1000 })
    .catch(rethrowTimeout);
  // With --watch the events of the run are the JSON.
  if (!json || !watch) printJson(json ? run : (run.output ?? null));
  if (run.status !== 'failed') return;
  process.exitCode = EXIT_CODES.failed;
  if (!json)
    printErrorLine(
      `failed: ${toPlainLine(run.error?.code)} ${toPlainLine(run.error?.message)} ${toPlainLine(run.error?.nodeId)}`.trimEnd(),
    );
}

function rethrowTimeout(error: unknown): never {
  throw error instanceof WeftTimeoutError ? new CommandFailure(error.message) : error;
}

/** Prints the events of a run until its end; with `json` one object on each line. */
export async function printRunEvents(weft: Weft, id: string, json: boolean, timeout?: number): Promise<void> {
  const signal = timeout === undefined ? undefined : AbortSignal.timeout(timeout * 1000);
  try {
    for await (const event of weft.runs.events(id, signal ? { signal } : {})) {
      if (json) printLine(JSON.stringify(event));
      else printErrorLine(formatRunEvent(event));
    }
  } catch (error) {
    if (!signal?.aborted) throw error;
    throw new CommandFailure(`${id} has not ended within ${timeout} s.`);
  }
}

function formatRunEvent(event: RunEvent): string {
  if (event.type === 'execution_update')
    return `${event.timestamp}  ${toPlainLine(event.nodeId ?? 'run')}  ${event.status}`;
  if (event.type === 'node_completed')
    return `  ${toPlainLine(event.nodeId)} → ${toPlainLine(JSON.stringify(event.output)).slice(0, 200)}`;
  return `run ${event.status}`;
}
