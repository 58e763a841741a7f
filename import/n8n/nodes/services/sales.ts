import { parameterValue } from '../../conversion';
import { asN8nObject, asN8nObjects, type N8nObject } from '../../file';
import { isN8nExpression, escapeBraces } from '../../n8n-expressions';
import { readHubspotProperties, hubspotRecordCalls } from './hubspot';
import {
  pagedListCall,
  sameParametersCall,
  serviceConverter,
  type ConnectorCall,
  type ConnectorCallBuilder,
  type ParameterReader,
} from './service';

/** A contact is found by its address: it is changed, or added. */
const upsertHubspotContact: ConnectorCallBuilder = (read) => {
  const email = read.text('email');
  const properties = { email, ...readHubspotProperties(read, 'additionalFields') };
  const body = { inputs: [{ idProperty: 'email', id: email, properties }] };
  return {
    operation: 'request',
    parameters: { method: 'POST', path: '/crm/v3/objects/contacts/batch/upsert', body },
    path: '.body.results[0]',
  };
};

/** The conditions of a search: all of a group, any of the groups. */
const hubspotFilterGroups = (read: ParameterReader): N8nObject[] =>
  read.rows('filterGroupsUi.filterGroupsValues').flatMap((group) => {
    const filters = asN8nObjects(asN8nObject(group['filtersUi'])['filterValues']).flatMap((filter) => {
      const { propertyName, operator = 'EQ', value } = filter;
      const [property = ''] = String(propertyName ?? '').split('|');
      if (property === '' || isN8nExpression(property)) return [];
      const given = value === undefined || value === '' ? {} : { value: parameterValue(value, read.expressions) };
      return [{ propertyName: escapeBraces(property), operator: String(operator), ...given }];
    });
    return filters.length > 0 ? [{ filters }] : [];
  });

/** A search with conditions, which the operation of the connector does not have. */
function searchHubspotContacts(read: ParameterReader, filterGroups: readonly N8nObject[]): ConnectorCall {
  const properties = read.list('additionalFields.properties');
  const query = read.text('additionalFields.query');
  const body = {
    filterGroups,
    ...(query === undefined ? {} : { query }),
    ...(properties === undefined ? {} : { properties }),
    limit: read.isSet('returnAll') ? 200 : (read.value('limit') ?? 100),
  };
  if (read.isSet('returnAll')) read.addRemark('It finds at most 200 contacts.');
  const parameters = { method: 'POST', path: '/crm/v3/objects/contacts/search', body };
  return { operation: 'request', parameters, path: '.body.results', isList: true };
}

export const convertHubspot = serviceConverter({
  connector: 'hubspot',
  name: 'HubSpot',
  resource: 'contact',
  operation: {
    contact: 'upsert',
    deal: 'create',
    company: 'create',
    ticket: 'create',
    engagement: 'create',
    contactList: 'add',
  },
  hint: 'Its answer is that of the present API of HubSpot: values are in “properties”.',
  calls: {
    'contact.upsert': upsertHubspotContact,
    'contact.get': sameParametersCall('contacts.get', { contactId: 'contactId' }),
    'contact.getAll': pagedListCall('contacts.list', 'results'),
    'contact.search': (read) => {
      const groups = hubspotFilterGroups(read);
      if (groups.length > 0) return searchHubspotContacts(read, groups);
      const query = read.text('additionalFields.query');
      return { operation: 'contacts.search', parameters: { query }, path: '.body.results', isList: true };
    },
    'company.create': (read) => ({
      operation: 'companies.create',
      parameters: { properties: { name: read.text('name'), ...readHubspotProperties(read, 'additionalFields') } },
    }),
    'company.get': sameParametersCall('companies.get', { companyId: 'companyId' }),
    'company.getAll': pagedListCall('companies.list', 'results'),
    'deal.create': (read) => ({
      operation: 'deals.create',
      parameters: { properties: { dealstage: read.text('stage'), ...readHubspotProperties(read, 'additionalFields') } },
    }),
    'deal.getAll': pagedListCall('deals.list', 'results'),
    ...hubspotRecordCalls,
  },
});

const pipedriveDataCall =
  (call: ConnectorCallBuilder): ConnectorCallBuilder =>
  (read) => {
    const made = call(read);
    return made && { ...made, path: '.body.data' };
  };

