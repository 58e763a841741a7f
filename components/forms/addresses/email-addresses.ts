/** The entries of a field for addresses: its value is one text or a list of them. */
export const listAddressEntries = (value: unknown): string[] =>
  Array.isArray(value)
    ? value.map(String)
    : value === undefined || value === null || value === ''
      ? []
      : [String(value)];

/** The value of entries; empty ones are no part of it. `isList`: one entry is a list as well. */
export function joinAddressEntries(entries: readonly string[], isList: boolean): string | string[] | undefined {
  const filled = entries.filter((entry) => entry.trim() !== '');
  return isList || filled.length > 1 ? (filled.length > 0 ? filled : undefined) : filled[0];
}

const EMAIL_ADDRESS_PATTERN = /^[^\s@<>",;]+@[^\s@<>",;]+$/;
const MAX_ADDRESS_CHARACTERS = 320;

/**
 * The first part of an entry that is no address; undefined: there is none. `Ada <ada@example.com>` and lists with
 * commas are read.
 */
export function findBadAddress(entry: string): string | undefined {
  const parts = entry.match(/(?:"[^"]*"|[^,;"])+/g) ?? [];
  return parts.map((part) => part.trim()).find((part) => part !== '' && !isEmailAddressPart(part));
}

function isEmailAddressPart(part: string): boolean {
  const open = part.endsWith('>') ? part.lastIndexOf('<') : -1;
  const address = open === -1 ? part : part.slice(open + 1, -1).trim();
  return address.length <= MAX_ADDRESS_CHARACTERS && EMAIL_ADDRESS_PATTERN.test(address);
}
