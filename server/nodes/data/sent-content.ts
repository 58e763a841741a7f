import { Readable } from 'node:stream';
import { isFileValue } from '@/contract/file-value';
import { isLarge } from '@/server/expressions/large-json';
import { asField } from '@/server/outbound/content';
import type { FileAccess } from '@/server/outbound/files';

/** What a node sends to a server. */
export interface SentContent {
  /** In bytes. */
  size: number;
  /** Has to be read, or destroyed. */
  open(): Promise<Readable>;
}

const PART = 64 * 1024;

function* partsOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += PART) yield bytes.subarray(at, at + PART);
}

/** A value as text: a text as it is, anything else as JSON. */
export function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (!isLarge(value)) return asField(value);
  return value.text.startsWith('"') ? (JSON.parse(value.text) as string) : value.text;
}

/** The content of a file that a value names, or the text of any other value. Throws NodeFailure FILE_NOT_FOUND. */
export async function sentContent(value: unknown, files: FileAccess): Promise<SentContent> {
  if (isFileValue(value)) return files.find(value);
  const bytes = Buffer.from(textOf(value), 'utf8');
  return { size: bytes.length, open: async () => Readable.from(partsOf(bytes)) };
}
