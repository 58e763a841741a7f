import { Readable } from 'node:stream';
import { isFileValue } from '@/contract/file-value';
import { isLargeJson } from '@/server/evaluation/expressions/large-json';
import { formFieldText } from '@/server/network/outbound/content';
import type { WorkspaceFileAccess } from '@/server/network/outbound/files';

/** The content that a node sends to a server. */
export interface OutgoingContent {
  /** The size in bytes. */
  size: number;
  /** Has to be read, or destroyed. */
  open(): Promise<Readable>;
}

const OUTGOING_CHUNK_BYTES = 64 * 1024;

function* chunkOutgoing(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += OUTGOING_CHUNK_BYTES) yield bytes.subarray(at, at + OUTGOING_CHUNK_BYTES);
}

/** A value as text: a text as it is, anything else as JSON. */
export function valueToText(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (!isLargeJson(value)) return formFieldText(value);
  return value.text.startsWith('"') ? (JSON.parse(value.text) as string) : value.text;
}

/** The content of a file that a value names, or the text of any other value. Throws NodeFailure FILE_NOT_FOUND. */
export async function openOutgoingContent(value: unknown, files: WorkspaceFileAccess): Promise<OutgoingContent> {
  if (isFileValue(value)) return files.find(value);
  const bytes = Buffer.from(valueToText(value), 'utf8');
  return { size: bytes.length, open: async () => Readable.from(chunkOutgoing(bytes)) };
}
