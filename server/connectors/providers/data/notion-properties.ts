import { NodeFailure } from '@/server/platform/errors/node-failure';
import { getAtPath } from '@/server/evaluation/expressions/dotted-path';
import type { ApiRequest, ApiResponse } from '../../operation';
import { toNotionText } from './notion-parameters';

type PlainValue = string | number | boolean | readonly (string | number)[];

/** The properties of a database or of a page by their names. */
type NotionPropertyTypes = Readonly<Record<string, { type?: unknown }>>;

const isPlainValue = (value: unknown): value is PlainValue =>
  ['string', 'number', 'boolean'].includes(typeof value) ||
  (Array.isArray(value) && value.every((one) => ['string', 'number'].includes(typeof one)));

const plainText = (parts: unknown): string =>
  (Array.isArray(parts) ? (parts as unknown[]) : [])
    .map((part) => String(getAtPath(part, 'plain_text') ?? ''))
    .join('');

/** The title of a page or of a database. A page has it in the one property of that type, whatever its name is. */
export function readNotionTitle(found: unknown): string {
  const title = getAtPath(found, 'title');
  if (Array.isArray(title)) return plainText(title);
  const properties = Object.values((getAtPath(found, 'properties') ?? {}) as Record<string, unknown>);
  return plainText(
    getAtPath(
      properties.find((property) => getAtPath(property, 'type') === 'title'),
      'title',
    ),
  );
}

const listTexts = (value: PlainValue): string[] => (Array.isArray(value) ? value.map(String) : [String(value)]);

/** A plain value as the property of a type; undefined: the type does not take it. */
function toNotionProperty(type: unknown, value: PlainValue): object | undefined {
  const [first = ''] = listTexts(value);
  switch (type) {
    case 'title':
    case 'rich_text':
      return { [type]: toNotionText(listTexts(value).join(', ')) };
    case 'number': {
      const number = first.trim() === '' ? Number.NaN : Number(first);
      return Number.isNaN(number) ? undefined : { number };
    }
    case 'checkbox':
      return first === 'true' || first === 'false' ? { checkbox: first === 'true' } : undefined;
    case 'select':
    case 'status':
      return { [type]: { name: first } };
    case 'multi_select':
      return { multi_select: listTexts(value).map((name) => ({ name })) };
    case 'date':
      return { date: { start: first } };
    case 'url':
    case 'email':
    case 'phone_number':
      return { [type]: first };
    case 'people':
    case 'relation':
      return { [type]: listTexts(value).map((id) => ({ id })) };
    case 'files':
      return {
        files: listTexts(value).map((url) => ({ name: url.slice(0, 100), type: 'external', external: { url } })),
      };
    default:
      return undefined;
  }
}

/**
 * Writes plain values as Notion wants them for the types of the properties. Other values are sent as they are. `known`:
 * the properties, or where they are read, which is only done if a value is plain.
 */
export function* toNotionProperties(
  values: Readonly<Record<string, unknown>>,
  known: string | NotionPropertyTypes,
): Generator<ApiRequest, Record<string, unknown>, ApiResponse> {
  const plain = Object.entries(values).filter((entry): entry is [string, PlainValue] => isPlainValue(entry[1]));
  if (plain.length === 0) return { ...values };
  const types =
    typeof known === 'string'
      ? ((getAtPath((yield { path: known }).body, 'properties') ?? {}) as NotionPropertyTypes)
      : known;
  const written = plain.map(([name, value]) => {
    const type = Object.hasOwn(types, name) ? types[name]?.type : undefined;
    const property = toNotionProperty(type, value);
    if (property) return [name, property] as const;
    const reason =
      type === undefined ? 'there is no such property' : `a property of the type ${String(type)} does not take it`;
    throw new NodeFailure('CONFIG', `parameters.properties.${name}: ${reason}.`, false);
  });
  return { ...values, ...Object.fromEntries(written) };
}
