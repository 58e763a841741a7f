import type { WebhookVerification } from '@/contract/triggers/webhook-verification';
import { asN8nObject, asN8nObjects, type N8nNode } from '../file';
import { convertMailbox } from './mailbox';
import { convertChatTrigger, convertFormTrigger } from './pages';
import { convertServicePoll, lacksPollSource } from './polls';
import { scheduleRuleCron, intervalNodeCron, cronNodeCron, convertSchedule } from './schedules';
import { convertSenderWebhook, createRandomSecret } from './senders';
import { convertSubscribedTrigger } from './subscriptions';
import type { ConvertedTrigger } from './trigger';

const SHORT_TYPE_PATTERN = /\.([\w-]+)$/;
export const shortNodeType = (type: string): string => SHORT_TYPE_PATTERN.exec(type)?.[1] ?? type;

const OLD_TRIGGER_TYPES = new Set(['start', 'webhook', 'cron', 'interval', 'emailReadImap']);
export const isTriggerNode = ({ type }: N8nNode): boolean =>
  OLD_TRIGGER_TYPES.has(shortNodeType(type)) || /trigger$/i.test(shortNodeType(type));

const CALLED = 'Other workflows call this one by a node sub_workflow.';

const withoutTrigger = (message: string, isWhole = false): ConvertedTrigger => ({
  triggers: [],
  isWhole,
  message,
  names: new Map(),
});

const TRIGGER_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** The origins that may call the webhook. Entries that are not origins are dropped. */
function webhookCors({ parameters }: N8nNode) {
  const { allowedOrigins } = asN8nObject(parameters['options']);
  const named = typeof allowedOrigins === 'string' ? allowedOrigins.split(',').map((origin) => origin.trim()) : [];
  const origins = [...new Set(named)].filter((origin) => origin === '*' || /^https?:\/\/[^\s/]+$/.test(origin));
  return origins.length > 0 ? { cors: { origins: origins.slice(0, 20), headers: [] } } : {};
}

/** The path that it has in n8n, if it is one in Weft, too. A parameter in it has no counterpart. */
const webhookPath = ({ parameters: { path } }: N8nNode): { path?: string } => {
  const bare = typeof path === 'string' ? path.replaceAll(/^\/+|\/+$/g, '') : '';
  return bare.length <= 100 && /^[a-z0-9_-]+(?:\/[a-z0-9_-]+)*$/.test(bare) ? { path: bare } : {};
};

/**
 * How the callers of a webhook prove who they are, and what is to enter. A random secret keeps all of them out until
 * then. Undefined: nothing, or in a way that Weft does not know.
 */
function findCallerProof(authentication: string): { verification: WebhookVerification; asked: string } | undefined {
  switch (authentication) {
    case 'basicAuth':
      return {
        verification: { kind: 'basic', username: 'n8n', password: createRandomSecret() },
        asked: 'the user name and password',
      };
    case 'headerAuth':
      return {
        verification: { kind: 'header', name: 'x-api-key', value: createRandomSecret() },
        asked: 'the name and the value of the header',
      };
    case 'jwtAuth':
      return {
        verification: { kind: 'jwt', algorithms: ['HS256'], key: createRandomSecret() },
        asked: 'the algorithm and the key of the tokens',
      };
    default:
      return undefined;
  }
}

const NEW_ADDRESS = 'It gets a new address, which its callers need.';

function convertWebhookTrigger(node: N8nNode): ConvertedTrigger {
  const { parameters } = node;
  const { httpMethod = 'GET', authentication = 'none', responseMode = 'onReceived' } = parameters;
  const wanted = [httpMethod].flat().map(String);
  const methods = TRIGGER_METHODS.filter((method) => wanted.includes(method));
  const known = findCallerProof(String(authentication));
  if (authentication !== 'none' && !known) {
    return withoutTrigger(
      'Add a webhook under Triggers with the input “request”, and choose how callers prove who they are.',
    );
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
          ...webhookPath(node),
          verification: known?.verification ?? { kind: 'none' },
          ...(methods.length > 0 ? { methods } : {}),
          ...webhookCors(node),
          input: 'request',
          response: mode ? { mode, timeoutMs: 30_000 } : { mode: 'accepted' },
        },
      },
    ],
    isWhole: !known,
    message: known
      ? `${NEW_ADDRESS} Enter its secret: ${known.asked}, without which it refuses all calls.`
      : `${NEW_ADDRESS} Anyone who has it can start runs.`,
    knowledge: [NEW_ADDRESS],
    names: new Map(),
  };
}

/** Triggers in the palette that poll a service. */
const PALETTE_POLLS: Readonly<Record<string, string>> = {
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

/** Tells people what to add in place of a trigger of a service. */
const serviceTriggerAdvice = (short: string): string =>
  Object.hasOwn(PALETTE_POLLS, short)
    ? `Under Triggers add “${PALETTE_POLLS[short]}.`
    : `Add a webhook or a poll under Triggers in place of ${short}.`;

/** Tells people what to add. What the file does not say is empty in n8n, too. */
function adviseServiceTrigger(node: N8nNode, short: string): ConvertedTrigger {
  const sentence = serviceTriggerAdvice(short);
  const isOpen = lacksPollSource(node, short);
  return { ...withoutTrigger(sentence), choices: isOpen ? [{ field: 'node.config', sentence }] : [] };
}

/**
 * Converts a trigger of n8n to the triggers that start the workflow here. `hasPages`: the workflow shows visitors of
 * forms further pages.
 */
export function convertTrigger(node: N8nNode, timeZone: string | undefined, hasPages = false): ConvertedTrigger {
  const { parameters, type } = node;
  const short = shortNodeType(type);
  switch (short) {
    case 'webhook':
      return convertWebhookTrigger(node);
    case 'formTrigger':
      return convertFormTrigger(node, hasPages);
    case 'scheduleTrigger':
      return convertSchedule(
        asN8nObjects(asN8nObject(parameters['rule'])['interval'] ?? [{}]).map(scheduleRuleCron),
        timeZone,
      );
    case 'cron':
      return convertSchedule(
        asN8nObjects(asN8nObject(parameters['triggerTimes'])['item'] ?? [{}]).map(cronNodeCron),
        timeZone,
      );
    case 'interval':
      return convertSchedule([intervalNodeCron(node)], timeZone);
    case 'manualTrigger':
    case 'start':
      return withoutTrigger('', true);
    case 'executeWorkflowTrigger':
      return { ...withoutTrigger(CALLED, true), knowledge: [CALLED] };
    case 'chatTrigger':
      return convertChatTrigger(node);
    case 'mcpTrigger':
      return withoutTrigger(
        'Weft offers whole workflows as tools: switch on “Offer as a tool (MCP)” in the settings of those that replace its tools.',
      );
    case 'emailReadImap':
      return convertMailbox(node);
    default:
      return (
        convertServicePoll(node, short) ??
        convertSubscribedTrigger(node, short) ??
        convertSenderWebhook(node, short) ??
        adviseServiceTrigger(node, short)
      );
  }
}
