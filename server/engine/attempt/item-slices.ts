import { isLargeJson, LargeJsonText, MAX_PARSED_JSON } from '@/server/evaluation/expressions/large-json';
import { YieldTimer } from '@/server/platform/timers/cooperative';

/** Items that are worked on together, and the characters of their JSON. */
const MAX_SLICE_ITEMS = 250;
const MAX_SLICE_CHARACTERS = 32 * 1024;
/** Characters that are scanned before others get their turn. */
const SCAN_CHECK_MASK = 0xffff;

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * The items of a list in slices. A large list is parsed slice by slice, so that only a part of it is in memory twice.
 */
export async function* sliceItems(items: unknown[] | LargeJsonText): AsyncGenerator<unknown[]> {
  if (isLargeJson(items)) yield* sliceText(items.text);
  else for (let at = 0; at < items.length; at += MAX_SLICE_ITEMS) yield items.slice(at, at + MAX_SLICE_ITEMS);
}

/** The list with its first item only. */
export async function takeFirstItem(items: unknown[] | LargeJsonText): Promise<unknown[]> {
  for await (const [first] of sliceItems(items))
    return [isLargeJson(first) ? (JSON.parse(first.text) as unknown) : first];
  return [];
}

/**
 * The items of the JSON of a list that `JSON.stringify` wrote. A large item is alone in its slice, and is not parsed.
 */
async function* sliceText(text: string): AsyncGenerator<unknown[]> {
  const timer = new YieldTimer();
  let depth = 0;
  let begin = 1;
  let itemBegin = 1;
  let count = 0;
  for (let at = 0; at < text.length; at += 1) {
    if ((at & SCAN_CHECK_MASK) === SCAN_CHECK_MASK && timer.isDue) await timer.take();
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = findTextEnd(text, at);
    else if (code === OPEN_LIST || code === OPEN_OBJECT) depth += 1;
    else if (code === CLOSE_LIST || code === CLOSE_OBJECT) depth -= 1;
    const isItemEnd = (code === COMMA && depth === 1) || depth === 0;
    if (!isItemEnd) continue;
    const isLarge = at - itemBegin > MAX_PARSED_JSON;
    if (isLarge && itemBegin > begin) yield parseSlice(text, begin, itemBegin - 1);
    if (isLarge) yield [new LargeJsonText(text.slice(itemBegin, at))];
    count += 1;
    const isFull = count >= MAX_SLICE_ITEMS || at - begin >= MAX_SLICE_CHARACTERS || depth === 0;
    if (!isLarge && isFull && at > begin) yield parseSlice(text, begin, at);
    itemBegin = at + 1;
    if (!isLarge && !isFull) continue;
    begin = itemBegin;
    count = 0;
  }
}

const parseSlice = (text: string, from: number, to: number): unknown[] =>
  JSON.parse(`[${text.slice(from, to)}]`) as unknown[];

/** The position of the quotation mark that ends a text. */
function findTextEnd(json: string, from: number): number {
  for (let at = json.indexOf('"', from + 1); ; at = json.indexOf('"', at + 1)) {
    let backslashes = 0;
    while (json.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return at;
  }
}
