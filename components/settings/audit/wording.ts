import { readableResourceName } from '@/components/client/permission-words';
import { startWithCapital } from '@/components/ui/values/start-with-capital';
import type { AuditEntryResponse, AuditLogLine } from '@/contract/audit';
import { auditSentence } from '@/contract/audit-actions';

const NAME_METADATA_KEYS = ['name', 'email', 'label', 'path', 'cron'];

/** Where an object is shown, by the prefix of its id. */
const PATHS_BY_ID_PREFIX: Record<string, string> = {
  wf: 'workflows',
  exec: 'executions',
  cred: 'credentials',
  tbl: 'tables',
};

/** An id of the service, such as `wf_mRKx…`, at a length that can be compared by eye. Others are names themselves. */
export const abbreviateId = (id: string) =>
  /^[a-z]+_[\w-]{12,}$/.test(id) ? `${id.slice(0, id.indexOf('_') + 7)}…` : id;

/**
 * The name of an entry's object: the current one, the one in the entry, or the short id. Undefined if the entry has no
 * object.
 */
export function auditObjectName({
  entry,
  resourceName,
}: Pick<AuditLogLine, 'entry' | 'resourceName'>): string | undefined {
  if (resourceName !== null) return resourceName;
  const stored = NAME_METADATA_KEYS.map((key) => entry.metadata[key]).find(
    (value) => typeof value === 'string' && value !== '',
  );
  if (typeof stored === 'string') return stored;
  return entry.resource.id === null ? undefined : abbreviateId(entry.resource.id);
}

/** The actor: a name, an email, or the kind of actor. */
export function auditActorName({ entry: { actor }, actorName }: Pick<AuditLogLine, 'entry' | 'actorName'>): string {
  if (actor.type === 'api_key') return `API key ${actorName ?? (actor.id ? abbreviateId(actor.id) : '')}`.trim();
  if (actor.type === 'webhook') return `Webhook ${actorName ?? (actor.id ? abbreviateId(actor.id) : '')}`.trim();
  if (actor.type === 'anonymous' && actor.email === null) return 'Not signed in';
  return (
    actorName ?? actor.email ?? (actor.id ? abbreviateId(actor.id) : startWithCapital(readableResourceName(actor.type)))
  );
}

/** A sentence in parts: the text before the object, the object, and the text after it. */
export interface AuditWording {
  before: string;
  object?: { name: string; href?: string };
  after: string;
}

/** What a line says. Only objects that exist and may be read are links. */
export function auditWording(line: AuditLogLine): AuditWording {
  const { entry, count, resourceName } = line;
  const sentence = auditSentence(entry.action, entry.result === 'success');
  const object = auditObjectName(line);
  const times = count > 1 ? ` (${count} saves)` : '';
  const [before = '', after] = sentence.split('{name}');
  if (after === undefined) return { before: sentence, after: times };
  return {
    before,
    object: object === undefined ? undefined : { name: object, href: auditObjectPath(entry, resourceName) },
    after: after + times,
  };
}

function auditObjectPath({ resource }: AuditEntryResponse, resourceName: string | null): string | undefined {
  const place = resource.id === null ? undefined : PATHS_BY_ID_PREFIX[resource.id.split('_', 1)[0] ?? ''];
  return place && resourceName !== null ? `/${place}/${resource.id}` : undefined;
}
