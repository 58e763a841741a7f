import type { AuditEntryResponse } from '@/contract/audit';

const AUDIT_CSV_HEADINGS = [
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
const CSV_FORMULA_PATTERN = /^[\s]*[=+\-@\t\r]/;

const csvCell = (value: unknown): string => {
  const text = value === null || value === undefined ? '' : String(value);
  return `"${(CSV_FORMULA_PATTERN.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
};

const joinCsvCells = (cells: unknown[]) => `${cells.map(csvCell).join(',')}\r\n`;

const auditCsvLine = ({
  id,
  timestamp,
  category,
  action,
  result,
  actor,
  resource,
  metadata,
}: AuditEntryResponse): string => {
  const { ipAddress, userAgent, requestId, ...more } = metadata;
  return joinCsvCells([
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
export const AUDIT_EXPORT_FORMATS = {
  csv: { mediaType: 'text/csv; charset=utf-8', opening: joinCsvCells(AUDIT_CSV_HEADINGS), entry: auditCsvLine },
  jsonl: {
    mediaType: 'application/x-ndjson',
    opening: '',
    entry: (entry: AuditEntryResponse) => `${JSON.stringify(entry)}\n`,
  },
};

/** Entries as a byte stream with backpressure: the next batch is read after the client has taken the previous one. */
export function streamAuditExport(
  batches: AsyncGenerator<AuditEntryResponse[]>,
  format: keyof typeof AUDIT_EXPORT_FORMATS,
): ReadableStream<Uint8Array> {
  const { opening, entry } = AUDIT_EXPORT_FORMATS[format];
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
