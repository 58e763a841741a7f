import type { Connector } from '../../connector';
import type { Paging } from '../../operation';
import { count, text, word } from '../../parameters';

// https://www.twilio.com/docs/usage/requests-to-twilio
const paging: Paging = { kind: 'address', at: 'next_page_uri' };
const to = word('To', 100).describe('Number in the form +491701234567');
const from = word('From', 100).describe('One of your numbers, or the id of a messaging service');
const limit = count('Items a page', 1000).optional().describe('At most 1,000; default 50');
const names = {
  to: 'To',
  from: 'From',
  text: 'Body',
  limit: 'PageSize',
  media: 'MediaUrl',
  callback: 'StatusCallback',
};

const limits = 'One message a second for a long number; more wait in a queue.';
const message = {
  sid: 'SM1f0e8ae6ade43cb3c0ce4525424e404f',
  status: 'queued',
  to: '+491701234567',
  from: '+15557122661',
  body: 'Hello',
};

export const twilio: Connector = {
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
  operations: [
    {
      id: 'messages.send',
      title: 'Send a text message',
      help: 'An SMS of at most 1,600 characters.',
      limits,
      method: 'POST',
      path: '/Messages.json',
      bodyAs: 'form',
      inBody: {
        to,
        from,
        text: text('Text', 1600).describe('At most 1,600 characters'),
        media: word('Picture', 2000).optional().describe('Public address of a picture, for MMS'),
        callback: word('Status address', 2000).optional().describe('Is called when the status changes'),
      },
      names,
      example: message,
    },
    {
      id: 'messages.send_whatsapp',
      title: 'Send a WhatsApp message',
      help: 'Numbers are written as whatsapp:+491701234567.',
      limits,
      method: 'POST',
      path: '/Messages.json',
      bodyAs: 'form',
      inBody: {
        to: to.describe('whatsapp: and the number'),
        from: from.describe('whatsapp: and your number'),
        text: text('Text', 1600).describe('At most 1,600 characters'),
      },
      names,
      example: message,
    },
    {
      id: 'messages.list',
      title: 'List messages',
      help: 'Sent and received ones, newest first.',
      limits,
      method: 'GET',
      path: '/Messages.json',
      inQuery: { to: to.optional(), from: word('From', 100).optional().describe('Only from this number'), limit },
      names,
      items: 'messages',
      paging,
      example: { messages: [message], next_page_uri: null },
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
      limits,
      method: 'GET',
      path: '/Messages/{message}.json',
      inPath: { message: word('Message', 50).describe('SID, e.g. SM1f0e8ae6…') },
      example: { ...message, status: 'delivered' },
    },
    {
      id: 'calls.create',
      title: 'Make a call',
      help: 'Calls a number and reads a text in TwiML.',
      limits,
      method: 'POST',
      path: '/Calls.json',
      bodyAs: 'form',
      inBody: { to, from, twiml: text('TwiML', 4000).describe('e.g. <Response><Say>Hello</Say></Response>') },
      names: { ...names, twiml: 'Twiml' },
      example: { sid: 'CA5ef8732a3c49700934481addd5ce1659', status: 'queued', to: '+491701234567' },
    },
    {
      id: 'calls.list',
      title: 'List calls',
      help: 'Newest first.',
      limits,
      method: 'GET',
      path: '/Calls.json',
      inQuery: { limit },
      names,
      items: 'calls',
      paging,
      example: {
        calls: [{ sid: 'CA5ef8732a3c49700934481addd5ce1659', status: 'completed', duration: '15' }],
        next_page_uri: null,
      },
    },
    {
      id: 'numbers.list',
      title: 'List own phone numbers',
      help: 'Numbers of the account.',
      limits,
      method: 'GET',
      path: '/IncomingPhoneNumbers.json',
      inQuery: { limit },
      names,
      items: 'incoming_phone_numbers',
      paging,
      example: {
        incoming_phone_numbers: [{ sid: 'PN2a0747eba6abf96b7e3c3ff0b4530f6e', phone_number: '+15557122661' }],
        next_page_uri: null,
      },
    },
    {
      id: 'numbers.look_up',
      title: 'Look up a phone number',
      help: 'Whether it is valid, its country and its format.',
      limits,
      method: 'GET',
      api: 'lookups',
      path: '/PhoneNumbers/{number}',
      inPath: { number: word('Number', 30).describe('e.g. +491701234567') },
      example: { phone_number: '+491701234567', valid: true, country_code: 'DE' },
    },
  ],
};
