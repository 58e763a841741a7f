import type { ConversionStatus } from '../conversion';

/** What is reported of the conversion of a node. */
export interface ConversionResult {
  outcome: ConversionStatus;
  /** Sentences with what people have to know or to do; empty: there is nothing. */
  message: string;
  /** Those of the sentences that require no action. */
  knowledge: readonly string[];
}

/** The entry of the report for one node of n8n. */
export interface ImportReportEntry extends ConversionResult {
  node: string;
  /** The type, without the package. */
  type: string;
}

/** What a message says besides the sentences that require no action. */
export const leaveOutKnowledge = ({ message, knowledge }: Omit<ConversionResult, 'outcome'>): string =>
  knowledge
    .reduce((text, sentence) => text.replace(sentence, () => ''), message)
    .replaceAll(/ {2,}/g, ' ')
    .trim();
