import { z } from 'zod';
import type { CredentialHandle } from '@/server/connectors/credential-handle';
import { findSenderProblem, sendOutgoingMail, type OutgoingAttachment } from '@/server/network/mail/mail';
import { MailFailure, type SmtpServer } from '@/server/network/mail/smtp';
import { containsHtmlTag } from '@/server/evaluation/expressions/markup';
import type { WorkspaceFileAccess } from '@/server/network/outbound/files';
import { completeNode, defineNodeType } from './node-type';
import { createConfigFailure, NodeFailure } from '@/server/platform/errors/node-failure';
import { markupField, requiredField } from './field-traits';

const mailAddressesSchema = z
  .union([z.string().max(10_000), z.array(z.string().max(1000)).max(100)], {
    error: 'must be an address or a list of them',
  })
  .optional();
type mailAddressesSchema = z.infer<typeof mailAddressesSchema>;

/** Splits `a@b.example, "Doe, Jane" <j@b.example>` into its addresses. */
const splitMailAddresses = (addresses: mailAddressesSchema): string[] =>
  [addresses ?? []]
    .flat()
    .flatMap((text) => text.match(/(?:"[^"]*"|[^,;"])+/g) ?? [])
    .map((text) => text.trim())
    .filter((text) => text !== '');

/** Default of `to`: `{{ input.email }}`. */
function findInputAddress(input: unknown): mailAddressesSchema {
  const email = typeof input === 'object' && input !== null && 'email' in input ? input.email : undefined;
  const parsed = mailAddressesSchema.safeParse(email);
  return parsed.success ? parsed.data : undefined;
}

/** The mail server of a credential; undefined without one: the service's own. */
function credentialMailServer(credential: CredentialHandle | undefined): SmtpServer | undefined {
  if (!credential) return undefined;
  const { name, type, connectorId, config } = credential.credential;
  if (type === 'basic_auth' && connectorId === 'smtp') return config as unknown as SmtpServer;
  throw new NodeFailure('CREDENTIAL_KIND', `The credential "${name}" is not one of a mail server (SMTP).`, false);
}

const attachmentSchema = z.strictObject({ file: z.unknown(), filename: z.string().min(1).max(200).optional() });

/** Mail servers refuse larger mails. */
export const MAX_MAIL_ATTACHMENT_BYTES = 25 * 1024 * 1024;

async function loadMailAttachments(list: unknown[] = [], files: WorkspaceFileAccess): Promise<OutgoingAttachment[]> {
  const found = await Promise.all(
    list.map(async (item) => {
      const named = attachmentSchema.safeParse(item);
      const file = await files.find(named.success ? named.data.file : item);
      return { file, filename: named.data?.filename ?? file.name };
    }),
  );
  if (found.reduce((sum, { file }) => sum + file.size, 0) > MAX_MAIL_ATTACHMENT_BYTES) {
    throw new NodeFailure('TOO_LARGE', 'The attachments are larger than 25 MiB together.', false);
  }
  return found.map(({ file, filename }) => ({
    filename,
    contentType: file.contentType,
    size: file.size,
    open: () => file.open(),
  }));
}

export const sendEmailNodeType = defineNodeType({
  type: 'send_email',
  title: 'Send email',
  summary: 'Sends a mail, as text or HTML, to at most 100 recipients.',
  synonyms: ['mail', 'email', 'e-mail', 'smtp', 'message', 'notify', 'notification', 'newsletter', 'gmail'],
  category: 'action',
  config: z.strictObject({
    to: mailAddressesSchema.meta({
      apiDescription: 'The recipients',
      title: 'To',
      default: '{{ input.email }}',
      'x-editor': 'email-list',
    }),
    subject: z
      .string()
      .max(1000)
      .optional()
      .apply(requiredField)
      .meta({ apiDescription: 'First line that recipients see', title: 'Subject' }),
    template: z.string().max(500_000).optional().apply(markupField).apply(requiredField).meta({
      title: 'Text',
      description: 'Plain text or HTML, with {{ }}. In HTML the values of expressions are escaped.',
      'x-editor': 'multiline',
    }),
    cc: mailAddressesSchema.meta({ apiDescription: 'Recipients of a copy', title: 'Cc', 'x-editor': 'email-list' }),
    bcc: mailAddressesSchema.meta({
      apiDescription: 'Recipients that others do not see',
      title: 'Bcc',
      'x-editor': 'email-list',
    }),
    from: z.string().max(1000).optional().meta({
      title: 'From',
      description: 'With the credential of a mail server: any address. Without: a name; the address is this service’s.',
    }),
    replyTo: z.string().max(1000).optional().meta({ apiDescription: 'The address for replies', title: 'Reply to' }),
    attachments: z.array(z.unknown(), { error: 'must be a list of files' }).max(20).optional().meta({
      title: 'Attachments',
      description: 'Values of files, or {file, filename}; of at most 25 MiB together.',
      'x-editor': 'json',
    }),
  }),
  gaps({ from }, hasCredential) {
    const problem = hasCredential || typeof from !== 'string' || from.includes('{{') ? null : findSenderProblem(from);
    return problem ? [{ field: 'from', message: problem }] : [];
  },
  hasInput: true,
  outputs: ['output'],
  credentialTypes: ['basic_auth'],
  connectorOf: () => 'smtp',
  isOutside: true,
  tool: {},
  async run({ config, written, input, workspaceId, credential, log, files }) {
    const { subject = '', template = '', from, replyTo } = config;
    const to = splitMailAddresses(written['to'] === undefined ? findInputAddress(input) : config.to);
    if (to.length === 0) throw createConfigFailure('to', 'the mail has no recipient');
    const problem = credential || from === undefined ? null : findSenderProblem(from);
    if (problem) throw createConfigFailure('from', problem);
    const attachments = await loadMailAttachments(config.attachments, files);
    const isHtml = containsHtmlTag(String(written['template']));
    try {
      const mail = {
        workspaceId,
        to,
        cc: splitMailAddresses(config.cc),
        bcc: splitMailAddresses(config.bcc),
        from,
        replyTo,
        attachments,
        // Data may contain a line break; a subject is one line.
        subject: subject.replace(/\s*[\r\n]+\s*/g, ' '),
        ...(isHtml ? { html: template } : { text: template }),
      };
      const receipt = await sendOutgoingMail(mail, credentialMailServer(credential));
      log('info', `Mail accepted for ${receipt.accepted.length} of ${to.length} recipients`);
      return completeNode(receipt);
    } catch (error) {
      if (!(error instanceof MailFailure)) throw error;
      throw new NodeFailure(error.code, error.message, error.isRetriable);
    }
  },
});
