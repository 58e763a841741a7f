import { describeJsonFault } from './json-faults';

/** What the engine of n8n writes after the time of a date. Its zone is UTC here. */
const ZONE_NAME = ' (Coordinated Universal Time)';

/** Code shows what is wrong with a text that it cannot read: in the words of the engine of n8n. */
function nameJsonFaults(): void {
  const { parse } = JSON;
  const value = (text: unknown, reviver?: Parameters<typeof parse>[1]): unknown => {
    try {
      return parse(text as string, reviver);
    } catch (error) {
      // What a reviver throws is of another text, or of none.
      const fault = error instanceof SyntaxError ? describeJsonFault(String(text)) : undefined;
      throw fault === undefined ? error : new SyntaxError(fault);
    }
  };
  Object.defineProperty(JSON, 'parse', { value, writable: true, configurable: true });
}

/** Makes dates, large integers and faults in JSON texts as the engine of n8n does. */
export function showAsEngineOfN8n(): void {
  nameJsonFaults();
  const { prototype: dates } = Date;
  const { prototype: integers } = BigInt;
  for (const name of ['toString', 'toTimeString'] as const) {
    const write = dates[name];
    const value = function (this: Date): string {
      const text = write.call(this);
      return text.endsWith('GMT+0000') ? text + ZONE_NAME : text;
    };
    Object.defineProperty(dates, name, { value, writable: true, configurable: true });
  }
  const value = function (this: bigint): string {
    return this.toString();
  };
  Object.defineProperty(integers, 'toJSON', { value, writable: true, configurable: true });
}

const ENGINE_MESSAGES: readonly (readonly [RegExp, string])[] = [
  [/^cannot read property '(.*)' of (null|undefined)/, "Cannot read properties of $2 (reading '$1')"],
  [/^cannot set property '(.*)' of (null|undefined)/, "Cannot set properties of $2 (setting '$1')"],
  [/^'(.*)' is not defined/, '$1 is not defined'],
];

/** The message of an error in the words of the engine of n8n. */
export function translateEngineMessage(message: string): string {
  const found = ENGINE_MESSAGES.find(([pattern]) => pattern.test(message));
  return found ? message.replace(...found) : message;
}
