import { ReadableStream } from 'node:stream/web';

/** One server-sent event. */
interface ServerEvent {
  event: string;
  data: unknown;
}

/** Events as a response of the type `text/event-stream`. */
export const eventStream = (events: AsyncIterable<ServerEvent>): Response =>
  new Response(ReadableStream.from(encoded(events)) as globalThis.ReadableStream, {
    headers: { 'Content-Type': 'text/event-stream; charset=utf-8', 'X-Accel-Buffering': 'no' },
  });

async function* encoded(events: AsyncIterable<ServerEvent>): AsyncGenerator<Uint8Array> {
  for await (const { event, data } of events) yield Buffer.from(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
}
