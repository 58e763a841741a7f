import { defineSteppedOperation, type OperationDefinition } from '../../operation';
import { columnsParameter, listedLineParameter, someColumnsParameter, timeParameter } from '../../parameters';
import {
  hubspotBodyPaging,
  hubspotPageSize,
  hubspotProperties,
  hubspotRateLimit,
  hubspotSearchLimit,
  hubspotSearchNames,
  hubspotSearchParameters,
  hubspotTokenPaging,
  searchHubspotRecords,
  toHubspotTime,
} from './hubspot-parameters';

/** A kind of record of the CRM. */
export interface HubspotRecordKind {
  /** Of its operations, and of its address. */
  id: 'contacts' | 'companies' | 'deals' | 'tickets';
  /** `a contact` */
  one: string;
  /** The parameter that holds its id. */
  parameter: string;
  /** Names of properties, for the help. */
  properties: string;
  /** The property with the time of the last change. */
  changedProperty: string;
  /** Lower-case words that people search for. */
  words: string;
  example: Record<string, string>;
}

/** The operations of a kind of record. https://developers.hubspot.com/docs/api-reference/crm-contacts-v3/guide */
export function hubspotRecordOperations(kind: HubspotRecordKind): OperationDefinition[] {
  const { id, one, parameter } = kind;
  const path = `/crm/v3/objects/${id}`;
  const noun = one.replace(/^an? /, '');
  const example = {
    id: '512',
    properties: kind.example,
    createdAt: '2026-01-31T08:15:30.000Z',
    updatedAt: '2026-01-31T08:20:00.000Z',
    archived: false,
  };
  const list = { results: [example], paging: { next: { after: '513' } } };
  const inRecord = {
    [parameter]: listedLineParameter(`${noun.replace(/^./, (first) => first.toUpperCase())} id`, id).describe(
      `Id of the ${noun}`,
    ),
  };
  const valuesHint = `Internal names and values, e.g. ${kind.properties}`;
  const properties = hubspotProperties(`${id}Properties`);
  const since = { since: timeParameter('Since'), properties };
  return [
    {
      id: `${id}.list`,
      title: `List ${id}`,
      help: 'In the order of their ids.',
      limits: hubspotRateLimit,
      method: 'GET',
      path,
      inQuery: { properties, limit: hubspotPageSize },
      items: 'results',
      paging: hubspotTokenPaging,
      example: list,
    },
    {
      id: `${id}.get`,
      title: `Get ${one}`,
      help: 'With the properties that are asked for.',
      limits: hubspotRateLimit,
      method: 'GET',
      path: `${path}/{${parameter}}`,
      inPath: inRecord,
      inQuery: { properties },
      example,
    },
    {
      id: `${id}.create`,
      title: `Create ${one}`,
      help: 'From names and values of properties.',
      limits: hubspotRateLimit,
      method: 'POST',
      path,
      inBody: { properties: columnsParameter('Properties', `${id}Columns`).describe(valuesHint) },
      example,
    },
    {
      id: `${id}.update`,
      title: `Update ${one}`,
      help: 'Changes the properties that are given; others stay.',
      limits: hubspotRateLimit,
      method: 'PATCH',
      path: `${path}/{${parameter}}`,
      inPath: inRecord,
      inBody: { properties: someColumnsParameter('Properties', `${id}Columns`).describe(valuesHint) },
      example,
    },
    {
      id: `${id}.delete`,
      title: `Delete ${one}`,
      help: 'It can be restored for 90 days.',
      limits: hubspotRateLimit,
      method: 'DELETE',
      path: `${path}/{${parameter}}`,
      inPath: inRecord,
      example: null,
    },
    {
      id: `${id}.search`,
      title: `Search ${id}`,
      help: 'By a text, or by filters.',
      limits: hubspotSearchLimit,
      method: 'POST',
      path: `${path}/search`,
      inBody: hubspotSearchParameters(`${id}Properties`),
      names: hubspotSearchNames,
      items: 'results',
      paging: hubspotBodyPaging,
      example: { total: 1, ...list },
    },
    defineSteppedOperation({
      id: `${id}.list_new`,
      title: `List new ${id}`,
      help: 'Those made since a time, oldest first.',
      limits: hubspotSearchLimit,
      parameters: since,
      *steps(given) {
        return yield* searchHubspotRecords(path, searchSince('createdate', given));
      },
      example: [example],
      poll: {
        title: `New ${noun}`,
        words: `hubspot trigger created crm ${kind.words}`,
        // Searches find a record some moments after it was made.
        parameters: { since: '{{ cursor ?? $fromMillis($millis() - 3600000) }}' },
        items: 'input.body',
        key: 'item.id',
        cursor: '$fromMillis($millis() - 300000)',
      },
    }),
    defineSteppedOperation({
      id: `${id}.list_changed`,
      title: `List changed ${id}`,
      help: 'New and changed ones since a time, oldest change first.',
      limits: hubspotSearchLimit,
      parameters: since,
      *steps(given) {
        return yield* searchHubspotRecords(path, searchSince(kind.changedProperty, given));
      },
      example: [example],
      poll: {
        title: `New or changed ${noun}`,
        words: `hubspot trigger updated property changed crm ${kind.words}`,
        parameters: { since: '{{ cursor ?? $fromMillis($millis() - 3600000) }}' },
        items: 'input.body',
        key: 'item.id & " " & item.updatedAt',
        cursor: '$fromMillis($millis() - 300000)',
      },
    }),
  ];
}

const searchSince = (
  propertyName: string,
  { since, properties }: { since: string; properties?: string[] | undefined },
): Record<string, unknown> => ({
  filterGroups: [{ filters: [{ propertyName, operator: 'GTE', value: toHubspotTime(since) }] }],
  sorts: [{ propertyName, direction: 'ASCENDING' }],
  properties,
  limit: 200,
});
