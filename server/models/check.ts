import { NO_SECRETS } from '@/server/redaction/redactor';
import { request } from '@/server/outbound/outbound';
import { valueOfBody } from '@/server/outbound/content';
import { accessOf, type ModelCredential } from './credential';
import { providerOf } from '@/server/model-libraries/providers';
import { statusFailure } from './transport';

const MAX_BYTES = 4 * 1024 * 1024;

/** Asks for the list of models, which costs nothing. Throws NodeFailure. */
export async function checkModels(credential: ModelCredential, signal: AbortSignal): Promise<string> {
  const access = accessOf(credential);
  const provider = providerOf(access);
  const answer = await request({
    workspaceId: credential.workspaceId,
    url: `${provider.baseUrl(access)}/models`,
    headers: { accept: 'application/json', ...provider.keyHeaders(access.apiKey) },
    signal,
    maxBytes: MAX_BYTES,
    followRedirects: false,
    isTraced: true,
  });
  if (answer.status >= 300) throw statusFailure(provider.name, answer, NO_SECRETS);
  const count = countIn(await valueOfBody(answer, 'auto', { workspaceId: credential.workspaceId, signal }));
  return count === undefined ? `${provider.name} accepted it.` : `${provider.name} offers ${count} models.`;
}

/** `data` of OpenAI and Anthropic, `models` of Google. */
function countIn(body: unknown): number | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const { data, models } = body as { data?: unknown; models?: unknown };
  const list = data ?? models;
  return Array.isArray(list) ? list.length : undefined;
}
