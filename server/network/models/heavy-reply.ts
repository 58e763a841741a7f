/**
 * Bytes of an answer or event, and lists, objects and commas in it: the libraries of providers check each value on the
 * main thread.
 */
const MAX_MAIN_THREAD_BYTES = 256 * 1024;
const MAX_MAIN_THREAD_VALUES = 1500;
/** Bytes of events with arguments of tools: a library parses all arguments so far with each of them. */
const MAX_ARGUMENT_EVENT_BYTES = 64 * 1024;
/** Bytes and events that a library reads before others have their turn. */
const EVENT_BYTES_PER_TURN = 4 * 1024;
const EVENTS_PER_TURN = 25;

const [LINE_FEED, CARRIAGE_RETURN, COMMA, LIST, OBJECT] = [10, 13, 44, 91, 123];

/**
 * An answer that would take the library of its provider too long on the main thread. It is thrown through the library.
 */
export class HeavyReplyError extends Error {
  /** `body`: all of the answer, once it has arrived. */
  constructor(
    readonly body: Promise<Buffer>,
    readonly type: string,
  ) {
    super('The answer is read in an evaluator process.');
  }
}

const isValueByte = (byte: number | undefined) => byte === COMMA || byte === LIST || byte === OBJECT;

/** Whether an answer that arrives as a whole is read elsewhere. */
export function isHeavyReply(body: Buffer): boolean {
  if (body.length > MAX_MAIN_THREAD_BYTES) return true;
  let values = 0;
  for (const byte of body) if (isValueByte(byte)) values += 1;
  return values > MAX_MAIN_THREAD_VALUES;
}

/** Passes server-sent events on a few at a time, each as a whole. */
export class ServerEventGate {
  private held: Buffer = Buffer.alloc(0);
  private values = 0;
  private argumentBytes = 0;
  /** Line breaks that have come one after the other. */
  private breaks = 0;
  private last = 0;

  /** The events that a part completes. Undefined: the next one is too heavy. */
  *pass(part: Buffer): Generator<Buffer | undefined> {
    const held = this.held.length;
    const bytes = held === 0 ? part : Buffer.concat([this.held, part]);
    let [begun, eventAt, events] = [0, 0, 0];
    for (let at = held; at < bytes.length; at += 1) {
      const isEnd = this.endsEvent(bytes[at]);
      const isTooLarge = this.values > MAX_MAIN_THREAD_VALUES || at - eventAt > MAX_MAIN_THREAD_BYTES;
      if (isTooLarge || (isEnd && this.isTooMuch(bytes.subarray(eventAt, at + 1)))) {
        if (eventAt > begun) yield bytes.subarray(begun, eventAt);
        return yield undefined;
      }
      if (!isEnd) continue;
      this.values = 0;
      events += 1;
      eventAt = at + 1;
      if (events < EVENTS_PER_TURN && eventAt - begun < EVENT_BYTES_PER_TURN) continue;
      yield bytes.subarray(begun, eventAt);
      [begun, events] = [eventAt, 0];
    }
    if (eventAt > begun) yield bytes.subarray(begun, eventAt);
    this.held = bytes.subarray(eventAt);
  }

  /** The bytes of an event that has begun and has not ended. */
  get rest(): Buffer {
    return this.held;
  }

  /** An empty line ends an event. */
  private endsEvent(byte: number | undefined): boolean {
    const { last } = this;
    this.last = byte ?? 0;
    if (isValueByte(byte)) this.values += 1;
    // CR and LF together are one line break.
    if (byte === LINE_FEED && last === CARRIAGE_RETURN) return false;
    this.breaks = byte === LINE_FEED || byte === CARRIAGE_RETURN ? this.breaks + 1 : 0;
    return this.breaks >= 2;
  }

  private isTooMuch(event: Buffer): boolean {
    if (event.includes('"arguments"') || event.includes('"partial_json"')) this.argumentBytes += event.length;
    return this.argumentBytes > MAX_ARGUMENT_EVENT_BYTES;
  }
}
