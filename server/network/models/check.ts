import { NO_SECRETS_REDACTOR } from '@/server/evaluation/redaction/redactor';
import { sendOutboundRequest } from '@/server/network/outbound/outbound';
import { parseResponseOfAnySize } from '@/server/network/outbound/content';
import { toModelAccess, type ModelCredential } from './credential';
import { findModelProvider } from '@/server/evaluation/model-libraries/providers';
import { modelStatusFailure } from './transport';

const MAX_MODEL_LIST_BYTES = 4 * 1024 * 1024;

/** Asks for the list of models, which costs nothing. Throws NodeFailure. */
export async function checkModelCredential(credential: ModelCredential, signal: AbortSignal): Promise<string> {
  const access = toModelAccess(credential);
  const provider = findModelProvider(access);
  const answer = await sendOutboundRequest({
    workspaceId: credential.workspaceId,
    url: `${provider.baseUrl(access)}/models`,
    headers: { accept: 'application/json', ...provider.keyHeaders(access.apiKey) },
    signal,
    maxBytes: MAX_MODEL_LIST_BYTES,
    followRedirects: false,
    isTraced: true,
  });
  if (answer.status >= 300) throw modelStatusFailure(provider.name, answer, NO_SECRETS_REDACTOR);
  const count = countListedModels(
    await parseResponseOfAnySize(answer, 'auto', { workspaceId: credential.workspaceId, signal }),
  );
  return count === undefined ? `${provider.name} accepted it.` : `${provider.name} offers ${count} models.`;
}

/** `data` of OpenAI and Anthropic, `models` of Google. */
function countListedModels(body: unknown): number | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const { data, models } = body as { data?: unknown; models?: unknown };
  const list = data ?? models;
  return Array.isArray(list) ? list.length : undefined;
}
