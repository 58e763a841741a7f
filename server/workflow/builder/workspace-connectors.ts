import { isCustomConnectorId } from '@/server/connectors/custom/connector';
import { findCustomSummary } from '@/server/connectors/custom/store';
import { prismaClient } from '@/server/platform/db/client';
import { formatOperation } from './catalogue';
import { toCatalogueEntry, type CatalogueEntry } from './search';

/** A search covers at most this many operations of a workspace. */
const MAX_SEARCHED_OPERATIONS = 3000;
/** The maximum length of a help text. */
const MAX_HELP_CHARACTERS = 200;

/**
 * The connectors that a workspace has made, for the tools of one proposal. Their words come from documents of others:
 * they are quoted.
 */
export class WorkspaceConnectors {
  #entries: Promise<CatalogueEntry[]> | undefined;

  /** `ids`: the connectors that the caller may see. */
  constructor(
    private readonly workspaceId: string,
    private readonly ids: readonly string[],
  ) {}

  /** The entries for a search. They are read once. */
  entries(): Promise<CatalogueEntry[]> {
    return (this.#entries ??= this.#read());
  }

  /** The parameters of an operation; undefined: unknown. */
  async describeOperation(connectorId: string, operation: string): Promise<string | undefined> {
    if (!isCustomConnectorId(connectorId) || !this.ids.includes(connectorId)) return undefined;
    const facts = await findCustomSummary(this.workspaceId, connectorId, operation);
    return (
      facts &&
      formatOperation({
        connectorId,
        id: operation,
        title: quoteTitleAndHelp(facts.title, facts.help),
        parameters: facts.parameters,
      })
    );
  }

  async #read(): Promise<CatalogueEntry[]> {
    if (this.ids.length === 0) return [];
    const rows = await prismaClient().connectorOperation.findMany({
      where: { connectorId: { in: [...this.ids] }, connector: { workspaceId: this.workspaceId }, isRemoved: false },
      select: { connectorId: true, operation: true, title: true, help: true, connector: { select: { name: true } } },
      orderBy: [{ connectorId: 'asc' }, { position: 'asc' }],
      take: MAX_SEARCHED_OPERATIONS,
    });
    return rows.map(({ connectorId, operation, title, help, connector: { name } }) =>
      toCatalogueEntry({
        line: `operation ${JSON.stringify(operation)} of connector ${connectorId} (${JSON.stringify(name)}): ${quoteTitleAndHelp(title, help)}`,
        title: `${name} ${operation} ${title}`,
        others: help,
      }),
    );
  }
}

const quoteTitleAndHelp = (title: string, help: string): string =>
  JSON.stringify(`${title}${help === '' ? '' : `. ${help.slice(0, MAX_HELP_CHARACTERS)}`}`);
