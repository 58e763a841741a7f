import { currencyChoices, fixedChoices } from '../../fixed-choices';
import { getAtPath } from '@/server/evaluation/expressions/dotted-path';
import type { ConnectorChoiceSource } from '../../choices';

/** Own fields have keys of forty digits; others are parameters. */
const OWN_FIELD_KEY = /^[\da-f]{40}$/;

const pipedriveList = (operation: string, label: readonly string[], hint: string): ConnectorChoiceSource => ({
  operation,
  parameters: { limit: 100 },
  value: 'id',
  label,
  hint,
});

const ownFields = (path: string): ConnectorChoiceSource => ({
  *steps({ page }) {
    const { body } = yield { path, query: { start: page ?? undefined } };
    const data = getAtPath(body, 'data');
    const next = getAtPath(body, 'additional_data.pagination.next_start');
    return {
      items: (Array.isArray(data) ? (data as unknown[]) : []).filter((field) =>
        OWN_FIELD_KEY.test(String(getAtPath(field, 'key'))),
      ),
      next: typeof next === 'number' ? String(next) : null,
    };
  },
  value: 'key',
  label: ['name'],
  column: {
    type: 'field_type',
    // https://pipedrive.readme.io/docs/core-api-concepts-custom-fields#types-of-custom-fields
    types: {
      double: 'number',
      int: 'number',
      monetary: 'json',
      date: 'date',
      enum: 'options',
      set: 'optionList',
      user: 'number',
      org: 'number',
      people: 'number',
      daterange: 'json',
      timerange: 'json',
      time: 'json',
      address: 'json',
    },
    options: { at: ['options'], value: 'id', label: ['label'] },
  },
});

/** What lists the choices of Pipedrive. https://developers.pipedrive.com/docs/api/v1 */
export const pipedriveChoices: Record<string, ConnectorChoiceSource> = {
  currencies: currencyChoices('upper'),
  person_search_fields: fixedChoices({
    name: 'Name',
    email: 'Email address',
    phone: 'Phone',
    notes: 'Notes',
    custom_fields: 'Own fields',
  }),
  deals: pipedriveList('deals.list', ['title'], 'status'),
  persons: pipedriveList('persons.list', ['name'], 'emails.0.value'),
  organizations: pipedriveList('organizations.list', ['name'], 'address.value'),
  pipelines: pipedriveList('pipelines.list', ['name'], 'id'),
  stages: pipedriveList('stages.list', ['name'], 'pipeline_id'),
  users: { operation: 'users.list', value: 'id', label: ['name'], hint: 'email' },
  activity_types: { operation: 'activity_types.list', value: 'key_string', label: ['name'] },
  deal_fields: ownFields('/v1/dealFields'),
  person_fields: ownFields('/v1/personFields'),
  organization_fields: ownFields('/v1/organizationFields'),
};
