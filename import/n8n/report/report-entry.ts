import type { ConversionStatus } from '../conversion';
import type { EmptyFieldChoice } from '../remarks';

/** What is reported of the conversion of a node. */
export interface ConversionResult {
  outcome: ConversionStatus;
  /** Sentences with what people have to know or to do; empty: there is nothing. */
  message: string;
  /** Those of the sentences that require no action. */
  knowledge: readonly string[];
  /** What is to choose because n8n has no value either. */
  choices?: readonly EmptyFieldChoice[];
}

/** The entry of the report for one node of n8n. */
export interface ImportReportEntry extends ConversionResult {
  node: string;
  /** The type, without the package. */
  type: string;
}

/** What a message says besides the sentences that require no action and those that ask for a choice. */
export const leaveOutKnowledge = ({ message, knowledge, choices = [] }: Omit<ConversionResult, 'outcome'>): string =>
  [...knowledge, ...choices.map(({ sentence }) => sentence)]
    .reduce((text, sentence) => text.replace(sentence, () => ''), message)
    .replaceAll(/ {2,}/g, ' ')
    .trim();
