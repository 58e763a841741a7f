import type { AuditEntry, AuditLine } from '@/contract/audit';
import { sentenceOf } from '@/contract/audit-actions';

const NAMES = ['name', 'email', 'label', 'path', 'cron'];

/** Where an object is shown, by the prefix of its id. */
const PLACES: Record<string, string> = { wf: 'workflows', exec: 'executions', cred: 'credentials', tbl: 'tables' };

/** An id of the service, such as `wf_mRKx…`, at a length that can be compared by eye. Others are names themselves. */
export const shortId = (id: string) => (/^[a-z]+_\w{12,}$/.test(id) ? `${id.slice(0, id.indexOf('_') + 7)}…` : id);

/** The name of an entry's object: the current one, the one in the entry, or the short id. Undefined: it has no object. */
export function objectOf({ entry, resourceName }: Pick<AuditLine, 'entry' | 'resourceName'>): string | undefined {
  if (resourceName !== null) return resourceName;
  const stored = NAMES.map((key) => entry.metadata[key]).find((value) => typeof value === 'string' && value !== '');
  if (typeof stored === 'string') return stored;
  return entry.resource.id === null ? undefined : shortId(entry.resource.id);
}

/** The actor: a name, an email, or the kind of actor. */
export function actorOf({ entry: { actor }, actorName }: Pick<AuditLine, 'entry' | 'actorName'>): string {
  if (actor.type === 'api_key') return `API key ${actorName ?? (actor.id ? shortId(actor.id) : '')}`.trim();
  if (actor.type === 'webhook') return `Webhook ${actorName ?? (actor.id ? shortId(actor.id) : '')}`.trim();
  if (actor.type === 'anonymous' && actor.email === null) return 'Not signed in';
  return actorName ?? actor.email ?? (actor.id ? shortId(actor.id) : actor.type);
}

/** A sentence in parts: the text before the object, the object, and the text after it. */
export interface Wording {
  before: string;
  object?: { name: string; href?: string };
  after: string;
}

/** What a line says. Only objects that exist and may be read are links. */
export function wordingOf(line: AuditLine): Wording {
  const { entry, count, resourceName } = line;
  const sentence = sentenceOf(entry.action, entry.result === 'success');
  const object = objectOf(line);
  const times = count > 1 ? ` (${count} saves)` : '';
  const [before = '', after] = sentence.split('{name}');
  if (after === undefined) return { before: sentence, after: times };
  return {
    before,
    object: object === undefined ? undefined : { name: object, href: placeOf(entry, resourceName) },
    after: after + times,
  };
}

function placeOf({ resource }: AuditEntry, resourceName: string | null): string | undefined {
  const place = resource.id === null ? undefined : PLACES[resource.id.split('_', 1)[0] ?? ''];
  return place && resourceName !== null ? `/${place}/${resource.id}` : undefined;
}
