import { NO_SECRETS_REDACTOR } from '@/server/evaluation/redaction/redactor';
import { sendOutboundRequest } from '@/server/network/outbound/outbound';
import { parseResponseBody } from '@/server/network/outbound/content';
import { toModelAccess, type ModelCredential } from './credential';
import { findModelProvider } from '@/server/evaluation/model-libraries/providers';
import { NodeFailure } from '@/server/platform/errors/node-failure';
import { modelStatusFailure } from './transport';

const MAX_MODEL_LIST_BYTES = 4 * 1024 * 1024;

/** The body of the list of models, which costs nothing. Throws NodeFailure. */
async function requestModelList(credential: ModelCredential, signal: AbortSignal): Promise<unknown> {
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
  return parseResponseBody(answer, 'auto');
}

/** Asks for the list of models. Throws NodeFailure. */
export async function checkModelCredential(credential: ModelCredential, signal: AbortSignal): Promise<string> {
  const { name } = findModelProvider(toModelAccess(credential));
  const models = readModelList(await requestModelList(credential, signal));
  return models ? `${name} offers ${models.length} models.` : `${name} accepted it.`;
}

/** A model that a credential may use. */
export interface OfferedModel {
  id: string;
  name: string;
}

/** The models that the provider of a credential offers. Throws NodeFailure. */
export async function listOfferedModels(credential: ModelCredential, signal: AbortSignal): Promise<OfferedModel[]> {
  const models = readModelList(await requestModelList(credential, signal));
  if (!models) throw new NodeFailure('BAD_RESPONSE', 'The provider answered with no list of models.', false);
  return models.flatMap((model): OfferedModel[] => {
    if (typeof model !== 'object' || model === null) return [];
    const { id, name, display_name: title, displayName = title } = model as Record<string, unknown>;
    // Google calls a model `models/<id>`.
    const known = typeof id === 'string' ? id : typeof name === 'string' ? name.replace(/^models\//, '') : '';
    return known === '' ? [] : [{ id: known, name: typeof displayName === 'string' ? displayName : known }];
  });
}

/** `data` of OpenAI and Anthropic, `models` of Google. */
function readModelList(body: unknown): unknown[] | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const { data, models } = body as { data?: unknown; models?: unknown };
  const list = data ?? models;
  return Array.isArray(list) ? list : undefined;
}
