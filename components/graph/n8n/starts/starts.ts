import { bag, list, type N8nNode } from '../file';
import { mailbox } from './mailbox';
import { chat, form } from './pages';
import { servicePoll } from './polls';
import { cronOf, interval, oldCronOf, schedule } from './schedules';
import { senderOf } from './senders';
import type { ConvertedTrigger } from './trigger';

const SHORT = /\.([\w-]+)$/;
export const shortType = (type: string): string => SHORT.exec(type)?.[1] ?? type;

const OLD = new Set(['start', 'webhook', 'cron', 'interval', 'emailReadImap']);
export const isTrigger = ({ type }: N8nNode): boolean => OLD.has(shortType(type)) || /trigger$/i.test(shortType(type));

const none = (message: string, isWhole = false): ConvertedTrigger => ({
  triggers: [],
  isWhole,
  message,
  names: new Map(),
});

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** Pages that may call: what is no origin, they left to a proxy. */
function corsOf({ parameters }: N8nNode) {
  const { allowedOrigins } = bag(parameters['options']);
  const named = typeof allowedOrigins === 'string' ? allowedOrigins.split(',').map((origin) => origin.trim()) : [];
  const origins = [...new Set(named)].filter((origin) => origin === '*' || /^https?:\/\/[^\s/]+$/.test(origin));
  return origins.length > 0 ? { cors: { origins: origins.slice(0, 20), headers: [] } } : {};
}

function webhook(node: N8nNode): ConvertedTrigger {
  const { parameters } = node;
  const { httpMethod = 'GET', authentication = 'none', responseMode = 'onReceived' } = parameters;
  const wanted = [httpMethod].flat().map(String);
  const methods = METHODS.filter((method) => wanted.includes(method));
  if (authentication !== 'none') {
    return none('Add a webhook under Triggers with the input “request”, and choose how callers prove who they are.');
  }
  const modes: Readonly<Record<string, 'respond_node' | 'last_node'>> = {
    responseNode: 'respond_node',
    lastNode: 'last_node',
  };
  const mode = Object.hasOwn(modes, String(responseMode)) ? modes[String(responseMode)] : undefined;
  return {
    triggers: [
      {
        kind: 'webhook',
        settings: {
          verification: { kind: 'none' },
          ...(methods.length > 0 ? { methods } : {}),
          ...corsOf(node),
          input: 'request',
          response: mode ? { mode, timeoutMs: 30_000 } : { mode: 'accepted' },
        },
      },
    ],
    isWhole: true,
    message: 'It gets a new address, which its callers need. Anyone who has it can start runs.',
    names: new Map(),
  };
}

/** Triggers in the palette that poll a service. */
const POLLS: Readonly<Record<string, string>> = {
  gmailTrigger: 'New email” of Gmail',
  googleDriveTrigger: 'New file” of Google Drive',
  googleSheetsTrigger: 'New row” of Google Sheets',
  googleCalendarTrigger: 'New event” of Google Calendar',
  airtableTrigger: 'New record” of Airtable',
  notionTrigger: 'New page in a database” of Notion',
  jiraTrigger: 'New issue” of Jira',
  pipedriveTrigger: 'New deal” of Pipedrive',
  asanaTrigger: 'New task” of Asana',
  clickUpTrigger: 'New task” of ClickUp',
  wooCommerceTrigger: 'New order” of WooCommerce',
  mailchimpTrigger: 'New contact” of Mailchimp',
};

/** What people add in place of a trigger of a service. */
const ofService = (short: string): string =>
  Object.hasOwn(POLLS, short)
    ? `Under Triggers add “${POLLS[short]}.`
    : `Add a webhook or a poll under Triggers in place of ${short}.`;

/** What starts the workflow in place of a trigger of n8n. */
export function triggerOf(node: N8nNode, timeZone: string | undefined): ConvertedTrigger {
  const { parameters, type } = node;
  const short = shortType(type);
  switch (short) {
    case 'webhook':
      return webhook(node);
    case 'formTrigger':
      return form(node);
    case 'scheduleTrigger':
      return schedule(list(bag(parameters['rule'])['interval'] ?? [{}]).map(cronOf), timeZone);
    case 'cron':
      return schedule(list(bag(parameters['triggerTimes'])['item'] ?? [{}]).map(oldCronOf), timeZone);
    case 'interval':
      return schedule([interval(node)], timeZone);
    case 'manualTrigger':
    case 'start':
      return none('', true);
    case 'executeWorkflowTrigger':
      return none('Other workflows call this one by a node sub_workflow.', true);
    case 'errorTrigger':
      return none('Choose this workflow as the error workflow in the settings of others, or of the workspace.');
    case 'chatTrigger':
      return chat(node);
    case 'mcpTrigger':
      return none('Switch on “Offer as a tool (MCP)” in the settings of the workflow.');
    case 'emailReadImap':
      return mailbox(node);
    default:
      return servicePoll(node, short) ?? senderOf(node, short) ?? none(ofService(short));
  }
}
