import type { ConnectorDefinition } from '../../connector';
import { defineSteppedOperation } from '../../operation';
import {
  booleanParameter,
  choiceParameter,
  contentLineParameter,
  countParameter,
  fileParameter,
  jsonListParameter,
  listedLineParameter,
  multilineParameter,
  valueLineParameter,
} from '../../parameters';
import { getAtPath } from '@/server/evaluation/expressions/dotted-path';

// https://developers.facebook.com/docs/whatsapp/cloud-api/reference/messages
const whatsappPhoneNumberId = listedLineParameter('Phone number id', 'numbers', ['account'], 30).describe(
  'Id of the own number, from "API Setup" of the app',
);
const whatsappAccountId = listedLineParameter('Business account', 'accounts', [], 30).describe(
  'Id of the WhatsApp Business account',
);
/** A call for a number names no account; the lists of numbers and templates do. */
const whatsappListedAccount = whatsappAccountId
  .optional()
  .describe('Id of the WhatsApp Business account, only to list its numbers and templates');
const whatsappRecipient = valueLineParameter('To', 'address', 30).describe(
  'Number of the recipient with country code, digits only, e.g. 491701234567',
);
const whatsappMediaId = valueLineParameter('Media', 'earlier step', 200).describe('Id of an uploaded file');
const whatsappBodyConstants = { messaging_product: 'whatsapp', recipient_type: 'individual' };

// https://developers.facebook.com/docs/whatsapp/cloud-api/overview#throughput
const whatsappRateLimit =
  '80 messages a second for a number. Texts only within 24 hours after a message of the recipient; templates at any time.';
const whatsappSentExample = {
  messaging_product: 'whatsapp',
  contacts: [{ input: '491701234567', wa_id: '491701234567' }],
  messages: [{ id: 'wamid.HBgLNDkxNzAxMjM0NTY3FQIAERgS' }],
};

