import { NodeFailure } from '@/server/platform/errors/node-failure';

const LINK_SEPARATOR = /[\s,]*/y;
/** A parameter of a link: its name, and its value with or without quotes. */
const LINK_PARAMETER = /\s*;\s*([^\s=;,"]*)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]*)))?/y;

/** Reads on from a place in a text. */
function matchPatternAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/**
 * The address with rel="next" of a Link header (RFC 8288), in time that is linear in its length. Of several `rel` of a
 * link the first one counts. Throws NodeFailure BAD_RESPONSE if the header is malformed.
 */
export function findNextLink(header = ''): string | undefined {
  for (let at = 0; ;) {
    at += matchPatternAt(LINK_SEPARATOR, header, at)?.[0].length ?? 0;
    if (at === header.length) return undefined;
    const end = header[at] === '<' ? header.indexOf('>', at) : -1;
    if (end === -1) throw malformedLinkFailure(at);
    const address = header.slice(at + 1, end);
    let relations: string | undefined;
    at = end + 1;
    for (
      let found = matchPatternAt(LINK_PARAMETER, header, at);
      found;
      found = matchPatternAt(LINK_PARAMETER, header, at)
    ) {
      const [whole, name = '', quoted, plain = ''] = found;
      if (name.toLowerCase() === 'rel') relations ??= quoted ?? plain;
      at += whole.length;
    }
    if (relations?.toLowerCase().split(/\s+/).includes('next')) return address;
    if (!/[\s,]/.test(header[at] ?? ',')) throw malformedLinkFailure(at);
  }
}

const malformedLinkFailure = (at: number) =>
  new NodeFailure('BAD_RESPONSE', `The Link header of the answer cannot be read at character ${at + 1}.`, false);
