import type { DirectoryRecord } from '../../server/connectors/directory/directory';
import { readOpenApiDocument } from '../../server/evaluation/openapi/read';
import { MAX_DOCUMENT_BYTES } from '../../server/evaluation/openapi/record';

const TIMEOUT_MS = 60_000;
/** Documents that are fetched at a time. */
const CONCURRENCY = 6;

type Checked = Pick<DirectoryRecord, 'name' | 'url' | 'server' | 'needsAppRegistration'>;

/** Why the document of a service can't be read, or what its record says wrongly; undefined: all is well. */
async function faultOf({ url, server, needsAppRegistration }: Checked): Promise<string | undefined> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (answer.status !== 200) return `The address answers ${answer.status}.`;
    const text = await answer.text();
    if (Buffer.byteLength(text) > MAX_DOCUMENT_BYTES) return 'The document is larger than 5 MiB.';
    const document = readOpenApiDocument(text, { selection: 'none', server: server ?? null, base: url });
    if ('fault' in document) return `The field ${document.fault.field} ${document.fault.message}.`;
    return document.needsAppRegistration === (needsAppRegistration === true)
      ? undefined
      : `By its security schemes needsAppRegistration is ${document.needsAppRegistration}.`;
  } catch (error) {
    return `The document cannot be fetched: ${error instanceof Error ? error.message : String(error)}.`;
  }
}

/** Fetches and reads the documents of services. Returns a line for each fault, in their order. */
export async function checkServices(services: readonly Checked[]): Promise<string[]> {
  const lines: (string | undefined)[] = [];
  const waiting = [...services.entries()];
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [index, service] = next;
      const fault = await faultOf(service);
      if (fault !== undefined) lines[index] = `${service.name}: ${fault} ${service.url}`;
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  return lines.filter((line) => line !== undefined);
}
