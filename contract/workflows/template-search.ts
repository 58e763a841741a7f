import type { TemplatePurpose } from './template-purposes';

/** The fields of a template that a search reads. */
export interface SearchableTemplate {
  name: string;
  description: string;
  purpose: TemplatePurpose;
  services: readonly { name: string }[];
  words: readonly string[];
}

/**
 * The templates for a purpose (undefined: any) whose name, description, services or words contain every word of a
 * search. Those whose name contains them all come first.
 */
export function searchTemplates<One extends SearchableTemplate>(
  templates: readonly One[],
  search: string,
  purpose: TemplatePurpose | undefined,
): One[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const hasAll = (text: string) => words.every((word) => text.includes(word));
  const found = templates.filter(
    (one) => (purpose === undefined || one.purpose === purpose) && hasAll(searchableTemplateText(one)),
  );
  const isNamed = ({ name }: One) => hasAll(name.toLowerCase());
  return [...found.filter(isNamed), ...found.filter((one) => !isNamed(one))];
}

const searchableTemplateText = ({ name, description, services, words }: SearchableTemplate): string =>
  [name, description, ...services.map((service) => service.name), ...words].join(' ').toLowerCase();
