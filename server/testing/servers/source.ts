import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { listenOn } from '../listen';

/** An item of a source. */
export type SourceItem = { id: number; [field: string]: unknown };

/** A source that polls ask, at `/<any path>?since=<id>`: it answers `{items}` with those after that id. */
export interface Source {
  url: string;
  items: SourceItem[];
  /** The addresses that were called, without the host. */
  calls: string[];
  /** The headers of each call. */
  headers: IncomingHttpHeaders[];
  /** The status of its answers from now on. From 400 on they show the headers of their calls. */
  status: number;
  /** Calls wait until the returned function is called. */
  hold(): () => void;
  close(): Promise<void>;
}

export async function startSource(items: SourceItem[] = []): Promise<Source> {
  let held: ServerResponse[] | undefined;
  const send = (response: ServerResponse, path: string, headers: IncomingHttpHeaders) => {
    const since = Number(new URL(path, 'http://source.test').searchParams.get('since') ?? 0);
    const found = source.items.filter(({ id }) => id > since);
    const body = source.status < 400 ? { items: found } : headers;
    response.writeHead(source.status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
  const { url, close } = await listenOn(({ url: path = '', headers }, response) => {
    source.calls.push(path);
    source.headers.push(headers);
    if (held) held.push(response.on('answer', () => send(response, path, headers)));
    else send(response, path, headers);
  });
  const source: Source = {
    url,
    items,
    calls: [],
    headers: [],
    status: 200,
    hold() {
      const waiting: ServerResponse[] = [];
      held = waiting;
      return () => {
        held = undefined;
        for (const response of waiting) response.emit('answer');
      };
    },
    close,
  };
  return source;
}

/** Items with consecutive ids. */
export const itemsFrom = (first: number, count: number): SourceItem[] =>
  Array.from({ length: count }, (_, index) => ({ id: first + index, title: `Item ${first + index}` }));
