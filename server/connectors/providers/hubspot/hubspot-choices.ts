import { getAtPath } from '@/server/evaluation/expressions/dotted-path';
import type { ColumnPaths, ConnectorChoiceSource, OperationChoiceSource, SteppedChoiceSource } from '../../choices';
import type { ApiRequest, ApiResponse } from '../../operation';

type HubspotRequests<Result> = Generator<ApiRequest, Result, ApiResponse>;

interface PropertyOption {
  value: string;
  label: string;
}

/** A property with more choices than this many pages of them has the first ones. */
const MAX_OPTION_PAGES = 5;

/** The results of a list; none if the account may not read it. */
function* readResults(path: string, query: object = {}): HubspotRequests<unknown[]> {
  const found: unknown[] = [];
  let after: unknown;
  for (let pages = 0; pages < MAX_OPTION_PAGES && (pages === 0 || typeof after === 'string'); pages += 1) {
    const { status, body } = yield { path, query: { ...query, after }, acceptedStatus: 403 };
    const results = getAtPath(body, 'results');
    if (status === 403 || !Array.isArray(results)) return found;
    found.push(...(results as unknown[]));
    after = getAtPath(body, 'paging.next.after');
  }
  return found;
}

const toOption = (item: unknown, label: string): PropertyOption => ({ value: String(getAtPath(item, 'id')), label });
const pipelineLabel = (item: unknown): string => String(getAtPath(item, 'label'));

/**
 * What properties without choices of their own are picked from: owners, pipelines and their stages.
 * https://developers.hubspot.com/docs/api-reference/crm-pipelines-v3/guide
 */
function* readOtherOptions(object: string): HubspotRequests<Record<string, PropertyOption[]>> {
  const owners = yield* readResults('/crm/v3/owners', { limit: 100 });
  const options = { hubspot_owner_id: owners.map((owner) => toOption(owner, String(getAtPath(owner, 'email')))) };
  if (object !== 'deals' && object !== 'tickets') return options;
  const pipelines = yield* readResults(`/crm/v3/pipelines/${object}`);
  const stages = pipelines.flatMap((pipeline) =>
    ((getAtPath(pipeline, 'stages') ?? []) as unknown[]).map((stage) =>
      toOption(
        stage,
        pipelines.length > 1 ? `${pipelineLabel(pipeline)}: ${pipelineLabel(stage)}` : pipelineLabel(stage),
      ),
    ),
  );
  const names = object === 'deals' ? ['pipeline', 'dealstage'] : ['hs_pipeline', 'hs_pipeline_stage'];
  const [pipeline = '', stage = ''] = names;
  return { ...options, [pipeline]: pipelines.map((one) => toOption(one, pipelineLabel(one))), [stage]: stages };
}

/** Types of properties. https://developers.hubspot.com/docs/api-reference/crm-properties-v3/guide */
const propertyColumn: ColumnPaths = {
  type: 'type',
  types: {
    string: 'text',
    number: 'number',
    bool: 'options',
    enumeration: 'options',
    date: 'date',
    datetime: 'timestamp',
    object_coordinates: null,
    json: null,
  },
  options: { at: ['options'], value: 'value', label: ['label'] },
};

type PropertyOwner = { object: string; field?: never } | { object?: never; field: string };

/** The properties that can be written, with what they are picked from; of one object, or of that in a field. */
const propertyColumns = ({ object, field }: PropertyOwner): SteppedChoiceSource => ({
  ...(field === undefined ? {} : { dependsOn: [field] }),
  *steps({ values }) {
    const of = object ?? values[field] ?? '';
    const { body } = yield { path: `/crm/v3/properties/${encodeURIComponent(of)}` };
    const others = yield* readOtherOptions(of);
    const items = ((getAtPath(body, 'results') ?? []) as object[]).flatMap((property) => {
      const name = String(getAtPath(property, 'name'));
      const isFixed = getAtPath(property, 'modificationMetadata.readOnlyValue') === true;
      if (isFixed || getAtPath(property, 'hidden') === true) return [];
      const options = others[name];
      return [options && options.length > 0 ? { ...property, type: 'enumeration', options } : property];
    });
    return { items };
  },
  value: 'name',
  label: ['label'],
  hint: 'name',
  column: propertyColumn,
});

const properties = { operation: 'properties.list', value: 'name', label: ['label'], hint: 'name' } as const;

