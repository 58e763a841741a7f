import type { FieldChoice, ListChoicesResponse } from '@/contract/choices';
import type { WorkspaceSummary } from './workspace-summary';

/** What a service is asked for, to find out what a name stands for. */
export interface NamedChoiceQuestion {
  connectorId: string;
  source: string;
  credentialId: string;
  /** The values of the fields on which the list depends. */
  values: Record<string, string>;
  search: string;
  cursor?: string | undefined;
}

/** Lists a page of choices for a proposal. A text: why the service, or the rights of the person, do not permit it. */
export type NamedChoiceReader = (question: NamedChoiceQuestion) => Promise<ListChoicesResponse | string>;

/** One proposal asks services at most this often. Further names are left to the person. */
export const MAX_CHOICE_QUESTIONS = 50;
/** A list is read up to this many of its choices. */
export const MAX_LOOKED_UP_CHOICES = 1000;

/** The list that a name is looked up in. */
export interface NamedChoiceList {
  connectorId: string;
  source: string;
  /** The service searches by itself; else its list is read. */
  isSearched: boolean;
  credentialId: string;
  values: Record<string, string>;
}

/** What was found; a text: why nothing was, as it is told to people. */
export type FoundChoice = { choice: FieldChoice } | string;

interface ReadChoices {
  choices: FieldChoice[];
  isWhole: boolean;
}

/** People write #general and @ada for what services call general and ada. */
const toBareName = (text: string): string => text.trim().replace(/^[#@]/, '').toLowerCase();
const DIGITS = new Intl.NumberFormat('en');

/** Finds out what names stand for. One serves all replies of a proposal: it counts and remembers what it has asked. */
export class ChoiceLookup {
  readonly #answers = new Map<string, ListChoicesResponse | string>();

  constructor(
    private readonly context: {
      credentials: WorkspaceSummary['credentials'];
      listChoices: NamedChoiceReader;
      signal: AbortSignal;
    },
  ) {}

  /** The only account of a service; a text: why there is none to ask with. */
  findOnlyAccount(connectorId: string): { credentialId: string } | string {
    const [first, ...others] = this.context.credentials.filter((one) => one.connectorId === connectorId);
    if (!first) return 'there is no account to look it up';
    return others.length === 0 ? { credentialId: first.id } : 'there are several accounts: choose one';
  }

  /** The only choice with this value, or else with this name. */
  async find(list: NamedChoiceList, text: string): Promise<FoundChoice> {
    const bare = toBareName(text);
    const withName = ({ label }: FieldChoice) => toBareName(label) === bare;
    const withValue = ({ value }: FieldChoice) => String(value) === text;
    let named: FieldChoice[] = [];
    if (list.isSearched) {
      const found = await this.#readChoices(list, bare, withValue);
      if (typeof found === 'string') return found;
      const same = found.choices.find(withValue);
      if (same) return { choice: same };
      named = found.choices.filter(withName);
    }
    if (named.length === 0) {
      // An id is no name that could be searched for: it is in the list.
      const listed = await this.#readChoices(list, '', withValue);
      if (typeof listed === 'string') return listed;
      const same = listed.choices.find(withValue);
      if (same) return { choice: same };
      named = listed.choices.filter(withName);
      if (named.length === 0) return describeMissing(list, listed);
    }
    const [only, ...others] = named;
    return only && others.length === 0 ? { choice: only } : 'the account has several of this name';
  }

  /** The choices of a list, page by page, up to the one that is wanted. A text: why they cannot be read. */
  async #readChoices(
    list: NamedChoiceList,
    search: string,
    isWanted: (choice: FieldChoice) => boolean,
  ): Promise<ReadChoices | string> {
    const choices: FieldChoice[] = [];
    const cursors = new Set<string>();
    let cursor: string | undefined;
    do {
      const page = await this.#ask(list, search, cursor);
      if (typeof page === 'string') return page;
      choices.push(...page.data);
      // A service that names a page again has no others: known answers would be read for ever.
      if (page.nextCursor === null || cursors.has(page.nextCursor)) return { choices, isWhole: true };
      cursor = page.nextCursor;
      cursors.add(cursor);
    } while (choices.length < MAX_LOOKED_UP_CHOICES && !choices.some(isWanted));
    return { choices, isWhole: false };
  }

  async #ask(
    { connectorId, source, credentialId, values }: NamedChoiceList,
    search: string,
    cursor: string | undefined,
  ): Promise<ListChoicesResponse | string> {
    const key = JSON.stringify([connectorId, source, credentialId, Object.entries(values).sort(), search, cursor]);
    const known = this.#answers.get(key);
    if (known !== undefined) return known;
    this.context.signal.throwIfAborted();
    if (this.#answers.size >= MAX_CHOICE_QUESTIONS)
      return `services were asked ${MAX_CHOICE_QUESTIONS} times for this proposal, and no more`;
    const answer = await this.context.listChoices({ connectorId, source, credentialId, values, search, cursor });
    this.#answers.set(key, answer);
    return answer;
  }
}

function describeMissing({ isSearched }: NamedChoiceList, { choices, isWhole }: ReadChoices): string {
  const first = `the first ${DIGITS.format(choices.length)} that the account has`;
  if (isWhole) return 'the account has none of this name';
  return isSearched
    ? `the account has none of this name, and none of ${first} has this id`
    : `none of this name is among ${first}`;
}
