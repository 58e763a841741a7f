import { defineSteppedOperation, type OperationDefinition } from '../../operation';
import {
  choiceParameter,
  columnsParameter,
  contentLineParameter,
  listedLineParameter,
  multilineParameter,
  someColumnsParameter,
  timeParameter,
} from '../../parameters';
import { hubspotPageSize, hubspotProperties, hubspotRateLimit, hubspotTokenPaging } from './hubspot-parameters';

/** Numbers of the kinds of links. https://developers.hubspot.com/docs/api-reference/crm-associations-v4/guide */
const LINK_TYPES = {
  notes: { contact: 202, company: 190, deal: 214, ticket: 228 },
  tasks: { contact: 204, company: 192, deal: 216, ticket: 230 },
  calls: { contact: 194, company: 182, deal: 206, ticket: 220 },
  emails: { contact: 198, company: 186, deal: 210, ticket: 224 },
  meetings: { contact: 200, company: 188, deal: 212, ticket: 226 },
} as const;
type ActivityKind = keyof typeof LINK_TYPES;

const activityTargets = {
  contact: listedLineParameter('Contact', 'contacts').optional().describe('Id of a contact that it belongs to'),
  company: listedLineParameter('Company', 'companies').optional().describe('Id of a company that it belongs to'),
  deal: listedLineParameter('Deal', 'deals').optional().describe('Id of a deal that it belongs to'),
  ticket: listedLineParameter('Ticket', 'tickets').optional().describe('Id of a ticket that it belongs to'),
};
type ActivityTargets = { [Target in keyof typeof activityTargets]?: string | undefined };

const activityDetails = (kind: ActivityKind) => ({
  at: timeParameter('Time').optional().describe('ISO 8601; default: now'),
  owner: listedLineParameter('Owner', 'owners').optional().describe('Id of the owner'),
  others: columnsParameter('Other properties', `${kind}Columns`).optional().describe('Internal names and values'),
  ...activityTargets,
});

/** The request that creates an activity together with its links. */
function activityRequest(
  kind: ActivityKind,
  properties: Record<string, unknown>,
  targets: ActivityTargets & { at?: string | undefined; owner?: string | undefined; others?: object | undefined },
) {
  const links = LINK_TYPES[kind];
  const associations = (Object.keys(links) as (keyof typeof links)[]).flatMap((target) => {
    const id = targets[target];
    const types = [{ associationCategory: 'HUBSPOT_DEFINED', associationTypeId: links[target] }];
    return id === undefined ? [] : [{ to: { id }, types }];
  });
  const { at = new Date().toISOString(), owner, others } = targets;
  const value = { properties: { hs_timestamp: at, hubspot_owner_id: owner, ...properties, ...others }, associations };
  return { method: 'POST', path: `/crm/v3/objects/${kind}`, body: { as: 'json', value } } as const;
}

const activityExample = (properties: Record<string, string>) => ({
  id: '21364510',
  properties: { hs_timestamp: '2026-01-31T08:15:30Z', ...properties },
  createdAt: '2026-01-31T08:15:30.000Z',
  archived: false,
});
const activityKind = choiceParameter('Kind', ['notes', 'tasks', 'calls', 'emails', 'meetings']).describe('What it is');
const inActivity = {
  kind: activityKind,
  activity: listedLineParameter('Activity', 'activities', ['kind']).describe('Its id'),
};

