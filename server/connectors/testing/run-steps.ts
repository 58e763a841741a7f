import type { FileValue } from '@/contract/file-value';
import { findBuiltInConnector } from '../index';
import type { ApiResponse, ApiRequest } from '../operation';
import { walk } from './walk';

/** A file for operations that send one. */
export const SAMPLE_PICTURE: FileValue = {
  $file: 'file_1',
  name: 'Foto ü.png',
  contentType: 'image/png',
  size: 5,
  sha256: '',
};

/** Follows an operation of a built-in connector, and answers its requests in turn. */
export function runOperation(
  id: string,
  operation: string,
  values: Record<string, unknown>,
  ...answers: Partial<ApiResponse>[]
): ReturnType<typeof walk> {
  const connector = findBuiltInConnector(id);
  if (!connector) throw new Error(`no connector ${id}`);
  return walk(connector.operations, operation, values, answers);
}

/** The value that a request sends as JSON, or its body. */
export const sentValue = ({ body }: ApiRequest): unknown => (body?.as === 'json' ? body.value : body);