export const convertPipedrive = serviceConverter({
  connector: 'pipedrive',
  name: 'Pipedrive',
  resource: 'deal',
  operation: {
    deal: 'create',
    person: 'create',
    organization: 'create',
    note: 'create',
    lead: 'create',
    activity: 'create',
  },
  calls: {
    'deal.create': pipedriveDataCall(
      sameParametersCall('deals.create', {
        title: 'title',
        value: 'additionalFields.value',
        currency: 'additionalFields.currency',
        stage: 'additionalFields.stage_id',
      }),
    ),
    'deal.getAll': pagedListCall('deals.list', 'data'),
    'person.create': pipedriveDataCall((read) => ({
      operation: 'persons.create',
      parameters: {
        name: read.text('name'),
        email: read.text('additionalFields.email') ?? [read.list('additionalFields.email')].flat()[0],
        phone: read.text('additionalFields.phone') ?? [read.list('additionalFields.phone')].flat()[0],
        organization: read.value('additionalFields.org_id'),
      },
    })),
    'person.search': (read) => ({
      operation: 'persons.search',
      parameters: { term: read.text('term') },
      path: '.body.data.items.item',
      isList: true,
    }),
    'person.getAll': pagedListCall('persons.list', 'data'),
    'organization.create': pipedriveDataCall(sameParametersCall('organizations.create', { name: 'name' })),
    'note.create': pipedriveDataCall(
      sameParametersCall('notes.create', {
        content: 'content',
        deal: 'additionalFields.deal_id',
        person: 'additionalFields.person_id',
        organization: 'additionalFields.org_id',
      }),
    ),
    'lead.create': pipedriveDataCall(
      sameParametersCall('leads.create', { title: 'title', person: 'person_id', organization: 'organization_id' }),
    ),
    'activity.create': pipedriveDataCall((read) => ({
      operation: 'activities.create',
      parameters: {
        subject: read.text('subject'),
        type: read.text('type'),
        deal: read.value('additionalFields.deal_id'),
      },
    })),
  },
});

export const convertStripe = serviceConverter({
  connector: 'stripe',
  name: 'Stripe',
  resource: 'balance',
  operation: { balance: 'get', customer: 'get', charge: 'get' },
  calls: {
    'balance.get': sameParametersCall('balance.get'),
    'customer.get': sameParametersCall('customers.get', { customer: 'customerId' }),
    'customer.getAll': pagedListCall('customers.list', 'data', { email: 'filters.email' }),
    'customer.create': sameParametersCall('customers.create', {
      name: 'name',
      email: 'additionalFields.email',
      phone: 'additionalFields.phone',
      description: 'additionalFields.description',
    }),
    'charge.get': sameParametersCall('charges.get', { charge: 'chargeId' }),
    'charge.getAll': pagedListCall('charges.list', 'data'),
  },
});

export const convertZendesk = serviceConverter({
  connector: 'zendesk',
  name: 'Zendesk',
  resource: 'ticket',
  operation: { ticket: 'create' },
  calls: {
    'ticket.create': (read) => ({
      operation: 'tickets.create',
      parameters: {
        subject: read.text('additionalFields.subject') ?? '(no subject)',
        text: read.text('description'),
        tags: read.list('additionalFields.tags'),
      },
    }),
    'ticket.get': (read) => ({
      operation: 'tickets.get',
      parameters: { ticket: read.value('id') },
      path: '.body.ticket',
    }),
    'ticket.update': (read) => {
      const note = read.text('updateFields.internalNote', 'updateFields.publicReply');
      if (note !== undefined) read.addTodo('Add its comment by the operation comments.create.');
      return {
        operation: 'tickets.update',
        parameters: {
          ticket: read.value('id'),
          status: read.text('updateFields.status'),
          assignee: read.value('updateFields.assigneeEmail') === undefined ? undefined : null,
          tags: read.list('updateFields.tags'),
        },
      };
    },
    'ticket.getAll': (read) => {
      const { parameters, ...rest } = read.pages('tickets');
      const query = read.text('options.query');
      return query === undefined
        ? { ...rest, operation: 'tickets.list', parameters }
        : { ...rest, operation: 'tickets.search', parameters: { query, allPages: true }, path: '.body' };
    },
  },
});
