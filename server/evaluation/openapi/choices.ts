import { objectOrEmpty, readOwnField, type OpenApiObject } from './document';
import { findListPath } from './paging';
import type { ApiOperation, ApiParameter, ParameterChoices } from './record';
import type { ReferenceResolver } from './references';
import { mergeCombinedSchemas } from './schemas';

/** What an operation lists: where the items are, and the names of their fields that hold a text or a number. */
export interface ListedItems {
  items: string;
  fields: ReadonlySet<string>;
}

/** What a document says of the choices of parameters: an object that may be empty. */
export type DeclaredChoices = Map<ApiParameter, OpenApiObject>;

/** What is learnt of choices while operations are compiled: what each lists, by its id, and what the document says. */
export interface ChoiceFacts {
  lists: Map<string, ListedItems>;
  declared: DeclaredChoices;
}

type UnnamedChoices = Omit<ParameterChoices, 'source'>;

/** Fields that tell people what an item is, the best first. */
const LABEL_FIELDS = [
  'name',
  'title',
  'display_name',
  'displayName',
  'full_name',
  'fullName',
  'label',
  'summary',
  'subject',
  'slug',
  'login',
  'username',
  'email',
  'key',
];

/** What a response lists; undefined: it is no list of objects. */
export function readListedItems(schema: unknown, references: ReferenceResolver): ListedItems | undefined {
  const answer = mergeCombinedSchemas(schema, references);
  const items = findListPath(answer, references);
  if (items === undefined) return undefined;
  const list =
    items === ''
      ? answer
      : mergeCombinedSchemas(readOwnField(objectOrEmpty(readOwnField(answer, 'properties')), items), references);
  const item = mergeCombinedSchemas(readOwnField(list, 'items'), references);
  const fields = Object.entries(objectOrEmpty(readOwnField(item, 'properties'))).flatMap(([name, property]) => {
    const type = readOwnField(mergeCombinedSchemas(property, references), 'type');
    return [type].flat().some((one) => one === 'string' || one === 'integer' || one === 'number') ? [name] : [];
  });
  return fields.length === 0 ? undefined : { items, fields: new Set(fields.slice(0, 200)) };
}

/** `projectId`, `project_id`, `project-id` → `id`; `username` → `username`. */
const valueFieldNames = (theirs: string): string[] => {
  const end = /(?:^|[_-]|(?<=[a-z0-9]))(id|key|slug|name|number|code|uuid|guid)$/i.exec(theirs)?.[1]?.toLowerCase();
  return [theirs, ...(end === undefined ? [] : [end]), 'id'];
};

/** Where an operation lists what a parameter may hold; undefined: its items have no fitting fields, or it needs more. */
function choicesFromList(
  { theirs }: ApiParameter,
  list: ApiOperation,
  { items, fields }: ListedItems,
  siblings: readonly ApiParameter[],
): UnnamedChoices | undefined {
  const value = valueFieldNames(theirs).find((name) => fields.has(name));
  const label = LABEL_FIELDS.filter((name) => fields.has(name) && name !== value);
  if (value === undefined || (label.length === 0 && value === 'id')) return undefined;
  const from: Record<string, string> = {};
  for (const needed of list.parameters.filter((one) => one.isRequired)) {
    const same = siblings.find((one) => one.theirs === needed.theirs && one.theirs !== theirs);
    if (!same) return undefined;
    from[needed.name] = same.name;
  }
  return { operation: list.id, items, value, label: label.length > 0 ? label : [value], from };
}

const isListing = ({ method, isFile }: ApiOperation): boolean => method === 'GET' && !isFile;

/** The operation at the path before the slot of a parameter: of `/projects/{projectId}/tasks` the one at `/projects`. */
function findListBefore(
  { path, api }: ApiOperation,
  { name }: ApiParameter,
  operations: readonly ApiOperation[],
): ApiOperation | undefined {
  const end = path.indexOf(`/{${name}}`);
  if (end <= 0) return undefined;
  const shape = slotShape(path.slice(0, end));
  return operations.find((one) => isListing(one) && one.api === api && slotShape(one.path) === shape);
}

/** A path without the names of its slots, which differ between operations. */
const slotShape = (path: string): string => path.replaceAll(/\{[^{}]*\}/g, '{}').replace(/\/$/, '');

/** What a document says of the choices of a parameter: `x-choices` `{source}` names a GET by its `operationId`. */
function declaredChoices(
  parameter: ApiParameter,
  declared: OpenApiObject,
  operations: readonly ApiOperation[],
  lists: ReadonlyMap<string, ListedItems>,
  siblings: readonly ApiParameter[],
): UnnamedChoices | undefined {
  const { source, value, label } = declared;
  const list = operations.find((one) => one.id === source && isListing(one));
  const listed = list && lists.get(list.id);
  if (!list || !listed) return undefined;
  const named = [value, label].filter((one): one is string => typeof one === 'string' && listed.fields.has(one));
  const found = choicesFromList(parameter, list, listed, siblings);
  if (typeof value !== 'string' || named[0] !== value) return found;
  const from = found?.from ?? (list.parameters.some((one) => one.isRequired) ? undefined : {});
  return (
    from && {
      operation: list.id,
      items: listed.items,
      value,
      label: [named[1] ?? value, ...(found?.label ?? [])],
      from,
    }
  );
}

/**
 * Adds to the parameters of operations where their choices are listed: as the document says, or, for the slots of a
 * path, by the operation that lists what is before the slot. The latter is marked as proposed.
 */
export function addParameterChoices(
  operations: readonly ApiOperation[],
  { lists, declared }: Readonly<ChoiceFacts>,
): ApiOperation[] {
  /** The value fields by the names of sources. */
  const valuesBySource = new Map<string, string>();
  const withSource = (choices: UnnamedChoices): ParameterChoices | undefined => {
    const names = [choices.operation, `${choices.operation}:${choices.value}`];
    const source = names.find(
      (name) => name.length <= 100 && (valuesBySource.get(name) ?? choices.value) === choices.value,
    );
    if (source === undefined) return undefined;
    valuesBySource.set(source, choices.value);
    return { source, ...choices };
  };
  return operations.map((operation) => ({
    ...operation,
    parameters: operation.parameters.map((parameter): ApiParameter => {
      const said = declared.get(parameter) ?? {};
      const isSaid = Object.keys(said).length > 0;
      const found = isSaid
        ? declaredChoices(parameter, said, operations, lists, operation.parameters)
        : proposedChoices(parameter, operation, operations, lists);
      const choices = found && withSource(found);
      return choices ? { ...parameter, choices } : parameter;
    }),
  }));
}

/** The choices of a slot of the path, if an operation lists what is before it. */
function proposedChoices(
  parameter: ApiParameter,
  operation: ApiOperation,
  operations: readonly ApiOperation[],
  lists: ReadonlyMap<string, ListedItems>,
): UnnamedChoices | undefined {
  if (parameter.in !== 'path' || parameter.schema.enum) return undefined;
  const list = findListBefore(operation, parameter, operations);
  const listed = list && list.id !== operation.id ? lists.get(list.id) : undefined;
  const found = list && listed ? choicesFromList(parameter, list, listed, operation.parameters) : undefined;
  return found && { ...found, isProposed: true };
}
