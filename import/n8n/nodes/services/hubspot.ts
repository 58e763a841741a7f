import {
  pagedListCall,
  sameParametersCall,
  type ConnectorCall,
  type ConnectorCallBuilder,
  type ParameterReader,
} from './service';

/** n8n's names of HubSpot's properties are those of HubSpot in camel case. */
export const readHubspotProperties = (read: ParameterReader, path: string): Record<string, unknown> => {
  const { customPropertiesUi: _, ...fields } = read.fields(path);
  const own = Object.entries(fields).map(
    ([name, value]) => [HUBSPOT_PROPERTY_NAMES[name] ?? name.toLowerCase(), value] as const,
  );
  const custom = read.pairs(`${path}.customPropertiesUi.customPropertiesValues`, 'property', 'value');
  return { ...Object.fromEntries(own), ...custom };
};

const HUBSPOT_PROPERTY_NAMES: Readonly<Record<string, string>> = {
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
  dealOwner: 'hubspot_owner_id',
  companyOwner: 'hubspot_owner_id',
  contactOwner: 'hubspot_owner_id',
  stage: 'dealstage',
  linkedInCompanyPage: 'linkedin_company_page',
};

/** Changes the properties of a record. */
const updateHubspotRecord =
  (objects: string, id: string): ConnectorCallBuilder =>
  (read) => {
    const written = Object.entries(readHubspotProperties(read, 'updateFields')).filter(([, value]) => value !== '');
    return {
      operation: `${objects}.update`,
      parameters: { [id]: read.text(id), properties: Object.fromEntries(written) },
    };
  };

/** Records since a time, by what n8n filters them with. */
const listHubspotChanges =
  (objects: string): ConnectorCallBuilder =>
  (read) => {
    const since = read.text('additionalFields.since', 'filters.since') ?? HUBSPOT_SINCE;
    if (!read.isSet('returnAll'))
      read.addTodo('Check how many it gives: all that changed since the time, in n8n up to a limit.');
    return { operation: `${objects}.list_changed`, parameters: { since }, isList: true };
  };

/** n8n begins 30 days before now. */
const HUBSPOT_SINCE = '{{ DateTime.now().minus({ days: 30 }).toISO() }}';

/** n8n's names of the properties of tickets are its own. */
function readTicketProperties(read: ParameterReader, path: string): Record<string, unknown> {
  const { associatedContactIds, associatedCompanyIds, ...fields } = read.fields(path);
  if (associatedContactIds !== undefined || associatedCompanyIds !== undefined)
    read.addTodo('Link it to its contacts and companies by the operation associations.create.');
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [HUBSPOT_TICKET_NAMES.get(name) ?? name, value] as const),
  );
}

const HUBSPOT_TICKET_NAMES: ReadonlyMap<string, string> = new Map([
  ['ticketName', 'subject'],
  ['description', 'content'],
  ['pipelineId', 'hs_pipeline'],
  ['stageId', 'hs_pipeline_stage'],
  ['ticketOwnerId', 'hubspot_owner_id'],
  ['priority', 'hs_ticket_priority'],
  ['category', 'hs_ticket_category'],
  ['resolution', 'hs_resolution'],
  ['source', 'source_type'],
  ['closeDate', 'closed_date'],
  ['createDate', 'createdate'],
]);

const createHubspotTicket: ConnectorCallBuilder = (read) => ({
  operation: 'tickets.create',
  parameters: {
    properties: {
      subject: read.text('ticketName'),
      hs_pipeline: read.text('pipelineId'),
      hs_pipeline_stage: read.text('stageId'),
      ...readTicketProperties(read, 'additionalFields'),
    },
  },
});

const updateHubspotTicket: ConnectorCallBuilder = (read) => ({
  operation: 'tickets.update',
  parameters: { ticketId: read.text('ticketId'), properties: readTicketProperties(read, 'updateFields') },
});

