import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';

/** A span as a collector receives it. Ids are hexadecimal. */
export interface ReceivedSpan {
  traceId: string;
  spanId: string;
  /** Empty: none. */
  parentId: string;
  name: string;
  /** Those with texts. */
  attributes: Record<string, string>;
  service: string;
}

/** A collector of OpenTelemetry: receives traces by OTLP over HTTP as protobuf. */
export interface Collector {
  url: string;
  spans: ReceivedSpan[];
  close(): Promise<void>;
}

/** The fields of a protobuf message by number: bytes of those with a length. Other fields are passed over. */
function fieldsOf(bytes: Buffer): Map<number, Buffer[]> {
  const fields = new Map<number, Buffer[]>();
  let at = 0;
  const varint = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++] ?? 0;
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
  };
  while (at < bytes.length) {
    const tag = varint();
    const kind = tag & 7;
    if (kind === 0) varint();
    else if (kind === 1) at += 8;
    else if (kind === 5) at += 4;
    else {
      const length = varint();
      fields.set(tag >>> 3, [...(fields.get(tag >>> 3) ?? []), bytes.subarray(at, (at += length))]);
    }
  }
  return fields;
}

const all = (message: Buffer, field: number): Buffer[] => fieldsOf(message).get(field) ?? [];
const first = (message: Buffer, field: number): Buffer => all(message, field)[0] ?? Buffer.alloc(0);

/** Attributes whose value is a text. */
const textsOf = (pairs: Buffer[]): Record<string, string> =>
  Object.fromEntries(pairs.map((pair) => [String(first(pair, 1)), String(first(first(pair, 2), 1))]));

/** The numbers are those of opentelemetry/proto/trace/v1/trace.proto. */
const spansOf = (request: Buffer): ReceivedSpan[] =>
  all(request, 1).flatMap((resourceSpans) => {
    const service = textsOf(all(first(resourceSpans, 1), 1))['service.name'] ?? '';
    return all(resourceSpans, 2)
      .flatMap((scopeSpans) => all(scopeSpans, 2))
      .map((span) => ({
        traceId: first(span, 1).toString('hex'),
        spanId: first(span, 2).toString('hex'),
        parentId: first(span, 4).toString('hex'),
        name: String(first(span, 5)),
        attributes: textsOf(all(span, 9)),
        service,
      }));
  });

export async function startCollector(): Promise<Collector> {
  const spans: ReceivedSpan[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      spans.push(...spansOf(request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body));
      response.writeHead(request.url === '/v1/traces' ? 200 : 404, { 'Content-Type': 'application/x-protobuf' }).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, spans, close };
}
