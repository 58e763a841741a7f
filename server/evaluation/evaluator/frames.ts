/**
 * Messages between the service and an evaluator process over a socket: a header of JSON and any number of texts. A
 * frame is [length of the rest][number of parts][length of each part][parts], lengths as 32-bit little endian.
 */
export interface OutgoingMessage<Header> {
  header: Header;
  texts: (string | Buffer)[];
}

const LENGTH_BYTES = 4;

/** The bytes of a message; large texts stay separate buffers, so that none is copied twice. */
export function encodeFrame<Header>({ header, texts }: OutgoingMessage<Header>): Buffer[] {
  const parts = [JSON.stringify(header), ...texts].map((part) => (typeof part === 'string' ? Buffer.from(part) : part));
  const head = Buffer.allocUnsafe(LENGTH_BYTES * (2 + parts.length));
  let total = head.length - LENGTH_BYTES;
  parts.forEach((part, index) => {
    head.writeUInt32LE(part.length, LENGTH_BYTES * (2 + index));
    total += part.length;
  });
  head.writeUInt32LE(total, 0);
  head.writeUInt32LE(parts.length, LENGTH_BYTES);
  return total < 16_384 ? [Buffer.concat([head, ...parts])] : [head, ...parts];
}

/** A received message: its texts are bytes. */
export interface ReceivedMessage<Header> {
  header: Header;
  texts: Buffer[];
}

function decodeFrame<Header>(body: Buffer): ReceivedMessage<Header> {
  const count = body.readUInt32LE(0);
  const parts: Buffer[] = [];
  let at = LENGTH_BYTES * (1 + count);
  for (let index = 0; index < count; index += 1) {
    const length = body.readUInt32LE(LENGTH_BYTES * (1 + index));
    parts.push(body.subarray(at, at + length));
    at += length;
  }
  const [header, ...texts] = parts;
  return { header: JSON.parse(header?.toString() ?? 'null') as Header, texts };
}

/** Assembles the chunks of a socket into messages. */
export class FrameReader<Header> {
  private chunks: Buffer[] = [];
  private size = 0;

  /** Adds a chunk; returns the messages that it completes. */
  read(chunk: Buffer): ReceivedMessage<Header>[] {
    this.chunks.push(chunk);
    this.size += chunk.length;
    const messages: ReceivedMessage<Header>[] = [];
    for (let body = this.next(); body; body = this.next()) messages.push(decodeFrame<Header>(body));
    return messages;
  }

  private next(): Buffer | undefined {
    if (this.size < LENGTH_BYTES) return undefined;
    const [first] = this.chunks;
    if (!first || first.length < LENGTH_BYTES) this.join();
    const length = this.chunks[0]?.readUInt32LE(0) ?? 0;
    if (this.size < LENGTH_BYTES + length) return undefined;
    this.join();
    const [all = Buffer.alloc(0)] = this.chunks;
    this.chunks = all.length > LENGTH_BYTES + length ? [all.subarray(LENGTH_BYTES + length)] : [];
    this.size -= LENGTH_BYTES + length;
    return all.subarray(LENGTH_BYTES, LENGTH_BYTES + length);
  }

  private join(): void {
    if (this.chunks.length > 1) this.chunks = [Buffer.concat(this.chunks)];
  }
}
