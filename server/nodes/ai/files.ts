import { NodeFailure } from '@/server/errors/node-failure';
import type { Message } from '@/server/models/generate';
import { charsetOf, readText, UnreadableText } from '@/server/text-encoding';
import type { StoredFile, FileAccess } from '../node';

type UserContent = Extract<Message, { role: 'user' }>['content'];

const MIB = 1024 * 1024;
/** Files are sent as base64 in one request: it is in memory as a whole. */
export const MAX_MODEL_FILE_BYTES = 10 * MIB;
const MAX_TEXT_BYTES = MIB;
export const MAX_MODEL_FILES = 20;

/** A list of files; a single one counts as a list of one. */
const listed = (files: unknown): unknown[] =>
  files === undefined || files === null ? [] : Array.isArray(files) ? files : [files];

async function bytesOf(file: StoredFile): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of (await file.open()) as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const isText = (type: string) => /^(?:text\/|application\/(?:json|xml|yaml|x-ndjson)\b)/.test(type);
const isSeen = (type: string) => /^(?:image\/|application\/pdf\b)/.test(type);

function textOf({ name, contentType }: StoredFile, content: Buffer): string {
  try {
    return readText(content, { charset: charsetOf(contentType), otherwise: 'windows-1252' });
  } catch (error) {
    if (!(error instanceof UnreadableText)) throw error;
    throw new NodeFailure('CONFIG', `config.files: ${name} cannot be read as text: ${error.message}`, false);
  }
}

/** Files as parts of a message: images and PDF as they are, texts as text. Throws NodeFailure CONFIG, TOO_LARGE and those of files. */
export async function fileParts(
  given: unknown,
  files: FileAccess,
  reserve: (bytes: number) => Promise<void>,
): Promise<UserContent> {
  const list = listed(given);
  if (list.length > MAX_MODEL_FILES)
    throw new NodeFailure('CONFIG', `config.files: at most ${MAX_MODEL_FILES} files`, false);
  const found = await Promise.all(list.map((value) => files.find(value)));
  for (const { name, contentType, size } of found) {
    if (!isText(contentType) && !isSeen(contentType))
      throw new NodeFailure(
        'CONFIG',
        `config.files: ${name} is ${contentType}; images, PDF and texts can be sent`,
        false,
      );
    if (isText(contentType) && size > MAX_TEXT_BYTES)
      throw new NodeFailure('TOO_LARGE', `config.files: ${name} is larger than 1 MiB of text`, false);
  }
  const bytes = found.reduce((sum, { size }) => sum + size, 0);
  if (bytes > MAX_MODEL_FILE_BYTES)
    throw new NodeFailure('TOO_LARGE', 'config.files: more than 10 MiB together', false);
  if (bytes > 0) await reserve(bytes * 3);
  const parts: UserContent = [];
  for (const file of found) {
    const content = await bytesOf(file);
    const { name, contentType } = file;
    if (isText(contentType)) parts.push({ type: 'text', text: `File ${name}:\n${textOf(file, content)}` });
    // Without the parameters of the type.
    else
      parts.push({
        type: 'file',
        filename: name,
        mediaType: contentType.split(';', 1)[0]?.trim() ?? contentType,
        data: content.toString('base64'),
      });
  }
  return parts;
}
