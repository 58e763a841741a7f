import type { Conversion, Piece } from '../conversion';
import { textOf } from '../conversion';
import { bag } from '../file';
import type { Convert } from './flow';
import { addresses, question } from './questions';

interface Mail {
  to: unknown;
  cc?: unknown;
  bcc?: unknown;
  subject: unknown;
  text: unknown;
}

/** A mail to people, for each item. */
export function mail(conversion: Conversion, { to, cc, bcc, subject, text }: Mail): Piece {
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

export const MESSAGES: Readonly<Record<string, Convert>> = { emailSend };