/** What the kinds of activities are called, and where n8n keeps what they are made of. */
const HUBSPOT_ACTIVITIES: Readonly<Record<string, { operation: string; fields: Readonly<Record<string, string>> }>> = {
  note: { operation: 'notes.create', fields: { text: 'body' } },
  task: { operation: 'tasks.create', fields: { subject: 'subject', text: 'body', status: 'status' } },
  call: { operation: 'calls.create', fields: { title: 'title', text: 'body' } },
  email: { operation: 'emails.create', fields: { subject: 'subject', text: 'text', html: 'html' } },
  meeting: {
    operation: 'meetings.create',
    fields: { title: 'title', text: 'body', start: 'startTime', end: 'endTime' },
  },
};

const createHubspotActivity: ConnectorCallBuilder = (read) => {
  const type = String(read.get('type') ?? 'email');
  const activity = Object.hasOwn(HUBSPOT_ACTIVITIES, type) ? HUBSPOT_ACTIVITIES[type] : undefined;
  if (!activity) return undefined;
  const written = Object.entries(activity.fields).map(
    ([ours, theirs]) => [ours, read.text(`metadata.${theirs}`)] as const,
  );
  const { ownerId } = read.fields('additionalFields.associations');
  const converted = new Set(Object.values(activity.fields));
  const others = Object.keys({
    ...read.fields('metadata'),
    ...(ownerId === undefined ? {} : { ownerId }),
    ...(read.isEmpty('dueDate') ? {} : { dueDate: true }),
  }).filter((name) => !converted.has(name));
  if (others.length > 0) read.addTodo(`These fields of it are left out: ${others.slice(0, 10).join(', ')}.`);
  const linked = ['contact', 'company', 'deal', 'ticket'].map(
    (object) =>
      [
        object,
        read.text(`additionalFields.associations.${object === 'company' ? 'companyIds' : `${object}Ids`}`),
      ] as const,
  );
  return { operation: activity.operation, parameters: Object.fromEntries([...written, ...linked]) };
};

const findHubspotCompany = (read: ParameterReader): ConnectorCall => ({
  operation: 'companies.find_by_domain',
  parameters: { domain: read.text('domain'), properties: read.list('options.properties') },
  isList: true,
});

/** Calls of HubSpot beside those for contacts by address. */
export const hubspotRecordCalls: Readonly<Record<string, ConnectorCallBuilder>> = {
  'contact.create': (read) => ({
    operation: 'contacts.create',
    parameters: { properties: { email: read.text('email'), ...readHubspotProperties(read, 'additionalFields') } },
  }),
  'contact.update': updateHubspotRecord('contacts', 'contactId'),
  'contact.delete': sameParametersCall('contacts.delete', { contactId: 'contactId' }),
  'contact.getRecentlyCreatedUpdated': listHubspotChanges('contacts'),
  'company.update': updateHubspotRecord('companies', 'companyId'),
  'company.delete': sameParametersCall('companies.delete', { companyId: 'companyId' }),
  'company.searchByDomain': findHubspotCompany,
  'company.getRecentlyCreatedUpdated': listHubspotChanges('companies'),
  'company.getRecentlyModified': listHubspotChanges('companies'),
  'deal.get': sameParametersCall('deals.get', { dealId: 'dealId' }),
  'deal.update': updateHubspotRecord('deals', 'dealId'),
  'deal.delete': sameParametersCall('deals.delete', { dealId: 'dealId' }),
  'deal.getRecentlyCreatedUpdated': listHubspotChanges('deals'),
  'ticket.create': createHubspotTicket,
  'ticket.get': sameParametersCall('tickets.get', { ticketId: 'ticketId' }),
  'ticket.getAll': pagedListCall('tickets.list', 'results', { properties: 'additionalFields.properties' }),
  'ticket.update': updateHubspotTicket,
  'ticket.delete': sameParametersCall('tickets.delete', { ticketId: 'ticketId' }),
  'engagement.create': createHubspotActivity,
};
