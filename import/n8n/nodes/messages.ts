import type { NodeConversion, ConvertedNodes } from '../conversion';
import { parameterText } from '../conversion';
import { asN8nObject } from '../file';
import type { NodeConverter } from './flow';
import { mailAddresses, convertApprovalQuestion } from './questions';

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
): ConvertedNodes {
  if (conversion.node.hasCredential)
    conversion.addRemark('It is sent by the mail server of the service, unless a credential is chosen.');
  conversion.addTodo('Check what reads its result: it has other fields.');
  if (typeof to !== 'string' || to.trim() === '') conversion.addTodo('Enter whom it is sent to.');
  return conversion.forEachItem((expressions) => ({
    type: 'send_email',
    config: {
      to: mailAddresses(to, expressions),
      subject: conversion.limitText(parameterText(subject, expressions), 1000),
      template: conversion.limitText(parameterText(text, expressions), 500_000),
      cc: mailAddresses(cc, expressions),
      bcc: mailAddresses(bcc, expressions),
    },
  }));
}

const SEND_AND_WAIT = 'sendAndWait';

const convertEmailSend: NodeConverter = (conversion) => {
  const { parameters } = conversion.node;
  const options = asN8nObject(parameters['options']);
  const { toEmail, subject, emailFormat, text, html } = parameters;
  if (parameters['operation'] === SEND_AND_WAIT)
    return convertApprovalQuestion(conversion, toEmail, parameters['message']);
  return convertSendMail(conversion, {
    to: toEmail,
    cc: parameters['ccEmail'] ?? options['ccEmail'],
    bcc: parameters['bccEmail'] ?? options['bccEmail'],
    subject,
    text: emailFormat === 'text' ? text : (html ?? text),
  });
};

export const MESSAGE_CONVERTERS: Readonly<Record<string, NodeConverter>> = { emailSend: convertEmailSend };
