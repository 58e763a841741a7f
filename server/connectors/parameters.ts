import { z } from 'zod';
import { isFileValue, type FileValue } from '@/contract/file-value';

/*
 * The parameters of an operation, with their titles; `.describe()` adds one line of help.
 */

export const lineParameter = (title: string, max = 1000) => z.string().min(1).max(max).meta({ title });
/** A text of several lines. */
export const multilineParameter = (title: string, max = 100_000) =>
  z.string().max(max).meta({ title, 'x-editor': 'multiline' });
export const lineListParameter = (title: string) => z.array(z.string().max(1000)).max(1000).meta({ title });
export const countParameter = (title: string, max: number) => z.number().int().min(1).max(max).meta({ title });
export const numberParameter = (title: string) => z.number().meta({ title });
export const booleanParameter = (title: string) => z.boolean().meta({ title });
export const choiceParameter = <const Options extends readonly [string, ...string[]]>(
  title: string,
  options: Options,
) => z.enum(options).meta({ title });
export const timeParameter = (title: string) => z.string().max(64).meta({ title, description: 'ISO 8601' });
/** Any JSON object that the provider documents. */
export const jsonObjectParameter = (title: string) => z.record(z.string(), z.unknown()).meta({ title });
/** An object of names and values, entered as pairs. */
export const pairsParameter = (title: string) => z.record(z.string(), z.unknown()).meta({ title, 'x-editor': 'pairs' });
/** A list of JSON objects that the provider documents. */
export const jsonListParameter = (title: string, max = 1000) =>
  z.array(z.record(z.string(), z.unknown())).max(max).meta({ title });
/** Rows of a sheet as lists of cells. */
export const cellRowsParameter = (title: string, max = 1000) =>
  z.array(z.array(z.unknown()).max(1000)).max(max).meta({ title });
/** The value of a file. */
export const fileParameter = (title: string) =>
  z
    .custom<FileValue>(isFileValue, { error: 'must be the value of a file' })
    .meta({ title, description: 'The value of a file, e.g. {{ input.body }}', 'x-editor': 'line' });
/** The value of a file, or a text of a pattern that names a file which the provider has or fetches. */
export const fileOrTextParameter = (title: string, pattern: RegExp, rule: string) =>
  z
    .custom<FileValue | string>((value) => (typeof value === 'string' ? pattern.test(value) : isFileValue(value)), {
      error: `must be the value of a file, or ${rule}`,
    })
    .meta({ title, 'x-editor': 'line' });
export const fileListParameter = (title: string) =>
  z
    .array(z.custom<FileValue>(isFileValue, { error: 'must be the value of a file' }))
    .max(50)
    .meta({ title, description: 'A list of values of files', 'x-editor': 'json' });

/** The parameter of every paged operation: fetch all pages instead of the first. */
export const ALL_PAGES_PARAMETER = 'allPages';
