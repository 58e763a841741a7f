import { connectors } from '@/server/connectors';
import { catalogue } from '@/server/nodes';

const MAX_FOUND = 15;

/** What a model can find: a node type, or an operation of a connector. */
export interface Entry {
  /** The line that is shown. */
  line: string;
  title: string[];
  others: string[];
}

const wordsOf = (text: string): string[] =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 1);

/** An entry from the texts that it is found by. */
export const entryOf = ({ line, title, others }: { line: string; title: string; others: string }): Entry => ({
  line,
  title: wordsOf(title),
  others: wordsOf(others),
});

let entries: Entry[] | undefined;

const all = (): Entry[] => (entries ??= [...nodeEntries(), ...operationEntries()]);

const nodeEntries = (): Entry[] =>
  catalogue().map(({ type, title, description, synonyms }) =>
    entryOf({
      line: `node ${type}: ${title}. ${description}`,
      title: `${type} ${title} ${synonyms.join(' ')}`,
      others: description,
    }),
  );

const operationEntries = (): Entry[] =>
  connectors.flatMap(({ id, name, synonyms = [], services = [], operations }) =>
    operations.map((operation) => {
      const service = services.find((one) => operation.id.startsWith(`${one.id}.`));
      const owner = service ? `${name} ${service.name} ${service.synonyms.join(' ')}` : `${name} ${synonyms.join(' ')}`;
      return entryOf({
        line: `operation ${operation.id} of connector ${id}: ${operation.title}. ${operation.help ?? ''}`.trim(),
        title: `${id} ${owner} ${operation.id} ${operation.title}`,
        others: operation.help ?? '',
      });
    }),
  );

/** A word that begins like the one that is looked for counts, as `message` does for `messages`. */
const isLike = (word: string, wanted: string) =>
  word.startsWith(wanted) || (word.length > 3 && wanted.startsWith(word));

function scoreOf({ title, others }: Entry, wanted: string[]): number {
  let score = 0;
  for (const word of wanted) {
    if (title.includes(word)) score += 4;
    else if (title.some((one) => isLike(one, word))) score += 3;
    else if (others.some((one) => isLike(one, word))) score += 1;
  }
  return score;
}

/** The node types and operations that fit the words best, one a line. `own`: operations of the workspace's connectors. */
export function searchNodes(query: string, own: readonly Entry[] = []): string[] {
  const wanted = [...new Set(wordsOf(query))];
  return [...own, ...all()]
    .map((entry) => ({ entry, score: scoreOf(entry, wanted) }))
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score)
    .slice(0, MAX_FOUND)
    .map(({ entry }) => entry.line);
}
