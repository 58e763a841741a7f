import type { TemplateTrigger } from '@/contract/workflows/template';

/** What starts the workflow: the body of the operation that creates such a trigger. */
export type Trigger = TemplateTrigger;

/** What became of a trigger of n8n. */
export interface ConvertedTrigger {
  triggers: Trigger[];
  isWhole: boolean;
  message: string;
  /** The fields of its input whose names are others in n8n, by theirs. */
  names: ReadonlyMap<string, string>;
}
