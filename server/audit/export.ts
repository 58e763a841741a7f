import type { AuditEntry } from '@/contract/audit';

const HEADINGS = [
  'id',
  'timestamp',
  'category',
  'action',
  'result',
  'actorType',
  'actorId',
  'actorEmail',
  'resourceType',
  'resourceId',
  'ipAddress',
  'userAgent',
  'requestId',
  'metadata',
];

/** A spreadsheet reads text with these first characters as a formula. A leading apostrophe makes it text. */
const FORMULA = /^[\s]*[=+\-@\t\r]/;

const cell = (value: unknown): string => {
  const text = value === null || value === undefined ? '' : String(value);
  return `"${(FORMULA.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
};

const line = (cells: unknown[]) => `${cells.map(cell).join(',')}\r\n`;

const csvLine = ({ id, timestamp, category, action, result, actor, resource, metadata }: AuditEntry): string => {
  const { ipAddress, userAgent, requestId, ...more } = metadata;
  return line([
    id,
    timestamp,
    category,
    action,
    result,
    actor.type,
    actor.id,
    actor.email,
    resource.type,
    resource.id,
    ipAddress,
    userAgent,
    requestId,
    JSON.stringify(more),
  ]);
};

/** The prologue of each format, and its encoding of an entry. */
export const FORMATS = {
  csv: { mediaType: 'text/csv; charset=utf-8', opening: line(HEADINGS), entry: csvLine },
  jsonl: { mediaType: 'application/x-ndjson', opening: '', entry: (entry: AuditEntry) => `${JSON.stringify(entry)}\n` },
};

/** Entries as a byte stream with backpressure: the next batch is read after the client has taken the previous one. */
export function streamOf(
  batches: AsyncGenerator<AuditEntry[]>,
  format: keyof typeof FORMATS,
): ReadableStream<Uint8Array> {
  const { opening, entry } = FORMATS[format];
  const encoder = new TextEncoder();
  return new ReadableStream({
    start(controller) {
      if (opening) controller.enqueue(encoder.encode(opening));
    },
    async pull(controller) {
      const { value, done } = await batches.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value.map(entry).join('')));
    },
    cancel: async () => void (await batches.return(undefined)),
  });
}
