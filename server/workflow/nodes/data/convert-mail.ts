import type { FileValue } from '@/contract/file-value';
import { NodeFailure } from '@/server/platform/errors/node-failure';
import type { EvaluationContext } from '@/server/evaluation/evaluator/evaluation';
import { parseMailMessage, type ParsedMail } from '@/server/evaluation/evaluator/parse-mail';
import type { WorkspaceFileAccess } from '@/server/network/outbound/files';
import { chunkContent } from './convert-content';

/** A message as `read_email` gives it, with its attachments as stored files. */
interface StoredMailMessage extends Omit<ParsedMail, 'attachments'> {
  attachments: FileValue[];
}

/** The bytes of a message: of a file, or of a text as JSON. */
function mailBytes(content: string | Buffer | undefined): Buffer {
  if (Buffer.isBuffer(content)) return content;
  const value: unknown = JSON.parse(content ?? 'null');
  if (typeof value !== 'string')
    throw new NodeFailure('CONVERT_FAILED', 'value must be a text or the value of a file.', false);
  return Buffer.from(value);
}

/** Reads a message, and stores its attachments. Throws EvaluationFailed and NodeFailure. */
export async function readMailWithFiles(
  content: string | Buffer | undefined,
  files: WorkspaceFileAccess,
  purpose: EvaluationContext,
): Promise<StoredMailMessage> {
  const { mail, contents } = await parseMailMessage(mailBytes(content), true, purpose);
  const attachments: FileValue[] = [];
  for (const [index, about] of mail.attachments.entries())
    attachments.push(await files.store(chunkContent(contents[index] ?? Buffer.alloc(0)), about));
  return { ...mail, attachments };
}

/** The text of a message. */
export const readMailText = async (content: string | Buffer | undefined, purpose: EvaluationContext): Promise<string> =>
  (await parseMailMessage(mailBytes(content), true, purpose)).mail.text;
