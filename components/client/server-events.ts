/** One server-sent event. */
interface ServerEvent {
  event: string;
  data: unknown;
}

/**
 * The events of an answer, as they arrive: the service says what `Event` it sends. Blocks that are none, such as comments, are left out.
 */
export async function* serverEvents<Event extends ServerEvent>(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<Event> {
  const reader = body.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>).getReader();
  let text = '';
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      const blocks = (text + part.value).split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) {
        const event = eventIn<Event>(block);
        if (event) yield event;
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function eventIn<Event extends ServerEvent>(block: string): Event | undefined {
  const lines = block.split('\n');
  const valueOf = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
  const [event, data] = [valueOf('event'), valueOf('data')];
  return event === undefined || data === undefined ? undefined : ({ event, data: JSON.parse(data) } as Event);
}
