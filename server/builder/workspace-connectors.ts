import { isCustomId } from '@/server/connectors/custom/connector';
import { findCustomFacts } from '@/server/connectors/custom/store';
import { prisma } from '@/server/db/client';
import { operationText } from './catalogue';
import { entryOf, type Entry } from './search';

/** Operations of one workspace that a search covers. */
const MOST = 3000;
/** Characters of a help text. */
const MAX_HELP = 200;

/** The connectors that a workspace has made, for the tools of one proposal. Their words come from documents of others: they are quoted. */
export class WorkspaceConnectors {
  #entries: Promise<Entry[]> | undefined;

  /** `ids`: the connectors that the caller may see. */
  constructor(
    private readonly workspaceId: string,
    private readonly ids: readonly string[],
  ) {}

  /** What a search can find. Read once. */
  entries(): Promise<Entry[]> {
    return (this.#entries ??= this.#read());
  }

  /** The parameters of an operation; undefined: unknown. */
  async describe(connectorId: string, operation: string): Promise<string | undefined> {
    if (!isCustomId(connectorId) || !this.ids.includes(connectorId)) return undefined;
    const facts = await findCustomFacts(this.workspaceId, connectorId, operation);
    return (
      facts &&
      operationText({
        connectorId,
        id: operation,
        title: quoted(facts.title, facts.help),
        parameters: facts.parameters,
      })
    );
  }

  async #read(): Promise<Entry[]> {
    if (this.ids.length === 0) return [];
    const rows = await prisma().connectorOperation.findMany({
      where: { connectorId: { in: [...this.ids] }, connector: { workspaceId: this.workspaceId }, isRemoved: false },
      select: { connectorId: true, operation: true, title: true, help: true, connector: { select: { name: true } } },
      orderBy: [{ connectorId: 'asc' }, { position: 'asc' }],
      take: MOST,
    });
    return rows.map(({ connectorId, operation, title, help, connector: { name } }) =>
      entryOf({
        line: `operation ${JSON.stringify(operation)} of connector ${connectorId} (${JSON.stringify(name)}): ${quoted(title, help)}`,
        title: `${name} ${operation} ${title}`,
        others: help,
      }),
    );
  }
}

const quoted = (title: string, help: string): string =>
  JSON.stringify(`${title}${help === '' ? '' : `. ${help.slice(0, MAX_HELP)}`}`);
