import jsonata from 'jsonata';
import { runInNewContext } from 'node:vm';

/** What a result becomes when it is stored: nothing is null. */
const toStored = (value: unknown): unknown => JSON.parse(JSON.stringify(value) ?? 'null') as unknown;

/** A result, or the mark of a failure. */
export type EvaluationOutcome = { value: unknown } | { failed: string };

export async function evaluateJsonata(source: string, scope: object): Promise<EvaluationOutcome> {
  try {
    return { value: toStored(await jsonata(source).evaluate(structuredClone(scope))) };
  } catch (error) {
    return { failed: String((error as { message?: string }).message) };
  }
}

export function evaluateJavascript(source: string, scope: object): EvaluationOutcome {
  try {
    return { value: toStored(runInNewContext(`"use strict"; (${source})`, structuredClone(scope))) };
  } catch (error) {
    return { failed: String(error) };
  }
}