const RECORD_KINDS = {
  contacts: { label: ['{properties.firstname} {properties.lastname}', 'properties.email'], hint: 'properties.email' },
  companies: { label: ['properties.name', 'properties.domain'], hint: 'properties.domain' },
  deals: { label: ['properties.dealname'], hint: 'properties.amount' },
  tickets: { label: ['properties.subject'] },
} as const;
const READ_PROPERTIES = ['firstname', 'lastname', 'email', 'name', 'domain', 'dealname', 'amount', 'subject'];
const ACTIVITY_TITLES = ['hs_note_body', 'hs_task_subject', 'hs_call_title', 'hs_email_subject', 'hs_meeting_title'];

const recordSearch = {
  isQuery: true,
  parameters: { properties: READ_PROPERTIES, limit: 100 },
  search: 'query',
} as const;
const recordLabels = Object.values(RECORD_KINDS).flatMap(({ label }) => label);

/** The records of an object that a field names. */
const recordsOf = (field: string): OperationChoiceSource => ({
  ...recordSearch,
  operation: 'objects.search',
  parametersFrom: { object: field },
  value: 'id',
  label: recordLabels,
});

/** The sources of a kind of record: its records, its properties, and those that can be written. */
const recordSources = (kind: keyof typeof RECORD_KINDS): Record<string, ConnectorChoiceSource> => ({
  [kind]: { ...recordSearch, operation: `${kind}.search`, value: 'id', ...RECORD_KINDS[kind] },
  [`${kind}Properties`]: { ...properties, parameters: { object: kind } },
  [`${kind}Columns`]: propertyColumns({ object: kind }),
});

/** What the parameters of HubSpot are picked from. */
export const hubspotChoices: Record<string, ConnectorChoiceSource> = {
  ...recordSources('contacts'),
  ...recordSources('companies'),
  ...recordSources('deals'),
  ...recordSources('tickets'),
  ...Object.fromEntries(
    ['notes', 'tasks', 'calls', 'emails', 'meetings'].map((object) => [
      `${object}Columns`,
      propertyColumns({ object }),
    ]),
  ),
  properties: { ...properties, parametersFrom: { object: 'object' } },
  columns: propertyColumns({ field: 'object' }),
  records: recordsOf('object'),
  otherRecords: recordsOf('toObject'),
  activityProperties: { ...properties, parametersFrom: { object: 'kind' } },
  activityColumns: propertyColumns({ field: 'kind' }),
  activities: {
    operation: 'activities.list',
    parameters: { properties: ACTIVITY_TITLES, limit: 100 },
    parametersFrom: { kind: 'kind' },
    value: 'id',
    label: ACTIVITY_TITLES.map((title) => `properties.${title}`),
    hint: 'createdAt',
  },
  owners: {
    operation: 'owners.list',
    parameters: { limit: 100 },
    value: 'id',
    label: ['{firstName} {lastName}', 'email'],
    hint: 'email',
  },
  objectTypes: {
    first: ['contacts', 'companies', 'deals', 'tickets', 'products', 'line_items', 'quotes', 'notes', 'tasks'].map(
      (value) => ({ value, label: value.replace('_', ' ').replace(/^./, (letter) => letter.toUpperCase()) }),
    ),
    *steps() {
      return { items: yield* readResults('/crm/v3/schemas') };
    },
    value: 'objectTypeId',
    label: ['labels.plural', 'name'],
    hint: 'name',
  },
  recordsForList: {
    dependsOn: ['list'],
    searches: true,
    // https://developers.hubspot.com/docs/api-reference/crm-lists-v3/guide: a list has records of one type.
    *steps({ values: { list = '' }, search, page }) {
      const found = yield { path: `/crm/v3/lists/${encodeURIComponent(list)}` };
      const object = encodeURIComponent(String(getAtPath(found.body, 'list.objectTypeId')));
      const value = { query: search || undefined, properties: READ_PROPERTIES, limit: 100, after: page ?? undefined };
      const { body } = yield { method: 'POST', path: `/crm/v3/objects/${object}/search`, body: { as: 'json', value } };
      const next = getAtPath(body, 'paging.next.after');
      const items = (getAtPath(body, 'results') ?? []) as unknown[];
      return { items, next: typeof next === 'string' ? next : null };
    },
    value: 'id',
    label: recordLabels,
    hint: 'properties.email',
  },
  lists: { operation: 'lists.list', search: 'query', value: 'listId', label: ['name'] },
  forms: { operation: 'forms.list', parameters: { limit: 100 }, value: 'id', label: ['name'] },
};
