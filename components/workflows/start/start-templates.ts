import type { TemplateSummary } from '@/contract/workflows/template';
import { TEMPLATE_PURPOSES } from '@/contract/workflows/template-purposes';

const START_TEMPLATE_COUNT = 6;

/** Templates for a first look: the first one of each purpose, those with a trigger before others. */
export function chooseStartTemplates(templates: readonly TemplateSummary[]): TemplateSummary[] {
  const sorted = [...templates].sort((a, b) => Number(hasTrigger(b)) - Number(hasTrigger(a)));
  return Object.keys(TEMPLATE_PURPOSES)
    .flatMap((purpose) => sorted.find((template) => template.purpose === purpose) ?? [])
    .slice(0, START_TEMPLATE_COUNT);
}

const hasTrigger = ({ outline }: TemplateSummary): boolean => outline.triggers.length > 0;
