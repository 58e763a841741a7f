import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { LLM_PROVIDERS, type LlmProvider } from '@/contract/llm';
import { log } from '@/server/log';
import { runtime } from '@/server/runtime';
import shipped from './catalogue.json';

const price = z.number().min(0).optional();
const tokens = z.number().int().min(1).optional();

/** What is known of a model. Prices are US dollars for a million tokens; a model without them has no known cost. */
const Model = z.strictObject({
  provider: z.enum(LLM_PROVIDERS),
  id: z.string().min(1).max(200),
  contextTokens: tokens,
  outputTokens: tokens,
  inputPrice: price,
  /** Of input that the provider has cached; absent: as other input. */
  cachedInputPrice: price,
  outputPrice: price,
});
export type Model = z.infer<typeof Model>;

export const Catalogue = z.strictObject({ updatedAt: z.iso.date(), models: z.array(Model).max(10_000) });

const keyOf = ({ provider, id }: Pick<Model, 'provider' | 'id'>) => `${provider} ${id}`;

const { models } = Catalogue.parse(shipped);

/** The ids of the models that the service knows, by provider: suggestions for a field. */
export const suggestions: Readonly<Record<string, string[]>> = Object.fromEntries(
  LLM_PROVIDERS.map((provider) => [provider, models.filter((one) => one.provider === provider).map(({ id }) => id)]),
);

/** The operator's file is read once for each process. */
let known: { file: string | undefined; byKey: ReadonlyMap<string, Model> } | undefined;

function modelsByKey(): ReadonlyMap<string, Model> {
  const file = runtime().env.modelsFile;
  if (known?.file !== file || !known) {
    const own = file === undefined ? [] : readModels(file);
    known = { file, byKey: new Map([...models, ...own].map((model) => [keyOf(model), model])) };
  }
  return known.byKey;
}

function readModels(file: string): Model[] {
  try {
    return Catalogue.parse(JSON.parse(readFileSync(file, 'utf8'))).models;
  } catch (error) {
    log().error({ err: error, file }, 'MODELS_FILE cannot be used: the prices of the service remain');
    return [];
  }
}

/** A model by its id, also with the date of a snapshot behind it; undefined: unknown. */
export function modelOf(provider: LlmProvider, id: string): Model | undefined {
  const all = modelsByKey();
  const family = id.replace(/-(?:\d{8}|\d{4}-\d{2}-\d{2}|latest)$/, '');
  return all.get(keyOf({ provider, id })) ?? all.get(keyOf({ provider, id: family }));
}

/** Tokens of one call or several. `cachedInputTokens` are part of `inputTokens`. */
export interface Usage {
  inputTokens: number;
  cachedInputTokens?: number;
  outputTokens: number;
  /** US dollars; absent: the price of the model is not known. */
  costUsd?: number;
}

const MILLION = 1_000_000;
/** Adding floating-point numbers leaves digits that mean nothing. */
const rounded = (value: number) => Math.round(value * 1e9) / 1e9;

/** The usage of a call with its cost by the list prices of the model. */
export function priced(usage: Omit<Usage, 'costUsd'>, model: Model | undefined): Usage {
  const { inputPrice, outputPrice, cachedInputPrice = inputPrice } = model ?? {};
  if (inputPrice === undefined || outputPrice === undefined || cachedInputPrice === undefined) return usage;
  const { inputTokens, cachedInputTokens = 0, outputTokens } = usage;
  const cost =
    (inputTokens - cachedInputTokens) * inputPrice + cachedInputTokens * cachedInputPrice + outputTokens * outputPrice;
  return { ...usage, costUsd: rounded(cost / MILLION) };
}

/** Two usages together. The cost is known only if both are. */
export function added(one: Usage | undefined, other: Usage): Usage {
  if (!one) return other;
  const cachedInputTokens = (one.cachedInputTokens ?? 0) + (other.cachedInputTokens ?? 0);
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    ...(cachedInputTokens > 0 ? { cachedInputTokens } : {}),
    outputTokens: one.outputTokens + other.outputTokens,
    ...(one.costUsd === undefined || other.costUsd === undefined
      ? {}
      : { costUsd: rounded(one.costUsd + other.costUsd) }),
  };
}
