import { z } from 'zod';
import { appendQueryParameters } from '@/server/network/outbound/query';

/** A value of a query or a header. */
export const HttpScalarValue = z.union([z.string(), z.number(), z.boolean(), z.null()], {
  error: 'must be text, a number or a boolean',
});
/** Parameters of a query by name. */
export const HttpQueryValues = z.record(
  z.string(),
  z.union([HttpScalarValue, z.array(HttpScalarValue)], {
    error: 'must be text, a number, a boolean or a list of them',
  }),
);

/** Adds parameters to a URL; a list repeats the parameter, null leaves it out. */
export const addQueryValues = (address: string, query: z.infer<typeof HttpQueryValues> = {}): string =>
  appendQueryParameters(
    address,
    Object.entries(query).flatMap(([name, value]) =>
      [value].flat().flatMap((each) => (each === null ? [] : [[name, String(each)] as const])),
    ),
  );
