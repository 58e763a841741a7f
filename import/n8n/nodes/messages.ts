import {
  type NodeConversion,
  type ConvertedCall,
  isEmptyParameter,
  parameterText,
  type NodeConverter,
} from '../conversion';
import { asN8nObject } from '../file';
import { mailAddresses } from './mail-addresses';

/** Fields that n8n gives of a mail that was sent. */
const READS_SENT_MAIL =
  /\b(?:accepted|rejected|messageId|messageTime|messageSize|envelope|envelopeTime|ehlo|response|success)\b/;

interface MailParameters {
  to: unknown;
  cc?: unknown;
  bcc?: unknown;
  subject: unknown;
  text: unknown;
}

/** A mail to people, for each item. */
export function convertSendMail(
  conversion: NodeConversion,
  { to, cc, bcc, subject, text }: MailParameters,
): ConvertedCall {
  if (conversion.node.hasCredential)
    conversion.addRemark('It is sent by the mail server of the service, unless a credential is chosen.');
  if (conversion.context.isNamedElsewhere(conversion.node, READS_SENT_MAIL))
    conversion.addTodo('Check what reads its result: it has other fields.');
  else conversion.addRemark('Its result has other fields, which no other node names.');
  if (isEmptyParameter(to)) conversion.addChoice('config.to', 'Enter whom it is sent to.');
  else if (typeof to !== 'string' || to.trim() === '') conversion.addTodo('Enter whom it is sent to.');
  const { expressions } = conversion;
  return conversion.createCall({
    type: 'send_email',
    config: {
      to: mailAddresses(to, expressions),
      subject: conversion.limitText(parameterText(subject, expressions), 1000),
      template: conversion.limitText(parameterText(text, expressions), 500_000),
      cc: mailAddresses(cc, expressions),
      bcc: mailAddresses(bcc, expressions),
    },
  });
}

const convertEmailSend: NodeConverter = (conversion) => {
  const { parameters } = conversion.node;
  const options = asN8nObject(parameters['options']);
  if (options['allowUnauthorizedCerts'] === true)
    conversion.addTodo('Check the certificate of its mail server: n8n accepts any, here it has to be valid.');
  const { toEmail, subject, emailFormat, text, html } = parameters;
  return convertSendMail(conversion, {
    to: toEmail,
    cc: parameters['ccEmail'] ?? options['ccEmail'],
    bcc: parameters['bccEmail'] ?? options['bccEmail'],
    subject,
    text: emailFormat === 'text' ? text : (html ?? text),
  });
};

export const MESSAGE_CONVERTERS: Readonly<Record<string, NodeConverter>> = { emailSend: convertEmailSend };
