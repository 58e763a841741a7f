import type { TemplateTrigger } from '@/contract/workflows/template';

/** What starts the workflow: the body of the operation that creates such a trigger. */
export type Trigger = TemplateTrigger;

/** What became of a trigger of n8n. */
export interface ConvertedTrigger {
  triggers: Trigger[];
  isWhole: boolean;
  message: string;
  /** The fields of the input whose names are others in n8n, by theirs. */
  names: ReadonlyMap<string, string>;
}

/** An address that a page of a workflow may have. */
export const pathOf = (given: unknown, otherwise: string): string =>
  (typeof given === 'string' ? given : '')
    .toLowerCase()
    .split('/')
    .map((step) => step.replaceAll(/[^a-z0-9_-]+/g, '-').replaceAll(/^-|-$/g, ''))
    .filter(Boolean)
    .join('/')
    .slice(0, 90)
    .replace(/\/$/, '') || otherwise;
