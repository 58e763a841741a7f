import { createConfigFailure, createNodeFailure } from '@/server/platform/errors/node-failure';
import type { ModelPromptMessage } from '@/server/network/models/generate';
import { contentTypeCharset, decodeWholeText, UnreadableTextError } from '@/server/platform/messages/text-encoding';
import type { OpenableFile, WorkspaceFileAccess } from '../node-type';
import { BYTES_PER_MIB } from '@/contract/units';

type UserMessageContent = Extract<ModelPromptMessage, { role: 'user' }>['content'];

/** Files are sent as base64 in one request: it is in memory as a whole. */
export const MAX_MODEL_FILE_BYTES = 10 * BYTES_PER_MIB;
const MAX_MODEL_TEXT_BYTES = BYTES_PER_MIB;
export const MAX_MODEL_FILES = 20;

/** A list of files; a single one counts as a list of one. */
const toFileList = (files: unknown): unknown[] =>
  files === undefined || files === null ? [] : Array.isArray(files) ? files : [files];

async function readWholeFile(file: OpenableFile): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of (await file.open()) as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const isTextType = (type: string) => /^(?:text\/|application\/(?:json|xml|yaml|x-ndjson)\b)/.test(type);
const isVisualType = (type: string) => /^(?:image\/|application\/pdf\b)/.test(type);

function decodeFileText({ name, contentType }: OpenableFile, content: Buffer): string {
  try {
    return decodeWholeText(content, { charset: contentTypeCharset(contentType), otherwise: 'windows-1252' });
  } catch (error) {
    if (!(error instanceof UnreadableTextError)) throw error;
    throw createConfigFailure('files', `${name} cannot be read as text: ${error.message}`);
  }
}

/**
 * Files as parts of a message: images and PDF as they are, texts as text. Throws NodeFailure CONFIG, TOO_LARGE and
 * those of files.
 */
export async function createFileParts(
  given: unknown,
  files: WorkspaceFileAccess,
  reserve: (bytes: number) => Promise<void>,
): Promise<UserMessageContent> {
  const list = toFileList(given);
  if (list.length > MAX_MODEL_FILES) throw createConfigFailure('files', `at most ${MAX_MODEL_FILES} files`);
  const found = await Promise.all(list.map((value) => files.find(value)));
  for (const { name, contentType, size } of found) {
    if (!isTextType(contentType) && !isVisualType(contentType))
      throw createConfigFailure('files', `${name} is ${contentType}; images, PDF and texts can be sent`);
    if (isTextType(contentType) && size > MAX_MODEL_TEXT_BYTES)
      throw createNodeFailure('TOO_LARGE', { field: 'config.files', problem: `${name} is larger than 1 MiB of text` });
  }
  const bytes = found.reduce((sum, { size }) => sum + size, 0);
  if (bytes > MAX_MODEL_FILE_BYTES)
    throw createNodeFailure('TOO_LARGE', { field: 'config.files', problem: 'more than 10 MiB together' });
  if (bytes > 0) await reserve(bytes * 3);
  const parts: UserMessageContent = [];
  for (const file of found) {
    const content = await readWholeFile(file);
    const { name, contentType } = file;
    if (isTextType(contentType)) parts.push({ type: 'text', text: `File ${name}:\n${decodeFileText(file, content)}` });
    // The parameters of the type are left out.
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
