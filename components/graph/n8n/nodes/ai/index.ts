import { agent } from './agent';
import type { ConvertAi } from './asking';
import { chainLlm, chainSummarization, informationExtractor, sentimentAnalysis, textClassifier } from './chains';
import { vendor } from './vendors';

/** How the types of n8n's package for language models are converted, by the short name of the type. */
export const AI: Readonly<Record<string, ConvertAi>> = {
  agent,
  chainLlm,
  chainSummarization,
  informationExtractor,
  sentimentAnalysis,
  textClassifier,
  openAi: vendor,
  anthropic: vendor,
  googleGemini: vendor,
};
