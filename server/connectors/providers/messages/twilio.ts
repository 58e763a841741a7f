import type { ConnectorDefinition } from '../../connector';
import type { ConnectorPaging } from '../../operation';
import { countParameter, listedLineParameter, multilineParameter, valueLineParameter } from '../../parameters';

// https://www.twilio.com/docs/usage/requests-to-twilio
const twilioAddressPaging: ConnectorPaging = { kind: 'address', at: 'next_page_uri' };
const twilioRecipient = valueLineParameter('To', 'address', 100).describe('Number in the form +491701234567');
const twilioSender = listedLineParameter('From', 'numbers', [], 100).describe(
  'One of your numbers, or the id of a messaging service',
);
const twilioPageSize = countParameter('Items a page', 1000).optional().describe('At most 1,000; default 50');
const twilioParameterNames = {
  to: 'To',
  from: 'From',
  text: 'Body',
  limit: 'PageSize',
  media: 'MediaUrl',
  callback: 'StatusCallback',
};

const twilioRateLimit = 'One message a second for a long number; more wait in a queue.';
const twilioMessageExample = {
  sid: 'SM1f0e8ae6ade43cb3c0ce4525424e404f',
  status: 'queued',
  to: '+491701234567',
  from: '+15557122661',
  body: 'Hello',
};

