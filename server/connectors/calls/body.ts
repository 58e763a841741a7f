import { NodeFailure } from '@/server/errors/node-failure';
import { isLarge, jsonOf } from '@/server/expressions/large-json';
import { asField } from '@/server/outbound/content';
import { base64Of, multipart, streamed, type FormPart, type Piece } from '@/server/outbound/pieces';
import type { FileAccess } from '@/server/outbound/files';
import type { StreamedBody } from '@/server/outbound/outbound';
import type { ApiBody, BodyPiece } from '../operation';

/** A body to send, with its Content-Type. */
interface Content {
  body: string | StreamedBody;
  type?: string | undefined;
}

/** Fields of a form as pairs: `items[0][price]`, `metadata[order]`. Fields without a value are left out. */
function formPairs(value: unknown, name: string): [string, string][] {
  if (value === undefined || value === null) return [];
  if (isLarge(value)) return [[name, value.text]];
  if (typeof value !== 'object') return [[name, String(value)]];
  return Object.entries(value).flatMap(([key, inner]) => formPairs(inner, name === '' ? key : `${name}[${key}]`));
}

async function pieceOf(piece: BodyPiece, files: FileAccess): Promise<Piece> {
  if (typeof piece === 'string') return Buffer.from(piece);
  const file = await files.find(piece.file);
  return piece.isBase64 ? base64Of(file) : file;
}

async function partsOf({ fields, files: named }: Extract<ApiBody, { as: 'multipart' }>, files: FileAccess) {
  const parts: FormPart[] = Object.entries(fields).map(([name, value]) => ({
    name,
    value: value === undefined || value === null ? undefined : asField(value),
  }));
  // The name and the type that the value states: the author of the workflow may have changed them.
  for (const { name, file } of named) {
    parts.push({ name, file: { ...(await files.find(file)), contentType: file.contentType }, filename: file.name });
  }
  return parts;
}

/** A body as it is sent. Files are read while it is sent. Throws NodeFailure CONFIG or FILE_NOT_FOUND. */
export async function contentOf(body: ApiBody, files: FileAccess | undefined): Promise<Content> {
  switch (body.as) {
    case 'json':
      return { body: jsonOf(body.value) ?? 'null', type: body.type ?? 'application/json' };
    case 'text':
      return { body: body.text, type: body.type };
    case 'form':
      return {
        body: new URLSearchParams(formPairs(body.fields, '')).toString(),
        type: 'application/x-www-form-urlencoded',
      };
    case 'multipart':
      return multipart(await partsOf(body, required(files)));
    case 'file': {
      const file = await required(files).find(body.file);
      return { body: streamed([file]), type: body.type ?? body.file.contentType };
    }
    case 'pieces': {
      const access = required(files);
      const pieces = await Promise.all(body.pieces.map((piece) => pieceOf(piece, access)));
      return { body: streamed(pieces), type: body.type };
    }
  }
}

export function required(files: FileAccess | undefined): FileAccess {
  if (files) return files;
  throw new NodeFailure('CONFIG', 'Files cannot be used here.', false);
}
