/** One server-sent event. */
interface IncomingServerEvent {
  event: string;
  data: unknown;
}

/**
 * Yields the events of a response as they arrive. The caller names their type `Event`. Blocks that are no events, such
 * as comments, are left out.
 */
export async function* readServerEvents<Event extends IncomingServerEvent>(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<Event> {
  const reader = body.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>).getReader();
  let text = '';
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      const blocks = (text + part.value).split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) {
        const event = parseServerEvent<Event>(block);
        if (event) yield event;
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function parseServerEvent<Event extends IncomingServerEvent>(block: string): Event | undefined {
  const lines = block.split('\n');
  const valueOf = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
  const [event, data] = [valueOf('event'), valueOf('data')];
  return event === undefined || data === undefined ? undefined : ({ event, data: JSON.parse(data) } as Event);
}