export const whatsappConnector: ConnectorDefinition = {
  id: 'whatsapp',
  name: 'WhatsApp',
  description: 'Messages and files by the WhatsApp Business Cloud API.',
  synonyms: ['chat', 'message', 'messenger', 'meta', 'business', 'sms'],
  flow: 'token',
  apiUrl: 'https://graph.facebook.com/v23.0',
  // Addresses of media: https://developers.facebook.com/docs/whatsapp/cloud-api/reference/media#download-media
  hosts: ['lookaside.fbsbx.com'],
  scopes: {},
  token: {
    title: 'Access token',
    setup:
      'At developers.facebook.com create an app with WhatsApp. For a token that does not expire, create a system user in the settings of the business, give it the app, and generate a token with whatsapp_business_messaging.',
    fields: [
      {
        name: 'token',
        title: 'Access token',
        hint: 'Of a system user; begins with EAA',
        isSecret: true,
        pattern: /^\w{20,1000}$/,
        rule: 'must be an access token of Meta, such as EAA…',
      },
    ],
    headers: { Authorization: 'Bearer {token}' },
  },
  setup: 'Nothing has to be registered here: the app at Meta has a token of its own.',
  probe: { path: '/me' },
  // 80 messages a second for a phone number.
  limits: {
    perMinute: 4800,
    source: 'https://developers.facebook.com/documentation/business-messaging/whatsapp/throughput',
  },
  choices: {
    // https://developers.facebook.com/docs/whatsapp/business-management-api/manage-accounts: needs business_management.
    accounts: {
      *steps() {
        const businesses = (getAtPath((yield { path: '/me/businesses' }).body, 'data') ?? []) as unknown[];
        const items: unknown[] = [];
        for (const business of businesses) {
          const path = `/${encodeURIComponent(String(getAtPath(business, 'id')))}/owned_whatsapp_business_accounts`;
          const { body } = yield { path, query: { fields: 'id,name' } };
          items.push(...((getAtPath(body, 'data') ?? []) as unknown[]));
        }
        return { items };
      },
      value: 'id',
      label: ['name'],
      hint: 'id',
    },
    numbers: {
      operation: 'numbers.list',
      parametersFrom: { account: 'account' },
      value: 'id',
      label: ['{verified_name} {display_phone_number}', 'display_phone_number'],
    },
    templates: {
      operation: 'templates.list',
      parameters: { limit: 100 },
      parametersFrom: { account: 'account' },
      value: 'name',
      label: ['name'],
      hint: 'status',
      search: 'name',
    },
    languages: {
      operation: 'templates.list',
      parameters: { limit: 100 },
      parametersFrom: { account: 'account', name: 'template' },
      value: 'language',
      label: ['language'],
      hint: 'status',
    },
  },
  operations: [
    defineSteppedOperation({
      id: 'messages.send',
      title: 'Send a message',
      help: 'A text of at most 4,096 characters.',
      limits: whatsappRateLimit,
      parameters: {
        account: whatsappListedAccount,
        phone: whatsappPhoneNumberId,
        to: whatsappRecipient,
        text: multilineParameter('Text', 4096).describe('At most 4,096 characters'),
        replyTo: valueLineParameter('Reply to', 'earlier step', 200)
          .optional()
          .describe('Id of a message of the recipient'),
        hasPreview: booleanParameter('Preview of links').optional().describe('Shows the first link with a picture'),
      },
      *steps({ phone: from, to: recipient, text: body, replyTo, hasPreview = false }) {
        const value = {
          ...whatsappBodyConstants,
          to: recipient,
          type: 'text',
          text: { body, preview_url: hasPreview },
          ...(replyTo === undefined ? {} : { context: { message_id: replyTo } }),
        };
        return (yield { method: 'POST', path: `/${encodeURIComponent(from)}/messages`, body: { as: 'json', value } })
          .body;
      },
      example: whatsappSentExample,
    }),
    defineSteppedOperation({
      id: 'messages.send_template',
      title: 'Send a template',
      help: 'A message that Meta has approved; needed to write first.',
      limits: whatsappRateLimit,
      parameters: {
        account: whatsappListedAccount,
        phone: whatsappPhoneNumberId,
        to: whatsappRecipient,
        template: listedLineParameter('Template', 'templates', ['account'], 512).describe('Name of the template'),
        language: listedLineParameter('Language', 'languages', ['account', 'template'], 20).describe(
          'Code of the template, e.g. en_US or de',
        ),
        components: jsonListParameter('Values', 20)
          .optional()
          .describe('Values of its variables (components), as JSON'),
      },
      *steps({ phone: from, to: recipient, template: name, language: code, components }) {
        const template = { name, language: { code }, components };
        const value = { ...whatsappBodyConstants, to: recipient, type: 'template', template };
        return (yield { method: 'POST', path: `/${encodeURIComponent(from)}/messages`, body: { as: 'json', value } })
          .body;
      },
      example: whatsappSentExample,
    }),
    defineSteppedOperation({
      id: 'messages.send_file',
      title: 'Send a file',
      help: 'Uploads a file of the run and sends it as image, video, audio or document.',
      limits: `${whatsappRateLimit} Images 5 MB, video and audio 16 MB, documents 100 MB.`,
      parameters: {
        account: whatsappListedAccount,
        phone: whatsappPhoneNumberId,
        to: whatsappRecipient,
        file: fileParameter('File'),
        kind: choiceParameter('As', ['image', 'video', 'audio', 'document'])
          .optional()
          .describe('Default: by the type of the file'),
        caption: multilineParameter('Caption', 1024).optional().describe('Not for audio'),
      },
      *steps({ phone: from, to: recipient, file: content, kind, caption }) {
        const [main = ''] = content.contentType.split('/');
        const type = kind ?? (['image', 'video', 'audio'].includes(main) ? main : 'document');
        const number = encodeURIComponent(from);
        const fields = { messaging_product: 'whatsapp', type: content.contentType };
        const uploaded = yield {
          method: 'POST',
          path: `/${number}/media`,
          body: { as: 'multipart', fields, files: [{ name: 'file', file: content }] },
        };
        const named = type === 'document' ? { filename: content.name } : {};
        const shown = type === 'audio' ? {} : { caption };
        const value = {
          ...whatsappBodyConstants,
          to: recipient,
          type,
          [type]: { id: getAtPath(uploaded.body, 'id'), ...named, ...shown },
        };
        return (yield { method: 'POST', path: `/${number}/messages`, body: { as: 'json', value } }).body;
      },
      example: whatsappSentExample,
    }),
    defineSteppedOperation({
      id: 'messages.mark_read',
      title: 'Mark a message as read',
      help: 'The sender sees two blue ticks.',
      limits: whatsappRateLimit,
      parameters: {
        account: whatsappListedAccount,
        phone: whatsappPhoneNumberId,
        message: valueLineParameter('Message', 'earlier step', 200).describe('Id of the received message'),
      },
      *steps({ phone, message }) {
        const value = { messaging_product: 'whatsapp', status: 'read', message_id: message };
        const path = `/${encodeURIComponent(phone)}/messages`;
        return (yield { method: 'POST', path, body: { as: 'json', value } }).body;
      },
      example: { success: true },
    }),
    defineSteppedOperation({
      id: 'media.get',
      title: 'Download a received file',
      help: 'Stores a picture, voice message or document as a file of the run.',
      parameters: {
        media: whatsappMediaId,
        name: contentLineParameter('Name', 255).optional().describe('Name of the file'),
      },
      *steps({ media: id, name }) {
        const found = yield { path: `/${encodeURIComponent(id)}` };
        const contentType = getAtPath(found.body, 'mime_type');
        const about = {
          ...(name === undefined ? {} : { name }),
          ...(typeof contentType === 'string' ? { contentType } : {}),
        };
        return (yield { path: String(getAtPath(found.body, 'url')), asFile: about }).body;
      },
      example: { $file: 'file_…', name: 'photo.jpg', contentType: 'image/jpeg', size: 53_072, sha256: '…' },
    }),
    {
      id: 'templates.list',
      title: 'List templates',
      help: 'Templates of a business account with their state.',
      method: 'GET',
      path: '/{account}/message_templates',
      inPath: { account: whatsappAccountId },
      inQuery: {
        name: valueLineParameter('Name', 'search', 512).optional().describe('Only templates with this name'),
        limit: countParameter('Items a page', 100).optional().describe('Default 25'),
      },
      items: 'data',
      paging: { kind: 'address', at: 'paging.next' },
      example: { data: [{ name: 'order_update', language: 'en_US', status: 'APPROVED' }] },
    },
    {
      id: 'numbers.list',
      title: 'List phone numbers',
      help: 'Numbers of a business account with their ids.',
      method: 'GET',
      path: '/{account}/phone_numbers',
      inPath: { account: whatsappAccountId },
      items: 'data',
      example: { data: [{ id: '106540352242922', display_phone_number: '+49 170 1234567', verified_name: 'Acme' }] },
    },
  ],
};
