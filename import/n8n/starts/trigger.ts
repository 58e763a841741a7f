import type { TemplateTrigger } from '@/contract/workflows/template';
import type { EmptyFieldChoice } from '../remarks';

/** A trigger to create: the body of the operation that creates it. */
export type ImportedTrigger = TemplateTrigger;

/** The triggers that replace a trigger of n8n, with a remark for the report. */
export interface ConvertedTrigger {
  triggers: ImportedTrigger[];
  isWhole: boolean;
  message: string;
  /** The sentences of the message that require no action. */
  knowledge?: readonly string[];
  /** The fields that are empty in n8n, too. */
  choices?: readonly EmptyFieldChoice[];
  /** JavaScript that makes what n8n's trigger gives of an item, in place of names; a list of it is joined. */
  shape?: string;
  /** Our names of the input fields that have other names in n8n, by the names in n8n. */
  names: ReadonlyMap<string, string>;
}

/** An address that a page of a workflow may have. */
export const pagePath = (given: unknown, otherwise: string): string =>
  (typeof given === 'string' ? given : '')
    .toLowerCase()
    .split('/')
    .map((step) => step.replaceAll(/[^a-z0-9_-]+/g, '-').replaceAll(/^-|-$/g, ''))
    .filter(Boolean)
    .join('/')
    .slice(0, 90)
    .replace(/\/$/, '') || otherwise;
