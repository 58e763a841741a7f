import { FORMS, JSONS, MULTIPART_TYPE, MULTIPARTS, XMLS, type Family } from '../../server/testing/growth/texts';
import type { Attack } from './attack';
import { chain, refusalOf, send, type Answer, type Tenant } from './tenant';
import { BYTES_PER_MIB } from '../../contract/units';

const FORM_TYPE = 'application/x-www-form-urlencoded';

/** A request of somebody without an account: the address may be one that a workspace has made public. */
interface Request {
  path: string;
  type: string;
  bodies: Family[];
  size: number;
}

const all = (families: Record<string, Family>) => Object.values(families);

/** Sends one body after the other, two at a time, until `isOver`. The bodies are made before. */
const requests = (name: string, prepare: (hostile: Tenant) => Request | Promise<Request>): Attack => ({
  name,
  async run(hostile, isOver) {
    const { path, type, bodies, size } = await prepare(hostile);
    const texts = bodies.map((body) => body(size));
    const statuses = new Set<string>();
    const post = (text: string): Promise<Answer> =>
      send(hostile.origin, 'POST', path, text, { 'content-type': type }).catch((error: Error) => ({
        status: 0,
        body: { text: error.message },
      }));
    for (let at = 0; !isOver(); at += 2) {
      const answers = await Promise.all([at, at + 1].map((turn) => post(texts[turn % texts.length] ?? '')));
      for (const answer of answers) statuses.add(answer.status === 0 ? 'cut off' : refusalOf(answer));
    }
    return [...statuses].toSorted().join(', ');
  },
});

/** The path of something that a workflow of the workspace offers to everybody. */
async function publish(hostile: Tenant, kind: 'webhooks' | 'forms' | 'chats', settings: object): Promise<string> {
  const definition = chain({ start: { type: 'start' } });
  const workflow = { name: 'open', definition, status: 'active' };
  const { body } = await hostile.call('POST', '/api/workflows', workflow);
  const made = await hostile.call('POST', `/api/workflows/${String(body['id'])}/${kind}`, {
    path: 'open',
    ...settings,
  });
  if (made.status !== 201) throw new Error(`${kind} were refused: ${made.status} ${JSON.stringify(made.body)}`);
  return kind === 'chats' ? `/api/chat/${String(body['id'])}/open` : new URL(String(made.body['url'])).pathname;
}

const webhook = (hostile: Tenant) => publish(hostile, 'webhooks', { verification: { kind: 'none' } });
const chat = (hostile: Tenant) => publish(hostile, 'chats', { title: 'Open', access: 'public' });
const FIELD = { kind: 'text', name: 'a', label: 'A' };
const form = (hostile: Tenant) => publish(hostile, 'forms', { title: 'Open', access: 'public', fields: [FIELD] });

/** What can be sent without an account. */
export const STRANGERS: Attack[] = [
  requests('stranger: forms for SAML', () => ({
    path: '/auth/saml',
    type: FORM_TYPE,
    bodies: all(FORMS),
    size: BYTES_PER_MIB - 64,
  })),
  requests('stranger: SAML responses', () => ({
    path: '/auth/saml',
    type: FORM_TYPE,
    bodies: all(XMLS).map((xml): Family => (size) => {
      const answer = Buffer.from(xml((size * 3) / 4)).toString('base64');
      return `RelayState=a&SAMLResponse=${encodeURIComponent(answer)}`;
    }),
    size: BYTES_PER_MIB - 4096,
  })),
  ...['signout', 'callback/credentials'].map((action) =>
    requests(`stranger: forms for next-auth, ${action}`, () => ({
      path: `/api/auth/${action}`,
      type: FORM_TYPE,
      bodies: all(FORMS),
      size: BYTES_PER_MIB - 64,
    })),
  ),
  ...['/api/auth/login', '/api/trpc/auth.login', '/api/setup'].map((path) =>
    requests(`stranger: JSON for ${path}`, () => ({
      path,
      type: 'application/json',
      bodies: all(JSONS),
      size: BYTES_PER_MIB - 64,
    })),
  ),
  requests('stranger: multipart for a webhook', async (hostile) => ({
    path: await webhook(hostile),
    type: MULTIPART_TYPE,
    bodies: all(MULTIPARTS),
    size: BYTES_PER_MIB,
  })),
  requests('stranger: multipart for a chat', async (hostile) => ({
    path: await chat(hostile),
    type: MULTIPART_TYPE,
    bodies: all(MULTIPARTS),
    size: BYTES_PER_MIB,
  })),
  requests('stranger: multipart for a form', async (hostile) => ({
    path: await form(hostile),
    type: MULTIPART_TYPE,
    bodies: all(MULTIPARTS),
    size: BYTES_PER_MIB,
  })),
  requests('stranger: JSON for a webhook', async (hostile) => ({
    path: await webhook(hostile),
    type: 'application/json',
    bodies: all(JSONS),
    size: 10 * BYTES_PER_MIB - 64,
  })),
  requests('stranger: XML for a webhook', async (hostile) => ({
    path: await webhook(hostile),
    type: 'application/xml',
    bodies: all(XMLS),
    size: 10 * BYTES_PER_MIB - 64,
  })),
];
