import { convertAgent } from './agent';
import type { AiNodeConverter } from './ask-model';
import { convertLlmChain, convertSummarizationChain, convertInfoExtractor } from './chains';
import { convertMcpClient } from './mcp-client';
import { convertProviderNode } from './provider-nodes';

/** How the types of n8n's package for language models are converted, by the short name of the type. */
export const AI_NODE_CONVERTERS: Readonly<Record<string, AiNodeConverter>> = {
  agent: convertAgent,
  chainLlm: convertLlmChain,
  chainSummarization: convertSummarizationChain,
  informationExtractor: convertInfoExtractor,
  mcpClient: convertMcpClient,
  openAi: convertProviderNode,
  anthropic: convertProviderNode,
  googleGemini: convertProviderNode,
};