/** Operations of HubSpot with activities. https://developers.hubspot.com/docs/api-reference/crm-notes-v3/guide */
export const hubspotActivityOperations: OperationDefinition[] = [
  defineSteppedOperation({
    id: 'notes.create',
    title: 'Create a note',
    help: 'On the timeline of a contact, company, deal or ticket.',
    limits: hubspotRateLimit,
    parameters: {
      text: multilineParameter('Text', 65_536).describe('Plain text or HTML'),
      ...activityDetails('notes'),
    },
    *steps({ text, ...given }) {
      return (yield activityRequest('notes', { hs_note_body: text }, given)).body;
    },
    example: activityExample({ hs_note_body: 'Called back' }),
  }),
  defineSteppedOperation({
    id: 'tasks.create',
    title: 'Create a task',
    help: 'It is due at its time.',
    limits: hubspotRateLimit,
    parameters: {
      subject: contentLineParameter('Title').describe('One line'),
      text: multilineParameter('Text', 65_536).optional().describe('Plain text or HTML'),
      status: choiceParameter('Status', ['NOT_STARTED', 'IN_PROGRESS', 'WAITING', 'DEFERRED', 'COMPLETED'])
        .optional()
        .describe('Default NOT_STARTED'),
      priority: choiceParameter('Priority', ['LOW', 'MEDIUM', 'HIGH']).optional().describe('Default: none'),
      ...activityDetails('tasks'),
    },
    *steps({ subject, text, status = 'NOT_STARTED', priority, ...given }) {
      const properties = {
        hs_task_subject: subject,
        hs_task_body: text,
        hs_task_status: status,
        hs_task_priority: priority,
      };
      return (yield activityRequest('tasks', properties, given)).body;
    },
    example: activityExample({ hs_task_subject: 'Call Ada', hs_task_status: 'NOT_STARTED' }),
  }),
  defineSteppedOperation({
    id: 'calls.create',
    title: 'Log a call',
    help: 'A call that took place elsewhere.',
    limits: hubspotRateLimit,
    parameters: {
      title: contentLineParameter('Title').optional().describe('One line'),
      text: multilineParameter('Notes', 65_536).optional().describe('What was said'),
      direction: choiceParameter('Direction', ['INBOUND', 'OUTBOUND']).optional().describe('Who called'),
      ...activityDetails('calls'),
    },
    *steps({ title, text, direction, ...given }) {
      const properties = { hs_call_title: title, hs_call_body: text, hs_call_direction: direction };
      return (yield activityRequest('calls', properties, given)).body;
    },
    example: activityExample({ hs_call_title: 'Support' }),
  }),
  defineSteppedOperation({
    id: 'emails.create',
    title: 'Log an email',
    help: 'An email that was sent elsewhere: HubSpot sends nothing.',
    limits: hubspotRateLimit,
    parameters: {
      subject: contentLineParameter('Subject').describe('One line'),
      text: multilineParameter('Text', 65_536).optional().describe('Plain text'),
      html: multilineParameter('HTML', 65_536).optional().describe('In place of the text'),
      direction: choiceParameter('Direction', ['EMAIL', 'INCOMING_EMAIL', 'FORWARDED_EMAIL'])
        .optional()
        .describe('Default EMAIL: sent to the contact'),
      ...activityDetails('emails'),
    },
    *steps({ subject, text, html, direction = 'EMAIL', ...given }) {
      const properties = {
        hs_email_subject: subject,
        hs_email_text: text,
        hs_email_html: html,
        hs_email_direction: direction,
      };
      return (yield activityRequest('emails', properties, given)).body;
    },
    example: activityExample({ hs_email_subject: 'Hello' }),
  }),
  defineSteppedOperation({
    id: 'meetings.create',
    title: 'Log a meeting',
    help: 'It invites nobody.',
    limits: hubspotRateLimit,
    parameters: {
      title: contentLineParameter('Title').describe('One line'),
      text: multilineParameter('Text', 65_536).optional().describe('Plain text or HTML'),
      start: timeParameter('Start'),
      end: timeParameter('End').optional(),
      place: contentLineParameter('Place').optional().describe('Room or address'),
      ...activityDetails('meetings'),
    },
    *steps({ title, text, start, end, place, ...given }) {
      const properties = {
        hs_meeting_title: title,
        hs_meeting_body: text,
        hs_meeting_start_time: start,
        hs_meeting_end_time: end,
        hs_meeting_location: place,
      };
      return (yield activityRequest('meetings', properties, { at: start, ...given })).body;
    },
    example: activityExample({ hs_meeting_title: 'Kick-off' }),
  }),
  {
    id: 'activities.list',
    title: 'List activities',
    help: 'Notes, tasks, calls, emails or meetings, in the order of their ids.',
    limits: hubspotRateLimit,
    method: 'GET',
    path: '/crm/v3/objects/{kind}',
    inPath: { kind: activityKind },
    inQuery: { properties: hubspotProperties('activityProperties', ['kind']), limit: hubspotPageSize },
    items: 'results',
    paging: hubspotTokenPaging,
    example: { results: [activityExample({ hs_note_body: 'Called back' })] },
  },
  {
    id: 'activities.get',
    title: 'Get an activity',
    help: 'With the properties that are asked for.',
    limits: hubspotRateLimit,
    method: 'GET',
    path: '/crm/v3/objects/{kind}/{activity}',
    inPath: inActivity,
    inQuery: { properties: hubspotProperties('activityProperties', ['kind']) },
    example: activityExample({ hs_note_body: 'Called back' }),
  },
  {
    id: 'activities.update',
    title: 'Update an activity',
    help: 'Changes the properties that are given, e.g. the status of a task.',
    limits: hubspotRateLimit,
    method: 'PATCH',
    path: '/crm/v3/objects/{kind}/{activity}',
    inPath: inActivity,
    inBody: {
      properties: someColumnsParameter('Properties', 'activityColumns', ['kind']).describe(
        'Internal names and values, e.g. hs_task_status',
      ),
    },
    example: activityExample({ hs_task_status: 'COMPLETED' }),
  },
  {
    id: 'activities.delete',
    title: 'Delete an activity',
    help: 'It can be restored for 90 days.',
    limits: hubspotRateLimit,
    method: 'DELETE',
    path: '/crm/v3/objects/{kind}/{activity}',
    inPath: inActivity,
    example: null,
  },
];
