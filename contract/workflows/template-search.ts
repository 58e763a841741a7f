import type { TemplatePurpose } from './template-purposes';

/** What a search for templates looks at. */
export interface SearchedTemplate {
  name: string;
  description: string;
  purpose: TemplatePurpose;
  services: readonly { name: string }[];
  words: readonly string[];
}

/**
 * The templates for a purpose (undefined: any) whose name, description, services or words contain every word of a search. Those whose
 * name contains them all come first.
 */
export function searchTemplates<One extends SearchedTemplate>(
  templates: readonly One[],
  search: string,
  purpose: TemplatePurpose | undefined,
): One[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const hasAll = (text: string) => words.every((word) => text.includes(word));
  const found = templates.filter((one) => (purpose === undefined || one.purpose === purpose) && hasAll(textOf(one)));
  const isNamed = ({ name }: One) => hasAll(name.toLowerCase());
  return [...found.filter(isNamed), ...found.filter((one) => !isNamed(one))];
}

const textOf = ({ name, description, services, words }: SearchedTemplate): string =>
  [name, description, ...services.map((service) => service.name), ...words].join(' ').toLowerCase();
