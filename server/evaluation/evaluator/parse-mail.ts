import { getRuntime } from '@/server/platform/runtime';
import { fileWorkLimits, EvaluationFailedError, evaluatorPool, type EvaluationContext } from './evaluation';

/** A file of a message. */
export interface ParsedAttachment {
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
  /** The text of the HTML, if the message has no plain text. */
  text: string;
  html: string | null;
  /** The headers that workflows decide by, with names in lower case. */
  headers: Record<string, string>;
  attachments: ParsedAttachment[];
  /** Text, HTML or attachments are left out. */
  isCut: boolean;
}

/** CPU time in milliseconds: 5 seconds, unless expressions have another limit than usual. */
const mailCpuMs = () => getRuntime().env.evaluationCpuMs * 20;

/** Parses a message in an evaluator process. Throws EvaluationFailed. */
export async function parseMailMessage(
  bytes: Buffer,
  isWhole: boolean,
  { workspaceId, signal }: EvaluationContext,
): Promise<{ mail: ParsedMail; contents: Buffer[] }> {
  const result = await evaluatorPool().run(
    workspaceId,
    { kind: 'parse-mail', limits: fileWorkLimits(mailCpuMs()), isWhole },
    [bytes],
    signal,
  );
  if (!result.ok) throw new EvaluationFailedError(result.failure);
  const [json, ...contents] = result.message.texts;
  return { mail: JSON.parse(json?.toString() ?? 'null') as ParsedMail, contents };
}
