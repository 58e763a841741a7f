import type { ServerResponse } from 'node:http';
import { listenOn } from '../listen';

/** The target of calls in tests. It responds at once by default, and records the calls. */
export interface Target {
  url: string;
  calls: { path: string; key: string }[];
  countOf(path: string): number;
  /** Calls to these paths wait until `letGo`. */
  hold(...paths: string[]): void;
  letGo(...paths: string[]): void;
  /** The next call to this path is answered with 503. */
  failOnce(path: string): void;
  /** Clears the recorded calls and releases all waiting ones. */
  reset(): void;
  close(): Promise<void>;
}

function answer(response: ServerResponse, path: string, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ path }));
}

export async function startTarget(): Promise<Target> {
  const calls: Target['calls'] = [];
  const held = new Map<string, ServerResponse[]>();
  const failing = new Set<string>();
  const { url, close } = await listenOn(({ url: path = '', headers }, response) => {
    calls.push({ path, key: String(headers['idempotency-key']) });
    const waiting = held.get(path);
    if (waiting) waiting.push(response);
    else answer(response, path, failing.delete(path) ? 503 : 200);
  });
  const letGo = (...paths: string[]) => {
    for (const path of paths) {
      for (const response of held.get(path) ?? []) answer(response, path);
      held.delete(path);
    }
  };
  return {
    url,
    calls,
    countOf: (path) => calls.filter((call) => call.path === path).length,
    hold: (...paths) => paths.forEach((path) => held.set(path, held.get(path) ?? [])),
    letGo,
    failOnce: (path) => void failing.add(path),
    reset() {
      calls.length = 0;
      failing.clear();
      letGo(...held.keys());
    },
    close,
  };
}
