import { createHash } from 'node:crypto';
import { fetchOpenApiDocument } from '@/server/connectors/custom/fetch';
import { NodeFailure } from '@/server/platform/errors/node-failure';
import { invalidFieldProblem } from '@/server/platform/errors/problem';
import { readOpenApiInEvaluator } from '@/server/evaluation/evaluator/read-openapi';
import {
  MAX_DOCUMENT_BYTES,
  type CompiledDocument,
  type DocumentReadOptions,
} from '@/server/evaluation/openapi/record';

/**
 * Maximum bytes of a request with a document. It is twice the document's limit because JSON escapes quotes and line
 * breaks.
 */
export const MAX_DOCUMENT_BODY_BYTES = 2 * MAX_DOCUMENT_BYTES;

/** A document that was read, and where it is from. */
export interface ReadDocumentSource {
  document: CompiledDocument;
  /** Null if the document was sent in the request. */
  url: string | null;
  /** SHA-256 of its text. */
  hash: string;
}

/** Whether the field holds an address in place of a document. */
const isDocumentUrl = (openapi: string) => /^\s*https?:\/\/\S{1,2000}\s*$/i.test(openapi);

async function fetchDocumentText(workspaceId: string, openapi: string): Promise<{ text: string; url: string | null }> {
  if (!isDocumentUrl(openapi)) return { text: openapi, url: null };
  try {
    return await fetchOpenApiDocument(workspaceId, openapi.trim());
  } catch (error) {
    if (!(error instanceof NodeFailure)) throw error;
    throw invalidFieldProblem('openapi', `cannot be read: ${error.message}`);
  }
}

/**
 * Reads a document or what is at its address, in an evaluator process. Throws a 400 that says what is wrong with it.
 */
export async function readConnectorSource(
  workspaceId: string,
  openapi: string,
  reading: Omit<DocumentReadOptions, 'base'>,
): Promise<ReadDocumentSource> {
  const { text, url } = await fetchDocumentText(workspaceId, openapi);
  if (Buffer.byteLength(text) > MAX_DOCUMENT_BYTES) throw invalidFieldProblem('openapi', 'is larger than 5 MiB');
  const document = await readOpenApiInEvaluator(text, { ...reading, base: url }, { workspaceId });
  if ('fault' in document) throw invalidFieldProblem(document.fault.field, document.fault.message);
  // This keeps the address as it was given, because a redirect may lead elsewhere the next time.
  return { document, url: url === null ? null : openapi.trim(), hash: createHash('sha256').update(text).digest('hex') };
}
