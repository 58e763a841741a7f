import { NodeFailure } from '@/server/platform/errors/node-failure';
import { isLargeJson, serializeJson } from '@/server/evaluation/expressions/large-json';
import { formFieldText } from '@/server/network/outbound/content';
import {
  base64FilePiece,
  encodeMultipart,
  streamPieces,
  type MultipartField,
  type StreamPiece,
} from '@/server/network/outbound/body-pieces';
import type { WorkspaceFileAccess } from '@/server/network/outbound/files';
import type { StreamedBody } from '@/server/network/outbound/outbound';
import type { ApiRequestBody, BodyPiece } from '../operation';

/** A body to send, with its Content-Type. */
interface EncodedBody {
  body: string | StreamedBody;
  type?: string | undefined;
}

/** Fields of a form as pairs: `items[0][price]`, `metadata[order]`. Fields without a value are left out. */
function flattenFormFields(value: unknown, name: string): [string, string][] {
  if (value === undefined || value === null) return [];
  if (isLargeJson(value)) return [[name, value.text]];
  if (typeof value !== 'object') return [[name, String(value)]];
  return Object.entries(value).flatMap(([key, inner]) =>
    flattenFormFields(inner, name === '' ? key : `${name}[${key}]`),
  );
}

async function loadBodyPiece(piece: BodyPiece, files: WorkspaceFileAccess): Promise<StreamPiece> {
  if (typeof piece === 'string') return Buffer.from(piece);
  const file = await files.find(piece.file);
  return piece.isBase64 ? base64FilePiece(file) : file;
}

async function multipartParts(
  { fields, files: named }: Extract<ApiRequestBody, { as: 'multipart' }>,
  files: WorkspaceFileAccess,
) {
  const parts: MultipartField[] = Object.entries(fields).map(([name, value]) => ({
    name,
    value: value === undefined || value === null ? undefined : formFieldText(value),
  }));
  // The name and the type that the value states: the author of the workflow may have changed them.
  for (const { name, file } of named) {
    parts.push({ name, file: { ...(await files.find(file)), contentType: file.contentType }, filename: file.name });
  }
  return parts;
}

/** Encodes a body for sending. Files are read while it is sent. Throws NodeFailure CONFIG or FILE_NOT_FOUND. */
export async function encodeApiBody(
  body: ApiRequestBody,
  files: WorkspaceFileAccess | undefined,
): Promise<EncodedBody> {
  switch (body.as) {
    case 'json':
      return { body: serializeJson(body.value) ?? 'null', type: body.type ?? 'application/json' };
    case 'text':
      return { body: body.text, type: body.type };
    case 'form':
      return {
        body: new URLSearchParams(flattenFormFields(body.fields, '')).toString(),
        type: 'application/x-www-form-urlencoded',
      };
    case 'multipart':
      return encodeMultipart(await multipartParts(body, requireFileAccess(files)));
    case 'file': {
      const file = await requireFileAccess(files).find(body.file);
      return { body: streamPieces([file]), type: body.type ?? body.file.contentType };
    }
    case 'pieces': {
      const access = requireFileAccess(files);
      const pieces = await Promise.all(body.pieces.map((piece) => loadBodyPiece(piece, access)));
      return { body: streamPieces(pieces), type: body.type };
    }
  }
}

export function requireFileAccess(files: WorkspaceFileAccess | undefined): WorkspaceFileAccess {
  if (files) return files;
  throw new NodeFailure('CONFIG', 'Files cannot be used here.', false);
}
