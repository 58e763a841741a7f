import { NodeFailure } from '@/server/platform/errors/node-failure';
import { defineSteppedOperation, type OperationDefinition } from '../../operation';
import {
  booleanParameter,
  fileParameter,
  jsonObjectParameter,
  listedJoinedParameter,
  listedLineParameter,
  valueLineParameter,
} from '../../parameters';
import { encodePathPart, microsoftGraphPaging, OUTLOOK_RATE_LIMIT } from './graph-parts';
import {
  outlookAttachmentPieces,
  outlookAttachments,
  outlookContentParameters,
  outlookMailParameters,
  outlookMessageBody,
  outlookMessageExample,
  outlookMessageId,
  outlookMessagePath,
  toGraphBody,
  toGraphMessage,
  toGraphRecipients,
} from './outlook-mail';

const draftExample = { ...outlookMessageExample, isDraft: true };
const attachmentExample = {
  id: 'AAMkADA1M-CJKtzmnlcqVgqI=',
  name: 'invoice.pdf',
  contentType: 'application/pdf',
  size: 53_072,
  isInline: false,
};
const outlookAttachmentId = listedLineParameter('Attachment', 'attachments', ['messageId'], 2000).describe(
  'Its id, from the list of attachments',
);

/** Operations that send emails of Outlook. */
export const outlookSendingOperations: OperationDefinition[] = [
  defineSteppedOperation({
    id: 'messages.send',
    title: 'Send an email',
    help: 'Sends from the connected account, with files of the run as attachments.',
    limits: OUTLOOK_RATE_LIMIT,
    parameters: {
      ...outlookMailParameters,
      attachments: outlookAttachments,
      isUnsaved: booleanParameter('Keep no copy').optional().describe('It is not stored in the sent items'),
      message: jsonObjectParameter('Message')
        .optional()
        .describe('In place of all other fields: a message as Graph takes it, with subject, body and toRecipients'),
    },
    *steps({ message, attachments = [], isUnsaved, ...mail }) {
      if (message === undefined && mail.to === undefined && mail.cc === undefined && mail.bcc === undefined)
        throw new NodeFailure('CONFIG', 'parameters.to: is required, or cc, bcc or message', false);
      const others = isUnsaved ? { saveToSentItems: false } : {};
      const body =
        message === undefined
          ? outlookMessageBody(toGraphMessage(mail), attachments, { at: 'message', others })
          : ({ as: 'json', value: { message, ...others } } as const);
      return (yield { method: 'POST', path: '/me/sendMail', body }).body;
    },
    example: null,
  }),
  defineSteppedOperation({
    id: 'messages.reply',
    title: 'Reply to an email',
    help: 'To the sender or to all. Only a plain text without attachments quotes the email below.',
    limits: OUTLOOK_RATE_LIMIT,
    parameters: {
      messageId: outlookMessageId,
      ...outlookContentParameters,
      toAll: booleanParameter('Reply to all').optional().describe('Also to the other addresses of the email'),
      attachments: outlookAttachments,
    },
    *steps({ messageId, text, html, toAll, attachments = [] }) {
      const message = { body: toGraphBody(text, html) };
      const isPlain = html === undefined && attachments.length === 0;
      return (yield {
        method: 'POST',
        path: outlookMessagePath(messageId, toAll ? '/replyAll' : '/reply'),
        // A comment keeps the quoted email below; the text of a message replaces it.
        body: isPlain
          ? { as: 'json', value: { comment: text ?? '' } }
          : outlookMessageBody(message, attachments, { at: 'message' }),
      }).body;
    },
    example: null,
  }),
  defineSteppedOperation({
    id: 'messages.forward',
    title: 'Forward an email',
    help: 'With its attachments.',
    limits: OUTLOOK_RATE_LIMIT,
    parameters: {
      messageId: outlookMessageId,
      to: listedJoinedParameter('To', 'emailAddresses').describe('Addresses, separated by commas'),
      text: outlookContentParameters.text,
    },
    *steps({ messageId, to, text: comment }) {
      const value = { comment, toRecipients: toGraphRecipients(to) };
      return (yield { method: 'POST', path: outlookMessagePath(messageId, '/forward'), body: { as: 'json', value } })
        .body;
    },
    example: null,
  }),
  defineSteppedOperation({
    id: 'messages.create_draft',
    title: 'Create a draft',
    help: 'Stores an email as a draft, with files of the run as attachments.',
    limits: OUTLOOK_RATE_LIMIT,
    parameters: { ...outlookMailParameters, attachments: outlookAttachments },
    *steps({ attachments = [], ...mail }) {
      const body = outlookMessageBody(toGraphMessage(mail), attachments, undefined);
      return (yield { method: 'POST', path: '/me/messages', body }).body;
    },
    example: draftExample,
  }),
  defineSteppedOperation({
    id: 'messages.create_reply_draft',
    title: 'Create a draft of a reply',
    help: 'Stores an answer as a draft, for somebody to read before it is sent.',
    limits: OUTLOOK_RATE_LIMIT,
    parameters: {
      messageId: outlookMessageId,
      text: outlookContentParameters.text,
      toAll: booleanParameter('Reply to all').optional().describe('Also to the other addresses of the email'),
    },
    *steps({ messageId, text: comment, toAll }) {
      const path = outlookMessagePath(messageId, toAll ? '/createReplyAll' : '/createReply');
      return (yield { method: 'POST', path, body: { as: 'json', value: { comment } } }).body;
    },
    example: draftExample,
  }),
  {
    id: 'messages.send_draft',
    title: 'Send a draft',
    help: 'Sends it to the addresses that it has.',
    limits: OUTLOOK_RATE_LIMIT,
    method: 'POST',
    path: '/me/messages/{messageId}/send',
    inPath: { messageId: outlookMessageId },
    example: null,
  },
  {
    id: 'attachments.list',
    title: 'List the attachments of an email',
    help: 'Their ids, names, types and sizes.',
    limits: OUTLOOK_RATE_LIMIT,
    method: 'GET',
    path: '/me/messages/{messageId}/attachments',
    inPath: { messageId: outlookMessageId },
    query: { $select: 'id,name,contentType,size,isInline' },
    items: 'value',
    paging: microsoftGraphPaging,
    example: { value: [attachmentExample] },
  },
  defineSteppedOperation({
    id: 'attachments.download',
    title: 'Download an attachment',
    help: 'Stores it as a file of the run.',
    limits: OUTLOOK_RATE_LIMIT,
    parameters: {
      messageId: outlookMessageId,
      attachmentId: outlookAttachmentId,
      name: valueLineParameter('Name', 'new name', 255).optional().describe('Name of the file; default attachment'),
      contentType: valueLineParameter('Content type', 'code', 200).optional().describe('e.g. application/pdf'),
    },
    *steps({ messageId, attachmentId, name = 'attachment', contentType }) {
      const path = outlookMessagePath(messageId, `/attachments/${encodePathPart(attachmentId)}/$value`);
      return (yield { path, asFile: { name, ...(contentType === undefined ? {} : { contentType }) } }).body;
    },
    example: { $file: 'file_…', name: 'invoice.pdf', contentType: 'application/pdf', size: 53_072, sha256: '…' },
  }),
  defineSteppedOperation({
    id: 'attachments.add',
    title: 'Attach a file to a draft',
    help: 'A file of less than 3 MB.',
    limits: OUTLOOK_RATE_LIMIT,
    parameters: { messageId: outlookMessageId, file: fileParameter('File') },
    *steps({ messageId, file }) {
      return (yield {
        method: 'POST',
        path: outlookMessagePath(messageId, '/attachments'),
        body: { as: 'pieces', type: 'application/json', pieces: outlookAttachmentPieces(file) },
      }).body;
    },
    example: attachmentExample,
  }),
];
