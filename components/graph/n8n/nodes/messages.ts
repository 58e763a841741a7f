import type { Conversion, Piece } from '../conversion';
import { textOf } from '../conversion';
import { bag, type Bag } from '../file';
import { isExpression, type Expressions } from '../text';
import type { Convert } from './flow';
import { chosen, needsCredential } from './http';

const ADDRESS = /^[^\s@,;<>{}"]{1,64}@[^\s@,;<>{}"]{1,190}$/;

/** Addresses in a parameter: a text with an expression, or a list of valid ones; undefined: there are none. */
function addresses(given: unknown, expressions: Expressions): string | string[] | undefined {
  const text = addressText(given, expressions);
  return typeof text === 'string' && text.length > 10_000 ? undefined : text;
}

function addressText(given: unknown, expressions: Expressions): string | string[] | undefined {
  if (typeof given !== 'string' || given.trim() === '') return undefined;
  if (isExpression(given) && given.includes('{{')) return textOf(given, expressions);
  const all = given
    .replace(/^=/, '')
    .split(/[,;]/)
    .map((one) => one.trim())
    .filter((one) => ADDRESS.test(one));
  return all.length > 0 ? all.slice(0, 100) : undefined;
}

interface Mail {
  to: unknown;
  cc?: unknown;
  bcc?: unknown;
  subject: unknown;
  text: unknown;
}

function mail(conversion: Conversion, { to, cc, bcc, subject, text }: Mail): Piece {
  if (conversion.node.hasCredential)
    conversion.say('It is sent by the mail server of the service, unless a credential is chosen.');
  if (typeof to !== 'string' || to.trim() === '') conversion.todo('Enter whom it is sent to.');
  return conversion.each((expressions) => ({
    type: 'send_email',
    config: {
      to: addresses(to, expressions),
      subject: conversion.limited(textOf(subject, expressions), 1000),
      template: conversion.limited(textOf(text, expressions), 500_000),
      cc: addresses(cc, expressions),
      bcc: addresses(bcc, expressions),
    },
  }));
}

/** A question that a person answers: n8n sends it and waits. */
function question(conversion: Conversion, to: unknown, message: unknown): Piece {
  const { node } = conversion;
  const expressions = conversion.expressions(conversion.json);
  const people = addresses(to, expressions);
  if (!Array.isArray(people))
    conversion.say('Enter the assignees. Without them, all members who may resume runs decide.');
  const type = node.parameters['responseType'] ?? 'approval';
  if (type !== 'approval') conversion.todo('Enter the fields that it asks for.');
  const { id } = conversion;
  const piece = conversion.whole({
    type: 'approval',
    config: {
      message: conversion.limited(textOf(message, expressions), 10_000),
      ...(Array.isArray(people) ? { assignees: people } : {}),
    },
  });
  const code = `{ "data": { "approved": nodes.${id}.decision = "approved" } }`;
  return {
    ...piece,
    outputs: [{ node: id, port: 'approved', also: ['rejected'] }],
    result: { path: undefined, code, isList: false },
  };
}

const WAITS = 'sendAndWait';

const emailSend: Convert = (conversion) => {
  const { parameters } = conversion.node;
  const options = bag(parameters['options']);
  const { toEmail, subject, emailFormat, text, html } = parameters;
  if (parameters['operation'] === WAITS) return question(conversion, toEmail, parameters['message']);
  return mail(conversion, {
    to: toEmail,
    cc: parameters['ccEmail'] ?? options['ccEmail'],
    bcc: parameters['bccEmail'] ?? options['bccEmail'],
    subject,
    text: emailFormat === 'text' ? text : (html ?? text),
  });
};

const OTHER = 'Use an HTTP request with a credential of the service.';

const gmail: Convert = (conversion) => {
  const { parameters } = conversion.node;
  const { resource = 'message', operation = 'send', sendTo, toList, subject, message } = parameters;
  if (operation === WAITS) return question(conversion, sendTo, message);
  if (resource !== 'message' || operation !== 'send') return conversion.placeholder(OTHER);
  const options = bag(parameters['options']);
  const to = sendTo ?? (Array.isArray(toList) ? toList.map(String).join(',') : undefined);
  return mail(conversion, { to, cc: options['ccList'], bcc: options['bccList'], subject, text: message });
};

const outlook: Convert = (conversion) => {
  const {
    resource = 'message',
    operation = 'send',
    toRecipients,
    subject,
    bodyContent,
    message,
  } = conversion.node.parameters;
  if (operation === WAITS) return question(conversion, toRecipients, message);
  if (resource !== 'message' || operation !== 'send')
    return conversion.placeholder('Use the connector Microsoft Graph.');
  return mail(conversion, { to: toRecipients, subject, text: bodyContent });
};

/** A call of an API that posts a message. */
function post(conversion: Conversion, url: string, body: (expressions: Expressions) => Bag): Piece {
  return conversion.each((expressions) => ({
    type: 'http_request',
    path: '.body',
    config: {
      url,
      method: 'POST',
      body: Object.fromEntries(Object.entries(body(expressions)).filter(([, value]) => value !== undefined)),
    },
  }));
}

const slack: Convert = (conversion) => {
  const { parameters } = conversion.node;
  const { resource = 'message', operation = 'post', select, channelId, channel, user, text } = parameters;
  if (operation === WAITS) return question(conversion, undefined, parameters['message']);
  if (resource !== 'message' || operation !== 'post') return conversion.placeholder(OTHER);
  needsCredential(conversion, 'a credential with the token of Slack (api_key, header Authorization)');
  if (parameters['messageType'] === 'block') conversion.todo('Add its blocks to the body.');
  return post(conversion, 'https://slack.com/api/chat.postMessage', (expressions) => ({
    channel: textOf(chosen(select === 'user' ? user : (channelId ?? channel)), expressions) ?? '',
    text: textOf(text, expressions) ?? '',
  }));
};

const telegram: Convert = (conversion) => {
  const { parameters } = conversion.node;
  const { resource = 'message', operation = 'sendMessage', chatId, text } = parameters;
  if (operation === WAITS) return question(conversion, undefined, parameters['message']);
  if (resource !== 'message' || operation !== 'sendMessage') return conversion.placeholder(OTHER);
  conversion.todo('Write the token of the bot into its address, in place of TOKEN, by a variable or a credential.');
  return post(conversion, 'https://api.telegram.org/botTOKEN/sendMessage', (expressions) => ({
    chat_id: textOf(chatId, expressions) ?? '',
    text: textOf(text, expressions) ?? '',
  }));
};

const discord: Convert = (conversion) => {
  const { parameters } = conversion.node;
  const { resource = 'message', operation = 'send', content, text, webhookUri } = parameters;
  if (operation === WAITS) return question(conversion, undefined, parameters['message']);
  if (resource !== 'message' || !['send', 'sendLegacy'].includes(String(operation)))
    return conversion.placeholder(OTHER);
  conversion.todo('Enter the address of its webhook.');
  const url =
    typeof webhookUri === 'string' && /^https:\/\/[\w.-]+\/[\w./-]*$/.test(webhookUri)
      ? webhookUri
      : 'https://discord.com/api/webhooks/ID/TOKEN';
  return post(conversion, url, (expressions) => ({ content: textOf(content ?? text, expressions) ?? '' }));
};

export const MESSAGES: Readonly<Record<string, Convert>> = {
  emailSend,
  gmail,
  microsoftOutlook: outlook,
  slack,
  telegram,
  discord,
};
