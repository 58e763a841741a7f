import { bag, list, type Bag, type N8nNode } from './file';
import { mailbox } from './mailbox';
import { chat, form } from './pages';
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

function webhook({ parameters }: N8nNode): ConvertedTrigger {
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

const whole = (given: unknown, least: number, most: number, otherwise: number): number => {
  const number =
    typeof given === 'number' ? given : typeof given === 'string' && given.trim() !== '' ? Number(given) : Number.NaN;
  return Number.isInteger(number) && number >= least && number <= most ? number : otherwise;
};

const every = (step: number) => (step > 1 ? `*/${step}` : '*');

/** The times of a rule as cron; undefined: Weft does not have them. */
function cronOf(rule: Bag): string | undefined {
  const minute = whole(rule['triggerAtMinute'], 0, 59, 0);
  const hour = whole(rule['triggerAtHour'], 0, 23, 0);
  switch (rule['field'] ?? 'days') {
    case 'cronExpression':
      return plainCron(rule['expression']);
    case 'minutes':
      return `${every(whole(rule['minutesInterval'], 1, 59, 5))} * * * *`;
    case 'hours':
      return `${minute} ${every(whole(rule['hoursInterval'], 1, 23, 1))} * * *`;
    case 'days':
      return `${minute} ${hour} ${every(whole(rule['daysInterval'], 1, 31, 1))} * *`;
    case 'weeks': {
      const days = Array.isArray(rule['triggerAtDay'])
        ? rule['triggerAtDay'].map((day) => whole(day, 0, 7, 0) % 7)
        : [0];
      return `${minute} ${hour} * * ${[...new Set(days)].slice(0, 7).join(',') || '0'}`;
    }
    case 'months':
      return `${minute} ${hour} ${whole(rule['triggerAtDayOfMonth'], 1, 31, 1)} ${every(whole(rule['monthsInterval'], 1, 12, 1))} *`;
    default:
      return undefined;
  }
}

const FIELD = /^[\d*,/\-A-Za-z#]{1,40}$/;

/** Cron with five fields. One with seconds loses them, if they are zero. */
function plainCron(given: unknown): string | undefined {
  if (typeof given !== 'string') return undefined;
  const fields = given.replace(/^=/, '').trim().split(/\s+/);
  const five = fields.length === 6 && /^0?0$/.test(fields[0] ?? '') ? fields.slice(1) : fields;
  return five.length === 5 && five.every((field) => FIELD.test(field)) ? five.join(' ') : undefined;
}

/** The times of the node `cron`, which is older. */
function oldCronOf(item: Bag): string | undefined {
  const minute = whole(item['minute'], 0, 59, 0);
  const hour = whole(item['hour'], 0, 23, 14);
  switch (item['mode'] ?? 'everyDay') {
    case 'everyMinute':
      return '* * * * *';
    case 'everyHour':
      return `${minute} * * * *`;
    case 'everyDay':
      return `${minute} ${hour} * * *`;
    case 'everyWeek':
      return `${minute} ${hour} * * ${whole(item['weekday'], 0, 6, 1)}`;
    case 'everyMonth':
      return `${minute} ${hour} ${whole(item['dayOfMonth'], 1, 31, 1)} * *`;
    case 'everyX': {
      const step = whole(item['value'], 1, 59, 2);
      return item['unit'] === 'minutes' ? `${every(step)} * * * *` : `0 ${every(Math.min(step, 23))} * * *`;
    }
    case 'custom':
      return plainCron(item['cronExpression']);
    default:
      return undefined;
  }
}

function schedule(rules: readonly (string | undefined)[], timeZone: string | undefined): ConvertedTrigger {
  const known = [...new Set(rules.filter((rule) => rule !== undefined))].slice(0, 20);
  const isWhole = known.length > 0 && rules.every((rule) => rule !== undefined);
  return {
    triggers: known.map((cron) => ({
      kind: 'schedule',
      settings: { cron, input: {}, enabled: true, overlap: 'skip', ...(timeZone ? { timezone: timeZone } : {}) },
    })),
    isWhole,
    message: isWhole ? '' : 'Enter its times: a schedule of Weft has five fields, and no seconds.',
    names: new Map(),
  };
}

function interval({ parameters }: N8nNode): string | undefined {
  const step = whole(parameters['interval'], 1, 59, 1);
  if (parameters['unit'] === 'minutes') return `${every(step)} * * * *`;
  return parameters['unit'] === 'hours' ? `0 ${every(Math.min(step, 23))} * * *` : undefined;
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

/** Triggers whose service sends signed calls, which webhooks verify. */
const SENDERS: Readonly<Record<string, string>> = {
  telegramTrigger: 'Telegram',
  slackTrigger: 'Slack',
  githubTrigger: 'GitHub',
  gitlabTrigger: 'GitLab',
  stripeTrigger: 'Stripe',
  typeformTrigger: 'Typeform',
  calendlyTrigger: 'Calendly',
  linearTrigger: 'Linear',
  hubspotTrigger: 'HubSpot',
  shopifyTrigger: 'Shopify',
  whatsAppTrigger: 'Meta',
  facebookTrigger: 'Meta',
  twilioTrigger: 'Twilio',
};

/** What people add in place of a trigger of a service. */
function ofService(short: string): string {
  if (Object.hasOwn(POLLS, short)) return `Under Triggers add “${POLLS[short]}.`;
  if (Object.hasOwn(SENDERS, short)) return `Under Triggers add a webhook of the sender ${SENDERS[short]}.`;
  return `Add a webhook or a poll under Triggers in place of ${short}.`;
}

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
      return none(ofService(short));
  }
}
