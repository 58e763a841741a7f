import { runtime } from '@/server/runtime';
import { contentLimits, EvaluationFailed, pool, type Purpose } from './evaluation';

/** A file of a message. */
export interface MailAttachment {
  name: string;
  contentType: string;
}

/** A message as it was sent. Addresses are `a@b.example` or `Name <a@b.example>`. */
export interface ParsedMail {
  messageId: string | null;
  from: string | null;
  /** The address of `from` alone, in lower case. */
  fromAddress: string | null;
  to: string[];
  cc: string[];
  replyTo: string[];
  subject: string;
  /** ISO 8601; null: it has none, or one that is no date. */
  date: string | null;
  /** That of the HTML, if the message has no text. */
  text: string;
  html: string | null;
  /** Those that workflows decide by, in lower case. */
  headers: Record<string, string>;
  attachments: MailAttachment[];
  /** Text, HTML or attachments are left out. */
  isCut: boolean;
}

/** CPU time in milliseconds: 5 seconds, unless expressions have another limit than usual. */
const cpuMs = () => runtime().env.evaluationCpuMs * 20;

/** Parses a message in an evaluator process. Throws EvaluationFailed. */
export async function parseMail(
  bytes: Buffer,
  isWhole: boolean,
  { workspaceId, signal }: Purpose,
): Promise<{ mail: ParsedMail; contents: Buffer[] }> {
  const result = await pool().run(
    workspaceId,
    { kind: 'parse-mail', limits: contentLimits(cpuMs()), isWhole },
    [bytes],
    signal,
  );
  if (!result.ok) throw new EvaluationFailed(result.failure);
  const [json, ...contents] = result.answer.texts;
  return { mail: JSON.parse(json?.toString() ?? 'null') as ParsedMail, contents };
}
