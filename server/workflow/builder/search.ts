import { findOperationServiceId } from '@/contract/connectors/connector-icons';
import { builtInConnectors } from '@/server/connectors';
import { listPublicNodeTypes } from '@/server/workflow/nodes';

const MAX_SEARCH_RESULTS = 15;

/** An entry that a search can find: a node type, or an operation of a connector. */
export interface CatalogueEntry {
  /** The line that is shown. */
  line: string;
  title: string[];
  others: string[];
}

const splitSearchWords = (text: string): string[] =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 1);

/** An entry from the texts that it is found by. */
export const toCatalogueEntry = ({
  line,
  title,
  others,
}: {
  line: string;
  title: string;
  others: string;
}): CatalogueEntry => ({
  line,
  title: splitSearchWords(title),
  others: splitSearchWords(others),
});

let cachedEntries: CatalogueEntry[] | undefined;

const builtInEntries = (): CatalogueEntry[] =>
  (cachedEntries ??= [...nodeEntries(), ...operationEntries(), ...eventEntries()]);

const nodeEntries = (): CatalogueEntry[] =>
  listPublicNodeTypes().map(({ type, title, description, synonyms }) =>
    toCatalogueEntry({
      line: `node ${type}: ${title}. ${description}`,
      title: `${type} ${title} ${synonyms.join(' ')}`,
      others: description,
    }),
  );

const operationEntries = (): CatalogueEntry[] =>
  builtInConnectors.flatMap(({ id, name, synonyms = [], services = [], operations }) =>
    operations.map((operation) => {
      const serviceId = findOperationServiceId(id, operation.id);
      const service = services.find((one) => one.id === serviceId);
      const owner = service ? `${name} ${service.name} ${service.synonyms.join(' ')}` : `${name} ${synonyms.join(' ')}`;
      return toCatalogueEntry({
        line: `operation ${operation.id} of connector ${id}: ${operation.title}. ${operation.help ?? ''}`.trim(),
        title: `${id} ${owner} ${operation.id} ${operation.title}`,
        others: operation.help ?? '',
      });
    }),
  );

const eventEntries = (): CatalogueEntry[] =>
  builtInConnectors.flatMap(({ id, name, synonyms = [], subscriptions }) =>
    (subscriptions?.events ?? []).map((event) =>
      toCatalogueEntry({
        line: `event ${event.id} of connector ${id}, a trigger: ${event.title}`,
        title: `${id} ${name} ${synonyms.join(' ')} ${event.id} ${event.title} event trigger`,
        others: event.words ?? '',
      }),
    ),
  );

/** Whether one word begins with the other, as `messages` begins with `message`. */
const sharesBeginning = (word: string, wanted: string) =>
  word.startsWith(wanted) || (word.length > 3 && wanted.startsWith(word));

function scoreEntry({ title, others }: CatalogueEntry, wanted: string[]): number {
  let score = 0;
  for (const word of wanted) {
    if (title.includes(word)) score += 4;
    else if (title.some((one) => sharesBeginning(one, word))) score += 3;
    else if (others.some((one) => sharesBeginning(one, word))) score += 1;
  }
  return score;
}

/**
 * The node types and operations that fit the words best, one a line. `own`: operations of the workspace's connectors.
 */
export function searchNodes(query: string, own: readonly CatalogueEntry[] = []): string[] {
  const wanted = [...new Set(splitSearchWords(query))];
  return [...own, ...builtInEntries()]
    .map((entry) => ({ entry, score: scoreEntry(entry, wanted) }))
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score)
    .slice(0, MAX_SEARCH_RESULTS)
    .map(({ entry }) => entry.line);
}
