// Jobs that read or write documents of other parties: files, mails, and the answers of other services.
import type { EvaluatorJob } from '../jobs';
import { parseJsonBuffer, sendToService } from './service-channel';
import type { SamlSettings } from '@/server/evaluation/saml/client';

export async function handleConvertJob(
  { conversion }: Extract<EvaluatorJob, { kind: 'convert' }>,
  contents: Buffer[],
): Promise<void> {
  const { convertContent } = await import('./convert');
  const result = await convertContent(conversion, contents);
  if (result.kind === 'value') return sendToService({ kind: 'done', facts: [result.facts] }, [result.json]);
  if (result.kind === 'file') return sendToService({ kind: 'done' }, [result.content]);
  const names = result.files.map(({ name }) => name);
  sendToService(
    { kind: 'done', names },
    result.files.map(({ content }) => content),
  );
}

export async function handleMailJob(
  { isWhole }: Extract<EvaluatorJob, { kind: 'parse-mail' }>,
  [bytes]: Buffer[],
): Promise<void> {
  const { readMailMessage } = await import('./mail');
  const { mail, contents } = await readMailMessage(bytes ?? Buffer.alloc(0), isWhole);
  sendToService({ kind: 'done' }, [JSON.stringify(mail), ...contents]);
}

export async function handleDeriveKeyJob(
  { rounds, length }: Extract<EvaluatorJob, { kind: 'derive-key' }>,
  [passphrase = Buffer.alloc(0), salt = Buffer.alloc(0)]: Buffer[],
): Promise<void> {
  const { pbkdf } = await import('bcrypt-pbkdf');
  const key = Buffer.alloc(length);
  pbkdf(passphrase, passphrase.length, salt, salt.length, key, length, rounds);
  sendToService({ kind: 'done' }, [key]);
}

export async function handleOpenApiJob(
  { reading }: Extract<EvaluatorJob, { kind: 'read-openapi' }>,
  [text]: Buffer[],
): Promise<void> {
  const { readOpenApiDocument } = await import('@/server/evaluation/openapi/read');
  sendToService({ kind: 'done' }, [JSON.stringify(readOpenApiDocument(text?.toString() ?? '', reading))]);
}

export async function handleSamlJob(
  { reading }: Extract<EvaluatorJob, { kind: 'read-saml' }>,
  [settings, message]: Buffer[],
): Promise<void> {
  const { readSamlResponse, readProviderLogout } = await import('@/server/evaluation/saml/messages');
  const provider = parseJsonBuffer(settings) as SamlSettings;
  const text = message?.toString() ?? '';
  const content =
    reading.kind === 'answer'
      ? await readSamlResponse(provider, reading.requestId, text)
      : await readProviderLogout(provider, reading.redirect, text);
  sendToService({ kind: 'done' }, [JSON.stringify(content)]);
}

export async function handleMcpJob(
  { request }: Extract<EvaluatorJob, { kind: 'read-mcp' }>,
  [bytes]: Buffer[],
): Promise<void> {
  const { readMcpResponse } = await import('../mcp-response');
  const { message, parts } = readMcpResponse(bytes ?? Buffer.alloc(0), request);
  const texts = [message, ...Object.values(parts)].map((part) => JSON.stringify(part));
  sendToService({ kind: 'done', names: Object.keys(parts) }, texts);
}

export async function handleModelJob(
  { reading }: Extract<EvaluatorJob, { kind: 'read-model' }>,
  [bytes]: Buffer[],
): Promise<void> {
  const { readModelReply } = await import('./model-reply');
  sendToService({ kind: 'done' }, [await readModelReply(reading, bytes ?? Buffer.alloc(0))]);
}
