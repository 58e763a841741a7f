import { valueOf } from '../../conversion';
import { bag, list, type Bag } from '../../file';
import { isExpression, plain } from '../../text';
import { listed, same, service, type Call, type CallOf, type Reader } from './service';

/** n8n's names of HubSpot's properties are those of HubSpot in camel case. */
const propertiesOf = (read: Reader, path: string): Record<string, unknown> => {
  const { customPropertiesUi: _, ...fields } = read.fields(path);
  const own = Object.entries(fields).map(([name, value]) => [RENAMED[name] ?? name.toLowerCase(), value] as const);
  const custom = read.pairs(`${path}.customPropertiesUi.customPropertiesValues`, 'property', 'value');
  return { ...Object.fromEntries(own), ...custom };
};

const RENAMED: Readonly<Record<string, string>> = {
  phoneNumber: 'phone',
  mobilePhoneNumber: 'mobilephone',
  companyName: 'company',
  websiteUrl: 'website',
  postalCode: 'zip',
  streetAddress: 'address',
  leadStatus: 'hs_lead_status',
  lifecycleStage: 'lifecyclestage',
  dealName: 'dealname',
  closeDate: 'closedate',
};

/** A contact is found by its address: it is changed, or added. */
const upsertContact: CallOf = (read) => {
  const email = read.text('email');
  const properties = { email, ...propertiesOf(read, 'additionalFields') };
  const body = { inputs: [{ idProperty: 'email', id: email, properties }] };
  return {
    operation: 'request',
    parameters: { method: 'POST', path: '/crm/v3/objects/contacts/batch/upsert', body },
    path: '.body.results[0]',
  };
};

/** The conditions of a search: all of a group, any of the groups. */
const groupsOf = (read: Reader): Bag[] =>
  read.rows('filterGroupsUi.filterGroupsValues').flatMap((group) => {
    const filters = list(bag(group['filtersUi'])['filterValues']).flatMap((filter) => {
      const { propertyName, operator = 'EQ', value } = filter;
      const [property = ''] = String(propertyName ?? '').split('|');
      if (property === '' || isExpression(property)) return [];
      const given = value === undefined || value === '' ? {} : { value: valueOf(value, read.expressions) };
      return [{ propertyName: plain(property), operator: String(operator), ...given }];
    });
    return filters.length > 0 ? [{ filters }] : [];
  });

/** A search with conditions, which the operation of the connector does not have. */
function searchContacts(read: Reader, filterGroups: readonly Bag[]): Call {
  const properties = read.list('additionalFields.properties');
  const query = read.text('additionalFields.query');
  const body = {
    filterGroups,
    ...(query === undefined ? {} : { query }),
    ...(properties === undefined ? {} : { properties }),
    limit: read.isSet('returnAll') ? 200 : (read.value('limit') ?? 100),
  };
  if (read.isSet('returnAll')) read.say('It finds at most 200 contacts.');
  const parameters = { method: 'POST', path: '/crm/v3/objects/contacts/search', body };
  return { operation: 'request', parameters, path: '.body.results', isList: true };
}

export const hubspot = service({
  connector: 'hubspot',
  name: 'HubSpot',
  resource: 'contact',
  operation: { contact: 'upsert', deal: 'create', company: 'create' },
  hint: 'Its answer is that of the present API of HubSpot: values are in “properties”.',
  calls: {
    'contact.upsert': upsertContact,
    'contact.get': same('contacts.get', { contactId: 'contactId' }),
    'contact.getAll': listed('contacts.list', 'results'),
    'contact.search': (read) => {
      const groups = groupsOf(read);
      if (groups.length > 0) return searchContacts(read, groups);
      const query = read.text('additionalFields.query');
      return { operation: 'contacts.search', parameters: { query }, path: '.body.results', isList: true };
    },
    'company.create': (read) => ({
      operation: 'companies.create',
      parameters: { properties: { name: read.text('name'), ...propertiesOf(read, 'additionalFields') } },
    }),
    'company.get': same('companies.get', { companyId: 'companyId' }),
    'company.getAll': listed('companies.list', 'results'),
    'deal.create': (read) => ({
      operation: 'deals.create',
      parameters: { properties: { dealstage: read.text('stage'), ...propertiesOf(read, 'additionalFields') } },
    }),
    'deal.getAll': listed('deals.list', 'results'),
  },
});

const withData =
  (call: CallOf): CallOf =>
  (read) => {
    const made = call(read);
    return made && { ...made, path: '.body.data' };
  };

export const pipedrive = service({
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
    'deal.create': withData(
      same('deals.create', {
        title: 'title',
        value: 'additionalFields.value',
        currency: 'additionalFields.currency',
        stage: 'additionalFields.stage_id',
      }),
    ),
    'deal.getAll': listed('deals.list', 'data'),
    'person.create': withData((read) => ({
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
    'person.getAll': listed('persons.list', 'data'),
    'organization.create': withData(same('organizations.create', { name: 'name' })),
    'note.create': withData(
      same('notes.create', {
        content: 'content',
        deal: 'additionalFields.deal_id',
        person: 'additionalFields.person_id',
        organization: 'additionalFields.org_id',
      }),
    ),
    'lead.create': withData(
      same('leads.create', { title: 'title', person: 'person_id', organization: 'organization_id' }),
    ),
    'activity.create': withData((read) => ({
      operation: 'activities.create',
      parameters: {
        subject: read.text('subject'),
        type: read.text('type'),
        deal: read.value('additionalFields.deal_id'),
      },
    })),
  },
});

export const stripe = service({
  connector: 'stripe',
  name: 'Stripe',
  resource: 'balance',
  operation: { balance: 'get', customer: 'get', charge: 'get' },
  calls: {
    'balance.get': same('balance.get'),
    'customer.get': same('customers.get', { customer: 'customerId' }),
    'customer.getAll': listed('customers.list', 'data', { email: 'filters.email' }),
    'customer.create': same('customers.create', {
      name: 'name',
      email: 'additionalFields.email',
      phone: 'additionalFields.phone',
      description: 'additionalFields.description',
    }),
    'charge.get': same('charges.get', { charge: 'chargeId' }),
    'charge.getAll': listed('charges.list', 'data'),
  },
});

export const zendesk = service({
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
      if (note !== undefined) read.todo('Add its comment by the operation comments.create.');
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
