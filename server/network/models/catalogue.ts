import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { LLM_PROVIDERS, type LlmProvider } from '@/contract/llm';
import { serviceLog } from '@/server/platform/log';
import { getRuntime } from '@/server/platform/runtime';
import shipped from './catalogue.json';

const tokenPriceSchema = z.number().min(0).optional();
const tokenCountSchema = z.number().int().min(1).optional();

/** What is known of a model. Prices are US dollars for a million tokens; a model without them has no known cost. */
const KnownModel = z.strictObject({
  provider: z.enum(LLM_PROVIDERS),
  id: z.string().min(1).max(200),
  contextTokens: tokenCountSchema,
  outputTokens: tokenCountSchema,
  inputPrice: tokenPriceSchema,
  /** The price of input that the provider has cached. Absent: the same as of other input. */
  cachedInputPrice: tokenPriceSchema,
  outputPrice: tokenPriceSchema,
});
export type KnownModel = z.infer<typeof KnownModel>;

export const ModelCatalogueSchema = z.strictObject({
  updatedAt: z.iso.date(),
  models: z.array(KnownModel).max(10_000),
});

const modelKey = ({ provider, id }: Pick<KnownModel, 'provider' | 'id'>) => `${provider} ${id}`;

const { models } = ModelCatalogueSchema.parse(shipped);

/** The ids of the models that the service knows, by provider: suggestions for a field. */
export const suggestedModelIds: Readonly<Record<string, string[]>> = Object.fromEntries(
  LLM_PROVIDERS.map((provider) => [provider, models.filter((one) => one.provider === provider).map(({ id }) => id)]),
);

/** The operator's file is read once for each process. */
let operatorModels: { file: string | undefined; byKey: ReadonlyMap<string, KnownModel> } | undefined;

function loadModelsByKey(): ReadonlyMap<string, KnownModel> {
  const file = getRuntime().env.modelsFile;
  if (operatorModels?.file !== file || !operatorModels) {
    const own = file === undefined ? [] : readModelsFile(file);
    operatorModels = { file, byKey: new Map([...models, ...own].map((model) => [modelKey(model), model])) };
  }
  return operatorModels.byKey;
}

function readModelsFile(file: string): KnownModel[] {
  try {
    return ModelCatalogueSchema.parse(JSON.parse(readFileSync(file, 'utf8'))).models;
  } catch (error) {
    serviceLog().error({ err: error, file }, 'MODELS_FILE cannot be used: the prices of the service remain');
    return [];
  }
}

/** A model by its id, also with the date of a snapshot behind it; undefined: unknown. */
export function findKnownModel(provider: LlmProvider, id: string): KnownModel | undefined {
  const all = loadModelsByKey();
  const family = id.replace(/-(?:\d{8}|\d{4}-\d{2}-\d{2}|latest)$/, '');
  return all.get(modelKey({ provider, id })) ?? all.get(modelKey({ provider, id: family }));
}

/** Tokens of one call or several. `cachedInputTokens` are part of `inputTokens`. */
export interface TokenUsage {
  inputTokens: number;
  cachedInputTokens?: number;
  outputTokens: number;
  /** US dollars; absent: the price of the model is not known. */
  costUsd?: number;
}

const TOKENS_PER_PRICE = 1_000_000;
/** Adding floating-point numbers leaves digits that mean nothing. */
const roundCost = (value: number) => Math.round(value * 1e9) / 1e9;

/** The usage of a call with its cost by the list prices of the model. */
export function withCost(usage: Omit<TokenUsage, 'costUsd'>, model: KnownModel | undefined): TokenUsage {
  const { inputPrice, outputPrice, cachedInputPrice = inputPrice } = model ?? {};
  if (inputPrice === undefined || outputPrice === undefined || cachedInputPrice === undefined) return usage;
  const { inputTokens, cachedInputTokens = 0, outputTokens } = usage;
  const cost =
    (inputTokens - cachedInputTokens) * inputPrice + cachedInputTokens * cachedInputPrice + outputTokens * outputPrice;
  return { ...usage, costUsd: roundCost(cost / TOKENS_PER_PRICE) };
}

/** Two usages together. The cost is known only if both are. */
export function addTokenUsage(one: TokenUsage | undefined, other: TokenUsage): TokenUsage {
  if (!one) return other;
  const cachedInputTokens = (one.cachedInputTokens ?? 0) + (other.cachedInputTokens ?? 0);
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    ...(cachedInputTokens > 0 ? { cachedInputTokens } : {}),
    outputTokens: one.outputTokens + other.outputTokens,
    ...(one.costUsd === undefined || other.costUsd === undefined
      ? {}
      : { costUsd: roundCost(one.costUsd + other.costUsd) }),
  };
}
