import { ReadableStream } from 'node:stream/web';

/** One server-sent event. */
interface ServerSentEvent {
  event: string;
  data: unknown;
}

/** Events as a response of the type `text/event-stream`. */
export const eventStreamResponse = (events: AsyncIterable<ServerSentEvent>): Response =>
  new Response(ReadableStream.from(encodeServerSentEvents(events)) as globalThis.ReadableStream, {
    headers: { 'Content-Type': 'text/event-stream; charset=utf-8', 'X-Accel-Buffering': 'no' },
  });

async function* encodeServerSentEvents(events: AsyncIterable<ServerSentEvent>): AsyncGenerator<Uint8Array> {
  for await (const { event, data } of events) yield Buffer.from(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
}
