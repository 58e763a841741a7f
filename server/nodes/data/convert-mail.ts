import type { FileValue } from '@/contract/file-value';
import { NodeFailure } from '@/server/errors/node-failure';
import type { Purpose } from '@/server/evaluation/evaluation';
import { parseMail, type ParsedMail } from '@/server/evaluation/parse-mail';
import type { FileAccess } from '@/server/outbound/files';
import { partsOf } from './convert-content';

/** A message as `read_email` gives it, with its attachments as stored files. */
interface Message extends Omit<ParsedMail, 'attachments'> {
  attachments: FileValue[];
}

/** The bytes of a message: of a file, or of a text as JSON. */
function bytesOf(content: string | Buffer | undefined): Buffer {
  if (Buffer.isBuffer(content)) return content;
  const value: unknown = JSON.parse(content ?? 'null');
  if (typeof value !== 'string')
    throw new NodeFailure('CONVERT_FAILED', 'value must be a text or the value of a file.', false);
  return Buffer.from(value);
}

/** Reads a message, and stores its attachments. Throws EvaluationFailed and NodeFailure. */
export async function messageOf(
  content: string | Buffer | undefined,
  files: FileAccess,
  purpose: Purpose,
): Promise<Message> {
  const { mail, contents } = await parseMail(bytesOf(content), true, purpose);
  const attachments: FileValue[] = [];
  for (const [index, about] of mail.attachments.entries())
    attachments.push(await files.store(partsOf(contents[index] ?? Buffer.alloc(0)), about));
  return { ...mail, attachments };
}

/** The text of a message. */
export const textOfMessage = async (content: string | Buffer | undefined, purpose: Purpose): Promise<string> =>
  (await parseMail(bytesOf(content), true, purpose)).mail.text;