export const twilioConnector: ConnectorDefinition = {
  id: 'twilio',
  name: 'Twilio',
  description: 'Text messages, WhatsApp and calls.',
  synonyms: ['sms', 'text message', 'phone', 'call', 'voice', 'whatsapp'],
  flow: 'token',
  apiUrl: 'https://api.twilio.com/2010-04-01/Accounts/{account}',
  apis: { lookups: 'https://lookups.twilio.com/v2' },
  scopes: {},
  token: {
    title: 'Auth token',
    setup: 'At console.twilio.com copy the account SID and the auth token.',
    fields: [
      {
        name: 'account',
        title: 'Account SID',
        hint: 'Begins with AC',
        isSecret: false,
        pattern: /^AC[0-9a-f]{32}$/i,
        rule: 'must be AC and 32 hexadecimal digits',
      },
      {
        name: 'token',
        title: 'Auth token',
        hint: '32 hexadecimal digits',
        isSecret: true,
        pattern: /^\w{20,100}$/,
        rule: 'must be an auth token of Twilio',
      },
    ],
    basic: { username: '{account}', password: '{token}' },
  },
  setup: 'Nothing has to be registered: an account has an auth token.',
  probe: { path: '.json' },
  // The calls at a time are limited; the page gives no number.
  limits: { source: 'https://www.twilio.com/docs/api/errors/20429' },
  choices: {
    numbers: {
      operation: 'numbers.list',
      parameters: { limit: 100 },
      value: 'phone_number',
      label: ['friendly_name', 'phone_number'],
      hint: 'phone_number',
    },
    messages: {
      operation: 'messages.list',
      parameters: { limit: 100 },
      value: 'sid',
      label: ['body', 'to'],
      hint: 'to',
    },
  },
  operations: [
    {
      id: 'messages.send',
      title: 'Send a text message',
      help: 'An SMS of at most 1,600 characters.',
      limits: twilioRateLimit,
      method: 'POST',
      path: '/Messages.json',
      bodyAs: 'form',
      inBody: {
        to: twilioRecipient,
        from: twilioSender,
        text: multilineParameter('Text', 1600).describe('At most 1,600 characters'),
        media: valueLineParameter('Picture', 'address', 2000)
          .optional()
          .describe('Public address of a picture, for MMS'),
        callback: valueLineParameter('Status address', 'address', 2000)
          .optional()
          .describe('Is called when the status changes'),
      },
      names: twilioParameterNames,
      example: twilioMessageExample,
    },
    {
      id: 'messages.send_whatsapp',
      title: 'Send a WhatsApp message',
      help: 'Numbers are written as whatsapp:+491701234567.',
      limits: twilioRateLimit,
      method: 'POST',
      path: '/Messages.json',
      bodyAs: 'form',
      inBody: {
        to: twilioRecipient.describe('whatsapp: and the number'),
        from: valueLineParameter('From', 'address', 100).describe('whatsapp: and your number'),
        text: multilineParameter('Text', 1600).describe('At most 1,600 characters'),
      },
      names: twilioParameterNames,
      example: twilioMessageExample,
    },
    {
      id: 'messages.list',
      title: 'List messages',
      help: 'Sent and received ones, newest first.',
      limits: twilioRateLimit,
      method: 'GET',
      path: '/Messages.json',
      inQuery: {
        to: twilioRecipient.optional(),
        from: valueLineParameter('From', 'address', 100).optional().describe('Only from this number'),
        limit: twilioPageSize,
      },
      names: twilioParameterNames,
      items: 'messages',
      paging: twilioAddressPaging,
      example: { messages: [twilioMessageExample], next_page_uri: null },
      poll: {
        title: 'New text message',
        words: 'twilio trigger sms message received',
        items: 'input.body.messages',
        key: 'item.sid',
      },
    },
    {
      id: 'messages.get',
      title: 'Get a message',
      help: 'Text, status and price.',
      limits: twilioRateLimit,
      method: 'GET',
      path: '/Messages/{message}.json',
      inPath: { message: listedLineParameter('Message', 'messages', [], 50).describe('SID, e.g. SM1f0e8ae6…') },
      example: { ...twilioMessageExample, status: 'delivered' },
    },
    {
      id: 'calls.create',
      title: 'Make a call',
      help: 'Calls a number and reads a text in TwiML.',
      limits: twilioRateLimit,
      method: 'POST',
      path: '/Calls.json',
      bodyAs: 'form',
      inBody: {
        to: twilioRecipient,
        from: twilioSender,
        twiml: multilineParameter('TwiML', 4000).describe('e.g. <Response><Say>Hello</Say></Response>'),
      },
      names: { ...twilioParameterNames, twiml: 'Twiml' },
      example: { sid: 'CA5ef8732a3c49700934481addd5ce1659', status: 'queued', to: '+491701234567' },
    },
    {
      id: 'calls.list',
      title: 'List calls',
      help: 'Newest first.',
      limits: twilioRateLimit,
      method: 'GET',
      path: '/Calls.json',
      inQuery: { limit: twilioPageSize },
      names: twilioParameterNames,
      items: 'calls',
      paging: twilioAddressPaging,
      example: {
        calls: [{ sid: 'CA5ef8732a3c49700934481addd5ce1659', status: 'completed', duration: '15' }],
        next_page_uri: null,
      },
    },
    {
      id: 'numbers.list',
      title: 'List own phone numbers',
      help: 'Numbers of the account.',
      limits: twilioRateLimit,
      method: 'GET',
      path: '/IncomingPhoneNumbers.json',
      inQuery: { limit: twilioPageSize },
      names: twilioParameterNames,
      items: 'incoming_phone_numbers',
      paging: twilioAddressPaging,
      example: {
        incoming_phone_numbers: [
          { sid: 'PN2a0747eba6abf96b7e3c3ff0b4530f6e', phone_number: '+15557122661', friendly_name: '(555) 712-2661' },
        ],
        next_page_uri: null,
      },
    },
    {
      id: 'numbers.look_up',
      title: 'Look up a phone number',
      help: 'Whether it is valid, its country and its format.',
      limits: twilioRateLimit,
      method: 'GET',
      api: 'lookups',
      path: '/PhoneNumbers/{number}',
      inPath: { number: valueLineParameter('Number', 'address', 30).describe('e.g. +491701234567') },
      example: { phone_number: '+491701234567', valid: true, country_code: 'DE' },
    },
  ],
};
