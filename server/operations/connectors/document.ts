import { createHash } from 'node:crypto';
import { fetchDocument } from '@/server/connectors/custom/fetch';
import { NodeFailure } from '@/server/errors/node-failure';
import { invalidField } from '@/server/errors/problem';
import { readOpenApi } from '@/server/evaluation/read-openapi';
import { MAX_DOCUMENT_BYTES, type ReadDocument, type Reading } from '@/server/openapi/record';

/** Bytes of a request with a document: quotes and line breaks are escaped in JSON. */
export const MAX_BODY = 2 * MAX_DOCUMENT_BYTES;

/** A document that was read, and where it is from. */
export interface Source {
  document: ReadDocument;
  /** Null: it was sent. */
  url: string | null;
  /** SHA-256 of its text. */
  hash: string;
}

/** Whether the field holds an address in place of a document. */
const isAddress = (openapi: string) => /^\s*https?:\/\/\S{1,2000}\s*$/i.test(openapi);

async function textOf(workspaceId: string, openapi: string): Promise<{ text: string; url: string | null }> {
  if (!isAddress(openapi)) return { text: openapi, url: null };
  try {
    return await fetchDocument(workspaceId, openapi.trim());
  } catch (error) {
    if (!(error instanceof NodeFailure)) throw error;
    throw invalidField('openapi', `cannot be read: ${error.message}`);
  }
}

/** Reads a document or what is at its address, in an evaluator process. Throws a 400 that says what is wrong with it. */
export async function readSource(
  workspaceId: string,
  openapi: string,
  reading: Omit<Reading, 'base'>,
): Promise<Source> {
  const { text, url } = await textOf(workspaceId, openapi);
  if (Buffer.byteLength(text) > MAX_DOCUMENT_BYTES) throw invalidField('openapi', 'is larger than 5 MiB');
  const document = await readOpenApi(text, { ...reading, base: url }, { workspaceId });
  if ('fault' in document) throw invalidField(document.fault.field, document.fault.message);
  // The address as it was given: a redirect may lead elsewhere the next time.
  return { document, url: url === null ? null : openapi.trim(), hash: createHash('sha256').update(text).digest('hex') };
}
