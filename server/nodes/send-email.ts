import { z } from 'zod';
import type { Held } from '../connectors/held';
import { MailFailure, sendMail, type SmtpServer } from '../mail';
import { isMarkup } from './markup';
import { done, NodeFailure, nodeKind } from './node';

const Addresses = z
  .union([z.string().max(10_000), z.array(z.string().max(1000)).max(100)], {
    error: 'must be an address or a list of them',
  })
  .optional();
type Addresses = z.infer<typeof Addresses>;

/** `a@b.example, "Doe, Jane" <j@b.example>` as its addresses. */
const listed = (addresses: Addresses): string[] =>
  [addresses ?? []]
    .flat()
    .flatMap((text) => text.match(/(?:"[^"]*"|[^,;"])+/g) ?? [])
    .map((text) => text.trim())
    .filter((text) => text !== '');

/** `{{ input.email }}`, for authors who leave `to` out. */
function addressIn(input: unknown): Addresses {
  const email = typeof input === 'object' && input !== null && 'email' in input ? input.email : undefined;
  const parsed = Addresses.safeParse(email);
  return parsed.success ? parsed.data : undefined;
}

/** The mail server that a credential describes; undefined without one: the service's own. */
function serverOf(credential: Held | undefined): SmtpServer | undefined {
  if (!credential) return undefined;
  const { name, type, connectorId, config } = credential.opened;
  if (type === 'basic_auth' && connectorId === 'smtp') return config as unknown as SmtpServer;
  throw new NodeFailure('CREDENTIAL_KIND', `The credential "${name}" is not one of a mail server (SMTP).`, false);
}

export const sendEmail = nodeKind({
  type: 'send_email',
  title: 'Send email',
  summary: 'Sends a mail, as text or HTML.',
  category: 'action',
  config: z.strictObject({
    subject: z.string().max(1000).optional().meta({ title: 'Subject' }),
    template: z.string().max(500_000).optional().meta({
      title: 'Text',
      description: 'Plain text or HTML, with {{ }}. In HTML the values of expressions are escaped.',
      'x-editor': 'multiline',
    }),
    to: Addresses.meta({ title: 'To', default: '{{ input.email }}', 'x-editor': 'email-list' }),
    cc: Addresses.meta({ title: 'Cc', 'x-editor': 'email-list' }),
    bcc: Addresses.meta({ title: 'Bcc', 'x-editor': 'email-list' }),
    from: z.string().max(1000).optional().meta({ title: 'From', description: 'Empty: the address of this service.' }),
    replyTo: z.string().max(1000).optional().meta({ title: 'Reply to' }),
  }),
  required: ['subject', 'template'],
  expressions: [],
  markup: ['template'],
  hasInput: true,
  outputs: ['output'],
  credentialTypes: ['basic_auth'],
  connectorOf: () => 'smtp',
  isOutside: true,
  async run({ config, written, input, workspaceId, credential, log }) {
    const { subject = '', template = '', from, replyTo } = config;
    const to = listed(written['to'] === undefined ? addressIn(input) : config.to);
    if (to.length === 0) throw new NodeFailure('CONFIG', 'config.to: the mail has no recipient', false);
    const isHtml = isMarkup(String(written['template']));
    try {
      const mail = {
        workspaceId,
        to,
        cc: listed(config.cc),
        bcc: listed(config.bcc),
        from,
        replyTo,
        // Data may bring a line break along; a subject is one line.
        subject: subject.replace(/\s*[\r\n]+\s*/g, ' '),
        ...(isHtml ? { html: template } : { text: template }),
      };
      const receipt = await sendMail(mail, serverOf(credential));
      log('info', `Mail taken for ${receipt.accepted.length} of ${to.length} recipients`);
      return done(receipt);
    } catch (error) {
      if (!(error instanceof MailFailure)) throw error;
      throw new NodeFailure(error.code, error.message, error.isRetriable);
    }
  },
});
