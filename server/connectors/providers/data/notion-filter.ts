import { NodeFailure } from '@/server/platform/errors/node-failure';

/** What a filter asks of a property, by the type of the property. https://developers.notion.com/reference/filter-data-source-entries */
const FILTER_CONDITIONS: Readonly<Record<string, 'equals' | 'contains'>> = {
  title: 'equals',
  rich_text: 'equals',
  url: 'equals',
  email: 'equals',
  phone_number: 'equals',
  number: 'equals',
  unique_id: 'equals',
  checkbox: 'equals',
  select: 'equals',
  status: 'equals',
  date: 'equals',
  multi_select: 'contains',
  people: 'contains',
  relation: 'contains',
};

/** A value as a filter of this type takes it; undefined: it does not. */
function filterValue(type: string, text: string): string | number | boolean | undefined {
  if (type === 'checkbox') return text === 'true' ? true : text === 'false' ? false : undefined;
  if (type !== 'number' && type !== 'unique_id') return text;
  const number = text.trim() === '' ? Number.NaN : Number(text);
  return Number.isNaN(number) ? undefined : number;
}

/** The filter for pages whose property has a value. `type`: that of the property; undefined: the database has none. */
export function toNotionFilter(property: string, type: unknown, text: string): object {
  const kind = typeof type === 'string' && Object.hasOwn(FILTER_CONDITIONS, type) ? type : undefined;
  const condition = kind && FILTER_CONDITIONS[kind];
  const value = kind === undefined ? undefined : filterValue(kind, text);
  if (kind === undefined || condition === undefined || value === undefined) {
    const [field, reason] =
      type === undefined
        ? ['property', `the database has no property "${property}"`]
        : kind === undefined
          ? ['property', `a property of the type ${String(type)} cannot be searched`]
          : ['value', `a property of the type ${kind} does not have such a value`];
    throw new NodeFailure('CONFIG', `parameters.${field}: ${reason}.`, false);
  }
  return { property, [kind]: { [condition]: value } };
}
